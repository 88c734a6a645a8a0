"""JSON lines: one document per line; also a JSON file with one object, or a list of objects."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from nutgraf.errors import InputError
from nutgraf.readers._decode import TextReader, decode, is_binary, sample
from nutgraf.runtime.lines import kind_of, loads, parse_lines
from nutgraf.runtime.metadata import json_reason
from nutgraf.text.document import Document
from nutgraf.text.json_document import document_from_json, unread_keys


class Jsonl(TextReader):
    """One Document per object.

    Its text is in `documents`, in `sections`, in `turns`, or in `text` (or `document`, `article`, `body`, `content`).
    Of several of these the first is read, and a notice names the others.
    """

    suffixes = (".jsonl", ".json", ".ndjson")

    confidence = 0.8

    def recognizes(self, data: bytes, suffix: str) -> float:
        """Recognize a JSON object or list; see `Reader`."""
        named, head = super().recognizes(data, suffix), sample(data)
        if is_binary(data) or not head.startswith(("{", "[")):
            return named
        return 0.95 if named else 0.9 * _is_object(head.split("\n", 1)[0])

    def read(self, data: bytes, name: str, language: str | None = None) -> list[Document]:
        """Read the documents; see `Reader`."""
        decoded = decode(data, name)
        text = decoded.text[: decoded.text.rfind("\n") + 1] if decoded.cut else decoded.text
        documents, unread = list[Document](), Counter[str]()
        for unit, number, entry in _entries(text, name):
            documents.append(
                document_from_json(entry, f"{name}:{number}", f"{name}, {unit} {number}", language, once=True)
            )
            unread.update(unread_keys(entry))
        filled = [document for document in documents if document.sentences]
        notices = list(decoded.notices)
        if empty := len(documents) - len(filled):
            notices.append(f"{name}: {empty} empty document{'s were' if empty > 1 else ' was'} skipped.")
        notices += (
            f"{name}: {key!r} of {count:,} object{'s' if count > 1 else ''} is left out; the text of an object stands "
            "under one key."
            for key, count in unread.items()
        )
        if filled and notices:
            filled[0] = replace(filled[0], notices=(*notices, *filled[0].notices))
        return filled


def _entries(text: str, name: str) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Objects, each with the unit and the number of its place."""
    whole = _whole(text, name)
    if whole is None:
        lines = enumerate(text.split("\n"), start=1)
        yield from (("line", number, entry) for number, entry in parse_lines(lines, name))
        return
    for number, entry in enumerate(whole if isinstance(whole, list) else [whole], start=1):
        if isinstance(entry, str):
            entry = {"text": entry}
        if not isinstance(entry, dict):
            raise InputError(f"{name}, item {number}: an object or a text is needed, not {kind_of(entry)}.")
        yield "item", number, entry


def _whole(text: str, name: str) -> Any:
    """Parse the file as one JSON value; None if it has one per line."""
    first = text.lstrip().split("\n", 1)[0].strip()
    if _is_object(first):
        return None
    try:
        return loads(text)
    except json.JSONDecodeError as error:
        if first in ("{", "["):
            raise InputError(f"{name}, line {error.lineno}: this is not valid JSON ({error.msg}).") from error
        return None
    except (RecursionError, ValueError) as error:
        raise InputError(f"{name}: this is JSON that cannot be read: {json_reason(error)}.") from error


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
