"""Log probabilities of labels under a softmax over a large vocabulary.

Training asks for two numbers a step only: the log probability of the label and the mean over all words, for label
smoothing. The probabilities of a step never leave this file. They are kept once, in the precision of the product,
vocabulary first, which makes two of the three large products run over rows; the gradient needs no further copy of them,
since what flows into a step is one number (g for the label y, m for the mean):

    ∂/∂logits = (g + m)(1_y − p) + m(u − 1_y)          u: one over the number of words, but 0 for PAD

where the first part is the kept matrix times a number a step, and the second is sparse or the same for all words.
"""

from __future__ import annotations

from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.autograd.function import once_differentiable
from torch.nn import functional as F

from nutgraf.model.layers import EmbeddingProjection
from nutgraf.model.records import PAD, at_least_single

CHUNK = 1 << 20
"""Numbers that are worked on at once: so few that they stay in the processor's cache."""

FIRST, FAR = 1024, 1e15
"""Logits are taken relative to the highest of the first words, which are the most frequent: to know the highest of all
takes a pass of its own. It is made where the sum of exponentials is out of the range 1/FAR to FAR."""


def log_probs_at(
    states: Float[Tensor, "batch steps width"],
    projection: nn.Linear | EmbeddingProjection,
    labels: Int[Tensor, "batch steps"],
) -> tuple[Float[Tensor, "batch steps"], Float[Tensor, "batch steps"]]:
    """Return log softmax(W s + b) at the labels, and its mean over the vocabulary without PAD.

    Both are 0 where the label is PAD: nothing is computed there.
    """
    return log_probs_among(states, projection.weight, projection.bias, labels)


def log_probs_among(
    states: Float[Tensor, "batch steps width"],
    weight: Float[Tensor, "words width"],
    bias: Float[Tensor, " words"],
    labels: Int[Tensor, "batch steps"],
) -> tuple[Float[Tensor, "batch steps"], Float[Tensor, "batch steps"]]:
    """Return what `log_probs_at` does for words with rows in a matrix, PAD's being the first; labels are rows."""
    at = (labels.flatten() != PAD).nonzero().squeeze(-1)
    chosen, mean = _LogProbs.apply(
        states.flatten(0, 1).index_select(0, at),
        weight,
        bias,
        labels.flatten().index_select(0, at),
        _precision(states),
    )
    return _back(chosen, at, labels), _back(mean, at, labels)


def log_softmax(
    logits: Float[Tensor, "batch steps vocabulary"], extra: int, log_share: Float[Tensor, "batch steps"] | float = 0.0
) -> Float[Tensor, "batch steps extended"]:
    """Return log (share · softmax), at least in single precision, in the place of the logits.

    `extra` words are above the vocabulary; their result is −∞ like that of PAD.
    """
    exact = at_least_single(logits)
    exact[..., PAD] = -float("inf")
    log_probs = exact.sub_((exact.logsumexp(-1) - log_share)[..., None])
    beyond = log_probs.new_full((*log_probs.shape[:-1], extra), -float("inf"))
    return torch.cat([log_probs, beyond], -1) if extra else log_probs


