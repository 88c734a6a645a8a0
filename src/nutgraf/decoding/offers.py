"""Next tokens that the groups of a search are offered: the best of each group, or one that each hypothesis draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import torch
from jaxtyping import Float, Int
from torch import Tensor

from nutgraf.decoding.largest import largest
from nutgraf.decoding.processors import NEVER
from nutgraf.model.records import EOS


@dataclass(frozen=True)
class Offered:
    """Next tokens of each group, best first; `rank` is compared, `parent` is the hypothesis that offers."""

    rank: Float[Tensor, "batch groups offered"]
    log_prob: Float[Tensor, "batch groups offered"]
    parent: Int[Tensor, "batch groups offered"]
    word: Int[Tensor, "batch groups offered"]

    def alive(self, width: int) -> Offered:
        """Return the best that are no end."""
        ends = self.word == EOS
        rank, log_prob = self.rank.masked_fill(ends, NEVER), self.log_prob.masked_fill(ends, NEVER)
        at = rank.topk(width).indices
        return Offered(*(part.gather(-1, at) for part in (rank, log_prob, self.parent, self.word)))

    def only(self, going: Sequence[Sequence[bool]]) -> Offered:
        """Return what is offered to the groups that go on; the others have no hypothesis any more."""
        ended = ~torch.tensor(going, device=self.log_prob.device)
        return replace(self, log_prob=self.log_prob.masked_fill(ended[..., None], NEVER))


def best(
    log_probs: Float[Tensor, "batch beams extended"],
    ahead: Float[Tensor, "batch beams"],
    groups: int,
    penalty: float = 0.0,
) -> Offered:
    """Offer each group twice as many tokens as it has hypotheses, so that enough are left without ends.

    `ahead` is added to the log probabilities: that of each hypothesis so far. A token that hypotheses of an earlier
    group take loses `penalty` for each of them in its rank, not in its log probability.
    """
    if groups == 1:
        return _best(log_probs, ahead)
    width = log_probs.shape[1] // groups
    found = [_best(log_probs[:, :width], ahead[:, :width])]
    lost = log_probs.new_zeros(len(log_probs), log_probs.shape[-1])
    for first in range(width, log_probs.shape[1], width):
        chosen = found[-1].alive(width)
        taken = (chosen.log_prob[:, 0] > NEVER).to(lost.dtype)
        lost = lost.scatter_add(1, chosen.word[:, 0], penalty * taken)
        here = slice(first, first + width)
        each = _best(log_probs[:, here] - lost[:, None], ahead[:, here])
        given_back = lost.gather(1, each.word[:, 0])[:, None]
        found.append(replace(each, log_prob=each.rank + given_back, parent=each.parent + first))
    names = [part.name for part in fields(Offered)]
    return Offered(**{name: torch.cat([getattr(one, name) for one in found], 1) for name in names})


def drawn(
    log_probs: Float[Tensor, "batch beams extended"],
    ahead: Float[Tensor, "batch beams"],
    word: Int[Tensor, "batch beams"],
) -> Offered:
    """Offer each hypothesis the token that was drawn for it; all are one group."""
    rank = ahead + log_probs.gather(-1, word[..., None]).squeeze(-1)
    parent = torch.arange(word.shape[1], device=word.device).expand_as(word)
    return _one_group(rank, parent, word)


def _best(log_probs: Float[Tensor, "batch beams extended"], ahead: Float[Tensor, "batch beams"]) -> Offered:
    """Return the best of one group."""
    return _one_group(*largest(log_probs, ahead, 2 * log_probs.shape[1]))


def _one_group(
    rank: Float[Tensor, "batch offered"], parent: Int[Tensor, "batch offered"], word: Int[Tensor, "batch offered"]
) -> Offered:
    """Return what one group is offered, where nothing lowers the ranks."""
    return Offered(rank[:, None], rank[:, None], parent[:, None], word[:, None])
