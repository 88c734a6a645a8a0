"""ROUGE and repetition of greedy summaries at each validation."""

from __future__ import annotations

from collections.abc import Mapping

from nutgraf.decoding.search import search
from nutgraf.model.network import Network
from nutgraf.model.seq2seq import Seq2Seq
from nutgraf.training.callbacks import Callback
from nutgraf.training.context import Context


class Rouge(Callback):
    """Summarizes `training.rouge_examples` examples of the validation set."""

    context: Context

    def scores(self, network: Network) -> Mapping[str, float]:
        """Return the scores of the summaries."""
        scorer, decoding = self.context.scorer, self.context.decoding
        if scorer is None or decoding is None or not isinstance(network, Seq2Seq):
            return {}
        batches = (batch.to(self.context.machine.device) for batch in scorer.batches())
        return scorer([found[0].ids for batch in batches for found in search(network, batch, decoding)])
