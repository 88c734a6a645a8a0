"""Beam search as one would write it down: one document, no cache, every hypothesis a list of words.

What the quick search gives must be what this one gives; the benchmark of decoding compares with it too.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace

import jaxtyping
import torch
from torch import Tensor

from nutgraf.decoding.search import Config, Limits
from nutgraf.model.records import BOS, EOS, PAD, UNK, Batch, EncoderOutput
from nutgraf.model.seq2seq import Seq2Seq


@dataclass(frozen=True)
class Plain:
    """A hypothesis. `looked` is Σ of its attention; `complete` as in `search.Hypothesis`."""

    ids: tuple[int, ...]
    log_prob: float
    looked: Tensor
    score: float = 0.0
    complete: bool = True


@contextmanager
def unchecked() -> Iterator[None]:
    """No checks of shapes, which tests have in every call of the network: the quick search is checked, and here, where
    each word of each hypothesis is a call, they would take half of the time."""
    before = jaxtyping.config.jaxtyping_disable
    jaxtyping.config.update("jaxtyping_disable", True)
    try:
        yield
    finally:
        jaxtyping.config.update("jaxtyping_disable", before)


@unchecked()
@torch.inference_mode()
def plain_search(network: Seq2Seq, batch: Batch, config: Config, limits: Limits | None = None) -> list[list[Plain]]:
    """The n best of each document, one document after the other."""
    network.eval()
    budgets = (limits and limits.words) or [None] * len(batch.source)
    return [_one(network, alone(batch, row), config, limits or Limits(), budgets[row]) for row in range(len(budgets))]


def alone(batch: Batch, row: int) -> Batch:
    """One document of a batch, without padding."""
    length = int((~batch.key_padding_mask[row]).sum())
    here = (slice(row, row + 1), slice(length))
    source, extended, mask = batch.source[here], batch.source_extended[here], batch.key_padding_mask[here]
    desired = None if batch.desired_length is None else batch.desired_length[row : row + 1]
    sentences, sections = (None if one is None else one[here] for one in (batch.sentences, batch.sections))
    phrases = batch.phrases.select(torch.tensor([row]))
    return Batch(
        source,
        extended,
        mask,
        phrases,
        batch.num_oov,
        desired_length=desired,
        sentences=sentences,
        sections=sections,
    )


@torch.inference_mode()
def next_words(network: Seq2Seq, memory: EncoderOutput, ids: Sequence[int]) -> tuple[Tensor, Tensor]:
    """Log probabilities of the word after `ids`, and where it looks; everything is computed anew."""
    vocab_size = network.head.vocab_proj.out_features
    given = torch.tensor([[BOS, *(UNK if one >= vocab_size else one for one in ids)]])
    decoded = network.decoder(network.target_embedding(given), memory, True)
    assert decoded.cross_attention is not None
    parts = {part.name: getattr(decoded, part.name) for part in fields(decoded)}
    carries = network.head.carries_state
    state = network.head.start(memory, 1) if carries else None
    for length in range(len(ids) + 1) if carries else [len(ids)]:
        here = {name: part[:, length : length + 1] for name, part in parts.items() if part is not None}
        last = replace(decoded, **here, head_state=state)
        written = torch.tensor(ids[:length], dtype=torch.long).view(1, 1, -1)
        trace = network.head.distribution(last, memory, written)
    looks = decoded.cross_attention if trace.cross_attention is None else trace.cross_attention
    assert trace.log_probs is not None
    return trace.log_probs[0, 0], looks[0, -1]


def _one(network: Seq2Seq, batch: Batch, config: Config, limits: Limits, budget: int | None) -> list[Plain]:
    memory = network.encode(batch)
    if limits.tails:
        memory = replace(memory, inside_word=torch.isin(batch.source_extended, torch.tensor(limits.tails)))
    rules = Rules(config, limits, budget, network.head.vocab_proj.out_features)
    groups = [Group(network, memory, rules) for _ in range(rules.groups)]
    for length in range(config.max_length + 1):
        taken = Counter[int]()
        for group in groups:
            taken.update(group.step(length, taken))
    found = sorted((one for group in groups for one in group.best()), key=lambda one: (not one.complete, -one.score))
    once = {one.ids: one for one in reversed(found)} if len(groups) > 1 else {}
    return [one for one in found if not once or one is once[one.ids]][: config.num_return_sequences]


class Group:
    """Hypotheses of a document that compete with each other: all of them, or a group of diverse beam search."""

    def __init__(self, network: Seq2Seq, memory: EncoderOutput, rules: Rules) -> None:
        self.network, self.memory, self.rules = network, memory, rules
        self.living = [Plain((), 0.0, memory.encoder_hidden_states.new_zeros(memory.source_extended.shape[1]))]
        self.finished: list[Plain] = []

    def step(self, length: int, taken: Counter[int]) -> list[int]:
        """Extend the open hypotheses, avoiding what earlier groups have taken; the tokens that this one takes."""
        rules, width = self.rules, self.rules.width
        offered = [
            new for one in self.living for new in offers(one, *next_words(self.network, self.memory, one.ids), rules)
        ]
        offered.sort(key=lambda one: rules.rank(one) - rules.avoided(one, taken), reverse=True)
        for one in offered[:width]:
            if one.ids[-1] == EOS:
                self.finished.append(replace(one, ids=one.ids[:-1], score=rules.score(one, length + 1)))
        alive = [one for one in offered if one.ids[-1] != EOS][:width]
        if not alive and not self.finished:
            self.finished = [
                replace(one, score=rules.score(one, max(length, 1)), complete=False) for one in self.living
            ]
        best = self.best()
        full = len(best) == min(width, rules.config.num_return_sequences) and best[-1].complete
        steps = rules.config.max_length + 1 if not rules.config.early_stopping else length + 1
        goes_on = any(rules.score(one, steps) > (best[-1].score if full else -math.inf) for one in alive)
        self.living = alive if goes_on else []
        return [one.ids[-1] for one in alive]

    def best(self) -> list[Plain]:
        """Return the best finished hypotheses, as many as can be returned of one group."""
        self.finished.sort(key=lambda one: (not one.complete, -one.score))
        return self.finished[: min(self.rules.width, self.rules.config.num_return_sequences)]


def offers(one: Plain, log_probs: Tensor, looks: Tensor, rules: Rules) -> list[Plain]:
    """A hypothesis with each of its likeliest next words: those that are allowed, twice as many as there are beams."""
    offered: list[Plain] = []
    natural, forbidden = None, rules.repetitions(one.ids)
    for word in log_probs.argsort(descending=True).tolist():
        if log_probs[word] == -math.inf or len(offered) == 2 * rules.config.beam_size:
            break
        if word in forbidden or None in forbidden or not rules.sayable(one.ids, word):
            continue
        natural = word if natural is None else natural
        if rules.fits(one.ids, word):
            by_itself = natural == EOS or not rules.full(one.ids)
            offered.append(
                Plain((*one.ids, word), one.log_prob + float(log_probs[word]), one.looked + looks, complete=by_itself)
            )
    return offered


@dataclass(frozen=True)
class Rules:
    """Yield the tokens that may follow, with their scores."""

    config: Config
    limits: Limits
    budget: int | None
    vocab_size: int

    def repetitions(self, ids: tuple[int, ...]) -> set[int | None]:
        """Words that complete a trigram again; None: the hypothesis is dead, having done so."""
        free = set(self.limits.exempt)
        trigrams = [one for one in zip(ids, ids[1:], ids[2:], strict=False) if not free & set(one)]
        repetition = self.config.processors.get("repetition")
        if repetition is not None and repetition.config.on_repeat == "drop":
            return {None} if len(set(trigrams)) < len(trigrams) else set()
        return {one[2] for one in trigrams if one[:2] == ids[-2:] and repetition is not None}

    def sayable(self, ids: tuple[int, ...], word: int) -> bool:
        """Neither padding nor the start, no unknown word where that is forbidden, no end too soon."""
        if word == EOS:
            return len(ids) >= self.config.min_length or self.spent(ids)
        return word not in (PAD, BOS) and (word != UNK or self.config.unknown != "forbid")

    def fits(self, ids: tuple[int, ...], word: int) -> bool:
        """Return True if the lengths allow the token."""
        new = not ids or self.begins(word)
        return word == EOS or (len(ids) < self.config.max_length and not (self.spent(ids) and new))

    def full(self, ids: tuple[int, ...]) -> bool:
        """Return True if a length is used up."""
        return len(ids) == self.config.max_length or self.spent(ids)

    def spent(self, ids: tuple[int, ...]) -> bool:
        """Return True if the budget is used up."""
        words = sum(self.begins(word) or place == 0 for place, word in enumerate(ids))
        return self.budget is not None and words >= self.budget

    def begins(self, word: int) -> bool:
        """Return True if the token begins a word."""
        table = self.limits.begins_word
        return word != EOS and (word >= self.vocab_size or table is None or bool(table[word]))

    @property
    def groups(self) -> int:
        """Number of groups."""
        return 1 if self.config.diversity is None else self.config.diversity.num_beam_groups

    @property
    def width(self) -> int:
        """Hypotheses of a group."""
        return self.config.beam_size // self.groups

    def avoided(self, one: Plain, taken: Counter[int]) -> float:
        """Return the diversity penalty: λ for each hypothesis of an earlier group that took the same token."""
        return taken[one.ids[-1]] * self.config.diversity.diversity_penalty if self.config.diversity else 0.0

    def rank(self, one: Plain) -> float:
        """Return the score by which open hypotheses of one length are compared."""
        return one.log_prob - self.penalty(one) if self.config.stepwise_penalty else one.log_prob

    def score(self, one: Plain, length_so_far: int) -> float:
        """Return the final score of a hypothesis; `said` counts the end token."""
        length = length_so_far if self.config.length_penalty_form == "power" else (5 + length_so_far) / 6
        divisor = length**self.config.length_penalty
        return self.rank(one) / divisor - (0.0 if self.config.stepwise_penalty else self.penalty(one))

    def penalty(self, one: Plain) -> float:
        """β · (Σⱼ max(covⱼ, 1) − n)."""
        return self.config.coverage_penalty * (sum(max(float(cov), 1.0) for cov in one.looked) - len(one.looked))
