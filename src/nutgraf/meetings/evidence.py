"""Evidence of each utterance for a decision, an action and an open question: its phrases, its place, and the replies.

A decision is a commitment of the group, so what was proposed before and who agrees or objects after counts as much as
how it is said. A promise is the speaker's; a request becomes one when somebody accepts. A question is open if no answer
follows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from nutgraf.meetings.utterances import Utterance

Evidence = dict[str, float]
"""Features of an utterance that are not zero, by name."""

SAID = frozenset(
    "we self promise intend idle will commit loose rule then so okay settled vote yes no condition maybe past old request all "
    "unknown wh date soon next assign act propose".split()
)
"""Kinds of phrases that count in an utterance itself."""

DOUBTED = frozenset("past maybe condition unknown old request propose wh".split())
"""Kinds that speak against a commitment."""

HEADINGS = frozenset(("decision_heading", "action_heading", "open_heading", "present_heading", "minutes_heading"))
"""Kinds of headings and labels."""

REPLIES = 4
"""Number of turns after an utterance that may reply to it."""

SHORT = 5
"""Maximum number of words of a short turn."""

BEFORE, AFTER = 8, 8
"""Number of utterances around one in which its words may be said."""


def evidence(terms: Sequence[Collection[str]], spoken: Sequence[Utterance]) -> list[Evidence]:
    """Evidence of each utterance.

    Args:
        terms: Terms of each utterance.
        spoken: The utterances.
    """
    turns: dict[int, list[int]] = {}
    for number, one in enumerate(spoken):
        turns.setdefault(one.turn, []).append(number)
    order = list(turns)
    place = {turn: at for at, turn in enumerate(order)}
    chair, found = _chair(spoken), []
    for number, one in enumerate(spoken):
        own, at = turns[one.turn], place[one.turn]
        within = own.index(number)
        said = _said(one) | _by_terms(terms, number)
        rest = [spoken[index] for index in own[within + 1 :]]
        said |= _onward(rest)
        if one.speaker is None:
            found.append(_kept({"written": 1.0, **said, **_written(one)}))
            continue
        after = [[spoken[index] for index in turns[turn]] for turn in order[at + 1 : at + 1 + REPLIES]]
        before = [[spoken[index] for index in turns[turn]] for turn in order[max(0, at - REPLIES) : at]]
        said["chair"] = one.speaker == chair
        said |= _replies(one, after) | _before(one, before, [spoken[index] for index in own[:within]])
        found.append(_kept(said))
    return found


def _said(one: Utterance) -> Evidence:
    """Phrases, form and length."""
    kinds, size = one.kinds, len(one.words)
    said: Evidence = dict.fromkeys(kinds & SAID, 1.0)
    said["asks"], said["asks wh"] = one.asks, one.asks and "wh" in one.begins
    said["tiny"], said["short"], said["long"], said["very long"] = size <= 2, 3 <= size <= 5, size > 18, size > 30
    said["begins act"], said["begins wh"] = "act" in one.first, "wh" in one.first
    return said | _free(one) | _asked(one)


def _free(one: Utterance) -> Evidence:
    """What holds without a doubt: commitments and promises that are no question, condition or memory."""
    kinds = one.kinds
    clear = not one.asks and not kinds & DOUBTED
    group = "commit" in kinds and "loose" not in kinds
    own = "promise" in kinds and "idle" not in kinds
    begun = bool(kinds & {"then", "so", "okay"})
    said: Evidence = {"clear": clear, "clear, of nobody": clear and not kinds & {"self", "promise", "intend"}}
    free = {kind: _is_free(one, kind) for kind in ("settled", "rule", "then", "so", "okay", "will", "vote", "date", "commit", "promise", "intend")}
    said |= {f"free {kind}": found for kind, found in free.items()}
    said |= {"group": group, "free group": group and free["commit"], "begun group": begun and group and free["commit"]}
    said |= {"begun settled": begun and free["settled"], "begun rule": begun and free["rule"]}
    said["begun clear"] = begun and clear and not kinds & {"self", "promise", "intend", "loose"}
    said["settled group"] = group and free["commit"] and bool(kinds & {"settled", "rule"})
    said |= {"own": own and not one.asks, "free own": own and free["promise"], "clear own": own and clear}
    said |= {f"free own {kind}": own and free["promise"] and kind in kinds for kind in ("act", "soon", "date")}
    said |= {f"free intend {kind}": free["intend"] and not own and kind in kinds for kind in ("act", "soon")}
    said |= {"clear agent": clear and bool(one.subject), "thing": one.thing, "clear thing": one.thing and clear}
    return said


def _is_free(one: Utterance, kind: str) -> bool:
    """Return True if there is a phrase of a kind, and nothing before it makes it a question, a condition or a memory."""
    if one.asks or kind not in one.kinds:
        return False
    return not any(doubt in one.at and one.at[doubt] < one.at[kind] for doubt in DOUBTED)


def _asked(one: Utterance) -> Evidence:
    """Requests, and questions that stay open."""
    kinds = one.kinds
    requests = "request" in kinds and not kinds & {"old", "idle"}
    said: Evidence = {f"request {kind}": requests and kind in kinds for kind in ("act", "soon", "all")}
    said |= {"asked request": requests and one.asks, "asked act": requests and one.asks and "act" in kinds}
    said |= {"request, named": requests and one.named, "unknown wh": kinds >= {"unknown", "wh"}}
    said["clear unknown"] = "unknown" in kinds and not one.asks and not kinds & {"past", "old", "condition", "promise"}
    said["now unknown"] = "unknown" in kinds and not kinds & {"old", "condition"} and not one.asks
    return said


def _by_terms(terms: Sequence[Collection[str]], number: int) -> Evidence:
    """How much was said before, or will be said after: a subject ends where little of what was said goes on."""
    own = terms[number]
    earlier = frozenset().union(*terms[max(0, number - BEFORE) : number])
    later = frozenset().union(*terms[number + 1 : number + 1 + AFTER])
    both = len(earlier) * len(later)
    said: Evidence = {"cohesion": len(earlier & later) / both**0.5 if both else 0.0}
    if own:
        said |= {"known": len(own & earlier) / len(own), "goes on": len(own & later) / len(own)}
        said["taken up"] = bool(own & earlier)
        said["ends"] = bool(own & earlier) and not own & later
    return said


def _onward(rest: Sequence[Utterance]) -> Evidence:
    """What the same person says next, in the same turn."""
    said: Evidence = {"then asks": any(other.asks for other in rest)}
    if rest:
        said |= {f"then {kind}": 1.0 for kind in rest[0].kinds & {"unknown", "settled", "promise", "next", "no", "yes"}}
    return said


def _replies(one: Utterance, turns: Sequence[Sequence[Utterance]]) -> Evidence:
    """How others reply, and whether the subject changes."""
    others = [turn for turn in turns if turn[0].speaker != one.speaker]
    said: Evidence = {}
    if others:
        first, size = others[0], sum(len(other.words) for other in others[0])
        said |= {"yes next": _agrees(first), "short yes next": _agrees(first) and size <= SHORT, "no next": _objects(first)}
        said |= {"accepts next": "accept" in first[0].begins, "asks next": first[0].asks, "short next": size <= SHORT}
        said |= {f"{kind} next": any(kind in other.kinds for other in first) for kind in ("promise", "unknown", "maybe", "settled")}
        said["accepts, promises next"] = bool(said["accepts next"]) and "promise" in {kind for other in first for kind in other.kinds}
        said |= {"yes later": any(map(_agrees, others[1:])), "no later": any(map(_objects, others[1:]))}
        said["all agree"] = all(map(_agrees, others[:2]))
        said["unknown later"] = _any("unknown", others[1:])
        said["answered"] = one.asks and not first[0].asks and "unknown" not in first[0].kinds
    said["subject next"] = _any("next", [turn[:1] for turn in turns[:2]])
    said["settled later"] = _any("settled", turns)
    said["proposed later"] = _any("propose", turns[:2])
    return said


def _before(one: Utterance, turns: Sequence[Sequence[Utterance]], own: Sequence[Utterance]) -> Evidence:
    """What was said before: in the turns before, and in the same turn."""
    said: Evidence = {}
    if turns:
        last = turns[-1]
        said |= {"yes before": _agrees(last), "no before": _objects(last), "asked before": last[-1].asks and not own}
        said["requested before"] = _any("request", turns[-1:]) and not own
        said["asked, promised"] = bool(said["asked before"]) and "promise" in one.kinds
        said["asked, said yes"] = bool(said["asked before"]) and "yes" in one.first
        said |= {f"{kind} before": _any(kind, turns[-1:]) for kind in ("propose", "settled", "unknown", "maybe")}
        said["proposed earlier"] = _any("propose", turns)
        said["agreed earlier"] = any(map(_agrees, turns))
        said["objected earlier"] = any(map(_objects, turns))
    if own:
        said["own yes before"] = _agrees(own[-1:])
        said["own asks before"] = own[-1].asks
        said |= {f"own {kind} before": kind in own[-1].kinds for kind in ("unknown", "settled", "promise", "then", "so", "okay")}
    return said


def _written(one: Utterance) -> Evidence:
    """What only minutes show: headings, boxes to tick, names before a colon, rows of a table."""
    said: Evidence = dict.fromkeys((f"under {kind}" for kind in one.heading), 1.0)
    text = one.text
    head, colon, _ = text.partition(":")
    labeled = bool(colon) and len(head.split()) <= SHORT
    said |= {"box": text.startswith(("[ ]", "☐")), "ticked": text.startswith(("[x]", "[X]", "☑", "✓")), "row": "\t" in text}
    said["labeled name"] = labeled and all(word[0].isupper() for word in head.split()) and not HEADINGS & one.kinds
    said |= {f"agent {kind}": bool(one.subject) and kind in one.kinds for kind in ("infinitive", "maybe")}
    said |= {"labeled": labeled, "addressed": text.startswith("@"), "named": one.named, "named first": one.named_first}
    said |= {f"{kind} label": labeled and kind in one.kinds for kind in ("decision_heading", "action_heading", "open_heading", "present_heading")}
    said |= {f"named {kind}": one.named and kind in one.kinds for kind in ("assign", "act", "will", "past", "old", "soon", "maybe")}
    said |= {f"named first {kind}": one.named_first and kind in one.kinds for kind in ("assign", "act", "will", "past", "soon", "maybe")}
    said["named row"] = one.named and "\t" in text
    said["name, colon"] = labeled and head[:1].isupper() and not {"act", "past", "we"} & one.kinds and one.named_first
    said["agent"], said["named agent"] = bool(one.subject), bool(one.subject) and one.named_first
    said |= {f"agent {kind}": bool(one.subject) and kind in one.kinds for kind in ("soon", "will", "past", "act", "assign", "old")}
    return said


def _any(kind: str, turns: Iterable[Iterable[Utterance]]) -> bool:
    return any(kind in other.kinds for turn in turns for other in turn)


def _agrees(turn: Sequence[Utterance]) -> bool:
    """Return True if a turn begins with yes, and not with a but."""
    return "yes" in turn[0].begins and "no" not in turn[0].begins


def _objects(turn: Sequence[Utterance]) -> bool:
    return "no" in turn[0].begins


def _chair(spoken: Sequence[Utterance]) -> str | None:
    """Who leads: the one who most often goes on to the next subject, or else speaks first."""
    turned = Counter(one.speaker for one in spoken if one.speaker and "next" in one.kinds)
    first = next((one.speaker for one in spoken if one.speaker), None)
    return max(turned, key=lambda speaker: (turned[speaker], speaker == first)) if turned else first


def _kept(said: Evidence) -> Evidence:
    return {name: float(value) for name, value in said.items() if value}
