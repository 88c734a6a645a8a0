"""Evidence of each utterance for a decision, an action and an open question: its phrases, its place, and the replies.

A decision is a commitment of the group, so what was proposed before and who agrees or objects after counts as much as
how it is said. A promise is the speaker's; a request becomes one when somebody accepts. A question is open if no answer
follows. A phrase holds freely if no question, condition or memory stands before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal, get_args

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

AROUND = 4
"""Number of turns before and after an utterance that count."""

SHORT = 5
"""Maximum number of words of a short turn, and of a label."""

LONGEST = 12
"""Number of utterances of a turn that are looked at."""

LONG = 20
BESIDE = 2
EARLY = 6
NEAR = 8
"""Number of utterances around one in which its words may be said."""

Turn = Sequence[Utterance]


class Place:
    """An utterance among the others.

    Attributes:
        one: The utterance.
        before: Turns before its own, the nearest last.
        own: What the same person said before in the same turn.
        rest: What the same person says after it in the same turn.
        after: Turns of others after its own.
        following: All turns after its own.
        chairs: True if the speaker leads.
        known: Share of its terms that were said shortly before.
        lasting: Share of its terms that are said shortly after.
        cohesion: Likeness of what is said before and after.
    """

    def __init__(
        self, spoken: Sequence[Utterance], terms: Sequence[frozenset[str]], number: int, turns: _Turns
    ) -> None:
        self.one = spoken[number]
        at, own = turns.place[self.one.turn], turns.members[self.one.turn]
        within = number - own.start
        self.own = [spoken[index] for index in own[max(0, within - LONGEST) : within]]
        self.rest = [spoken[index] for index in own[within + 1 : within + 1 + LONGEST]]
        self.before = [turns.end(spoken, place) for place in range(max(0, at - AROUND), at)]
        self.following = [
            turns.beginning(spoken, place) for place in range(at + 1, min(len(turns.order), at + 1 + AROUND))
        ]
        self.after = [turn for turn in self.following if turn[0].speaker != self.one.speaker]
        self.chairs = self.one.speaker is not None and self.one.speaker == turns.chair
        said = terms[number]
        earlier = frozenset[str]().union(*terms[max(0, number - NEAR) : number])
        later = frozenset[str]().union(*terms[number + 1 : number + 1 + NEAR])
        self.known = len(said & earlier) / len(said) if said else 0.0
        self.lasting = len(said & later) / len(said) if said else 0.0
        long_before = range(max(0, number - LONG), number)
        raised = [at for at in long_before if spoken[at].asks or spoken[at].kinds & {"propose", "maybe"}]
        offered = frozenset[str]().union(*(terms[at] for at in raised))
        self.raised = len(raised) / LONG
        self.echo = len(said & offered) / len(said) if said else 0.0
        self.new = not said & frozenset[str]().union(*(terms[at] for at in long_before))
        self.alternatives = any(spoken[at].asks and "or" in spoken[at].words for at in long_before[-12:])
        self.early = number < EARLY
        self.share = number / len(spoken)
        following = frozenset[str]().union(*terms[number + 1 : number + 1 + LONG])
        self.drops = len(said - following) / len(said) if said else 0.0
        both = len(earlier) * len(later)
        self.cohesion = len(earlier & later) / both**0.5 if both else 0.0


class _Turns:
    """Turns of a meeting, each a range of utterances, and who leads."""

    def __init__(self, spoken: Sequence[Utterance]) -> None:
        self.members: dict[int, range] = {}
        for number, one in enumerate(spoken):
            self.members[one.turn] = range(self.members.get(one.turn, range(number, number)).start, number + 1)
        self.order = list(self.members)
        self.place = {turn: at for at, turn in enumerate(self.order)}
        self.chair = _chair(spoken)

    def beginning(self, spoken: Sequence[Utterance], place: int) -> Turn:
        return [spoken[index] for index in self.members[self.order[place]][:LONGEST]]

    def end(self, spoken: Sequence[Utterance], place: int) -> Turn:
        return [spoken[index] for index in self.members[self.order[place]][-LONGEST:]]


def evidence(spoken: Sequence[Utterance], terms: Sequence[frozenset[str]]) -> list[Mapping[Kind, Evidence]]:
    """Evidence of each utterance, by what it is evidence for.

    Args:
        spoken: The utterances.
        terms: Terms of each.
    """
    turns = _Turns(spoken)
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
    impersonal = clear and not kinds & {"self", "promise", "intend", "loose", "next"}
    said = _form(one) | _has(
        one, "past maybe condition unknown old request loose idle self promise propose wh we all next"
    )
    said |= {
        f"free {kind}": _is_free(one, kind)
        for kind in ("settled", "rule", "then", "so", "okay", "will", "vote", "formal")
    }
    said |= {f"begins {kind}": kind in one.begins for kind in ("condition", "maybe", "past", "unknown", "wh", "no", "yes", "self", "we")}
    said |= {"group": group, "begun group": begun and group, "clear": clear, "impersonal": impersonal}
    said |= {f"begun {kind}": begun and _is_free(one, kind) for kind in ("settled", "rule")}
    said |= {"begun impersonal": begun and impersonal, "thing": one.thing, "clear thing": one.thing and clear}
    said["group settled"] = group and bool(kinds & {"settled", "rule"})
    said |= _written(one)
    if one.speaker is not None:
        said |= _replies(place) | _earlier(place)
        good = group or begun or _is_free(one, "settled") or _is_free(one, "rule")
        likely = clear and good
        said |= {
            "likely": likely,
            "likely, chair": likely and place.chairs,
            "likely, short": likely and len(one.words) <= SHORT,
            "likely, early": likely and place.early,
            "likely, agreed": likely and bool(said.get("yes next")),
        }
        said["likely, ends"] = likely and place.known > place.lasting
        said["impersonal, agreed"] = impersonal and bool(said.get("yes next"))
        said["chair"] = place.chairs
        yes = {turn[0].speaker for turn in place.after if _agrees(turn)}
        said |= {"agreeing": len(yes) / 3, "echo": place.echo, "early": place.early, "drops": place.drops, "raised": place.raised}
        said |= {"begun, new": begun and place.new, "begun, echo": begun * place.echo, "clear, echo": clear*place.echo}
        said["promise soon"] = _any("promise", place.after[:3])
        said["alternatives"] = place.alternatives
    said |= {"first": not place.own, "last": not place.rest, "alone": not place.own and not place.rest}
    said |= {"share": place.share, "numbers": min(3, sum(word[0].isdigit() for word in one.words))}
    said |= {"begins wh": "wh" in one.first, "new": place.new}
    return said | {
        "known": place.known,
        "lasting": place.lasting,
        "ends": place.known > place.lasting,
        "cohesion": place.cohesion,
    }


def _acts(place: Place) -> Evidence:
    one, kinds = place.one, place.one.kinds
    soon, acts = bool(kinds & {"soon", "date"}), "act" in kinds
    own = _is_free(one, "promise")
    intends = _is_free(one, "intend") and not own
    asked = "request" in kinds and not kinds & {"old", "idle"} and not own
    said = _form(one) | _has(one, "old condition unknown idle we propose past maybe wh self promise act soon date all")
    for name, holds in {"own": own, "intend": intends, "request": asked}.items():
        said |= {name: holds, f"{name} act": holds and acts, f"{name} soon": holds and soon}
        said |= {f"{name}, idle": holds and "idle" in kinds, f"{name}, short": holds and len(one.words) <= SHORT}
        said |= {f"{name}, condition": holds and "condition" in kinds}
    said |= {"doubted promise": "promise" in kinds and not own}
    said |= {"request, named": asked and one.named, "asked": asked and one.asks}
    said |= {"request all": asked and "all" in kinds}
    near = "self" in one.at and "act" in one.at and abs(one.at["self"] - one.at["act"]) <= BESIDE
    said |= {"self acts": near and not one.asks, "self acts soon": near and soon and not one.asks}
    order = not one.asks and not kinds & {"self", "past", "old"} and one.at.get("act", SHORT) <= one.named_first
    said |= {"order": order, "order, named": order and one.named, "order, soon": order and soon}
    agent = bool(one.subject) and not kinds & {"old", "condition", "past"}
    said |= {f"agent {kind}": agent and kind in kinds for kind in ("will", "assign", "infinitive", "soon", "act")}
    said |= _written(one)
    if one.speaker is None:
        return said | {"named, past": one.named and "past" in kinds}
    after, before = place.after, place.before
    reply = after[0] if after else ()
    accepted = bool(reply) and ("accept" in reply[0].begins or "promise" in reply[0].begins)
    size = sum(len(other.words) for other in reply)
    said |= {"request, accepted": asked and accepted, "own, agreed": own and bool(reply) and _agrees(reply)}
    said |= {"request, short reply": asked and size <= SHORT, "request, long reply": asked and size > LONG}
    said |= {"request, early": asked and place.early, "own, early": own and place.early, "share": place.share}
    said |= {"own, objected": own and bool(reply) and _objects(reply)}
    said |= {"request, refused": asked and bool(reply) and _objects(reply)}
    said |= {"order, accepted": order and accepted}
    requested = bool(before) and _any("request", before[-1:]) and not place.own
    said |= {"requested, own": requested and own, "requested, accept": requested and "accept" in one.begins}
    said |= {"own, asked before": own and bool(before) and before[-1][-1].asks and not place.own}
    said |= {"own, decided before": own and _any("settled", [place.own, *before[-1:]])}
    said |= {
        "free will": _is_free(one, "will") and not own and bool(one.subject),
        "own, subject next": own and _changes(place),
    }
    said |= {"own, new": own and place.new, "own, echo": own * place.echo, "first": not place.own}
    said["own promise before"] = own and _any("promise", [place.own])
    return said


def _leaves_open(place: Place) -> Evidence:
    one, kinds = place.one, place.one.kinds
    said = _form(one) | _has(one, "past old condition promise settled maybe loose we request propose idle wh self")
    unknown = "unknown" in kinds
    said |= {"asks": one.asks, "asks wh": one.asks and "wh" in one.begins, "asks us": one.asks and "we" in kinds}
    said |= {"asks, proposes": one.asks and "propose" in kinds, "asks, requests": one.asks and "request" in kinds}
    said |= {
        "unknown": unknown,
        "free unknown": _is_free(one, "unknown", {"unknown", "wh"}),
        "unknown wh": unknown and "wh" in kinds,
    }
    said |= {
        f"unknown, {kind}": unknown and kind in kinds
        for kind in ("we", "self", "past", "old", "promise", "condition", "settled")
    }
    said |= {"unknown, asks": unknown and one.asks}
    said |= _written(one)
    said["written unknown"] = unknown and one.speaker is None
    if one.speaker is None:
        return said
    after, before, asked = place.after, place.before, one.asks
    reply = after[0] if after else []
    silent = not _any("unknown", [reply])
    said |= {"asks, unknown next": asked and not silent, "asks, asked back": asked and bool(reply) and reply[0].asks}
    said |= {"asks, yes or no": asked and bool(reply) and silent and bool(reply[0].begins & {"yes", "no", "accept"})}
    said |= {
        "asks, answered": asked and bool(reply) and silent and not reply[0].asks,
        "asks, last": asked and not reply,
    }
    said |= {
        "asks, unknown later": asked and _any("unknown", [*after[1:3], place.rest]),
        "asks, goes on": asked and bool(place.rest),
    }
    said |= {"asks, subject next": asked and _changes(place), "asks, lasting": asked * place.lasting}
    said |= {
        "asks, settled later": asked and _any("settled", after),
        "asks, promised": asked and _any("promise", after[:1]),
    }
    said |= {"unknown, asked before": unknown and bool(before) and before[-1][-1].asks and not place.own}
    said |= {"unknown, own question": unknown and any(other.asks for other in place.own)}
    said |= {"unknown, subject next": unknown and _changes(place), "unknown, known": unknown * place.known}
    said |= {"unknown, promised": unknown and _any("promise", [place.rest, *after[:1]])}
    said |= {"unknown, settled later": unknown and _any("settled", [place.rest, *after[:2]])}
    said |= {"unknown again": unknown and _any("unknown", [reply])}
    return said


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
    """Evidence of how others reply, and whether the subject changes."""
    said: Evidence = {"subject next": _changes(place), "settled later": _any("settled", place.following)}
    said["unknown after"] = _any("unknown", [place.rest[:1]])
    asked = [other for other in place.rest if other.asks]
    said["asks after"] = any(not other.kinds & CONSENT for other in asked)
    said["asks consent after"] = any(other.kinds & CONSENT for other in asked)
    said["promise after"] = _any("promise", [place.rest])
    if place.after:
        first, size = place.after[0], sum(len(other.words) for other in place.after[0])
        said |= {
            "yes next": _agrees(first),
            "short yes next": _agrees(first) and size <= SHORT,
            "no next": _objects(first),
        }
        said |= {"asks next": first[0].asks, "short next": size <= SHORT, "unknown next": _any("unknown", [first])}
        said |= {"promise next": _any("promise", [first]), "maybe next": _any("maybe", [first])}
        said |= {"yes later": any(map(_agrees, place.after[1:])), "no later": any(map(_objects, place.after[1:]))}
        said |= {"all agree": all(map(_agrees, place.after[:2])), "unknown later": _any("unknown", place.after[1:])}
        said["proposed later"] = _any("propose", place.after[:2])
    return said


def _earlier(place: Place) -> Evidence:
    """Evidence of what was said before: in the turns before, and in the same turn."""
    said: Evidence = {}
    if place.before:
        last = place.before[-1]
        said |= {
            "yes before": _agrees(last),
            "no before": _objects(last),
            "asked before": last[-1].asks and not place.own,
        }
        said["asked, said yes"] = bool(said["asked before"]) and "yes" in place.one.first
        said |= {f"{kind} before": _any(kind, [last]) for kind in ("propose", "settled", "unknown", "maybe")}
        said |= {"proposed earlier": _any("propose", place.before), "agreed earlier": any(map(_agrees, place.before))}
        said["objected earlier"] = any(map(_objects, place.before))
    if place.own:
        near = place.own[-1]
        said |= {"own yes before": _agrees([near]), "own asks before": near.asks}
        said |= {f"own {kind} before": kind in near.kinds for kind in ("unknown", "settled", "then", "okay")}
    return said


def _written(one: Utterance) -> Evidence:
    """Evidence that only minutes have: headings, boxes to tick, names before a colon, rows of a table."""
    if one.speaker is not None:
        return {}
    text, kinds = one.text, one.kinds
    head, colon, _ = text.partition(":")
    labeled = bool(colon) and len(head.split()) <= SHORT
    by_name = labeled and all(word[0].isupper() for word in head.split()) and not HEADINGS & kinds
    said: Evidence = { **dict.fromkeys((f"under {kind}" for kind in one.heading), 1.0)}
    said |= {"box": text.startswith(("[ ]", "☐")), "ticked": text.startswith(("[x]", "[X]", "☑", "✓"))}
    said |= {"row, named": "\t" in text and one.named, "row": "\t" in text, "addressed": text.startswith("@")}
    said |= {"labeled": labeled, "label, name": by_name and one.named_first, "label, capitals": by_name}
    said |= {f"label {kind}": labeled and kind in kinds for kind in HEADINGS}
    said |= {"named": one.named, "named first": one.named_first, "agent": bool(one.subject)}
    said |= {
        "has reports": "reports" in kinds,
        "has date": "date" in kinds,
        "has past": "past" in kinds,
        "has will": "will" in kinds,
    }
    said |= {
        "clear will": "will" in kinds and _is_clear(one),
        "clear, now": _is_clear(one) and not kinds & {"past", "old"},
    }
    said |= {
        "clear, now, nobody": _is_clear(one) and not kinds & {"past", "old"} and not one.named,
        "header": one.turn < HEADER,
    }
    present = one.named_first and not kinds & {"past", "old", "maybe", "condition", "unknown", "reports", "formal"}
    said |= {
        "named first, present": present,
        "named first, assign": present and "assign" in kinds,
        "named first, soon": present and "soon" in kinds,
    }
    return said


def _changes(place: Place) -> bool:
    """Return True if the subject changes behind an utterance."""
    return _any("next", [place.rest[:1], *(turn[:1] for turn in place.following[:2])])


def _any(kind: str, turns: Iterable[Iterable[Utterance]]) -> bool:
    return any(kind in other.kinds for turn in turns for other in turn)


def _agrees(turn: Turn) -> bool:
    """Return True if a turn begins with yes, and not with a but."""
    return "yes" in turn[0].begins and "no" not in turn[0].begins


def _objects(turn: Turn) -> bool:
    return "no" in turn[0].begins


def _chair(spoken: Sequence[Utterance]) -> str | None:
    """Return who leads: the one who most often goes on to the next subject, or else speaks first."""
    turned = Counter(one.speaker for one in spoken if one.speaker and "next" in one.kinds)
    first = next((one.speaker for one in spoken if one.speaker), None)
    return max(turned, key=lambda speaker: (turned[speaker], speaker == first)) if turned else first
