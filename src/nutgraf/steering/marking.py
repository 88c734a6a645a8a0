"""Steers what a model computes while marks are set: finds the window of each call, and its bias."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

from nutgraf.model.ops.low_rank_bias import LowRankBias, as_mask, widened
from nutgraf.steering import Form, Place, Window
from nutgraf.steering.attention import Attend, Result, biased_sdpa, fused, steered_by
from nutgraf.steering.marks import Marks

Way = Literal["auto", "mask", "dimensions"]
"""How a bias reaches the kernel: within the mask, or as further dimensions of queries and keys. "auto" is the mask, but
where that would be very large, take the quickest kernel of a GPU away, or need a gradient."""

LARGEST_MASK = 1 << 26
"""Cells of a mask; a larger bias becomes dimensions."""

KEPT = 8
"""Masks that are kept of each form for the layers that share them; a model has one or two kinds of layers."""

EVERY = 4
"""While a model writes, attention is measured at the first of so many words, which costs a quarter of measuring all."""


class Site(NamedTuple):
    """One attention of a model that can be steered."""

    place: Place
    layer: int
    heads: int


class Gauge:
    """Measures the share of attention on marks while a model computes.

    Args:
        marks: What is marked.
        sites: The attentions that are measured.
        writing: Measure only what the model pays to its input while it writes: cross-attention, and of a prompt the
            steps after it, and of these every fourth.

    Attributes:
        shares: The share, [batch, heads, rows], for each call in turn by its site.
    """

    def __init__(self, marks: Marks, sites: Mapping[nn.Module, Site], writing: bool = False) -> None:
        self.marks, self.writing = marks, writing
        self.sites = {module: site for module, site in sites.items() if not (writing and site.place == "encoder")}
        self.shares: dict[Site, list[Float[Tensor, "batch heads rows"]]] = {}
        self._calls: Counter[Site] = Counter()

    def measures(self, site: Site, rows: int) -> bool:
        """Return True if the next call of a site is measured."""
        if not self.writing:
            return True
        if site.place == "prompt" and rows > 1:
            return False
        self._calls[site] += 1
        return self._calls[site] % EVERY == 1

    @contextmanager
    def measuring(self) -> Iterator[None]:
        """Measure what this thread computes with the model, and steer nothing."""
        with steered_by(Marking(None, self.marks, {}, gauge=self)):
            yield

    @property
    def mean(self) -> float | None:
        """Mean over everything that was measured; None if nothing was."""
        found = [share.float().mean() for shares in self.shares.values() for share in shares]
        return float(torch.stack(found).mean()) if found else None


class Marking:
    """A form, or one for each attention, and the marks that it steers by, for some attentions of a model.

    Without a form nothing is steered. A gauge measures attention as it is with the bias.
    """

    def __init__(
        self,
        form: Form | Mapping[nn.Module, Form] | None,
        marks: Marks,
        sites: Mapping[nn.Module, Site],
        way: Way = "auto",
        gauge: Gauge | None = None,
    ) -> None:
        self._forms = form if isinstance(form, Mapping) else {} if form is None else dict.fromkeys(sites, form)
        self._marks, self._sites, self._way, self._gauge = marks, sites, way, gauge
        self._starts: dict[int, tuple[int, int]] = {}
        self._kept: dict[Any, tuple[Tensor | None, Tensor | LowRankBias | None]] = {}
        self._repeated: dict[tuple[int, int], Marks] = {}

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
        site, gauged = self._sites.get(module), None if self._gauge is None else self._gauge.sites.get(module)
        call = _Call(below, module, query, key, mask, options)
        steered = None if site is None else self._steered(site, self._window(site, call), call)
        if gauged is not None:
            self._measure(gauged, call, steered)
        return call.result(value, steered)

    def _measure(self, site: Site, call: _Call, steered: Tensor | LowRankBias | None) -> None:
        gauge = self._gauge
        if gauge is not None and gauge.measures(site, call.query.shape[2]):
            marked = self._repeat(gauge.marks, call).marked(self._window(site, call))
            gauge.shares.setdefault(site, []).append(call.share_of(marked, steered)[..., 0])

    def _window(self, site: Site, call: _Call) -> Window:
        rows, keys = call.query.shape[2], call.key.shape[2]
        if site.place == "prompt":
            first_row, first_key = self._starts.get(keys, (keys - rows, 0))
            return Window(first_row, rows, first_key, keys)
        if self._marks.length > keys:
            raise ValueError(f"A span ends at {self._marks.length}, but the input has {keys} pieces.")
        return Window(0, rows, 0, keys)

    def _steered(self, site: Site, window: Window, call: _Call) -> Tensor | LowRankBias | None:
        """Return the mask or bias of a call; one that other layers need, too, is made once."""
        form = self._forms.get(call.module)
        if form is None:
            return None
        if form.depends_on_attention:
            return self._made(form, site, window, call)
        key = form, site.place, window, call.query.shape[:2], id(call.mask)
        if key not in self._kept:
            if len(self._kept) == KEPT * len(set(self._forms.values())):
                self._kept.clear()
            # The mask is kept with what was made of it: as long as it lives, no other one has its id.
            self._kept[key] = call.mask, self._made(form, site, window, call)
        return self._kept[key][1]

    def _made(self, form: Form, site: Site, window: Window, call: _Call) -> Tensor | LowRankBias | None:
        bias = form.bias(self._repeat(self._marks, call), window, call.share_of)
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

    def _repeat(self, marks: Marks, call: _Call) -> Marks:
        """Return the marks of all rows of a batch: a search with beams has each input several times."""
        times, left = divmod(call.query.shape[0], len(marks))
        if left:
            raise ValueError(f"There are marks for {len(marks)} inputs, but {call.query.shape[0]} in the batch.")
        key = id(marks), times
        if key not in self._repeated:
            self._repeated[key] = Marks([row for row in marks.spans for _ in range(times)])
        return self._repeated[key]

    def _prefers_dimensions(self, bias: LowRankBias, call: _Call) -> bool:
        if self._way != "auto":
            return self._way == "dimensions"
        quicker = call.query.is_cuda and call.mask is None and call.query.shape[2] > 1
        return quicker or bias.rows.requires_grad or bias.cells > LARGEST_MASK


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
        # Kernels for many rows want values as wide as keys; for one row the plain one is as quick, and one column does.
        width = 1 if self.query.shape[2] == 1 else self.key.shape[-1]
        value = marked.to(self.key).expand(*self.key.shape[:-1], width).contiguous()
        out, _ = self._replace(options={**self.options, "dropout": 0.0}).result(value, steered)
        return out[..., :1].transpose(1, 2)
