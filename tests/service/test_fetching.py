"""A document that is nothing but a web address: told, or fetched where the owner of the service allows it."""

from __future__ import annotations

import pytest

from nutgraf.errors import InputError
from nutgraf.readers import reading
from nutgraf.runtime.hardware import Compute
from nutgraf.service.desk import Desk
from nutgraf.service.limits import Limits
from nutgraf.service.requests import Text
from nutgraf.text.document import Document

PAGE = "https://quay.example/news"


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Addresses that were fetched. The first answer is an error."""
    asked: list[str] = []

    def read_page(address: str, language: str | None = None) -> list[Document]:
        asked.append(address)
        if len(asked) == 1:
            raise InputError(f"{address} cannot be fetched: timed out.")
        return [Document.of("The ferry left the harbour at noon.", address)]

    monkeypatch.setattr(reading, "read_page", read_page)
    return asked


def read(desk: Desk, *texts: str) -> Document:
    return desk.read_one(0, tuple(map(Text, texts)), None, True)


def test_nothing_is_fetched_unless_the_owner_allows_it(fetched: list[str]) -> None:
    desk = Desk({}, Compute(), Limits())
    with pytest.raises(InputError, match="--fetch"):
        read(desk, PAGE)
    assert fetched == []


def test_only_a_text_that_is_nothing_else_is_an_address(fetched: list[str]) -> None:
    desk = Desk({}, Compute(), Limits(), fetch=True)
    for text in (f"See {PAGE} for more.", f"{PAGE} {PAGE}", "ftp://quay.example/", "quay.example/news"):
        assert read(desk, text).text == text
    assert fetched == []


def test_a_page_that_did_not_answer_is_tried_again_and_then_held(fetched: list[str]) -> None:
    desk = Desk({}, Compute(), Limits(), fetch=True)
    beside = "Nobody pays for the crossing."
    assert "timed out" in read(desk, beside, f" {PAGE}\n").notices[0]
    for _ in range(2):
        document = read(desk, beside, f" {PAGE}\n")
        assert [part.name for part in document.parts] == ["Document 1", PAGE]
        assert document.notices == ()
    assert fetched == [PAGE, PAGE]
