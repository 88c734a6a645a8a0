"""Mail as it is sent and saved (.eml): a message, those that it quotes, and files of text that are attached to it."""

from __future__ import annotations

import re

from nutgraf.readers import Reader, _decode
from nutgraf.text.document import Document

_COUNT = re.compile(rb"\s*(\d{1,12})\s*\n")
"""First line of a mail that Apple Mail keeps (.emlx): its size in bytes."""


class Eml(Reader):
    """One Document with a turn for each message, the oldest first; the subject is its title.

    Senders and times are those of the turns. Signatures, closings, legal footers, and what is quoted twice are left
    out. Attached files of text and attached mails are read; a notice names other attachments.
    """

    suffixes = (".eml", ".emlx")

    def recognizes(self, data: bytes, suffix: str) -> float:
        """Recognize the headers of a mail; see `Reader`."""
        named = 0.8 * (suffix in self.suffixes and not _decode.is_binary(data))
        if data.startswith(b"From ") or b"from" not in data[: _decode.SAMPLE].lower():
            return named
        from nutgraf.readers._mime import is_mail

        return 0.95 if is_mail(_content(data)) else named

    def read(self, data: bytes, name: str, language: str | None = None) -> list[Document]:
        """Read the message; see `Reader`."""
        from nutgraf.readers._mime import mail_of
        from nutgraf.readers._thread import thread_document

        return [thread_document([mail_of(_content(data), name)], name, language)]


def _content(data: bytes) -> bytes:
    count = _COUNT.match(data[:100])
    return data[count.end() : count.end() + int(count[1])] if count else data
