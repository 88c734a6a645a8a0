"""Words and their numbers. Words of a source that the vocabulary does not know keep numbers of their own, above it, so
that they can be copied (See, Liu and Manning 2017, Sec. 2.2)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from nutgraf.errors import InputError
from nutgraf.files import write_text
from nutgraf.metadata import Shape, read_object

SCHEMA = "nutgraf.vocabulary/1"
FILE_SHAPE: Shape = {"schema": SCHEMA, "specials": [str], "words": [str]}

PAD, UNK, BOS, EOS = "<pad>", "<unk>", "<s>", "</s>"
SPECIALS = (PAD, UNK, BOS, EOS)
"""What stands for no word, any unknown word, and the two ends of a text; their numbers are 0, 1, 2, 3."""


class Vocabulary:
    """Words with numbers from 0; the special ones come first.

    Raises ValueError if a word stands there twice, or if the special words are not the first.
    """

    def __init__(self, words: Iterable[str], specials: Sequence[str] = SPECIALS) -> None:
        self.words: tuple[str, ...] = tuple(words)
        self.specials = tuple(specials)
        self._numbers = {word: number for number, word in enumerate(self.words)}
        if len(self._numbers) < len(self.words):
            twice = [word for word, count in Counter(self.words).items() if count > 1]
            raise ValueError(f"a vocabulary has each word once, but {twice[0]!r} more than once")
        if self.words[: len(self.specials)] != self.specials or UNK not in self.specials:
            raise ValueError(f"a vocabulary begins with its special words {self.specials}, {UNK} among them")

    @classmethod
    def build(
        cls,
        counts: Mapping[str, int],
        size: int = 50_000,
        least: int = 1,
        specials: Sequence[str] = SPECIALS,
    ) -> Vocabulary:
        """The most frequent words, `size` at most with the special ones, each seen `least` times or more.

        Equally frequent words come in alphabetical order, so that the same counts give the same numbers.
        """
        ranked = sorted((-count, word) for word, count in counts.items() if count >= least and word not in specials)
        return cls([*specials, *(word for _, word in ranked[: max(0, size - len(specials))])], specials)

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self._numbers

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vocabulary) and (self.words, self.specials) == (other.words, other.specials)

    def __hash__(self) -> int:
        return hash((self.words, self.specials))

    def number(self, word: str) -> int:
        """The number of a word; that of `<unk>` for a word that is not known."""
        return self._numbers.get(word, self._numbers[UNK])

    def numbers(self, words: Iterable[str]) -> list[int]:
        """The numbers of words."""
        return [self.number(word) for word in words]

    def source(self, words: Iterable[str]) -> tuple[list[int], tuple[str, ...]]:
        """Numbers of a source's words, and its unknown words: the first of these has the number `len(self)`, the next
        one more, and so on, in the order in which they first occur."""
        unknown: dict[str, int] = {}
        numbers = [
            self._numbers[word] if word in self._numbers else unknown.setdefault(word, len(self) + len(unknown))
            for word in words
        ]
        return numbers, tuple(unknown)

    def target(self, words: Iterable[str], unknown: Sequence[str]) -> list[int]:
        """Numbers of a target's words, where the source had the words `unknown`; words in neither become `<unk>`."""
        above = {word: len(self) + index for index, word in enumerate(unknown)}
        return [self._numbers.get(word, above.get(word, self._numbers[UNK])) for word in words]

    def show(self, numbers: Iterable[int], unknown: Sequence[str] = ()) -> list[str]:
        """The words of numbers; `unknown` are the source's own. Raises ValueError for a number that none has."""
        return [self._show(number, unknown) for number in numbers]

    def save(self, path: str | Path) -> None:
        """Write it as JSON. Raises OutputError."""
        content = {"schema": SCHEMA, "specials": self.specials, "words": self.words[len(self.specials) :]}
        write_text(path, json.dumps(content, ensure_ascii=False, indent=0) + "\n")

    @classmethod
    def load(cls, path: str | Path) -> Vocabulary:
        """Read what `save` wrote. Raises InputError for anything else."""
        content = read_object(path, FILE_SHAPE, "a vocabulary that this program wrote")
        try:
            return cls([*content["specials"], *content["words"]], content["specials"])
        except ValueError as error:
            raise InputError(f"{path} is not a vocabulary that this program wrote: {error}.") from error

    def _show(self, number: int, unknown: Sequence[str]) -> str:
        if 0 <= number < len(self.words):
            return self.words[number]
        if len(self) <= number < len(self) + len(unknown):
            return unknown[number - len(self)]
        raise ValueError(f"no word has the number {number}; there are {len(self)} and {len(unknown)} of the source")
