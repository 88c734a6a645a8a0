"""Steers what a model computes while marks are set: finds the window of each call, and its bias."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

from nutgraf.model.ops.low_rank_bias import LowRankBias, as_mask, widened
from nutgraf.steering import Form, Place, Window
from nutgraf.steering.attention import Attend, Result, biased_sdpa, fused
from nutgraf.steering.marks import Marks

Way = Literal["auto", "mask", "dimensions"]
"""How a bias reaches the kernel: within the mask, or as further dimensions of queries and keys. "auto" is the mask, but
where that would be very large or, on a GPU, take the quickest kernel away."""

LARGEST_MASK = 1 << 26
"""Cells of a mask; a larger bias becomes dimensions."""

KEPT = 8
"""Masks that are kept for the layers that share them; a model has one or two kinds of layers."""


class Site(NamedTuple):
    """One attention of a model that can be steered."""

    place: Place
    layer: int
    heads: int


class Marking:
    """A form and the marks that it steers by, for some attentions of a model.

    Args:
        form: The form; None only measures.
        marks: What is marked.
        sites: The attentions.
        way: How the bias reaches the kernel.

    Attributes:
        shares: The share of attention on what is marked, [batch, heads, rows], for each call in turn by its site; empty
            unless `measure` is True.
    """

    def __init__(
        self, form: Form | None, marks: Marks, sites: Mapping[nn.Module, Site], way: Way = "auto", measure: bool = False
    ) -> None:
        self._form, self._marks, self._sites, self._way, self._measure = form, marks, sites, way, measure
        self._starts: dict[int, tuple[int, int]] = {}
        self._kept: dict[Any, tuple[Tensor | None, Tensor | LowRankBias | None]] = {}
        self._repeated = {1: marks}
        self.shares: dict[Site, list[Float[Tensor, "batch heads rows"]]] = {}

    def locate(self, keys: int, first_row: int, first_key: int) -> None:
        """Take note of where rows and keys begin: a sliding cache keeps the last keys only."""
        self._starts[keys] = first_row, first_key

    def attend(
        self,
        below: Attend,
        module: nn.Module,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        mask: Tensor | None,
        **options: Any,
    ) -> Result:
        """Return attention with the bias."""
        site = self._sites.get(module)
        if site is None:
            return below(module, query, key, value, mask, **options)
        call = _Call(below, module, query, key, mask, options)
        window = self._window(site, query.shape[2], key.shape[2])
        steered = self._steered(site, window, call)
        if self._measure:
            marked = self._marks_of(call).marked(window)
            self.shares.setdefault(site, []).append(call.share_of(marked, steered)[..., 0])
        return call.result(value, steered)

    def _window(self, site: Site, rows: int, keys: int) -> Window:
        if site.place == "prompt":
            first_row, first_key = self._starts.get(keys, (keys - rows, 0))
            return Window(first_row, rows, first_key, keys)
        if self._marks.length > keys:
            raise ValueError(f"A span ends at {self._marks.length}, but the input has {keys} pieces.")
        return Window(0, rows, 0, keys)

    def _steered(self, site: Site, window: Window, call: _Call) -> Tensor | LowRankBias | None:
        """Return the mask or bias of a call; one that other layers need, too, is made once."""
        if self._form is None:
            return None
        if self._form.depends_on_attention:
            return self._made(self._form, site, window, call)
        key = site.place, window, call.query.shape[:2], id(call.mask)
        if key not in self._kept:
            if len(self._kept) == KEPT:
                self._kept.clear()
            # The mask is kept with what was made of it: as long as it lives, no other one has its id.
            self._kept[key] = call.mask, self._made(self._form, site, window, call)
        return self._kept[key][1]

    def _made(self, form: Form, site: Site, window: Window, call: _Call) -> Tensor | LowRankBias | None:
        bias = form.bias(self._marks_of(call), window, call.share_of)
        if bias is None:
            return None
        bias = bias.to(call.query.device)
        if form.config.highlighted_heads is not None:
            chosen = torch.zeros(site.heads, device=call.query.device)
            chosen[list(form.config.highlighted_heads)] = 1
            bias = bias._replace(rows=bias.rows * chosen[:, None, None])
        if call.takes_dimensions and self._prefers_dimensions(bias, call):
            return bias
        mask = call.mask
        if mask is None and site.place == "prompt" and window.rows > 1:
            mask = torch.ones(window.rows, window.keys, dtype=torch.bool, device=call.query.device).tril()[None, None]
        return as_mask(bias, mask, call.query.dtype)

    def _marks_of(self, call: _Call) -> Marks:
        """Return the marks of all rows of a batch: a search with beams has each input several times."""
        times, left = divmod(call.query.shape[0], len(self._marks))
        if left:
            raise ValueError(f"There are marks for {len(self._marks)} inputs, but {call.query.shape[0]} in the batch.")
        if times not in self._repeated:
            self._repeated[times] = Marks([row for row in self._marks.spans for _ in range(times)])
        return self._repeated[times]

    def _prefers_dimensions(self, bias: LowRankBias, call: _Call) -> bool:
        if self._way != "auto":
            return self._way == "dimensions"
        quicker = call.query.is_cuda and call.mask is None and call.query.shape[2] > 1
        return quicker or bias.cells > LARGEST_MASK


class _Call(NamedTuple):
    """A call of the attention function, but for its values."""

    below: Attend
    module: nn.Module
    query: Tensor
    key: Tensor
    mask: Tensor | None
    options: Mapping[str, Any]

    @property
    def takes_dimensions(self) -> bool:
        """False where scores are bent before the bias is due: then it can only be added by the mask."""
        return self.options.get("softcap") is None

    def result(self, value: Tensor, steered: Tensor | LowRankBias | None) -> Result:
        """Return what attention makes of values, with a mask or a bias; None: as it is."""
        if steered is None:
            return self.below(self.module, self.query, self.key, value, self.mask, **self.options)
        if isinstance(steered, LowRankBias):
            scale = self.options.get("scaling") or self.query.shape[-1] ** -0.5
            q, k, v = widened(self.query, self.key, value, steered, scale)
            out, weights = self.below(self.module, q, k, v, self.mask, **{**self.options, "scaling": scale})
            return out[..., : value.shape[-1]], weights
        if self.mask is None and self.below is fused:
            known = {name: self.options.get(name) for name in ("scaling", "position_bias")}
            return biased_sdpa(self.query, self.key, value, steered, self.options.get("dropout", 0.0), **known)
        return self.below(self.module, self.query, self.key, value, steered, **self.options)

    def share_of(
        self, marked: Float[Tensor, "batch 1 keys 1"], steered: Tensor | LowRankBias | None = None
    ) -> Float[Tensor, "batch heads rows 1"]:
        """Return the share of each row's attention that falls on some keys."""
        value = marked.to(self.key).expand(self.key.shape).contiguous()
        out, _ = self._replace(options={**self.options, "dropout": 0.0}).result(value, steered)
        return out[..., :1].transpose(1, 2)
