"""Greedy and beam search over a cached decoder, for all documents of a batch at once.

Step by step, each of a document's hypotheses offers its likeliest next words. Of all that is offered the best go on,
and an end among the best finishes a hypothesis. A document leaves the batch when nothing that still lives is worth more
than what it has finished. Greedy search is a beam of one.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Literal

import torch
from jaxtyping import Bool, Float, Int, Shaped
from torch import Tensor

from nutgraf.compute import ThreadTuner
from nutgraf.decoding import filters
from nutgraf.decoding.filters import NEVER
from nutgraf.decoding.largest import largest
from nutgraf.decoding.precision import Precision, decoding_precision, encode, lowered
from nutgraf.decoding.ranking import Form, Ranking
from nutgraf.errors import PresetError
from nutgraf.model.records import BOS, EOS, PAD, UNK, Batch, Memory, Trace
from nutgraf.model.seq2seq import Seq2Seq

MAX_BEAM_SIZE = 1000
"""Memory and time grow with it, and beyond some tens summaries become worse."""


@dataclass(frozen=True)
class Config:
    """Search. Lengths are in tokens, without the end token."""

    beam_size: int = 5
    """Hypotheses kept per document; 1 is greedy search."""

    num_return_sequences: int = 1
    """Summaries returned per document, best first."""

    min_length: int = 0
    """Shortest summary, unless a budget in words ends it earlier."""

    max_length: int = 128
    """Longest summary."""

    desired_length: int | None = None
    """Length told to a network that is conditioned on one; absent: what the budget or the training data say."""

    trigrams: Literal["forbid", "kill", "allow"] = "forbid"
    """Treatment of repeated trigrams: forbidden, fatal to their hypothesis (OpenNMT-py of 2018), or allowed."""

    torn: Literal["forbid", "allow"] = "forbid"
    """Treatment of words that are joined from pieces as nowhere in the source: forbidden or allowed."""

    length_penalty: float = 0.0
    """Exponent α of the length penalty; 0: none."""

    length_penalty_form: Form = "gnmt"
    """Length penalty: "gnmt" is ((5 + |Y|) / 6)^α, "power" is |Y|^α."""

    coverage_penalty: float = 0.0
    """Weight β of the coverage penalty; 0: none."""

    stepwise_penalty: bool = False
    """Apply the coverage penalty at each step instead of to finished hypotheses only."""

    unknown: Literal["keep", "forbid", "replace"] = "keep"
    """Treatment of unknown words that are not copied: kept, forbidden, or replaced by the source word with most
    attention."""

    early_stopping: bool = True
    """End a document when no open hypothesis scores above the finished ones; false waits until none ever can."""

    precision: Precision | Literal["auto"] = "auto"
    """Format of the decoder's matrices; "auto" is the fastest in which this network's summaries were measured to be as
    good as in fp32."""

    def __post_init__(self) -> None:
        if self.beam_size > MAX_BEAM_SIZE:
            raise ValueError(f"beam_size is at most {MAX_BEAM_SIZE:,}")
        if not 1 <= self.num_return_sequences <= self.beam_size:
            raise ValueError("num_return_sequences is at least 1 and at most beam_size")
        if not 0 <= self.min_length <= self.max_length or self.max_length < 1:
            raise ValueError("min_length is at least 0, max_length is at least 1 and not below min_length")
        if self.desired_length is not None and self.desired_length < 1:
            raise ValueError("desired_length is at least 1, or absent")
        if self.length_penalty < 0 or self.coverage_penalty < 0:
            raise ValueError("length_penalty and coverage_penalty are at least 0")

    @property
    def ranking(self) -> Ranking:
        """What hypotheses are compared by."""
        return Ranking(self.length_penalty, self.coverage_penalty, self.stepwise_penalty, self.length_penalty_form)


@dataclass(frozen=True)
class Limits:
    """What the caller knows of words.

    exempt: ids that may stand in repeated trigrams. begins_word: per id of the vocabulary, whether it begins a word; an
    id above the vocabulary always does, and so does the first id of a summary. words: each document's budget, which its
    summary never exceeds; None: it has none. inner_marks: ids of commas, points and colons without white space before
    them; tails: of letters and digits without.
    """

    exempt: Sequence[int] = ()
    begins_word: Sequence[bool] | None = None
    words: Sequence[int | None] | None = None
    inner_marks: Sequence[int] = ()
    tails: Sequence[int] = ()


@dataclass(frozen=True)
class Hypothesis:
    """One summary found by a search."""

    ids: tuple[int, ...]
    """Tokens over the extended vocabulary, without BOS and EOS."""

    log_prob: float
    """Log probability of all tokens."""

    score: float
    """Log probability after length and coverage penalty."""

    complete: bool
    """True if the network ended it; others are returned only where there are too few of these."""

    probabilities: tuple[float, ...]
    """Probability of each token."""

    copied_shares: tuple[float, ...]
    """Share of each token's probability that comes from copying."""

    source_positions: tuple[int, ...]
    """Position in the source that each token was copied from; −1 for a generated one."""

    p_copy: tuple[float, ...]
    """Probability of copying rather than generating, before each token is known."""


