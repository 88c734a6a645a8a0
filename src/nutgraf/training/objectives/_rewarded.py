"""Common parts of the objectives that learn from rewards of summaries written in training."""

from __future__ import annotations

from nutgraf.errors import PresetError
from nutgraf.model.network import Network
from nutgraf.model.seq2seq import Seq2Seq


def writer(network: Network, objective: str, max_length: int) -> Seq2Seq:
    """Return a network that can write summaries of a length.

    Raises:
        PresetError: If the network writes nothing, or has fewer positions than `max_length` asks for.
    """
    if not isinstance(network, Seq2Seq):
        raise PresetError(f"The objective {objective!r} learns from summaries, and this network writes none.")
    most = network.config.max_positions - 1
    if max_length > most:
        raise PresetError(
            f"training.objectives.{objective}.max_length = {max_length} is too much for a network of {most + 1} "
            f"positions: {most} would do."
        )
    return network
