"""The members that a family's contract is tested on: the files of its folder, and modules from outside that
`test_outside.py` names in the environment."""

from __future__ import annotations

import json
import os
from typing import Any

from nutgraf.presets.family import Family

OUTSIDE = "NUTGRAF_TEST_OUTSIDE"
"""Environment variable with a JSON object: names of families, and a module for each."""


def members(family: Family[Any]) -> list[str]:
    """Return the kinds of a family, for parametrized tests.

    Args:
        family: The family that is tested.

    Returns:
        The names of its files; or only the module from outside, if the environment names one.
    """
    outside = os.environ.get(OUTSIDE)
    return family.names() if outside is None else [json.loads(outside)[family.title]]


def forms(family: Family[Any], given: list[tuple[str, dict[str, Any]]]) -> list[tuple[str, dict[str, Any]]]:
    """Return the kinds of a family with the options that its contract is tried with.

    Args:
        family: The family that is tested.
        given: Kinds and options for the files of its folder.
    """
    return given if OUTSIDE not in os.environ else [(kind, {}) for kind in members(family)]
