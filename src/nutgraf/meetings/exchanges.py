"""Exchanges: what becomes of a request by what is said after it: somebody accepts, refuses, or takes it over."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from nutgraf.meetings.utterances import Utterance

REPLIES = 3
"""Number of turns after a request in which it is answered."""

LONGEST_REPLY = 4
"""Number of utterances of a turn that are looked at for an answer."""


class Answer(NamedTuple):
    """An answer to a request.

    Attributes:
        who: Who is to do it; "" if it is refused.
        number: Number of the utterance that accepts; -1 if it is refused.
    """

    who: str
    number: int


REFUSED = Answer("", -1)


def answer_to(
    spoken: Sequence[Utterance], number: int, asked: str, named_in: Callable[[Utterance], Collection[str]]
) -> Answer | None:
    """Return the answer to a request; None if nobody answers.

    Who refuses may name another, who then takes it over by a yes; anybody else does by a promise.

    Args:
        spoken: The utterances.
        number: Number of the request.
        asked: Who is asked.
        named_in: People whose names stand in an utterance.
    """
    refused, named = False, set[str]()
    for turn in _turns_after(spoken, number):
        said = [spoken[at] for at in turn]
        speaker = said[0].speaker or ""
        if speaker == asked and refuses(said):
            refused = True
            named.update(name for one in said for name in named_in(one))
            continue
        promised = next((at for at in turn if "promise" in spoken[at].kinds and not spoken[at].asks), None)
        accepted = turn[0] if "accept" in said[0].begins and "no" not in said[0].first else None
        taken = promised if promised is not None else accepted
        if taken is None or (refuses(said) and promised is None):
            continue
        if (speaker == asked and not refused) or (refused and (promised is not None or speaker in named)):
            return Answer(speaker, taken)
    return REFUSED if refused else None


def refuses(turn: Sequence[Utterance]) -> bool:
    """Return True if a turn begins with a refusal and promises nothing."""
    return is_refusal(turn[0]) and not any("promise" in one.kinds for one in turn)


def is_refusal(one: Utterance) -> bool:
    """Return True for an utterance that refuses, and neither promises nor asks for anything."""
    return "refuse" in one.begins and not one.kinds & {"promise", "request"} and "accept" not in one.begins


def _turns_after(spoken: Sequence[Utterance], number: int) -> Iterator[list[int]]:
    """Yield the first utterances of the turns after the one of an utterance."""
    last, turns, turn = spoken[number].turn, 0, list[int]()
    for at in range(number + 1, len(spoken)):
        if spoken[at].turn != last:
            if turn:
                yield turn
            last, turn, turns = spoken[at].turn, [], turns + 1
            if turns > REPLIES:
                return
        if turns and len(turn) < LONGEST_REPLY:
            turn.append(at)
    if turn:
        yield turn
