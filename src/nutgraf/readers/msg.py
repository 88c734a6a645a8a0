"""Mail as Outlook saves it (.msg), which python-oxmsg takes apart (the extra `mail`)."""

from __future__ import annotations

import io
from typing import Any

from nutgraf.errors import InputError
from nutgraf.readers import Reader
from nutgraf.readers._decode import decode
from nutgraf.readers._refused import OLE
from nutgraf.text.document import Document

MOST_ATTACHMENTS = 1_000
"""Maximum number of attachments that are looked at."""

_PROPERTIES = "__properties_version1.0".encode("utf-16-le")
_RTF, _HTML = 0x1009, 0x1013
"""Properties of a mail (MS-OXPROPS): its text as compressed RTF, and as HTML in bytes."""
_RECIPIENT, _ATTACHMENT = "__recip", "__attach"


class Msg(Reader):
    """One Document with a turn for each message, the oldest first; the subject is its title. See the reader `eml`."""

    suffixes = (".msg", ".oft")

    def recognizes(self, data: bytes, suffix: str) -> float:
        """Recognize a compound file with the properties of a mail; see `Reader`."""
        return 0.95 if data.startswith(OLE) and _PROPERTIES in data else 0.0

    def read(self, data: bytes, name: str, language: str | None = None) -> list[Document]:
        """Read the message; see `Reader`."""
        from nutgraf.readers._thread import thread_document

        try:
            import olefile
            import oxmsg
            import oxmsg.storage
        except ImportError as error:
            raise InputError(
                f"{name} is a mail of Outlook (MSG), which needs the package python-oxmsg: run pip install "
                "'nutgraf[mail]', or save the mail as .eml."
            ) from error
        try:
            with olefile.OleFileIO(io.BytesIO(data)) as file:
                file.root.kids = _read(file.root.kids)
                message = oxmsg.Message(oxmsg.storage.Storage.from_ole(file))
            mail = _mail(message, name)
        except InputError:
            raise
        except Exception as error:  # whatever a parser trips over, the file is damaged
            raise InputError(f"{name} is a damaged mail of Outlook ({error}); open it and save it as .eml.") from error
        return [thread_document([mail], name, language)]


def _read(kids: list[Any]) -> list[Any]:
    """The streams and storages that are read: no recipients, and not too many attachments."""
    attached = [kid for kid in kids if kid.name.startswith(_ATTACHMENT)][:MOST_ATTACHMENTS]
    return [kid for kid in kids if not kid.name.startswith((_RECIPIENT, _ATTACHMENT))] + attached


def _mail(message: Any, name: str) -> Any:
    from nutgraf.readers._letter import letter
    from nutgraf.readers._mail_words import Head, name_of, time_in
    from nutgraf.readers._thread import Mail

    headers = {key.lower(): value for key, value in message.message_headers.items()}
    sent = message.sent_date
    time = time_in(headers.get("date", "")) or (sent.isoformat() if sent else "")
    body = message.body or ""
    if not body.strip():
        body = letter(_html(message, name), name)
    if not body.strip() and message.properties.binary_prop_value(_RTF):
        raise InputError(f"{name} has its text as RTF alone; open it in Outlook, and save it as text or as .eml.")
    mail = Mail(Head(name_of(message.sender or ""), time, message.subject), body)
    for attachment in message.attachments:
        called = attachment.file_name or "a mail or an object"
        if (attachment.mime_type or "").startswith("text/") and attachment.file_bytes:
            mail.files.append((called, decode(attachment.file_bytes, name).text))
        else:
            mail.attached.append(called)
    return mail


def _html(message: Any, name: str) -> str:
    data = message.properties.binary_prop_value(_HTML)
    return decode(data, name, message.properties.body_encoding).text if data else message.html_body or ""
