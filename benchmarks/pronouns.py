"""Whether summaries begin sentences with pronouns whose owner they leave out, and what it costs to avoid that.

    python benchmarks/pronouns.py [--data ../shared/data] [--limit 500]

`adaptive` at its default length, as it is and with `pronoun_weight = 0` for every genre: ROUGE of the one minus that of
the other with 95 % bootstrap intervals, paired by document, and the share of the sentences that begin with a pronoun
for what another sentence names, without the sentence before them.
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import _data
import numpy as np
from _scored import spread

import nutgraf
from nutgraf.evaluation.significance import Bootstrap
from nutgraf.metrics import Example, metrics
from nutgraf.text.cues import begins_with_pronoun
from nutgraf.text.document import Document, join
from nutgraf.text.genre import GENRES

CORPORA = ("cnn_dailymail", "multi_news", "neus", "scitldr", "pubmed", "squality", "qmsum")
COLUMNS = ("ROUGE-1", "ROUGE-2", "ROUGE-L")
ROUGE = metrics.make("rouge")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=_data.FOLDER, help="folder of the corpora")
    parser.add_argument("--limit", type=int, default=500, help="documents of a corpus")
    parser.add_argument("--only", nargs="+", choices=CORPORA, default=list(CORPORA))
    options = parser.parse_args()
    _data.needed(options.data, *options.only)
    without = nutgraf.load("adaptive", [f"extractive.{genre}.pronoun_weight=0" for genre in GENRES])
    print(f"nutgraf {nutgraf.__version__} · {ROUGE.signature} · {Bootstrap().signature}")
    print(f"| | documents | {' | '.join(COLUMNS)} | begun so, % | without the weight, % |\n|{'---|' * 7}")
    for name in options.only:
        pairs = list(islice(examples(options.data / name), options.limit))
        own, other = (summarized(system, pairs) for system in (nutgraf.load("adaptive"), without))
        found = Bootstrap().intervals(own[0] - other[0])
        cells = " | ".join([*map(spread, found), f"{own[1]:.1f}", f"{other[1]:.1f}"])
        print(f"| {name} | {len(pairs)} | {cells} |", flush=True)


def examples(folder: Path) -> Iterator[tuple[Document, list[str]]]:
    """Yield the documents of a validation part with the sentences of their references."""
    with lzma.open(folder / "validation.jsonl.xz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            reference = Document.of(row["summary"])
            yield document_of(row), [reference.show(one) for one in reference.sentences]


def document_of(row: dict[str, Any]) -> Document:
    if "turns" in row:
        return Document.of("\n".join(f"{turn['speaker']}: {turn['text']}" for turn in row["turns"]))
    texts = row.get("documents") or ["\n\n".join(section["text"] for section in row["sections"])]
    return join([Document.of(text) for text in texts])


def summarized(system: Any, pairs: list[tuple[Document, list[str]]]) -> tuple[np.ndarray, float]:
    """Return ROUGE × 100, [documents, columns], and the share of sentences begun with a pronoun, in %."""
    scores, begun = [], []
    for document, reference in pairs:
        summary = system(document)
        example = Example([one.text for one in summary.sentences], references=(reference,), source=document)
        scores.append([100 * ROUGE(example)[column] for column in COLUMNS])
        begun += [lonely(document, summary, place) for place in range(len(summary.sentences))]
    return np.array(scores), 100 * float(np.mean(begun))


def lonely(document: Document, summary: Any, place: int) -> bool:
    """Return True for a sentence that begins with a pronoun, without the one before it."""
    starts = [sentence.start for sentence in document.sentences]
    chosen = [document.parts[one.origins[0].source].start + one.origins[0].start for one in summary.sentences]
    index = starts.index(chosen[place]) if chosen[place] in starts else 0
    begins = begins_with_pronoun(summary.sentences[place].text, document.language)
    return index > 0 and begins and starts[index - 1] not in chosen


if __name__ == "__main__":
    main()
