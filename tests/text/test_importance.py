"""Importance of sentences, by hand."""

import math

import pytest

from nutgraf.text.document import Document
from nutgraf.text.importance import importance


def document(*sentences):
    text, spans, at = " ".join(sentences), [], 0
    for sentence in sentences:
        spans.append((at, at + len(sentence)))
        at += len(sentence) + 1
    return Document.of(text, language="en", sentences=spans)


def test_it_is_the_cosine_with_the_mean_from_0_to_1():
    """Terms: cat, purr, cat purr; cat, sleep, cat sleep; purr; bark. df is 2 for cat and purr, else 1; N = 4."""
    twice, once = math.log(5 / 3) + 1, math.log(5 / 2) + 1
    norms = [math.sqrt(2 * twice**2 + once**2), math.sqrt(twice**2 + 2 * once**2)]
    cat, purr = twice / norms[0] + twice / norms[1], twice / norms[0] + 1
    pair, sleep = once / norms[0], once / norms[1]
    length = math.sqrt(cat**2 + purr**2 + pair**2 + 2 * sleep**2 + 1)
    cosines = [
        (twice * cat + twice * purr + once * pair) / norms[0] / length,
        (twice * cat + 2 * once * sleep) / norms[1] / length,
        purr / length,
        1 / length,
    ]
    expected = [(one - min(cosines)) / (max(cosines) - min(cosines)) for one in cosines]
    found = importance(document("The cats purr.", "The cats sleep.", "Purr!", "Bark!"))
    assert found == pytest.approx(expected)


def test_a_term_of_most_sentences_counts_for_nothing():
    """Cat stands in 3 of 4 sentences, more than 0.7 of them: the last two have nothing but terms of their own."""
    found = importance(document("Cats.", "Cats purr.", "Cats sleep.", "Bark!"))
    assert found[0] == 0.0
    assert found[1] == found[2] > found[3]


@pytest.mark.parametrize("sentences", [[], ["One cat."], ["One cat.", "One dog."], ["The.", "Of."]])
def test_where_none_is_more_important_all_are(sentences):
    assert importance(document(*sentences)).tolist() == [1.0] * len(sentences)
