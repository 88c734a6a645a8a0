"""Numbers and names of a summary are those of the source."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from nutgraf.decoding.processors import Hypotheses, Limits, SearchContext, processors  # noqa: E402

SPECIAL = ["<pad>", "<unk>", "<s>", "</s>", "<sep>"]
TOKENS = [*SPECIAL, "Ġin", "Ġ15", ",", "000", "Ġ16", "Ġ(", "2019", ")", ".", "-", "year", "Ġ1", "5"]
CASED = [*SPECIAL, "Ġthe", "ĠThe", "ĠAnna", "ĠBerta", "ĠAn", "na", "Ġmet", "."]


def forbidden(tokens: list[str], source: str, written: str, **options: bool) -> set[str]:
    """Return the tokens that must not follow what was written; both are given as tokens with spaces."""

    def ids(text: str) -> list[int]:
        return [tokens.index(token) for token in text.split()]

    begins = [token.startswith("Ġ") for token in tokens]
    limits = Limits(tokens=tokens, begins_word=begins, sentence_ends=[tokens.index(".")])
    context = SearchContext(torch.tensor([ids(source)]), len(tokens), len(tokens) + 1, 0, 9, limits)
    found = torch.zeros(1, 1, len(tokens) + 1)
    given = Hypotheses(torch.tensor([[ids(written)]]), [0], found[0] > 1)
    processors.make("grounding", context, **options)(found, given)
    return {[*tokens, "copied"][token] for token in found[0, 0].isneginf().nonzero().flatten().tolist()}


def test_a_number_begins_as_one_of_the_source() -> None:
    assert forbidden(TOKENS, "Ġin Ġ15 , 000 .", "Ġin") == {"Ġ16", "2019", "000", "5"}
    assert forbidden(TOKENS, "Ġin Ġ15 , 000 .", "") == {"Ġ16", "2019", "000", "5"}


def test_a_number_goes_on_as_in_the_source_and_ends_where_it_ends() -> None:
    begun = forbidden(TOKENS, "Ġin Ġ15 , 000 .", "Ġin Ġ15")
    assert set(TOKENS) - begun == {","}
    ended = forbidden(TOKENS, "Ġin Ġ15 , 000 .", "Ġin Ġ15 , 000")
    assert {"</s>", ".", "Ġin", "Ġ15"}.isdisjoint(ended)
    assert {"000", "5", "year", "Ġ16"} <= ended


def test_other_pieces_of_the_same_number_are_the_same_number() -> None:
    assert set(TOKENS) - forbidden(TOKENS, "Ġin Ġ15 , 000 .", "Ġ1") == {"5"}


def test_a_number_before_a_mark_without_digits_may_stand_alone() -> None:
    ended = forbidden(TOKENS, "Ġ15 - year", "Ġ15")
    assert {"</s>", ".", "-", "Ġin"}.isdisjoint(ended)
    assert "000" in ended


def test_brackets_and_points_are_no_part_of_a_number() -> None:
    assert "2019" not in forbidden(TOKENS, "Ġin Ġ( 2019 )", "Ġin Ġ(")
    assert "</s>" not in forbidden(TOKENS, "Ġin Ġ( 2019 )", "Ġin Ġ( 2019")
    assert "</s>" not in forbidden(TOKENS, "Ġ15 .", "Ġ15 ,")


def test_a_name_is_one_of_the_source() -> None:
    assert forbidden(CASED, "Ġthe ĠAnna Ġmet .", "Ġthe") == {"ĠBerta", "ĠThe"}
    assert forbidden(CASED, "Ġthe ĠAnna Ġmet .", "") == {"ĠBerta"}
    assert set(CASED) - forbidden(CASED, "Ġthe ĠAnna Ġmet .", "Ġthe ĠAn") == {"na"}


def test_a_common_word_may_begin_a_sentence() -> None:
    after = forbidden(CASED, "Ġthe ĠAnna Ġmet .", "Ġmet . ĠThe")
    assert {"Ġmet", "</s>", "na"}.isdisjoint(after)
    assert "ĠThe" not in forbidden(CASED, "Ġthe ĠAnna Ġmet .", "Ġmet .")


def test_each_part_can_be_switched_off_and_copied_words_are_free() -> None:
    assert forbidden(CASED, "Ġthe .", "Ġthe", names=False) == set()
    assert forbidden(TOKENS, "Ġin .", "Ġin", numbers=False) == set()
    assert "copied" not in forbidden(TOKENS, "Ġin .", "Ġin")
