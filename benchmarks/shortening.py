"""Which pieces of sentences may go: how well raters tell it, against labels that readers gave.

    python benchmarks/shortening.py [--data DATA] [--training OUT] [--odds] [--summaries 400]

Readers (sessions of a language model, not people) saw a sentence, the one before it, and one piece of it; they said if
the rest is grammatical, and if it keeps the meaning. `shortening_labels.json` has for each the corpus and document (a
file of this repository where there is no corpus), the digest of the sentence's letters, where the piece begins and ends
in them, its kind, both answers, and its part: a fifth of the sentences is held out for the figures that are printed.

OUT becomes a folder that `nutgraf train editor` reads, from the rest; with `--odds` it has `odds.json` of
`nutgraf.prose.shortening`, too.

With --summaries, so many validation articles of CNN/DailyMail are summarized with `--edit` and without, at equal
budgets: how many sentences are edited, how many of their words go, and the paired difference of ROUGE-1 × 100.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import _data
import numpy as np
import numpy.typing as npt
from quality import SETS, records_of, rouge_of

import nutgraf
from nutgraf.errors import BudgetError
from nutgraf.evaluation.significance import Bootstrap
from nutgraf.inference import find_network, open_network
from nutgraf.preparation.pieces.make import TOKENIZED, known_casing, rows, sentences_of, texts_of
from nutgraf.prose.shortening import odds as by_kind
from nutgraf.prose.shortening.features import features_of
from nutgraf.prose.shortening.pieces import Piece, pieces
from nutgraf.prose.shortening.shorten import Rate
from nutgraf.systems.editing import EDITOR, NetworkRater
from nutgraf.text.document import Document
from nutgraf.text.tokenize import count_words

HERE = Path(__file__).parent
BUDGETS = (30, 60)
"""Words of the summaries."""

SHARES = (0.3, 0.5, 0.7, 0.9, 1.0)
"""Shares of the pieces, the surest first, of which it is told how many may go."""


class Label(NamedTuple):
    """What a reader said of a piece."""

    corpus: str
    document: str
    digest: str
    start: int
    end: int
    kind: str
    grammatical: int
    kept: int
    part: str


class Judged(NamedTuple):
    """A piece that is found, and what a reader said of it."""

    text: str
    piece: Piece
    label: Label

    @property
    def may_go(self) -> int:
        """1 if the rest is grammatical and keeps the meaning."""
        return self.label.grammatical * self.label.kept


def main() -> None:
    """Print how many of the pieces may go, by kind, and how well each rater knows it; write what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=_data.FOLDER, help="folder of the corpora")
    parser.add_argument("--training", type=Path, help="folder to write")
    parser.add_argument("--odds", action="store_true")
    parser.add_argument("--summaries", type=int, metavar="N")
    given = parser.parse_args()
    if given.summaries:
        summaries(given.data, given.summaries)
    else:
        read_labels(given)


def read_labels(given: argparse.Namespace) -> None:
    """Print what readers said, and how well raters know it."""
    labels = [Label(*row) for row in json.loads((HERE / "shortening_labels.json").read_text(encoding="utf-8"))]
    _data.needed(given.data, *{label.corpus.split("/")[0] for label in labels if label.corpus})
    found = list(judged(labels, given.data))
    print(f"{len(labels):,} labels; {len(found):,} of these pieces are found today")
    for kind in sorted({one.piece.kind for one in found}):
        chosen = [one.may_go for one in found if one.piece.kind == kind and one.label.part != "held-out"]
        print(f"{kind:12} {len(chosen):5} may go: {100 * np.mean(chosen):.0f} %")
    held_out = [one for one in found if one.label.part == "held-out"]
    raters: dict[str, Rate] = {"odds": by_kind.rate}
    if (folder := find_network(EDITOR)) is not None:
        raters["network"] = NetworkRater(open_network(folder))
    for name, rate in raters.items():
        print(f"{name:12} {len(held_out):5} {described(held_out, rate)}")
    if given.training:
        write(found, given.training, given.odds)


def judged(labels: Sequence[Label], data: Path) -> Iterator[Judged]:
    """Yield each label whose sentence and piece are found as they were."""
    wanted: dict[str, dict[str, list[Label]]] = defaultdict(lambda: defaultdict(list))
    for label in labels:
        wanted[label.corpus][label.document].append(label)
    for corpus, documents in wanted.items():
        for name, sentences in texts(corpus, documents, data):
            known = {digest(text): text for text in sentences}
            for label in documents[name]:
                text = known.get(label.digest)
                for piece in pieces(text) if text else ():
                    before, behind = len(letters(text[: piece.start])), len(letters(text[: piece.end]))
                    if (before, behind) == (label.start, label.end):
                        yield Judged(text, piece, label)
                        break


