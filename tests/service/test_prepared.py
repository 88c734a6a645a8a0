"""A worker process reads the same input once, and holds few of them."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace

import pytest

from nutgraf.runtime.hardware import Compute
from nutgraf.service import prepared
from nutgraf.service.desk import Asking, Desk, summarize, whole
from nutgraf.service.engine import Engine
from nutgraf.service.limits import Limits
from nutgraf.service.prepared import Prepared
from nutgraf.service.progress import Progress
from nutgraf.service.requests import File, Given, Packed, SummaryRequest, Text
from nutgraf.systems import System
from nutgraf.text.document import Document
from nutgraf.text.request import Request
from nutgraf.text.summary import Budget, Summary

FERRY = "The ferry left at noon. The mill burned down. The keeper of the bridge saw both. Nobody was hurt."


def process(summary: Summary, system: System) -> int:
    return os.getpid()


class Silent(Desk):
    """A desk without an engine that hears of progress."""

    def __init__(self) -> None:
        super().__init__({"adaptive": None}, Compute(), Limits())

    def tell(self, ticket: int, progress: Progress) -> None:
        """Tell nobody."""


def made(held: Prepared, given: Given, language: str | None = "en", skip: bool = False) -> Document:
    return held.get((given,), language, skip, lambda: Document.of(FERRY, language=language))


def test_an_input_is_read_once_and_any_difference_makes_another() -> None:
    held, text = Prepared(1 << 30), Text("one", "two")
    first = made(held, text)
    assert made(held, replace(text)) is first
    others: list[Given] = [Text("on", "etwo"), Text("one"), File(b"one", "two"), Text("one\ud800", "two")]
    for other in others:
        assert made(held, other) is not first
    assert made(held, text, "de") is not first
    assert made(held, text, skip=True) is not first
    assert made(held, text) is first


def test_few_inputs_of_few_characters_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepared, "MOST_INPUTS", 3)
    held = Prepared(11 * 512)
    first = made(held, Text("a"))
    for text in ("b", "c"):
        made(held, Text(text))
    assert made(held, Text("a")) is first  # it was used last, so that "b" gives way
    made(held, Text("d"))
    assert (len(held), made(held, Text("a"))) == (3, first)
    made(held, Text("e" * 10))
    assert len(held) == 2
    made(held, Text("f" * 12))
    assert len(held) == 0


def test_summaries_are_the_same_whether_an_input_is_held_or_not() -> None:
    one = Silent()
    for words, highlights in ((7, ()), (12, ()), (12, ("mill",)), (7, ())):
        request = SummaryRequest((Text(FERRY, "Ferry"),), asked=Request(Budget(words=words), highlights))
        asked = [Asking(1, Packed.of(request, Limits()), whole)]
        [found], [fresh] = summarize(one, asked), summarize(Silent(), asked)
        assert found.to_json() == fresh.to_json()
    assert len(one.prepared) == 1


def test_of_two_idle_processes_that_one_works_that_holds_the_input() -> None:
    async def processes() -> list[int]:
        async with Engine(workers=2) as engine:
            await engine.ready()
            first, second = SummaryRequest((Text(FERRY),)), SummaryRequest((Text(FERRY, "another"),))
            return [await engine.summarize(one, process) for one in (first, second, first, first, second)]

    found = asyncio.run(processes())
    assert found[0] != found[1]
    assert found == [found[0], found[1], found[0], found[0], found[1]]
