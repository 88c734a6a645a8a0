"""The effect of steering on a model's attention, measured in one forward pass each without it and with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from nutgraf.steering import Form, Place
from nutgraf.steering.attention import steered_by
from nutgraf.steering.marking import Gauge, Marking, Site, Way
from nutgraf.steering.marks import Marks

ROWS = {"encoder": "attention_mask", "prompt": "attention_mask", "cross": "decoder_attention_mask"}
"""Input that says which rows are no padding."""

Shares = Mapping[Place, Float[Tensor, "layers heads"]]
"""Share of attention on what is marked, by place; layers are those that are steered, in their order."""


@dataclass(frozen=True)
class Effect:
    """Share of attention on what is marked, averaged over rows that are no padding."""

    before: Shares
    """Without steering."""

    after: Shares
    """With steering; where it did not act, as in unchosen heads, what it changed indirectly."""


def measured(
    model: Any, form: Form, marks: Marks, sites: Mapping[nn.Module, Site], way: Way, inputs: Mapping[str, Tensor]
) -> Effect:
    """Return the effect of a form on one forward pass; see `Steering.effect`."""
    found = []
    for one in (None, form):
        gauge = Gauge(marks, sites)
        with torch.no_grad(), steered_by(Marking(one, marks, sites, way, gauge)):
            model(**inputs)
        found.append(_means(gauge, inputs))
    return Effect(*found)


def _means(gauge: Gauge, inputs: Mapping[str, Tensor]) -> Shares:
    places: dict[Place, list[Tensor]] = {}
    for site, (share, *_) in sorted(gauge.shares.items()):
        rows = inputs.get(ROWS[site.place])
        kept = torch.ones_like(share[:, 0]) if rows is None else rows.to(share)
        mean = (share * kept[:, None]).sum((0, 2)) / kept.sum()
        places.setdefault(site.place, []).append(mean.float())
    return {place: torch.stack(layers) for place, layers in places.items()}
