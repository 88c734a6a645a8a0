"""The messages in the body of a mail: what its sender wrote, and what is quoted there, the oldest first.

Programs quote in two ways. Lines that begin with ">" stand below a line such as "On 3 May, Tom Reyes wrote:"; or
everything below the headers of an older message is that message, and so on. Answers may stand between the lines that
they answer; then all stay in the order of the text. Otherwise what is quoted is older than what is written above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from typing import NamedTuple

from nutgraf.readers._mail_words import LONGEST_HEAD, Head, Surety, attribution, closing_line, footer, header_at
from nutgraf.text.blocks import GAP
from nutgraf.text.greetings import greetings
from nutgraf.text.late import Late

DEEPEST = 20
"""Levels of quotation that are told apart; whatever is quoted more deeply is read as one message."""

LONGEST_SIGNATURE = 15
"""Lines behind a closing, such as "Best regards", that may be a signature."""

LONGEST_FOOTER = 2_000
"""Maximum number of characters of a paragraph that may be a footer."""

MOST_CLOSING = 3
"""Words of a closing that is known by its comma and the sender's name below it."""

MOST_SALUTATION = 5
"""Words of a line such as "Hi Tom," that stands above the first sentence."""

_MARK = Late(r"[^\S\n]?>[^\S\n]?(?!=)")
_ALL_MARKS = Late(r"(?:[^\S\n]?>)+[^\S\n]?(?!=)")
_RULE = Late(r"[\s*]*(?:[-_=]{3,}.{0,60}|_{8,})[\s*]*$")
_ATTRIBUTION_BEGINS = Late(r"\s*(?:On|In a message|Am|Le|El|Il|Em|Op|[^\W\d_]{2,12}[.,]|\d)\s")
_SENDER = Late(r"(?:From|Von|De|Da|Van|От)[^\S\n]?\*{0,2}[:：]")
_SIGNATURE = Late(r"^(?:--|—|–)[^\S\n]*$", re.MULTILINE)
_LIST_FOOTER = Late(r"^[_=~-]{10,}[^\S\n]*\n(?=(?:.*\n){0,6}.*(?:https?://|www\.|@))", re.MULTILINE)
_PARAGRAPHS = Late(r"\n[^\S\n]*\n\s*|\n(?=P\.?\s?P?\.?S\.?\s?[:.–-]?\s)")
_SENTENCE_ENDS = Late(r"[.!?…]['\"”’)]*$")


class Message(NamedTuple):
    """One message, or a stretch of it between quotations.

    Attributes:
        head: Who sent it, and when.
        text: What it says, without its signature and what is quoted in it.
        quoted: True if it stands in another message.
    """

    head: Head
    text: str
    quoted: bool


def messages_in(text: str, head: Head | None = None) -> list[Message]:
    """Return the messages in a body, the oldest first; [] if a text that is not known to be a mail is none.

    Args:
        text: The body.
        head: What is known of the message; None for a text that may be a mail or not.
    """
    lines = text.split("\n") if head or _may_quote(text) else []
    if head is None and not _quotes(lines):
        return []
    return list(_messages(lines, head or Head(), 0, head is not None))


def _may_quote(text: str) -> bool:
    """Return True for a text with a mark, an address or a header: most texts have none."""
    return text.startswith(">") or "\n>" in text or "\n >" in text or "@" in text or _SENDER.search(text) is not None


def _quotes(lines: Sequence[str]) -> bool:
    """Return True if headers or a line above a quotation say who wrote a part of a text."""
    known = len(list(_stretches(lines, Head(), False))) > 1
    return known or any(source not in (None, Head()) for source, _ in _pieces(lines, False))


def _messages(lines: Sequence[str], head: Head, depth: int, is_mail: bool) -> Iterator[Message]:
    stretches = [(own, rest) for own, rest in _stretches(lines, head, is_mail) if any(line.strip() for line in rest)]
    for own, rest in stretches if _ascending(stretches) else reversed(stretches):
        yield from _with_quotations(rest, own, depth, depth > 0 or own is not head, is_mail or own is not head)


