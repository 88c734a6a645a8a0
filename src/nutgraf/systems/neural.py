"""Trained networks as systems: a document is prepared, a search writes tokens, and tokens become text.

checkpoint → Preparation.source (says what it cut) → search → ids → words with their origins → sentences.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import accumulate
from typing import TYPE_CHECKING

from nutgraf.errors import BudgetError
from nutgraf.faithfulness.ablation import MOST_ABLATIONS, Ablation, Track, ablate
from nutgraf.preparation import EncodedSource, batch
from nutgraf.presets import Preset
from nutgraf.presets.family import CHANGEABLE
from nutgraf.runtime.hardware import Compute
from nutgraf.systems import BatchSystem
from nutgraf.systems._ablated_source import GivenSummary
from nutgraf.systems._gains import ExpectedGain
from nutgraf.systems._reranking import ReRanker
from nutgraf.systems._signals import signals_of
from nutgraf.systems._trained import TrainedConfig, TrainedSystem
from nutgraf.systems._written import WORDLESS, Wording
from nutgraf.systems.compose import FORCED, compose, is_whole, trail_off, whole, within, words_in
from nutgraf.systems.steering import Steering, too_strong
from nutgraf.text.abstract import OUTSIDE
from nutgraf.text.detokenize import leans
from nutgraf.text.document import Document
from nutgraf.text.importance import importance
from nutgraf.text.summary import Attention, Budget, SourceSignals, Summary, SummarySentence, counted
from nutgraf.text.tokenize import joined
from nutgraf.text.truecasing import Truecaser
from nutgraf.tokenizers import SEP_ID

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from jaxtyping import Float
    from torch import Tensor

    import nutgraf.decoding.search
    import nutgraf.model.seq2seq
    import nutgraf.training.config
    from nutgraf.checkpoint import Trained
    from nutgraf.decoding.processors import SourceSentences
    from nutgraf.decoding.ranking import Hypothesis
    from nutgraf.model.records import Batch
    from nutgraf.preparation.source import EncodedTarget

AT_ONCE = 32
"""Documents given to `summarize_all` at a time, so that those of like length share a batch."""

BATCH_ROWS, BATCH_TOKENS = 16, 8192
"""Documents and source tokens, padding included, of a batch."""

MOST_SHOWN = 24
"""Positions of the source between which attention is shown."""

MOST_NAMED = 5
"""Documents that a notice names."""


@dataclass(frozen=True, kw_only=True)
class Config(TrainedConfig):
    """A network, its training and its search."""

    model: nutgraf.model.seq2seq.Config
    """The network."""

    training: nutgraf.training.config.Config
    """Training of the network."""

    decoding: nutgraf.decoding.search.Config = field(metadata=CHANGEABLE)
    """Search for a summary."""


class Neural(TrainedSystem, BatchSystem):
    """A preset with `system = "neural"` in a model folder."""

    _trained: Trained[nutgraf.model.seq2seq.Seq2Seq]

    def __init__(self, preset: Preset, compute: Compute = Compute()) -> None:
        super().__init__(preset, compute)
        from nutgraf.decoding.precision import decoding_precision
        from nutgraf.runtime.compute import kernels

        config = preset.config.decoding
        validated_precisions = () if compute.deterministic else self._trained.validated_precisions
        precision = decoding_precision(config.precision, self._device, validated_precisions)
        self._config = replace(config, precision=precision)
        self._kernels = kernels(self._device)
        self._tokenizer = self._trained.tokenizer
        self._writes_case = vars(preset.config.tokenizer.config).get("lower") is False
        self._heeds = self._trained.network.encoder.heeds_phrases
        self._words = Wording(self._tokenizer, self._trained.network.head.needs_attention)
        self._reranker = None if config.rerank is None else ReRanker(preset, str(self._device))
        self._gain = None if config.mbr is None else ExpectedGain(config.mbr, config.sampling is not None)

    @property
    def writes(self) -> bool:
        """True: the network writes the sentences."""
        return True

    @property
    def at_once(self) -> int:
        """Documents of like length share a batch."""
        return AT_ONCE

    def _computed(self) -> list[str]:
        guided = ["trained:oracle"] if self.card.get("data", {}).get("oracle") else []
        reranked = [] if self._reranker is None else [f"reranker:{self._reranker.digest}"]
        return [
            *super()._computed(),
            *guided,
            *reranked,
            f"precision:{self._config.precision}",
            f"kernels:{self._kernels}",
            f"threads:{self._threads.threads}",
        ]

    def summarize_all(self, asked: Sequence[tuple[Document, Steering]], budget: Budget) -> list[Summary | BudgetError]:
        """Summarize several documents, those of like length together."""
        made: dict[int, Summary | BudgetError] = {}
        for indices, drafts in self._together(asked, budget):
            made.update(zip(indices, self._write(drafts), strict=True))
        return [made[index] for index in range(len(asked))]

    def candidates(self, documents: Sequence[Document]) -> list[list[str]]:
        """Return all that the search finds of each document, each text once, best first; see `System`."""
        found: dict[int, list[str]] = {}
        for indices, drafts in self._together([(one, Steering()) for one in documents], Budget()):
            for index, draft, each in zip(indices, drafts, self._search(drafts, several=True), strict=True):
                texts = (joined(sentence.text for sentence in self._fitting(draft, one)) for one in each)
                found[index] = [*dict.fromkeys(filter(None, texts))]
        return [found[index] for index in range(len(documents))]

    def _together(
        self, asked: Sequence[tuple[Document, Steering]], budget: Budget
    ) -> Iterator[tuple[list[int], list[_Draft]]]:
        """Yield the indices and the drafts of documents of like length."""
        sources = [self._source(document, steering) for document, steering in asked]
        by_length = sorted(range(len(asked)), key=lambda index: len(sources[index].ids))
        for indices in batches_by_tokens(by_length, [len(source.ids) for source in sources]):
            yield indices, [_Draft(*asked[index], sources[index], budget) for index in indices]

    def attention(self, summary: Summary) -> Attention | None:
        """Return the encoder's self-attention around the place that most words were copied from."""
        import torch

        source = self._source_of(summary)
        start = _liveliest(source, summary)
        shown = slice(start, start + MOST_SHOWN)
        with torch.inference_mode():
            layers = self._trained.network.encoder_attention(self._batch([source]))
        if not layers:
            return None
        text = summary.document.text
        return Attention(
            words=tuple(text[first:end] or "·" for first, end in source.spans[shown].tolist()),
            weights=torch.stack([layer[0, :, shown, shown] for layer in layers]).float().cpu().numpy(),
            positions=len(source.ids),
            phrases=tuple(
                (place.start - start, place.end - start)
                for place in source.places
                if start <= place.start and place.end <= start + MOST_SHOWN
            ),
        )

    def signals(self, summary: Summary) -> SourceSignals | None:
        """Return what the network makes of each source word when it is given the summary to write.

        None for a network that has neither centrality nor a gate, and returns no cross-attention.
        """
        import torch

        source = self._source_of(summary)
        sentences = [sentence.text for sentence in summary.sentences]
        target = self._preparation.target(sentences, source)
        with torch.inference_mode():
            given = batch([source], [target], segments=self._trained.network.config.segments)
            trace = self._trained.network(given.to(self._device))
        ends = list(accumulate(len(self._tokenizer.encode(text).ids) for text in sentences))
        return signals_of(trace, source, summary.document, self._tokenizer, ends)

    def ablate(self, summary: Summary, ablations: int = MOST_ABLATIONS, track: Track | None = None) -> Ablation:
        """Find the source sentences that a summary rests on; see `System`. The network reads no more than it did."""
        import torch

        source = self._source_of(summary)
        texts = [sentence.text for sentence in summary.sentences]
        given = GivenSummary(self._preparation, source, texts)

        def scores(sources: Sequence[EncodedSource], target: EncodedTarget) -> npt.NDArray[np.float64]:
            segments = self._trained.network.config.segments
            read = batch(sources, [target] * len(sources), segments=segments).to(self._device)
            with self._lock, torch.inference_mode():
                found = self._trained.network(read).target_log_probs
            return found.double().cpu().numpy()

        rows = max(1, min(BATCH_ROWS, BATCH_TOKENS // max(1, len(source.ids))))
        reader = given.reader(summary.document, scores, rows)
        return ablate([reader], summary.document, texts, given.tokens, ablations, self.preset.seed, track)

    def encoded_sentences(
        self, document: Document
    ) -> tuple[Float[Tensor, "source hidden"], SourceSentences, list[str]] | None:
        """Return the encoder's states of a document, the sentences that it reads, and their texts.

        Args:
            document: A document; None is returned for one of which no sentence is read.
        """
        import torch

        source = self._preparation.source(document)
        if not len(source.ids) or source.document is None or not source.document.sentences:
            return None
        with self._lock, torch.inference_mode():
            states = self._trained.network.encode(self._batch([source])).encoder_hidden_states[0]
        texts = [source.document.show(span) for span in source.document.sentences]
        return states.cpu(), sentences_of(source), texts

    def _source_of(self, summary: Summary) -> EncodedSource:
        """Return the input of the network for a summary; with its phrases, if it is this system's."""
        own = _without_threads(summary.signature) == _without_threads(self.signature)
        return self._preparation.source(summary.document, summary.phrases if own else None)

    def _source(self, document: Document, steering: Steering) -> EncodedSource:
        """Return the input of the network, with the highlights among its phrases."""
        guided = self._preparation.oracle(document, steering.oracle) if steering.oracle is not None else None
        return self._preparation.source(document, guided, steering.phrases)

    def _batch(self, sources: Sequence[EncodedSource], lengths: Sequence[int] = ()) -> Batch:
        given = batch(sources, lengths=lengths, segments=self._trained.network.config.segments)
        return given.to(self._device)

    def _write(self, drafts: Sequence[_Draft]) -> Iterator[Summary | BudgetError]:
        """Yield summaries within their budgets; where none fits, the first sentences of one without a budget may."""
        found = self._search(drafts, [draft.limit for draft in drafts])
        kept = [self._first_fitting(draft, each) for draft, each in zip(drafts, found, strict=True)]
        stuck = [index for index, draft in enumerate(drafts) if draft.limit is not None and not kept[index]]
        smallest: dict[int, int] = {}
        for index, each in zip(stuck, self._search([drafts[index] for index in stuck]), strict=True):
            kept[index] = self._first_fitting(drafts[index], each)
            sentences = whole(self._sentences(drafts[index], each[0]), _ended(each[0]))
            smallest[index] = drafts[index].length_of(sentences[0].text) if sentences else 0
        for index, draft in enumerate(drafts):
            stays_empty = index in smallest and not kept[index]
            yield (
                _too_small(draft, smallest[index], self._why_nothing(draft))
                if stays_empty
                else self._summary(draft, kept[index])
            )

    def _search(
        self, drafts: Sequence[_Draft], limits: Sequence[int | None] = (), several: bool = False
    ) -> list[list[Hypothesis]]:
        """Hypotheses for each draft, best first; within a budget several, since not every one ends well there."""
        if not drafts:
            return []
        from nutgraf.decoding.processors import Limits
        from nutgraf.decoding.search import search

        limited = any(limit is not None for limit in limits)
        chooses = self._gain is not None or self._reranker is not None
        several = several or limited or chooses
        config = replace(self._config, num_return_sequences=self._config.beam_size) if several else self._config
        asked = Limits(
            self._exempt,
            self._begins,
            limits if limited else None,
            *self._inside,
            tokens=self._tokenizer.tokens,
            sentence_ends=self._exempt,
            sentences=[sentences_of(draft.source) for draft in drafts] if self._needs_sentences else None,
        )
        sources = self._batch([draft.source for draft in drafts], [self._desired(draft) for draft in drafts])
        with self._lock:  # threads take turns: each search uses all cores by itself, and measures how many it takes
            found = search(self._trained.network, sources, config, asked, self._threads)
        if not chooses:
            return found
        return [self._chosen(draft, each) for draft, each in zip(drafts, found, strict=True)]

    def _chosen(self, draft: _Draft, found: Sequence[Hypothesis]) -> list[Hypothesis]:
        """Return hypotheses by the score of the re-ranker, or by the gain that is expected of their sentences."""
        from nutgraf.decoding.ranking import by_score

        texts = [[sentence.text for sentence in self._sentences(draft, one)] for one in found]
        if self._reranker is not None:
            return by_score(found, self._reranker.scores(draft.document, texts))
        assert self._gain is not None
        return by_score(found, self._gain.scores(texts, [one.log_prob for one in found], draft.source.document))

    @property
    def is_told_length(self) -> bool:
        """True if the network is told how many tokens to write."""
        return self._trained.network.decoder.needs_length

    def length_of_training(self, factor: float) -> int:
        """Return the mean length of the training summaries in tokens, times a factor; 1 at least."""
        mean = float(self.card.get("data", {}).get("target_length", self._config.max_length))
        return max(1, min(round(factor * mean), self._config.max_length))

    def _desired(self, draft: _Draft) -> int:
        """Return the tokens that a network is told: as the budget has room for, or the calibrated mean of training."""
        if self._config.desired_length is not None:
            return self._config.desired_length
        if draft.limit is None:
            return self.length_of_training(self._length_factor)
        return max(1, min(round(draft.limit * self._tokens_per_word(draft.source)), self._config.max_length))

    @property
    def _length_factor(self) -> float:
        """The calibrated factor, if there is one of these weights."""
        found = self.card.get("length_calibration", {})
        return float(found["factor"]) if found and found["weights"] == self.card.get("weights") else 1.0

    def _tokens_per_word(self, source: EncodedSource) -> float:
        """Return the number of tokens for each word: of the training summaries or, if that is unknown, of a source."""
        measured = self.card.get("data", {}).get("tokens_per_word")
        if measured is not None or source.document is None:
            return float(measured or 1.0)
        return len(source.ids) / max(1, source.document.num_words)

    @cached_property
    def _needs_sentences(self) -> bool:
        """True if a processor of the search chooses among the sentences of the source."""
        from nutgraf.decoding.processors import processors

        return any(processors.find(one.kind).needs_sentences for one in self._config.processors.values())

    @cached_property
    def _exempt(self) -> list[int]:
        """Full stops and the separator: they end a sentence, and trigrams with them may come again."""
        stops = [number for number, text in enumerate(self._tokenizer.tokens) if self._tokenizer.decode([text]) == "."]
        return [SEP_ID, *stops]

    @cached_property
    def _begins(self) -> list[bool]:
        """Flags of the tokens that begin a word of the budget; marks attached to their neighbours do not."""
        return [
            bool(begins) and not leans(self._tokenizer.decode([text]))
            for text, begins in zip(self._tokenizer.tokens, self._tokenizer.begins_word, strict=True)
        ]

    @cached_property
    def _inside(self) -> tuple[list[int], list[int]]:
        """Pieces within a word: commas, points and colons; letters and digits."""
        inside = [(number, self._tokenizer.decode([text])) for number, text in enumerate(self._tokenizer.tokens)]
        inside = [(number, text) for number, text in inside if not self._tokenizer.begins_word[number]]
        marks = [number for number, text in inside if text in (",", ".", ":")]
        return marks, [number for number, text in inside if text[:1].isalnum()]

    def _first_fitting(self, draft: _Draft, found: Sequence[Hypothesis]) -> list[SummarySentence]:
        """Return the sentences of the best hypothesis that has any within the budget."""
        return next(filter(None, (self._fitting(draft, one) for one in found)), [])

    def _fitting(self, draft: _Draft, found: Hypothesis) -> list[SummarySentence]:
        """The whole sentences that the budget has room for; without a budget in words, all."""
        sentences = self._sentences(draft, found)
        if draft.limit is not None:
            return within(whole(sentences, _ended(found)), draft.most, length_of=draft.length_of)
        if sentences and not found.complete and not is_whole(sentences[-1]):
            sentences[-1] = trail_off(sentences[-1])
        return within(sentences, most=draft.budget.sentences)

    def _sentences(self, draft: _Draft, found: Hypothesis) -> list[SummarySentence]:
        casing = None if self._writes_case else draft.casing
        return compose(list(self._words(found, draft.source)), draft.document, casing)

    def _summary(self, draft: _Draft, sentences: Sequence[SummarySentence]) -> Summary:
        source = draft.source
        asked = {phrase.text.lower() for phrase in draft.steering.phrases}
        phrases = sorted(source.phrases, key=lambda phrase: phrase.text.lower() not in asked)
        return Summary(
            sentences=tuple(sentences),
            document=draft.document,
            budget=draft.budget,
            limit=draft.budget.words_of(draft.document),
            find_phrases=partial(tuple, phrases),
            cut=source.cut,
            notices=tuple(dict.fromkeys([*draft.document.notices, *self._notices(draft, sentences)])),
            signature=self.signature,
            desired_length=self._desired(draft) if self.is_told_length else None,
        )

    def _why_nothing(self, draft: _Draft) -> str:
        """Return that highlights may be why nothing whole was written; "" where there are none that act."""
        return too_strong(draft.steering) if draft.steering.phrases and self._heeds else ""

    def _notices(self, draft: _Draft, sentences: Sequence[SummarySentence]) -> Iterator[str]:
        yield from draft.steering.notices
        yield from draft.source.notices
        if draft.steering.phrases and not self._heeds:
            name = self.preset.name
            said = "highlights change nothing in what it writes, nor does a question"
            yield f"The network of {name!r} attends to no phrases: {said}."
        cut = sum(one.words for one in draft.source.cut)
        if cut:
            read, rules = draft.document.num_words - cut, {one.rule for one in draft.source.cut}
            whose = ", of the abstract" if OUTSIDE in rules else ""
            why = "it reads nothing else" if rules == {OUTSIDE} else "it reads no more at a time"
            yield f"The network read {read:,} of {draft.document.num_words:,} words{whose}; {why}."
        if unread := _unread(draft):
            yield f"Nothing was read of {', '.join(unread[:MOST_NAMED])}{' and others' * (len(unread) > MOST_NAMED)}."
        if any(word.text == WORDLESS for sentence in sentences for word in sentence.words):
            yield f"Where {WORDLESS} stands, the network had no word."
        if not sentences:
            yield f"The network wrote nothing.{self._why_nothing(draft)}"
        elif len(sentences) < (draft.budget.sentences or 0):
            written = f"{len(sentences)} sentence{'' if len(sentences) == 1 else 's'}"
            yield f"The network wrote {written}; {draft.budget.sentences} were asked for."


def _unread(draft: _Draft) -> list[str]:
    """Return the names of the documents of which the network read no sentence."""
    document, read = draft.document, draft.source.document
    if read is None or len(document.parts) < 2:
        return []
    seen = {document.part_of(sentence.start) for sentence in read.sentences}
    return [part.name or f"document {place + 1}" for place, part in enumerate(document.parts) if place not in seen]


def sentences_of(source: EncodedSource) -> SourceSentences:
    """Return the sentences of a source with their importance; a source without any is one sentence."""
    from nutgraf.decoding.processors import SourceSentences

    assert source.document is not None
    if not source.document.sentences:
        return SourceSentences((0,), (1.0,), len(source.ids))
    return SourceSentences(source.starts["sentences"].tolist(), importance(source.document).tolist(), len(source.ids))


def batches_by_tokens(order: Sequence[int], lengths: Sequence[int]) -> Iterator[list[int]]:
    """Indices in batches of at most `BATCH_ROWS` sources and `BATCH_TOKENS` tokens with their padding."""
    batch: list[int] = []
    for index in order:
        if batch and (len(batch) == BATCH_ROWS or (len(batch) + 1) * lengths[index] > BATCH_TOKENS):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def _without_threads(signature: str) -> str:
    """Return a signature without the parts that may change while a system is in use."""
    return "|".join(part for part in signature.split("|") if not part.startswith("threads:"))


class _Draft:
    """A document in progress, and the request for its summary."""

    def __init__(self, document: Document, steering: Steering, source: EncodedSource, budget: Budget) -> None:
        self.document = document
        self.steering = steering
        self.source = source
        self.budget = budget
        self.limit = budget.words_of(document) if budget.characters is None else words_in(document, budget.characters)
        self.most = self.limit if budget.characters is None else budget.characters

    def length_of(self, text: str) -> int:
        """Length of a text in the unit of the budget."""
        return self.document.length_of(text) if self.budget.characters is None else len(text)

    @cached_property
    def casing(self) -> Truecaser:
        return Truecaser(self.document)


def _too_small(draft: _Draft, smallest: int, why: str) -> BudgetError:
    unit = draft.budget.unit
    message = f"No sentence fits into {counted(draft.most or 0, unit)}"
    if not smallest:
        return BudgetError(f"{message}: the network writes no whole sentence here.{why}")
    return BudgetError(
        f"{message}: the first sentence that the network writes has {smallest}. Ask for {smallest} {unit} or more.",
        smallest,
    )


def _ended(found: Hypothesis) -> bool:
    """Return True if the network meant to end here; the probability of the end token is not listed."""
    log_prob_of_tokens = sum(math.log(max(probability, 1e-20)) for probability in found.probabilities)
    return found.complete and found.log_prob - log_prob_of_tokens > math.log(FORCED)


def _liveliest(source: EncodedSource, summary: Summary) -> int:
    """The first of `MOST_SHOWN` positions in a row in which phrases stand and from which words were copied."""
    bases = [part.start for part in summary.document.parts]
    copied = {
        bases[word.origin.source] + word.origin.start
        for sentence in summary.sentences
        for word in sentence.words
        if word.origin is not None
    }
    lively = [int(start in copied) for start in source.spans[:, 0].tolist()]
    for place in source.places:
        for position in range(place.start, place.end):
            lively[position] += 1
    sums = [0, *accumulate(lively)]
    starts = range(max(1, len(lively) - MOST_SHOWN + 1))
    return max(starts, key=lambda start: (sums[min(start + MOST_SHOWN, len(lively))] - sums[start], -start))
