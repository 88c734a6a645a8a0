"""Scores of summaries that are given as ids, for training."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from nutgraf.errors import PresetError
from nutgraf.metrics import Example, metrics
from nutgraf.model.records import UNK, Batch
from nutgraf.preparation.shards import Shards
from nutgraf.preparation.span_shards import SpanShards
from nutgraf.text.tokenize import sentence_texts
from nutgraf.tokenizers import Tokenizer

AT_ONCE = 16
"""Sources of a batch."""


def judges(examples: Shards | None, tokenizer: Tokenizer, count: int) -> dict[str, Any]:
    """Return what judges a network by validation examples, by the names of the fields of a callback's context.

    Args:
        examples: The examples; None: there are none.
        tokenizer: Their tokenizer.
        count: Examples that are summarized; 0: none.

    Raises:
        PresetError: If they have no references.
    """
    if examples is None:
        return {}
    judged = isinstance(examples, SpanShards) and examples.item_texts(0) and examples.references(0)
    return {
        "origins": examples.origins,
        "scorer": SummaryScorer(examples, tokenizer, count) if count else None,
        "selections": SelectionScorer(examples) if isinstance(examples, SpanShards) and judged else None,
    }


class SummaryScorer:
    """ROUGE of summaries of some examples, and their share of repeated trigrams beside that of the references."""

    def __init__(self, examples: Shards, tokenizer: Tokenizer, count: int) -> None:
        """Choose `count` examples evenly. Raises PresetError if they have no references."""
        if not examples.references(0):
            raise PresetError("training.rouge_examples scores summaries, and these data have none: set it to 0.")
        self._examples, self._tokenizer = examples, tokenizer
        count = min(count, len(examples))
        chosen = [at * len(examples) // count for at in range(count)]
        self._chosen = sorted(chosen, key=lambda index: int(examples.lengths[0][index]))
        self._rouge, self._repetition = metrics.make("rouge", variants=("1", "2", "L")), metrics.make("repetition")
        references = [self._repetition(Example(one)) for index in self._chosen for one in examples.references(index)]
        self._usual = _mean(references, "repetition")

    def batches(self) -> Iterator[Batch]:
        """Yield the sources. A network that is told a length is told the mean one, not that of each reference."""
        usual = round(self._examples.target_length)
        for start in range(0, len(self._chosen), AT_ONCE):
            batch = self._examples.batch(self._chosen[start : start + AT_ONCE])
            yield replace(batch, desired_length=batch.source.new_full((len(batch.source),), usual))

    def __call__(self, summaries: Sequence[Sequence[int]]) -> dict[str, float]:
        """Return the mean scores of summaries in the order of the sources, as ids over the extended vocabulary."""
        rouge, repeated = [], []
        for index, ids in zip(self._chosen, summaries, strict=True):
            text = self._tokenizer.text_of(ids, self._examples.source(index).unknown)
            made = Example(sentence_texts(text), self._examples.references(index))
            rouge.append(self._rouge(made))
            repeated.append(self._repetition(made))
        means = {name: _mean(rouge, name) for name in self._rouge.directions}
        return {**means, "repetition": _mean(repeated, "repetition"), "repetition_references": self._usual}


class SelectionScorer:
    """ROUGE of the best-rated sentences of examples, as many as reach the length of the first reference.

    The last one may exceed it: of an abstract and a summary of 20 words no sentence might fit.
    """

    def __init__(self, examples: SpanShards) -> None:
        self._examples, self._rouge = examples, metrics.make("rouge", variants=("1", "2"))

    def __call__(self, index: int, ratings: Sequence[float]) -> dict[str, float]:
        """Return the scores of an example whose sentences have these ratings."""
        sentences, references = self._examples.item_texts(index), self._examples.references(index)
        left, taken = sum(len(one.split()) for one in references[0]), list[int]()
        for at in np.argsort(-np.asarray(ratings), kind="stable").tolist():
            if left <= 0:
                break
            taken.append(at)
            left -= len(sentences[at].split())
        found = self._rouge(Example([sentences[at] for at in sorted(taken)], references))
        return {name: found[name] or 0.0 for name in self._rouge.directions}

    def origin(self, index: int) -> str:
        """Return the name of the set that an example is from."""
        return self._examples.origin(index)


class RougeReward:
    """ROUGE-L F1 of a summary that is given as ids, with its reference; training that samples is rewarded with it."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer, self._rouge = tokenizer, metrics.make("rouge", variants=("L",))

    def __call__(self, summary: Sequence[int], reference: Sequence[int]) -> float:
        """Return a number from 0 to 1. Unknown words equal none; a text counts as one sentence."""
        written, wanted = self._text(summary, "unknownwritten"), self._text(reference, "unknownwanted")
        return self._rouge(Example([written], ([wanted],)))["ROUGE-L"] or 0.0

    def _text(self, ids: Sequence[int], unknown: str) -> str:
        """Return the words; one that only the source has is named by its number there."""
        tokens, words = self._tokenizer.tokens, []
        for one in ids:
            own = one < len(tokens)
            words.append(unknown if one == UNK else tokens[one] if own else f"ofthesource{one - len(tokens)}")
        return self._tokenizer.decode(words)


def _mean(scores: Sequence[Mapping[str, float | None]], name: str) -> float:
    return float(np.mean([score[name] or 0.0 for score in scores]))
