"""A format: how a model is written for an engine, and how the engine writes with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Writer = Callable[[Sequence[int], int], list[int]]
"""Writes greedily: the tokens of a source, or of a prompt, and a number; at most so many tokens, and no end mark."""


@dataclass(frozen=True)
class Original:
    """A model of transformers: its folder, its configuration as JSON, its network and its tokenizer."""

    folder: Path
    config: Mapping[str, Any]
    network: Any
    tokenizer: Any

    @property
    def encodes(self) -> bool:
        """True if it has an encoder for the source, False if it goes on with a prompt."""
        return bool(self.config.get("is_encoder_decoder"))

    @property
    def start(self) -> int:
        """Token with which the decoder begins, where there is an encoder."""
        settings = self.network.generation_config
        begin = settings.decoder_start_token_id
        return int(settings.bos_token_id if begin is None else begin)

    @property
    def ends(self) -> frozenset[int]:
        """Tokens that end a text."""
        found = self.network.generation_config.eos_token_id
        return frozenset(found if isinstance(found, list) else [] if found is None else [found])


@dataclass(frozen=True)
class Format:
    """A format: the packages that it needs, and the types that its weights can have.

    `write` writes a model into an empty folder. `read` returns what writes with that folder; the model tells which
    tokens begin and end a text.
    """

    packages: tuple[str, ...]
    quantizations: tuple[str, ...]
    write: Callable[[Original, Path, str], None]
    read: Callable[[Path, Original], Writer]