def search(
    network: Seq2Seq, batch: Batch, config: Config, limits: Limits | None = None, threads: ThreadTuner | None = None
) -> list[list[Hypothesis]]:
    """The best summaries of each document, best first; at least one, at most `num_return_sequences`.

    Args:
        network: Any network of ours, in training mode or not.
        batch: The sources.
        config: The preset's `[decoding]`; a precision of "auto" is fp32 here.
        limits: What is known of words, and the budgets.
        threads: Told how long each step takes; chooses the number of threads.

    Raises:
        PresetError: If the network has fewer positions than `max_length` asks for.
    """
    if config.max_length >= network.config.max_positions:
        raise PresetError(
            f"decoding.max_length = {config.max_length} is too much for a network of {network.config.max_positions} "
            f"positions: {network.config.max_positions - 1} would do."
        )
    training = network.training
    network.eval()
    try:
        with torch.inference_mode():
            return _Search(network, batch, config, limits or Limits(), threads).run()
    finally:
        network.train(training)


@dataclass
class _Living:
    """The hypotheses that go on, of the documents that go on.

    document: where each stands in the batch. log_prob: −∞ where there is no hypothesis. words: how many are begun.
    budget: how many there may be. covered: Σ of the attention so far. noted: of each word its probability, share of
    copying, place, switch.
    """

    document: list[int]
    written: Int[Tensor, "batch beams longest"]
    noted: Float[Tensor, "batch beams longest 4"]
    log_prob: Float[Tensor, "batch beams"]
    words: Int[Tensor, "batch beams"]
    budget: Int[Tensor, "batch 1"]
    covered: Float[Tensor, "batch beams source"]

    @classmethod
    def start(cls, memory: Memory, beams: int, longest: int, budgets: list[int]) -> _Living:
        """One hypothesis a document, which says nothing yet."""
        documents, source, _ = memory.states.shape
        count = memory.source_extended.new_zeros(documents, beams)
        number = count.to(torch.promote_types(memory.states.dtype, torch.float32))
        log_prob = torch.full_like(number, NEVER)
        log_prob[:, 0] = 0.0
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
        """Only these documents go on."""
        self.document = [self.document[row] for row in rows.tolist()]
        for name in ("written", "noted", "log_prob", "words", "budget", "covered"):
            setattr(self, name, getattr(self, name)[rows])


@dataclass(frozen=True)
class _Offered:
    """The best next words of each document, best first: rank is what they are compared by, parent the hypothesis that
    offers them."""

    rank: Float[Tensor, "batch offered"]
    log_prob: Float[Tensor, "batch offered"]
    parent: Int[Tensor, "batch offered"]
    word: Int[Tensor, "batch offered"]

    def alive(self, beams: int) -> _Offered:
        """The best that are no end."""
        ends = self.word == EOS
        rank, log_prob = self.rank.masked_fill(ends, NEVER), self.log_prob.masked_fill(ends, NEVER)
        at = rank.topk(beams).indices
        return _Offered(*(part.gather(1, at) for part in (rank, log_prob, self.parent, self.word)))


