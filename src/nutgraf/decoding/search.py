"""Greedy search, beam search and sampling over a cached decoder, for all documents of a batch at once.

In each step the hypotheses of a group offer their likeliest next tokens, after processors have changed or forbidden
some. The best of all that is offered stay open, and an end token among the best finishes a hypothesis. A group ends
when no open hypothesis scores above its finished ones, and a document leaves the batch when all its groups have ended.
Beam search has one group, and greedy search a beam of one; diverse beam search has several groups, of which each avoids
the tokens of those before it (`diversity.py`). When sampling, each hypothesis draws its next token, independently of
the others.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

import torch
from jaxtyping import Bool, Float, Int, Shaped
from torch import Tensor

from nutgraf.decoding.diversity import Config as Diversity
from nutgraf.decoding.mbr import Config as MinimumBayesRisk
from nutgraf.decoding.offers import Offered, best, drawn
from nutgraf.decoding.precision import Precision, decoding_precision, encode, lowered
from nutgraf.decoding.processors import NEVER, Hypotheses, Limits, LogitsProcessor, SearchContext, processors
from nutgraf.decoding.ranking import Form, Hypothesis, Ranking
from nutgraf.decoding.rerank import Config as Rerank
from nutgraf.decoding.sampling import Config as Sampling
from nutgraf.decoding.sampling import Sampler
from nutgraf.errors import PresetError
from nutgraf.model.records import BOS, EOS, PAD, UNK, Batch, EncoderOutput, Trace
from nutgraf.model.seq2seq import Seq2Seq
from nutgraf.presets.family import Choice
from nutgraf.presets.ranges import NonNegativeFloat, NonNegativeInt, PositiveInt, Range
from nutgraf.runtime.compute import ThreadTuner

LEAST = 1e-38
"""Probability below which a token's logarithm is no number in single precision."""

MAX_BEAM_SIZE = 1000
"""Memory and time grow with it, and beyond some tens summaries become worse."""


@dataclass(frozen=True)
class Config:
    """Search. Lengths are in tokens, without the end token."""

    beam_size: Annotated[int, Range(ge=1, le=MAX_BEAM_SIZE)] = 5
    """Hypotheses kept per document; 1 is greedy search."""

    num_return_sequences: PositiveInt = 1
    """Hypotheses that `search` returns per document, best first; a system makes a summary of the best one that fits."""

    min_length: NonNegativeInt = 0
    """Shortest summary, unless a budget in words ends it earlier."""

    max_length: PositiveInt = 128
    """Longest summary."""

    desired_length: PositiveInt | None = None
    """Length told to a network that is conditioned on one; absent: what the budget or the training data say."""

    length_penalty: NonNegativeFloat = 0.0
    """Exponent α of the length penalty; 0: none."""

    length_penalty_form: Form = "gnmt"
    """Length penalty: "gnmt" is ((5 + |Y|) / 6)^α, "power" is |Y|^α."""

    coverage_penalty: NonNegativeFloat = 0.0
    """Weight β of the summary coverage penalty of Gehrmann et al. 2018, not that of Wu et al. 2016 (the formula is in
    `decoding/ranking.py`); 0: none."""

    stepwise_penalty: bool = False
    """Apply the coverage penalty at each step instead of to finished hypotheses only."""

    unknown: Literal["keep", "forbid", "replace"] = "keep"
    """What to do with unknown words that are not copied: keep them, forbid them, or replace each by the source word
    with most attention."""

    early_stopping: bool = True
    """End a document when no open hypothesis scores above the finished ones; false waits until none ever can."""

    precision: Precision | Literal["auto"] = "auto"
    """Format of the decoder's matrices; "auto" is the fastest in which this network's summaries were measured to be as
    good as in fp32."""

    processors: Mapping[str, Choice[LogitsProcessor]] = field(
        default_factory=lambda: {name: processors.choose(name) for name in ("repetition", "whole_words")}
    )
    """Processors by name, each with its options; length and budget are always kept."""

    sampling: Sampling | None = None
    """Options of sampling; without this section, beam search."""

    diversity: Diversity | None = None
    """Options of diverse beam search; without this section, all beams compete with each other."""

    mbr: MinimumBayesRisk | None = None
    """Options of minimum Bayes risk, by which a system chooses among the hypotheses; without this section, the best
    score decides."""

    rerank: Rerank | None = None
    """Options of re-ranking, by which a system chooses among the hypotheses instead."""

    def __post_init__(self) -> None:
        if self.diversity is not None and self.sampling is not None:
            raise ValueError("sampling and diversity exclude each other: samples are drawn independently.")
        if self.mbr is not None and self.rerank is not None:
            raise ValueError("mbr and rerank exclude each other: one of them chooses among the hypotheses.")
        if self.beam_size % self.num_groups:
            raise ValueError(
                f"beam_size = {self.beam_size} cannot be divided into {self.num_groups} groups of equal size; "
                "diversity = none makes one group, and diversity.num_beam_groups another number."
            )
        for name, most in (("num_return_sequences", "beam_size"), ("min_length", "max_length")):
            if getattr(self, name) > getattr(self, most):
                raise ValueError(f"{name} = {getattr(self, name)} must be at most {most} = {getattr(self, most)}")

    @property
    def num_groups(self) -> int:
        """Number of groups within which hypotheses compete."""
        return 1 if self.diversity is None else self.diversity.num_beam_groups

    @property
    def ranking(self) -> Ranking:
        """Ranking of hypotheses."""
        return Ranking(self.length_penalty, self.coverage_penalty, self.stepwise_penalty, self.length_penalty_form)


