"""Dropout (Srivastava et al. 2014) that costs little where random numbers are expensive.

A generator of the C++ library draws one number after the other for torch; on a processor that is a third of a training
step. Here a decision takes one byte of a quick generator (SFC64, Doty-Humphrey 2013), which is seeded from torch's own
for every call: the same seed of torch gives the same network, and its state is all that a checkpoint must keep. A rate
is rounded to 256ths, so that kept numbers are weighed by exactly the inverse of their chance.

Elsewhere torch's own is as quick as it can be, and is used.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, UInt8
from torch import Tensor, nn
from torch.autograd.function import once_differentiable
from torch.nn import functional as F

SIDES = 256


class Dropout(nn.Module):
    """Numbers become 0 at the given rate; the others grow, so that the mean stays."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.rate = rate
        self.dropped = min(round(rate * SIDES), SIDES - 1)

    def forward(self, states: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
        """Return dropout(x)."""
        if not self._by_bytes(states):
            return F.dropout(states, self.rate, self.training)
        return _Drop.apply(states, random_bytes(states.shape), self.dropped)

    def after_relu(self, states: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
        """Return dropout(ReLU(x)); its positive numbers tell where the gradient flows, so nothing else is kept."""
        if not self._by_bytes(states):
            return F.dropout(F.relu(states), self.rate, self.training)
        return _DropAfterReLU.apply(states, random_bytes(states.shape), self.dropped)

    def added(self, states: Float[Tensor, "*shape"], change: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
        """Return x + dropout(y), in the precision of x."""
        if not self.training:
            return states + change
        if not self._by_bytes(change):
            return states + F.dropout(change, self.rate, self.training)
        return _AddDropped.apply(states, change, random_bytes(change.shape), self.dropped)

    def extra_repr(self) -> str:
        """Return the rate, for `print(network)`."""
        return f"rate={self.rate}"

    def _by_bytes(self, states: Tensor) -> bool:
        return self.training and self.dropped > 0 and states.device.type == "cpu"


def random_bytes(shape: torch.Size) -> UInt8[Tensor, "*shape"]:
    """Draw bytes from 0 to 255, all equally likely."""
    count = math.prod(shape)
    seed = int(torch.randint(2**63 - 1, ()))
    drawn = np.random.SFC64(seed).random_raw(-(-count // 8))
    return torch.from_numpy(drawn.view(np.uint8)[:count]).view(shape)


class _Drop(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, states: Tensor, drawn: Tensor, dropped: int) -> Tensor:
        ctx.save_for_backward(drawn)
        ctx.dropped = dropped
        return _kept(states, drawn, dropped).mul_(_growth(dropped))

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None]:
        (drawn,) = ctx.saved_tensors
        return _kept(gradient, drawn, ctx.dropped).mul_(_growth(ctx.dropped)), None, None


class _DropAfterReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, states: Tensor, drawn: Tensor, dropped: int) -> Tensor:
        found = _kept(states, drawn, dropped).relu_().mul_(_growth(dropped))
        ctx.save_for_backward(found)
        ctx.dropped = dropped
        return found

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None]:
        (found,) = ctx.saved_tensors
        return torch.ops.aten.threshold_backward(gradient, found, 0).mul_(_growth(ctx.dropped)), None, None


class _AddDropped(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, states: Tensor, change: Tensor, drawn: Tensor, dropped: int) -> Tensor:
        ctx.save_for_backward(drawn)
        ctx.dropped, ctx.precision = dropped, change.dtype
        return torch.add(states, _kept(change, drawn, dropped), alpha=_growth(dropped))

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, None, None]:
        (drawn,) = ctx.saved_tensors
        of_change = _kept(gradient.to(ctx.precision), drawn, ctx.dropped).mul_(_growth(ctx.dropped))
        return gradient, of_change, None, None


def _kept(states: Tensor, drawn: Tensor, dropped: int) -> Tensor:
    """Numbers whose byte is at least `dropped`; the others are 0.

    It is the ReLU's gradient kernel that does this: on a processor much the quickest way to say "where".
    """
    return torch.ops.aten.threshold_backward(states, drawn.to(states.dtype), dropped - 1)


def _growth(dropped: int) -> float:
    return SIDES / (SIDES - dropped)
