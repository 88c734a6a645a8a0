"""An objective from outside that samples: a sampled summary is made likelier the more of the reference's tokens it has.

Rennie et al. 2017, *Self-critical Sequence Training*, with the share of tokens that stand in the reference as reward,
and the mean reward of a document's samples as baseline.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch

from nutgraf.decoding.sampling import Config as Sampling
from nutgraf.decoding.search import Config as Search
from nutgraf.decoding.search import search
from nutgraf.model.records import BOS, EOS, PAD
from nutgraf.training.objectives import Objective


@dataclass(frozen=True)
class Config:
    """Self-critical training."""

    weight: float = 1.0
    """Weight of the term."""

    samples: int = 2
    """Summaries drawn per document."""

    max_length: int = 6
    """Longest sample."""


class SelfCritical(Objective):
    """Makes good samples likelier, and bad ones less likely."""

    def __init__(self, config: Config) -> None:
        self.config = config

    def __call__(self, network, batch, trace):
        """See Objective."""
        count, longest = self.config.samples, self.config.max_length
        asked = Search(
            beam_size=count, num_return_sequences=count, max_length=longest, processors={}, sampling=Sampling(seed=0)
        )
        sampled = search(network.eval(), batch, asked)
        network.train()
        loss = trace.target_log_probs.new_zeros(())
        for number in range(count):
            drawn = [found[min(number, len(found) - 1)].ids for found in sampled]
            rewards = torch.tensor([self._reward(ids, batch, row) for row, ids in enumerate(drawn)])
            loss = loss - (rewards - rewards.mean()) @ self._log_probs(network, batch, drawn)
        return self.config.weight * loss

    def _reward(self, ids, batch, row):
        reference = set(batch.target_extended[row].tolist())
        return sum(one in reference for one in ids) / max(1, len(ids))

    def _log_probs(self, network, batch, drawn):
        width = max(map(len, drawn)) + 2
        target = batch.source.new_full((len(drawn), width), PAD)
        for row, ids in enumerate(drawn):
            written = [BOS, *ids, EOS]
            target[row, : len(written)] = target.new_tensor(written)
        vocab_size = network.head.vocab_proj.out_features
        known = target.masked_fill(target >= vocab_size, 1)
        return network(replace(batch, target=known, target_extended=target)).target_log_probs.sum(1)
