"""The odds of each utterance to be a decision, an action or an open question.

A logistic regression weighs the evidence that each utterance has of itself, and a second one the odds of this one
beside those of the utterances around it. Talk and minutes have weights of their own. `tests/meetings/fit.py` found
them on the labelled texts in `tests/meetings/learned`; they are the same for all languages, since the evidence names
what phrases show and not their words.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Literal

from nutgraf.meetings.evidence import KINDS, Evidence, Kind
from nutgraf.meetings.surroundings import surroundings

Genre = Literal["talk", "minutes"]

Weights = Mapping[str, float]
"""Weights of evidence by its name, and "bias"."""

Step = Mapping[Kind, Weights]
"""Weights of one of the two regressions, by what it is about."""


@cache
def weights() -> dict[Genre, tuple[Step, Step]]:
    """Weights that come with the package: for each genre those of the utterance, and those of its surroundings."""
    found: dict[Genre, tuple[Step, Step]] = json.loads(files(__package__).joinpath("odds.json").read_text("utf-8"))
    return found


def likely(
    evident: Sequence[Mapping[Kind, Evidence]], genre: Genre, known: tuple[Step, Step] | None = None
) -> dict[Kind, list[float]]:
    """Log odds of each utterance to be a decision, an action or an open question.

    Args:
        evident: Evidence of the utterances in order, by what it is evidence for.
        genre: Talk, or minutes that somebody wrote.
        known: Other weights than those of the package.
    """
    first, second = known or weights()[genre]
    own = {kind: [odds(one[kind], first[kind]) for one in evident] for kind in KINDS}
    return {kind: [odds(one, second[kind]) for one in surroundings(own, kind)] for kind in KINDS}


def odds(evidence: Evidence, known: Weights) -> float:
    """Log odds by evidence."""
    return known["bias"] + sum([known.get(name, 0.0) * value for name, value in evidence.items()])
