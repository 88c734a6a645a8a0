"""Makes what a writer learns from: sentences of summaries, each behind the sentences that it says again.

    python -m nutgraf.preparation.rewrites DATA OUT [--most 40000]

DATA holds corpora as folders with `train.jsonl` (perhaps `.xz`). OUT becomes a folder with `train.jsonl` and
`validation.jsonl`, parted by a hash of the document's name: `documents` has the evidence, one to three sentences, and
`summary` the sentence (Chen and Bansal 2018, Fast Abstractive Summarization with Reinforce-Selected Sentence
Rewriting).

What a writer should not learn is left out: sentences with words that their evidence does not have, beyond a share, and
those in which the rules of `nutgraf.check` find something. In lower-cased corpora words get their capitals back.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from nutgraf.faithfulness.check import check
from nutgraf.preparation.pairs.make import COVERED, LONGEST, SHORTEST, Text
from nutgraf.preparation.pieces.casing import Casing
from nutgraf.preparation.pieces.make import TOKENIZED, known_casing, rows, sentences_of, texts_of
from nutgraf.text.document import Document

CORPORA = ("cnn_dailymail", "scitldr", "scisummnet", "squality", "open/cochrane_pls", "open/crd3", "open/ami_parts")
"""Corpora whose licence lets weights that learned from them be published."""

MOST_EVIDENCE = 3
"""Sentences of evidence."""

LEAST_GAIN = 0.1
"""Share of the weight of a sentence's words that each sentence of evidence adds."""

MOST_WORDS = 120
"""Words of evidence."""

HELD_OUT = 40
"""One document of so many is for validation."""


def rewrites(document: Sequence[str], summary: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the sentences of a summary that a document bears out, each behind its evidence.

    Args:
        document: Sentences of the document.
        summary: Sentences of its summary.
    """
    text = Text(document)
    for sentence in summary:
        if not SHORTEST <= len(sentence.split()) <= LONGEST:
            continue
        places = _needed(text, sentence)
        evidence = " ".join(text.sentences[place] for place in places)
        if text.coverage(sentence, places) < COVERED or sentence in evidence or len(evidence.split()) > MOST_WORDS:
            continue
        if not check(_english(sentence), _english(evidence)).flags:
            yield evidence, sentence


def _english(text: str) -> Document:
    return Document.of(text, language="en")


def _needed(text: Text, sentence: str) -> list[int]:
    """Return the places of the sentences that cover a sentence, but for those that add little."""
    places = text.evidence(sentence, MOST_EVIDENCE)
    whole = text.coverage(sentence, places)
    return [
        place
        for place in places
        if len(places) == 1 or whole - text.coverage(sentence, [one for one in places if one != place]) >= LEAST_GAIN
    ]


def made(data: Path, corpus: str, most: int, casing: Casing) -> Iterator[Mapping[str, Any]]:
    """Yield the pairs of a corpus as a data set has them."""
    own = casing if corpus in TOKENIZED else None
    for row in islice(rows(data, corpus, "train"), most):
        document = [sentence for text in texts_of(row) for sentence in sentences_of(text, own)]
        told = row.get("summary_sents") or [row["summary"]]
        summary = [sentence for text in told for sentence in sentences_of(text, own)]
        for number, (evidence, sentence) in enumerate(rewrites(document, summary)):
            name = f"{corpus.rpartition('/')[2]}-{row['id']}"
            yield {"id": f"{name}:{number}", "documents": [evidence], "summary": sentence}


def part_of(name: str) -> str:
    """Return the part of a document by its name."""
    digest = int.from_bytes(hashlib.sha256(name.encode()).digest()[:4])
    return "validation" if digest % HELD_OUT == 0 else "train"


def main() -> None:
    """Write the pairs."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("data", type=Path, help="Folder of the corpora.")
    options.add_argument("out", type=Path, help="Folder that is written.")
    options.add_argument("--most", type=int, default=40_000, help="Documents of each corpus that are read.")
    chosen = options.parse_args()
    casing = known_casing(chosen.data)
    chosen.out.mkdir(parents=True, exist_ok=True)
    counts: Counter[tuple[str, str]] = Counter()
    with (
        (chosen.out / "train.jsonl").open("w", encoding="utf-8") as train,
        (chosen.out / "validation.jsonl").open("w", encoding="utf-8") as validation,
    ):
        files = {"train": train, "validation": validation}
        for corpus in CORPORA:
            for row in made(chosen.data, corpus, chosen.most, casing):
                part = part_of(row["id"].rpartition(":")[0])
                files[part].write(json.dumps(row, ensure_ascii=False) + "\n")
                counts[corpus, part] += 1
            print(corpus, {part: counts[corpus, part] for part in files}, flush=True)


if __name__ == "__main__":
    main()
