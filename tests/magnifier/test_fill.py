"""Closing a budget: which sentences still fit, and which come closest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nutgraf.magnifier.fill import fill


def filled(lengths, room, order=None, repeats=lambda index: False):
    added = []
    taken = fill(order or range(len(lengths)), lengths, room, lambda index: repeats(index), added.append)
    assert added == taken
    return taken


def test_the_best_are_taken_while_there_is_much_room():
    # The typical sentence has 10 words; above 20 the best that fits is taken.
    assert filled([10, 10, 10, 10, 10], room=40) == [0, 1, 2, 3]
    assert filled([10, 10, 10, 10, 10], room=40, order=[4, 2, 0, 1, 3]) == [4, 2, 0, 1]


def test_the_rest_is_closed_by_those_that_come_closest():
    # 17 = 12 + 5, although 13 is rated best
    assert filled([13, 12, 5], room=17) == [1, 2]


def test_among_equals_the_better_rated_win():
    assert filled([9, 8, 9, 8], room=17) == [0, 1]
    assert filled([9, 8, 9, 8], room=17, order=[2, 3, 0, 1]) == [2, 3]


def test_scraps_are_no_filling():
    assert filled([2, 1, 7, 9], room=10) == [3]


def test_where_all_lines_are_short_they_are_no_scraps():
    assert filled([2, 1, 2, 1, 1], room=5) == [0, 1, 2]


def test_what_repeats_leaves_its_room_to_others():
    # 8 + 8 would close 16, but the second repeats the first
    chosen = []
    taken = fill([0, 1, 2], [8, 8, 5], 16, lambda index: index == 1 and 0 in chosen, chosen.append)
    assert taken == [0, 2]


def test_what_repeats_is_left_out():
    assert filled([13, 12, 5], room=17, repeats=lambda index: index == 1) == [0]


def test_what_repeats_another_filling_is_left_out():
    taken = []
    assert fill([0, 1], [8, 8], 16, lambda index: bool(taken), taken.append) == [0]


def test_there_may_be_nothing():
    assert filled([], room=10) == []
    assert filled([11, 12], room=10) == []
    assert filled([5], room=0) == []


@given(st.lists(st.integers(0, 40), max_size=30), st.integers(0, 200))
def test_room_is_never_exceeded_and_nothing_is_taken_twice(lengths, room):
    taken = filled(lengths, room)
    assert sum(lengths[index] for index in taken) <= room
    assert len(set(taken)) == len(taken)
    left = room - sum(lengths[index] for index in taken)
    assert not [index for index, length in enumerate(lengths) if index not in taken and 3 <= length <= left]


@pytest.mark.parametrize("room", range(3, 30))
def test_few_sentences_are_closed_as_well_as_can_be(room):
    lengths = [11, 7, 17, 13]
    sums = {sum(length for bit, length in enumerate(lengths) if subset >> bit & 1) for subset in range(16)}
    best = max(total for total in sums if total <= room)
    assert sum(lengths[index] for index in filled(lengths, room)) == (best if room <= 26 else max(best, 24))
