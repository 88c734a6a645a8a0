"""Captions: cues become turns, shared by WebVTT and SubRip.

A sentence may run over several cues. A new speaker, named by a voice tag or by "NAME:" or announced by a dash or by
">>", begins a new turn. Numbers, times, positions, styles and sounds are left out.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import ClassVar, NamedTuple

from nutgraf.errors import InputError
from nutgraf.readers._decode import TextReader, decode
from nutgraf.text.blocks import GAP
from nutgraf.text.document import Document
from nutgraf.text.late import Late
from nutgraf.text.stop_words import ENGLISH
from nutgraf.text.times import Mark
from nutgraf.text.transcript import speaker_on_label
from nutgraf.text.turns import Utterance, written_turns

ARROW = "-->"
"""What stands between the two times of a cue."""

ROLLING = 0.3
"""Share of cues that begin with the last line of the cue before, from which captions roll: lines are shown twice."""

PUNCTUATED = 0.2
"""Share of cues with an end mark, below which captions are taken for those of a program that writes none."""

PAUSE = 1.0
"""Pause in seconds that ends a sentence in captions without end marks."""

LONG_PAUSE = 2.0
"""Pause in seconds that ends a paragraph between sentences."""

MOST_WORDS = 25
"""Number of words after which a sentence ends with its cue in captions without end marks."""

_TIME = Late(r"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})")
_REMARK = Late(r"(?:NOTE|STYLE|REGION)\b")
_VOICE = Late(r"<v(?:\.[^\s>]*)?\s+([^>]*)>")
_TAG = Late(r"</?[A-Za-z][^<>]*>|<[\d:.]+>|\{\\[^{}]*\}")
_SOUND = Late(r"\[[^\]]*\]|\([^().!?]*\)|[♪♫].*|[\s♪♫#*]+")
_NEW_SPEAKER = Late(r"(?:>>+|[-–—](?=\s?[^\W_]))\s*")
_LABEL = Late(r"([^\W\d_][^:\n]{0,40}?)\s?:\s+(?=\S)")
_ENDS = Late(r"[.!?…][\"'”’»)\]]*(?=\s|$)")
_OPEN = Late(r"[\w'’]$")
_TITLE = Late(r"[^\W\d_a-z][^a-z,]+, [^.!?]+|[^a-z.!?]*[A-Z]{2}[^a-z.!?]*")


@dataclass
class Cue:
    """Lines that are shown together, and when, in seconds (0 where it cannot be read)."""

    start: float
    end: float
    lines: list[str] = field(default_factory=list)


class _Piece(NamedTuple):
    """A line of a cue: who begins to speak, None if nobody does; the pause before it; and when the cue is shown."""

    speaker: str | None
    text: str
    pause: float
    start: float | None


class CaptionReader(TextReader):
    """Makes one Document with turns; a sentence may run over several cues."""

    remarks: ClassVar[bool]
    """Blocks that begin with NOTE, STYLE or REGION are none of the captions."""

    def read(self, data: bytes, name: str, language: str | None = None) -> list[Document]:
        """Read the document; see `Reader`."""
        decoded = decode(data, name)
        cues = _cues(decoded.text, self.remarks)
        if not cues:
            raise InputError(
                f"{name} holds no captions: it has no line of times such as 00:01:02.000 --> 00:01:05.000."
            )
        text, turns = written_turns(_turns(list(_pieces(_without_repetitions(cues)))))
        return [Document.of(text, name, turns=turns, language=language, notices=decoded.notices)]


def _cues(text: str, remarks: bool) -> list[Cue]:
    """Cues in order; the line above the times is an identifier if a blank line precedes it, or if it is a number."""
    cues: list[Cue] = []
    lines: list[tuple[str, bool]] = []
    blank, skipped = True, False
    for line in (line.strip() for line in text.lstrip("\ufeff").split("\n")):
        if ARROW in line:
            if lines and not blank and (lines[-1][1] or lines[-1][0].isdigit()):
                lines.pop()
            _close(cues, lines)
            cues.append(_cue(line))
            lines, skipped = [], False
        elif line:
            skipped = (skipped and not blank) or (remarks and blank and _REMARK.match(line) is not None)
            if not skipped:
                lines.append((line, blank))
        blank = not line
    _close(cues, lines)
    return cues


def _close(cues: Sequence[Cue], lines: Iterable[tuple[str, bool]]) -> None:
    """Give its lines to the last cue; what precedes the first one is the head of the file."""
    if cues:
        cues[-1].lines = [line for line, after_blank in lines if not (after_blank and line.isdigit())]


def _cue(line: str) -> Cue:
    times = [
        3600 * int(hours or 0) + 60 * int(minutes) + int(seconds) + int(part.ljust(3, "0")) / 1000
        for hours, minutes, seconds, part in _TIME.findall(line)
    ]
    return Cue(times[0], times[1]) if len(times) == 2 else Cue(0, 0)


def _without_repetitions(cues: Sequence[Cue]) -> list[Cue]:
    """Cues with their lines as text, without those that a rolling display shows again."""
    shown = [Cue(cue.start, cue.end, [line for raw in cue.lines if (line := _plain(raw))]) for cue in cues]
    shown = [cue for cue in shown if cue.lines]
    again = sum(_goes_on(after.lines[0], before.lines[-1]) for before, after in pairwise(shown))
    if again < max(2, ROLLING * len(shown)):
        return shown
    last: list[str] = []
    kept: list[Cue] = []
    for cue in shown:
        lines = cue.lines
        known = next((n for n in range(len(lines), 0, -1) if lines[:n] == last[-n:]), 0)
        new = lines[known:]
        if new and last and _goes_on(new[0], last[-1]):
            new = [new[0][len(last[-1]) :].strip(), *new[1:]]
        last = lines
        cue.lines = [line for line in new if line]
        if cue.lines or not kept:
            kept.append(cue)
        else:
            kept[-1].end = cue.end
    return kept


def _goes_on(line: str, before: str) -> bool:
    return line == before or line.startswith(before + " ")


def _plain(line: str) -> str:
    """A line without tags and positions; voice tags stay. "" for a sound."""
    kept = _TAG.sub(lambda tag: tag[0] if _VOICE.fullmatch(tag[0]) else "", line)
    text = " ".join(html.unescape(kept).replace("\u200b", "").split())
    return "" if _SOUND.fullmatch(_VOICE.sub("", text).strip()) else text


def _pieces(cues: Sequence[Cue]) -> Iterator[_Piece]:
    """Lines of the cues, each with the speaker who begins there."""
    voices = any(_VOICE.search(line) for cue in cues for line in cue.lines)
    labels = Counter(found[1] for cue in cues for line in cue.lines if (found := _LABEL.match(_undashed(line))))
    end = 0.0
    for cue in cues:
        start = cue.start if cue.end else None
        pause = max(0.0, cue.start - end) if cue.start else 0.0
        end = cue.end
        voiced = False
        for line in cue.lines:
            before, *rest = _VOICE.split(line)
            if before:
                yield _spoken(before, labels, _Piece("" if voices and not voiced else None, "", pause, start))
                pause = 0.0
            for name, text in zip(rest[::2], rest[1::2], strict=True):
                voiced = True
                if text.strip():
                    yield _Piece(" ".join(name.split()), text.strip(), pause, start)
                    pause = 0.0


def _undashed(line: str) -> str:
    return _NEW_SPEAKER.sub("", _VOICE.sub("", line), count=1) if _NEW_SPEAKER.match(line) else line


def _spoken(line: str, labels: Counter[str], piece: _Piece) -> _Piece:
    """A piece with a line without a voice tag; a name in capitals, or one that recurs, is a label."""
    text = _undashed(line)
    found = _LABEL.match(text)
    if found and (found[1].isupper() or labels[found[1]] > 1) and (name := speaker_on_label(found[1])):
        return piece._replace(speaker=name, text=text[found.end() :])
    return piece._replace(speaker=piece.speaker if text == line else "", text=text)


def _turns(pieces: Sequence[_Piece]) -> Iterator[Utterance]:
    """Speakers and what they say, and when."""
    punctuated = sum(_ENDS.search(piece.text) is not None for piece in pieces) >= PUNCTUATED * len(pieces)
    capitals = 2 * sum(piece.text.isupper() for piece in pieces) > len(pieces)
    speaker, words = "", 0
    paragraphs: list[list[_Piece]] = [[]]
    for piece in pieces:
        title = not capitals and _TITLE.fullmatch(piece.text) is not None
        spoken = paragraphs != [[]]
        if piece.speaker is not None and (piece.speaker != speaker or not piece.speaker) and spoken:
            yield _utterance(speaker, paragraphs)
            paragraphs, words = [[]], 0
        elif paragraphs[-1] and (title or _is_parted(paragraphs[-1][-1].text, piece, punctuated, words)):
            paragraphs.append([])
            words = 0
        speaker = speaker if piece.speaker is None else piece.speaker
        paragraphs[-1].append(piece)
        words += len(piece.text.split())
        if title:
            paragraphs.append([])
    yield _utterance(speaker, paragraphs)


def _utterance(speaker: str, paragraphs: Iterable[Sequence[_Piece]]) -> Utterance:
    """Words of a speaker in some pieces; blank lines separate paragraphs."""
    texts, marks, at = list[str](), list[Mark](), 0
    for paragraph in filter(None, paragraphs):
        texts.append(" ".join(piece.text for piece in paragraph))
        for piece in paragraph:
            marks += [] if piece.start is None else [(at, piece.start)]
            at += len(piece.text) + 1
        at += len(GAP) - 1
    return Utterance(speaker, GAP.join(texts), marks)


def _is_parted(before: str, piece: _Piece, punctuated: bool, words: int) -> bool:
    """Return True if a new paragraph begins with a piece after a line."""
    if not punctuated:
        return piece.pause >= PAUSE or words >= MOST_WORDS
    if not _OPEN.search(before):
        return piece.pause >= LONG_PAUSE and _ENDS.search(before[-5:]) is not None
    first = piece.text.split()[0].strip("\"'“”‘’")
    return first[:1].isupper() and not first.startswith("I") and first.casefold() in ENGLISH
