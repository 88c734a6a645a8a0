"""Articles with their references, and the columns in which a summary of one is scored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from nutgraf.metrics import Example, metrics
from nutgraf.text.document import Document

COLUMNS = ("ROUGE-1", "ROUGE-2", "ROUGE-L", "words", "novel 2-grams", "repetition", "flagged")
RATED = tuple(metrics.make(name) for name in ("rouge", "novelty", "repetition", "faithfulness"))


class Text(NamedTuple):
    """A source and its reference."""

    source: Document
    reference: tuple[str, ...]


def document_of(row: dict[str, Any]) -> Document:
    """Return an article with its sentences, as the data set reads it."""
    from nutgraf.datasets.cnn_dailymail import token_sentences

    text = row["documents"][0]
    return Document.of(text, language="en", sentences=[*token_sentences(text)])


def scored(text: Text, said: Sequence[str]) -> list[float | None]:
    """Return the columns of a summary."""
    example = Example(said, references=(text.reference,), source=text.source)
    found = {name: value for metric in RATED for name, value in metric(example).items()}
    found["words"] = float(sum(len(one.split()) for one in said)) / 100
    found["flagged"] = None if found["unflagged"] is None else float(found["unflagged"] < 1)
    return [None if found[name] is None else 100 * found[name] for name in COLUMNS]


def means(scores: np.ndarray) -> str:
    """Return the cells of means."""
    return " | ".join(f"{one:.2f}" if place < 3 else f"{one:.1f}" for place, one in enumerate(np.nanmean(scores, 0)))


def spread(one: Any) -> str:
    """Return a difference and its interval."""
    mean, low, high = (format(value, "+.2f").replace("-", "−") for value in (one.mean, one.low, one.high))
    return f"{mean} [{low}, {high}]"
