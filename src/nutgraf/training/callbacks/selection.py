"""ROUGE of the sentences that a selector would take of the validation set, at each validation.

It is the mean of the sets' means, so that a large set counts no more than a small one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from nutgraf.model.network import Network
from nutgraf.model.span_classifier import SpanBatch, SpanClassifier
from nutgraf.training.callbacks import Callback
from nutgraf.training.context import Context


class Selection(Callback):
    """Takes the best-rated sentences of each document up to the length of its reference."""

    context: Context

    def scores(self, network: Network) -> Mapping[str, float]:
        """Return the scores by name, and those of each set where there are several; {} without a scorer."""
        scorer, validator = self.context.selections, self.context.validator
        if scorer is None or not isinstance(network, SpanClassifier):
            return {}
        sums: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
        counts: defaultdict[str, int] = defaultdict(int)
        for indices, batch in zip(validator.batches, validator.read(), strict=True):
            assert isinstance(batch, SpanBatch)
            scores = network.log_probs(batch)[:, -1].float().cpu().split(batch.counts.tolist())
            for index, ratings in zip(indices.tolist(), scores, strict=True):
                origin = scorer.origin(index)
                counts[origin] += 1
                for name, value in scorer(index, ratings.tolist()).items():
                    sums[name][origin] += value
        means = {name: {one: total / counts[one] for one, total in of.items()} for name, of in sums.items()}
        together = {name: sum(of.values()) / len(of) for name, of in means.items()}
        apart = {f"{name}_{one}": value for name, of in means.items() for one, value in sorted(of.items())}
        return {**together, **(apart if len(counts) > 1 else {})}
