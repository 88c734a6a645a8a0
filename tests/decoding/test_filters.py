"""What is forbidden, on hypotheses written by hand."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from nutgraf.decoding import filters  # noqa: E402

VOCAB_SIZE = 11


def zeros() -> torch.Tensor:
    return torch.zeros(2, 1, VOCAB_SIZE)


def forbidden(log_probs: torch.Tensor) -> list[set[int]]:
    return [set(row[0].isinf().nonzero().flatten().tolist()) for row in log_probs]


def exempt(*ids: int) -> torch.Tensor:
    table = torch.zeros(VOCAB_SIZE, dtype=torch.bool)
    table[list(ids)] = True
    return table


def test_words_that_would_complete_a_trigram_again() -> None:
    written = torch.tensor([[[5, 6, 7, 5, 6, 8, 5, 6]], [[5, 6, 7, 8, 9, 4, 6, 5]]])
    log_probs = zeros()
    filters.forbid_repeated_trigrams(log_probs, written, exempt())
    assert forbidden(log_probs) == [{7, 8}, set()]


@pytest.mark.parametrize("free", [5, 6, 7])
def test_a_trigram_with_an_exempt_word_may_come_again(free: int) -> None:
    written = torch.tensor([[[5, 6, 7, 5, 6]], [[4, 6, 7, 4, 6]]])
    log_probs = zeros()
    filters.forbid_repeated_trigrams(log_probs, written, exempt(free))
    assert forbidden(log_probs) == [set(), {7} if free == 5 else set()]


def test_a_trigram_may_overlap_itself() -> None:
    log_probs = zeros()
    filters.forbid_repeated_trigrams(log_probs, torch.tensor([[[5, 5, 5]], [[5, 5, 6]]]), exempt())
    assert forbidden(log_probs) == [{5}, set()]


def test_the_old_reading_kills_after_the_repetition() -> None:
    written = torch.tensor([[[5, 6, 7, 8, 5, 6, 7]], [[5, 6, 7, 8, 9, 5, 6]]])
    log_probs = zeros()
    filters.kill_repeated_trigrams(log_probs, written, exempt())
    assert forbidden(log_probs) == [set(range(VOCAB_SIZE)), set()]
    log_probs = zeros()
    filters.kill_repeated_trigrams(log_probs, written, exempt(6))
    assert forbidden(log_probs) == [set(), set()]


@pytest.mark.parametrize("length", [0, 1, 2])
def test_too_little_to_repeat(length: int) -> None:
    log_probs = zeros()
    written = torch.full((2, 1, length), 5)
    filters.forbid_repeated_trigrams(log_probs, written, exempt())
    filters.kill_repeated_trigrams(log_probs, written, exempt())
    assert forbidden(log_probs) == [set(), set()]


def test_no_end_too_soon_but_where_the_budget_is_full() -> None:
    log_probs = zeros()
    filters.forbid_end(log_probs, 3, torch.tensor([[True], [False]]))
    assert forbidden(log_probs) == [set(), {3}]


def test_where_the_budget_is_full_a_word_may_be_finished() -> None:
    log_probs = zeros()
    begins = torch.tensor([word % 2 == 0 for word in range(VOCAB_SIZE)])
    filters.forbid_new_words(log_probs, begins, torch.tensor([[True], [False]]))
    assert forbidden(log_probs) == [{0, 2, 4, 6, 8, 10}, set()]


class TestTornWords:
    """Sources of "15,000 homes" and of "2.5 or 2,000.5": 5, 6, 7 begin words, 8 is a comma and 9 a point within them,
    10 and 4 go on with letters and digits."""

    SOURCES = ([5, 8, 10, 6], [6, 9, 4, 7, 6, 8, 10, 9, 4])

    def torn(self) -> filters.Torn:
        return filters.Torn(exempt(8, 9), exempt(4, 10), self.SOURCES)

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
        log_probs = torch.zeros(1, 1, VOCAB_SIZE)
        self.torn().forbid(log_probs, torch.tensor(written, dtype=torch.long).view(1, 1, -1), [document])
        assert forbidden(log_probs) == [wanted]

    def test_each_row_is_about_its_own_document(self) -> None:
        log_probs = zeros()
        self.torn().forbid(log_probs, torch.tensor([[[6, 8]], [[6, 8]]]), [1, 0])
        assert forbidden(log_probs) == [{4}, {4, 10}]

    def test_what_follows(self) -> None:
        assert filters.following(self.SOURCES[1], [6]) == [9, 8]
        assert filters.following(self.SOURCES[1], [9, 4]) == [7]
