"""Columns that nobody named: where the texts and the ids of tables were found is told before the work."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from nutgraf.batch.sources import Source
from nutgraf.batch.tables import LinesFile, TableFile
from nutgraf.errors import InputError
from nutgraf.runtime.lines import parse_object
from nutgraf.text.json_document import text_key

EXPECTED = ("text", "documents", "sections", "turns")
"""Columns of texts of which nothing is said."""

_ROWS = 16
"""Rows in which one is looked for that can be read."""


def guessed(sources: Iterable[Source], options: Mapping[str, Any]) -> list[str]:
    """Return sentences about the columns that texts and ids are taken from, where that is not plain."""
    told = defaultdict[str, list[str]](list)
    for source in sources:
        row = _row(source) if isinstance(source, LinesFile | TableFile) else None
        if row is not None:
            told[_sentence(row, options)].append(source.name)
    return [f"{_listed(names)}: {said}" for said, names in told.items() if said]


def _row(source: Source) -> Mapping[str, Any] | None:
    """Return the first row of a table that can be read, None if the first few cannot."""
    for item in islice(source.items(0), _ROWS):
        try:
            if isinstance(item.content, str):
                return parse_object(item.content, item.place)
        except InputError:
            continue
        if isinstance(item.content, Mapping):
            return item.content
    return None


def _sentence(row: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    """Return what is to be said of a table with such a row, "" if nothing."""
    text, name = text_key(row), options.get("id_column", "id")
    said, others = [], []
    if text is not None and text not in EXPECTED and "text_column" not in options:
        said.append(f"the texts are those of the column {text}")
        others.append("--set dataset.text_column=…")
    if name not in row:
        said.append(f"there is no column {name}, so a row is called by its file and its number")
        others.append("--set dataset.id_column=…")
    name_others = "names another" if len(others) == 1 else "name others"
    return f"{'; '.join(said)}. {' and '.join(others)} {name_others}." if said else ""


def _listed(names: list[str]) -> str:
    """Return one name and the number of the others."""
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1:,} more"
