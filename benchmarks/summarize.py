"""What a summary costs: from a cold start, in a running process, and of a million words; beside sumy in the same run.

    python benchmarks/summarize.py [--rounds 9] [--article 3000] [--words 1000000]

The article has --article words and comes from `examples/`. "cold" is a whole process from the shell; "warm" is each
further text in a running one, reading included; everything is run in turn, round by round, and medians are shown. The
long text is made up (`long_text.py`); its runs are made once, for their memory: the peak of the process's resident set.

sumy 0.13.0 goes into an environment of its own under --peers; where it cannot be had, our figures stand alone. Its
tokenizer needs data that NLTK downloads, so it gets
two regular expressions instead, which is quicker; it is asked for as many sentences as ours gives for 200 words. A peer
is stopped at --limit seconds or --memory GB.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import _peers

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("sumy==0.13.0", "numpy")
ARTICLE = ("dark-town.html", "island.txt")
SUMMARY_WORDS = 200
SYSTEMS = ("adaptive", "mls_plus", "lex_rank", "text_rank")
SUMY = ("lex_rank", "text_rank")
LONG = (
    *(("summarize", "{file}", *rest) for rest in (("--words", "200"), (), ("--share", "1/2"))),
    ("summarize", "{file}", "--words", "200", "--report", "{report}"),
    *(
        ("summarize", "{file}", "--words", "200", "--system", system)
        for system in "lead random systematic tfidf salience graph_sample text_rank lex_rank".split()
    ),
    *(
        ("phrases", "{file}", "--extractor", extractor)
        for extractor in "rake text_rank position_rank tfidf topic_rank".split()
    ),
)

Summarize = Callable[[Path], str]


class Run(NamedTuple):
    """A process: its wall time in seconds, its peak in MB, and whether it came to its end."""

    seconds: float
    peak: float
    ended: bool


def main() -> None:
    """Print the three tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, default=_peers.PLACE / "summarize")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--article", type=int, default=3_000, help="words of the article")
    parser.add_argument("--words", type=int, default=1_000_000, help="of the long text; 0 leaves it out")
    parser.add_argument("--limit", type=int, default=180, help="seconds after which a process is stopped")
    parser.add_argument("--memory", type=int, default=8, help="GB that a process may ask for")
    parser.add_argument("--worker", nargs=4, metavar=("NAME", "FILE", "SENTENCES", "TIMES"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        worker(*options.worker)
        return
    peer = _peers.environment(options.peers, PACKAGES)
    with tempfile.TemporaryDirectory() as folder:
        article = Path(folder) / "article.txt"
        sentences = write_article(article, options.article)
        cold(peer, article, sentences, options)
        warm(peer, article, sentences, options.rounds)
        if options.words:
            long(peer, Path(folder), options)


def write_article(path: Path, words: int) -> int:
    """Write the article; how many sentences our summary of it has."""
    import nutgraf

    paragraphs = [
        part for name in ARTICLE for part in re.split(r"\n\s*\n", nutgraf.read(ROOT / "examples" / name)[0].text)
    ]
    kept: list[str] = []
    left = words
    for paragraph in paragraphs:
        kept.append(" ".join(paragraph.split()[:left]))
        left -= len(kept[-1].split())
    path.write_text("\n\n".join(filter(None, kept)) + "\n", encoding="utf-8")
    return len(nutgraf.load(SYSTEMS[0])(path, words=SUMMARY_WORDS).sentences)


def cold(peer: Path | None, article: Path, sentences: int, options: argparse.Namespace) -> None:
    """Whole processes."""
    ours = str(Path(sys.executable).with_name("nutgraf"))
    commands = {
        "nutgraf --help": [ours, "--help"],
        **{
            f"nutgraf {system}": [ours, "summarize", str(article), "--words", str(SUMMARY_WORDS), "--system", system]
            for system in SYSTEMS
        },
    }
    if peer:
        commands["sumy --help"] = [str(peer.with_name("sumy")), "--help"]
        for method in SUMY:
            commands[f"sumy {method}"] = [str(peer), __file__, "--worker", method, str(article), str(sentences), "0"]
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(options.rounds + 1):
        for name, command in commands.items():
            done = run(command, options)
            if number:  # the first round fills the disk's cache
                seconds[name].append(done.seconds)
    print(
        f"cold start, {options.article:,} words to {SUMMARY_WORDS}: seconds of a whole process, {options.rounds} rounds"
    )
    table({name: statistics.median(times) for name, times in seconds.items()}, 1.0, "s")


def warm(peer: Path | None, article: Path, sentences: int, rounds: int) -> None:
    """Further texts in a running process."""
    pythons = {f"nutgraf {system}": sys.executable for system in SYSTEMS}
    pythons |= {f"sumy {one}": str(peer) for one in SUMY if peer}
    times: dict[str, list[float]] = {name: [] for name in pythons}
    for _ in range(3):
        for name, python in pythons.items():
            method = name if name.startswith("nutgraf") else name.split()[1]
            command = [python, __file__, "--worker", method, str(article), str(sentences), str(rounds)]
            times[name] += json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    print("\neach further text of that length in a running process: milliseconds")
    table({name: statistics.median(found) for name, found in times.items()}, 1000.0, "ms")


def table(medians: dict[str, float], scale: float, unit: str) -> None:
    """Medians, and beside ours the ratio to sumy's: of the same method, or of LexRank."""
    for name, median in medians.items():
        maker, what = name.split()
        rival = f"sumy {what if what in SUMY else 'lex_rank'}"
        compared = maker == "nutgraf" and rival in medians
        ratio = f"   {rival} takes {medians[rival] / median:5.2f} times as long" if compared else ""
        print(f"  {name:<20}{median * scale:9.2f} {unit}{ratio}")


def long(peer: Path | None, folder: Path, options: argparse.Namespace) -> None:
    """One run each of a long text."""
    import long_text

    file = folder / "long.txt"
    file.write_text(long_text.text(options.words), encoding="utf-8")
    print(f"\n{options.words:,} words ({file.stat().st_size / 1e6:.1f} MB): seconds and peak memory of a process")
    ours = str(Path(sys.executable).with_name("nutgraf"))
    for arguments in LONG:
        filled = [argument.format(file=file, report=folder / "report.html") for argument in arguments]
        name = " ".join(arguments).replace("{file}", "FILE").replace("{report}", "PAGE")
        say(f"nutgraf {name}", run([ours, *filled], options))
    for method in ("luhn", *SUMY) if peer else ():
        command = [str(peer), __file__, "--worker", method, str(file), "10", "0"]
        say(f"sumy {method}, 10 sentences", run(command, options))


def say(name: str, done: Run) -> None:
    stopped = "" if done.ended else "   (stopped, or out of memory)"
    print(f"  {name:<60}{done.seconds:8.1f} s{done.peak:9.0f} MB{stopped}", flush=True)


def run(command: Sequence[str], options: argparse.Namespace) -> Run:
    """Run a process to its end or to the limits; Python may keep bytecode, as pip does of what it installs."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (options.memory << 30, options.memory << 30))

    start = time.perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limited, env=kept
    )
    timer = threading.Timer(options.limit, process.kill)
    timer.start()
    _, status, usage = os.wait4(process.pid, 0)
    timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return Run(time.perf_counter() - start, usage.ru_maxrss / 1000, process.returncode == 0)


def worker(name: str, file: str, sentences: str, times: str) -> None:
    """Summarize a file; then `times` texts like it, and print the seconds of each.

    Each is the same article with a word more in every paragraph, so that nothing of one is known in the next.
    """
    summarize = ours(name.split()[1]) if name.startswith("nutgraf") else by_sumy(name, int(sentences))
    summary = summarize(Path(file))
    if times == "0":
        print(summary)
        return
    paragraphs = Path(file).read_text(encoding="utf-8").split("\n\n")
    seconds = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(1, int(times) + 1):
            other = Path(folder) / f"{number}.txt"
            changed = [paragraph.replace(" the ", f" the {number}th ", 1) for paragraph in paragraphs]
            other.write_text("\n\n".join(changed), encoding="utf-8")
            start = time.perf_counter()
            summarize(other)
            seconds.append(time.perf_counter() - start)
    print(json.dumps(seconds))


def ours(system: str) -> Summarize:
    import nutgraf

    summarizer = nutgraf.load(system)
    return lambda path: str(summarizer(path, words=SUMMARY_WORDS))


def by_sumy(method: str, sentences: int) -> Summarize:
    from importlib import import_module

    from sumy.nlp.stemmers import Stemmer
    from sumy.parsers.plaintext import PlaintextParser
    from sumy.utils import get_stop_words

    class Tokenizer:
        def to_sentences(self, text: str) -> tuple[str, ...]:
            return tuple(re.split(r"(?<=[.!?])\s+", text.strip()))

        def to_words(self, text: str) -> tuple[str, ...]:
            return tuple(re.findall(r"\w+(?:['’-]\w+)*", text))

    maker = f"{method.title().replace('_', '')}Summarizer"
    summarizer = getattr(import_module(f"sumy.summarizers.{method}"), maker)(Stemmer("english"))
    summarizer.stop_words = get_stop_words("english")
    return lambda path: " ".join(
        map(str, summarizer(PlaintextParser.from_file(str(path), Tokenizer()).document, sentences))
    )


if __name__ == "__main__":
    main()
