"""Networks of the distribution nutgraf-minilm: each is a folder in its package, of which nothing is imported."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from nutgraf.inference.card import CARD

PACKAGE = "nutgraf_minilm"
"""Package whose folders are the networks. One name, not entry points: every summary asks, and to list those of all that
is installed would take as long as the summary of a short text."""

INSTALL = "pip install ./models/minilm in a checkout of the repository"
"""How the networks are installed, with what runs them."""

ENCODER = "encoder"
"""Network without a head: the vectors of texts."""

DISTRIBUTED = frozenset({ENCODER, "selector"})
"""Networks that the distribution has; the others are trained by whoever wants them."""

RUNTIME = ("onnxruntime", "tokenizers")
"""Packages that run networks."""


def installed_networks() -> dict[str, Path]:
    """Return the folders of installed networks by name, whether or not there is what runs them."""
    try:
        spec = find_spec(PACKAGE)  # a name without a dot, so that nothing is imported
    except (ImportError, ValueError):  # a module that was made by hand
        return {}
    places = map(Path, (spec and spec.submodule_search_locations) or ())
    return {card.parent.name: card.parent for place in places for card in sorted(place.glob(f"*/{CARD}"))}


def find_network(name: str) -> Path | None:
    """Return the folder of an installed network, if there is also what runs it; None otherwise."""
    folder = installed_networks().get(name)
    return folder if folder and all(find_spec(package) for package in RUNTIME) else None


def lacking(name: str, gain: str) -> str | None:
    """Return a line for users who lack a network that the distribution has; None if it is installed, or not in it.

    Args:
        name: Name of the network.
        gain: What would be better with it, as the beginning of the line.
    """
    return None if find_network(name) or name not in DISTRIBUTED else f"{gain}: {INSTALL}"
