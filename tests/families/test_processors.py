"""The contract of the processors of search, over every file in the folder."""

import pytest
from members import every_example

torch = pytest.importorskip("torch")

from nutgraf.decoding.processors import Hypotheses, Limits, SearchContext, processors  # noqa: E402

VOCAB_SIZE, EXTENDED = 11, 13
SOURCE = torch.tensor([[5, 6, 11], [7, 12, 0]])
DOCUMENTS, BEAMS = 2, 3

every = every_example(processors)


def make(choice):
    return processors.build(choice, SearchContext(SOURCE, VOCAB_SIZE, EXTENDED, 0, 9, Limits(words=[2, None])))


def hypotheses(length):
    """Hypotheses that differ, of as many tokens; one has spent its budget."""
    ids = torch.arange(DOCUMENTS * BEAMS * length).reshape(DOCUMENTS, BEAMS, length) % 5 + 4
    full = torch.zeros(DOCUMENTS, BEAMS, dtype=torch.bool)
    full[0, 1] = True
    return Hypotheses(ids, range(DOCUMENTS), full)


def log_probs():
    torch.manual_seed(2)
    return torch.randn(DOCUMENTS, BEAMS, EXTENDED).log_softmax(-1)


@every
@pytest.mark.parametrize("length", [0, 1, 5])
def test_it_changes_log_probabilities_in_place_and_no_hypothesis(choice, length):
    found, given = log_probs(), hypotheses(length)
    assert make(choice)(found, given) is None
    assert not found.isnan().any()
    assert not found.isposinf().any()
    assert torch.equal(given.ids, hypotheses(length).ids)
    assert torch.equal(given.full, hypotheses(length).full)


@every
@pytest.mark.parametrize("length", [0, 1, 5])
def test_the_same_hypotheses_get_the_same(choice, length):
    first, second = log_probs(), log_probs()
    made = make(choice)
    for found in (first, second):
        made(found, hypotheses(length))
    assert torch.equal(first, second)


@every
@pytest.mark.parametrize("length", [0, 1, 5])
def test_what_it_tells_of_hypotheses_has_their_shape(choice, length):
    made, given = make(choice), hypotheses(length)
    forced, bias = made.forced(given), made.source_bias(given)
    assert forced is None or (forced.shape, forced.dtype) == ((DOCUMENTS, BEAMS), torch.bool)
    assert bias is None or bias.shape == (DOCUMENTS, BEAMS, SOURCE.shape[1])
