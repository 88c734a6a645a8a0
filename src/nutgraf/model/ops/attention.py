"""Attention: softmax(QKᵀ/√d + M) V.

`softmax_weights` is the plain formula; `attend` leaves the weights to a fused kernel, which never makes them. On a
processor, bfloat16 goes through torch's fused kernel forward and a backward of our own that takes half of its time.

The kernel returns L, the logarithm of each row's sum of e^S. Backward, with G the gradient of the output O,

    P = e^(S − L)        D = Σ G·O of each row        dS = P ∘ (GVᵀ − D)
    dV = PᵀG             dQ = dS K / √d               dK = dSᵀ Q / √d

Subtracting L and D, and the mask, are done within the matrix products, as further columns of Q, K, G and V: what
remains of P and dS are one exponential and one product in place. In half precision this is the more exact way too, for
what is rounded is S − L, which is small where P is not; the columns of L and D come in two halves for that reason. The
matrices are made for some heads and rows at a time, so memory grows with the length, not with its square.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.nn import functional as F

from nutgraf.model.records import at_least_single

CELLS = 1 << 20
"""Cells of P that are made at a time: so few that they stay in the processor's cache."""

FAR = 3e4
"""A number beyond all scores."""

kernel = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu


def attend(
    query: Float[Tensor, "batch heads steps head_dim"],
    key: Float[Tensor, "batch heads source head_dim"],
    value: Float[Tensor, "batch heads source head_dim"],
    key_padding_mask: Bool[Tensor, "batch source"] | None = None,
    causal: bool = False,
) -> Float[Tensor, "batch heads steps head_dim"]:
    """Return softmax(QKᵀ/√d) V by the fastest kernel for the device and the precision.

    Padding gets no attention, so that a source that is all padding gives zeros. If `causal`, no row sees a column after
    its own.
    """
    if query.device.type == "cpu" and query.dtype == torch.bfloat16 and torch.is_grad_enabled():
        return _Fused.apply(query, key, value, key_padding_mask, causal)
    seen = None if key_padding_mask is None else ~key_padding_mask[:, None, None, :]
    return F.scaled_dot_product_attention(query, key, value, attn_mask=seen, is_causal=causal)


def softmax_weights(
    query: Float[Tensor, "batch heads steps head_dim"],
    key: Float[Tensor, "batch heads source head_dim"],
    key_padding_mask: Bool[Tensor, "batch source"] | None = None,
) -> Float[Tensor, "batch heads steps source"]:
    """Return softmax(QKᵀ/√d), at least in single precision; zeros where a source is all padding."""
    return zero_empty_sources(torch.softmax(scaled_scores(query, key, key_padding_mask), dim=-1), key_padding_mask)


def zero_empty_sources(
    weights: Float[Tensor, "batch *steps source"], key_padding_mask: Bool[Tensor, "batch source"] | None
) -> Float[Tensor, "batch *steps source"]:
    """Return the weights with zeros for sources that are all padding, of which a softmax is NaN."""
    if key_padding_mask is None:
        return weights
    empty = key_padding_mask.all(-1)
    # Elsewhere than on a processor, asking takes longer than filling.
    if weights.device.type == "cpu" and not bool(empty.any()):
        return weights
    return weights.masked_fill(empty.view(-1, *[1] * (weights.dim() - 1)), 0)


def reweighted(
    weights: Float[Tensor, "*shape source"], bias: Float[Tensor, "*bias source"] | None
) -> Float[Tensor, "*shape source"]:
    """Return softmax(e + bias) for weights = softmax(e); zeros where nothing is left."""
    if bias is None:
        return weights
    raised = weights * bias.exp()
    return raised / raised.sum(-1, keepdim=True).clamp_min(torch.finfo(raised.dtype).tiny)


def scaled_scores(
    query: Float[Tensor, "batch heads steps head_dim"],
    key: Float[Tensor, "batch heads source head_dim"],
    key_padding_mask: Bool[Tensor, "batch source"] | None = None,
) -> Float[Tensor, "batch heads steps source"]:
    """Return QKᵀ/√d, at least in single precision; −∞ at padding."""
    scores = at_least_single(query @ key.transpose(-1, -2)) / math.sqrt(query.shape[-1])
    return scores if key_padding_mask is None else scores.masked_fill(key_padding_mask[:, None, None, :], -math.inf)