def search(
    network: Seq2Seq, batch: Batch, config: Config, limits: Limits | None = None, threads: ThreadTuner | None = None
) -> list[list[Hypothesis]]:
    """Return the best summaries of each document, best first; at least one, at most `num_return_sequences`.

    Nothing of the network changes, so threads may search with one network at the same time.

    Args:
        network: A network in evaluation mode.
        batch: The sources.
        config: The preset's `[decoding]`; a precision of "auto" is fp32 here.
        limits: Facts about tokens, and the budgets in words.
        threads: Told how long each step takes; chooses the number of threads.

    Raises:
        PresetError: If the network has fewer positions than `max_length` asks for, or a processor is unknown.
        ValueError: If the network is in training mode.
    """
    if network.training:
        raise ValueError("search needs a network in evaluation mode: call network.eval() first")
    if config.max_length >= network.config.max_positions:
        raise PresetError(
            f"decoding.max_length = {config.max_length} is too much for a network of {network.config.max_positions} "
            f"positions: {network.config.max_positions - 1} would do."
        )
    with torch.inference_mode():
        return _Search(network, batch, config, limits or Limits(), threads).run()


@dataclass
class _Living:
    """The open hypotheses of the documents that are not finished.

    `noted` has the probability of each token, its copied share, its position in the source, and p_copy; `log_prob` is
    −∞ where there is no hypothesis.
    """

    document: list[int]
    written: Int[Tensor, "batch beams longest"]
    noted: Float[Tensor, "batch beams longest 4"]
    log_prob: Float[Tensor, "batch beams"]
    words: Int[Tensor, "batch beams"]
    budget: Int[Tensor, "batch 1"]
    covered: Float[Tensor, "batch beams source"]

    @classmethod
    def start(cls, encoder_output: EncoderOutput, beams: int, longest: int, budgets: list[int], every: int) -> _Living:
        """Open an empty hypothesis in every so many beams of each document."""
        documents, source, _ = encoder_output.encoder_hidden_states.shape
        count = encoder_output.source_extended.new_zeros(documents, beams)
        number = count.to(torch.promote_types(encoder_output.encoder_hidden_states.dtype, torch.float32))
        log_prob = torch.full_like(number, NEVER)
        log_prob[:, ::every] = 0.0
        return cls(
            document=list(range(documents)),
            written=count[..., None].repeat(1, 1, longest),
            noted=number[..., None, None].repeat(1, 1, longest, 4),
            log_prob=log_prob,
            words=count,
            budget=count.new_tensor(budgets)[:, None],
            covered=number[..., None].repeat(1, 1, source),
        )

    def keep(self, rows: Int[Tensor, " kept"]) -> None:
        """Keep some documents."""
        self.document = [self.document[row] for row in rows.tolist()]
        for name in ("written", "noted", "log_prob", "words", "budget", "covered"):
            setattr(self, name, getattr(self, name)[rows])


