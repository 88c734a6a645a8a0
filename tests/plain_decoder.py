"""The pointer-generator's decoder as its paper writes it, one source and one step at a time, without fast paths."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from nutgraf.model.decoder import Decoder

Attend = Callable[[Tensor, Tensor, Tensor], Tensor]
"""Makes the attention of the scores e, the cell and the hidden state."""


def plain_decoder(
    decoder: Decoder, embedded: Tensor, states: Tensor, final: tuple[Tensor, Tensor], attend: Attend
) -> tuple[Tensor, Tensor]:
    """Return states and attention of all steps for the words of one target, [steps, width], and one source.

    `final` is the cell and the hidden state that the first state is made of.
    """
    attention = decoder.cross_attention
    cell, hidden = torch.relu(decoder.cell_init(final[0])), torch.relu(decoder.hidden_init(final[1]))
    context, found, looked = torch.zeros_like(states[0]), [], []
    for word in embedded:
        merged = decoder.in_proj(torch.cat([word, context]))
        hidden, cell = (one[0] for one in decoder.lstm(merged[None], (hidden[None], cell[None])))
        compared = torch.tanh(attention.key_proj(states) + attention.query_proj(torch.cat([cell, hidden])))
        looked.append(attend(compared @ attention.score_weight, cell, hidden))
        context = looked[-1] @ states
        found.append(decoder.out_proj(torch.cat([hidden, context])))
    return torch.stack(found), torch.stack(looked)


def assert_same_gradients(decoder: Decoder, given: Tensor, ours: list[Tensor], plain: list[Tensor]) -> None:
    """Compare results, and the gradients of a function of them in all parameters and in the states of the source."""
    wanted = [given, *decoder.parameters()]
    gradients = []
    for results in (ours, plain):
        assert all(torch.allclose(one, other) for one, other in zip(results, plain, strict=True))
        loss = sum(one.pow(3).sum() for one in results)
        gradients.append(torch.autograd.grad(loss, wanted, retain_graph=True))
    for one, other in zip(*gradients, strict=True):
        assert one.any()
        assert torch.allclose(one, other)
