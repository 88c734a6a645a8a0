"""Contextual embeddings of the tokens of texts, by a model of transformers in a folder."""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nutgraf.errors import InputError, requires
from nutgraf.systems._embedding_layers import layer_for
from nutgraf.systems._reading_model import ReadingModel

Vectors = npt.NDArray[np.float32]

HEADS = ("pooler",)
"""Parts of names of weights that embeddings do not come through."""


class Embedder:
    """A model that gives each token of a text a vector; see `read_embedder`.

    Attributes:
        layer: Layer whose output the vectors are; 0 for what goes into the first.
    """

    def __init__(self, model: ReadingModel, layer: int) -> None:
        """Hold a model, and the layer whose output is taken."""
        self._model, self.layer = model, layer

    @property
    def signature(self) -> str:
        """Name and fingerprint of the model."""
        return f"{self._model.name}@{self._model.fingerprint}"

    @property
    def window(self) -> int:
        """Number of tokens that the model reads at a time."""
        return self._model.limit

    def tokens(self, text: str) -> list[int]:
        """Return the tokens of a text, without those around it."""
        ids, _ = self._windows(text)
        return ids

    def __call__(self, text: str) -> tuple[list[int], Vectors]:
        """Return the tokens of a text and their vectors, without those around it.

        A text that is longer than the model reads is read in windows that overlap by half, and every token has its
        vector from the window in which it stands farthest from both ends, the first of two alike.

        Args:
            text: The text.

        Returns:
            Numbers of the tokens; vectors, [tokens, width].
        """
        ids, windows = self._windows(text)
        if not ids:
            return ids, np.zeros((0, 1), np.float32)
        found = self._model.run(
            [row for _, row, _ in windows], lambda output: output.hidden_states[self.layer], output_hidden_states=True
        )
        vectors = np.zeros((len(ids), found[0].shape[-1]), np.float32)
        margins = np.full(len(ids), -1)
        for (start, _, inner), states in zip(windows, found, strict=True):
            own = states[inner]
            places = np.arange(start, start + len(own))
            margin = np.minimum(places - start, start + len(own) - 1 - places)
            better = margin > margins[places]
            vectors[places[better]], margins[places[better]] = own[better], margin[better]
        return ids, vectors

    def _windows(self, text: str) -> tuple[list[int], list[tuple[int, dict[str, Any], list[int]]]]:
        """Return the tokens of a text, and its windows: the first token, what the model reads, and places of tokens."""
        text = f" {text.strip()}" if self._spaced else text.strip()
        plain = self._model.encode(text)
        inner = _inner(plain)
        around = len(plain["input_ids"]) - len(inner)
        ids, room = [plain["input_ids"][place] for place in inner], self.window - around
        if len(ids) <= room:
            return ids, [(0, plain, inner)]
        step = max(1, room // 2)
        rows = self._model.overlapping(text, room - step)
        return ids, [(number * step, row, _inner(row)) for number, row in enumerate(rows)]

    @cached_property
    def _spaced(self) -> bool:
        """True for a tokenizer of bytes, to which a word after a space is another than one at the beginning."""
        return "ByteLevel" in json.dumps(json.loads(self._model.tokenizer.backend_tokenizer.to_str())["pre_tokenizer"])


def _inner(row: Any) -> list[int]:
    """Return the places of a row that are not special tokens."""
    return [place for place, special in enumerate(row["special_tokens_mask"]) if not special]


def read_embedder(folder: str | Path, layer: int | None = None) -> Embedder:
    """Load a model for embeddings; of one with a decoder, the encoder.

    Args:
        folder: Folder of a model of transformers, with safetensors.
        layer: Layer whose output is taken; None for that of `nutgraf.systems._embedding_layers`.

    Raises:
        InputError: If there is no such folder, no model in it that can be read safely, or no such layer.
        MissingPackage: If transformers, or another package that this model needs, is not installed.
    """
    with requires("pretrained", "Embeddings need"):
        import transformers  # noqa: F401

    model = ReadingModel.read(folder, "AutoModel", spare=HEADS)
    if not model.tokenizer.is_fast:
        raise InputError(f"The tokenizer in {folder} makes no windows; it needs a tokenizer.json.")
    if model.config.get("is_encoder_decoder"):
        model.network = model.network.get_encoder()
    config = model.network.config
    layers = int(config.num_hidden_layers)
    chosen = layer_for(config.model_type, layers, config.hidden_size, config.vocab_size) if layer is None else layer
    if chosen > layers:
        raise InputError(f"The model in {folder} has {layers} layers; there is no layer {chosen}.")
    return Embedder(model, chosen)
