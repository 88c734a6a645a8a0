"""Labels of classifiers: which of the three classes of a checker each of them stands for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import softmax

from nutgraf.errors import InputError
from nutgraf.faithfulness.records import CheckerLabel

LABELS: Mapping[CheckerLabel, str] = {
    "supported": "entailment, entailed, supported, supports, factual, faithful, consistent",
    "not told": "not entailment, non entailment, unsupported, not supported, hallucinated, hallucination, nonfactual, "
    "non factual, not factual, unfaithful, inconsistent",
    "contradicted": "contradiction, contradicted, refutes, refuted",
}
"""Labels of each class, in lower case. The others of a classifier are "not told" where one of these is "supported"
(neutral, not enough info), and else "supported"."""

CLASSES: Mapping[str, CheckerLabel] = {name: label for label, names in LABELS.items() for name in names.split(", ")}

UNNAMED = ["label 0", "label 1"]
"""Labels of two classes that nobody named; of words, the second are the hallucinated ones, as in LettuceDetect."""


@dataclass(frozen=True)
class Meaning:
    """Classes of a classifier's labels, in the order of their numbers."""

    classes: tuple[CheckerLabel, ...]

    def probabilities(self, logits: npt.NDArray[np.float32]) -> dict[CheckerLabel, npt.NDArray[np.float64]]:
        """Return the probability of each class that a label stands for.

        Args:
            logits: Scores of the labels, [..., labels].
        """
        shares = softmax(logits.astype(np.float64), axis=-1)
        classes = np.array(self.classes)
        return {label: shares[..., classes == label].sum(-1) for label in dict.fromkeys(self.classes)}


def meaning_of(labels: Mapping[int, Any], by_token: bool, folder: Path) -> Meaning:
    """Read the labels of a classifier.

    A classifier of pairs contradicts only where it has three classes: whoever has two calls "contradiction" whatever is
    not entailed. A classifier of tokens marks what is not told, for whatever reason.

    Raises InputError if they do not say whether sources support a sentence.
    """
    names = [_plain(name) for _, name in sorted(labels.items())]
    if by_token and names == UNNAMED:
        return Meaning(("supported", "not told"))
    known = [CLASSES.get(name) for name in names]
    if not any(known):
        raise InputError(
            f"The labels of the model in {folder} ({', '.join(map(str, labels.values()))}) do not say whether sources "
            "support a sentence. A checker has labels such as entailment, neutral and contradiction, supported and "
            "unsupported, or hallucinated; if these stand for such, write their names into id2label in its config.json."
        )
    others: CheckerLabel = "not told" if "supported" in known else "supported"
    classes = [one or others for one in known]
    if by_token or "not told" not in classes:
        classes = ["not told" if one == "contradicted" else one for one in classes]
    return Meaning(tuple(classes))


def _plain(label: Any) -> str:
    """A label in lower case, with spaces between its words, without the "B-" or "I-" of a span."""
    return re.sub(r"[\W_]+", " ", re.sub(r"^[BI]-", "", str(label))).strip().lower()