class _Search:
    """One search: its processors, the open hypotheses, and the finished ones."""

    def __init__(
        self, network: Seq2Seq, batch: Batch, config: Config, limits: Limits, threads: ThreadTuner | None
    ) -> None:
        self.config, self.ranking = config, config.ranking
        self.timed = threads.measure if threads is not None else nullcontext
        precision = decoding_precision(config.precision, batch.source.device)
        if config.desired_length is not None:
            batch = replace(batch, desired_length=batch.source.new_full((len(batch.source),), config.desired_length))
        self.encoder_output = encode(network, batch, precision)
        self.network = network = lowered(network, precision)
        self.vocab_size = network.head.vocab_proj.out_features
        context = SearchContext(
            batch.source_extended,
            self.vocab_size,
            self.vocab_size + self.encoder_output.num_oov,
            config.min_length,
            config.max_length,
            limits,
            network.head.needs_attention,
        )
        given = {**config.processors, **{name: processors.choose(name) for name in ("length", "word_budget")}}
        self.processors = [processors.build(one, context) for one in given.values()]
        for one in self.processors:
            self.encoder_output = one.begin(self.encoder_output)
        self.rescores = any(one.rescores for one in self.processors)
        self.first_begins, self.begins = ~context.table([EOS]), context.begins_word()
        never = [PAD, BOS] + ([UNK] if config.unknown == "forbid" else [])
        self.never = torch.tensor(never, device=self.encoder_output.source_extended.device)
        self.covers = config.coverage_penalty > 0
        self.looks = self.covers or config.unknown == "replace"
        documents = len(batch.source)
        budgets = [config.max_length if one is None else one for one in limits.words or [None] * documents]
        self.sampler = None if config.sampling is None else Sampler(config.sampling, documents)
        self.groups = config.num_groups
        self.width = config.beam_size // self.groups
        self.wanted = min(self.width, config.num_return_sequences)
        every = self.width if self.sampler is None else 1
        self.living = _Living.start(self.encoder_output, config.beam_size, config.max_length, budgets, every)
        self.state = network.start(self.encoder_output, config.beam_size)
        self.finished: list[list[list[Hypothesis]]] = [[[] for _ in range(self.groups)] for _ in range(documents)]

    def run(self) -> list[list[Hypothesis]]:
        """Search from BOS to the last document's end."""
        for length in range(self.config.max_length + 1):
            with self.timed():
                if not self._step(length):
                    break
        return [self._best(groups)[: self.config.num_return_sequences] for groups in self.finished]

    def _best(self, groups: Sequence[Sequence[Hypothesis]]) -> list[Hypothesis]:
        """Return what the groups of a document found, best first."""
        found = sorted((one for group in groups for one in group[: self.wanted]), key=_order)
        if self.groups == 1:
            return found
        once: dict[tuple[int, ...], Hypothesis] = {}
        for one in found:  # groups may find the same
            once.setdefault(one.ids, one)
        return list(once.values())

    def _step(self, length: int) -> bool:
        """Extend every hypothesis by a token; False if all documents are finished."""
        living, seen = self.living, self.encoder_output
        hypotheses = Hypotheses(living.written[..., :length], living.document, living.words >= living.budget)
        biases = [one.source_bias(hypotheses) for one in self.processors]
        if any(bias is not None for bias in biases):
            seen = replace(seen, source_bias=torch.stack([bias for bias in biases if bias is not None]).sum(0))
        trace = self.network.step(hypotheses.ids, seen, self.state, self.looks)
        own = _log_probs(trace).clone() if self.rescores else None
        complete = self._process(_log_probs(trace), hypotheses)
        covered = self._cover(trace)
        penalty = self.ranking.penalty(covered)
        offered = self._offer(trace, penalty)
        self._finish(offered, penalty, complete, own, length)
        alive = offered.alive(self.width)
        going = self._going(alive, penalty, length)
        remaining = [any(groups) for groups in going]
        if not any(remaining):
            return False
        if not all(map(all, going)):
            alive = alive.only(going)
        self._go_on(alive, trace, own, covered, length)
        if not all(remaining):
            self._leave(remaining)
        return True

    def _process(
        self, log_probs: Float[Tensor, "batch beams extended"], hypotheses: Hypotheses
    ) -> Bool[Tensor, "batch beams"]:
        """Apply all processors; True where an end would be the network's own, not because nothing else is allowed."""
        log_probs.index_fill_(-1, self.never, NEVER)
        forced = [(one, one.forced(hypotheses)) for one in self.processors]
        for one, ended in forced:
            if ended is None:
                one(log_probs, hypotheses)
        complete = torch.ones_like(hypotheses.full)
        if any(ended is not None for _, ended in forced):
            own = log_probs[..., EOS] >= log_probs.amax(-1)
            for one, ended in forced:
                if ended is not None:
                    complete &= own | ~ended
                    one(log_probs, hypotheses)
        return complete

    def _cover(self, trace: Trace) -> Float[Tensor, "batch beams source"]:
        """Return the sum of each hypothesis's attention, this step included, where that is counted."""
        if not self.covers:
            return self.living.covered
        assert trace.cross_attention is not None
        return self.living.covered + trace.cross_attention

    def _offer(self, trace: Trace, penalty: Float[Tensor, "batch beams"]) -> Offered:
        """Return the tokens that are offered in this step."""
        log_probs, stepwise = _log_probs(trace), self.config.stepwise_penalty
        ahead = self.living.log_prob - penalty if stepwise else self.living.log_prob
        if self.sampler is not None:
            offered = drawn(log_probs, ahead, self.sampler.draw(log_probs, self.living.document))
        else:
            avoided = 0.0 if self.config.diversity is None else self.config.diversity.diversity_penalty
            offered = best(log_probs, ahead, self.groups, avoided)
        return replace(offered, log_prob=offered.log_prob + _at(offered.parent, penalty)) if stepwise else offered

    def _finish(
        self,
        offered: Offered,
        penalty: Float[Tensor, "batch beams"],
        complete: Bool[Tensor, "batch beams"],
        own: Float[Tensor, "batch beams extended"] | None,
        length: int,
    ) -> None:
        """Finish the hypotheses whose end is among the best that their group is offered."""
        first = slice(None, self.width)
        ends = (offered.word[..., first] == EOS) & (offered.rank[..., first] > NEVER)
        for row, group, place in ends.nonzero().tolist():
            beam = int(offered.parent[row, group, place])
            log_prob = float(offered.log_prob[row, group, place])
            end = 0.0 if own is None else float(own[row, beam, EOS])
            self._add(row, beam, log_prob, penalty, length, length + 1, bool(complete[row, beam]), end)

    def _add(
        self,
        row: int,
        beam: int,
        log_prob: float,
        penalty: Tensor,
        length: int,
        tokens: int,
        complete: bool,
        end: float = 0.0,
    ) -> None:
        """Add a finished hypothesis; complete ones come first."""
        living = self.living
        ids = living.written[row, beam, :length].tolist()
        probabilities, copied_shares, positions, p_copy = (
            living.noted[row, beam, :length].T.tolist() if length else ([], [], [], [])
        )
        positions = [int(one) for one in positions]
        if self.config.unknown == "replace":
            words = self.encoder_output.source_extended[row].tolist()
            ids = [words[at] if one == UNK else one for one, at in zip(ids, positions, strict=True)]
        score = float(self.ranking.score(penalty.new_tensor(log_prob), penalty[row, beam], max(tokens, 1)))
        if self.rescores:
            log_prob = end + sum(math.log(max(one, LEAST)) for one in probabilities)
        finished = self.finished[living.document[row]][beam // self.width]
        noted = map(tuple, (probabilities, copied_shares, positions, p_copy))
        finished.append(Hypothesis(tuple(ids), log_prob, score, complete, *noted))
        finished.sort(key=_order)

    def _going(self, alive: Offered, penalty: Float[Tensor, "batch beams"], length: int) -> list[list[bool]]:
        """True for each group that goes on; where none can and nothing is finished, open hypotheses end as they are."""
        tokens = length + 1 if self.config.early_stopping else self.config.max_length + 1
        worth = self.ranking.score(alive.log_prob, _at(alive.parent, penalty), tokens).amax(-1).tolist()
        going = []
        for row, document in enumerate(self.living.document):
            finished = self.finished[document]
            going.append([here > self._to_beat(group) for here, group in zip(worth[row], finished, strict=True)])
            for group, goes in enumerate(going[-1]):
                if not goes and not finished[group]:
                    self._cut_off(row, group, length)
        return going

    def _cut_off(self, row: int, group: int, length: int) -> None:
        """End the open hypotheses of a group as they are."""
        penalty = self.ranking.penalty(self.living.covered)
        for beam in range(group * self.width, (group + 1) * self.width):
            log_prob = float(self.living.log_prob[row, beam])
            if log_prob > NEVER:
                self._add(row, beam, log_prob, penalty, length, length, complete=False)

    def _to_beat(self, finished: Sequence[Hypothesis]) -> float:
        """Return the score that a further hypothesis of a group must exceed; all samples are drawn to their end."""
        complete = [one.score for one in finished if one.complete]
        return complete[self.wanted - 1] if len(complete) >= self.wanted and self.sampler is None else NEVER

    def _go_on(
        self,
        alive: Offered,
        trace: Trace,
        own: Float[Tensor, "batch beams extended"] | None,
        covered: Float[Tensor, "batch beams source"],
        length: int,
    ) -> None:
        """Extend the hypotheses by their new tokens."""
        living, parent, word = self.living, alive.parent.flatten(1), alive.word.flatten(1)
        noted = self._note(alive, trace, own)
        living.written, living.noted = _of(parent, living.written), _of(parent, living.noted)
        living.written[..., length], living.noted[..., length, :] = word, noted
        living.words = _of(parent, living.words) + (self.begins if length else self.first_begins)[word]
        if self.covers:
            living.covered = _of(parent, covered)
        living.log_prob = alive.log_prob.flatten(1)
        if self.width > 1:
            self.state.reorder(parent)

    def _note(
        self, alive: Offered, trace: Trace, own: Float[Tensor, "batch beams extended"] | None
    ) -> Float[Tensor, "batch beams 4"]:
        """Return probability, copied share, position in the source and p_copy of the new tokens."""
        parent, word = alive.parent.flatten(1), alive.word.flatten(1)
        if own is None:
            probability = (alive.log_prob.flatten(1) - self.living.log_prob.gather(1, parent)).exp()
        else:
            rows = torch.arange(len(own), device=own.device)[:, None]
            probability = own[rows, parent, word].exp()
        share, place = torch.zeros_like(probability), torch.full_like(probability, -1)
        p_copy = torch.zeros_like(probability)
        if trace.cross_attention is not None:
            attention = _of(parent, trace.cross_attention)
            here = attention * (self.encoder_output.source_extended[:, None] == word[..., None])
            if trace.p_copy is not None:
                p_copy = trace.p_copy.gather(1, parent)
                share = (p_copy * here.sum(-1) / probability).clamp(max=1.0)
                place = torch.where(share > 0.5, here.argmax(-1), -1)
            if self.config.unknown == "replace":
                place = torch.where(word == UNK, attention.argmax(-1), place)
        return torch.stack([probability, share, place.to(probability.dtype), p_copy], -1)

    def _leave(self, going: list[bool]) -> None:
        """Take finished documents out of the batch."""
        kept = torch.tensor(going, device=self.living.log_prob.device).nonzero().squeeze(1)
        self.living.keep(kept)
        self.encoder_output = self.encoder_output.keep(kept)
        self.state.keep(kept)


def _order(one: Hypothesis) -> tuple[bool, float]:
    """Key that sorts complete hypotheses first, then by score."""
    return not one.complete, -one.score


def _of(
    parent: Int[Tensor, "batch beams"], part: Shaped[Tensor, "batch beams ..."]
) -> Shaped[Tensor, "batch beams ..."]:
    """Return each hypothesis's part of what its parent has."""
    return torch.take_along_dim(part, parent.view(*parent.shape, *[1] * (part.dim() - 2)), 1)


def _at(parent: Int[Tensor, "batch groups offered"], numbers: Float[Tensor, "batch beams"]) -> Float[Tensor, ...]:
    """Return the number of each hypothesis that offers."""
    return numbers.gather(1, parent.flatten(1)).view(parent.shape)


def _log_probs(trace: Trace) -> Float[Tensor, "batch beams extended"]:
    assert trace.log_probs is not None
    return trace.log_probs
