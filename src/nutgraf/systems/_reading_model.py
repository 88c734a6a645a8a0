"""Models of transformers that read texts and write none: classifiers and encoders, on the processor, in batches."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from nutgraf.errors import InputError
from nutgraf.model.library_errors import quiet, told
from nutgraf.model.pretrained_folder import (
    UNLIMITED,
    check_files,
    context_of,
    fingerprint_of,
    load_network,
    read_config,
    read_tokenizer,
)

Row = Any
"""A text, or two, as a tokenizer encodes it."""

CANNOT_READ = "reads no text"
"""What is told of a model with an error in it, which only shows where it reads."""

USUAL = 512
"""Tokens that a model reads at a time if neither its configuration nor its tokenizer says how many."""

BATCH = 8192
"""Maximum number of tokens of a batch, padding included; a longer text is a batch by itself."""


class LoadedModel:
    """A network in a folder, with its configuration and its tokenizer, as transformers has them."""

    def __init__(self, folder: Path, config: Mapping[str, Any], tokenizer: Any, network: Any) -> None:
        """Hold a model that was loaded."""
        self.folder, self.config, self.tokenizer, self.network = folder, config, tokenizer, network.eval()

    @cached_property
    def fingerprint(self) -> str:
        """Hash of the configuration, of the names, shapes and sizes of all weights, and of samples of their values."""
        return fingerprint_of(self.folder)

    @property
    def context(self) -> int | None:
        """Number of tokens that the model reads, with what it writes if it is a decoder alone; None for any number."""
        limits = [context_of(self.config), int(min(self.tokenizer.model_max_length, UNLIMITED))]
        return min((one for one in limits if one is not None and 0 < one < UNLIMITED), default=None)

    def count(self, text: str) -> int:
        """Return the number of tokens of a text, without those around it."""
        with told(self.folder, CANNOT_READ), quiet():
            return len(self.tokenizer(text, add_special_tokens=False)["input_ids"])


class ReadingModel(LoadedModel):
    """A model that writes nothing."""

    def __init__(self, folder: Path, config: Mapping[str, Any], tokenizer: Any, network: Any) -> None:
        """Hold a model that was loaded; see `read`."""
        super().__init__(folder, config, tokenizer, network)
        self.tokenizer.padding_side = "right"
        if getattr(network.config, "pad_token_id", None) is None:
            network.config.pad_token_id = tokenizer.pad_token_id  # decoders look for the last token before it

    @classmethod
    def read(cls, name: str | Path, kind: str, spare: Sequence[str] = ()) -> Self:
        """Load a model of a folder, in single precision.

        Raises:
            InputError: If there is no such folder, or it holds no model of this kind that can be read safely.
            MissingPackage: If a package is missing that this model needs.
        """
        import torch
        import transformers

        folder = folder_at(name)
        config = read_config(folder)
        check_files(folder)
        network = load_network(folder, config, getattr(transformers, kind), torch.float32, spare).network
        return cls(folder, config, read_tokenizer(folder), network)

    @property
    def name(self) -> str:
        """Name of the folder."""
        return self.folder.resolve().name

    @cached_property
    def limit(self) -> int:
        """Number of tokens that the model reads at a time, those around texts included."""
        import torch

        limits = [] if self.context is None else [self.context]
        for name, module in self.network.named_modules():
            if isinstance(module, torch.nn.Embedding) and name.endswith("position_embeddings"):
                # RoBERTa counts positions from the one after its padding's.
                before = 0 if module.padding_idx is None else module.padding_idx + 1
                limits.append(module.num_embeddings - before)
        return min((one for one in limits if 0 < one < UNLIMITED), default=USUAL)

    def encode(self, text: str, second: str | None = None) -> Row:
        """Return a text, or two, in tokens with those around them; nothing is cut."""
        with told(self.folder, CANNOT_READ), quiet():
            return self.tokenizer(text, second, truncation=False, return_special_tokens_mask=True)

    def overlapping(self, text: str, shared: int) -> list[Row]:
        """Return a long text in as many windows as it needs, each as long as the model reads."""
        with told(self.folder, CANNOT_READ), quiet():
            found = self.tokenizer(
                text,
                truncation=True,
                max_length=self.limit,
                stride=shared,
                return_overflowing_tokens=True,
                return_special_tokens_mask=True,
            )
        names = [name for name in found if name != "overflow_to_sample_mapping"]
        return [{name: found[name][number] for name in names} for number in range(len(found["input_ids"]))]

    def run(self, rows: Sequence[Row], take: Callable[[Any], Any], **options: Any) -> list[npt.NDArray[np.float32]]:
        """Return what the network makes of texts, in their order."""
        import torch

        found: dict[int, npt.NDArray[np.float32]] = {}
        for places in self._batches(rows):
            batch = self._padded([rows[place] for place in places])
            with told(self.folder, CANNOT_READ), quiet(), torch.inference_mode():
                values = take(self.network(**batch, **options)).float().numpy()
            width = batch["input_ids"].shape[1]
            for place, value in zip(places, values, strict=True):
                per_token = value.ndim > 1 and len(value) == width
                found[place] = value[: len(rows[place]["input_ids"])] if per_token else value
        return [found[place] for place in range(len(rows))]

    def _batches(self, rows: Sequence[Row]) -> Iterator[list[int]]:
        """Yield places of texts of similar length that are read together; without a token for padding, one by one."""
        some: list[int] = []
        for place in sorted(range(len(rows)), key=lambda place: len(rows[place]["input_ids"])):
            full = (len(some) + 1) * len(rows[place]["input_ids"]) > BATCH
            if some and (full or self.tokenizer.pad_token is None):
                yield some
                some = []
            some.append(place)
        if some:
            yield some

    def _padded(self, rows: Sequence[Row]) -> dict[str, Any]:
        inputs = [{name: row[name] for name in row if name in self._arguments} for row in rows]
        if len(inputs) == 1:
            import torch

            return {name: torch.tensor([value]) for name, value in inputs[0].items()}
        with told(self.folder, CANNOT_READ), quiet():
            return dict(self.tokenizer.pad(inputs, return_tensors="pt"))

    @cached_property
    def _arguments(self) -> set[str]:
        """Arguments of the network; some tokenizers give more."""
        return set(inspect.signature(self.network.forward).parameters)


def folder_at(name: str | Path) -> Path:
    """Return a folder. Raises InputError if there is none."""
    if not Path(name).is_dir():
        raise InputError(f"There is no folder {str(name)!r} with a model.")
    return Path(name)