class _LogProbs(torch.autograd.Function):
    """(states [n, width], weight [words, width], bias [words], labels [n]) → log p of the labels, mean log p; [n]."""

    @staticmethod
    def forward(
        ctx: Any, states: Tensor, weight: Tensor, bias: Tensor, labels: Tensor, precision: torch.dtype
    ) -> tuple[Tensor, Tensor]:
        exact = torch.promote_types(precision, torch.float32)
        with torch.autocast(states.device.type, enabled=False):
            h, w, b = states.to(precision), weight.to(precision), bias.to(exact)
            kept = h.new_empty(len(w), len(h))
            by = _highest(h, w[:FIRST], b)
            chosen, total = _raise(h, w, b, by, labels, kept)
            if not bool(((total > 1 / FAR) & (total < FAR)).all()):
                by = torch.stack([_highest(h, w[part], b) for part in _parts(kept)]).amax(0)
                chosen, total = _raise(h, w, b, by, labels, kept)
            log_total = by + total.log()
            words = w[PAD + 1 :]
            mean_word = (words.new_ones(1, len(words)) @ words).squeeze(0).to(exact) / len(words)
            mean = h.to(exact) @ mean_word + b[PAD + 1 :].mean() - log_total
        ctx.save_for_backward(h, w, kept, total, labels, mean_word)
        ctx.into = states.dtype, weight.dtype, bias.dtype
        ctx.set_materialize_grads(False)
        return chosen - log_total, mean

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, of_chosen: Tensor | None, of_mean: Tensor | None) -> tuple[Tensor | None, ...]:
        h, w, kept, total, labels, mean_word = ctx.saved_tensors
        width = h.shape[1]
        nothing = torch.zeros_like(total)
        g, m = (nothing if one is None else one for one in (of_chosen, of_mean))
        pull = (-(g + m) / total)[:, None]
        pulled = F.pad(torch.cat([pull * h, pull], 1).to(h.dtype), (0, -(width + 1) % 32))  # odd widths are slow
        of_w = torch.empty(w.shape, dtype=ctx.into[1], device=w.device)
        of_b = torch.empty(w.shape[:1], dtype=ctx.into[2], device=w.device)
        of_h = total.new_zeros(h.shape[::-1])
        for part in _parts(kept, 8 * CHUNK):
            of_both = kept[part] @ pulled
            of_w[part], of_b[part] = of_both[:, :width], of_both[:, width]
            of_h += w[part].t().contiguous() @ kept[part]
        of_states = of_h.t() * pull
        if of_mean is not None:
            each = 1 / (len(w) - PAD - 1)
            of_states += m[:, None] * (mean_word - w[labels])
            of_w.index_add_(0, labels, (-m[:, None] * h).to(of_w.dtype))
            of_b.index_add_(0, labels, -m.to(of_b.dtype))
            of_w[PAD + 1 :] += each * (m @ h.to(m.dtype))
            of_b[PAD + 1 :] += each * m.sum()
        return of_states.to(ctx.into[0]), of_w, of_b, None, None


def _highest(
    h: Float[Tensor, "steps width"], w: Float[Tensor, "words width"], b: Float[Tensor, " vocabulary"]
) -> Float[Tensor, " steps"]:
    """Return an upper bound of the logits of these words at each step, hardly above the largest."""
    return (w @ h.t()).amax(0).to(b.dtype) + b.max()


def _raise(
    h: Float[Tensor, "steps width"],
    w: Float[Tensor, "words width"],
    b: Float[Tensor, " words"],
    by: Float[Tensor, " steps"],
    labels: Int[Tensor, " steps"],
    kept: Float[Tensor, "words steps"],
) -> tuple[Float[Tensor, " steps"], Float[Tensor, " steps"]]:
    """Write e^(logit − by) into `kept`, less 1_y times their sum; return the logits of the labels, and the sums."""
    chosen, total = torch.empty_like(by), torch.zeros_like(by)
    each, steps = h.t().contiguous(), torch.arange(len(labels), device=labels.device)
    parts = _parts(kept)
    counts = torch.bincount(labels // (parts[0].stop - parts[0].start), minlength=len(parts))
    for part, at in zip(parts, torch.split(labels.argsort(), counts.tolist()), strict=True):
        logits = (w[part] @ each).to(by.dtype).add_(b[part, None])
        chosen[at] = logits[labels[at] - part.start, at]
        if part.start == PAD:
            logits[PAD] = -float("inf")
        raised = logits.sub_(by).exp_()
        total += raised.sum(0)
        kept[part] = raised
    kept[labels, steps] = (kept[labels, steps] - total).to(kept.dtype)
    return chosen, total


def _precision(states: Tensor) -> torch.dtype:
    device = states.device.type
    return torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else states.dtype


def _parts(kept: Float[Tensor, "words steps"], cells: int | None = None) -> list[slice]:
    """Slices of the vocabulary."""
    words, steps = kept.shape
    size = max(1, (cells or CHUNK) // max(1, steps))
    return [slice(start, min(start + size, words)) for start in range(0, words, size)]


def _back(found: Float[Tensor, " at"], at: Int[Tensor, " at"], labels: Int[Tensor, "batch steps"]) -> Tensor:
    return found.new_zeros(labels.numel()).index_copy(0, at, found).view_as(labels)
