"""F1 of what a tagger selects of the validation set, at each validation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nutgraf.model.network import Network
from nutgraf.model.records import SELECTED
from nutgraf.model.tagger import Tagger
from nutgraf.presets.ranges import ProperShare
from nutgraf.training.callbacks import Callback
from nutgraf.training.context import Context


@dataclass(frozen=True)
class Config:
    """F1 of a tagger's labels."""

    threshold: ProperShare = 0.5
    """Probability above which a token or sentence counts as selected."""


class F1(Callback):
    """Measures precision, recall and F1 of the labels over all examples together."""

    context: Context

    def scores(self, network: Network) -> Mapping[str, float]:
        """Return the scores; {} for a network that writes, and for a set of which nothing is selected."""
        if not isinstance(network, Tagger):
            return {}
        both = chosen = wanted = 0
        for batch in self.context.validator.read():
            asked, right = ~batch.labels_mask, batch.labels == SELECTED
            found = (network.probabilities(batch) > self.config.threshold) & asked
            both += int((found & right).sum())
            chosen += int(found.sum())
            wanted += int(right.sum())
        if not wanted:
            return {}
        return {"f1": 2 * both / (chosen + wanted), "precision": both / max(1, chosen), "recall": both / wanted}
