"""Words and their ids."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from nutgraf.errors import InputError
from nutgraf.runtime.files import write_text
from nutgraf.runtime.metadata import read_record

SCHEMA = "nutgraf.vocabulary/1"

PAD, UNK, BOS, EOS = "<pad>", "<unk>", "<s>", "</s>"
SPECIALS = (PAD, UNK, BOS, EOS)
"""Padding, unknown word, beginning and end of a text, with ids 0, 1, 2, 3."""


@dataclass(frozen=True)
class _Written:
    schema: Literal["nutgraf.vocabulary/1"]
    specials: tuple[str, ...]
    words: tuple[str, ...]


class Vocabulary:
    """Words with ids from 0; special words come first."""

    def __init__(self, words: Iterable[str], specials: Sequence[str] = SPECIALS) -> None:
        """Make a vocabulary.

        Raises:
            ValueError: If a word occurs twice, or the special words are not the first.
        """
        self.words: tuple[str, ...] = tuple(words)
        self.specials = tuple(specials)
        self._ids = {word: number for number, word in enumerate(self.words)}
        if len(self._ids) < len(self.words):
            twice = [word for word, count in Counter(self.words).items() if count > 1]
            raise ValueError(f"a vocabulary has each word once, but {twice[0]!r} more than once")
        if self.words[: len(self.specials)] != self.specials or UNK not in self.specials:
            raise ValueError(f"a vocabulary begins with its special words {self.specials}, {UNK} among them")

    @classmethod
    def build(
        cls,
        counts: Mapping[str, int],
        vocab_size: int = 50_000,
        min_frequency: int = 1,
        specials: Sequence[str] = SPECIALS,
    ) -> Vocabulary:
        """Make a vocabulary of the most frequent words.

        Ties are broken alphabetically, so that the same counts give the same ids.

        Args:
            counts: Frequency of each word.
            vocab_size: Largest number of words, special words included.
            min_frequency: Smallest frequency of a word.
            specials: Special words.
        """
        ranked = sorted(
            (-count, word) for word, count in counts.items() if count >= min_frequency and word not in specials
        )
        return cls([*specials, *(word for _, word in ranked[: max(0, vocab_size - len(specials))])], specials)

    def ids_of(self, words: Iterable[str]) -> list[int]:
        """Return the ids of words; that of `<unk>` for words outside the vocabulary."""
        return [self._ids.get(word, self._ids[UNK]) for word in words]

    def save(self, path: str | Path) -> None:
        """Write the vocabulary as JSON.

        Raises:
            OutputError: If it cannot be written.
        """
        content = {"schema": SCHEMA, "specials": self.specials, "words": self.words[len(self.specials) :]}
        write_text(path, json.dumps(content, ensure_ascii=False, indent=0) + "\n")

    @classmethod
    def load(cls, path: str | Path) -> Vocabulary:
        """Read what `save` wrote.

        Raises:
            InputError: If the file holds anything else.
        """
        written = read_record(path, _Written, "a vocabulary that this program wrote")
        try:
            return cls([*written.specials, *written.words], written.specials)
        except ValueError as error:
            raise InputError(f"{path} is not a vocabulary that this program wrote: {error}.") from error
