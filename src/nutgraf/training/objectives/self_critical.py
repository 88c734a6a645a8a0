"""Self-critical policy gradient (Rennie et al. 2017; Paulus, Xiong and Socher 2018, Sec. 3.2 and 3.3).

    loss = γ · Σ over examples of (r(ŷ) − r(yˢ)) · Σₜ log p(yˢₜ | yˢ before t)

yˢ is drawn word by word from the network, ŷ takes the likeliest word at each step, and r is a reward: a function of a
summary's and its reference's ids that whoever trains hands in (`judge_by`). What is drawn is above the network's own
best, or below it, and becomes likelier, or less likely. γ is `weight`; likelihood beside it has the weight 1 − γ.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F

from nutgraf.decoding.precision import lowered
from nutgraf.model.network import evaluating
from nutgraf.model.records import BOS, EOS, PAD, Batch
from nutgraf.model.seq2seq import Seq2Seq
from nutgraf.presets.ranges import PositiveInt
from nutgraf.training.objectives import Reward
from nutgraf.training.objectives._rewarded import Rewarded, with_target


@dataclass(frozen=True)
class Config:
    """Self-critical policy gradient."""

    weight: float = 1.0
    """Factor γ of the loss; 0.9984 in Paulus et al. 2018, where likelihood has 0.0016."""

    max_length: PositiveInt = 100
    """Longest summary that is drawn, in tokens."""


EXAMPLES = (Config(max_length=5),)


class SelfCritical(Rewarded):
    """Makes likelier what is better than the network's own best."""

    config: Config

    def loss(self, network: Seq2Seq, batch: Batch, reward: Reward) -> Float[Tensor, ""]:
        """Return the loss, summed over the examples of the batch."""
        assert batch.target_extended is not None
        greedy, sample = roll_out(network, batch, self.config.max_length)
        references = [_words(row) for row in batch.target_extended[:, 1:]]
        advantage = [
            reward(_words(best), reference) - reward(_words(drawn), reference)
            for best, drawn, reference in zip(greedy, sample, references, strict=True)
        ]
        log_probs = network(with_target(network, batch, F.pad(sample, (1, 0), value=BOS))).target_log_probs
        assert log_probs is not None
        return self.config.weight * (log_probs.new_tensor(advantage) * log_probs.sum(1)).sum()


@torch.no_grad()
def roll_out(
    network: Seq2Seq, batch: Batch, max_length: int
) -> tuple[Int[Tensor, "batch steps"], Int[Tensor, "batch steps"]]:
    """Return the greedy summary of each source, and one that is drawn from the network, without dropout.

    They are over the extended vocabulary, without BOS; after EOS comes PAD.
    """
    with evaluating(network):
        encoder_output, writer = network.encode(batch), lowered(network, "fp32")
        state = writer.start(encoder_output, 2)
        written = batch.source.new_zeros(len(batch.source), 2, 0)
        ended = written.any(-1)
        while written.shape[-1] < max_length and not bool(ended.all()):
            log_probs = writer.step(written, encoder_output, state).log_probs
            assert log_probs is not None
            drawn = torch.multinomial(log_probs[:, 1].exp(), 1).squeeze(-1)
            word = torch.stack([log_probs[:, 0].argmax(-1), drawn], 1).masked_fill(ended, PAD)
            written, ended = torch.cat([written, word[..., None]], -1), ended | (word == EOS)
    greedy, sample = written.unbind(1)
    return greedy, sample


def _words(row: Int[Tensor, " steps"]) -> list[int]:
    """Return the tokens of a row without EOS and PAD."""
    return [one for one in row.tolist() if one not in (EOS, PAD)]
