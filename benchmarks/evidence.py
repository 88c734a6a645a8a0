"""Which sentences of the sources a checker should read beside a sentence: how often the right place is among them.

    python benchmarks/evidence.py ENCODER [--data ../shared/data] [--limit 14]

ENCODER is the folder of a network that turns texts into vectors (`nutgraf export --to onnx`). Two sets tell where the
right place is: the sentences of QMSum's answers, for which people marked the turns that answer the question, and
sentences of CNN/DailyMail's summaries that are nearly copied from one sentence alone, said in other words by
`nutgraf.preparation.pairs.paraphrases`.

    words    the sentences that share most words, greedily, as `nutgraf check` shows them
    vectors  those with the highest cosine
    both     two of the first and then of the second
    sum      those with the highest sum of shared weight and cosine
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import _data
import numpy as np

from nutgraf.faithfulness.sources import Claim, Sources, claims
from nutgraf.inference import TextEncoder, open_encoder
from nutgraf.preparation.pairs.paraphrases import paraphrased
from nutgraf.preparation.pairs.words import stems
from nutgraf.text.detokenize import detokenize
from nutgraf.text.document import Document

READ = 3
"""Sentences that each way may choose."""

Sample = tuple[Sources, np.ndarray, Claim, np.ndarray, set[int]]
"""Sources with vectors of their sentences, a claim with its vector, and the right places."""


def rows(path: Path, limit: int) -> Iterator[dict[str, Any]]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, islice(lines, limit))


def meetings(data: Path, encoder: TextEncoder, limit: int) -> Iterator[Sample]:
    for row in rows(data / "qmsum/validation.jsonl.xz", limit):
        turns = [re.sub(r"\{\w+\}", "", turn["text"]).strip() for turn in row["turns"]]
        starts = np.cumsum([0, *(len(turn) + 2 for turn in turns)])
        document = Document.of("\n\n".join(turns), language="en")
        sources, vectors = Sources(document), encoder.vectors(document.printed)
        for query in row["queries"]:
            bounds = [(starts[int(a)], starts[min(int(b), len(turns) - 1) + 1]) for a, b in query.get("spans") or ()]
            gold = {n for n, one in enumerate(document.sentences) if any(a <= one.start < b for a, b in bounds)}
            if 0 < len(gold) < len(document.sentences) / 4:
                answer = query.get("answer") or query["summary"]
                yield from samples(answer, sources, vectors, encoder, gold)


def near_copies(data: Path, encoder: TextEncoder, limit: int) -> Iterator[Sample]:
    draw = Random(1)
    for row in rows(data / "cnn_dailymail/validation.jsonl.xz", 10 * limit):
        document = Document.of(detokenize(row["documents"][0].split()), language="en")
        sources, known = Sources(document), [stems(one) for one in document.printed]
        vectors = encoder.vectors(document.printed)
        for sentence in (detokenize(one.split()) for one in row["summary_sents"]):
            own = stems(sentence)
            shares = np.array([len(own & there) / max(1, len(own)) for there in known])
            best, next_best = np.sort(shares)[::-1][:2] if len(shares) > 1 else (0, 0)
            if best >= 0.6 and next_best < best - 0.3:
                for _ in range(3):
                    sentence = paraphrased(sentence, draw) or sentence
                yield from samples(sentence, sources, vectors, encoder, {int(shares.argmax())})


def samples(text: str, sources: Sources, vectors: np.ndarray, encoder: TextEncoder, gold: set[int]) -> Iterator[Sample]:
    for claim in claims(Document.of(text, language="en"), sources):
        if len(claim.tokens) > 4:
            yield sources, vectors, claim, encoder.vectors([claim.sentence])[0], gold


def chosen(sources: Sources, vectors: np.ndarray, claim: Claim, vector: np.ndarray) -> dict[str, Sequence[int]]:
    weights = {term: sources.weight(term) * count for term, count in Counter(claim.terms).items()}
    shares = [sum(w for term, w in weights.items() if term in set(own)) for own in sources.document.terms]
    shared, cosines = np.array(shares) / (sum(weights.values()) or 1), vectors @ vector
    nearest = [int(place) for place in np.argsort(-cosines, kind="stable")[:READ]]
    return {
        "words": claim.evidence,
        "vectors": nearest,
        "both": list(dict.fromkeys([*claim.evidence[:2], *nearest]))[:READ],
        "sum": [int(place) for place in np.argsort(-(cosines + shared), kind="stable")[:READ]],
    }


def report(name: str, found: Sequence[Sample]) -> None:
    ways = [(chosen(*one[:4]), one[4]) for one in found]
    print(f"\n{name}: {len(ways)} sentences\n\n| | first | one of {READ} | or a neighbor of one |\n|---|---|---|---|")
    for way in ways[0][0]:
        first = np.mean([bool(set(its[way][:1]) & gold) for its, gold in ways])
        any_of = np.mean([bool(set(its[way]) & gold) for its, gold in ways])
        near = np.mean([bool({at + step for at in its[way] for step in (-1, 0, 1)} & gold) for its, gold in ways])
        print(f"| {way} | {100 * first:.1f} | {100 * any_of:.1f} | {100 * near:.1f} |")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("encoder", type=Path, help="Folder of the network.")
    options.add_argument("--data", type=Path, default=_data.FOLDER, help="Folder of the corpora.")
    options.add_argument("--limit", type=int, default=14, help="Number of meetings; of news, ten times as many.")
    given = options.parse_args()
    _data.needed(given.data, "qmsum", "cnn_dailymail")
    encoder = open_encoder(given.encoder)
    report("Answers of QMSum", list(meetings(given.data, encoder, given.limit)))
    report("Near copies of CNN/DailyMail in other words", list(near_copies(given.data, encoder, given.limit)))


if __name__ == "__main__":
    main()
