"""A request holds all that is asked of a summary, and what cannot be asked for is refused where it is made."""

from __future__ import annotations

import inspect
from dataclasses import FrozenInstanceError

import pytest

import nutgraf
from nutgraf.errors import BudgetError, InputError
from nutgraf.text.request import OutlineOptions, Request, RequestOptions
from nutgraf.text.summary import Budget

TEXT = "The tug came. The pilot left the tug. A tug, a quay and a tug. Rain fell."


def test_it_is_made_of_what_people_write() -> None:
    request = Request.of(share="1/8", highlights={"tug": 2}, query=None, language="en", compare=True)
    assert request == Request(Budget.of(share=0.125), ("tug:2",), "", "en", True)
    assert Request.of() == Request() == Request(Budget(), (), "", None, False)
    with pytest.raises(FrozenInstanceError):
        request.query = "Who?"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("wrong", "error", "named"),
    [
        ({"words": 0}, BudgetError, "words"),
        ({"words": 5, "sentences": 2}, BudgetError, "sentences"),
        ({"highlights": ["tug:0"]}, InputError, "tug:0"),
        ({"highlights": 3}, InputError, "int"),
        ({"query": "?!"}, InputError, "?!"),
        ({"query": 3}, InputError, "int"),
        ({"compare": True}, InputError, "compared"),
        ({"compare": "yes", "highlights": "tug"}, InputError, "compare"),
        ({"by": "verse"}, InputError, "section, speaker"),
        ({"by": "section", "depth": 0}, InputError, "depth"),
        ({"depth": 2}, InputError, "by section"),
        ({"by": "section", "compare": True, "highlights": "tug"}, InputError, "one summary"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(wrong: dict[str, object], error: type[Exception], named: str) -> None:
    with pytest.raises(error) as caught:
        Request.of(**wrong)  # type: ignore[arg-type]
    assert named in str(caught.value)


def test_the_keyword_arguments_have_one_list() -> None:
    assert [*OutlineOptions.__annotations__] == [*inspect.signature(Request.of).parameters]
    assert {*OutlineOptions.__annotations__} - {*RequestOptions.__annotations__} == {"by", "depth"}
    documented = inspect.getdoc(nutgraf.systems.System.__call__) or ""
    assert all(f"    {name}: " in documented for name in OutlineOptions.__annotations__)


def test_a_system_takes_it_in_place_of_keyword_arguments() -> None:
    summarize, request = nutgraf.load("lead"), Request.of(words=8, highlights="rain")
    assert summarize(TEXT, request) == summarize(TEXT, words=8, highlights="rain")
    assert summarize.many([TEXT], request) == [*summarize.stream([TEXT], request)] == [summarize(TEXT, request)]
    with pytest.raises(InputError, match="sentences"):
        summarize(TEXT, request, sentences=1)
    with pytest.raises(InputError, match="Request"):
        summarize(TEXT, 8)  # type: ignore[arg-type]