class _Search:
    """One search: what it looks up, what lives, what is finished."""

    def __init__(
        self, network: Seq2Seq, batch: Batch, config: Config, limits: Limits, threads: ThreadTuner | None
    ) -> None:
        self.config, self.ranking = config, config.ranking
        self.timed = threads.measure if threads is not None else nullcontext
        precision = decoding_precision(config.precision, batch.source.device)
        if config.desired_length is not None:
            batch = replace(batch, length=batch.source.new_full((len(batch.source),), config.desired_length))
        self.memory = encode(network, batch, precision)
        self.network = network = lowered(network, precision)
        self.vocab_size = network.head.words.out_features
        self.exempt = self._table(limits.exempt)
        self.begins = self._begins(limits)
        self.torn = self._torn(batch, limits) if config.torn == "forbid" and limits.inner_marks else None
        if config.torn == "forbid" and limits.tails:
            self.memory = replace(self.memory, inside=self._table(limits.tails)[self.memory.source_extended])
        never = [PAD, BOS] + ([UNK] if config.unknown == "forbid" else [])
        self.never = torch.tensor(never, device=self.memory.states.device)
        self.covers = config.coverage_penalty > 0
        self.looks = self.covers or config.unknown == "replace"
        documents = len(batch.source)
        budgets = [config.max_length if one is None else one for one in limits.words or [None] * documents]
        self.living = _Living.start(self.memory, config.beam_size, config.max_length, budgets)
        self.state = network.decoder.start(self.memory, config.beam_size, config.max_length + 1)
        self.finished: list[list[Hypothesis]] = [[] for _ in range(documents)]

    def run(self) -> list[list[Hypothesis]]:
        """From BOS to the last document's end."""
        for length in range(self.config.max_length + 1):
            with self.timed():
                if not self._step(length):
                    break
        return [hypotheses[: self.config.num_return_sequences] for hypotheses in self.finished]

    def _step(self, length: int) -> bool:
        """One word more of every hypothesis; False if all documents are over."""
        trace = self.network.step(self.living.written[..., :length], self.memory, self.state, self.looks)
        natural = self._filter(trace, length)
        covered = self._cover(trace)
        penalty = self.ranking.penalty(covered)
        offered = self._offer(trace, penalty)
        self._finish(offered, penalty, natural, length)
        alive = offered.alive(self.config.beam_size)
        going = self._going(alive, penalty, length)
        if not any(going):
            return False
        self._go_on(alive, trace, covered, length)
        if not all(going):
            self._leave(going)
        return True

    def _filter(self, trace: Trace, length: int) -> Bool[Tensor, "batch beams"]:
        """Forbids what may not be said; where an end would come by itself, and not because nothing else is allowed."""
        log_probs, living = _log_probs(trace), self.living
        log_probs.index_fill_(-1, self.never, NEVER)
        written = living.written[..., :length]
        if self.config.trigrams == "forbid":
            filters.forbid_repeated_trigrams(log_probs, written, self.exempt)
        elif self.config.trigrams == "kill":
            filters.kill_repeated_trigrams(log_probs, written, self.exempt)
        if self.torn is not None:
            self.torn.forbid(log_probs, written, living.document)
        full = living.words >= living.budget
        if length < self.config.min_length:
            filters.forbid_end(log_probs, EOS, full)
        if length == self.config.max_length:
            natural = log_probs[..., EOS] >= log_probs.amax(-1)
            filters.forbid_all_but_end(log_probs, EOS)
            return natural
        if not bool(full.any()):
            return ~full
        natural = log_probs[..., EOS] >= log_probs.amax(-1)
        filters.forbid_new_words(log_probs, self._begins_word(length), full)
        return natural | ~full

    def _cover(self, trace: Trace) -> Float[Tensor, "batch beams source"]:
        """What hypotheses have looked at so far, this step included, where that is counted."""
        if not self.covers:
            return self.living.covered
        assert trace.attention is not None
        return self.living.covered + trace.attention

    def _offer(self, trace: Trace, penalty: Float[Tensor, "batch beams"]) -> _Offered:
        """Twice as many words as there are hypotheses: an end or none for each of them, and as many others."""
        log_probs = _log_probs(trace)
        ahead = self.living.log_prob - penalty if self.config.stepwise_penalty else self.living.log_prob
        rank, parent, word = largest(log_probs, ahead, 2 * self.config.beam_size)
        log_prob = rank + penalty.gather(1, parent) if self.config.stepwise_penalty else rank
        return _Offered(rank, log_prob, parent, word)

    def _finish(
        self,
        offered: _Offered,
        penalty: Float[Tensor, "batch beams"],
        natural: Bool[Tensor, "batch beams"],
        length: int,
    ) -> None:
        """Hypotheses whose end is among the best that their document is offered."""
        first = slice(None, self.config.beam_size)
        ends = (offered.word[:, first] == EOS) & (offered.rank[:, first] > NEVER)
        for row, place in ends.nonzero().tolist():
            beam = int(offered.parent[row, place])
            log_prob = float(offered.log_prob[row, place])
            self._add(row, beam, log_prob, penalty, length, length + 1, bool(natural[row, beam]))

    def _add(
        self, row: int, beam: int, log_prob: float, penalty: Tensor, length: int, said: int, complete: bool
    ) -> None:
        """One hypothesis more; what is complete comes first."""
        living = self.living
        ids = living.written[row, beam, :length].tolist()
        probabilities, copied_shares, positions, p_copy = (
            living.noted[row, beam, :length].T.tolist() if length else ([], [], [], [])
        )
        positions = [int(one) for one in positions]
        if self.config.unknown == "replace":
            words = self.memory.source_extended[row].tolist()
            ids = [words[at] if one == UNK else one for one, at in zip(ids, positions, strict=True)]
        score = float(self.ranking.score(penalty.new_tensor(log_prob), penalty[row, beam], max(said, 1)))
        finished = self.finished[living.document[row]]
        noted = map(tuple, (probabilities, copied_shares, positions, p_copy))
        finished.append(Hypothesis(tuple(ids), log_prob, score, complete, *noted))
        finished.sort(key=lambda one: (not one.complete, -one.score))

    def _going(self, alive: _Offered, penalty: Float[Tensor, "batch beams"], length: int) -> list[bool]:
        """Which documents are not over. Where nothing can go on and nothing was finished, what lives ends as it is."""
        said = length + 1 if self.config.early_stopping else self.config.max_length + 1
        worth = self.ranking.score(alive.log_prob, penalty.gather(1, alive.parent), said)
        best = worth.max(1).values.tolist()
        going = [here > self._to_beat(row) for row, here in enumerate(best)]
        for row, goes in enumerate(going):
            if not goes and not self.finished[self.living.document[row]]:
                before = self.ranking.penalty(self.living.covered)
                for beam, log_prob in enumerate(self.living.log_prob[row].tolist()):
                    if log_prob > NEVER:
                        self._add(row, beam, log_prob, before, length, length, complete=False)
        return going

    def _to_beat(self, row: int) -> float:
        """What a further hypothesis of a document must be worth to be among its best."""
        complete = [one.score for one in self.finished[self.living.document[row]] if one.complete]
        return (
            complete[self.config.num_return_sequences - 1]
            if len(complete) >= self.config.num_return_sequences
            else NEVER
        )

    def _go_on(self, alive: _Offered, trace: Trace, covered: Float[Tensor, "batch beams source"], length: int) -> None:
        """The hypotheses with their new words."""
        living, parent, word = self.living, alive.parent, alive.word
        noted = self._note(alive, trace)
        living.written, living.noted = _of(parent, living.written), _of(parent, living.noted)
        living.written[..., length], living.noted[..., length, :] = word, noted
        living.words = _of(parent, living.words) + self._begins_word(length)[word]
        if self.covers:
            living.covered = _of(parent, covered)
        living.log_prob = alive.log_prob
        if self.config.beam_size > 1:
            self.state.reorder(parent)

    def _note(self, alive: _Offered, trace: Trace) -> Float[Tensor, "batch beams 4"]:
        """Probability, share of copying, place and switch of the new words."""
        probability = (alive.log_prob - self.living.log_prob.gather(1, alive.parent)).exp()
        copying, place = torch.zeros_like(probability), torch.full_like(probability, -1)
        switch = torch.zeros_like(probability)
        if trace.attention is not None:
            attention = _of(alive.parent, trace.attention)
            here = attention * (self.memory.source_extended[:, None] == alive.word[..., None])
            if trace.copying is not None:
                switch = trace.copying.gather(1, alive.parent)
                copying = (switch * here.sum(-1) / probability).clamp(max=1.0)
                place = torch.where(copying > 0.5, here.argmax(-1), -1)
            if self.config.unknown == "replace":
                place = torch.where(alive.word == UNK, attention.argmax(-1), place)
        return torch.stack([probability, copying, place.to(probability.dtype), switch], -1)

    def _leave(self, going: list[bool]) -> None:
        """Documents that are over leave the batch."""
        kept = torch.tensor([row for row, goes in enumerate(going) if goes], device=self.memory.states.device)
        self.living.keep(kept)
        self.memory = self.memory.keep(kept)
        self.state.keep(kept)

    def _table(self, ids: Sequence[int]) -> Bool[Tensor, " extended"]:
        table = torch.zeros(self.vocab_size + self.memory.extra, dtype=torch.bool, device=self.memory.states.device)
        table[list(ids)] = True
        return table

    def _torn(self, batch: Batch, limits: Limits) -> filters.Torn:
        return filters.Torn(self._table(limits.inner_marks), self._table(limits.tails), batch.source_extended.tolist())

    def _begins_word(self, length: int) -> Bool[Tensor, " extended"]:
        """Which ids would begin a word now."""
        return self.begins if length else ~self._table([EOS])

    def _begins(self, limits: Limits) -> Bool[Tensor, " extended"]:
        begins = ~self._table([EOS])
        if limits.begins_word is not None:
            begins[: self.vocab_size] &= torch.as_tensor(limits.begins_word, device=begins.device)
        return begins


def _of(
    parent: Int[Tensor, "batch beams"], part: Shaped[Tensor, "batch beams ..."]
) -> Shaped[Tensor, "batch beams ..."]:
    """Each hypothesis's part of what its parent has."""
    return torch.take_along_dim(part, parent.view(*parent.shape, *[1] * (part.dim() - 2)), 1)


def _log_probs(trace: Trace) -> Float[Tensor, "batch beams extended"]:
    assert trace.log_probs is not None
    return trace.log_probs
