"""The place of an utterance: what is said before and after it, by whom, and of which words.

Only a number of turns and of utterances around one is looked at, so that a meeting costs as much as it has utterances.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from nutgraf.meetings.utterances import Utterance

AROUND = 4
"""Number of turns before and after an utterance that count."""

LONGEST = 12
"""Number of utterances of a turn that are looked at."""

NEAR, WIDE = 8, 20
"""Numbers of utterances around one in which its words may be said, and before it in which they may be proposed."""

EARLY = 6
"""Number of utterances with which a meeting begins."""

PROPOSING = frozenset(("propose", "maybe"))
"""Kinds of phrases that propose something."""

Turn = Sequence[Utterance]

Terms = frozenset[str]


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
        early: True at the beginning of the meeting.
        known: Share of its terms that were said shortly before.
        lasting: Share of its terms that are said shortly after.
        drops: Share of its terms that are not said in a longer time after.
        new: True if none of its terms was said in a longer time before.
        echo: Share of its terms that were in a question or a proposal in that time.
        raised: Share of questions and proposals in that time.
        cohesion: Likeness of what is said before and after.
    """

    def __init__(self, spoken: Sequence[Utterance], terms: Sequence[Terms], number: int, turns: Turns) -> None:
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
        self.early = number < EARLY
        self._compare(spoken, terms, number)

    def _compare(self, spoken: Sequence[Utterance], terms: Sequence[Terms], number: int) -> None:
        """Compare its terms with those around it."""
        said, long_before = terms[number], range(max(0, number - WIDE), number)
        raised = [at for at in long_before if spoken[at].asks or spoken[at].kinds & PROPOSING]
        earlier, later = _union(terms[max(0, number - NEAR) : number]), _union(terms[number + 1 : number + 1 + NEAR])
        both = len(earlier) * len(later)
        self.known, self.lasting = _share(said, earlier), _share(said, later)
        self.cohesion = len(earlier & later) / both**0.5 if both else 0.0
        self.echo = _share(said, _union(terms[at] for at in raised))
        self.raised = len(raised) / WIDE
        self.new = not said & _union(terms[at] for at in long_before)
        self.drops = 1 - _share(said, _union(terms[number + 1 : number + 1 + WIDE])) if said else 0.0

    @property
    def reply(self) -> Turn:
        """The first turn of somebody else after it."""
        return self.after[0] if self.after else ()

    @property
    def changes(self) -> bool:
        """True if the subject changes behind it."""
        return any_of("next", [self.rest[:1], *(turn[:1] for turn in self.following[:2])])


class Turns:
    """Turns of a meeting, each a range of utterances, and who leads."""

    def __init__(self, spoken: Sequence[Utterance]) -> None:
        self.members: dict[int, range] = {}
        for number, one in enumerate(spoken):
            self.members[one.turn] = range(self.members.get(one.turn, range(number, number)).start, number + 1)
        self.order = list(self.members)
        self.place = {turn: at for at, turn in enumerate(self.order)}
        self.chair = _chair(spoken)

    def beginning(self, spoken: Sequence[Utterance], place: int) -> Turn:
        """Utterances with which a turn begins."""
        return [spoken[index] for index in self.members[self.order[place]][:LONGEST]]

    def end(self, spoken: Sequence[Utterance], place: int) -> Turn:
        """Utterances with which a turn ends."""
        return [spoken[index] for index in self.members[self.order[place]][-LONGEST:]]


def any_of(kind: str, turns: Iterable[Iterable[Utterance]]) -> bool:
    """Return True if a phrase of a kind is in one of some turns."""
    return any(kind in other.kinds for turn in turns for other in turn)


def agrees(turn: Turn) -> bool:
    """Return True if a turn begins with yes, and not with a but."""
    return bool(turn) and "yes" in turn[0].begins and "no" not in turn[0].begins


def objects(turn: Turn) -> bool:
    """Return True if a turn begins with no, or with a but."""
    return bool(turn) and "no" in turn[0].begins


def _union(terms: Iterable[Terms]) -> Terms:
    return Terms().union(*terms)


def _share(said: Terms, others: Terms) -> float:
    return len(said & others) / len(said) if said else 0.0


def _chair(spoken: Sequence[Utterance]) -> str | None:
    """Return who leads: the one who most often goes on to the next subject, or else speaks first."""
    turned = Counter(one.speaker for one in spoken if one.speaker and "next" in one.kinds)
    first = next((one.speaker for one in spoken if one.speaker), None)
    return max(turned, key=lambda speaker: (turned[speaker], speaker == first)) if turned else first
