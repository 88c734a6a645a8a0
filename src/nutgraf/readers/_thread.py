"""Mails become documents: one for each thread, with a turn for each message, the oldest first.

What one mail quotes of another is read once. The subject is the title.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from nutgraf.readers._blocks import LIMIT, too_long
from nutgraf.readers._mail_words import Head, without_prefixes
from nutgraf.readers._quoted import Message, messages_in
from nutgraf.text.blocks import GAP
from nutgraf.text.clean import clean
from nutgraf.text.document import Document, Section
from nutgraf.text.turns import Turn, Utterance, written_turns

SHINGLE = 5
"""Words in a row that are compared with what was said before."""

SAID = 0.7
"""Share of such words from which a quotation was said before."""

MOST_ATTACHED = 5
"""Maximum number of attachments that a notice names."""

LONGEST_NAME = 200
"""Maximum number of characters of a title, and of the names of senders and files."""

_LAST = "9"
"""Sorts behind every time."""


@dataclass
class Mail:
    """A mail as it was sent.

    Attributes:
        head: Who sent it, when, and its subject.
        body: Its text, with what it quotes.
        key: Its Message-ID.
        references: Message-IDs of mails that it answers.
        files: Names and texts of attached files of text, which are read.
        attached: Names of the other attachments, which are not.
        forwarded: Mails that are attached to it.
        notices: What was odd, as what follows the name of the file in a sentence.
    """

    head: Head
    body: str = ""
    key: str = ""
    references: Sequence[str] = ()
    files: list[tuple[str, str]] = field(default_factory=list)
    attached: list[str] = field(default_factory=list)
    forwarded: list[Mail] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)


def pasted(text: str, name: str = "", language: str | None = None, notices: Iterable[str] = ()) -> Document | None:
    """Return the Document of mail that is pasted as plain text; None for any other text."""
    messages = messages_in(text)
    return _document(messages, "", (), name, language, notices) if messages else None


def thread_document(mails: Sequence[Mail], name: str, language: str | None, notices: Iterable[str] = ()) -> Document:
    """Return the Document of one thread; the mails are in order."""
    subject = next((mail.head.subject for mail in mails if mail.head.subject), "")
    every = list(_with_forwarded(mails))
    messages = (message for mail in every for message in messages_in(mail.body, mail.head))
    files = [file for mail in every for file in mail.files]
    return _document(messages, subject, files, name, language, [*notices, *notices_of(every, name)])


def _with_forwarded(mails: Iterable[Mail]) -> Iterator[Mail]:
    """The mails, each behind those that are attached to it."""
    for mail in mails:
        yield from _with_forwarded(mail.forwarded)
        yield mail


def threads(mails: Iterable[Mail]) -> list[list[Mail]]:
    """Sort mails into threads, in the order of their first mails.

    A mail answers those whose Message-IDs it names. One that names none, but says "Re:", belongs to the thread of its
    subject. A mail that is there twice, with the same text, is read once.
    """
    threads: list[list[Mail]] = []
    owner: dict[str, int] = {}
    parent: list[int] = []

    def root(thread: int) -> int:
        while parent[thread] != thread:
            parent[thread] = thread = parent[parent[thread]]
        return thread

    known: set[tuple[str, str]] = set()
    for mail in mails:
        if mail.key and (mail.key, mail.body) in known:
            continue
        known.add((mail.key, mail.body))
        subject, answers = without_prefixes(mail.head.subject)
        title = f"subject {subject.casefold()}" if subject else ""
        keys = [key for key in (mail.key, *mail.references) if key]
        found = {root(owner[key]) for key in keys if key in owner}
        if not found and answers and not mail.references and title in owner:
            found = {root(owner[title])}
        thread = min(found, default=len(threads))
        if thread == len(threads):
            threads.append([])
            parent.append(thread)
        for other in found - {thread}:
            parent[other] = thread
            threads[thread] += threads[other]
            threads[other] = []
        threads[thread].append(mail)
        owner.update(dict.fromkeys(keys, thread))
        if title:
            owner.setdefault(title, thread)
    return [sorted(thread, key=_moment) for thread in threads if thread]


def _moment(mail: Mail) -> str:
    from nutgraf.text.publication import moment_of

    return moment_of(mail.head.time) or _LAST


def notices_of(mails: Iterable[Mail], name: str) -> Iterator[str]:
    """Yield what was odd, once, and which attachments are not read."""
    mails = list(mails)
    for notice, count in Counter(notice for mail in mails for notice in mail.notices).items():
        yield f"{name}{notice}" + (f" (in {count:,} mails)." if count > 1 else ".")
    attached = [_on_one_line(file) for mail in mails for file in mail.attached]
    if attached:
        several = len(attached) > 1
        named = ", ".join(attached[:MOST_ATTACHED])
        more = f" and {len(attached) - MOST_ATTACHED:,} others" if len(attached) > MOST_ATTACHED else ""
        yield f"{name}: {len(attached):,} attachment{'s are' if several else ' is'} left out: {named}{more}."


class _Said:
    """Remembers what was said before, in words, so that a quotation of it is found however its lines are broken."""

    def __init__(self) -> None:
        self._seen: set[int] = set()

    def knows(self, text: str) -> bool:
        shingles = self._shingles(text)
        return sum(one in self._seen for one in shingles) >= SAID * len(shingles)

    def add(self, text: str) -> None:
        self._seen.update(self._shingles(text))

    @staticmethod
    def _shingles(text: str) -> list[int]:
        words = text.casefold().split()
        last = max(1, len(words) - SHINGLE + 1)
        return [hash(tuple(words[start : start + SHINGLE])) for start in range(last)]


def _told_once(messages: Iterable[Message]) -> Iterator[Message]:
    """Messages without quotations of what was said before; what one sends goes on where a quotation was left out."""
    said, last = _Said(), None
    for message in messages:
        if message.quoted and said.knows(message.text):
            continue
        said.add(message.text)
        if last and last.head == message.head:
            last = last._replace(text=last.text + GAP + message.text)
        else:
            if last:
                yield last
            last = message
    if last:
        yield last


def _document(
    messages: Iterable[Message],
    subject: str,
    files: Iterable[tuple[str, str]],
    name: str,
    language: str | None,
    notices: Iterable[str],
) -> Document:
    told, remarks = _within_limit(_told_once(messages), name)
    subject = subject or next((message.head.subject for message in reversed(told) if message.head.subject), "")
    title = _on_one_line(without_prefixes(subject)[0])
    body, turns = written_turns(
        Utterance(message.head.sender, message.text, [(0, message.head.time)] if message.head.time else ())
        for message in told
    )
    text = title + GAP + body if title else body
    turns = [_below(turn, len(text) - len(body), first=number == 0) for number, turn in enumerate(turns)]
    sections = [Section(title, len(text) - len(body), len(text))] if title else []
    for file, content in files:
        text += GAP if text else ""
        sections.append(Section(_on_one_line(file), len(text), len(text) + len(content)))
        text += content
    times = [message.head.time for message in told if message.head.time]
    return Document.of(
        text, name, sections=sections, turns=turns, language=language, notices=[*notices, *remarks],
        published=max(times, default=""),
    )  # fmt: skip


def _on_one_line(name: str) -> str:
    return " ".join(clean(name).split())[:LONGEST_NAME]


def _below(turn: Turn, shift: int, first: bool) -> Turn:
    """A turn further down; the title above the first one is part of its label, so that it belongs to no sentence."""
    times = tuple((place + shift, time) for place, time in turn.times)
    return Turn(turn.speaker, turn.start + shift, turn.end + shift, 0 if first else turn.label + shift, times)


def _within_limit(messages: Iterable[Message], name: str) -> tuple[list[Message], list[str]]:
    kept: list[Message] = []
    size = 0
    for message in messages:
        message = Message(
            message.head._replace(sender=_on_one_line(message.head.sender)),
            clean(message.text).strip(),
            message.quoted,
        )
        size += len(message.text) + len(message.head.sender) + 2 * len(GAP)
        if size > LIMIT:
            return kept, [too_long(name)]
        if message.text:
            kept.append(message)
    return kept, []
