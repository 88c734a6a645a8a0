"""Mails as they are sent (RFC 5322, MIME): their headers, their text, and what is attached to them.

Recipients are not read, so that it does not matter how many there are. What comes as plain text and as HTML is read as
plain text, unless that says less.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from nutgraf.errors import InputError
from nutgraf.readers._decode import decode
from nutgraf.readers._letter import letter
from nutgraf.readers._mail_words import Head, name_of, time_in
from nutgraf.readers._thread import Mail
from nutgraf.text.clean import clean

if TYPE_CHECKING:
    from email.message import Message

MOST_BYTES = 1 << 26
"""Maximum size of a mail in bytes."""

MOST_LINES = 2_000_000
"""Maximum number of lines of a mail."""

MOST_PARTS = 100_000
"""Maximum number of lines that may part a mail."""

DEEPEST = 100
"""Maximum number of mails and parts within each other."""

LONGEST_HEADER = 4_000
"""Maximum number of characters of a header that are read."""

PLAIN_ENOUGH = 1 / 3
"""Share of the words of an HTML part from which the plain text beside it is taken for the whole text."""

_READ = re.compile(
    rb"^(?:from|date|subject|message-id|in-reply-to|references|mime-version|content-[a-z-]+)[ \t]*:"
    rb"(?:[^\r\n]*(?:\r?\n|\r|\Z))(?:[ \t][^\r\n]*(?:\r?\n|\r|\Z))*",
    re.IGNORECASE | re.MULTILINE,
)
_END = re.compile(rb"\r?\n[ \t]*\r?\n|\r[ \t]*\r")
_FIELD = rb"[!-9;-~]{1,76}[ \t]*:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*(?:\r?\n|\r|\Z)"
_HEAD = re.compile(rb"\s*(?:From [^\r\n]*\r?\n)?((?:" + _FIELD + rb")+)")
_SENDER = re.compile(rb"^from[ \t]*:", re.IGNORECASE | re.MULTILINE)
_OTHERS = re.compile(rb"^(?:date|message-id|received|mime-version|content-type)[ \t]*:", re.IGNORECASE | re.MULTILINE)
_SOFT_BREAK = re.compile(rb"^(>[^\r\n]*)=[ \t]*(\r?\n)(?=>)", re.MULTILINE)
_KEY = re.compile(r"<[^<>\s]{1,250}>")
_CHARSET = re.compile(r"[\w.:+-]{1,40}")
_ENCRYPTED = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")
_READ_FILES = ("text/plain", "text/markdown", "text/csv")
_SILENT = ("application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature", "text/calendar")


def is_mail(data: bytes) -> bool:
    """Return True if bytes begin with the headers of a mail: who sent it, and what only programs write."""
    head = _HEAD.match(data[: 1 << 16].removeprefix(b"\xef\xbb\xbf"))
    return head is not None and _SENDER.search(head[1]) is not None and _OTHERS.search(head[1]) is not None


def mail_of(data: bytes, name: str) -> Mail:
    """Return a mail.

    Raises:
        InputError: If it is too large, nested too deeply or encrypted; `name` is its name, for the message.
    """
    from email import message_from_bytes

    _check(data, name)
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    if b"quoted-printable" in data:
        data = _SOFT_BREAK.sub(rb"\1\2", data)  # a quoted line that was broken after it had been encoded
    end = _END.search(data)
    at = end.start() if end else len(data)
    fields = (field[: 4 * LONGEST_HEADER].rstrip() + b"\n" for field in _READ.findall(data[:at]))
    head = b"".join(fields)
    try:
        return _mail(message_from_bytes(head + b"\n" + data[at:].lstrip(b"\r\n")), name, 0)
    except RecursionError:
        raise _too_deep(name) from None
    except (LookupError, TypeError, ValueError) as error:  # what the standard library does not expect in a header
        raise InputError(f"{name} is a damaged mail ({error}); save its text alone.") from error


def _check(data: bytes, name: str) -> None:
    for size, most, what in (
        (len(data), MOST_BYTES, "bytes"),
        (data.count(b"\n"), MOST_LINES, "lines"),
        (data.count(b"\n--"), MOST_PARTS, "parts"),
    ):
        if size > most:
            raise InputError(f"{name} is a mail of more than {most:,} {what}; save its text alone.")


def _too_deep(name: str) -> InputError:
    return InputError(f"{name} cannot be read: its parts are nested too deeply, as no mail program does it.")


def _mail(message: Message, name: str, depth: int) -> Mail:
    if depth > DEEPEST:
        raise _too_deep(name)
    if message.get_content_type() in _ENCRYPTED:
        raise InputError(f"{name} is encrypted; open it in your mail program, and save it decrypted or copy its text.")
    found = Mail(
        Head(name_of(_header(message, "from")), _time(_header(message, "date")), _header(message, "subject")),
        key=next(iter(_keys(message, "message-id")), ""),
        references=[*_keys(message, "references"), *_keys(message, "in-reply-to")],
    )
    found.body = "\n\n".join(text for text in _texts(message, found, name, depth) if text.strip())
    return found


def _texts(part: Message, mail: Mail, name: str, depth: int) -> Iterator[str]:
    """Texts of a part; what else there is goes to the mail."""
    if depth > DEEPEST:
        raise _too_deep(name)
    kind, payload = part.get_content_type(), cast(Any, part).get_payload() if part.is_multipart() else None
    if kind == "message/rfc822" and isinstance(payload, list):
        mail.forwarded += [_mail(one, name, depth + 1) for one in payload]
    elif kind == "multipart/alternative" and isinstance(payload, list):
        yield _best([(one.get_content_type(), "\n\n".join(_texts(one, mail, name, depth + 1))) for one in payload])
    elif isinstance(payload, list):
        for one in payload:
            yield from _texts(one, mail, name, depth + 1)
    else:
        yield from _leaf(part, kind, mail, name)


def _best(versions: list[tuple[str, str]]) -> str:
    """The plain text, unless another version says much more."""
    plain = next((text for kind, text in versions if kind == "text/plain"), "")
    other = max((text for kind, text in versions if kind != "text/plain"), key=len, default="")
    return plain if len(plain.split()) >= PLAIN_ENOUGH * len(other.split()) and plain.strip() else other


def _leaf(part: Message, kind: str, mail: Mail, name: str) -> Iterator[str]:
    file = _file(part)
    attached = part.get_content_disposition() == "attachment" or (bool(file) and not kind.startswith("text/"))
    if kind in ("text/plain", "text/html") and not attached:
        text = _decoded(part, mail, name)
        yield letter(text, name) if kind == "text/html" else text
    elif kind in _READ_FILES and attached:
        mail.files.append((file or "attachment", _decoded(part, mail, name).strip()))
    elif attached and kind not in _SILENT:
        mail.attached.append(file or kind)


def _decoded(part: Message, mail: Mail, name: str) -> str:
    """Text of a part, in the encoding that it declares or that its bytes show."""
    data = _payload(part, mail)
    charset = str(part.get_content_charset("") or "")
    charset = charset if _CHARSET.fullmatch(charset) else ""
    if data.isascii() and charset not in ("", "us-ascii", "utf-8"):
        try:
            return clean(data.decode(charset))  # ISO-2022-JP and UTF-7 are all ASCII
        except (LookupError, UnicodeError):
            pass
    if not data.strip():
        return ""
    try:
        decoded = decode(data, name, charset)
    except InputError:
        mail.notices.append(": a part that is called text is none, and is left out")
        return ""
    mail.notices += [notice.removeprefix(name).rstrip(".") for notice in decoded.notices]
    return decoded.text


def _payload(part: Message, mail: Mail) -> bytes:
    encoding = str(part.get("content-transfer-encoding", "")).strip().lower()
    data = part.get_payload(decode=True)
    if part.defects and encoding == "base64":
        mail.notices.append(": a part is damaged (base64), and read as far as it goes")
    return data if isinstance(data, bytes) else b""


def _file(part: Message) -> str:
    try:
        return _unescaped(str(part.get_filename("") or ""))[:LONGEST_HEADER]
    except (LookupError, UnicodeError, ValueError, TypeError):
        return ""


def _header(message: Message, key: str) -> str:
    """A header on one line, without the encoding of its words."""
    return " ".join(clean(_unescaped(str(message.get(key, ""))[:LONGEST_HEADER])).split())


def _unescaped(value: str) -> str:
    from email.errors import HeaderParseError
    from email.header import decode_header, make_header

    value = value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    try:
        return str(make_header(decode_header(value))) if "=?" in value else value
    except (HeaderParseError, LookupError, UnicodeError, ValueError):
        return value


def _time(value: str) -> str:
    from email.utils import parsedate_to_datetime

    try:
        return parsedate_to_datetime(value).isoformat()
    except (TypeError, ValueError, IndexError, OverflowError):
        return time_in(value)


def _keys(message: Message, key: str) -> list[str]:
    return _KEY.findall(str(message.get(key, ""))[: 4 * LONGEST_HEADER])
