"""A selector that is handed in: it is asked where a method's options say so, and what it says is one factor of many."""

from __future__ import annotations

import numpy as np
import pytest

from nutgraf.extractive import Ratings, SentenceRanker, sentence_rankers
from nutgraf.extractive.selection import Config, Selection, select
from nutgraf.text.document import Document

TEXT = (
    "Kirkwall closed its harbour this week. Divers found a mine beside the harbour wall. Boats of Kirkwall's "
    "ferry company sailed to Stromness. Two divers were hurt in Kirkwall. Engineers from Rosyth arrive today."
)

SCHOLARLY = TEXT.replace("Engineers from Rosyth arrive today.", "We show how engineers can help.")


class Fond:
    """Likes one sentence, and keeps what it was asked."""

    signature = "fond"

    def __init__(self, index: int, odds: float = 5.0) -> None:
        self.index, self.odds = index, odds
        self.asked: list[tuple[Document, Ratings]] = []

    def passes_over(self, document: Document) -> str | None:
        return None if document.language == "en" else "It is not read."

    def __call__(self, document: Document, ratings: Ratings) -> Ratings | None:
        self.asked.append((document, ratings))
        if document.language != "en":
            return None
        found = np.zeros(len(document.sentences))
        found[self.index] = self.odds
        return found


def made(kind: str = "weighted_coverage", **options: object) -> SentenceRanker:
    return sentence_rankers.build(sentence_rankers.choice({"kind": kind, **options}))


def selected(method: SentenceRanker, document: Document, boosts: Ratings | None = None) -> Selection:
    return select(lambda summary: method.pick(document, summary, boosts), document, Config(), sentences=1)  # type: ignore[attr-defined]


@pytest.fixture
def document() -> Document:
    return Document.of(TEXT, language="en")


def test_the_sentence_that_a_selector_likes_is_taken_and_says_why(document: Document) -> None:
    method, fond = made(selector_weight=1.0), Fond(2)
    before = selected(method, document)
    assert before.indices != [2]
    assert method.asks
    method.advise(fond)
    found = selected(method, document)
    assert found.indices == [2]
    assert any("ranked 1 of" in reason for reason in found.summary.reasons[2])
    assert not any("ranked" in reason for reason in before.summary.reasons[before.indices[0]])
    assert (fond.asked[0][1] == before.ranking.ratings).all()


def test_odds_multiply_what_a_sentence_adds(document: Document) -> None:
    plain = made().rank(document).ratings
    method = made(selector_weight=0.5)
    method.advise(Fond(2, odds=1.0))
    assert method.rank(document).ratings == pytest.approx(plain * np.exp(0.5 * (np.eye(5)[2] - 0.2)))


def test_a_selector_is_not_surer_than_a_bound(document: Document) -> None:
    method = made(selector_weight=1.0)
    method.advise(Fond(2, odds=10.0))
    first = method.rank(document).ratings
    method.advise(Fond(2, odds=1e9))
    assert np.isfinite(method.rank(document).ratings).all()
    assert method.rank(document).ratings[2] == pytest.approx(first[2])


def test_a_method_without_a_weight_does_not_ask(document: Document) -> None:
    fond = Fond(2)
    for method in (made(), made("lex_rank"), made("dialogue")):
        before = method.rank(document)
        assert not method.asks
        method.advise(fond)
        assert (method.rank(document).ratings == before.ratings).all()
    assert fond.asked == []


def test_a_text_that_a_selector_does_not_read_is_summarized_without_it() -> None:
    german = Document.of("Der Hafen von Kirkwall ist gesperrt. Taucher fanden dort eine Mine.", language="de")
    method = made(selector_weight=1.0)
    before = method.rank(german)
    method.advise(Fond(1))
    assert (method.rank(german).ratings == before.ratings).all()
    assert selected(method, german).summary.notices == ["It is not read."]


def test_what_a_person_highlights_comes_first(document: Document) -> None:
    method = made(selector_weight=1.0)
    method.advise(Fond(2))
    boosts = np.ones(5)
    boosts[1] = 2.0
    assert selected(method, document, boosts).indices == [1]


def test_adaptive_asks_in_the_genres_that_say_so() -> None:
    document = Document.of(SCHOLARLY, language="en")
    weighed = {"kind": "weighted_coverage", "selector_weight": 1.0}
    plain = {"kind": "weighted_coverage", "selector_weight": 0.0}
    asking = made("adaptive", genre="article", article=weighed, introduce=False)
    asking.advise(fond := Fond(2))
    assert selected(asking, document).indices == [2]
    assert made("adaptive", genre="paper", article=weighed, paper=plain).asks
    silent = made("adaptive", genre="paper", article=weighed, paper=plain, introduce=False)
    before = silent.rank(document)
    count = len(fond.asked)
    silent.advise(fond)
    assert (silent.rank(document).ratings == before.ratings).all()
    assert len(fond.asked) == count


@pytest.mark.parametrize("told", ["Divers found", "Police said on Monday that divers found"])
def test_adaptive_asks_about_no_article_but_scholarly_ones(told: str) -> None:
    weighed = {"kind": "weighted_coverage", "selector_weight": 1.0}
    method, fond = made("adaptive", genre="article", article=weighed), Fond(2)
    other = Document.of((TEXT if told == "Divers found" else SCHOLARLY).replace("Divers found", told), language="en")
    before = method.rank(other)
    method.advise(fond)
    assert (method.rank(other).ratings == before.ratings).all()
    assert fond.asked == []
    selected(method, Document.of(SCHOLARLY, language="en"))
    assert len(fond.asked) == 1


def test_adaptive_asks_nobody_where_a_user_wants_none(document: Document) -> None:
    weighed = {"kind": "weighted_coverage", "selector_weight": 1.0}
    method = made("adaptive", article=weighed, selector="none", introduce=False)
    before = method.rank(document)
    assert not method.asks
    method.advise(Fond(2))
    assert (method.rank(document).ratings == before.ratings).all()
