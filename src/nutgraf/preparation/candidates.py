"""Candidate summaries in the order in which a re-ranker should have them: by ROUGE with the reference.

SimCLS: Liu and Liu 2021, *SimCLS: A Simple Framework for Contrastive Learning of Abstractive Summarization*,
"Contrastive Training".
The candidates stand in the corpus, in the column `candidates` that `nutgraf candidates` writes. Of several with the
same ROUGE the first is taken: nothing says which of them is better, and the paper's margin would part them all the
same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from nutgraf.errors import InputError
from nutgraf.metrics import Example, rouge
from nutgraf.presets.ranges import Range
from nutgraf.text.tokenize import sentence_texts

COLUMN = "candidates"


@dataclass(frozen=True)
class Candidates:
    """Candidates that a re-ranker learns from."""

    count: Annotated[int, Range(ge=2)] = 16
    """Most candidates of an example, the first in the corpus."""

    variants: tuple[str, ...] = ("1", "2", "L")
    """Variants of ROUGE whose mean F, with the reference, orders them."""

    def __post_init__(self) -> None:
        rouge.Config(variants=self.variants)

    def ordered(self, texts: Sequence[str], reference: Sequence[str], language: str = "en") -> list[str]:
        """Return candidates by falling ROUGE with the sentences of the reference, one of each value."""
        metric, best = rouge.Rouge(rouge.Config(variants=self.variants, tokenization="characters")), dict[float, str]()
        for text in dict.fromkeys(texts[: self.count]):
            scores = metric(Example(sentence_texts(text, language), (tuple(reference),)))
            best.setdefault(round(sum(score or 0.0 for score in scores.values()) / len(scores), 6), text)
        return [best[gain] for gain in sorted(best, reverse=True)]


def candidates_of(entry: Mapping[str, Any], where: str) -> tuple[str, ...]:
    """Return the candidates of a row of a corpus. Raises InputError if it has none, or they are no texts."""
    found = entry.get(COLUMN)
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise InputError(
            f"{where}: there is no column {COLUMN!r} with a list of texts, which a re-ranker learns from; `nutgraf "
            "candidates MODEL CORPUS OUT` writes a corpus that has it."
        )
    return tuple(one for one in found if one.strip())
