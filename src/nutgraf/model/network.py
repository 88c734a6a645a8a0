"""The base of all networks: all that training, model folders and systems ask of one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from torch import nn

from nutgraf.model.layers import Embedding
from nutgraf.model.records import Batch, Trace


@contextmanager
def evaluating(network: nn.Module) -> Iterator[None]:
    """Let a network compute as in use, without dropout; afterwards it is in training or not as before."""
    training = network.training
    network.eval()
    try:
        yield
    finally:
        network.train(training)


class Network(nn.Module, ABC):
    """A network that is trained on batches with labels."""

    config: Any
    """Options of the network, `d_model` among them."""

    @property
    @abstractmethod
    def embeddings(self) -> tuple[Embedding, ...]:
        """Embeddings of words, which may begin with vectors from a file."""

    @property
    @abstractmethod
    def encoder_parameters(self) -> tuple[nn.Parameter, ...]:
        """Parameters of the source's embedding and of the encoder, which may learn by a schedule of their own.

        An embedding matrix that source and target share is among them.
        """

    @abstractmethod
    def forward(self, batch: Batch) -> Trace:
        """Return the log probabilities of the labels, and what else the network has to tell."""
