"""Training, validation and test data: which files of a folder, or which examples of a file."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nutgraf.errors import InputError
from nutgraf.runtime.files import reading

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
"""Words in file names, and the splits that they indicate."""

HELD_BACK = 0.05
"""Share of a file's texts that becomes its validation data, and the same share its test data."""

SEED = 0

TEXTLESS = "no text"
"""Reason why an example is in no split."""

_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True)
class Part:
    """One split of a corpus.

    Attributes:
        files: The files that contain its examples.
        keys: Keys of its examples' texts, where the files contain other splits too; None for all.
        how: Description of the split, where the corpus has none.
        missing: Number of missing examples, by reason.
    """

    files: tuple[Path, ...]
    keys: frozenset[bytes] | None = None
    how: str = ""
    missing: Mapping[str, int] = field(default_factory=dict)

    def has(self, text: str) -> bool:
        """Return True if an example with this text belongs to the split."""
        return self.keys is None or self.key(text) in self.keys

    @staticmethod
    def key(text: str) -> bytes:
        """Hash that orders the texts for a random split."""
        return _hash(text)[:8]


Splits = dict[str, Part]


def files_in(folder: Path) -> list[Path]:
    """Files of a folder and its subfolders, by name. Raises InputError if the folder cannot be read."""
    with reading(folder):
        found = [path for path in (*folder.glob("*"), *folder.glob("*/*")) if path.is_file()]
    return sorted(path for path in found if not path.name.startswith("."))


def split_named(path: Path) -> str | None:
    """Return the split that the first matching word of a file's name indicates, or the name of its folder."""
    words = [*re.split(r"[^a-z]+", path.name.lower()), path.parent.name.lower()]
    return next((ALIASES[word] for word in words if word in ALIASES), None)


def set_of(path: Path) -> str:
    """Return the name of the set that a file is of: its own without suffixes, or its folder's where it names a split.

    >>> set_of(Path("data/snli.jsonl.xz")), set_of(Path("data/snli/train.jsonl"))
    ('snli', 'snli')
    """
    stem = path.name.partition(".")[0]
    return path.parent.name if stem.lower() in ALIASES else stem


def by_name(files: Sequence[Path], split_of: Callable[[Path], str | None]) -> Splits:
    """Return the files of each split. Raises InputError if a split exists in two formats."""
    found: Splits = {}
    for split in SPLITS:
        its = tuple(path for path in files if split_of(path) == split)
        forms: defaultdict[str, list[Path]] = defaultdict(list)
        for path in its:
            forms[_DIGITS.sub("", "".join(path.suffixes))].append(path)
        if len(forms) > 1:
            names = " and ".join(str(form[0]) for form in forms.values())
            raise InputError(f"The split {split!r} exists more than once: {names}. Remove all but one.")
        if its:
            found[split] = Part(its)
    return found


def deal(path: Path, texts: Iterable[str]) -> Splits:
    """Split the examples of a file 90/5/5 by a hash of their texts.

    Neither the order of the file nor the version of a random generator changes the split, and equal texts stay
    together.

    Raises:
        InputError: If there are fewer than three texts.
    """
    keys = sorted({Part.key(text) for text in texts})
    if len(keys) < len(SPLITS):
        found = f"only {len(keys)} different text{'s' if len(keys) > 1 else ''}" if keys else "no text"
        raise InputError(
            f"{path} holds {found}. Splitting it into training, validation and test data takes at least {len(SPLITS)} "
            "different texts; or provide one file for each split."
        )
    held = max(1, round(HELD_BACK * len(keys)))
    how = f"split by nutgraf, 90/5/5, by SHA-256 of the text, seed {SEED}"
    parts = {"train": keys[: -2 * held], "validation": keys[-2 * held : -held], "test": keys[-held:]}
    return {split: Part((path,), frozenset(its), how) for split, its in parts.items()}


def deal_as_mls(names: Iterable[str]) -> dict[str, str]:
    """Return the split of each name: 25/10/65, as in MLS (Sarkhel et al. 2020), by a hash, since MLS gives no seed."""
    ordered = sorted(set(names), key=_hash)
    held = round(len(ordered) / 4), round(len(ordered) / 4) + round(len(ordered) / 10)
    return {name: SPLITS[sum(rank >= end for end in held)] for rank, name in enumerate(ordered)}


def _hash(name: str) -> bytes:
    return hashlib.sha256(f"{SEED}\n{name}".encode()).digest()