def texts(corpus: str, names: Any, data: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the names of some documents of a corpus with their sentences."""
    if not corpus:
        for name in names:
            yield name, Document.of((HERE.parent / name).read_text(encoding="utf-8", errors="replace")).printed
        return
    folder, _, part = corpus.rpartition("/")
    casing = known_casing(data) if folder in TOKENIZED else None
    named, part = (folder, part) if part == "train" else (corpus, "train")
    for row in rows(data, named, part):
        if (name := str(row.get("id"))) in names:
            read = list(texts_of(row))
            if casing is None:
                yield name, Document.of("\n\n".join(read), language="en").printed
            else:
                yield name, [sentence for text in read for sentence in sentences_of(text, casing)]


def letters(text: str) -> str:
    """Return the letters and figures of a text in lower case: what is left however it is cased and spaced."""
    return "".join(filter(str.isalnum, text.lower()))


def digest(text: str) -> str:
    """Return the beginning of the digest of a sentence's letters."""
    return hashlib.sha256(letters(text).encode()).hexdigest()[:12]


def described(found: Sequence[Judged], rate: Rate) -> str:
    """Return in words how well a rater orders pieces: the area under the curve, and how many of the surest may go."""
    scores = np.array([value for (value,) in rate([(one.text, [one.piece]) for one in found])])
    may_go = np.array([one.may_go for one in found])[np.argsort(-scores, kind="stable")]
    ranks = np.arange(len(may_go), 0, -1)[may_go == 1]
    yes, no = len(ranks), len(may_go) - len(ranks)
    area = (ranks.sum() - yes * (yes + 1) / 2) / max(1, yes * no)
    best = ", ".join(f"{share:.0%} {100 * may_go[: int(share * len(may_go))].mean():.1f}" for share in SHARES)
    return f"area {area:.3f}; of the surest may go: {best}"


def write(found: Sequence[Judged], out: Path, with_odds: bool) -> None:
    """Write what an editor learns from."""
    out.mkdir(parents=True, exist_ok=True)
    parts: dict[str, list[dict[str, Any]]] = {"train": [], "validation": []}
    for text, some in by_text(found).items():
        if (part := some[0].label.part) in parts:
            chosen = [one.piece for one in some]
            parts[part].append({
                "sentence": text,
                "spans": [[one.start, one.end] for one in chosen],
                "labels": [one.may_go for one in some],
                "features": features_of(text, chosen),
                "source": some[0].label.corpus or "nutgraf",
            })  # fmt: skip
    for part, read in parts.items():
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in read)
        (out / f"{part}.jsonl").write_text(lines, encoding="utf-8")
    if with_odds:
        made = odds([row for read in parts.values() for row in read])
        (out / "odds.json").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


def summaries(data: Path, limit: int) -> None:
    """Print what summaries gain by shorter sentences."""
    system, scorer = nutgraf.load("adaptive"), rouge_of("news")
    records = list(records_of("news", str(data / SETS["news"].folder / "validation.jsonl.xz"), limit))
    for budget in BUDGETS:
        scores: dict[bool, list[list[float]]] = {False: [], True: []}
        count, edited, gone, whole = 0, 0, 0, 0
        for record in records:
            references = [one for one in record.references if one]
            for edit, rows_ in scores.items():
                try:
                    made = list(system(record.document, words=budget, edit=edit))
                except BudgetError:
                    made = []
                rows_.append([scorer.score([one.text for one in made], references)["1"].f])
                if edit:
                    short = [one for one in made if one.left_out]
                    left = sum(count_words(piece.text, "en") for one in short for piece in one.left_out)
                    count, edited, gone = count + len(made), edited + len(short), gone + left
                    whole += left + sum(count_words(one.text, "en") for one in short)
        (test,) = Bootstrap().tests(np.array(scores[True]), np.array(scores[False]))
        low, mean, high = (100 * one for one in (test.interval.low, test.interval.mean, test.interval.high))
        print(f"{budget} words: {edited / count:.1%} of {count} sentences edited, {gone / max(1, whole):.1%} of their "
              f"words gone, ROUGE-1 {mean:+.2f} [{low:+.2f}, {high:+.2f}]", flush=True)  # fmt: skip


def by_text(found: Sequence[Judged]) -> dict[str, list[Judged]]:
    """Return what is judged by its sentence."""
    sentences: dict[str, list[Judged]] = defaultdict(list)
    for one in found:
        sentences[one.text].append(one)
    return sentences


def odds(found: Sequence[dict[str, Any]], ridge: float = 1.0) -> dict[str, Any]:
    """Return the weights of a logistic regression, by Newton's method with a penalty on their squares."""
    features = np.array([row for one in found for row in one["features"]])
    labels = np.array([label for one in found for label in one["labels"]], dtype=float)
    given: npt.NDArray[np.float64] = np.c_[np.ones(len(features)), features]
    weights, penalty = np.zeros(given.shape[1]), ridge * np.eye(given.shape[1])
    penalty[0, 0] = 1e-3
    for _ in range(50):
        chance = 1 / (1 + np.exp(-given @ weights))
        slope = given.T @ (chance - labels) + penalty @ weights
        step = np.linalg.solve((given.T * (chance * (1 - chance))) @ given + penalty, slope)
        weights -= step
        if np.abs(step).max() < 1e-6:
            break
    bias, *rest = (round(float(one), 4) for one in weights)
    return {"bias": bias, "weights": rest}


if __name__ == "__main__":
    main()
