"""Word vectors from a file, and sentences as their mean."""

import numpy as np
import pytest

from nutgraf.errors import InputError
from nutgraf.magnifier.kernels import kernels
from nutgraf.text.document import Document
from nutgraf.text.word_vectors import read_word_vectors


@pytest.fixture
def vectors(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_text("3 2\nship 3 4\ntug 1 0\ngull 0 2\n", encoding="utf-8")
    return str(path)


def test_a_sentence_is_the_mean_of_its_words_of_length_one(vectors):
    embedded = read_word_vectors(vectors).embed([["ship"], ["tug", "gull", "unheard"], ["unheard"]])
    assert embedded == pytest.approx(np.array([[0.6, 0.8], [0.2**0.5, 0.8**0.5], [0, 0]]))


def test_the_redundancy_kernel_takes_them(vectors):
    document = Document.of("The tug. The gull.", language="en")
    values = kernels.make("redundancy", vectors=vectors)(document)([["tug"], ["gull"], ["ship"]])
    # The mean of (1, 0) and (0, 1) is (½, ½): cosines' means are ½, ½ and 0.7.
    assert values == pytest.approx([0.75, 0.75, 0.85])


@pytest.mark.parametrize(
    ("text", "message"), [("ship 1 2\ntug 1\n", "line 2"), ("ship a b\n", "line 1"), ("", "no word")]
)
def test_a_file_that_does_not_fit_is_refused_with_its_line(tmp_path, text, message):
    path = tmp_path / "broken.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_word_vectors(str(path))


def test_a_missing_file_is_refused():
    with pytest.raises(InputError, match=r"nowhere\.txt"):
        read_word_vectors("nowhere.txt")