def _ascending(stretches: Sequence[tuple[Head, Sequence[str]]]) -> bool:
    """Return True if the times of messages rise from top to bottom, as in a digest."""
    times = [head.time[:16] for head, _ in stretches if head.time]
    rises = sum((before < after) - (before > after) for before, after in pairwise(times))
    return rises > 0


def _stretches(lines: Sequence[str], head: Head, is_mail: bool) -> Iterator[tuple[Head, list[str]]]:
    """Stretches between headers of quoted messages, or lines above what is quoted without marks."""
    own: list[str] = []
    index = barren = 0
    while index < len(lines):
        found, end = header_at(lines, index) if index >= barren else (None, barren)
        if found and (is_mail or not any(map(str.strip, own)) or (found.sender and found.time)):
            yield head, _without_rule(own)
            head, own, is_mail, index = found, [], True, end
            continue
        barren = end
        line = lines[index]
        if line.rstrip().endswith((":", "：")) and not _is_quoted(_next(lines, index + 1)):
            surety = Surety.UNMARKED_IN_MAIL if is_mail else Surety.UNMARKED
            found, above = _attributed([*own[-2:], line], surety)
            if found:
                yield head, own[: len(own) - above]
                head, own, is_mail = found, [], True
                index += 1
                continue
        own.append(line)
        index += 1
    yield head, own


def _without_rule(lines: list[str]) -> list[str]:
    """Lines without the rule ("-----Original Message-----") that stands above headers."""
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    return lines[: end - 1] if end and _RULE.match(lines[end - 1]) else lines[:end]


def _next(lines: Sequence[str], index: int) -> str:
    """The first line that is not blank."""
    return next((lines[at] for at in range(index, min(index + 4, len(lines))) if lines[at].strip()), "")


def _is_quoted(line: str) -> bool:
    return ">" in line[:3] and _MARK.match(line) is not None


def _attributed(lines: Sequence[str], surety: Surety) -> tuple[Head | None, int]:
    """Who wrote what follows the last of some lines, and how many lines above it belong to that line."""
    if len(lines[-1]) > LONGEST_HEAD:
        return None, 0
    for above in range(len(lines) - 1, -1, -1):
        window = lines[len(lines) - 1 - above :]
        if all(map(str.strip, window)) and (not above or _ATTRIBUTION_BEGINS.match(window[0])):
            found = attribution(" ".join(map(str.strip, window)), surety)
            if found:
                return found, above
    return None, 0


def _with_quotations(lines: Sequence[str], head: Head, depth: int, quoted: bool, is_mail: bool) -> Iterator[Message]:
    """Yield what is quoted with marks, and its own text: in the order of the text if answers stand between."""
    found: list[tuple[bool, list[Message]]] = []
    for source, rest in _pieces(lines, is_mail):
        text = own_text("\n".join(rest), head.sender) if source is None else ""
        messages = [Message(head, text, quoted)] if text else list(_quotation(rest, source, depth)) if source else []
        found.append((source is None, messages))
    found = [(own, messages) for own, messages in found if messages]
    if found and found[0][0] and not any(own for own, _ in found[1:]):
        found = [*found[1:], found[0]]
    for _, messages in found:
        yield from messages


def _quotation(lines: Sequence[str], head: Head, depth: int) -> Iterator[Message]:
    if depth < DEEPEST:
        yield from _messages([_MARK.sub("", line, count=1) for line in lines], head, depth + 1, True)
    elif text := own_text("\n".join(_ALL_MARKS.sub("", line, count=1) for line in lines), head.sender):
        yield Message(head, text, True)


def _pieces(lines: Sequence[str], is_mail: bool) -> Iterator[tuple[Head | None, list[str]]]:
    """Own lines of a message (None) and lines with marks, by who wrote them; blank own lines are left out.

    Where a quotation goes on behind an answer, its source is that of the one before.
    """
    groups = [
        [line for line, _ in group] for _, group in groupby(zip(lines, _marked(lines), strict=True), itemgetter(1))
    ]
    source, marked = Head(), bool(groups) and _is_quoted(groups[0][0])
    for number, group in enumerate(groups):
        if marked:
            yield source, group
        else:
            if number + 1 < len(groups):
                source, group = _source(group, source, is_mail)
            if any(map(str.strip, group)):
                yield None, group
        marked = not marked


