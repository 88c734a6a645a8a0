"""Documents from JSON objects: `documents`, `sections`, `turns`, or the text itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from nutgraf.errors import InputError
from nutgraf.runtime.lines import kind_of
from nutgraf.text.clean import clean
from nutgraf.text.document import SEPARATOR, Document, Section, distinct, join
from nutgraf.text.turns import Utterance, written_turns

TEXT_KEYS = ("text", "document", "article", "body", "content")
"""Keys that may hold the text, in order of preference."""

DATE_KEYS = ("published", "date")
"""Keys that may hold the date of publication."""


def document_from_json(
    entry: Mapping[str, Any], name: str, where: str, language: str | None = None, *, once: bool = False
) -> Document:
    """Make a Document from a JSON object.

    Args:
        entry: An object with `documents` (a list of texts, the parts of one input), `sections` (a list of `{"name": …,
            "text": …}`), `turns` (a list of `{"speaker": …, "text": …}`), or a text under one of `TEXT_KEYS`.
        name: Name of the Document.
        where: Place of the object, for messages.
        language: ISO 639-1 code; None recognizes it.
        once: Leave out copies among `documents`.

    Raises:
        InputError: If the object has none of these keys, or a value of another type.
    """
    key = text_key(entry)
    if key == "documents":
        return _of_documents(entry[key], name, where, language, once)
    if key == "sections":
        return _of_sections(entry[key], name, where, language)
    if key == "turns":
        return _of_turns(entry[key], name, where, language)
    if key is None:
        raise InputError(
            f"{where}: no text was found; a key 'documents', 'sections', 'turns', {_listed(TEXT_KEYS)} is needed."
        )
    text = text_from_json(entry[key], f"{where}: {key!r}")
    published = next((entry[key] for key in DATE_KEYS if isinstance(entry.get(key), str)), "")
    return Document.of(text, name, language=language, published=published)


def text_key(entry: Mapping[str, Any]) -> str | None:
    """Return the key under which `document_from_json` finds the text of an object, None if there is none."""
    return next(_text_keys(entry), None)


def unread_keys(entry: Mapping[str, Any]) -> list[str]:
    """Return further keys of an object that may hold a text and do, which `document_from_json` does not read."""
    keys = list(_text_keys(entry))
    return [key for key in keys[1:] if entry[key] and entry[key] != entry[keys[0]]]


def _text_keys(entry: Mapping[str, Any]) -> Iterator[str]:
    """Keys of an object that may hold its text, the one that does first."""
    turns = ["turns"] if isinstance(entry.get("turns"), list) else []
    return (key for key in ("documents", "sections", *turns, *TEXT_KEYS) if key in entry)


def text_from_json(value: object, what: str) -> str:
    """Return a text, or a list of texts (sentences, paragraphs) joined by line breaks.

    Raises:
        InputError: If the value is anything else.
    """
    if isinstance(value, list):
        inside = f"{what}, a list,"
        return "\n".join(text_from_json(one, inside) for one in value)
    if not isinstance(value, str):
        raise InputError(f"{what} holds {kind_of(value)}, not a text.")
    return clean(value)


def document_from_sections(sections: Iterable[tuple[str, str]], name: str, language: str | None = None) -> Document:
    """Make a Document from pairs (name, text), separated by blank lines; empty texts are left out."""
    kept = [(title, text.strip()) for title, text in sections if text.strip()]
    spans, at = [], 0
    for title, text in kept:
        spans.append(Section(title, at, at + len(text)))
        at += len(text) + len(SEPARATOR)
    return Document.of(SEPARATOR.join(text for _, text in kept), name, sections=spans, language=language)


def _of_documents(value: object, name: str, where: str, language: str | None, once: bool) -> Document:
    texts = value if isinstance(value, list) else [value]
    kept = [text for text in (text_from_json(one, f"{where}: 'documents'") for one in texts) if text.strip()]
    if len(kept) < 2:
        return Document.of("".join(kept), name, language=language)
    documents = [Document.of(text, f"{name} ({number})", language=language) for number, text in enumerate(kept, 1)]
    return join(distinct(documents) if once else documents)


def _of_sections(value: object, name: str, where: str, language: str | None) -> Document:
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise InputError(f"{where}: 'sections' should be a list of objects with a 'name' and a 'text'.")
    pairs = [
        (str(one.get("name") or ""), _text_of(one, f"{where}: section {number}"))
        for number, one in enumerate(value, start=1)
    ]
    return document_from_sections(pairs, name, language)


def _of_turns(value: list[object], name: str, where: str, language: str | None) -> Document:
    """Return a transcript, each turn in a paragraph of its own after the name of its speaker."""
    utterances = []
    for number, one in enumerate(value, start=1):
        if not isinstance(one, dict):
            raise InputError(f"{where}: turn {number} should be an object with a 'speaker' and a 'text'.")
        speaker = text_from_json(one.get("speaker") or "", f"{where}: speaker of turn {number}")
        utterances.append(Utterance(speaker, _text_of(one, f"{where}: turn {number}")))
    text, turns = written_turns(utterances)
    return Document.of(text, name, turns=turns, language=language)


def _text_of(part: Mapping[str, Any], what: str) -> str:
    """Return the text of a section or turn; "" if it has none."""
    return text_from_json(next((part[key] for key in TEXT_KEYS if key in part), ""), what)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in names)
