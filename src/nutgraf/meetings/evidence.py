"""Evidence of each utterance for a decision, an action and an open question: its phrases, its place, and the replies.

A decision is a commitment of the group, so what was proposed before and who agrees or objects after counts as much as
how it is said. A promise is the speaker's; a request becomes one when somebody accepts. A question is open if no answer
follows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from nutgraf.meetings.utterances import Utterance

Evidence = dict[str, float]
"""Features of an utterance that are not zero, by name."""

SAID = frozenset(
    "we self promise idle will commit opening settled vote yes no condition maybe past old request all unknown wh date soon next "
    "assign act propose".split()
)
"""Kinds of phrases that count in an utterance itself."""

REPLIES = 3
"""Number of turns after an utterance that may reply to it."""

SHORT = 5
"""Maximum number of words of a short turn."""

BEFORE = 6
"""Number of utterances before one in which its words may have been said."""


def evidence(document_words: Sequence[Collection[str]], spoken: Sequence[Utterance]) -> list[Evidence]:
    """Evidence of each utterance.

    Args:
        document_words: Terms of each utterance.
        spoken: The utterances.
    """
    turns: dict[int, list[int]] = {}
    for number, one in enumerate(spoken):
        turns.setdefault(one.turn, []).append(number)
    order = list(turns)
    place = {turn: at for at, turn in enumerate(order)}
    chair = _chair(spoken)
    found = []
    for number, one in enumerate(spoken):
        own = turns[one.turn]
        at = place[one.turn]
        within = own.index(number)
        said = _said(one)
        said["first"] = within == 0
        said["last"] = within == len(own) - 1
        said["alone"] = len(own) == 1
        if one.speaker is None:
            again = {f"written {name}": value for name, value in said.items()}
            found.append(_kept({"written": 1.0, **said, **again, **_written(one)}))
            continue
        said["chair"] = one.speaker == chair
        after = [turns[order[later]] for later in range(at + 1, min(len(order), at + 1 + REPLIES))]
        said |= _replies(one, [[spoken[index] for index in turn] for turn in after])
        said |= _before(one, [spoken[index] for index in turns[order[at - 1]]] if at else [], [spoken[index] for index in own[:within]])
        rest = [spoken[index] for index in own[within + 1 :]]
        said["then unknown"] = any("unknown" in other.kinds for other in rest[:1])
        said["then settled"] = any("settled" in other.kinds for other in rest[:1])
        said["then asks"] = any(other.asks for other in rest)
        said["then next"] = any("next" in other.kinds for other in rest)
        said["then more"] = len(rest) > 1
        earlier = set().union(*document_words[max(0, number - BEFORE) : number])
        terms = document_words[number]
        said["known terms"] = len(terms & earlier) / len(terms) if terms else 0.0
        said["position"] = number / len(spoken)
        found.append(_kept(said))
    return found


def _said(one: Utterance) -> Evidence:
    """Phrases, form and length."""
    said: Evidence = {kind: 1.0 for kind in one.kinds & SAID}
    said["asks"] = one.asks
    size = len(one.words)
    said["tiny"] = size <= 2
    said["short"] = 3 <= size <= 5
    said["long"] = size > 18
    said["very long"] = size > 30
    said["digit"] = any(character.isdigit() for character in one.text)
    kinds = one.kinds
    for first, second in PAIRS:
        said[f"{first} {second}"] = first in kinds and second in kinds
    said["own promise"] = "promise" in kinds and "idle" not in kinds and not one.asks
    said["dated promise"] = bool(said["own promise"]) and "soon" in kinds
    said["promised act"] = bool(said["own promise"]) and "act" in kinds
    said["asked request"] = "request" in kinds and one.asks
    said["plain"] = not kinds & {"promise", "self", "condition", "maybe", "past", "unknown", "request"} and not one.asks
    return said


PAIRS = (
    ("opening", "commit"),
    ("opening", "settled"),
    ("opening", "we"),
    ("commit", "settled"),
    ("commit", "maybe"),
    ("commit", "condition"),
    ("settled", "past"),
    ("settled", "old"),
    ("settled", "maybe"),
    ("promise", "condition"),
    ("promise", "maybe"),
    ("request", "act"),
    ("request", "soon"),
    ("all", "act"),
    ("will", "act"),
    ("settled", "vote"),
    ("unknown", "wh"),
    ("we", "unknown"),
    ("opening", "date"),
)


def _replies(one: Utterance, turns: Sequence[Sequence[Utterance]]) -> Evidence:
    """How others reply, and whether the subject changes."""
    others = [turn for turn in turns if turn[0].speaker != one.speaker]
    said: Evidence = {"silence": not turns}
    if others:
        first = others[0]
        said["yes next"] = _agrees(first)
        said["short yes next"] = _agrees(first) and sum(len(other.words) for other in first) <= SHORT
        said["no next"] = "no" in first[0].begins
        said["accepts next"] = "accept" in first[0].begins
        said["promises next"] = any("promise" in other.kinds for other in first)
        said["unknown next"] = any("unknown" in other.kinds for other in first)
        said["asks next"] = first[0].asks
        said["short next"] = sum(len(other.words) for other in first) <= SHORT
        said["yes later"] = any(map(_agrees, others[1:]))
        said["no later"] = any("no" in turn[0].begins for turn in others[1:])
        said["unknown later"] = any("unknown" in other.kinds for turn in others[1:] for other in turn)
    said["next subject"] = any("next" in turn[0].kinds for turn in turns[:2])
    said["settled later"] = any("settled" in other.kinds for turn in turns for other in turn)
    return said


def _before(one: Utterance, turn: Sequence[Utterance], own: Sequence[Utterance]) -> Evidence:
    """What was said before: in the turn before, and in the same turn."""
    said: Evidence = {"begins": not turn and not own}
    if turn:
        said["yes before"] = _agrees(turn)
        said["asked before"] = turn[-1].asks and not own
        said["requested before"] = any("request" in other.kinds for other in turn) and not own
        said["proposed before"] = any("propose" in other.kinds for other in turn)
        said["settled before"] = any("settled" in other.kinds for other in turn)
        said["unknown before"] = any("unknown" in other.kinds for other in turn)
    if own:
        said["own yes before"] = _agrees(own)
        said["own unknown before"] = "unknown" in own[-1].kinds
        said["own settled before"] = "settled" in own[-1].kinds
        said["own asks before"] = own[-1].asks
    return said


def _written(one: Utterance) -> Evidence:
    """What only minutes show: headings, boxes to tick, names before a colon, rows of a table."""
    said: Evidence = {f"under {kind}": 1.0 for kind in one.heading}
    text = one.text
    said["box"] = text.startswith(("[ ]", "☐"))
    said["ticked"] = text.startswith(("[x]", "[X]", "☑", "✓"))
    said["row"] = "\t" in text
    head, colon, _ = text.partition(":")
    said["labeled"] = bool(colon) and len(head.split()) <= 4
    said["addressed"] = text.startswith("@")
    said["decision label"] = bool(colon) and "decision_heading" in one.kinds and len(head.split()) <= 3
    return said


def _agrees(turn: Sequence[Utterance]) -> bool:
    """Return True if a turn begins with yes, and not with a but."""
    return "yes" in turn[0].begins and "no" not in turn[0].begins


def _chair(spoken: Sequence[Utterance]) -> str | None:
    """Who leads: the one who most often goes on to the next subject, or else speaks first."""
    turned = Counter(one.speaker for one in spoken if one.speaker and "next" in one.kinds)
    first = next((one.speaker for one in spoken if one.speaker), None)
    return max(turned, key=lambda speaker: (turned[speaker], speaker == first)) if turned else first


def _kept(said: Evidence) -> Evidence:
    return {name: float(value) for name, value in said.items() if value}