def _marked(lines: Sequence[str]) -> list[bool]:
    """True for each line with a mark, and for blank ones between these."""
    found = [_is_quoted(line) for line in lines]
    last = -1
    for index, line in enumerate(lines):
        if found[index]:
            if last >= 0:
                found[last + 1 : index] = [True] * (index - last - 1)
            last = index
        elif line.strip():
            last = -1
    return found


def _source(lines: list[str], before: Head, is_mail: bool) -> tuple[Head, list[str]]:
    """Who wrote what is quoted below some lines, and the lines without the one that says so."""
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    surety = Surety.MARKED_IN_MAIL if is_mail else Surety.MARKED
    found, above = _attributed(lines[max(0, end - 3) : end], surety) if end else (None, 0)
    return (found, lines[: end - 1 - above]) if found else (before, lines)


def own_text(text: str, sender: str = "") -> str:
    r"""Return the text of a message without its signature and footers; a salutation is a paragraph of its own.

    >>> own_text("Hi Tom,\nthe rent is low.\nBest regards\nAnna Berg", "Anna Berg")
    'Hi Tom,\n\nthe rent is low.'
    """
    signature = _SIGNATURE.search(text)
    text = text[: signature.start()] if signature else text
    listed = list(_LIST_FOOTER.finditer(text))
    text = text[: listed[-1].start()] if listed and text.count("\n", listed[-1].start()) <= LONGEST_SIGNATURE else text
    kept = [one.strip("\n") for one in _PARAGRAPHS.split(text) if one.strip() and not _is_footer(one)]
    return GAP.join(_with_salutation(_without_closing(kept, sender))).rstrip()


def _is_footer(paragraph: str) -> bool:
    return len(paragraph) <= LONGEST_FOOTER and footer().search(paragraph) is not None


def _without_closing(paragraphs: list[str], sender: str) -> list[str]:
    """Paragraphs without a closing near the end and the signature behind it; a postscript stays."""
    lines = 0
    for index in range(len(paragraphs) - 1, -1, -1):
        closing = closing_line().search(paragraphs[index])
        if closing:
            before = paragraphs[index][: closing.start()].rstrip()
            rest = [one for one in paragraphs[index + 1 :] if _SENTENCE_ENDS.search(one.rstrip())]
            return [*paragraphs[:index], *([before] if before else []), *rest]
        lines += paragraphs[index].count("\n") + 1
        if lines > LONGEST_SIGNATURE:
            break
    return _without_name(paragraphs, sender)


def _without_name(paragraphs: list[str], sender: str) -> list[str]:
    """Paragraphs without a last line that names the sender, and a few words with a comma above it."""
    lines = GAP.join(paragraphs).split("\n")
    words = {word.strip(".,-–—/*").casefold() for word in lines[-1].split()} - {""}
    names = set(sender.casefold().split())
    if len(lines) < 2 or not words or not words <= names | {name[0] for name in names}:
        return paragraphs
    rest = "\n".join(lines[:-1]).rstrip()
    above = rest.rpartition("\n")[2]
    if above.endswith((",", "，")) and len(above.split()) <= MOST_CLOSING:
        rest = rest[: len(rest) - len(above)].rstrip()
    return rest.split(GAP) if rest else paragraphs


def _with_salutation(paragraphs: list[str]) -> list[str]:
    if not paragraphs:
        return []
    first, line_end, rest = paragraphs[0].partition("\n")
    words = first.split()
    greets = first.rstrip().endswith((",", "!", ":", "，", "！")) or next(greetings(words), None) == 0
    short = len(words) <= MOST_SALUTATION and greets
    return [first, rest, *paragraphs[1:]] if line_end and short else paragraphs
