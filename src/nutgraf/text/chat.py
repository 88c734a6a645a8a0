"""Chats and transcripts whose messages have time stamps, as programs export them or as people paste them.

Programs differ in where they put the name beside a time stamp. `_forms` is a table of these places. Each row is tried
on every line with a time stamp, and the one that finds most labels is taken if the times grow and the names recur. What
a program writes itself belongs to no turn: labels, notes about members and media, reactions, days.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice, pairwise
from operator import itemgetter
from typing import NamedTuple

from nutgraf.text.late import Late
from nutgraf.text.notes import HIDDEN, head_start, is_note, tail
from nutgraf.text.stamps import (
    SPACE,
    Date,
    Stamp,
    any_of,
    are_growing,
    day_words,
    full_date,
    on_date,
    stamp_in,
    times_of,
    words,
)
from nutgraf.text.times import Time
from nutgraf.text.tokenize import Span
from nutgraf.text.transcript import is_keyword, labelled_turns
from nutgraf.text.turns import Turn

FEWEST = 3
"""Minimum number of messages of a chat."""

RECURRING = 0.6
"""Minimum share of messages by people who write several."""

FEW = 6
"""Number of messages below which names need not recur if the time stamps have dates."""

SPEAKERS = 0.7
"""Minimum share of names that are not keywords, such as the levels of a log."""

CHAT = 0.4
"""Minimum share of the words that stand behind the first label."""

DENSITY = 0.04
"""Minimum share of the lines behind the first label that have one."""

SAMPLE = 300
"""Number of lines with time stamps on which all forms are tried."""

FURTHEST = 110
"""Number of characters of a line in which a time stamp is looked for."""

WIDEST = 90
"""Maximum number of characters of a line in a text whose lines a program may have wrapped."""

LONGEST_NAME = 60
"""Maximum number of characters of a name."""

MOST_NAMES = 6
"""Maximum number of words of a name."""

_HINTS = (Late(r":(?<=\d:)\d"), Late(r"\n\W{0,3}\d{1,4}[./-]\d{1,2}[./-]"))
"""Times and, at the beginning of a line, dates; each begins with a character that is quickly found."""
_LINE = Late(r"[^\n]*\S[^\n]*")
_BLANK = Late(r"\n[^\S\n]*\n")
_AROUND_NAME = Late(
    rf"^(?:[{HIDDEN}\s~@%&!]|\+(?=\D))+|[{HIDDEN}\s,:]+$|\s*[(\[].*$|#\d{{4}}$|\s*:[\w+-]+:$|\s+(?:APP|BOT)$"
)
_DASH = Late(r"\s*[—–-]{1,2}\s*")
_PHONE = Late(r"\+?[\d\s()-]{7,}")
_SENTENCE = Late(r"[!?…。]$|\w{5}\.$")
_INVISIBLE = "\u200b\u200e\u200f\ufeff"
_EVENTS = r"(?:has (?:joined|quit|left|set)|sets? mode|is now known as|was kicked|Joins:|Quits:|Parts:|Now talking)"
"""What follows a star in notes of IRC, of which many programs know no other language."""


class _Form(NamedTuple):
    """A place of the name beside a time stamp, as patterns of what stands around it; one of them has a group `name`.

    Attributes:
        before: Pattern of what precedes the time stamp on its line.
        after: Pattern of what follows it, up to what is said.
        above: Pattern of the line above, where the label has two.
        below: Pattern of the line below.
        note: Pattern of what follows the time stamp in a note of the program, which nobody says.
    """

    before: str
    after: str
    above: str = ""
    below: str = ""
    note: str = ""

    @property
    def inline(self) -> bool:
        """True if what is said stands on the line of the label."""
        return not (self.above or self.below or self.after.endswith("$"))


class _Label(NamedTuple):
    """A label from its first character to what is said; "" is the name of the program, None that of the one before.

    Attributes:
        line: First character of the line with the time stamp.
    """

    start: int
    end: int
    name: str | None
    stamp: Stamp
    line: int


class _Line(NamedTuple):
    """A line, the one above, the one below, and its time stamp."""

    start: int
    end: int
    above: Span
    below: Span
    stamp: Stamp


@cache
def _forms() -> tuple[_Form, ...]:
    name, nick = (
        rf"(?P<name>(?:[^\n:]|:(?!{SPACE}+[^\W\d])){{1,{LONGEST_NAME}}}?)",
        r"[@+~%&! ]?(?P<name>[^\s<>]{1,40}(?: [^\s<>]{1,20}){0,3})",
    )
    begin, end = rf"[{HIDDEN}]*{SPACE}*", rf"[{HIDDEN}]*{SPACE}*$"
    days = rf"(?:{day_words()}|\d{{1,2}}[./-]\d{{1,2}}\.?,?{SPACE}+)?"
    opened, closed = rf"{begin}[\[(]?", rf"[\])]?{SPACE}*"
    return (
        # WhatsApp, Zoom, transcripts: 12/03/2024, 09:15 - Ana: …; [12/03/2024, 09:15] Ana: …
        _Form(
            opened,
            rf"{closed}(?:[-–—]{SPACE}*)?(?P<name>[^\n:]{{1,{LONGEST_NAME}}}?){SPACE}?[:：](?:{SPACE}+|$)",
            note=closed,
        ),
        # IRC: 09:15 <ana> …; 09:15 * ana waves
        _Form(opened, rf"{closed}(?:<{nick}>{SPACE}|\* (?P<actor>[^\s*]\S*){SPACE}(?!{_EVENTS}))", note=closed),
        # IRC in columns, LINE: 09:15 | ana | …
        _Form(opened, rf"{closed}[|│\t]?{SPACE}*{nick}(?:{SPACE}*[|│]{SPACE}*|\t)", note=closed),
        # KakaoTalk: [Ana] [9:15 AM] …
        _Form(rf"{begin}\[{name}\]{SPACE}\[", rf"\]{SPACE}"),
        # Rev: Ana (00:03): …
        _Form(rf"{begin}{name},?{SPACE}*[\[(]", rf"[\])]:(?:{SPACE}+|$)"),
        # Slack, Teams, Google Chat, Discord: the name above the time
        _Form(rf"{begin}(?:[—–-]{SPACE}*)?{days}", end, above=rf"{begin}{name}{end}", note=end),
        # Teams, Otter, Zoom, Discord, Google Chat, Telegram: Ana  0:03; [Ana] 09:15:03; Ana — Today at 9:15 AM
        _Form(rf"{begin}\[?{name}\]?(?:{SPACE}*[,—–-]{SPACE}*|{SPACE}+)[\[(]?{days}", rf"[\])]?:?{end}", note=end),
        # DiscordChatExporter, Teams: [12-Mar-24 09:15 AM] ana
        _Form(rf"{opened}{days}", rf"{closed}(?:[-–—,]{SPACE}*)?{name}{end}", note=rf"[\])]?{end}"),
        # Teams, YouTube: the times of a cue, and the name below them
        _Form(begin, rf"{SPACE}*(?:-->|,){SPACE}*[\d:.,]+{end}", below=rf"{begin}{name}(?::{SPACE}|{end})"),
        _Form(opened, rf"[\])]?{end}", below=rf"{begin}{name}:?{end}"),
    )


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def find_turns(text: str) -> list[Turn]:
    """Turns of a chat or transcript, by time stamps or by names alone; the list is empty if a text is none.

    A turn without words at the end covers what a program wrote below the last message.
    """
    messages = _messages(text)
    labelled = labelled_turns(text)
    return messages if len(messages) >= len(labelled) else labelled


def _messages(text: str) -> list[Turn]:
    """Turns whose labels have time stamps."""
    fewest = max(FEWEST, int(DENSITY * text.count("\n\n")))
    if text.count(":") < fewest or not _hints(text, fewest):
        return []
    lines = [found.span() for found in _LINE.finditer(text) if not _DASH.fullmatch(found[0])]
    stamped = list(_stamped(text, lines))
    tried = ((_count(_labels(text, stamped[:SAMPLE], form)), form) for form in _forms())
    for _, form in sorted((one for one in tried if one[0]), key=itemgetter(0), reverse=True):
        labels = _labels(text, stamped, form)
        if _is_chat(text, labels, lines):
            return _turns(text, _to_everyone(labels), lines, form.inline)
    return []


def _hints(text: str, fewest: int) -> bool:
    """Return True for a text with so many times and dates."""
    below = f"\n{text}"
    return sum(1 for hint in _HINTS for _ in islice(hint.finditer(below), fewest)) >= fewest


def _count(labels: Sequence[_Label]) -> int:
    """Number of labels with a name."""
    return sum(bool(label.name) for label in labels)


def _stamped(text: str, lines: Sequence[Span]) -> Iterator[_Line]:
    """Lines with a time stamp."""
    nowhere = (0, 0)
    for above, (start, end), below in zip([nowhere, *lines], lines, [*lines[1:], nowhere], strict=False):
        stamp = stamp_in(text, start, min(end, start + FURTHEST))
        if stamp is not None:
            yield _Line(start, end, above, below, stamp)


def _labels(text: str, lines: Sequence[_Line], form: _Form) -> list[_Label]:
    """Labels of a form, and the notes beside them."""
    found = [label for line in lines if (label := _label(text, line, form))]
    names = Counter(label.name for label in found if label.name)
    indents = Counter(_indent(label) for label in found if names[label.name or ""] > 1)
    usual = indents.most_common(1)[0][0] if indents else -1
    dated = 2 * sum(bool(label.stamp.date) for label in found if label.name) > names.total()
    labels = list[_Label]()
    for label in found:
        if form.above and names[label.name or ""] == 1 and _indent(label) != usual:
            label = label._replace(start=label.line, name=None)  # the line above is what somebody said
        if label.name or ((labels or label.name is not None) and bool(label.stamp.date) >= dated):
            labels.append(label)
    return labels


def _indent(label: _Label) -> int:
    return label.stamp.start - label.line


def _label(text: str, line: _Line, form: _Form) -> _Label | None:
    """The label on a line, or a note of the program; None if it is neither."""
    stamp, start, end = line.stamp, line.start, line.end
    before = _compiled(form.before).fullmatch(text, start, stamp.start)
    after = _compiled(form.after).match(text, stamp.end, end) if before else None
    other = None
    if form.above:
        start, other = line.above[0], _compiled(form.above).fullmatch(text, *line.above)
    elif form.below:
        other = _compiled(form.below).match(text, *line.below)
    if before and after and (other or not (form.above or form.below)):
        last = other if form.below else after
        groups = [one.groupdict() for one in (before, after, other) if one]
        name = next((name for one in groups for key in ("name", "actor") if (name := _name(one.get(key) or ""))), "")
        if name:
            return _Label(start, last.end() if last else end, name, stamp, line.start)
    if form.note and _compiled(rf"[{HIDDEN}\s\[(]*").fullmatch(text, line.start, stamp.start):
        noted = _compiled(form.note).match(text, stamp.end, line.end)
        nobody = "" if form.inline else None
        return _Label(line.start, line.end, nobody, stamp, line.start) if noted else None
    return None


@lru_cache(4096)
def _name(written: str) -> str:
    """A name as it is shown; "" for what is none."""
    name = " ".join(_AROUND_NAME.sub("", _AROUND_NAME.sub("", written)).split())
    if len(name.split()) > MOST_NAMES or _SENTENCE.search(name):
        return ""
    return name if (any(map(str.isalpha, name)) and not is_note(name)) or _PHONE.fullmatch(name) else ""


def _to_everyone(labels: Sequence[_Label]) -> Sequence[_Label]:
    """Labels with the names of those who write, where they say who writes to whom: "From Ana to everyone"."""
    from_word, to_word = any_of(words()["from"].split()), any_of(words()["to"].split())
    writer = _compiled(rf"{from_word}\s+(.+?)(?:\s+{to_word}\s.+)?")
    found = [writer.fullmatch(label.name or "") for label in labels]
    if sum(one is not None for one in found) < _count(labels):
        return labels
    return [label._replace(name=one[1]) if one else label for label, one in zip(labels, found, strict=True)]


def _is_chat(text: str, labels: Sequence[_Label], lines: Sequence[Span]) -> bool:
    """Return True if labels explain a text: times grow, names recur, and most of it stands behind them."""
    named = [label for label in labels if label.name]
    names = Counter(label.name for label in named)
    if len(named) < FEWEST or sum(not is_keyword(label.name or "") for label in named) < SPEAKERS * len(named):
        return False
    recurring = sum(count for count in names.values() if count > 1)
    if recurring < RECURRING * len(named) and not (len(named) < FEW and all(label.stamp.date for label in named)):
        return False
    begin = named[0].start
    dense = len(labels) >= DENSITY * (len(lines) - bisect_right(lines, (begin, 0)))
    long = text[begin:].count(" ") >= CHAT * text.count(" ")
    return dense and long and are_growing([label.stamp for label in named])


def _turns(text: str, labels: Sequence[_Label], lines: Sequence[Span], inline: bool) -> list[Turn]:
    """Turns of the labels; each begins where what was said before it ends."""
    times = _times(text, labels, lines)
    ends = [*(label.start for label in labels[1:]), len(text)]
    if not inline and not any(_BLANK.search(text, *_stripped(text, *one)) for one in _between(labels)):
        start, end = _stripped(text, labels[-1].end, len(text))  # what stands below a blank line is no message
        ends[-1] = next((found.start() for found in _BLANK.finditer(text, start, end)), end)
    wrapped = max(last - first for first, last in lines) <= WIDEST
    turns, covered, name = list[Turn](), head_start(text, lines, labels[0].start), ""
    for label, end, time in zip(labels, ends, times, strict=True):
        name = name if label.name is None else label.name
        for start, stop in _said(text, label.end, end, wrapped) if name else ():
            turns.append(Turn(name, start, stop, covered, ((start, time),)))
            covered = stop
    return [*turns, *tail(text, lines, covered, ends[-1])] if turns else []


def _between(labels: Sequence[_Label]) -> Iterator[Span]:
    return ((label.end, below.start) for label, below in pairwise(labels))


def _times(text: str, labels: Sequence[_Label], lines: Sequence[Span]) -> list[Time]:
    """Times of the labels; days that stand between messages belong to the times below them."""
    times = times_of([label.stamp for label in labels])
    if any(label.stamp.date for label in labels) or not isinstance(times[0], str):
        return times
    short = (line for line in lines if line[1] - line[0] < LONGEST_NAME)
    days = [(start, day) for start, end in short if (day := full_date(text[start:end]))]
    return [_on(days, label.start, time) for label, time in zip(labels, times, strict=True)]


def _on(days: Sequence[tuple[int, Date]], start: int, time: Time) -> Time:
    before = bisect_right(days, start, key=itemgetter(0)) - 1
    return on_date(days[before][1], str(time)) if before >= 0 else time


def _said(text: str, start: int, end: int, wrapped: bool) -> Iterator[Span]:
    """Spans of what is said between two labels, without notes of a program: lines, or those in a row if wrapped."""
    begin, stop, noted = None, start, False
    for found in _LINE.finditer(text, start, end):
        line = found[0].strip()
        noted = is_note(line) or (noted and line.isdecimal())  # the number of people who react
        if begin is not None and (noted or not wrapped):
            yield begin, stop
            begin = None
        if noted:
            continue
        first, last = _stripped(text, *found.span())
        last = _unedited(text, first, last)
        begin, stop = first if begin is None else begin, last
    if begin is not None and begin < stop:
        yield begin, stop


def _unedited(text: str, start: int, end: int) -> int:
    """Where a line ends without a remark that it was edited."""
    if not text.endswith((")", ">"), start, end):
        return end
    found = _compiled(rf"{SPACE}*[{HIDDEN}]*(?:\({any_of(words()['edited'].split())}\)|<[^<>\n]{{4,50}}>)$").search(
        text, max(start, end - LONGEST_NAME), end
    )
    return found.start() if found else end


def _stripped(text: str, start: int, end: int) -> Span:
    while start < end and (text[start].isspace() or text[start] in _INVISIBLE):
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end
