"""Which examples make a batch, and in which order the batches come."""

import pytest

pytest.importorskip("torch")

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from nutgraf.training.batches import Batches, share

LENGTHS = st.lists(st.tuples(st.integers(1, 97), st.integers(2, 53)), min_size=1, max_size=211)
COUNTS = st.sampled_from(["tokens", "examples"])


def batches_of(lengths, size, count, seed=3):
    source, target = np.array(lengths).T
    return Batches(source, target, size, count, seed)


@given(LENGTHS, st.integers(1, 300), COUNTS, st.integers(0, 5))
def test_an_epoch_has_every_example_once(lengths, size, count, epoch):
    found = np.concatenate(batches_of(lengths, size, count).epoch(epoch))
    assert sorted(found.tolist()) == list(range(len(lengths)))


@given(LENGTHS, st.integers(1, 300), COUNTS)
def test_no_batch_is_larger_than_asked_unless_one_example_is(lengths, size, count):
    made = batches_of(lengths, size, count)
    for batch in [*made.epoch(0), *made.in_order()]:
        width = max(max(lengths[index]) for index in batch)
        cost = len(batch) * (width if count == "tokens" else 1)
        assert cost <= size or len(batch) == 1


def test_tokens_are_examples_times_the_longest_source_or_target():
    made = batches_of([(3, 2), (3, 2), (2, 7), (11, 5), (5, 5)], 15, "tokens")
    # Sorted by the source: 2|7, 3|2, 3|2, 5|5, 11|5. Two of width 7 fit 15 tokens, then two of width 5, then 11.
    assert [batch.tolist() for batch in made.in_order()] == [[2, 0], [1, 4], [3]]


def test_examples_of_like_length_go_together():
    lengths = [(source, 5) for source in range(1, 61)]
    spans = [np.ptp(np.array(lengths)[batch, 0]) for batch in batches_of(lengths, 4, "examples").epoch(0)]
    assert max(spans) == 3


def test_seed_and_epoch_decide_the_order():
    lengths = [(source % 13 + 1, 7) for source in range(101)]
    made, again, other = (batches_of(lengths, 5, "examples", seed) for seed in (3, 3, 4))

    def order(batches, epoch):
        return [batch.tolist() for batch in batches.epoch(epoch)]

    assert order(made, 2) == order(again, 2)
    assert order(made, 2) != order(made, 3)
    assert order(made, 2) != order(other, 2)


@given(st.integers(0, 23), st.integers(1, 3), st.integers(1, 4), st.integers(0, 23))
def test_processes_take_each_batch_once_from_where_a_training_stands(count, together, processes, start):
    batches = [np.array([number]) for number in range(count)]
    steps = [list(share(batches, start, together, process, processes)) for process in range(processes)]
    assert len({len(one) for one in steps}) == 1
    taken = [int(batch[0]) for at in zip(*steps, strict=True) for group in at for batch in group]
    assert sorted(taken) == list(range(start, count))
    assert all(len(group) <= together for one in steps for group in one)
