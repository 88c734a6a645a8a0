"""A pretrained model that highlights steer.

    steering = Steering(model, forms.make("column", strength=1.5, highlighted_layers=(0, 1)))
    with steering.marking([[Span(5, 9), Span(30, 32)]]):
        model.generate(input_ids, num_beams=4)

Outside of `marking` the model computes what it did, bit by bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from nutgraf.errors import PresetError
from nutgraf.steering import Form, Span
from nutgraf.steering.attention import steered_by
from nutgraf.steering.effect import Effect, measured
from nutgraf.steering.marking import Gauge, Marking, Site, Way
from nutgraf.steering.marks import Marks
from nutgraf.steering.reach import OTHERWISE, Unreachable, attach, detach, prove, survey


class Steering:
    """A form of steering attached to a loaded model of transformers.

    Args:
        model: An encoder–decoder or a decoder-only model that can generate. Its choice of attention function changes,
            and several forms may be attached to it.
        form: The form.
        way: How the bias reaches the kernel; all ways are exact.

    Attributes:
        sites: The attentions that are steered.
        reached: All attentions that can be steered.

    Raises:
        Unreachable: If a place that the form names, or every place, cannot be reached, or a highlight there changes
            nothing.
        PresetError: If the model lacks a layer or head that the form names.
    """

    def __init__(self, model: Any, form: Form, way: Way = "auto") -> None:
        self.model, self.form, self._way = model, form, way
        attach(model)
        self.reached = survey(model)
        self.sites = chosen(model, form, self.reached)
        prove(model, form, self.sites)

    @contextmanager
    def marking(self, spans: Sequence[Sequence[Span]], gauge: Gauge | None = None) -> Iterator[None]:
        """Steer what this thread computes with the model.

        Args:
            spans: For each row of the batch what is marked, in positions of the input as the model is given it: of the
                encoder, or of the prompt. Beams and several samples of a row need no spans of their own.
            gauge: Measures attention meanwhile; see `gauge`.
        """
        with steered_by(Marking(self.form, Marks(spans), self.sites, self._way, gauge)):
            yield

    def gauge(self, spans: Sequence[Sequence[Span]]) -> Gauge:
        """Return what measures the share of attention on spans, as for `marking`, while a model writes."""
        return Gauge(Marks(spans), self.reached, writing=True)

    def effect(self, spans: Sequence[Sequence[Span]], **inputs: torch.Tensor) -> Effect:
        """Return how much attention marked words get, without steering and with it.

        Args:
            spans: What is marked, as for `marking`.
            inputs: What the model is called with: for an encoder–decoder model also `decoder_input_ids`, the summary.
        """
        return measured(self.model, self.form, Marks(spans), self.sites, self._way, inputs)

    def detach(self) -> None:
        """Give the model its own attention function back; all forms that were attached to it end."""
        detach(self.model)


def chosen(model: Any, form: Form, reached: dict[Any, Site]) -> dict[Any, Site]:
    """Return the attentions in the places and layers that a form names. Raises Unreachable, PresetError."""
    within = {site.place for site in reached.values()}
    wanted = form.config.places or tuple(place for place in form.places if place in within)
    for place in wanted:
        if place not in form.places:
            raise PresetError(f"This form steers {' and '.join(form.places)}, not {place!r}.")
    missing = [place for place in wanted if place not in within]
    if missing or not wanted:
        can = f"It can be steered in {' and '.join(sorted(within))}." if within else OTHERWISE
        raise Unreachable(
            f"{type(model).__name__}: attention cannot be reached in {' and '.join(missing) or 'any place'}. {can}"
        )
    sites = {module: site for module, site in reached.items() if site.place in wanted}
    if form.config.highlighted_heads is not None:
        _within("head", form.config.highlighted_heads, min(site.heads for site in sites.values()))
    if form.config.highlighted_layers is None:
        return sites
    layers = {place: [site.layer for site in sites.values() if site.place == place] for place in wanted}
    for place in wanted:
        _within(f"layer ({place})", form.config.highlighted_layers, len(layers[place]))
    return {
        module: site
        for module, site in sites.items()
        if site.layer in [layers[site.place][layer] for layer in form.config.highlighted_layers]
    }


def _within(what: str, numbers: Sequence[int], count: int) -> None:
    for number in numbers:
        if not -count <= number < count:
            raise PresetError(f"There is no {what} {number}: there are {count}, counted from 0, or from -1 back.")
