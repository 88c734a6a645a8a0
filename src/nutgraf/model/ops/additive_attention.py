"""Additive attention of one step at a time; `model/additive.py` has the formula.

A step works on source × width numbers of every example, so in training nothing of that size is kept from step to step:
the backward pass makes tanh once more, and the gradient of the keys is added up in one place for all steps. The
gradient of the values, Σₜ aₜ ⊗ ∂contextₜ, is one product at the end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.autograd.function import once_differentiable

from nutgraf.model.ops.attention import zero_empty_sources
from nutgraf.model.records import at_least_single

PART = 1 << 18
"""Numbers that are worked on at once: so few that they stay in the processor's cache."""


@dataclass
class Gradients:
    """Sums of the steps' backward passes: Σ de · (1 − tanh²), and each step's attention and gradient of the context."""

    of_keys: Tensor | None = None
    steps: list[tuple[Tensor, Tensor]] = field(default_factory=list)


@dataclass(frozen=True)
class ProjectedKeys:
    """Keys and values that all steps share."""

    keys: Float[Tensor, "batch source compared"]
    """W_h h + b, at least in single precision."""

    values: Float[Tensor, "batch source width"]
    padding: Bool[Tensor, "batch source"] | None
    gradients: Gradients = field(default_factory=Gradients)


def project(
    keys: Float[Tensor, "batch source compared"],
    values: Float[Tensor, "batch source width"],
    padding: Bool[Tensor, "batch source"] | None,
    score_weight: Float[Tensor, " compared"],
) -> ProjectedKeys:
    """Return keys and values for the steps of a text."""
    keys = at_least_single(keys)
    if not torch.is_grad_enabled():
        return ProjectedKeys(keys, values, padding)
    gradients = Gradients()
    keys, values = _Shared.apply(keys, values, score_weight, gradients)
    return ProjectedKeys(keys, values, padding, gradients)


def attend_additively(
    query: Float[Tensor, "batch queries compared"],
    keys: ProjectedKeys,
    score_weight: Float[Tensor, " compared"],
    covered: Float[Tensor, "batch queries source"] | None,
    coverage_weight: Float[Tensor, " compared"] | None,
    addend: Float[Tensor, "batch queries source"] | None = None,
    scale: Float[Tensor, "batch queries source"] | None = None,
) -> tuple[
    Float[Tensor, "batch queries width"], Float[Tensor, "batch queries source"], Float[Tensor, "batch queries source"]
]:
    """Return context, attention and scores, by the fast path where a gradient is needed.

    `scale` and `addend` change the scores in the softmax alone; the scores are returned without them.
    """
    query = query.to(keys.keys.dtype)
    if torch.is_grad_enabled() and query.shape[1] == 1:
        before, added, factor = (None if one is None else one.squeeze(1) for one in (covered, addend, scale))
        shared = keys.padding, keys.gradients
        context, weights, scores = _Attend.apply(
            keys.keys,
            keys.values,
            query.squeeze(1),
            score_weight,
            before,
            coverage_weight,
            added,
            factor,
            *shared,
        )
        return context.unsqueeze(1), weights.unsqueeze(1), scores.unsqueeze(1)
    scores = additive_scores(query, keys, score_weight, covered, coverage_weight)
    weights = masked_softmax(changed(scores, scale, addend), keys.padding)
    return weights.to(keys.values.dtype) @ keys.values, weights, scores


def additive_scores(
    query: Float[Tensor, "batch queries compared"],
    keys: ProjectedKeys,
    score_weight: Float[Tensor, " compared"],
    covered: Float[Tensor, "batch queries source"] | None,
    coverage_weight: Float[Tensor, " compared"] | None,
) -> Float[Tensor, "batch queries source"]:
    """Return the scores by the plain formula, those of padding too."""
    compared = keys.keys[:, None] + query[:, :, None]
    if covered is not None and coverage_weight is not None:
        compared = compared + covered[..., None] * coverage_weight
    return compared.tanh() @ score_weight


def changed(
    scores: Float[Tensor, "batch *queries source"],
    scale: Float[Tensor, "batch *queries source"] | None,
    addend: Float[Tensor, "batch *queries source"] | None,
) -> Float[Tensor, "batch *queries source"]:
    """Return the scores times a scale and with an addend, where there are such."""
    scaled = scores if scale is None else scores * scale
    return scaled if addend is None else scaled + addend


def masked_softmax(
    scores: Float[Tensor, "batch *queries source"], padding: Bool[Tensor, "batch source"] | None
) -> Float[Tensor, "batch *queries source"]:
    """Return softmax(e) over what is not padding; zeros where a source is all padding."""
    if padding is None:
        return scores.softmax(-1)
    hidden = padding.view(len(padding), *[1] * (scores.dim() - 2), -1)
    return zero_empty_sources(scores.masked_fill(hidden, -math.inf).softmax(-1), padding)


