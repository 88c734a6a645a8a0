"""Steering at the logits, for models whose attention cannot be reached.

    log p(w) = ω · log f(w | x) + (1 − ω) · log f(w | x with the marked words masked) + constant

What the marked words make likelier becomes likelier still. It is classifier-free guidance (Sanchez et al. 2023, *Stay
on Topic with Classifier-Free Guidance*) and context-aware decoding (Shi et al. 2024, *Trusting Your Evidence*) with the
input without its marks as the other context; at ω = 1 nothing changes.

Price: the model runs twice, on the whole input and on every token, so search takes about twice as long and has two
caches; and it says what marked words add as a whole, not where to look.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from nutgraf.errors import InputError
from nutgraf.steering.marks import Marks, Span


class Contrast:
    """A logits processor of transformers: `generate(**inputs, logits_processor=[Contrast(model, spans, inputs)])`.

    It serves one call of `generate`, greedy, with beams or sampling.

    Args:
        model: The model that generates.
        spans: For each row of the batch what is marked.
        inputs: What `generate` is called with: `input_ids`, `attention_mask`, and what else the encoder takes.
        weight: ω, the weight of the whole input; above 1 marked words count for more, below 1 for less.

    Raises:
        InputError: If nothing of a row is left when its marks are masked.
    """

    def __init__(
        self, model: Any, spans: Sequence[Sequence[Span]], inputs: Mapping[str, Tensor], weight: float = 2.0
    ) -> None:
        self._model, self._weight, self._inputs = model, weight, inputs
        self._mask = inputs["attention_mask"].clone()
        for row, marked in zip(self._mask, Marks(spans).spans, strict=True):
            for span in marked:
                row[span.start : span.end] = 0
        if not self._mask.any(-1).all():
            raise InputError("Everything is highlighted, so there is nothing to compare it with: highlight less.")
        self._encoded: Any = None
        self._cache: Any = None
        self._before: Int[Tensor, "rows steps"] | None = None

    @torch.no_grad()
    def __call__(
        self, input_ids: Int[Tensor, "rows steps"], scores: Float[Tensor, "rows words"]
    ) -> Float[Tensor, "rows words"]:
        """Return log probabilities of the next words, of which the sum over words is 1."""
        without = self._run(input_ids).logits[:, -1].to(scores).log_softmax(-1)
        return (self._weight * scores.log_softmax(-1) + (1 - self._weight) * without).log_softmax(-1)

    def _run(self, input_ids: Int[Tensor, "rows steps"]) -> Any:
        """Return what the model makes of the input without its marks, and of the words so far."""
        new = input_ids[:, -1:] if self._follows(input_ids) else input_ids
        times = input_ids.shape[0] // self._mask.shape[0]
        mask = self._mask.repeat_interleave(times, 0)
        if self._model.config.is_encoder_decoder:
            given = {"encoder_outputs": self._encoder_outputs(times), "decoder_input_ids": new, "attention_mask": mask}
        else:
            given = {"input_ids": new, **self._places(mask, new, times, input_ids.shape[1])}
        done = self._model(**given, **{self._cache_name: self._cache}, use_cache=True)
        kept = done.get("cache")
        self._before, self._cache = input_ids, done.get("past_key_values") if kept is None else kept
        return done

    @property
    def _cache_name(self) -> str:
        """Name of the argument for the cache, which transformers 5 renamed."""
        return "cache" if "cache" in inspect.signature(self._model.forward).parameters else "past_key_values"

    def _follows(self, input_ids: Int[Tensor, "rows steps"]) -> bool:
        """Bring the cache into the order of the beams; False if it must be made anew.

        Nobody tells a processor which hypothesis goes on where, but those of one input with the same words have the
        same cache.
        """
        before, self._before = self._before, None
        if self._cache is not None and before is not None and before.shape == input_ids[:, 1:].shape:
            example = torch.arange(len(input_ids), device=input_ids.device) // (len(input_ids) // len(self._mask))
            same = (before == input_ids[:, None, :-1]).all(-1) & (example == example[:, None])
            if same.any(-1).all():
                self._cache.reorder_cache(same.int().argmax(-1))
                return True
        self._cache = None
        return False

    def _encoder_outputs(self, times: int) -> Any:
        if self._encoded is None:
            rest = {name: value for name, value in self._inputs.items() if name != "attention_mask"}
            self._encoded = self._model.get_encoder()(**rest, attention_mask=self._mask)
        states = self._encoded.last_hidden_state.repeat_interleave(times, 0)
        return type(self._encoded)(last_hidden_state=states)

    def _places(
        self, mask: Int[Tensor, "rows prompt"], new: Int[Tensor, "rows new"], times: int, length: int
    ) -> dict[str, Tensor]:
        """Return the mask up to now, and positions that count masked words, too, where the model takes positions."""
        written = mask.new_ones(len(mask), length - mask.shape[1])
        whole = torch.cat([self._inputs["attention_mask"].repeat_interleave(times, 0), written], 1)
        found = {"attention_mask": torch.cat([mask, written], 1)}
        if "position_ids" in inspect.signature(self._model.forward).parameters:
            found["position_ids"] = (whole.cumsum(-1) - 1).clamp_min(0)[:, -new.shape[1] :]
        return found
