"""What a JSON object says of a document: `documents`, `sections`, or the text itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from nutgraf.errors import InputError
from nutgraf.text.clean import clean
from nutgraf.text.document import SEPARATOR, Document, Section, join
from nutgraf.text.lines import kind_of

TEXT_KEYS = ("text", "document", "article", "body", "content")
"""The names under which a text may stand, in the order in which they are looked for."""


def document_of(entry: Mapping[str, Any], name: str, where: str, language: str | None = None) -> Document:
    """The Document of an object: `documents` (a list of texts, the parts of one input), `sections` (a list of
    `{"name": …, "text": …}`), or a text under one of `TEXT_KEYS`.

    name: what the Document is called. where: what messages call the place of this object.

    Raises InputError if it has none of these, or if they hold something else.
    """
    if "documents" in entry:
        return _of_documents(entry["documents"], name, where, language)
    if "sections" in entry:
        return _of_sections(entry["sections"], name, where, language)
    for key in TEXT_KEYS:
        if key in entry:
            return Document.of(text_of(entry[key], f"{where}: {key!r}"), name, language=language)
    raise InputError(f"{where}: there is no text here; 'documents', 'sections' or {_listed(TEXT_KEYS)} would hold one.")


def text_of(value: object, what: str) -> str:
    """A text, or a list of them (sentences, paragraphs), one a line. Raises InputError for anything else."""
    if isinstance(value, list):
        return "\n".join(text_of(one, what) for one in value)
    if not isinstance(value, str):
        raise InputError(f"{what} holds {kind_of(value)}, not a text.")
    return clean(value)


def of_sections(sections: Iterable[tuple[str, str]], name: str, language: str | None = None) -> Document:
    """One Document of (name, text) pairs, a blank line between them; empty ones are left out."""
    kept = [(title, text.strip()) for title, text in sections if text.strip()]
    spans, at = [], 0
    for title, text in kept:
        spans.append(Section(title, at, at + len(text)))
        at += len(text) + len(SEPARATOR)
    return Document.of(SEPARATOR.join(text for _, text in kept), name, sections=spans, language=language)


def _of_documents(value: object, name: str, where: str, language: str | None) -> Document:
    texts = value if isinstance(value, list) else [value]
    kept = [text for text in (text_of(one, f"{where}: 'documents'") for one in texts) if text.strip()]
    if len(kept) < 2:
        return Document.of("".join(kept), name, language=language)
    return join([Document.of(text, f"{name} ({number})", language=language) for number, text in enumerate(kept, 1)])


def _of_sections(value: object, name: str, where: str, language: str | None) -> Document:
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise InputError(f"{where}: 'sections' should be a list of objects with a 'name' and a 'text'.")
    pairs = [
        (str(one.get("name") or ""), text_of(one.get("text", ""), f"{where}: section {number}"))
        for number, one in enumerate(value, start=1)
    ]
    return of_sections(pairs, name, language)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in names)