class _Shared(torch.autograd.Function):
    """Keys and values unchanged; their gradients are sums over the steps, whose backward passes all come before."""

    @staticmethod
    def forward(ctx: Any, keys: Tensor, values: Tensor, score: Tensor, flows: Gradients) -> tuple[Tensor, Tensor]:
        ctx.flows = flows
        ctx.save_for_backward(score)
        ctx.set_materialize_grads(False)
        return keys.view_as(keys), values.view_as(values)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *_: Tensor | None) -> tuple[Tensor | None, ...]:
        (score,), flows = ctx.saved_tensors, ctx.flows
        if flows.of_keys is None:
            return None, None, None, None
        weights, gradients = (torch.stack(one, 1) for one in zip(*flows.steps, strict=True))
        of_values = weights.to(gradients.dtype).transpose(1, 2) @ gradients
        of_keys = flows.of_keys.mul_(score)
        flows.of_keys, flows.steps = None, []
        return of_keys, of_values, None, None


class _Attend(torch.autograd.Function):
    """Attention of one step.

    Arguments are keys [b, n, w], values [b, n, d], query [b, w], v [w], coverage before the step [b, n], w_c [w], an
    addend of the scores and their scale [b, n], padding and gradients; results are the context [b, d], the attention
    [b, n] and the scores without addend and scale [b, n].
    """

    @staticmethod
    def forward(
        ctx: Any,
        keys: Tensor,
        values: Tensor,
        query: Tensor,
        score: Tensor,
        covered: Tensor | None,
        coverage: Tensor | None,
        addend: Tensor | None,
        scale: Tensor | None,
        padding: Tensor | None,
        flows: Gradients,
    ) -> tuple[Tensor, Tensor, Tensor]:
        with torch.autocast(keys.device.type, enabled=False):
            scores = torch.cat(
                [_compare(keys, query, covered, coverage, part) @ score for part in _parts(keys)]
            )  # fmt: skip
            weights = masked_softmax(changed(scores, scale, addend), padding)
            context = (weights[:, None].to(values.dtype) @ values).squeeze(1)
        ctx.save_for_backward(keys, values, query, score, covered, coverage, scale, weights)
        ctx.flows = flows
        ctx.set_materialize_grads(False)
        return context, weights, scores

    @staticmethod
    @once_differentiable
    def backward(
        ctx: Any, of_context: Tensor | None, of_weights: Tensor | None, of_raw: Tensor | None
    ) -> tuple[Tensor | None, ...]:
        keys, values, query, score, covered, coverage, scale, weights = ctx.saved_tensors
        flows: Gradients = ctx.flows
        if of_context is None:
            of_context = values.new_zeros(values.shape[0], values.shape[2])
        flows.steps.append((weights, of_context))
        pull = (values @ of_context[..., None]).squeeze(-1).to(weights.dtype)
        pull = pull if of_weights is None else pull + of_weights
        of_logits = weights * (pull - (weights * pull).sum(-1, keepdim=True))
        of_scores = changed(of_logits, scale, of_raw)
        if flows.of_keys is None:
            flows.of_keys = torch.zeros_like(keys)
        of_query, of_score = torch.empty_like(query), torch.zeros_like(score)
        of_covered = None if covered is None else torch.empty_like(covered)
        of_coverage = None if coverage is None else torch.zeros_like(coverage)
        of_scale = None if scale is None else torch.empty_like(scale)
        for part in _parts(keys):
            here = of_scores[part]
            found = _compare(keys, query, covered, coverage, part)
            if of_scale is not None:
                of_scale[part] = of_logits[part] * (found @ score)
            of_score += (here[:, None] @ found).sum((0, 1))
            slope = torch.ops.aten.tanh_backward(here[..., None].expand_as(found), found)
            flows.of_keys[part] += slope
            of_query[part] = slope.sum(1) * score
            if of_covered is not None:
                of_covered[part] = slope @ (score * coverage)
                of_coverage += (covered[part][:, None] @ slope).sum((0, 1)) * score
        of_addend = of_logits if ctx.needs_input_grad[6] else None
        return None, None, of_query, of_score, of_covered, of_coverage, of_addend, of_scale, None, None


def _compare(
    keys: Float[Tensor, "batch source compared"],
    query: Float[Tensor, "batch compared"],
    covered: Float[Tensor, "batch source"] | None,
    coverage: Float[Tensor, " compared"] | None,
    part: slice,
) -> Float[Tensor, "part source compared"]:
    """tanh(key + query + w_c c) of some examples."""
    found = keys[part] + query[part, None]
    if covered is not None and coverage is not None:
        found.addcmul_(covered[part][..., None], coverage)
    return found.tanh_()


def _parts(keys: Float[Tensor, "batch source compared"]) -> list[slice]:
    """Slices of the batch."""
    size = max(1, PART // max(1, keys[0].numel())) if keys.device.type == "cpu" else len(keys)
    return [slice(start, start + size) for start in range(0, len(keys), size)]
