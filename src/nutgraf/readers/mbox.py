"""Mailboxes (.mbox): mails one after the other, each behind a line that begins with "From "."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from nutgraf.errors import InputError
from nutgraf.readers import Reader
from nutgraf.text.document import Document

_BEGINS = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From [^\n]*\n(?=[!-9;-~]{1,76}[ \t]*:)")
_ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)


class Mbox(Reader):
    """A Document for each thread, in the order of their first mails, with a turn for each message, the oldest first.

    What a mail quotes of another one is read once. A mail that cannot be read is left out, with a notice.
    """

    suffixes = (".mbox", ".mbx")

    def recognizes(self, data: bytes, suffix: str) -> float:
        """Recognize the beginning of a mailbox; see `Reader`."""
        return 0.96 if _BEGINS.match(data) else 0.0

    def read(self, data: bytes, name: str, language: str | None = None) -> list[Document]:
        """Read the threads; see `Reader`."""
        from nutgraf.readers._mime import mail_of
        from nutgraf.readers._thread import Mail, thread_document, threads

        mails: list[Mail] = []
        wrong: list[str] = []
        for number, content in enumerate(_mails(data), 1):
            try:
                mails.append(mail_of(content, f"{name}, mail {number:,}"))
            except InputError as error:
                wrong.append(str(error))
        if not mails:
            raise InputError(wrong[0] if wrong else f"{name} is no mailbox: no mail begins in it.")
        found = threads(mails)
        documents = [
            document
            for number, thread in enumerate(found, 1)
            if (document := thread_document(thread, _called(name, number, len(found)), language)).sentences
        ]
        if documents and wrong:
            more = f" {len(wrong) - 1:,} more are left out, too." if len(wrong) > 1 else ""
            said = f"A mail is left out: {wrong[0]}{more}"
            documents[0] = replace(documents[0], notices=(said, *documents[0].notices))
        return documents


def _mails(data: bytes) -> Iterator[bytes]:
    begins = list(_BEGINS.finditer(data))
    ends = [*(found.start() for found in begins[1:]), len(data)]
    for found, end in zip(begins, ends, strict=False):
        yield _ESCAPED.sub(rb"\1", data[found.end() : end])


def _called(name: str, number: int, count: int) -> str:
    return f"{name}:{number}" if count > 1 else name
