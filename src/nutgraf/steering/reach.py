"""Which attentions of a model can be reached, and the proof that a highlight there changes what the model computes.

Nothing is known by the names of architectures: a short input is sent through the model, and what calls the registered
function is reached. Some models take the setting and never call it (in transformers 5 the encoders of LED, PEGASUS-X,
LongT5, BigBirdPegasus and ProphetNet, and all of MVP, FSMT, Falcon, GPT-J, BLOOM and MPT).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn

from nutgraf.errors import InputError
from nutgraf.steering import Form, Place
from nutgraf.steering.attention import PREFIX, Attend, Result, register, steered_by
from nutgraf.steering.marking import Marking, Site
from nutgraf.steering.marks import Marks, Span

SOURCE, TARGET = 11, 3
"""Lengths of the input and the output that are sent through a model; they tell the kinds of attention apart."""

CERTAIN = 100.0
"""A change counts if it is so many times larger than that of a highlight of weight 0."""


OTHERWISE = "Steer it by contrast at the logits."
"""Advice for a model whose attention cannot be reached."""


class Unreachable(InputError):
    """A model whose attention cannot be steered; `contrast.py` steers it at the logits."""


class _Listener:
    """Takes note of who calls the attention function."""

    def __init__(self) -> None:
        self.calls: list[tuple[nn.Module, int, int, int]] = []

    def locate(self, keys: int, first_row: int, first_key: int) -> None:
        pass

    def attend(self, below: Attend, module: nn.Module, *tensors: Any, **options: Any) -> Result:
        query, key = tensors[:2]
        self.calls.append((module, query.shape[1], query.shape[2], key.shape[2]))
        return below(module, *tensors, **options)


def attach(model: Any) -> None:
    """Put ours above a model's attention function. Raises Unreachable if that is another than "sdpa" or "eager"."""
    register()
    below = model.config._attn_implementation or "eager"
    if below.startswith(PREFIX):
        return
    if below not in ("sdpa", "eager"):
        raise Unreachable(
            f"This model computes attention by {below!r}, which takes no highlights: load it with "
            "attn_implementation='sdpa'."
        )
    with _quiet():
        set_attention(model, below, PREFIX + below)
    if model.config._attn_implementation != PREFIX + below:
        raise Unreachable(
            f"{type(model).__name__} does not leave its attention to functions that can be replaced. {OTHERWISE}"
        )


def detach(model: Any) -> None:
    """Give a model its own attention function back."""
    own = model.config._attn_implementation
    if own.startswith(PREFIX):
        set_attention(model, own, own.removeprefix(PREFIX))


def set_attention(model: Any, old: str, new: str) -> None:
    """Change the attention function of a model and its parts: the stacks of T5 have configurations of their own."""
    from transformers import PreTrainedModel

    for part in model.modules():
        if isinstance(part, PreTrainedModel) and (part.config._attn_implementation or "eager") == old:
            part.set_attn_implementation(new)


def survey(model: Any) -> dict[nn.Module, Site]:
    """Return the attentions of a model that call our function, and where each of them looks."""
    source, target = _example(model)
    if not model.config.is_encoder_decoder:
        return _sites(model, "prompt", SOURCE, source)
    encoder = _sites(model.get_encoder(), "encoder", SOURCE, source)
    return encoder | _sites(model, "cross", TARGET, {**source, **target})


def prove(model: Any, form: Form, sites: Mapping[nn.Module, Site]) -> None:
    """Check in each place that a highlight changes the model's output. Raises Unreachable.

    The highlight is a strong one, so that a form of strength 0 can be proved, too.
    """
    from nutgraf.steering.column import Column, Config

    source, target = _example(model)
    inputs = {**source, **target} if model.config.is_encoder_decoder else source
    heads = form.config.highlighted_heads
    for place in dict.fromkeys(site.place for site in sites.values()):
        some = {module: site for module, site in sites.items() if site.place == place}
        outputs = []
        for strength in (0.0, 5.0):
            strong = Column(Config(strength=strength, highlighted_heads=heads))
            with steered_by(Marking(strong, Marks([[Span(2, 5)]]), some)):
                outputs.append(_logits(model, inputs))
        plain = _logits(model, inputs)
        if model.config.model_type == "bigbird_pegasus":  # a short input turns its sparse attention off for good
            model.get_encoder().set_attention_type(model.config.attention_type)
        noise, change = ((one - plain).abs().max() for one in outputs)
        if not change > CERTAIN * noise:
            raise Unreachable(
                f"{type(model).__name__} does not change its output when something is highlighted (place {place!r}): "
                "the layers and heads that were chosen have no effect on it."
            )


def prove_contrast(model: Any) -> None:
    """Check that a model's output changes when a part of its input is masked. Raises Unreachable."""
    source, target = _example(model)
    inputs = {**source, **target} if model.config.is_encoder_decoder else source
    masked = source["attention_mask"].clone()
    masked[:, 2:5] = 0
    plain, again, without = (_logits(model, one) for one in (inputs, inputs, {**inputs, "attention_mask": masked}))
    if not (without - plain)[:, -1].abs().max() > CERTAIN * (again - plain)[:, -1].abs().max():
        raise Unreachable(
            f"{type(model).__name__} writes the same when a part of its input is masked, so no highlight can steer it."
        )


def _example(model: Any) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """Return a short input and a short output of tokens that have no special meaning."""
    config = model.config.get_text_config()
    special = {one for name in ("pad", "bos", "eos", "decoder_start", "sep", "mask") for one in _ids(config, name)}
    plain = [one for one in range(min(config.vocab_size, 10 * SOURCE + len(special))) if one not in special]
    ids = torch.tensor([plain[one % len(plain)] for one in range(3, SOURCE + 3)], device=model.device)[None]
    source = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
    return source, {"decoder_input_ids": ids[:, :TARGET]}


def _ids(config: Any, name: str) -> list[int]:
    found = config.to_dict().get(f"{name}_token_id")
    return [] if found is None else found if isinstance(found, list) else [found]


def _logits(model: Any, inputs: Mapping[str, Tensor]) -> Tensor:
    return _run(model, inputs).logits.float()


@torch.no_grad()
def _run(model: Any, inputs: Mapping[str, Tensor]) -> Any:
    training = model.training
    model.eval()
    try:
        return model(**inputs)
    finally:
        model.train(training)


def _sites(model: Any, place: Place, rows: int, inputs: Mapping[str, Tensor]) -> dict[nn.Module, Site]:
    """Return the attentions of a place that call our function with so many rows, over the whole source."""
    listener = _Listener()
    with steered_by(listener):
        _run(model, inputs)
    found = {module: heads for module, heads, *size in listener.calls if size == [rows, SOURCE]}
    return {module: Site(place, layer, heads) for layer, (module, heads) in enumerate(found.items())}


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep transformers from warning of what we say ourselves."""
    from transformers.utils import logging

    level = logging.get_verbosity()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(level)
