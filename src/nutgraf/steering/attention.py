"""The attention function that transformers calls in the place of its own.

It is registered under two names, one for each function of transformers that may lie below it. Who steers stands in a
context variable, so that threads that share a model do not meet; where nobody does, the call goes straight to the
function below. The functions that make masks are registered with it: without them padding would be attended to.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, partial
from typing import Any, Literal, Protocol

from torch import Tensor, nn
from torch.nn import functional as F

Below = Literal["sdpa", "eager"]
"""The function of transformers that lies below ours."""

PREFIX = "nutgraf_"
"""What our names begin with; the rest is the name of the function below."""

Result = tuple[Tensor, Tensor | None]
"""What attention makes of the values, [batch, rows, heads, width], and its weights if they are known."""

Attend = Callable[..., Result]
"""An attention function: (module, query, key, value, attention_mask, **options) → result."""


class Steerer(Protocol):
    """Stands behind the attention function for a while."""

    def locate(self, keys: int, first_row: int, first_key: int) -> None:
        """Take note where the rows and keys of the next calls with so many keys begin."""

    def attend(self, below: Attend, module: nn.Module, *tensors: Any, **options: Any) -> Result:
        """Return the result of one call; the tensors are query, key, value and mask."""


_steerer: ContextVar[Steerer | None] = ContextVar("steerer", default=None)


@contextmanager
def steered_by(steerer: Steerer) -> Iterator[None]:
    """Let somebody steer what this thread computes."""
    token = _steerer.set(steerer)
    try:
        yield
    finally:
        _steerer.reset(token)


@cache
def register() -> None:
    """Make our names known to transformers."""
    from transformers import AttentionInterface, AttentionMaskInterface
    from transformers.masking_utils import eager_mask, sdpa_mask

    for below, attend, mask in (("sdpa", fused, sdpa_mask), ("eager", plain, eager_mask)):
        AttentionInterface.register(PREFIX + below, partial(_attention, attend))
        AttentionMaskInterface.register(PREFIX + below, partial(_mask, mask))


def _attention(
    below: Attend, module: nn.Module, query: Tensor, key: Tensor, value: Tensor, attention_mask: Any, **options: Any
) -> Result:
    steerer = _steerer.get()
    attend = below if steerer is None else partial(steerer.attend, below)
    return attend(module, query, key, value, attention_mask, **options)


def _mask(below: Callable[..., Any], **options: Any) -> Any:
    steerer = _steerer.get()
    if steerer is not None:
        first_row, first_key = (int(options.get(name, 0)) for name in ("q_offset", "kv_offset"))
        steerer.locate(options["kv_length"], first_row, first_key)
    return below(**options)


def fused(module: nn.Module, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, **options: Any) -> Result:
    """Call the function of transformers that leaves the weights to a fused kernel."""
    from transformers.integrations.sdpa_attention import sdpa_attention_forward

    return sdpa_attention_forward(module, query, key, value, mask, **options)


def plain(module: nn.Module, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, **options: Any) -> Result:
    """Call the plain function beside the attention of a model."""
    return sys.modules[type(module).__module__].eager_attention_forward(module, query, key, value, mask, **options)


def biased_sdpa(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor,
    dropout: float = 0.0,
    scaling: float | None = None,
    position_bias: Tensor | None = None,
) -> Result:
    """Return what "sdpa" does where a model gave it no mask, but with one.

    With a mask, transformers lays out grouped keys in another way than without one, and the last bits differ.
    """
    if position_bias is not None:
        mask = mask + position_bias
    out = F.scaled_dot_product_attention(
        query, key, value, mask, dropout, scale=scaling, enable_gqa=key.shape[1] != query.shape[1]
    )
    return out.transpose(1, 2).contiguous(), None
