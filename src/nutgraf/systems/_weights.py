"""Trained weights, as systems with a network need them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from nutgraf.errors import InputError
from nutgraf.hardware import total_memory
from nutgraf.presets import Preset

if TYPE_CHECKING:
    from torch import nn

    from nutgraf.checkpoint import Trained


def load_trained(preset: Preset, device: str) -> Trained[Any]:
    """Load the model folder in which a preset lies. Raises InputError."""
    import torch

    from nutgraf.checkpoint import load

    chosen = ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device
    try:
        torch.zeros(1, device=chosen)
    except (RuntimeError, AssertionError) as error:  # as torch says it
        raise InputError(f"There is no device {device!r} here: {str(error).splitlines()[0]}") from error
    return load(Path(preset.origin).parent, chosen, preset.trust)


def lacking_weights(preset: Preset) -> str | None:
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


def processes_for(network: nn.Module) -> int | None:
    """Return how many processes may hold a network.

    On a GPU one; elsewhere as many as have room for the weights, several times over, in memory.
    """
    parameters = list(network.parameters())
    if parameters[0].device.type != "cpu":
        return 1
    needed = 4 * sum(one.numel() * one.element_size() for one in parameters)
    return max(1, (total_memory() or needed) // max(1 << 30, needed))


def short_digest(network: nn.Module) -> str:
    """Return the beginning of the digest of a network's weights, for signatures."""
    from nutgraf.checkpoint import digest_of, weights

    return digest_of(weights(network))[:8]
