"""From ids to words, with a tokenizer of a few pieces and numbers by hand."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from nutgraf.preparation import EncodedSource
from nutgraf.systems._written import WORDLESS, Wording, span_of

TEXT = "Agnes's  tugboat left."
SPANS = [(0, 5), (5, 7), (9, 12), (12, 16), (17, 21), (21, 22)]


class Tokenizer:
    """Pieces of words; "_" is the space before a word. Ids from 8 on are unknown words."""

    tokens = ("<pad>", "<unk>", "_tug", "boat", "_.", "'s", "_5", "%,")
    begins_word = np.array([text[0] in "_<" for text in tokens])

    def decode(self, texts):
        return "".join(texts).replace("_", " ").strip()


class Found(NamedTuple):
    ids: tuple[int, ...]
    probabilities: tuple[float, ...]
    copied_shares: tuple[float, ...]
    source_positions: tuple[int, ...]
    p_copy: tuple[float, ...]


def source():
    ids = np.array([1, 5, 2, 3, 1, 4])
    return EncodedSource(ids, ids, ("Agnes", "left"), (), np.array(SPANS))


def written(*pieces, copies=True):
    """pieces: id, probability, copied share, source position, p_copy."""
    return list(Wording(Tokenizer(), copies)(Found(*zip(*pieces, strict=True)), source()))


def test_pieces_of_a_word_are_one_word():
    [word] = written((2, 0.5, 0.9, 2, 0.8), (3, 0.25, 0.7, 3, 0.4))
    assert (word.text, word.probability, word.p_copy, word.joined) == ("tugboat", 0.125, pytest.approx(0.6), False)
    assert TEXT[slice(*word.span)] == "tugboat"


def test_a_word_is_copied_where_most_of_it_is():
    [word] = written((2, 0.5, 0.9, 2, 0.8), (3, 0.5, 0.2, -1, 0.1))
    assert TEXT[slice(*word.span)] == "tug"
    [word] = written((2, 0.5, 0.9, 2, 0.8), (3, 0.5, 0.0, -1, 0.1))
    assert word.span is None


def test_marks_within_white_space_are_parted_from_words_and_touch_them():
    five, percent, comma = written((6, 0.5, 0.0, -1, 0.1), (7, 0.25, 0.0, -1, 0.3))
    assert [(one.text, one.joined) for one in (five, percent, comma)] == [("5", False), ("%", True), (",", True)]
    assert [one.probability for one in (five, percent, comma)] == [0.5, 0.25, 0.25]
    assert (five.p_copy, comma.p_copy) == (0.1, 0.3)


def test_what_the_tokenizer_keeps_whole_stays_whole():
    [word] = written((8, 0.5, 1.0, 0, 1.0), (5, 0.5, 1.0, 1, 1.0))
    assert word.text == "Agnes's"
    assert TEXT[slice(*word.span)] == "Agnes's"


def test_unknown_words_are_the_sources_and_those_of_nobody_are_left_open():
    agnes, left, nobody = written((8, 0.5, 1.0, 0, 1.0), (9, 0.5, 1.0, 4, 1.0), (1, 0.5, 0.0, -1, 0.0))
    assert [one.text for one in (agnes, left, nobody)] == ["Agnes", "left", WORDLESS]


def test_a_network_that_never_copies_has_no_switch():
    [word] = written((2, 0.5, 0.0, -1, 0.0), copies=False)
    assert (word.p_copy, word.span) == (None, None)


def test_nothing_written():
    assert list(Wording(Tokenizer(), True)(Found((), (), (), (), ()), source())) == []


@pytest.mark.parametrize(
    ("places", "span"),
    [([2, 3], (9, 16)), ([3, 2], (12, 16)), ([2, 4], (9, 12)), ([-1, 3], (12, 16)), ([-1, -1], None), ([0], (0, 5))],
)
def test_spans_of_pieces(places, span):
    assert span_of(places, source()) == span
