"""Attention with highlights as the formulas are written, cell by cell: what the fast ways are compared with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor

from nutgraf.steering.reach import set_attention

Formula = Callable[[Tensor], Tensor]
"""Makes weights of scores [batch, heads, rows, keys], in which what is not seen is far below 0."""

NAME = "plain_reference"
_formula: list[Any] = [None]


def attention(
    module: Any,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor,
    scaling: float | None = None,
    softcap: float | None = None,
    position_bias: Tensor | None = None,
    **_: Any,
) -> tuple[Tensor, None]:
    times = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(times, 1), value.repeat_interleave(times, 1)
    scores = query @ key.mT * (query.shape[-1] ** -0.5 if scaling is None else scaling)
    if softcap is not None:
        scores = softcap * torch.tanh(scores / softcap)
    if position_bias is not None:
        scores = scores + position_bias
    rows, keys = scores.shape[-2:]
    place, length, formula = _formula[0]
    here = {"encoder": rows == keys == length, "cross": rows != length == keys, "prompt": keys == length}[place]
    scores = scores + attention_mask
    weights = formula(scores) if here else scores.softmax(-1)
    return (weights @ value).transpose(1, 2), None


def whole_mask(**options: Any) -> Tensor:
    """The mask, also where a kernel would not need one."""
    from transformers.masking_utils import eager_mask

    return eager_mask(**{**options, "allow_is_bidirectional_skip": False})


@contextmanager
def reference(model: Any, place: str, length: int, formula: Formula) -> Iterator[None]:
    """Let a model compute attention to its input, which is `length` pieces long, by a formula."""
    from transformers import AttentionInterface, AttentionMaskInterface

    AttentionInterface.register(NAME, attention)
    AttentionMaskInterface.register(NAME, whole_mask)
    own = model.config._attn_implementation
    set_attention(model, own, NAME)
    _formula[0] = place, length, formula
    try:
        yield
    finally:
        set_attention(model, NAME, own)


def column(spans: Any, strength: float) -> Formula:
    def formula(scores: Tensor) -> Tensor:
        bias = torch.zeros_like(scores)
        for example, row in enumerate(spans):
            for position in range(scores.shape[-1]):
                weights = [weight for start, end, weight in row if start <= position < end]
                bias[example, :, :, position] = strength * max(weights, default=0)
        return (scores + bias).softmax(-1)

    return formula


def block(spans: Any, strength: float, together: Callable[..., float]) -> Formula:
    def formula(scores: Tensor) -> Tensor:
        bias = torch.zeros_like(scores)
        for example, row in enumerate(spans):
            for i in range(scores.shape[-2]):
                for j in range(scores.shape[-1]):
                    weights = [weight for start, end, weight in row if start <= i < end and start <= j < end]
                    bias[example, :, i, j] = strength * together(weights or [0])
        return (scores + bias).softmax(-1)

    return formula


def share(spans: Any, least: float) -> Formula:
    """After the softmax: marked words are multiplied so that they sum to `least`, the others so that all sum to 1."""

    def formula(scores: Tensor) -> Tensor:
        weights = scores.softmax(-1)
        marked = torch.zeros_like(weights, dtype=torch.bool)
        for example, row in enumerate(spans):
            for start, end, _ in row:
                marked[example, :, :, start:end] = True
        p = (weights * marked).sum(-1, keepdim=True)
        lifted = torch.where(marked, weights * least / p, weights * (1 - least) / (1 - p))
        return torch.where((p > 0) & (p < least), lifted, weights)

    return formula


def share_as_published(spans: Any, least: float) -> Formula:
    """The bias ln(ψ/p), which does not reach ψ."""

    def formula(scores: Tensor) -> Tensor:
        weights = scores.softmax(-1)
        marked = torch.zeros_like(weights, dtype=torch.bool)
        for example, row in enumerate(spans):
            for start, end, _ in row:
                marked[example, :, :, start:end] = True
        p = (weights * marked).sum(-1, keepdim=True)
        bias = torch.where((p > 0) & (p < least), (least / p).log(), 0.0)
        return (scores + bias * marked).softmax(-1)

    return formula
