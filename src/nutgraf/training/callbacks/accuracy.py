"""Macro accuracy of a span classifier on the validation set, at each validation.

It is the mean share of the items of each class that the network gives this class, so that a frequent class counts no
more than a rare one; of one set, over the classes that it has.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch

from nutgraf.model.network import Network
from nutgraf.model.span_classifier import FIRST_CLASS, SpanBatch, SpanClassifier, there
from nutgraf.training.callbacks import Callback
from nutgraf.training.context import Context


class Accuracy(Callback):
    """Measures the macro accuracy of all items together, and of those of each set where there are several."""

    context: Context

    def scores(self, network: Network) -> Mapping[str, float]:
        """Return the accuracies by name; {} for any other network."""
        if not isinstance(network, SpanClassifier):
            return {}
        classes, names = max(2, network.config.classes), self.context.origins
        found = torch.zeros(max(1, len(names)), classes, classes, dtype=torch.long)
        for batch in self.context.validator.read():
            assert isinstance(batch, SpanBatch)
            guesses = network.log_probs(batch).argmax(-1)
            labels = batch.labels[there(batch)] - FIRST_CLASS
            cells = torch.stack([batch.origins.repeat_interleave(batch.counts), labels, guesses])[:, labels >= 0].cpu()
            found.index_put_(tuple(cells), torch.ones(cells.shape[1], dtype=torch.long), accumulate=True)
        of_sets = {f"accuracy_{name.replace('_', '-')}": macro(one) for name, one in zip(names, found, strict=False)}
        return {"accuracy": macro(found.sum(0)), **(of_sets if len(names) > 1 else {})}


def macro(table: torch.Tensor) -> float:
    """Return the mean share of each class, by row, that stands on the diagonal; 0 where there is nothing."""
    there, right = table.sum(1), table.diagonal()
    shares = right[there > 0] / there[there > 0]
    return float(shares.mean()) if len(shares) else 0.0
