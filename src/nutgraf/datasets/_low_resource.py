"""Corpora of at most some hundred documents, split by text as MLS (Sarkhel et al. 2020) splits its two.

25 % are for training, 10 % for validation, 65 % for testing. Splits of the release are not used.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from nutgraf.datasets import SPLITS, TEXTLESS, Dataset, Drop, Part, Record, Row, Splits, ignore
from nutgraf.datasets._references import references_of
from nutgraf.datasets._splits import deal_as_mls
from nutgraf.errors import InputError
from nutgraf.text.json_document import document_from_json
from nutgraf.text.tokenize import sentence_texts

References = Literal["first", "all", "each"]
"""Several references: use the "first", use "all" of them for one example, or make "each" an example of its own, so that
a network learns from all of them."""

HOW = "split by nutgraf, 25/10/65, by SHA-256 of the name, seed 0"

FEWEST = 6
"""Minimum number of different documents."""


class LowResource(Dataset):
    """A corpus of at most some hundred documents, in any number of files."""

    references: References = "all"

    def rows(self, path: Path) -> Iterator[Row]:
        """Yield the rows of a file; see `Dataset`."""
        for row in self.entries(path):
            written = None if isinstance(row.content, InputError) else row.content.get("summaries")
            if self.references == "each" and isinstance(written, list) and written:
                yield from (row._replace(content={**row.entry, "summaries": [one]}) for one in written)
            else:
                yield row

    def entries(self, path: Path) -> Iterator[Row]:
        """Yield one row per example, with all its references."""
        return super().rows(path)

    def record(self, row: Row, drop: Drop = ignore) -> Record | None:
        """Make the example of a row; see `Dataset`."""
        name = self.id_of(row)
        document = document_from_json(row.entry, name, row.where, language="en")
        written = references_of(row.entry, row.where, sentence_texts)
        return Record(
            id=name,
            document=document,
            references=written[:1] if self.references == "first" else written,
            headline=str(row.entry.get("headline") or ""),
            query=str(row.entry.get("query") or ""),
        )

    def files(self, folder: Path) -> list[Path]:
        """Files of a folder that hold documents."""
        return sorted(path for path in folder.rglob("*") if path.is_file() and self.reads(path))

    def splits(self, path: Path) -> Splits:
        """Split all files 25/10/65, whatever their names."""
        if not path.exists():
            raise InputError(f"There is no {path}; name a corpus's folder or its file.")
        files = [path] if path.is_file() else self.files(path)
        if not files:
            raise InputError(f"{path} holds no file of this corpus.")
        records = [record for file in files for record in self.read(file)]
        names: dict[str, str] = {}  # of each text, such as a story that several questions are about, its first one
        for record in (one for one in records if one.document.sentences):
            names.setdefault(record.document.text, record.id)
        split_of = deal_as_mls(names.values())
        if len(split_of) < FEWEST:
            raise InputError(
                f"{path} holds {len(split_of)} different documents; a split of 25/10/65 needs {FEWEST} or more."
            )
        keys: dict[str, set[bytes]] = {split: set() for split in SPLITS}
        for text, name in names.items():
            keys[split_of[name]].add(Part.key(text))
        textless = sum(not record.document.sentences for record in records)
        # Those belong to no part; the first one tells of them.
        missing = {"train": {TEXTLESS: textless}} if textless else {}
        return {split: Part(tuple(files), frozenset(its), HOW, missing.get(split, {})) for split, its in keys.items()}