def unseen(
    padding: Bool[Tensor, "batch source"] | None, precision: torch.dtype
) -> Float[Tensor, "batch 1 1 source"] | None:
    """Return the padding as numbers that are added to the scores."""
    if padding is None:
        return None
    return torch.zeros_like(padding, dtype=precision).masked_fill_(padding, -math.inf)[:, None, None, :]


def fused_backward(
    gradient: Float[Tensor, "batch heads steps head_dim"],
    query: Float[Tensor, "batch heads steps head_dim"],
    key: Float[Tensor, "batch heads source head_dim"],
    value: Float[Tensor, "batch heads source head_dim"],
    out: Float[Tensor, "batch heads steps head_dim"],
    log_sum: Float[Tensor, "batch heads steps"],
    padding: Bool[Tensor, "batch source"] | None = None,
    causal: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the gradients of query, key and value; a row whose `log_sum` is infinite has no weights."""
    batch, heads, steps, width = query.shape
    source, precision, scale = key.shape[2], query.dtype, 1 / math.sqrt(width)
    wide = torch.promote_types(precision, torch.float32)
    shift = (log_sum.to(wide) / -scale).clamp(-FAR / scale, FAR / scale)
    mean = (gradient.to(wide) * out.to(wide)).sum(-1)
    ones = key.new_ones(batch, heads, source, 1)
    shifts, means = _columns(shift, precision), _columns(-mean, precision)
    q, k = [query, *shifts], [key, *([ones] * len(shifts))]
    if padding is not None:
        q.append(query.new_ones(batch, heads, steps, 1))
        k.append((padding * (-FAR / scale)).to(precision)[:, None, :, None].expand(-1, heads, -1, -1))
    Q, K = _beside(q), _beside(k)
    G, V = _beside([gradient, *means]), _beside([value, *([ones] * len(means))])
    parts = _parts(batch * heads, steps, source)
    summed = precision if parts[0][1] == slice(0, steps) else wide
    dQ, dK, dV = (one.new_zeros(batch * heads, one.shape[2], width, dtype=summed) for one in (query, key, value))
    for some, rows in parts:
        seen = slice(0, rows.stop if causal else source)
        P = _scaled(Q[some, rows], K[some, seen].mT, scale).exp_()
        if causal:
            P.tril_(rows.start)
        dS = torch.bmm(G[some, rows], V[some, seen].mT).mul_(P)
        dV[some, seen] += torch.bmm(P.mT, G[some, rows, :width])
        dQ[some, rows] = _scaled(dS, K[some, seen, :width], scale)
        dK[some, seen] += _scaled(dS.mT, Q[some, rows, :width], scale)
    by_query, by_key, by_value = (one.view(batch, heads, -1, width).to(precision) for one in (dQ, dK, dV))
    return by_query, by_key, by_value


class _Fused(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, query: Tensor, key: Tensor, value: Tensor, padding: Tensor | None, causal: bool) -> Tensor:
        out, log_sum = kernel(query, key, value, is_causal=causal, attn_mask=unseen(padding, query.dtype))
        ctx.save_for_backward(query, key, value, out, log_sum, padding)
        ctx.causal = causal
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        query, key, value, out, log_sum, padding = ctx.saved_tensors
        return *fused_backward(gradient, query, key, value, out, log_sum, padding, ctx.causal), None, None


def _columns(numbers: Float[Tensor, "batch heads steps"], precision: torch.dtype) -> list[Tensor]:
    """Return columns whose sum the numbers are; in half precision two, the second being the rest of the first."""
    first = numbers.to(precision)
    rest = [] if precision == numbers.dtype else [(numbers - first).to(precision)]
    return [column[..., None] for column in (first, *rest)]


def _beside(columns: list[Tensor]) -> Float[Tensor, "rows length width"]:
    """Put columns side by side, heads of all examples in one row."""
    return torch.cat(columns, -1).flatten(0, 1)


def _scaled(left: Tensor, right: Tensor, scale: float) -> Tensor:
    return torch.baddbmm(left.new_empty(1, 1, 1), left, right, beta=0, alpha=scale)


def _parts(heads: int, steps: int, source: int) -> list[tuple[slice, slice]]:
    """Return slices of heads and of their rows with about CELLS cells."""
    some = min(heads, max(1, CELLS // (steps * source)))
    rows = min(steps, max(1, CELLS // (some * source)))
    return [
        (slice(head, min(head + some, heads)), slice(row, min(row + rows, steps)))
        for head in range(0, heads, some)
        for row in range(0, steps, rows)
    ]
