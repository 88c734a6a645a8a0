"""Adaptive extraction of meetings: what was decided comes first."""

import nutgraf
from nutgraf.extractive.adaptive import Adaptive, Config
from nutgraf.text.document import Document
from nutgraf.text.turns import Utterance, written_turns

CHAT = [
    ("Ann", "The brewery on the hill sells its old copper kettles, which hold two hundred liters each."),
    ("Bob", "Copper kettles from the brewery need a week of scrubbing before anybody can cook soup in them."),
    ("Cleo", "The soup at the harbor festival was cooked in steel kettles, and people queued for an hour."),
    ("Ann", "Steel kettles are lighter than copper kettles, and the harbor lends them for nothing."),
    ("Bob", "The harbor wants its kettles back on the evening of the festival, clean and dry."),
    ("Cleo", "At the last festival the soup ran out before the harbor band had played its second tune."),
] * 10
DECIDED = "Then we take the steel ones."


def meeting() -> Document:
    said = [*CHAT, ("Ann", DECIDED), ("Bob", "Fine by me."), ("Cleo", "I'll call the harbor on Friday."), *CHAT[:4]]
    said += [("Bob", "I will write to the band by Monday.")]
    text, turns = written_turns(Utterance(*one) for one in said)
    return Document.of(text, turns=turns)


def test_a_decision_is_in_the_summary_however_short_it_is() -> None:
    summary = nutgraf.load()(meeting(), words=40)
    assert summary.genre == "transcript"
    assert DECIDED in [one.text for one in summary.sentences]


def test_another_genre_lifts_nothing() -> None:
    document = meeting()
    lifted = Adaptive(Config(genre="article")).rank(document)
    plain = Adaptive(Config(genre="article", introduce=False)).rank(document)
    assert list(lifted.order) == list(plain.order)
