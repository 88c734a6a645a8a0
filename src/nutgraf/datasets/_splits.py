"""Which files of a folder, or which examples of a file, are training, validation and test data."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from nutgraf.errors import InputError

if TYPE_CHECKING:
    from nutgraf.datasets import Record

T = TypeVar("T")

SPLITS = ("train", "validation", "test")

ALIASES = {
    "train": "train",
    "training": "train",
    "validation": "validation",
    "valid": "validation",
    "val": "validation",
    "dev": "validation",
    "development": "validation",
    "test": "test",
    "testing": "test",
}
"""The words by which a name tells its split."""

HELD_BACK = 0.05
"""Share of a file's texts that becomes its validation data, and as much its test data."""

SEED = 0

TEXTLESS = "no text"
"""Why an example is in no part of a split."""

MLS_SHARES = (Fraction(25, 100), Fraction(10, 100), Fraction(65, 100))
"""MLS (Sarkhel et al. 2020) splits its small sets so. It gives no seed; ours is 0."""

_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True)
class Part:
    """One split of a corpus.

    keys: of the examples' texts, where files hold other splits too; None for all there are. how: how the split came
    about, where the corpus has none. missing: what should be there and is not, by reason, with counts.
    """

    files: tuple[Path, ...]
    keys: frozenset[bytes] | None = None
    how: str = ""
    missing: Mapping[str, int] = field(default_factory=dict)

    def has(self, text: str) -> bool:
        """Whether an example with this text belongs to it."""
        return self.keys is None or self.key(text) in self.keys

    @staticmethod
    def key(text: str) -> bytes:
        """Where a text comes in the order in which texts are dealt out."""
        return hashlib.sha256(f"{SEED}\n{text}".encode()).digest()[:8]


Splits = dict[str, Part]


def files_in(folder: Path) -> list[Path]:
    """The files of a folder and of the folders in it, by name. Raises InputError."""
    try:
        found = [path for path in (*folder.glob("*"), *folder.glob("*/*")) if path.is_file()]
    except OSError as error:
        raise InputError(f"{folder} cannot be read: {error.strerror or error}.") from error
    return sorted(path for path in found if not path.name.startswith("."))


def split_named(path: Path) -> str | None:
    """The split that the name of a file tells by its first word that is one, or the whole name of its folder."""
    words = [*re.split(r"[^a-z]+", path.name.lower()), path.parent.name.lower()]
    return next((ALIASES[word] for word in words if word in ALIASES), None)


def by_name(files: Sequence[Path], split_of: Callable[[Path], str | None]) -> Splits:
    """The files of each split. Raises InputError where a split is there in two forms."""
    found: Splits = {}
    for split in SPLITS:
        its = tuple(path for path in files if split_of(path) == split)
        forms: defaultdict[str, list[Path]] = defaultdict(list)
        for path in its:
            forms[_DIGITS.sub("", "".join(path.suffixes))].append(path)
        if len(forms) > 1:
            names = " and ".join(str(form[0]) for form in forms.values())
            raise InputError(f"The split {split!r} is there more than once: {names}; leave one.")
        if its:
            found[split] = Part(its)
    return found


def deal(path: Path, texts: Iterable[str]) -> Splits:
    """Deal the examples of a file out to the three splits, 90/5/5: in the order of a hash of their texts and a seed, so
    that neither the order of the file nor a version of a random generator changes the split, and equal texts stay
    together. Raises InputError where there are fewer than three."""
    keys = sorted({Part.key(text) for text in texts})
    if len(keys) < len(SPLITS):
        found = f"only {len(keys)} different text{'s' if len(keys) > 1 else ''}" if keys else "no text"
        raise InputError(
            f"{path} holds {found}. It is to be dealt out to training, validation and test, which takes {len(SPLITS)} "
            "different texts or more; or bring a file for each of them."
        )
    held = max(1, round(HELD_BACK * len(keys)))
    how = f"dealt out by nutgraf, 90/5/5, by SHA-256 of the text, seed {SEED}"
    parts = {"train": keys[: -2 * held], "validation": keys[-2 * held : -held], "test": keys[-held:]}
    return {split: Part((path,), frozenset(its), how) for split, its in parts.items()}


@dataclass(frozen=True, slots=True)
class Split(Generic[T]):
    """The parts of a data set, each in the set's own order."""

    train: list[T]
    validation: list[T]
    test: list[T]


def split(
    items: Sequence[T],
    group: Callable[[T], str],
    shares: tuple[Fraction, Fraction, Fraction] = MLS_SHARES,
    seed: int = 0,
) -> Split[T]:
    """Deal the groups of `items` out to the three parts.

    group: what must not be torn apart, by name: an example's id, or the story that several examples ask about.

    Groups are ordered by a hash of their name and the seed, so that neither the order of a file nor a version of a
    random generator changes the split. Raises InputError where a part would get no group.
    """
    if sum(shares) != 1:
        raise ValueError(f"shares {shares} do not sum to 1")
    groups = sorted({group(item) for item in items}, key=lambda name: _key(name, seed))
    train = round(shares[0] * len(groups))
    validation = round(shares[1] * len(groups))
    if min(train, validation, len(groups) - train - validation) < 1:
        raise InputError(f"{len(groups)} examples are too few to be split into three parts.")
    place = {name: rank for rank, name in enumerate(groups)}
    parts: Split[T] = Split([], [], [])
    for item in items:
        rank = place[group(item)]
        part = parts.train if rank < train else parts.validation if rank < train + validation else parts.test
        part.append(item)
    return parts


def split_by_text(records: Sequence[Record]) -> Split[Record]:
    """The split of examples, those about the same text together: questions about one story must not be torn apart.
    Their group is called after the first of them."""
    stories: dict[str, str] = {}
    return split(records, lambda record: stories.setdefault(record.document.text, record.id))


def _key(name: str, seed: int) -> bytes:
    return hashlib.sha256(f"{seed}\n{name}".encode()).digest()
