"""The members that a family's contract is tested on: the files of its folder, and modules from outside that
`test_outside.py` names in the environment. Each brings its `EXAMPLES`, so no list is edited for a new one."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import pytest

from nutgraf.presets import Choice, table_of
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


def examples(family: Family[Any]) -> list[Choice[Any]]:
    """Return every member of a family with each of its `EXAMPLES`."""
    return [choice for kind in members(family) for choice in family.examples(kind)]


def brought(family: Family[Any], kind: str, name: str) -> Any:
    """Return what the file of a member calls `name`, such as `SAMPLE`; None if it brings none."""
    return vars(sys.modules[family.find(kind).__module__]).get(name)


def name_of(choice: Choice[Any]) -> str:
    """Return the kind, and the options that are not the defaults."""
    defaults = table_of(type(choice.config)())
    return "-".join(
        [choice.kind, *(str(value) for key, value in table_of(choice.config).items() if value != defaults[key])]
    )


def every_example(family: Family[Any]) -> pytest.MarkDecorator:
    """Run a test with each example of a family, as the argument `choice`."""
    return pytest.mark.parametrize("choice", examples(family), ids=name_of)
