"""Of a long document lead reads the beginning only, if that will do."""

from __future__ import annotations

import pytest

import nutgraf
from nutgraf.prose import judgements
from nutgraf.text import document as documents
from nutgraf.text.document import Document, join

PROSE = "The ferry left at noon with the mail. "
JUNK = "Click here to subscribe to our newsletter. "


@pytest.fixture(autouse=True)
def short_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "ENOUGH", 6)


def of(text: str) -> Document:
    return Document.of(text.strip(), "log.txt", language="en")


def test_the_beginning_has_the_first_sentences_of_each_part_at_their_places() -> None:
    whole = join([of(PROSE * 5), of("It came back. " * 2), of(PROSE * 4)])
    beginning = whole.beginning
    assert [whole.sentences.index(one) for one in beginning.sentences] == [0, 1, 5, 6, 7, 8]
    assert (beginning.text, beginning.parts) == (whole.text, whole.parts)
    assert beginning.beginning is beginning


def test_only_what_is_tried_is_judged() -> None:
    document = of(PROSE * 20)
    summary = nutgraf.load("lead")(document, words=24)
    assert summary.text == (PROSE * 3).strip()
    assert judgements(document).num_made == 0
    assert judgements(document.beginning).num_made == 3
    nutgraf.load("lead")(document, words=24, highlights=["mail"])
    assert judgements(document).num_made == 20  # all have the highlight


@pytest.mark.parametrize("how", [{"words": 64}, {"sentences": 8}])
def test_where_the_beginning_will_not_do_the_rest_is_read(how: dict[str, int]) -> None:
    assert len(nutgraf.load("lead")(of(PROSE * 20), **how)) == 8


def test_where_the_beginning_is_junk_the_rest_is_read() -> None:
    summary = nutgraf.load("lead")(of(JUNK * 6 + "\n\n" + PROSE * 14), words=8)
    assert summary.text == PROSE.strip()


def test_a_share_is_one_of_the_whole_document() -> None:
    summary = nutgraf.load("lead")(of(PROSE * 20), share="1/5")
    assert summary.limit == 32
    assert len(summary) == 4
