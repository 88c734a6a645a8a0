"""Marks that cross are cut into pieces that do not."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from nutgraf.report.marks import Mark, PhraseFinder, merge, split

MARKS = st.lists(st.builds(Mark, st.integers(-3, 30), st.integers(-3, 30), st.sampled_from("ab"), st.integers(0, 3)))


def test_crossing_marks_share_the_piece_in_the_middle() -> None:
    first, second = Mark(0, 5, "origin", 1), Mark(3, 7, "cut", 2)
    assert split(0, 11, [first, second]) == [
        (0, 3, (first,)),
        (3, 5, (first, second)),
        (5, 7, (second,)),
        (7, 11, ()),
    ]


def test_marks_are_clipped_and_empty_ones_left_out() -> None:
    wide, empty, outside = Mark(-2, 13, "origin"), Mark(3, 3, "origin"), Mark(11, 13, "origin")
    assert split(2, 7, [wide, empty, outside]) == [(2, 7, (wide,))]


def test_nothing_has_no_pieces() -> None:
    assert split(5, 5, [Mark(0, 7, "origin")]) == []


def test_keys_are_those_of_one_kind_in_the_order_given() -> None:
    (piece,) = split(0, 2, [Mark(0, 2, "origin", 7), Mark(0, 2, "cut", 5), Mark(0, 2, "origin", 3)])
    assert piece.keys("origin") == (7, 3)


@given(st.text(max_size=30), MARKS)
def test_the_pieces_are_the_text_and_know_exactly_the_marks_above_them(text: str, marks: list[Mark]) -> None:
    pieces = split(0, len(text), marks)
    assert "".join(text[piece.start : piece.end] for piece in pieces) == text
    for piece in pieces:
        assert piece.start < piece.end
        for place in range(piece.start, piece.end):
            assert piece.marks == tuple(mark for mark in marks if mark.start <= place < mark.end)


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30))))
def test_merged_spans_cover_the_same_characters_and_stand_apart(spans: list[tuple[int, int]]) -> None:
    merged = merge(spans)
    assert {at for span in merged for at in range(*span)} == {at for span in spans for at in range(*span)}
    assert all(before[1] < after[0] for before, after in itertools.pairwise(merged))


def test_phrases_are_found_word_by_word() -> None:
    text = "Swing  Bridge, bridges; a swing\nbridge"
    assert [text[start:end] for start, end in PhraseFinder(["swing bridge"])(text)] == [
        "Swing  Bridge",
        "swing\nbridge",
    ]


def test_overlapping_phrases_are_found_as_one() -> None:
    text = "the old swing bridge keeper"
    assert [text[start:end] for start, end in PhraseFinder(["swing bridge", "bridge keeper"])(text)] == [
        "swing bridge keeper"
    ]


def test_phrases_are_found_in_scripts_without_spaces() -> None:
    assert PhraseFinder(["桥梁"])("这座桥梁很旧") == [(2, 4)]


@given(st.text(max_size=40), st.lists(st.text(max_size=5), max_size=4))
def test_any_text_can_be_searched_for_any_phrase(text: str, phrases: list[str]) -> None:
    assert all(0 <= start < end <= len(text) for start, end in PhraseFinder(phrases)(text))
