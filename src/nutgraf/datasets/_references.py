"""References of an entry, shared by the data sets in JSON lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from nutgraf.errors import InputError
from nutgraf.runtime.lines import kind_of
from nutgraf.text.json_document import text_from_json

Reference = tuple[str, ...]
"""A summary as its sentences."""


def references_of(entry: Mapping[str, Any], where: str, split: Callable[[str], Reference]) -> tuple[Reference, ...]:
    """Return the references of an entry: its `summaries`, else the sentences `summary_sents`, else its `summary`."""
    several = entry.get("summaries") or []
    if not isinstance(several, list):
        raise InputError(f"{where}: 'summaries' should be a list of texts, not {kind_of(several)}.")
    if several:
        return tuple(_reference(one, f"{where}: 'summaries'", split) for one in several)
    for key in ("summary_sents", "summary"):
        if entry.get(key):
            return (_reference(entry[key], f"{where}: {key!r}", split),)
    return ()


def _reference(value: object, what: str, split: Callable[[str], Reference]) -> Reference:
    if isinstance(value, list):
        return tuple(text_from_json(sentence, what) for sentence in value)
    return split(text_from_json(value, what))
