"""Base forms of irregular English words: WordNet's exception lists, in the folder `wordnet` with their licence."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Literal

Part = Literal["adj", "adv", "noun", "verb"]


@cache
def base_forms(part: Part) -> Mapping[str, str]:
    """Return the base form of each irregular form of a part of speech; of several the first.

    >>> base_forms("verb")["took"]
    'take'
    """
    lines = (resources.files(__package__) / "wordnet" / f"{part}.exc").read_text("ascii").splitlines()
    return {inflected: base for inflected, base, *_ in map(str.split, lines)}
