"""Processors forbid tokens of hypotheses written by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from small_networks import random_network, random_sources  # noqa: E402

from nutgraf.decoding.processors import Hypotheses, Limits, LogitsProcessor, SearchContext, processors  # noqa: E402
from nutgraf.decoding.processors.whole_words import following  # noqa: E402
from nutgraf.decoding.search import Config, search  # noqa: E402
from nutgraf.presets import configure  # noqa: E402

VOCAB_SIZE = 11


def zeros(rows: int = 2) -> torch.Tensor:
    return torch.zeros(rows, 1, VOCAB_SIZE)


def forbidden(log_probs: torch.Tensor) -> list[set[int]]:
    return [set(row[0].isinf().nonzero().flatten().tolist()) for row in log_probs]


def make(
    kind: str, limits: Limits = Limits(), sources: list[list[int]] | None = None, lengths=(0, 9), **options
) -> LogitsProcessor:
    width = max(map(len, sources or [[]]))
    source = torch.tensor([[*one, *[0] * (width - len(one))] for one in sources or [[]]], dtype=torch.long)
    return processors.make(kind, SearchContext(source, VOCAB_SIZE, VOCAB_SIZE, *lengths, limits), **options)


def hypotheses(ids, full=None, documents=(0, 1)) -> Hypotheses:
    ids = torch.as_tensor(ids, dtype=torch.long)
    return Hypotheses(ids, list(documents), torch.zeros(ids.shape[:2], dtype=torch.bool) if full is None else full)


def test_words_that_would_complete_a_trigram_again() -> None:
    log_probs = zeros()
    make("repetition")(log_probs, hypotheses([[[5, 6, 7, 5, 6, 8, 5, 6]], [[5, 6, 7, 8, 9, 4, 6, 5]]]))
    assert forbidden(log_probs) == [{7, 8}, set()]


@pytest.mark.parametrize(("size", "wanted"), [(0, set()), (1, {5, 6, 7, 8}), (2, {7, 8}), (4, {8})])
def test_ngrams_of_any_length(size: int, wanted: set[int]) -> None:
    """After "5 6" have come 7 and 8; after "7 5 6", 8."""
    log_probs = zeros(1)
    given = hypotheses([[[7, 5, 6, 8, 5, 6, 7, 5, 6]]])
    make("repetition", no_repeat_ngram_size=size)(log_probs, given)
    assert forbidden(log_probs) == [wanted]


@pytest.mark.parametrize("free", [5, 6, 7])
def test_a_trigram_with_an_exempt_word_may_come_again(free: int) -> None:
    log_probs = zeros()
    make("repetition", Limits(exempt=[free]))(log_probs, hypotheses([[[5, 6, 7, 5, 6]], [[4, 6, 7, 4, 6]]]))
    assert forbidden(log_probs) == [set(), {7} if free == 5 else set()]


def test_a_trigram_may_overlap_itself() -> None:
    log_probs = zeros()
    make("repetition")(log_probs, hypotheses([[[5, 5, 5]], [[5, 5, 6]]]))
    assert forbidden(log_probs) == [{5}, set()]


def test_the_old_reading_drops_after_the_repetition() -> None:
    given = hypotheses([[[5, 6, 7, 8, 5, 6, 7]], [[5, 6, 7, 8, 9, 5, 6]]])
    log_probs = zeros()
    make("repetition", on_repeat="drop")(log_probs, given)
    assert forbidden(log_probs) == [set(range(VOCAB_SIZE)), set()]
    log_probs = zeros()
    make("repetition", Limits(exempt=[6]), on_repeat="drop")(log_probs, given)
    assert forbidden(log_probs) == [set(), set()]


@pytest.mark.parametrize("length", [0, 1, 2])
@pytest.mark.parametrize("on_repeat", ["forbid", "drop"])
def test_too_little_to_repeat(length: int, on_repeat: str) -> None:
    log_probs = zeros()
    make("repetition", on_repeat=on_repeat)(log_probs, hypotheses(torch.full((2, 1, length), 5)))
    assert forbidden(log_probs) == [set(), set()]


def test_no_end_too_soon_but_where_the_budget_is_full() -> None:
    log_probs = zeros()
    made, given = make("length", lengths=(2, 9)), hypotheses([[[5]], [[5]]], torch.tensor([[True], [False]]))
    made(log_probs, given)
    assert forbidden(log_probs) == [set(), {3}]
    assert made.forced(given) is None


def test_nothing_but_the_end_is_left_at_the_greatest_length() -> None:
    log_probs = zeros()
    made, given = make("length", lengths=(0, 1)), hypotheses([[[5]], [[5]]])
    made(log_probs, given)
    assert forbidden(log_probs) == [set(range(VOCAB_SIZE)) - {3}] * 2
    assert made.forced(given).tolist() == [[True], [True]]


def test_where_the_budget_is_full_a_word_may_be_finished() -> None:
    log_probs = zeros()
    made = make("word_budget", Limits(begins_word=[word % 2 == 0 for word in range(VOCAB_SIZE)]))
    given = hypotheses([[[5]], [[5]]], torch.tensor([[True], [False]]))
    made(log_probs, given)
    assert forbidden(log_probs) == [{0, 2, 4, 6, 8, 10}, set()]
    assert made.forced(given).tolist() == [[True], [False]]
    assert made.forced(hypotheses([[[5]], [[5]]])) is None


class TestWholeWords:
    """Sources of "15,000 homes" and of "2.5 or 2,000.5": 5, 6, 7 begin words, 8 is a comma and 9 a point within them,
    10 and 4 go on with letters and digits."""

    SOURCES = ([5, 8, 10, 6], [6, 9, 4, 7, 6, 8, 10, 9, 4])

    def made(self) -> LogitsProcessor:
        return make("whole_words", Limits(inner_marks=[8, 9], tails=[4, 10]), list(self.SOURCES))

    @pytest.mark.parametrize(
        ("written", "document", "wanted"),
        [
            ([5, 8], 0, {4}),
            ([7, 8], 0, {4, 10}),
            ([5, 6, 8], 0, {4, 10}),
            ([6, 9], 1, {10}),
            ([6, 8, 10, 9], 1, {10}),
            ([7, 10, 9], 1, {4, 10}),
            ([5, 8, 10], 0, set()),
            ([5], 0, set()),
            ([8], 0, {4}),
            ([], 0, set()),
        ],
    )
    def test_it_goes_on_behind_a_mark_as_in_the_source(
        self, written: list[int], document: int, wanted: set[int]
    ) -> None:
        log_probs = zeros(1)
        self.made()(log_probs, hypotheses(torch.tensor(written).view(1, 1, -1), documents=[document]))
        assert forbidden(log_probs) == [wanted]

    def test_each_row_is_about_its_own_document(self) -> None:
        log_probs = zeros()
        self.made()(log_probs, hypotheses([[[6, 8]], [[6, 8]]], documents=[1, 0]))
        assert forbidden(log_probs) == [{4}, {4, 10}]

    def test_what_follows(self) -> None:
        assert following(self.SOURCES[1], [6]) == [9, 8]
        assert following(self.SOURCES[1], [9, 4]) == [7]


FORBIDDEN = '''
from dataclasses import dataclass

from nutgraf.decoding.processors import NEVER, LogitsProcessor


@dataclass(frozen=True)
class Config:
    """Tokens that are never written."""

    tokens: tuple[int, ...] = ()
    """The tokens."""


class Forbidden(LogitsProcessor):
    """Forbids tokens."""

    def __init__(self, config, context):
        self.tokens = list(config.tokens)

    def __call__(self, log_probs, hypotheses):
        log_probs[..., self.tokens] = NEVER
'''


def test_one_from_outside_forbids_a_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "word_lab").mkdir()
    (tmp_path / "word_lab" / "forbidden.py").write_text(FORBIDDEN)
    monkeypatch.syspath_prepend(str(tmp_path))
    network, sources = random_network(29, 1), random_sources(29, (7, 5), 1)
    free = search(network, sources, Config(max_length=9))
    generated = {token for each in free for one in each for token in one.ids if token < 29}
    options = {"max_length": 9, "processors": {"word_lab.forbidden": {"tokens": sorted(generated)}}}
    for each in search(network, sources, configure(Config, options, "decoding")):
        assert not generated & {token for one in each for token in one.ids}
