"""The contract of the magnifier's kernels, over every file in the folder."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from members import members

from nutgraf.errors import PresetError
from nutgraf.magnifier.kernels import kernels
from nutgraf.text.document import Document, join

STORY = """The harbour pilot guided the tanker. The tanker carried crude oil. A storm broke the mooring lines.
The pilot called two tugs. The tugs pushed the tanker against the quay. Nobody was hurt."""

every = pytest.mark.parametrize("kind", members(kernels))


def check(values, count):
    assert values.shape == (count,)
    assert np.isfinite(values).all()
    assert (values >= 0).all()


@every
def test_a_head_rates_the_documents_own_sentences(kind):
    document = Document.of(STORY)
    values = kernels.make(kind)(document)(document.words)
    check(values, 6)
    assert values.max() > values.min()


@every
def test_a_head_rates_sentences_from_elsewhere(kind):
    head = kernels.make(kind)(Document.of(STORY))
    values = head([["the", "tanker", "carried", "crude", "oil"], ["zebras", "graze"], []])
    check(values, 3)
    assert values[0] > values[1]


@every
def test_a_head_rates_no_sentences(kind):
    check(kernels.make(kind)(Document.of(STORY))([]), 0)


@every
@pytest.mark.parametrize("text", ["", "It was he.", "12 34 56.", "→ ☂ 🎈"])
def test_where_there_is_nothing_to_look_at_all_are_alike(kind, text):
    values = kernels.make(kind)(Document.of(text, language="en"))([["tug"], ["the", "quay"]])
    check(values, 2)
    assert values[0] == pytest.approx(values[1])


@every
def test_weight_comes_from_the_options(kind):
    assert kernels.make(kind, weight=-0.25).weight == -0.25


@every
def test_twice_is_the_same(kind):
    document = join([Document.of(STORY), Document.of("A second tug came.")])
    first, second = (kernels.make(kind)(document)(document.words) for _ in range(2))
    assert np.array_equal(first, second)


@every
@settings(max_examples=15, deadline=None)
@given(text=st.text(st.characters(), max_size=100))
def test_any_text_at_all(kind, text):
    document = Document.of(text)
    check(kernels.make(kind)(document)(document.words), len(document.sentences))


def test_phrases_that_differ_in_marks_only_are_one_keyword():
    document = Document.of("Crude oil spilled. The crude-oil price fell; crude oil, crude oil. “Crude” oil.")
    values = kernels.make("keywords")(document)([["crude", "oil"], ["gulls"]])
    assert values[0] > values[1] == 0


@pytest.mark.parametrize("options", [{"top": 0}, {"vocab_size": 0}, {"passes": 0}, {"top": 11}, {"seed": -1}])
def test_topics_refuse_what_cannot_be(options):
    with pytest.raises(PresetError):
        kernels.make("topics", **options)
