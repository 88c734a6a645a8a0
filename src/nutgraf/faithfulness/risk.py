"""One score of all that is known of a summary: how likely it has an error, where half of all summaries have one.

    risk = σ(b + Σ wᵢ xᵢ)

The x are few: whether the rules flag something, the share of novel bigrams, and with a checker how far from supported,
not told and contradicted its sentences are on average, and how far they are from the nearest sentence of the sources
in vectors. A sentence is scored as if it were the whole summary. The weights are those of a logistic regression on
summaries in which people marked errors (`benchmarks/natural.py` says on which, and what came of it); a checker brings
its own, since they belong to its probabilities.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import fmean

from nutgraf.faithfulness.records import CheckedSentence, novel_share

RULES: Mapping[str, float] = {"bias": -1.72, "flagged": 1.27, "novel_bigrams": 2.96}
"""Weights without a checker."""


def risk(sentences: Sequence[CheckedSentence], weights: Mapping[str, float] = RULES) -> float:
    """Return the risk of a summary, from 0 to 1; at 0.5 it is as likely wrong as right.

    Args:
        sentences: Its sentences, checked.
        weights: Weight of each of `features`, by name, and the "bias".
    """
    known = features(sentences)
    total = weights.get("bias", 0.0) + sum(weights.get(name, 0.0) * value for name, value in known.items())
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, total))))


def features(sentences: Sequence[CheckedSentence]) -> dict[str, float]:
    """Return what is known of a summary, by name; what a checker says only where one read a sentence."""
    found = {
        "flagged": float(any(one.flags for one in sentences)),
        "novel_bigrams": novel_share(sentences) or 0.0,
    }
    read = [one.checker for one in sentences if one.checker is not None]
    if read:
        for label in ("supported", "not told", "contradicted"):
            name = label.replace(" ", "_")
            found[name] = fmean(one.probabilities.get(label, 0.0) for one in read)
            found[f"highest_{name}"] = fmean(one.highest.get(label, 0.0) for one in read)
    cosines = [one.cosine for one in read if one.cosine is not None]
    if cosines:
        found["distance"] = 1 - fmean(cosines)
    return found
