"""Steering whose strength is learned: KPAT's block-wise linear transformation, inside a pretrained network.

    A = softmax(QKᵀ/√d + w_lh · H + β_lh · C)

H is the bias that a form makes at strength 1, C the same with every weight 1, so that it says where there is a bias at
all; w and β belong to one head h of one layer l. With the form `block` this is Eq. 5 of Liu et al., *Key Phrase Aware
Transformer for Abstractive Summarization*. The paper trains them with a new network; here they begin at the form's
strength and at 0, in a network that was trained without them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from nutgraf.errors import PresetError
from nutgraf.model.ops.low_rank_bias import LowRankBias
from nutgraf.presets.family import table_of
from nutgraf.steering import Form, ShareOf
from nutgraf.steering.attention import steered_by
from nutgraf.steering.marking import Gauge, Marking
from nutgraf.steering.marks import Marks, Span, Window
from nutgraf.steering.reach import attach, prove, survey
from nutgraf.steering.steered import chosen


class LearnedSteering(nn.Module):
    """A form of steering with a strength of its own for each head of each attention that it is attached to.

    Args:
        model: A loaded encoder–decoder model of transformers. Its choice of attention function changes.
        form: The form; its strength is the initial value of all.

    Attributes:
        strength: The factors w, by place: [layers, heads], layers being those that are steered.
        offset: The addends β, likewise.
        reached: All attentions that can be steered.

    Raises:
        Unreachable: If a place that the form names, or every place, cannot be reached.
        PresetError: If the form has no strength, or the model lacks a layer or head that it names.
    """

    def __init__(self, model: Any, form: Form) -> None:
        super().__init__()
        options = table_of(form.config)
        if "strength" not in options:
            raise PresetError("This form of steering has no strength that could be learned; block and column have one.")
        attach(model)
        self._model, self._unit = [model], type(form)(replace(form.config, strength=1.0))  # type: ignore[call-arg]
        self.reached = survey(model)
        self._sites = chosen(model, form, self.reached)
        sizes: dict[str, tuple[int, int]] = {}
        self._rows: dict[nn.Module, int] = {}
        for module, site in sorted(self._sites.items(), key=lambda one: one[1].layer):
            self._rows[module] = sizes.get(site.place, (0, 0))[0]
            sizes[site.place] = self._rows[module] + 1, site.heads
        self.strength = _parameters(sizes, options["strength"])
        self.offset = _parameters(sizes, 0.0)

    @contextmanager
    def marking(self, spans: Sequence[Sequence[Span]], gauge: Gauge | None = None) -> Iterator[None]:
        """Steer what this thread computes with the model; see `Steering.marking`."""
        scaled = {
            module: _Scaled(self._unit, self.strength[site.place][row], self.offset[site.place][row])
            for module, site in self._sites.items()
            for row in (self._rows[module],)
        }
        with steered_by(Marking(scaled, Marks(spans), self._sites, gauge=gauge)):
            yield

    def gauge(self, spans: Sequence[Sequence[Span]]) -> Gauge:
        """Return what measures attention while the model writes; see `Steering.gauge`."""
        return Gauge(Marks(spans), self.reached, writing=True)

    def prove(self) -> None:
        """Check that a highlight changes what the model computes. Raises Unreachable."""
        prove(self._model[0], self._unit, self._sites)


def _parameters(sizes: Mapping[str, tuple[int, int]], value: float) -> nn.ParameterDict:
    return nn.ParameterDict({place: nn.Parameter(torch.full(size, value)) for place, size in sizes.items()})


class _Scaled(Form):
    """A form at strength 1, with a factor and an addend for each head."""

    def __init__(self, unit: Form, strength: Float[Tensor, " heads"], offset: Float[Tensor, " heads"]) -> None:
        super().__init__(unit.config)
        self._unit, self._strength, self._offset = unit, strength, offset

    def bias(self, marks: Marks, window: Window, share_of: ShareOf) -> LowRankBias | None:
        """Return w · H + β · C."""
        weighted = self._unit.bias(marks, window, share_of)
        covered = self._unit.bias(marks.unweighted, window, share_of)
        if weighted is None or covered is None:
            return None
        rows = [
            one.rows.to(factor) * factor[:, None, None]
            for one, factor in ((weighted, self._strength), (covered, self._offset))
        ]
        columns = [one.columns.to(self._strength) for one in (weighted, covered)]
        if torch.equal(*columns):  # as in a block: half the dimensions do
            return LowRankBias(rows[0] + rows[1], columns[0])
        return LowRankBias(torch.cat(rows, -1), torch.cat(columns, -1))
