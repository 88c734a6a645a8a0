"""Odds of a sentence to be junk: its words, its features, and its neighbours."""

import math

import pytest

from nutgraf.prose import junk_odds, quality
from nutgraf.prose.page_words import page_words
from nutgraf.text.document import Document

PROSE = [
    "The harbour office opened a new pier on Monday after two years of work.",
    "Engineers had warned the council about the chains in the spring.",
    "Nobody was hurt, and the ferry left again before noon.",
    "The island has had a ferry since 1890, and its chains were never replaced.",
    "Fishermen found the last of the lost buoys near the northern cliffs.",
]


def odds_of(document: Document, known: list[bool]) -> junk_odds.Odds:
    return junk_odds.Odds(document, known.__getitem__, quality.paragraphs(document))


def test_features_of_a_sentence() -> None:
    """Of the three words after the first, one has a capital letter; of the four, one has digits, one is a stop word."""
    document = Document.of("\n\n".join([" ".join(PROSE), "Read our Issue 12!"]), language="en")
    found = junk_odds.features(document, 5)
    assert (found["log_length"], found["capitals"], found["digits"]) == (math.log(4), 1 / 3, 1 / 4)
    assert found["about"] == 1 / 4  # "issue" is a page word, "our" a stop word
    assert found["invites"] == found["last"] == 1
    assert not {"colon", "quotation", "you", "small_letter"} & found.keys()


def test_page_words_are_counted_by_their_beginning_and_behind_an_article() -> None:
    french = page_words("fr")
    assert french.share(["l'abonnement", "expire", "demain"], frozenset()) == 1 / 4
    assert french.invites(["cliquez", "sur", "le", "lien"])
    assert french.addresses(["nous", "pensons", "à", "vous"])
    assert not page_words("en").invites(["the", "ferry", "left"])


def test_languages_whose_words_were_not_learned_are_judged_without() -> None:
    prose = ["Il ponte sul Sorno fu chiuso lunedì dopo due anni di lavori.", "La nave partì prima di mezzogiorno."]
    document = Document.of(
        "\n\n".join([*prose * 8, "Iscriviti alla nostra newsletter e invita gli amici."]), language="it"
    )
    assert "it" not in junk_odds.weights().words
    odds = odds_of(document, [False] * 17)
    assert odds[16] > max(odds[index] for index in range(16))


def test_junk_is_likelier_beside_junk() -> None:
    sentence = "The list of the boats is kept by the office."
    document = Document.of("\n\n".join([*PROSE, *PROSE, sentence, *PROSE]), language="en")
    known = [False] * 16
    among_prose = odds_of(document, known)[10]
    known[6:10] = known[11:15] = [True] * 4
    assert odds_of(document, known)[10] > among_prose


def test_an_invitation_is_likelier_junk_than_prose() -> None:
    document = Document.of(
        "\n\n".join([*PROSE, *PROSE, *PROSE, "Read our newsletter every week and tell your friends."])
    )
    odds = odds_of(document, [False] * 16)
    assert odds[15] > max(odds[index] for index in range(15))


def test_wording_adds_the_weights_of_words_each_once_and_all_digits_are_alike() -> None:
    known = {"bias": -1.0, "page": 0.5, "00": 0.25, "ferry": -2.0}
    assert junk_odds.wording(["our", "page", "page", "12"], known) == -0.25


def test_what_nobody_asks_for_is_not_worked_out() -> None:
    """The odds of the first sentence need those of the four after it."""
    asked: list[int] = []
    document = Document.of("\n\n".join(PROSE * 10), language="en")
    odds = junk_odds.Odds(document, lambda index: bool(asked.append(index)), quality.paragraphs(document))
    assert odds[0] == odds[0]
    assert max(asked) == junk_odds.AROUND


def test_neighbours_are_the_nearest_four() -> None:
    """The sentence after the one in question shares its paragraph; the second before it is known to be junk."""
    alone = [9.0, -1.0, 9.0, 0.5, 2.0, -2.0, -4.0, 9.0]
    found = junk_odds.context(4, [2].__contains__, [0, 1, 2, 3, 4, 4, 5, 6], alone.__getitem__)
    assert found == {
        "own": 2.0,
        "previous": 0.0,
        "following": -2.0,
        "paragraph": -2.0,
        "before": pytest.approx((3.0 - 1.0 + 2.5 + 0.5) / 4),  # 9 counts as 3, and what is certain as 2.5
        "after": pytest.approx((-2.0 - 3.0 + 3.0) / 3),
    }
