"""Share of the validation candidates that a re-ranker puts in order, at each validation."""

from __future__ import annotations

from collections.abc import Mapping

import torch

from nutgraf.model.network import Network
from nutgraf.model.reranker import Reranker
from nutgraf.training.callbacks import Callback
from nutgraf.training.context import Context


class Order(Callback):
    """Measures the share of pairs of candidates of which the better one has the higher score."""

    context: Context

    def scores(self, network: Network) -> Mapping[str, float]:
        """Return the share; 0.5 is what chance gives. {} for any other network."""
        if not isinstance(network, Reranker):
            return {}
        right = pairs = 0
        for batch in self.context.validator.read():
            found = network.scores(batch)[:, 1:]
            there = found > -torch.inf
            both = (there[:, :, None] & there[:, None]).triu(1)
            right += int((found[:, :, None] > found[:, None])[both].sum())
            pairs += int(both.sum())
        return {"order": right / pairs} if pairs else {}
