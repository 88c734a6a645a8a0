"""Turns: who speaks when, in captions, transcripts and chats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from nutgraf.text.blocks import GAP
from nutgraf.text.times import Mark, Time


class Turn(NamedTuple):
    """A stretch of a transcript in which one person speaks.

    Attributes:
        speaker: The name on the label, "" if it is not known who speaks.
        start: First character of what is said.
        end: Character after it.
        label: First character of the label; `start` if there is none.
        times: Places in it, in order, and the times from which on they are said; () if these are not known.
    """

    speaker: str
    start: int
    end: int
    label: int
    times: tuple[Mark, ...] = ()

    @property
    def time(self) -> Time | None:
        """When it begins: seconds from the beginning of a recording, or by ISO 8601; None if that is not known."""
        return self.times[0][1] if self.times else None


class Utterance(NamedTuple):
    """Words of a person, and when they are said.

    Attributes:
        speaker: Name of the person, "" if it is not known.
        words: What is said.
        times: Places in the words, in order, and the times from which on they are said; () if these are not known.
    """

    speaker: str
    words: str
    times: Sequence[Mark] = ()


def written_turns(utterances: Iterable[Utterance]) -> tuple[str, list[Turn]]:
    """Return the text of a transcript and its turns, separated by blank lines; empty turns are left out."""
    pieces, turns, at = [], [], 0
    for speaker, spoken, times in utterances:
        name, words = " ".join(speaker.split()), spoken.strip()
        if not words:
            continue
        label = f"{name}: " if name else ""
        start, cut = at + len(label), len(spoken) - len(spoken.lstrip())
        marks = tuple((max(start, start + place - cut), time) for place, time in times)
        turns.append(Turn(name, start, start + len(words), at, marks))
        pieces.append(label + words)
        at += len(pieces[-1]) + len(GAP)
    return GAP.join(pieces), turns
