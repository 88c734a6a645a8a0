"""Synonyms from a folder with WordNet's database files (Miller 1995).

The files are `index.*`, `data.*` and `*.exc`, described in WordNet's manual page wndb(5wn); the base forms of a word
are found as in morphy(7wn). Synonyms of several words ("motor vehicle") are left out.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from nutgraf.errors import InputError

ENDINGS: dict[str, tuple[tuple[str, str], ...]] = {
    "noun": (
        ("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
        ("men", "man"), ("ies", "y"),
    ),
    "verb": (
        ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""),
    ),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}  # fmt: skip
"""Suffixes of each part of speech, and their replacements."""


class Synonyms:
    """Words that share a sense with a word, including the word itself."""

    def __init__(self, folder: str | Path) -> None:
        """Read WordNet's files."""
        self._parts = [_PartOfSpeech(Path(folder), name) for name in ENDINGS]
        self._of = lru_cache(maxsize=100_000)(self._look_up)

    def __call__(self, word: str) -> frozenset[str]:
        """Return the synonyms of a lowercased word."""
        return self._of(word)

    def _look_up(self, word: str) -> frozenset[str]:
        return frozenset({word}.union(*(part.synonyms(word) for part in self._parts)))


class _PartOfSpeech:
    """WordNet's files for one part of speech."""

    def __init__(self, folder: Path, name: str) -> None:
        self._endings = ENDINGS[name]
        self._senses = {
            line.split(" ", 1)[0]: line
            for line in _read(folder / f"index.{name}").decode("utf-8").splitlines()
            if not line.startswith(" ")
        }
        self._data = _read(folder / f"data.{name}")
        exceptions = (line.split() for line in _read(folder / f"{name}.exc").decode("utf-8").splitlines())
        self._exceptions = {form: bases for form, *bases in exceptions}

    def synonyms(self, word: str) -> set[str]:
        """Words that share a sense with a word."""
        return {
            synonym
            for form in self._base_forms(word)
            for offset in self._offsets(form)
            for synonym in self._words_at(offset)
            if "_" not in synonym
        }

    def _base_forms(self, word: str) -> set[str]:
        bases = self._exceptions.get(word) or [
            word.removesuffix(ending) + instead for ending, instead in self._endings if word.endswith(ending)
        ]
        return {form for form in (word, *bases) if form in self._senses}

    def _offsets(self, form: str) -> list[int]:
        """Offsets of the senses of a form; its line: lemma, part of speech, number of senses, …, an offset a sense."""
        fields = self._senses[form].split()
        return [int(offset) for offset in fields[-int(fields[2]) :]]

    def _words_at(self, offset: int) -> list[str]:
        """Words of a sense; its line is offset, file, type, number of words in hexadecimal, each word and a number."""
        fields = self._data[offset : self._data.index(b"\n", offset)].decode("utf-8").split(" ")
        words = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
        return [word.split("(", 1)[0] for word in words]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(
            f"{path} cannot be read: {error.strerror or error}. The synonyms need a folder with WordNet's database "
            "files, as /usr/share/wordnet from Debian's package wordnet-base."
        ) from error
