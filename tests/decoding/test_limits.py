"""Lengths, budgets, unknown words, what is told of each word: on a network whose every probability is written down."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from nutgraf.decoding.processors import Limits, processors  # noqa: E402
from nutgraf.decoding.ranking import Hypothesis  # noqa: E402
from nutgraf.decoding.search import Config, search  # noqa: E402
from nutgraf.model.decoder import DecoderState  # noqa: E402
from nutgraf.model.records import BOS, EOS, PAD, UNK, Batch, EncoderOutput, Phrases, Trace  # noqa: E402

A, B, C = 4, 5, 6
VOCAB_SIZE, EXTRA = 7, 2


class Counted(DecoderState):
    """Carries each hypothesis's words, and is asked for them: what is reordered wrongly shows."""

    def __init__(self, documents: int, beams: int) -> None:
        self.words: list[list[list[int]]] = [[[] for _ in range(beams)] for _ in range(documents)]

    def reorder(self, parents: torch.Tensor) -> None:
        self.words = [
            [list(row[one]) for one in order] for row, order in zip(self.words, parents.tolist(), strict=True)
        ]

    def keep(self, documents: torch.Tensor) -> None:
        self.words = [self.words[one] for one in documents.tolist()]


class Scripted(torch.nn.Module):
    """Says after each word what `table` says, whatever the source; the rest is impossible. Copies from the attention
    of `looks`, with the probability `copying`."""

    def __init__(
        self,
        table: Mapping[int, Mapping[int, float]],
        looks: tuple[float, ...] = (1.0, 0.0, 0.0),
        copying: float | None = None,
    ) -> None:
        super().__init__()
        self.table, self.looks, self.copying = table, looks, copying
        self.weight = torch.nn.Parameter(torch.zeros(1))
        self.config = SimpleNamespace(max_positions=50)
        self.training = False
        self.head = SimpleNamespace(
            vocab_proj=torch.nn.Linear(1, VOCAB_SIZE).double(), needs_attention=copying is not None
        )
        self.rows: list[int] = []

    def start(self, encoder_output: EncoderOutput, beam_size: int) -> Counted:
        return Counted(len(encoder_output.encoder_hidden_states), beam_size)

    def encode(self, batch: Batch) -> EncoderOutput:
        states = torch.zeros(*batch.source.shape, 1, dtype=torch.float64)
        return EncoderOutput(states, batch.key_padding_mask, batch.source_extended, EXTRA)

    def step(self, written: torch.Tensor, memory: EncoderOutput, state: Counted, needs_attention: bool) -> Trace:
        documents, beams, length = written.shape
        self.rows.append(documents)
        if length:
            for row, words in zip(state.words, written.tolist(), strict=True):
                for mine, theirs in zip(row, words, strict=True):
                    mine.append(theirs[-1])
                    assert mine == theirs
        last = written[..., -1] if length else torch.full((documents, beams), BOS)
        last = last.masked_fill(last >= VOCAB_SIZE, UNK)
        probs = torch.full((documents, beams, VOCAB_SIZE + EXTRA), 0.0, dtype=torch.float64)
        for row in range(documents):
            for beam in range(beams):
                for word, prob in self.table.get(int(last[row, beam]), {}).items():
                    probs[row, beam, word] = prob
        looks = torch.tensor(self.looks, dtype=torch.float64).expand(documents, beams, -1)
        copying = None if self.copying is None else torch.full((documents, beams), self.copying, dtype=torch.float64)
        return Trace(log_probs=probs.log(), cross_attention=looks, p_copy=copying)


def find(network: Any, config: Config, limits: Limits | None = None, documents: int = 1) -> list[list[Hypothesis]]:
    source = torch.tensor([[A, UNK, A]] * documents)
    extended = torch.tensor([[A, VOCAB_SIZE, A]] * documents)
    batch = Batch(source, extended, torch.zeros_like(source, dtype=torch.bool), Phrases.none(), EXTRA)
    return search(network, batch, config, limits)


ENDLESS = {BOS: {A: 0.6, B: 0.3, EOS: 0.1}, A: {B: 0.8, EOS: 0.2}, B: {A: 0.7, EOS: 0.3}}


def test_the_shortest_and_the_longest() -> None:
    [[found]] = find(Scripted(ENDLESS), Config(beam_size=1, min_length=3, max_length=5, processors={}))
    assert found.ids == (A, B, A, B, A)
    assert not found.complete
    talks = {BOS: {EOS: 0.9, A: 0.1}, A: {EOS: 0.9, A: 0.1}}
    [[found]] = find(Scripted(talks), Config(beam_size=1, min_length=3, max_length=5, processors={}))
    assert found.ids == (A, A, A)
    assert found.complete


