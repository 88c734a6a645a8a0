"""The odds of each utterance to be a decision, an action or an open question, by its evidence.

Three logistic regressions weigh the evidence in talk, and three that in minutes. Their weights are those that
`tests/meetings/fit.py` found on the labelled texts in `tests/meetings/learned`; they are the same for all languages,
since the evidence names what phrases show and not their words.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from nutgraf.meetings.evidence import Evidence, Kind


@cache
def weights() -> dict[str, dict[Kind, dict[str, float]]]:
    """Weights that come with the package, of the evidence in "talk" and in "minutes", by what it is evidence for."""
    found: dict[str, dict[Kind, dict[str, float]]] = json.loads(
        files(__package__).joinpath("odds.json").read_text("utf-8")
    )
    return found


def odds(evidence: Evidence, known: Mapping[str, float]) -> float:
    """Log odds of an utterance."""
    return known["bias"] + sum([known.get(name, 0.0) * value for name, value in evidence.items()])
