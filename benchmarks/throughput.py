"""Documents per second of CPU: the default and plain methods, beside sumy's LexRank on the same sentences.

    python benchmarks/throughput.py [--data ../shared/data] [--limit 300] [--words 60] [--rounds 3] [--systems …]

Articles of CNN/DM are summarized one after the other, from text to text, in a process of one thread that has warmed up
on others. Each side has a process in turn, round by round; the median of its rounds is shown, and its ratio to sumy's.
sumy 0.13.0 goes into an environment of its own under --peers. It is given our splitter of sentences and a regular
expression for words, since its own tokenizers need downloads, and as many sentences as the lead of --words has.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import _data
import _peers

ROOT = Path(__file__).resolve().parent.parent
SYSTEMS = ("adaptive", "lead", "lex_rank", "text_rank", "mls_plus")
SUMY = "sumy"
PACKAGES = ("sumy==0.13.0", "numpy")
SENTENCES = 3
WARMING = 20
"""Documents that are summarized before time is taken."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=_data.FOLDER)
    parser.add_argument("--limit", type=int, default=300, help="documents")
    parser.add_argument("--words", type=int, default=60, help="length of the summaries")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--systems", nargs="+", default=SYSTEMS)
    parser.add_argument("--peers", type=Path, default=_peers.PLACE / "summarize")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    options = parser.parse_args()
    _data.needed(options.data, "cnn_dailymail")
    if options.worker:
        print(rate(options.worker, options))
        return
    peer = _peers.environment(options.peers, PACKAGES)
    pythons = {**({SUMY: str(peer)} if peer else {}), **dict.fromkeys(options.systems, sys.executable)}
    rates: dict[str, list[float]] = {name: [] for name in pythons}
    for _ in range(options.rounds):
        for name, python in pythons.items():
            rates[name].append(measured(name, python, options))
    show({name: statistics.median(found) for name, found in rates.items()}, options)


def measured(name: str, python: str, options: argparse.Namespace) -> float:
    """Documents per second of CPU of one side, in a process of its own."""
    given = [f"--{key}={getattr(options, key)}" for key in ("data", "limit", "words")]
    paths = os.pathsep.join(filter(None, [str(ROOT / "src"), *(sys.path if name == SUMY else ())]))
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    done = subprocess.run(
        [python, __file__, "--worker", name, *given],
        env={**os.environ, **threads, "PYTHONPATH": paths},
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)


def rate(name: str, options: argparse.Namespace) -> float:
    """Summarize the documents and return how many a second of CPU took."""
    from nutgraf.runtime.lines import read_lines

    rows = read_lines(options.data / "cnn_dailymail" / "validation.jsonl.xz")
    texts = ["\n\n".join(row["documents"]) for _, row in islice(rows, WARMING + options.limit)]
    summarize = by_sumy() if name == SUMY else ours(name, options.words)
    for text in texts[:WARMING]:
        summarize(text)
    start = time.process_time()
    for text in texts[WARMING:]:
        summarize(text)
    return len(texts[WARMING:]) / (time.process_time() - start)


def ours(system: str, words: int) -> Callable[[str], str]:
    import nutgraf
    from nutgraf.errors import BudgetError

    summarizer = nutgraf.load(system)

    def summarize(text: str) -> str:
        try:
            return str(summarizer(text, words=words))
        except BudgetError:
            return ""

    return summarize


def by_sumy() -> Callable[[str], str]:
    from sumy.nlp.stemmers import Stemmer
    from sumy.parsers.plaintext import PlaintextParser
    from sumy.summarizers.lex_rank import LexRankSummarizer
    from sumy.utils import get_stop_words

    from nutgraf.text.tokenize import sentence_texts

    class Tokenizer:
        def to_sentences(self, text: str) -> tuple[str, ...]:
            return sentence_texts(text)

        def to_words(self, text: str) -> tuple[str, ...]:
            return tuple(re.findall(r"\w+(?:['’-]\w+)*", text))

    summarizer = LexRankSummarizer(Stemmer("english"))
    summarizer.stop_words = get_stop_words("english")
    return lambda text: " ".join(map(str, summarizer(PlaintextParser(text, Tokenizer()).document, SENTENCES)))


def show(rates: dict[str, float], options: argparse.Namespace) -> None:
    print(f"{options.limit} articles of CNN/DM to {options.words} words, one thread: documents per second of CPU")
    for name, found in rates.items():
        beside = f"   {found / rates[SUMY]:5.2f} × sumy's" if SUMY in rates and name != SUMY else ""
        default = rates.get(SYSTEMS[0])
        beside += f"   {found / default:5.2f} × the default's" if default and name not in (SUMY, SYSTEMS[0]) else ""
        print(f"  {name:<12}{found:8.1f}{beside}")


if __name__ == "__main__":
    main()
