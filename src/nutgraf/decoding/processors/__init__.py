"""Processors of log probabilities: what changes or forbids the next tokens of a search. One file, one processor."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from nutgraf.model.records import EOS, EncoderOutput
from nutgraf.presets.family import Family

NEVER = -math.inf
"""Log probability of a token that is forbidden."""


@dataclass(frozen=True)
class SourceSentences:
    """Sentences of a source, for processors with `needs_sentences`."""

    starts: Sequence[int]
    """Position at which each sentence begins, in order; a separator belongs to the sentence after it."""

    importance: Sequence[float]
    """Importance of each sentence, from 0 to 1."""

    length: int
    """Length of the source in tokens, without padding."""


@dataclass(frozen=True)
class Limits:
    """Facts about tokens and documents that the caller of a search knows.

    Attributes:
        exempt: Tokens whose n-grams may be repeated.
        begins_word: For each token of the vocabulary, True if it begins a word; absent: all do. Tokens above
            the vocabulary always do, and so does the first token of a summary.
        words: Longest summary of each document in words; None: no budget.
        inner_marks: Tokens of commas, points and colons without white space before them.
        tails: Tokens of letters and digits without white space before them.
        tokens: All tokens of the vocabulary by id, if they are known.
        sentence_ends: Tokens that end a sentence.
        sentences: Sentences of each document; None where no processor needs them, or nobody knows them.
    """

    exempt: Sequence[int] = ()
    begins_word: Sequence[bool] | None = None
    words: Sequence[int | None] | None = None
    inner_marks: Sequence[int] = ()
    tails: Sequence[int] = ()
    tokens: Sequence[str] | None = None
    sentence_ends: Sequence[int] = ()
    sentences: Sequence[SourceSentences] | None = None


@dataclass(frozen=True)
class SearchContext:
    """The search that a processor is made for.

    Attributes:
        source: Tokens of the sources, over the extended vocabulary.
        vocab_size: Number of tokens in the vocabulary.
        extended_size: Number of tokens with those that only a source has.
        min_length: Shortest summary in tokens.
        max_length: Longest summary in tokens.
        limits: Facts about tokens and documents.
        copies: True if the network copies words of its source.
    """

    source: Int[Tensor, "batch source"]
    vocab_size: int
    extended_size: int
    min_length: int
    max_length: int
    limits: Limits
    copies: bool = True

    def table(self, tokens: Sequence[int]) -> Bool[Tensor, " extended"]:
        """Return a table over the extended vocabulary that is True at some tokens."""
        table = torch.zeros(self.extended_size, dtype=torch.bool, device=self.source.device)
        table[list(tokens)] = True
        return table

    def begins_word(self) -> Bool[Tensor, " extended"]:
        """Return a table that is True at tokens that begin a word; the end token begins none."""
        begins = ~self.table([EOS])
        if self.limits.begins_word is not None:
            begins[: self.vocab_size] &= torch.as_tensor(self.limits.begins_word, device=begins.device)
        return begins


@dataclass(frozen=True)
class Hypotheses:
    """The open hypotheses of a search; all of them have the same length."""

    ids: Int[Tensor, "batch beams length"]
    """Tokens so far, over the extended vocabulary, without BOS."""

    documents: Sequence[int]
    """Document of each row: its number in the batch that was searched."""

    full: Bool[Tensor, "batch beams"]
    """True where the budget in words is spent."""

    @property
    def length(self) -> int:
        """Number of tokens so far."""
        return self.ids.shape[-1]

    @cached_property
    def any_full(self) -> bool:
        """True if a hypothesis has spent its budget in words."""
        return bool(self.full.any())


class LogitsProcessor(ABC):
    """Changes the log probabilities of the next tokens; made with its `Config` and the `SearchContext`."""

    rescores: ClassVar[bool] = False
    """The processor adds to log probabilities; one that does not only forbids tokens."""

    needs_sentences: ClassVar[bool] = False
    """The processor looks at `Limits.sentences`."""

    def __init__(self, config: Any, context: SearchContext) -> None:
        """Keep the options and what is known of the search."""
        self.config, self.context = config, context

    @abstractmethod
    def __call__(self, log_probs: Float[Tensor, "batch beams extended"], hypotheses: Hypotheses) -> None:
        """Change log probabilities in place; −∞ forbids a token."""

    def forced(self, hypotheses: Hypotheses) -> Bool[Tensor, "batch beams"] | None:
        """Return True for hypotheses that this processor is about to end; None: it ends none.

        Such a processor comes after the others, and a summary counts as complete only where the network would have
        ended it by itself.
        """
        return None

    def begin(self, encoder_output: EncoderOutput) -> EncoderOutput:
        """Change what the decoder sees of the sources, once, before the first token."""
        return encoder_output

    def source_bias(self, hypotheses: Hypotheses) -> Float[Tensor, "batch beams source"] | None:
        """Return what is added to the logits of cross-attention, for each hypothesis; None: nothing.

        −∞ hides a place of the source from a hypothesis.
        """
        return None


processors: Family[LogitsProcessor] = Family(__name__, LogitsProcessor, noun="processor")