@pytest.mark.parametrize("budget", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("beams", [1, 3])
def test_a_budget_is_never_exceeded_and_the_end_is_reachable_there(budget: int, beams: int) -> None:
    config = Config(beam_size=beams, num_return_sequences=beams, min_length=7, max_length=9, processors={})
    [found] = find(Scripted(ENDLESS), config, Limits(words=[budget]))
    assert {len(one.ids) for one in found} == {budget}


def test_pieces_that_begin_no_word_are_free() -> None:
    """A begins a word, B goes on with it: two words are four pieces."""
    begins = [word != B for word in range(VOCAB_SIZE)]
    [[found]] = find(
        Scripted(ENDLESS), Config(beam_size=1, max_length=9, processors={}), Limits(begins_word=begins, words=[2])
    )
    assert found.ids == (A, B, A, B)
    assert not found.complete


def test_the_first_piece_is_a_word_whatever_it_is() -> None:
    goes_on = {BOS: {B: 1.0}, B: {B: 0.9, EOS: 0.1}}
    begins = [word != B for word in range(VOCAB_SIZE)]
    [[found]] = find(Scripted(goes_on), Config(beam_size=1, max_length=4, processors={}), Limits((), begins, [1]))
    assert found.ids == (B, B, B, B)
    [[found]] = find(Scripted(goes_on), Config(beam_size=1, max_length=4, processors={}), Limits((), begins, [0]))
    assert found.ids == ()


def test_what_ends_by_itself_comes_before_what_is_cut_off() -> None:
    """At two words A B is likelier, but would go on; A C ends."""
    table = {BOS: {A: 1.0}, A: {B: 0.9, C: 0.1}, B: {A: 0.9, EOS: 0.1}, C: {EOS: 0.5, A: 0.4}}
    config = Config(beam_size=3, num_return_sequences=2, max_length=9, processors={})
    [[best, second]] = find(Scripted(table), config, Limits(words=[2]))
    assert best.ids == (A, C)
    assert best.complete
    assert second.ids == (A, B)
    assert not second.complete
    assert second.score > best.score


def test_each_document_has_its_own_budget_and_leaves_when_it_is_over() -> None:
    network = Scripted(ENDLESS)
    config = Config(beam_size=2, max_length=6, processors={}, early_stopping=False)
    found = find(network, config, Limits(words=[1, None, 3]), documents=3)
    assert [len(each[0].ids) <= most for each, most in zip(found, (1, 6, 3), strict=True)] == [True] * 3
    assert network.rows[0] == 3
    assert network.rows == sorted(network.rows, reverse=True)
    assert network.rows[-1] == 1


def test_a_hypothesis_whose_every_word_is_forbidden_ends_as_it_is() -> None:
    """Trigrams over one word repeat at once: the old reading leaves nothing alive."""
    config = Config(
        beam_size=1,
        min_length=8,
        max_length=9,
        processors={"repetition": processors.choose("repetition", on_repeat="drop")},
    )
    [[found]] = find(Scripted({BOS: {A: 1.0}, A: {A: 1.0}}), config)
    assert found.ids == (A, A, A, A)
    assert not found.complete


def test_neither_padding_nor_the_start_is_ever_said() -> None:
    table = {BOS: {PAD: 0.5, BOS: 0.4, A: 0.1}, A: {BOS: 0.5, PAD: 0.3, EOS: 0.2}}
    [[found]] = find(Scripted(table), Config(beam_size=1, max_length=5))
    assert found.ids == (A,)


def test_an_unknown_word_of_the_source_is_copied_and_given_back_as_unknown() -> None:
    """After the copied word the network is asked what follows UNK."""
    table = {BOS: {VOCAB_SIZE: 0.9}, UNK: {C: 0.9}, C: {EOS: 1.0}}
    [[found]] = find(Scripted(table, (0.2, 0.7, 0.1), copying=0.9), Config(beam_size=1, max_length=5))
    assert found.ids == (VOCAB_SIZE, C)
    assert found.source_positions == (1, -1)


def test_what_is_told_of_a_word() -> None:
    """A stands at 0 and 2 of the source: 0.5 · (0.3 + 0.5) = 0.4 of its 0.6 are copied, most from place 2."""
    table = {BOS: {A: 0.6, B: 0.4}, A: {B: 0.9, A: 0.1}, B: {EOS: 1.0}}
    [[found]] = find(Scripted(table, (0.3, 0.2, 0.5), copying=0.5), Config(beam_size=1, max_length=5))
    assert found.ids == (A, B)
    assert found.probabilities == pytest.approx((0.6, 0.9))
    assert found.copied_shares == pytest.approx((0.4 / 0.6, 0.0))
    assert found.source_positions == (2, -1)
    assert found.p_copy == pytest.approx((0.5, 0.5))
    assert found.log_prob == pytest.approx(torch.tensor(0.6 * 0.9).log().item())


@pytest.mark.parametrize(("unknown", "ids"), [("keep", (UNK,)), ("forbid", (B,)), ("replace", (VOCAB_SIZE,))])
def test_what_becomes_of_an_unknown_word(unknown: str, ids: tuple[int, ...]) -> None:
    table = {BOS: {UNK: 0.8, B: 0.2}, UNK: {EOS: 1.0}, B: {EOS: 1.0}}
    config = Config(beam_size=1, max_length=5, unknown=unknown)  # type: ignore[arg-type]
    [[found]] = find(Scripted(table, (0.2, 0.7, 0.1)), config)
    assert found.ids == ids
    assert found.source_positions == ((1,) if unknown == "replace" else (-1,))


def test_a_source_looked_at_too_often_costs() -> None:
    """All looks go to one place: after k words and the end, Σ max(cov, 1) − n = k."""
    table = {BOS: {A: 1.0}, A: {EOS: 0.5, B: 0.5}, B: {EOS: 1.0}}
    config = Config(beam_size=1, max_length=5, coverage_penalty=0.5)
    [[found]] = find(Scripted(table), config)
    assert found.ids in {(A,), (A, B)}
    assert found.score == pytest.approx(found.log_prob - 0.5 * len(found.ids))
