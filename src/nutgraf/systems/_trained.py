"""Systems with a network: weights of a model folder, a device, threads, and a part of the signature."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Self

from nutgraf.datasets import Dataset
from nutgraf.errors import InputError
from nutgraf.keyphrases import KeyphraseExtractor
from nutgraf.preparation import Preparation, Truncation
from nutgraf.preparation.shards import TOKENIZER
from nutgraf.presets import Choice, Preset
from nutgraf.presets.family import CHANGEABLE
from nutgraf.runtime.hardware import Compute, total_memory
from nutgraf.systems import System
from nutgraf.tokenizers import Tokenizer

if TYPE_CHECKING:
    from torch.nn import Module

    import nutgraf.training.config
    from nutgraf.checkpoint import Trained


@dataclass(frozen=True, kw_only=True)
class TrainedConfig:
    """Sections of every preset of a network that is trained here."""

    dataset: Choice[Dataset] = field(metadata=CHANGEABLE)
    """Data set that it learns from."""

    tokenizer: Choice[Tokenizer]
    """Tokenizer."""

    truncation: Truncation
    """Truncation of long texts."""

    keyphrases: Choice[KeyphraseExtractor] | None = None
    """Extractor of the phrases that are highlighted."""


def refuse_samples(training: nutgraf.training.config.Config, why: str) -> None:
    """Raise ValueError if a training would have summaries written by a network that writes none."""
    if training.rouge_examples or training.scheduled_sampling:
        raise ValueError(f"{why}: training.rouge_examples and training.scheduled_sampling stay 0")


class HoldsNetwork(System):
    """A system that holds a network, which each process loads for itself."""

    @property
    @abstractmethod
    def network(self) -> Module:
        """The network."""

    def __reduce__(self) -> tuple[type[Self], tuple[Preset, Compute]]:
        """A process to which a system is sent reads the weights from their folder."""
        return type(self), (self.preset, self.compute)

    @property
    def processes(self) -> int | None:
        """On a GPU one; elsewhere as many as have room for the weights, several times over, in memory."""
        weights = list(self.network.parameters())
        if weights[0].device.type != "cpu":
            return 1
        needed = 4 * sum(one.numel() * one.element_size() for one in weights)
        return max(1, (total_memory() or needed) // max(1 << 30, needed))


class TrainedSystem(HoldsNetwork):
    """A system in a model folder."""

    def __init__(self, preset: Preset, compute: Compute = Compute()) -> None:
        super().__init__(preset, compute)
        from nutgraf.runtime.compute import ThreadTuner

        self._trained: Trained[Any] = _load(preset, compute.device)
        self._lock = Lock()
        self._device = next(self._trained.network.parameters()).device
        fixed = 1 if compute.deterministic or self._device.type != "cpu" else None
        self._threads = ThreadTuner(compute.threads or fixed)
        if preset.reads("truncation"):  # what classifies spans reads as its task says
            self._preparation = Preparation.of(preset, self._trained.tokenizer, self._trained.folder / TOKENIZER)

    @property
    def card(self) -> Mapping[str, Any]:
        """Card of the trained model."""
        return self._trained.card

    @classmethod
    def lacking(cls, preset: Preset) -> str | None:
        """Return that weights are missing, and how to train them, unless the preset lies in a model folder."""
        if preset.origin and (Path(preset.origin).parent / "weights.safetensors").is_file():
            return None
        message = f"The preset {preset.name!r} is a network that has no trained weights."
        if Path(preset.name, "weights.safetensors").is_file():
            return f"{message} The folder of that name has: name the folder ./{preset.name}."
        named = preset.origin or preset.name
        return (
            f"{message} This trains it: nutgraf train {named} --data DATA --out FOLDER; then name FOLDER instead of "
            f"{named}."
        )

    @property
    def network(self) -> Module:
        """The network."""
        network: Module = self._trained.network
        return network

    @cached_property
    def _weights(self) -> str:
        from nutgraf.checkpoint import digest_of, weights

        return f"weights:{digest_of(weights(self._trained.network))[:8]}"

    def _computed(self) -> list[str]:
        return [self._weights, *super()._computed()]


def _load(preset: Preset, device: str) -> Trained[Any]:
    """Load the model folder in which a preset lies. Raises InputError."""
    from nutgraf.checkpoint import load

    return load(Path(preset.origin).parent, preset.sections, device_of(device), preset.trust)


def device_of(device: str) -> str:
    """Return the device that a name means here; "auto" is the GPU if there is one.

    Raises:
        InputError: If it is not here.
    """
    import torch

    chosen = ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device
    try:
        torch.zeros(1, device=chosen)
    except (RuntimeError, AssertionError) as error:  # as torch says it
        raise InputError(f"There is no device {device!r} here: {str(error).splitlines()[0]}") from error
    return chosen
