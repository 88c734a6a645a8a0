"""Macro accuracy of a span classifier on the validation set, at each validation.

It is the mean share of the items of each class that the network gives this class, so that a frequent class counts no
more than a rare one; of one set, over the classes that it has. Of two classes the average precision is measured, too:
the mean, over the items of the second class, of the share of that class among the items that are rated no lower.
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
        ratings, wanted = [], []
        for batch in self.context.validator.read():
            assert isinstance(batch, SpanBatch)
            log_probs, labels = network.log_probs(batch), batch.labels[there(batch)] - FIRST_CLASS
            guesses = log_probs.argmax(-1)
            ratings.append(log_probs[labels >= 0, -1].float().cpu())
            wanted.append(labels[labels >= 0].cpu() == classes - 1)
            cells = torch.stack([batch.origins.repeat_interleave(batch.counts), labels, guesses])[:, labels >= 0].cpu()
            found.index_put_(tuple(cells), torch.ones(cells.shape[1], dtype=torch.long), accumulate=True)
        of_sets = {f"accuracy_{name.replace('_', '-')}": macro(one) for name, one in zip(names, found, strict=False)}
        precision = {} if classes > 2 else {"precision": average_precision(torch.cat(ratings), torch.cat(wanted))}
        return {"accuracy": macro(found.sum(0)), **precision, **(of_sets if len(names) > 1 else {})}


def macro(table: torch.Tensor) -> float:
    """Return the mean share of each class, by row, that stands on the diagonal; 0 where there is nothing."""
    there, right = table.sum(1), table.diagonal()
    shares = right[there > 0] / there[there > 0]
    return float(shares.mean()) if len(shares) else 0.0


def average_precision(ratings: torch.Tensor, wanted: torch.Tensor) -> float:
    """Return the average precision of a ranking; items with the same rating are at the same place. 0 without any."""
    order = ratings.argsort(descending=True)
    right, rated = wanted[order].cumsum(0), ratings[order]
    last = torch.searchsorted(-rated, -rated, right=True) - 1
    shares = right[last] / (last + 1)
    return float(shares[wanted[order]].mean()) if bool(wanted.any()) else 0.0
