"""Whether metrics that compare a summary with its source tell the source's own summary from a foreign one.

    python benchmarks/own_or_foreign.py [--data ../shared/data] [--documents 200] [--metric topics:compare=topics …]

For each document of a corpus: the share of documents whose reference summary scores better than a foreign text, that is
the first three sentences of the next document, and its reference; and the share whose own first three sentences score
better than those of the next document. A metric that measures agreement in content comes near 100 %; 50 % is chance,
where lengths are alike. A foreign text that has no score counts as worse. Medians of the scores stand beside the
shares. Each document comes once, whatever the number of its references.
"""

from __future__ import annotations

import argparse
import itertools
import json
import lzma
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

import _data

from nutgraf.metrics import Example, Metric, metrics
from nutgraf.text.document import Document

CORPORA = {
    "cnn_dailymail": "test",
    "multi_news": "validation",
    "pubmed": "test",
    "scisummnet": "train",
    "scitldr": "validation",
    "squality": "validation",
}
METRICS = ("topics", "topics:compare=topics", "sentiment", "coherence")
LEAD = 3

Pair = tuple[Document, Document]
"""A document and its reference."""


def main() -> None:
    """Print a row for each corpus and metric."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=_data.FOLDER)
    parser.add_argument("--documents", type=int, default=200, help="documents of a corpus")
    parser.add_argument("--metric", nargs="+", default=METRICS, help="NAME, or NAME:OPTION=VALUE")
    options = parser.parse_args()
    _data.needed(options.data, *CORPORA)
    chosen = {name: make(name) for name in options.metric}
    print("own < foreign: reference < lead, reference < reference, lead < lead; medians of")
    print("own reference, foreign lead, foreign reference, own lead")
    for corpus, part in CORPORA.items():
        pairs = list(itertools.islice(read(options.data / corpus / f"{part}.jsonl.xz"), options.documents))
        print(f"{corpus}, {len(pairs)} documents")
        for name, metric in chosen.items():
            print(f"  {name:<24}{row([scores(metric, *two) for two in neighbours(pairs)])}", flush=True)


def make(name: str) -> Metric:
    """A metric with its options."""
    kind, _, given = name.partition(":")
    return metrics.make(kind, **dict(one.split("=", 1) for one in given.split(",") if one))


def read(path: Path) -> Iterator[Pair]:
    """Documents with text and a reference, each once."""
    seen = set()
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            parts = record["documents"] if "documents" in record else [one["text"] for one in record["sections"]]
            text, reference = "\n\n".join(parts), record.get("summary") or record["summaries"][0]
            if text.strip() and reference.strip() and text not in seen:
                seen.add(text)
                yield Document.of(text, language="en"), Document.of(reference, language="en")


def neighbours(pairs: Sequence[Pair]) -> Iterator[tuple[Pair, Pair]]:
    """Each document with the next one; the last one with the first."""
    return zip(pairs, [*pairs[1:], pairs[0]], strict=True)


def scores(metric: Metric, own: Pair, foreign: Pair) -> list[float]:
    """Scores of own reference, foreign lead, foreign reference and own lead; inf where there is none."""
    source = own[0]
    texts = (own[1].printed, foreign[0].printed[:LEAD], foreign[1].printed, source.printed[:LEAD])
    (column,) = metric.directions
    found = [metric(Example(text, source=source))[column] for text in texts]
    return [math.inf if score is None else score for score in found]


def row(rows: Sequence[list[float]]) -> str:
    """Shares in percent, and medians."""
    shares = [
        100 * sum(own < foreign for own, foreign in pairs) / len(rows)
        for pairs in (
            [(one[0], one[1]) for one in rows],
            [(one[0], one[2]) for one in rows],
            [(one[3], one[1]) for one in rows],
        )
    ]
    middles = [median(column) for column in zip(*rows, strict=True)]
    return "".join(f"{share:>7.1f} %" for share in shares) + "   " + "".join(f"{one:>8.3f}" for one in middles)


if __name__ == "__main__":
    main()
