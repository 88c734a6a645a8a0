"""Chats as ZIP archives: Slack's exports have a folder of JSON files for each channel, WhatsApp's a file of text."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator
from itertools import groupby

from nutgraf.errors import InputError
from nutgraf.readers import Reader
from nutgraf.readers._archive import archive_of, check_sizes
from nutgraf.readers._decode import decode
from nutgraf.readers._exports import SLACK, list_of, utterances, value_of
from nutgraf.text.document import Document
from nutgraf.text.turns import written_turns

_DAY = re.compile(r"[^/]+/\d{4}-\d\d-\d\d\.json")
_CHAT = re.compile(r"(?:_chat|WhatsApp [^/]*)\.txt")
_USERS = "users.json"


class ChatArchive(Reader):
    """A Document for each channel of an export of Slack, or the chat of an export of WhatsApp; media are not read."""

    suffixes = (".zip",)

    def recognizes(self, data: bytes, suffix: str) -> float:
        """Recognize an archive by the names of its files; see `Reader`."""
        archive = archive_of(data)
        return 0.95 if archive and any(_is_read(name) for name in archive.namelist()) else 0.0

    def read(self, data: bytes, name: str, language: str | None = None) -> list[Document]:
        """Read the documents; see `Reader`."""
        archive = archive_of(data)
        parts = [part for part in archive.infolist() if _is_read(part.filename)] if archive else []
        if archive is None or not parts:
            raise InputError(f"{name} is no ZIP archive of a chat as Slack or WhatsApp export it.")
        parts.sort(key=lambda part: part.filename)
        check_sizes([*parts, *(part for part in archive.infolist() if part.filename == _USERS)], name)
        try:
            return list(_documents(archive, parts, name, language))
        except InputError:
            raise
        except Exception as error:  # whatever a parser trips over, the file is damaged
            raise InputError(f"{name} is a damaged archive ({error}); export the chat anew.") from error


def _is_read(part: str) -> bool:
    return _DAY.fullmatch(part) is not None or _CHAT.fullmatch(part) is not None


def _documents(
    archive: zipfile.ZipFile, parts: list[zipfile.ZipInfo], name: str, language: str | None
) -> Iterator[Document]:
    users = _values(archive, archive.getinfo(_USERS), name) if _USERS in archive.namelist() else []
    for channel, days in groupby(parts, key=lambda part: posixpath.dirname(part.filename)):
        if channel:
            messages, wrong = list[object](), list[str]()
            for day in days:
                try:
                    messages += _values(archive, day, name)
                except InputError as error:
                    wrong.append(f"A file is left out: {error}")
            text, turns = written_turns(utterances({"users": users, "messages": messages}, SLACK))
            yield Document.of(text, f"{name}:{channel}", turns=turns, language=language, notices=wrong)
        else:
            for chat in days:
                decoded = decode(archive.read(chat), name)
                yield Document.of(decoded.text, name, language=language, notices=decoded.notices)


def _values(archive: zipfile.ZipFile, part: zipfile.ZipInfo, name: str) -> list[object]:
    called = f"{name}:{part.filename}"
    return list_of(value_of(decode(archive.read(part), called).text, SLACK, called))
