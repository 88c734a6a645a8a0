"""A tokenizer from outside: every character is a token, and white space belongs to the character behind it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nutgraf.errors import InputError
from nutgraf.tokenizers import SPECIAL_TOKENS, Encoding, Tokenizer

SPACE = "Ġ"


@dataclass(frozen=True)
class Config:
    """Characters."""

    vocab_size: int = 300
    """Largest number of tokens, special tokens included."""

    lower: bool = True
    """Lowercase the text."""

    def __post_init__(self) -> None:
        if self.vocab_size <= len(SPECIAL_TOKENS):
            raise ValueError(f"vocab_size must be above {len(SPECIAL_TOKENS)}, not {self.vocab_size}.")


class Characters(Tokenizer):
    """Characters."""

    file = "characters.json"

    def __init__(self, config: Config | None = None) -> None:
        self.config = config or Config()
        self._use(list(SPECIAL_TOKENS))

    @property
    def tokens(self) -> Sequence[str]:
        """See Tokenizer."""
        return self._tokens

    @property
    def begins_word(self):
        """See Tokenizer."""
        return np.array([token.startswith(SPACE) for token in self._tokens])

    def train(self, texts: Iterable[str]) -> None:
        """See Tokenizer."""
        counts = Counter(token for text in texts for token in self._split(text)[0])
        kept = [token for token, _ in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))]
        self._use([*SPECIAL_TOKENS, *kept][: self.config.vocab_size])

    def encode(self, text: str) -> Encoding:
        """See Tokenizer."""
        tokens, spans = self._split(text)
        return Encoding(tokens, tuple(self._ids.get(token, 1) for token in tokens), spans)

    def decode(self, texts: Sequence[str]) -> str:
        """See Tokenizer."""
        shown = [" <unk> " if token == "<unk>" else "" if token in SPECIAL_TOKENS else token for token in texts]
        return " ".join("".join(shown).replace(SPACE, " ").split())

    def save(self, folder: str | Path) -> None:
        """See Tokenizer."""
        Path(folder, self.file).write_text(json.dumps(self._tokens), encoding="utf-8")

    def load(self, folder: str | Path) -> None:
        """See Tokenizer."""
        path = Path(folder, self.file)
        try:
            tokens = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise InputError(f"{path} cannot be read: {error}.") from error
        if (
            not isinstance(tokens, list)
            or tuple(tokens[: len(SPECIAL_TOKENS)]) != SPECIAL_TOKENS
            or len(tokens) > self.config.vocab_size
        ):
            raise InputError(f"{path} does not hold the tokens of this tokenizer, {self.config.vocab_size} at most.")
        self._use(tokens)

    def _use(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._ids = {token: number for number, token in enumerate(tokens) if number >= len(SPECIAL_TOKENS)}

    def _split(self, text: str) -> tuple[tuple[str, ...], tuple[tuple[int, int], ...]]:
        places = [place for place, letter in enumerate(text) if not letter.isspace()]
        starts = (not place or text[place - 1].isspace() for place in places)
        letters = (text[place].lower() if self.config.lower else text[place] for place in places)
        tokens = tuple(SPACE * start + letter for start, letter in zip(starts, letters, strict=True))
        return tokens, tuple((place, place + 1) for place in places)
