"""How fast PositionRank and TopicRank are from tagged tokens, beside a plain networkx reference in the same run.

    python benchmarks/keyphrases.py --data ../shared/data

puts networkx among the peers if it is not installed. Documents of a given length, that of news and of papers, are cut
from the PubMed papers in DATA/pubmed (JSON lines with `sections`). Both sides run on one thread, get the same tagged
tokens and iterate PageRank to the same tolerance; rankings must agree in order and in score to 1e-6. Both sides have as
many tries at each document, in turn; times are medians over documents of the best try, in CPU seconds of the process,
so that whoever else uses the machine counts less.
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"  # before numpy is loaded

import argparse
import dataclasses
import importlib.util
import itertools
import json
import lzma
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import _data
import _peers
import keyphrases_reference as reference

from nutgraf.keyphrases import extractors
from nutgraf.text.document import Document
from nutgraf.text.tagging import Tagged, tag

TOP = 20
LENGTHS = {600: 1.0, 1_450: 1.0, 8_000: 0.1}
"""Words of a document, and how large a share of the documents have so many."""

Work = Callable[[], Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=_data.FOLDER)
    parser.add_argument("--documents", type=int, default=30, help="documents of 600 words, and as many of 1,450")
    parser.add_argument("--tries", type=int, default=3, help="at each document, of both sides")
    options = parser.parse_args()
    _data.needed(options.data, "pubmed")
    sides = 2 if has_networkx() else 1
    print(f"{'extractor':<14}{'words':>7}{'documents':>11}{'reference':>12}{'nutgraf':>11}{'ratio':>8}   agree")
    for words, share in LENGTHS.items():
        count = max(2, int(options.documents * share))
        documents = [tag.__wrapped__(one) for one in itertools.islice(cut(options.data, words), count)]
        for kind in ("position_rank", "topic_rank"):
            compare(kind, documents, words, options.tries, sides)
    length_of_position_rank(options.data)


def has_networkx() -> bool:
    """Whether the reference can run; networkx is put among the peers where it is missing."""
    if importlib.util.find_spec("networkx"):
        return True
    _peers.NETWORKX.find()
    return _peers.NETWORKX.available()


def compare(kind: str, documents: list[Tagged], words: int, tries: int, sides: int) -> None:
    extractor: Any = extractors.make(kind, top=TOP, tolerance=reference.TOLERANCE, merge_variants=False)
    theirs, ours, agree = [], [], 0
    for tagged in documents:
        sentences = as_sentences(tagged)
        works: list[Work] = [
            lambda t=tagged: extractor.rank(dataclasses.replace(t)),
            lambda s=sentences, t=tagged: run_reference(kind, s, t),
        ]
        (fast, quick), *others = timed(works[:sides], tries)
        ours.append(quick)
        for plain, slow in others:
            theirs.append(slow)
            agree += same(tagged, plain, fast, kind)
    quick = statistics.median(ours)
    slow, ratio, agreed = f"{'–':>9}   ", f"{'–':>7} ", ""
    if theirs:
        median = statistics.median(theirs)
        slow, ratio, agreed = f"{median * 1e3:>9.2f} ms", f"{median / quick:>7.1f}x", f"   {agree}/{len(documents)}"
    print(f"{kind:<14}{words:>7}{len(documents):>11}{slow}{quick * 1e3:>8.2f} ms{ratio}{agreed}", flush=True)


def length_of_position_rank(data: Path) -> None:
    print("\nPositionRank by length: milliseconds, and microseconds a word")
    extractor: Any = extractors.make("position_rank", top=TOP)
    for words in (1_000, 4_000, 16_000, 64_000):
        tagged = tag.__wrapped__(next(cut(data, words)))
        ((_, seconds),) = timed([lambda t=tagged: extractor.rank(t)], 5)
        print(f"{words:>8}{seconds * 1e3:>10.2f}{seconds / words * 1e6:>8.2f}")


def run_reference(kind: str, sentences: reference.Sentences, tagged: Tagged) -> reference.Ranking:
    if kind == "position_rank":
        return reference.position_rank(sentences, TOP)
    return reference.topic_rank(sentences, TOP, tagged.document.stem, tagged.document.stop_words)


def same(tagged: Tagged, plain: reference.Ranking, fast: list[Any], kind: str) -> bool:
    def form(text: str) -> str:
        words = [word.lower() for word in tag(Document.of(text, language="en", sentences=[(0, len(text))])).words]
        return " ".join(words if kind == "position_rank" else map(tagged.document.stem, words))

    return [form(phrase.text) for phrase in fast] == [phrase for phrase, _ in plain] and all(
        abs(phrase.score - score) < 1e-6 for phrase, (_, score) in zip(fast, plain, strict=True)
    )


def as_sentences(tagged: Tagged) -> reference.Sentences:
    tokens = list(zip(tagged.words, tagged.tags, strict=True))
    return [tokens[start:end] for start, end in itertools.pairwise([*tagged.starts, len(tokens)])]


def timed(sides: Sequence[Work], tries: int) -> list[tuple[Any, float]]:
    """What each side gives, and the CPU seconds of its quickest try; sides take turns."""
    best, results = [float("inf")] * len(sides), [None] * len(sides)
    for _, (number, work) in itertools.product(range(tries), enumerate(sides)):
        begin = time.process_time()
        results[number] = work()
        best[number] = min(best[number], time.process_time() - begin)
    return list(zip(results, best, strict=True))


def cut(data: Path, words: int) -> Iterator[Document]:
    """Documents of about `words` words: papers, put together until they are long enough, then cut."""
    gathered: list[str] = []
    with lzma.open(data / "pubmed" / "test.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in itertools.cycle(lines.readlines()):
            gathered += " ".join(section["text"] for section in json.loads(line)["sections"]).split()
            if len(gathered) >= words:
                yield Document.of(" ".join(gathered[:words]), language="en")
                gathered = []


if __name__ == "__main__":
    main()
