"""A model of transformers that reads windows with some sentences left out, and is given a summary to write."""

from __future__ import annotations

import inspect
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from nutgraf.errors import InputError
from nutgraf.faithfulness.ablation import Array, Masks, Reader
from nutgraf.model.library_errors import quiet
from nutgraf.systems._transformers import PretrainedModel
from nutgraf.systems._windows import SEPARATOR, Window, windows
from nutgraf.systems._writing import Reading
from nutgraf.text.document import Document
from nutgraf.text.summary import Summary

if TYPE_CHECKING:
    from torch import Tensor

MOST_ROWS, MOST_TOKENS, MOST_LOGITS = 16, 8192, 1 << 26
"""Texts, tokens and logits of a forward pass at most, or one text; 256 MB are that many logits."""

MARGIN = 16
"""Tokens that are kept free, for what pieces may take more together and what stands around them."""


class GivenSummary:
    """A summary that a model is given to write, token by token.

    Attributes:
        tokens: Number of tokens of each of its sentences.
    """

    def __init__(self, model: PretrainedModel, texts: Sequence[str]) -> None:
        """Divide a summary into the model's tokens.

        Raises:
            InputError: If the model's tokenizer does not say where tokens stand.
        """
        self._model = model
        before = "" if model.encodes or model.chats else " "
        text = before + " ".join(texts)
        starts = list(accumulate((len(one) + 1 for one in texts), initial=0))[:-1]
        with quiet():
            read = (
                model.tokenizer(text_target=text) if model.encodes else model.tokenizer(text, add_special_tokens=False)
            )
        if not read.is_fast:
            raise InputError(f"The tokenizer in {model.folder} does not say where tokens stand, which ablation needs.")
        ids = read["input_ids"][: model.longest]
        places = [read.token_to_chars(place) for place in range(len(ids))]
        lasts = [-1 if one is None else max(0, one[1] - 1 - len(before)) for one in places]
        self._owners = np.array([bisect_right(starts, last) - 1 for last in lasts])
        self._ids: list[int] = ids
        self.tokens = [int((self._owners == number).sum()) for number in range(len(texts))]
        self._takes = set(inspect.signature(model.network.forward).parameters)

    @property
    def length(self) -> int:
        """Number of tokens of the summary, with those around it."""
        return len(self._ids)

    def rows(self, tokens: int) -> int:
        """Return how many texts of so many tokens are read at a time."""
        model = self._model
        if not model.encodes and "position_ids" not in self._takes:
            return 1
        if model.tokenizer.pad_token_id is None:
            return 1
        logits = max(1, self.length) * int(model.network.get_input_embeddings().weight.shape[0])
        return max(1, min(MOST_ROWS, MOST_TOKENS // (tokens + self.length + 1), MOST_LOGITS // logits))

    def log_probs(self, prompts: Sequence[str]) -> Array:
        """Return the log probability of each sentence of the summary, [prompts, sentences]."""
        import torch

        with quiet(), torch.inference_mode():
            logits = self._encoded(prompts) if self._model.encodes else self._continued(prompts)
            ids = torch.tensor(self._ids, device=logits.device).expand(len(prompts), -1)[..., None]
            chosen = logits.gather(-1, ids).squeeze(-1).float() - logits.float().logsumexp(-1)
        values = chosen.double().cpu().numpy()
        return np.stack([values[:, self._owners == number].sum(1) for number in range(len(self.tokens))], axis=1)

    def _encoded(self, prompts: Sequence[str]) -> Tensor:
        """Logits of an encoder with a decoder, [prompts, tokens, vocabulary]."""
        import torch

        model = self._model
        read = model.tokenizer(list(prompts), return_tensors="pt", padding=len(prompts) > 1).to(model.network.device)
        known = model.inputs_of(read)
        labels = torch.tensor(self._ids, device=model.network.device).repeat(len(prompts), 1)
        return model.network(**known, labels=labels).logits

    def _continued(self, prompts: Sequence[str]) -> Tensor:
        """Logits of a decoder alone for the summary behind the prompts, which are padded in front."""
        import torch

        model, count = self._model, self.length
        special = not model.chats
        rows = [[*model.tokenizer(one, add_special_tokens=special)["input_ids"], *self._ids] for one in prompts]
        longest = max(map(len, rows))
        ids = torch.tensor([[0] * (longest - len(row)) + row for row in rows])
        mask = torch.tensor([[0] * (longest - len(row)) + [1] * len(row) for row in rows])
        given: dict[str, Any] = {"input_ids": ids, "attention_mask": mask}
        if "position_ids" in self._takes:
            given["position_ids"] = (mask.cumsum(-1) - 1).clamp_min(0)
        given = {name: one.to(model.network.device) for name, one in given.items()}
        kept = {"logits_to_keep": count + 1} if "logits_to_keep" in self._takes else {}
        return model.network(**given, **kept, use_cache=False).logits[:, -count - 1 : -1]


def readers(model: PretrainedModel, reading: Reading, summary: Summary, given: GivenSummary) -> list[Reader]:
    """Return a model with each window of the source of a summary.

    Raises:
        InputError: If there is no room for a source beside the summary.
    """
    document, prompt = summary.document, summary.prompt or "{text}"
    room = reading.window
    if model.context is not None:
        beside = model.count(prompt) + MARGIN + (0 if model.encodes else given.length)
        room = min(room, model.context - beside)
    if room < MARGIN:
        raise InputError(
            f"The model reads {model.context:,} tokens at a time, and the prompt and the summary leave no room for a "
            "source: ask for a shorter summary, or take a model that reads more."
        )
    parts = [(part.start, part.end) for part in document.parts]
    found = windows(document, parts, room, int(reading.overlap * room), model.count)
    return [one for window in found for one in _reader(model, window, prompt, given)]


def _reader(model: PretrainedModel, window: Window, prompt: str, given: GivenSummary) -> Iterator[Reader]:
    """Yield the reader of a window, if it has a sentence."""
    document = window.document
    sentences = tuple(
        index
        for index, sentence in enumerate(document.sentences)
        if any(first < sentence.end and sentence.start < last for first, last in window.spans)
    )

    def log_probs(masks: Masks) -> Array:
        dropped = [[one for one, keep in zip(sentences, mask, strict=True) if not keep] for mask in masks]
        return given.log_probs([prompt.replace("{text}", _left(window, some)) for some in dropped])

    if sentences:
        yield Reader(sentences, log_probs, given.rows(model.count(prompt.replace("{text}", window.text))))


def _left(window: Window, dropped: Sequence[int]) -> str:
    """Return the text of a window without some sentences of its document, nor the white space behind them."""
    if not dropped:
        return window.text
    document: Document = window.document
    gone = [document.sentences[index] for index in dropped]
    kept = []
    for first, last in window.spans:
        at, text = first, ""
        for sentence in gone:
            if first < sentence.end and sentence.start < last:
                text += document.text[at : max(at, sentence.start)]
                at = min(last, sentence.end)
                space = re.compile(r"\s*").match(document.text, at, last)
                at = space.end() if space else at
        text += document.text[at:last]
        kept.append(text.replace("\n", " ").strip())
    return SEPARATOR.join(filter(None, kept))
