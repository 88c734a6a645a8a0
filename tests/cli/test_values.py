"""What is given on the command line is taken as typer takes it, also where pydantic is not asked."""

from typing import Any

import pytest
import typer

from nutgraf.cli._options import Plain
from nutgraf.cli.app import commands

GIVEN: list[Any] = [None, "", "ferry", "5", "-3", "007", "5.0", " 5", "٥", "9" * 30, ["a", "b"], ("a",), []]


@pytest.mark.parametrize("command", commands())
def test_values_are_those_of_typer(command: str) -> None:
    for parameter in commands()[command].params:
        for value in [*GIVEN, parameter.default]:
            assert taken(parameter, Plain(), value) == taken(parameter, None, value), (parameter.name, value)


def test_a_whole_number_has_no_underscores() -> None:
    words = next(one for one in commands()["summarize"].params if one.name == "words")
    assert (taken(words, None, "1_000"), taken(words, Plain(), "1_000")) == (1000, "'1_000' is not a whole number.")


def taken(parameter: Any, way: Plain | None, value: Any) -> Any:
    """What a parameter makes of a value, or the message of its refusal."""
    parameter._runtime_param = way
    try:
        return parameter.get_runtime_param().coerce(value, param=parameter, ctx=None)
    except typer.BadParameter as error:
        return str(error)
