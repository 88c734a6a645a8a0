"""Labels of classifiers: which of them say that a text bears a sentence out, and which that it does not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nutgraf.errors import InputError

SUPPORTED = frozenset({"entailment", "entailed", "supported", "supports", "factual", "faithful", "consistent"})
"""Labels of sentences that a text bears out, in lower case."""

UNSUPPORTED = frozenset(
    {
        "contradiction",
        "not entailment",
        "non entailment",
        "unsupported",
        "not supported",
        "hallucinated",
        "hallucination",
        "nonfactual",
        "non factual",
        "not factual",
        "unfaithful",
        "inconsistent",
    }
)
"""Labels of sentences or words that it does not bear out."""

UNNAMED = ("label 0", "label 1")
"""Labels of two classes that nobody named; of words, the second are the hallucinated ones, as in LettuceDetect."""


@dataclass(frozen=True)
class Meaning:
    """Meaning of a classifier's labels.

    Attributes:
        labels: Numbers of the labels that count.
        supports: True if these say that a text bears a sentence out, False if they say that it does not.
    """

    labels: tuple[int, ...]
    supports: bool

    def support(self, logits: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """Return the probability that a text bears a sentence or a word out.

        Args:
            logits: Scores of the labels, [..., labels].
        """
        exact = logits.astype(np.float64)
        powers = np.exp(exact - exact.max(-1, keepdims=True))
        share = powers[..., list(self.labels)].sum(-1) / powers.sum(-1)
        return share if self.supports else 1 - share


def meaning_of(labels: Mapping[int, Any], by_token: bool, folder: Path) -> Meaning:
    """Read the labels of a classifier.

    Args:
        labels: Names of the labels by their numbers.
        by_token: True for a classifier of tokens.
        folder: Its folder, for the message.

    Raises:
        InputError: If they do not say what a text bears out.
    """
    names = {number: _plain(name) for number, name in sorted(labels.items())}
    for known, supports in ((SUPPORTED, True), (UNSUPPORTED, False)):
        found = tuple(number for number, name in names.items() if name in known)
        if found:
            return Meaning(found, supports)
    if by_token and tuple(names.values()) == UNNAMED:
        return Meaning((1,), False)
    raise InputError(
        f"The labels of the model in {folder} ({', '.join(map(str, labels.values()))}) do not say what a text bears "
        "out. A checker has labels such as entailment, neutral and contradiction, supported and unsupported, or "
        "hallucinated; if these stand for such, write their names into id2label in its config.json."
    )


def _plain(label: Any) -> str:
    """A label in lower case, with spaces between its words, without the "B-" or "I-" of a span."""
    return re.sub(r"[\W_]+", " ", re.sub(r"^[BI]-", "", str(label))).strip().lower()
