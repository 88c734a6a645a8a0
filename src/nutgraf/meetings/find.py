"""Finds the minutes of a document: utterances whose odds are good, each with who, what and when."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from nutgraf.meetings.cues import LANGUAGES, Cues, cues_of
from nutgraf.meetings.dates import due
from nutgraf.meetings.evidence import KINDS, Kind, evidence
from nutgraf.meetings.exchanges import REFUSED, answer_to
from nutgraf.meetings.odds import likely
from nutgraf.meetings.people import People
from nutgraf.meetings.records import Action, Decision, Minutes, Question
from nutgraf.meetings.utterances import Utterance, utterances
from nutgraf.text.document import Document, kept
from nutgraf.text.summary import Origin, origin_of

LEAST: dict[Kind, float] = {"decision": -1.2, "action": -0.3, "question": -0.5}
"""Least log odds of what is found."""

USUAL, LENIENCE = 130, 0.6
"""Number of utterances of the longest meetings that the odds are learned from, and how much less is asked of a decision
in longer ones, where people speak less to the point, per unit of the logarithm of how much longer they are."""

RATHER = 1.0
"""Log odds by which something is rather what one person does than what all decide."""

TICKED = ("[x]", "[X]", "☑", "✓")
"""Marks of what is done."""

REPLIED = 2
"""Number of utterances after a request, or a promise, that accept it or say when."""

SHORT = 6
"""Maximum number of words of an utterance that says when."""


LOOKED_BACK = 20
"""Number of items before an utterance among which is one that says the same."""

FEWEST_TERMS, COMMON = 2, 0.5
"""Minimum number of terms of what says the same, and the share of the fewer ones that must be common."""


class Found(NamedTuple):
    """A finding about an utterance.

    Attributes:
        kind: Decision, action or question.
        number: Number of the utterance.
        odds: Its log odds.
    """

    kind: Kind
    number: int
    odds: float


class Meeting(NamedTuple):
    """Utterances of a document, the terms of each, and what was found among them."""

    spoken: list[Utterance]
    terms: list[frozenset[str]]
    found: list[Found]

    def repeats(self, earlier: int, later: int) -> bool:
        """Return True if two utterances have most of their terms in common."""
        fewer = min(len(self.terms[earlier]), len(self.terms[later]))
        return fewer >= FEWEST_TERMS and len(self.terms[earlier] & self.terms[later]) > fewer * COMMON


def uttered(document: Document) -> tuple[list[Utterance], list[frozenset[str]]]:
    """Utterances of a document and the terms of each; none in a language without phrases."""
    cues = cues_of(document.language)
    spoken = utterances(document, cues) if cues else []
    return spoken, [frozenset(one) for one in document.terms_of(one.words for one in spoken)]


@kept
def meeting_of(document: Document) -> Meeting:
    """Utterances of a document, and the decisions, actions and open questions among them."""
    spoken, terms = uttered(document)
    chances = likely(evidence(spoken, terms), "talk" if document.turns else "minutes")
    least = LEAST | {"decision": LEAST["decision"] - LENIENCE * math.log(max(1.0, len(spoken) / USUAL))}
    found = [
        Found(kind, number, chances[kind][number])
        for number, one in enumerate(spoken)
        for kind in KINDS
        if chances[kind][number] > least[kind] and not one.text.startswith(TICKED)
        if kind != "decision" or chances["action"][number] < chances[kind][number] + RATHER
    ]
    return Meeting(spoken, terms, found)


def find_minutes(document: Document) -> Minutes:
    """Return the decisions, actions and open questions of a document; see `nutgraf.minutes`."""
    cues = cues_of(document.language)
    if cues is None:
        known = ", ".join(LANGUAGES)
        said = f"Minutes are found by phrases, and there are none for this language; there are for {known}."
        return Minutes((), (), (), document, (said,))
    meeting = meeting_of(document)
    numbers = {kind: [one.number for one in meeting.found if one.kind == kind] for kind in KINDS}
    return Minutes(
        tuple(_decisions(document, meeting, numbers["decision"])),
        tuple(_actions(document, meeting, numbers["action"], cues)),
        tuple(Question(**_said(document, [meeting.spoken[at]])) for at in numbers["question"]),
        document,
    )


def _decisions(document: Document, meeting: Meeting, numbers: Sequence[int]) -> Iterator[Decision]:
    """Decisions; what is said side by side in a turn is one, and what is said again."""
    spoken = meeting.spoken

    def are_one(earlier: int, later: int) -> bool:
        beside = later == earlier + 1 and spoken[later].speaker and spoken[earlier].turn == spoken[later].turn
        return bool(beside) or meeting.repeats(earlier, later)

    for group in _grouped(numbers, are_one):
        yield Decision(**_said(document, [spoken[at] for at in group]))


def _actions(document: Document, meeting: Meeting, numbers: Sequence[int], cues: Cues) -> Iterator[Action]:
    """Actions; a request and the promise that answers it are one, and what somebody promises again."""
    spoken, people = meeting.spoken, People(document, meeting.spoken, cues)
    requests, refused = _requests(spoken, numbers, people)
    wanted = sorted({*numbers, *requests, *requests.values()} - refused)
    doers = {number: people.doer(number) for number in wanted}
    doers |= {asked: spoken[taken].speaker or "" for taken, asked in requests.items()}

    def are_one(earlier: int, later: int) -> bool:
        if later in requests:
            return requests[later] == earlier
        asked = "request" in spoken[earlier].kinds and spoken[earlier].speaker != spoken[later].speaker
        answers = asked and later - earlier <= REPLIED
        return doers[earlier] == doers[later] and (answers or meeting.repeats(earlier, later))

    for group in _grouped(wanted, are_one):
        dated = {at: due(spoken[at].text, document.language, cues) for at in group}
        promised = sorted(group, key=lambda at: at not in requests)
        when = next(filter(None, map(dated.get, promised)), "") or _when(spoken, group[0], document.language, cues)
        who = doers[group[0]]
        said = _said(document, [spoken[at] for at in group])
        yield Action(who=who, what=people.task(group[0], who), by=when, **said)


def _requests(spoken: Sequence[Utterance], numbers: Sequence[int], people: People) -> tuple[dict[int, int], set[int]]:
    """Return the request that each utterance accepts, if one of both was found, and the requests that are refused."""
    found, accepted, refused = set(numbers), dict[int, int](), set[int]()
    for number, one in enumerate(spoken):
        if one.speaker is None or "request" not in one.kinds or not (number in found or one.asks):
            continue
        asked = people.doer(number)
        answer = answer_to(spoken, number, asked, people.named_in)
        if answer == REFUSED:
            refused.add(number)
        elif answer and (answer.number in found or answer.who != asked):
            accepted[answer.number] = number
    return accepted, refused


def _grouped(numbers: Sequence[int], are_one: Callable[[int, int], bool]) -> list[list[int]]:
    """Group utterances, each with the first one of a group; compared with the last, alike ones would make a chain."""
    groups: list[list[int]] = []
    for number in numbers:
        group = next((group for group in groups[-LOOKED_BACK:] if are_one(group[0], number)), None)
        if group is None:
            groups.append([number])
        else:
            group.append(number)
    return groups


def _when(spoken: Sequence[Utterance], number: int, language: str, cues: Cues) -> str:
    """The date in a short utterance behind a promise: "Wednesday, then"."""
    for other in spoken[number + 1 : number + 1 + REPLIED]:
        if len(other.words) <= SHORT and "date" in other.kinds and spoken[number].speaker is not None:
            return due(other.text, language, cues)
    return ""


def _said(document: Document, spoken: Sequence[Utterance]) -> dict[str, Any]:
    """Text, places and speaker of one or more utterances."""
    origins: list[Origin] = [origin_of(document, one.start, one.end) for one in spoken]
    return {
        "text": " ".join(one.text.replace("\t", " ") for one in spoken),
        "sentences": tuple(dict.fromkeys(index for one in spoken for index in one.sentences)),
        "origins": tuple(origins),
        "speaker": spoken[0].speaker or None,
    }
