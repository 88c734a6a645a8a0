"""Sums over all ways in which a text may be divided into generated words and copied spans.

A text y₁ … y_T is made by actions: a word is generated, or a span of the source is copied. α_t is the probability of
its first t words with no span going on, F_t that of its first t words however they came:

    α_t = α_{t−1} · (1 − z_t) P_vocab(y_t) + Σ_{s≤t} α_{s−1} · z_s · closed(s, t)            α₀ = 1
    F_t = α_{t−1} · (1 − z_t) P_vocab(y_t) + Σ_{s≤t} α_{s−1} · z_s · opened(s, t)

closed(s, t) is the probability that the span that begins with word s is y_s … y_t, opened(s, t) that y_s … y_t is how
it begins. So P(y_t | the words before it) = F_t / F_{t−1}.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn import functional as F

LEAST = 1e-30
"""Probabilities below it have a logarithm without a gradient."""


class Spans(NamedTuple):
    """Probability that a span which begins with a word goes on like the text, by the number of its words less one."""

    opened: Float[Tensor, "batch steps lengths"]
    """The span has these words, and may have more."""

    closed: Float[Tensor, "batch steps lengths"]
    """The span has these words and no more."""


class Sums(NamedTuple):
    """Logarithms of the sums over all divisions of a text."""

    whole: Float[Tensor, "batch steps"]
    """log F after each word."""

    whole_before: Float[Tensor, "batch steps"]
    """log F before each word."""

    free_before: Float[Tensor, "batch steps"]
    """log α before each word."""


def run_lengths(matches: Bool[Tensor, "batch steps source"]) -> Int[Tensor, "batch steps source"]:
    """Return how many words of the text, from each step on, stand in a row in the source, from each place on."""
    runs = torch.zeros_like(matches[:, :1], dtype=torch.long)
    found = []
    for here in matches.unbind(1)[::-1]:
        runs = (F.pad(runs[..., 1:], (0, 1)) + 1) * here[:, None]
        found.append(runs)
    return torch.cat(found[::-1], 1)


def maximal_spans(
    runs: Int[Tensor, "batch steps source"],
) -> tuple[Bool[Tensor, "batch steps"], Bool[Tensor, "batch steps"]]:
    """Divide each text into the longest spans of its source: True where one begins, and where a word is part of one."""
    left = torch.zeros_like(runs[:, 0, 0])
    begins, inside = [], []
    for longest in runs.amax(-1).unbind(1):
        begins.append((left == 0) & (longest > 0))
        left = torch.where(begins[-1], longest, left)
        inside.append(left > 0)
        left = (left - 1).clamp_min(0)
    return torch.stack(begins, 1), torch.stack(inside, 1)


def spans_by_length(
    ends: Float[Tensor, "starts source"],
    starts: Float[Tensor, " starts"],
    place: Int[Tensor, " starts"],
    run: Int[Tensor, " starts"],
    row: Int[Tensor, " starts"],
    shape: tuple[int, int],
) -> Spans:
    """Add up the probabilities of spans that have the same words.

    Args:
        ends: Probability of each end, given a start.
        starts: Probability of the start.
        place: Its place in the source.
        run: Number of words from there on that the text has, too.
        row: Number of its step, counted through the whole batch.
        shape: Examples and steps of the batch.
    """
    most = int(run.max()) if len(run) else 1
    further = torch.arange(most, device=ends.device)
    at = (place[:, None] + further).clamp(max=ends.shape[1] - 1)
    tails = ends.flip(-1).cumsum(-1).flip(-1)
    weight = starts[:, None] * (further < run[:, None])
    opened, closed = (
        ends.new_zeros(shape[0] * shape[1], most).index_add(0, row, weight * one.gather(1, at)).view(*shape, most)
        for one in (tails, ends)
    )
    return Spans(opened, closed)


def sum_over_divisions(
    generate: Float[Tensor, "batch steps"],
    copy: Float[Tensor, "batch steps"],
    spans: Spans,
    mask: Bool[Tensor, "batch steps"],
) -> Sums:
    """Return log α and log F of each text.

    Args:
        generate: log (1 − z) P_vocab of each word.
        copy: log z.
        spans: Spans by the step at which they begin, and by length.
        mask: True where nothing is to be predicted; such a word costs nothing, and no span goes on there.
    """
    free, whole = [torch.zeros_like(generate[:, 0])], [torch.zeros_like(generate[:, 0])]
    opened, closed = (_log(one) for one in spans)
    for step in range(generate.shape[1]):
        begun = torch.arange(max(0, step + 1 - opened.shape[-1]), step + 1, device=generate.device)
        before = torch.stack([free[at] for at in begun.tolist()], 1) + copy[:, begun]
        generated = (free[step] + generate[:, step])[:, None]
        sums = [
            torch.cat([generated, before + one[:, begun, step - begun]], 1).logsumexp(1) for one in (closed, opened)
        ]
        for known, one in zip((free, whole), sums, strict=True):
            known.append(torch.where(mask[:, step], whole[step], one))
    return Sums(torch.stack(whole[1:], 1), torch.stack(whole[:-1], 1), torch.stack(free[:-1], 1))


def _log(probability: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
    """Return the logarithm; −∞ without a gradient where there is no probability."""
    return probability.clamp_min(LEAST).log().masked_fill(probability == 0, -torch.inf)
