"""Attention is confined to a few sentences, chosen anew after each sentence (PG-MMR; Lebanoff, Song and Liu 2018).

    MMRᵢ = max(0, λ · Iᵢ − (1 − λ) · Rᵢ)         Iᵢ the importance of sentence i, from 0 to 1
    Rᵢ   = LCS(i, summary so far) / |i|           longest common subsequence in tokens, ends of sentences left out
    aₜ′  ∝ aₜ · w                                  w = 1 in the K sentences with the largest MMR above 0, else 0

No training: any network that attends to its source will do. Each hypothesis has a summary of its own so far, and so a
view of its own. Where no sentence has an MMR above 0, all are seen; the published program leaves this case open.
Importance is by tf-idf, as the caller of the search says it, or by a regression (`decoding/importance.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from nutgraf.decoding.importance import read_regressor, scaled, sentence_features
from nutgraf.decoding.processors import Hypotheses, LogitsProcessor, SearchContext, SourceSentences
from nutgraf.errors import InputError
from nutgraf.model.records import EncoderOutput
from nutgraf.presets.ranges import PositiveInt, Share

NO_TOKEN = -1
"""Fills up the rows of shorter sentences; equal to no token."""


@dataclass(frozen=True)
class Config:
    """Maximal marginal relevance in the search: attention is confined to a few sentences, chosen anew after each."""

    importance_weight: Share = 0.6
    """Weight λ of a sentence's importance; 1 − λ is that of its overlap with the summary so far."""

    num_sentences: PositiveInt = 7
    """Sentences K that are seen at a time."""

    weights: Literal["equal", "mmr"] = "equal"
    """Factors of the attention to the sentences that are seen: "equal" ones, or their "mmr"."""

    regressor: str | None = None
    """JSON file of a regression of importance, which `nutgraf tune` fits to the network; absent: tf-idf."""


EXAMPLES = (Config(), Config(importance_weight=0.3, num_sentences=1), Config(weights="mmr"))

Key = tuple[int, tuple[int, ...]]
"""A document, and a summary so far up to its last whole sentence."""


class _View(NamedTuple):
    """View of a hypothesis: lengths of the LCS of each sentence's first tokens with its summary, and the bias."""

    common: Int[Tensor, "sentences longest"]
    bias: Float[Tensor, " source"]


class MarginalRelevance(LogitsProcessor):
    """Confines attention to the sentences with the largest MMR; without `Limits.sentences` it changes nothing."""

    needs_sentences = True
    config: Config

    def __init__(self, config: Config, context: SearchContext) -> None:
        super().__init__(config, context)
        self.ends, ends = frozenset(context.limits.sentence_ends), context.table(context.limits.sentence_ends)
        self.regressor = None if config.regressor is None else read_regressor(config.regressor)
        told = context.limits.sentences or []
        self.sources = [
            _Source(sentences, row, ends) for sentences, row in zip(told, context.source, strict=bool(told))
        ]
        self.views: dict[Key, _View] = {}

    def begin(self, encoder_output: EncoderOutput) -> EncoderOutput:
        """Rate the sentences by the regression, if there is one. Raises InputError if it was fitted to other states."""
        if self.regressor is not None:
            width = encoder_output.encoder_hidden_states.shape[-1]
            if width != self.regressor.hidden_size:
                raise InputError(
                    f"{self.config.regressor} was fitted to a network whose encoder's states are "
                    f"{self.regressor.hidden_size} wide, and this one's are {width} wide: `nutgraf tune` fits another."
                )
            for source, states in zip(self.sources, encoder_output.encoder_hidden_states, strict=bool(self.sources)):
                rated = self.regressor.rate(sentence_features(states, source.sentences))
                source.importance = scaled(rated).to(torch.float32)
        return encoder_output

    def __call__(self, log_probs: Float[Tensor, "batch beams extended"], hypotheses: Hypotheses) -> None:
        """Change nothing: only attention is confined."""

    def source_bias(self, hypotheses: Hypotheses) -> Float[Tensor, "batch beams source"] | None:
        """Return log w of each place, by the whole sentences of each hypothesis."""
        if not self.sources:
            return None
        kept: dict[Key, _View] = {}
        biases = []
        for document, rows in zip(hypotheses.documents, hypotheses.ids.tolist(), strict=True):
            for ids in rows:
                key = document, self._whole_sentences(ids)
                kept[key] = kept.get(key) or self.views.get(key) or self._view(*key)
                biases.append(kept[key].bias)
        self.views = kept
        return torch.stack(biases).view(*hypotheses.ids.shape[:2], -1)

    def _whole_sentences(self, ids: Sequence[int]) -> tuple[int, ...]:
        ended = next((place for place in range(len(ids), 0, -1) if ids[place - 1] in self.ends), 0)
        return tuple(ids[:ended])

    def _view(self, document: int, summary: tuple[int, ...]) -> _View:
        """Return a view, on from that of the hypothesis before its last sentence where it is known."""
        source = self.sources[document]
        before = self._whole_sentences(summary[:-1])
        known = self.views.get((document, before))
        common, added = (source.nothing, summary) if known is None else (known.common, summary[len(before) :])
        for one in added:
            if one not in self.ends:
                common = extend_lcs(common, source.tokens == one)
        overlap = common[:, -1] / source.lengths
        return _View(common, source.bias(self._weights(source.importance, overlap)))

    def _weights(
        self, importance: Float[Tensor, " sentences"], overlap: Float[Tensor, " sentences"]
    ) -> Float[Tensor, " sentences"]:
        """Return w of each sentence; ones where no sentence is relevant."""
        share = self.config.importance_weight
        mmr = (share * importance - (1 - share) * overlap).clamp_min(0)
        best = mmr.sort(descending=True, stable=True).indices[: self.config.num_sentences]
        seen = torch.zeros_like(mmr).index_copy_(0, best, mmr[best])
        if not seen.any():
            return torch.ones_like(mmr)
        return seen if self.config.weights == "mmr" else (seen > 0).to(mmr.dtype)


class _Source:
    """The sentences of one document as tensors."""

    def __init__(self, sentences: SourceSentences, ids: Int[Tensor, " source"], ends: Tensor) -> None:
        self.sentences = sentences
        starts = torch.tensor(sentences.starts, device=ids.device)
        places = torch.arange(len(ids), device=ids.device)
        self.sentence = (torch.searchsorted(starts, places, right=True) - 1).clamp_min(0)
        self.importance = torch.tensor(sentences.importance, device=ids.device, dtype=torch.float32)
        rows = [row[~ends[row]] for row in ids[: sentences.length].tensor_split(starts[1:].cpu())]
        self.lengths = torch.tensor([max(1, len(row)) for row in rows], device=ids.device)
        self.tokens = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=NO_TOKEN)
        if not self.tokens.shape[1]:
            self.tokens = self.tokens.new_full((len(rows), 1), NO_TOKEN)
        self.nothing = torch.zeros_like(self.tokens)

    def bias(self, weights: Float[Tensor, " sentences"]) -> Float[Tensor, " source"]:
        """Return the logarithm of each place's weight."""
        return weights.log()[self.sentence]


def extend_lcs(common: Int[Tensor, "sentences longest"], equal: Tensor) -> Int[Tensor, "sentences longest"]:
    """Return lengths of longest common subsequences of each sentence's first tokens with a text after one more token.

    `equal` is True where that token stands: c[j] = max(c[j − 1], before[j], before[j − 1] + equal[j]).
    """
    diagonal = torch.nn.functional.pad(common[:, :-1], (1, 0)) + equal
    return torch.maximum(common, diagonal).cummax(-1).values
