"""Evidence of each utterance for a decision, an action and an open question: its phrases, its place, and the replies.

A decision is a commitment of the group, so what was proposed before and who agrees or objects after counts as much as
how it is said. A promise is the speaker's; a request becomes one when somebody accepts. A question is open if no answer
follows. A phrase holds freely if no question, condition or memory stands before it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal, get_args

from nutgraf.meetings.place import WIDE, Place, Turns, agrees, any_of, objects
from nutgraf.meetings.utterances import Utterance

Kind = Literal["decision", "action", "question"]

KINDS: tuple[Kind, ...] = get_args(Kind)

Evidence = dict[str, float]
"""Features of an utterance that are not zero, by name."""

DOUBTS = frozenset("past maybe condition unknown old request propose wh".split())
"""Kinds of phrases after which nothing holds freely."""

DOUBTS_OF_MINUTES = frozenset("reports maybe condition unknown old propose".split())
"""The same in minutes, which tell what was said and what was settled in the past tense."""

HEADINGS = frozenset(("decision_heading", "action_heading", "open_heading", "present_heading", "minutes_heading"))
"""Kinds of headings and labels."""

CONSENT = frozenset(("yes", "settled", "no"))
"""Kinds of phrases in a question for consent: "Everybody agreed?"."""

HEADER = 4
"""Number of paragraphs in which minutes say when, where and who."""

SHORT = 5
"""Maximum number of words of a short turn, and of a label."""

BESIDE = 2
"""Maximum number of words from "I" to what I do."""


def evidence(spoken: Sequence[Utterance], terms: Sequence[frozenset[str]]) -> list[Mapping[Kind, Evidence]]:
    """Evidence of each utterance, by what it is evidence for.

    Args:
        spoken: The utterances.
        terms: Terms of each.
    """
    turns = Turns(spoken)
    found: list[Mapping[Kind, Evidence]] = []
    for number in range(len(spoken)):
        place = Place(spoken, terms, number, turns)
        shown: dict[Kind, Evidence] = {
            "decision": _decides(place),
            "action": _acts(place),
            "question": _leaves_open(place),
        }
        found.append({kind: {name: float(value) for name, value in shown[kind].items() if value} for kind in KINDS})
    return found


def _decides(place: Place) -> Evidence:
    one, kinds = place.one, place.one.kinds
    if one.bare:
        return {"bare": 1.0}
    clear = _is_clear(one)
    group = "loose" not in kinds and _is_free(one, "commit")
    begun = bool(kinds & {"then", "so", "okay"})
    said = _form(one) | _has(one, "past maybe condition unknown request idle self promise propose we all next")
    said |= {f"free {kind}": _is_free(one, kind) for kind in ("settled", "rule", "then", "okay", "formal")}
    said |= {
        f"begins {kind}": kind in one.begins for kind in ("maybe", "past", "unknown", "wh", "no", "yes", "self", "we")
    }
    said |= {
        "group": group,
        "group begun": begun and group,
        "group settled": group and bool(kinds & {"settled", "rule"}),
        "rule begun": begun and _is_free(one, "rule"),
        "impersonal": clear and not kinds & {"self", "promise", "intend", "loose", "next"},
        "thing": one.thing,
    }
    said |= {"first": not place.own, "last": not place.rest, "new": place.new, "cohesion": place.cohesion}
    said |= {"known": place.known, "lasting": place.lasting, "ends": place.known > place.lasting}
    if one.speaker is None:
        return said | _written(one)
    likely = clear and (group or begun or _is_free(one, "settled") or _is_free(one, "rule"))
    said |= {
        "likely": likely,
        "likely, chair": likely and place.chairs,
        "likely, short": likely and len(one.words) <= SHORT,
        "likely, early": likely and place.early,
        "likely, ends": likely and place.known > place.lasting,
    }
    said |= {"chair": place.chairs, "early": place.early, "drops": place.drops, "raised": place.raised}
    said |= {"echo": place.echo, "begun, echo": begun * place.echo, "clear, echo": clear * place.echo}
    return said | _replies(place) | _earlier(place)


def _acts(place: Place) -> Evidence:
    one, kinds = place.one, place.one.kinds
    soon, acts = bool(kinds & {"soon", "date"}), "act" in kinds
    own = _is_free(one, "promise")
    intends = _is_free(one, "intend") and not own
    asked = "request" in kinds and not kinds & {"old", "idle"} and not own
    order = not one.asks and not kinds & {"self", "past", "old"} and one.at.get("act", SHORT) <= one.named_first
    agent = bool(one.subject) and not kinds & {"old", "condition", "past"}
    near = not one.asks and {"self", "act"} <= kinds and abs(one.at["self"] - one.at["act"]) <= BESIDE
    said = _form(one) | _has(one, "old condition unknown idle we propose past maybe wh self promise act soon date all")
    said |= {"own": own, "own act": own and acts, "own soon": own and soon}
    said |= {"intend": intends, "intend soon": intends and soon, "intend, idle": intends and "idle" in kinds}
    said |= {"request": asked, "request act": asked and acts, "request, short": asked and len(one.words) <= SHORT}
    said |= {"request, named": asked and one.named, "asked": asked and one.asks, "self acts": near}
    said |= {"order": order, "order, named": order and one.named}
    said |= {f"agent {kind}": agent and kind in kinds for kind in ("will", "assign", "infinitive", "act")}
    if one.speaker is None:
        return said | _written(one)
    reply, last = place.reply, place.before[-1] if place.before and not place.own else ()
    accepted = bool(reply) and bool(reply[0].begins & {"accept", "promise"})
    size = sum(len(other.words) for other in reply)
    return said | {
        "request, accepted": asked and accepted,
        "request, short reply": asked and size <= SHORT,
        "request, long reply": asked and size > WIDE,
        "request, early": asked and place.early,
        "order, accepted": order and accepted,
        "requested, accept": any_of("request", [last]) and "accept" in one.begins,
        "own, agreed": own and agrees(reply),
        "own, early": own and place.early,
        "own, asked before": own and bool(last) and last[-1].asks,
        "own, subject next": own and place.changes,
        "own, new": own and place.new,
        "own, echo": own * place.echo,
        "own promise before": own and any_of("promise", [place.own]),
    }


def _leaves_open(place: Place) -> Evidence:
    one, kinds = place.one, place.one.kinds
    unknown, asks = "unknown" in kinds, one.asks
    said = _form(one) | _has(one, "past old condition promise settled maybe loose request propose wh")
    said |= {"asks": asks, "asks wh": asks and "wh" in one.begins, "asks us": asks and "we" in kinds}
    said |= {"asks, proposes": asks and "propose" in kinds, "asks, requests": asks and "request" in kinds}
    said |= {"unknown": unknown, "free unknown": _is_free(one, "unknown", {"unknown", "wh"})}
    said |= {
        f"unknown {kind}": unknown and kind in kinds for kind in ("wh", "we", "past", "old", "condition", "settled")
    }
    if one.speaker is None:
        return said | _written(one)
    reply, last = place.reply, place.before[-1] if place.before and not place.own else ()
    return said | {
        "asks, unknown next": asks and any_of("unknown", [reply]),
        "asks, asked back": asks and bool(reply) and reply[0].asks,
        "asks, unknown later": asks and any_of("unknown", [*place.after[1:3], place.rest]),
        "asks, goes on": asks and bool(place.rest),
        "asks, lasting": asks * place.lasting,
        "asks, settled later": asks and any_of("settled", place.after),
        "unknown, asked before": unknown and bool(last) and last[-1].asks,
        "unknown, subject next": unknown and place.changes,
        "unknown, known": unknown * place.known,
        "unknown, promised": unknown and any_of("promise", [place.rest, reply]),
        "unknown, settled later": unknown and any_of("settled", [place.rest, *place.after[:2]]),
        "unknown again": unknown and any_of("unknown", [reply]),
    }


def _form(one: Utterance) -> Evidence:
    size = len(one.words)
    return {"tiny": size <= 2, "short": 3 <= size <= SHORT, "long": size > 18, "very long": size > 30}


def _has(one: Utterance, kinds: str) -> Evidence:
    return {f"has {kind}": kind in one.kinds for kind in kinds.split()}


def _is_clear(one: Utterance) -> bool:
    return not one.asks and not one.kinds & _doubts(one)


def _doubts(one: Utterance) -> frozenset[str]:
    return DOUBTS_OF_MINUTES if one.speaker is None else DOUBTS


def _is_free(one: Utterance, kind: str, among: Collection[str] = ()) -> bool:
    """Return True if there is a phrase of a kind, and no other kind before it that makes it doubtful."""
    if one.asks or kind not in one.kinds:
        return False
    return not any(doubt in one.at and one.at[doubt] < one.at[kind] for doubt in _doubts(one).difference(among))


def _replies(place: Place) -> Evidence:
    """Evidence of how others reply, and of what the speaker says after it."""
    reply, asked = place.reply, [other for other in place.rest if other.asks]
    said: Evidence = {
        "asks after": any(not other.kinds & CONSENT for other in asked),
        "asks consent after": any(other.kinds & CONSENT for other in asked),
        "promise soon": any_of("promise", place.after[:3]),
    }
    if not reply:
        return said
    size = sum(len(other.words) for other in reply)
    return said | {
        "yes next": agrees(reply),
        "short yes next": agrees(reply) and size <= SHORT,
        "short next": size <= SHORT,
        "no next": objects(reply),
        "asks next": reply[0].asks,
        "unknown next": any_of("unknown", [reply]),
        "all agree": all(map(agrees, place.after[:2])),
        "no later": any(map(objects, place.after[1:])),
        "unknown later": any_of("unknown", place.after[1:]),
    }


def _earlier(place: Place) -> Evidence:
    """Evidence of what was said before: in the turns before, and in the same turn."""
    said: Evidence = {"objected earlier": any(map(objects, place.before))}
    if place.before:
        last = place.before[-1]
        said |= {"yes before": agrees(last), "no before": objects(last)}
        said |= {f"{kind} before": any_of(kind, [last]) for kind in ("propose", "settled", "unknown", "maybe")}
        said["asked, said yes"] = last[-1].asks and not place.own and "yes" in place.one.first
    if place.own:
        said |= {f"own {kind} before": kind in place.own[-1].kinds for kind in ("yes", "then", "okay")}
    return said


def _written(one: Utterance) -> Evidence:
    """Evidence that only minutes have: headings, boxes to tick, names before a colon, rows of a table."""
    text, kinds = one.text, one.kinds
    head, colon, _ = text.partition(":")
    labeled = bool(colon) and len(head.split()) <= SHORT
    by_name = labeled and all(word[0].isupper() for word in head.split()) and not HEADINGS & kinds
    present = one.named_first and not kinds & {"past", "old", "maybe", "condition", "unknown", "reports", "formal"}
    now = _is_clear(one) and not kinds & {"past", "old"}
    said: Evidence = {f"under {kind}": 1.0 for kind in one.heading}
    said |= _has(one, "reports date past will")
    said |= {"box": text.startswith(("[ ]", "☐")), "row": "\t" in text, "row, named": "\t" in text and one.named}
    said |= {"labeled": labeled, "label, name": by_name and one.named_first, "label, capitals": by_name}
    said |= {f"label {kind}": labeled and kind in kinds for kind in HEADINGS}
    said |= {"named": one.named, "named first": one.named_first, "agent": bool(one.subject)}
    said |= {"named first, present": present, "named first, assign": present and "assign" in kinds}
    said |= {"now": now, "now, nobody": now and not one.named, "clear will": "will" in kinds and _is_clear(one)}
    return said | {"header": one.turn < HEADER}
