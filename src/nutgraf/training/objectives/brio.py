"""Probabilities in the order of quality: BRIO's contrastive loss.

Liu, Liu, Radev and Neubig 2022, *BRIO: Bringing Order to Abstractive Summarization*, the multi-task loss (BRIO-Mul).

    f(S)  = Σₜ log p(sₜ | D, S before t) / |S|^α                        |S| counts the tokens, EOS among them
    L_ctr = Σᵢ Σⱼ>ᵢ max(0, f(Sⱼ) − f(Sᵢ) + (j − i) · λ)                 S₁, S₂, … are candidates by falling reward
    L     = L_xent + γ · L_ctr                                          L_xent: the objective `likelihood` beside it

The paper's candidates are written once, by the network that training begins with. Ours are what a diverse beam search
of the network itself finds at each step, so that they are never those of other weights, and the batch needs nothing but
its references; the price is a search at each step. The reward is that of whoever trains (`judge_by`). Of candidates
with the same reward the most probable is taken: nothing says which of them is better.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import torch
from jaxtyping import Float
from torch import Tensor

from nutgraf.decoding.diversity import Config as Diversity
from nutgraf.decoding.search import Config as Search
from nutgraf.decoding.search import search
from nutgraf.model.network import evaluating
from nutgraf.model.records import BOS, EOS, PAD, Batch
from nutgraf.model.seq2seq import Seq2Seq
from nutgraf.presets.ranges import NonNegativeFloat, PositiveInt, Range
from nutgraf.training.objectives import Reward
from nutgraf.training.objectives._margins import margin_ranking
from nutgraf.training.objectives._rewarded import Rewarded, with_target


@dataclass(frozen=True)
class Config:
    """Contrastive loss over candidates of the network's own (BRIO). The defaults are the paper's for CNN/Daily Mail."""

    weight: float = 100.0
    """Factor γ of the loss, beside likelihood with 1."""

    margin: NonNegativeFloat = 0.001
    """Margin λ between the scores of neighbours in the order; 0.1 for XSum."""

    length_penalty: NonNegativeFloat = 2.0
    """Exponent α of the length that log probabilities are divided by; 0.6 for XSum."""

    num_candidates: Annotated[int, Range(ge=2)] = 16
    """Hypotheses of the search."""

    num_beam_groups: PositiveInt = 16
    """Groups of the search, which divide `num_candidates`."""

    diversity_penalty: NonNegativeFloat = 1.0
    """Strength of the diversity between the groups."""

    max_length: PositiveInt = 100
    """Longest candidate, in tokens."""

    def __post_init__(self) -> None:
        if self.num_candidates % self.num_beam_groups:
            raise ValueError(
                f"num_candidates = {self.num_candidates} cannot be divided into {self.num_beam_groups} groups of equal "
                "size."
            )

    @property
    def search(self) -> Search:
        """Search for candidates."""
        return Search(
            beam_size=self.num_candidates,
            num_return_sequences=self.num_candidates,
            max_length=self.max_length,
            precision="fp32",
            processors={},
            diversity=Diversity(num_beam_groups=self.num_beam_groups, diversity_penalty=self.diversity_penalty),
        )


EXAMPLES = (Config(num_candidates=4, num_beam_groups=2, max_length=5, margin=0.5, length_penalty=0.6),)


class Brio(Rewarded):
    """Orders the probabilities of candidates by their rewards."""

    config: Config

    def loss(self, network: Seq2Seq, batch: Batch, reward: Reward) -> Float[Tensor, ""]:
        """Return the loss, summed over the examples of the batch."""
        ordered = self._ordered(network, batch, reward)
        scores = scores_of(network, batch, ordered, self.config.length_penalty)
        return self.config.weight * margin_ranking(scores, self.config.margin)

    def _ordered(self, network: Seq2Seq, batch: Batch, reward: Reward) -> list[list[tuple[int, ...]]]:
        """Return the candidates of each document by falling reward, one of each reward."""
        assert batch.target_extended is not None
        with evaluating(network):
            found = search(network, batch, self.config.search)
        ordered = []
        for each, row in zip(found, batch.target_extended[:, 1:].tolist(), strict=True):
            reference, best = [one for one in row if one not in (EOS, PAD)], dict[float, tuple[int, ...]]()
            for one in each:
                best.setdefault(reward(one.ids, reference), one.ids)
            ordered.append([best[value] for value in sorted(best, reverse=True)])
        return ordered


def scores_of(
    network: Seq2Seq, batch: Batch, candidates: list[list[tuple[int, ...]]], length_penalty: float
) -> Float[Tensor, "batch candidates"]:
    """Return the log probability of each candidate, divided by its length; −∞ where a document has fewer of them."""
    document = [row for row, each in enumerate(candidates) for _ in each]
    written = [[BOS, *one, EOS] for each in candidates for one in each]
    longest = max(map(len, written))
    extended = batch.source.new_tensor([[*one, *[PAD] * (longest - len(one))] for one in written])
    repeated = batch.select(batch.source.new_tensor(document))
    log_probs = network(with_target(network, repeated, extended)).target_log_probs
    assert log_probs is not None
    found = log_probs.sum(1) / (extended[:, 1:] != PAD).sum(1) ** length_penalty
    counts = batch.source.new_tensor([len(each) for each in candidates])
    there = torch.arange(int(counts.max()), device=counts.device) < counts[:, None]
    return found.new_full(there.shape, -torch.inf).masked_scatter(there, found)
