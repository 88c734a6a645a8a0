"""Repetition, by hand."""

from __future__ import annotations

import pytest

from nutgraf.metrics import Example
from nutgraf.metrics.repetition import Config, Repetition


def repetition(*sentences: str, n: int = 3) -> float | None:
    return Repetition(Config(n))(Example(sentences))["repetition"]


def test_the_second_time_counts_as_repeated() -> None:
    # a-b-c, b-c-a, c-a-b, a-b-c: one of four trigrams has stood before.
    assert repetition("A b c a b c.") == pytest.approx(1 / 4)


def test_nothing_repeated() -> None:
    assert repetition("The ferry left at noon.", "It came back.") == 0


def test_the_ends_of_sentences_do_not_matter() -> None:
    assert repetition("A b.", "C a b c.") == repetition("A b c a b c.")


def test_n_is_an_option() -> None:
    assert repetition("A b a b", n=1) == pytest.approx(1 / 2)


def test_fewer_than_three_words_say_nothing() -> None:
    assert repetition("Two words.") is None
    assert repetition() is None
