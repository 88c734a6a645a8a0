"""Words and numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from nutgraf.errors import InputError
from nutgraf.text.vocabulary import SPECIALS, Vocabulary

COUNTS = {"the": 9, "sea": 3, "bell": 3, "fog": 2, "pier": 1}


def test_special_words_come_first_then_the_most_frequent() -> None:
    vocabulary = Vocabulary.build(COUNTS, vocab_size=7)
    assert vocabulary.words == (*SPECIALS, "the", "bell", "sea")
    assert vocabulary.ids_of(["<pad>", "the", "fog", "sea"]) == [0, 4, 1, 6]


def test_rare_words_are_left_out() -> None:
    assert Vocabulary.build(COUNTS, min_frequency=3).words == (*SPECIALS, "the", "bell", "sea")


def test_a_separator_can_be_special() -> None:
    specials = (*SPECIALS, "<sep>")
    vocabulary = Vocabulary.build({"<sep>": 7, "sea": 1}, specials=specials)
    assert vocabulary.words == (*specials, "sea")


def test_it_is_kept_as_json(tmp_path: Path) -> None:
    vocabulary = Vocabulary.build({"mer": 2, "été": 1, "海": 1, '"': 1})
    vocabulary.save(tmp_path / "words.json")
    loaded = Vocabulary.load(tmp_path / "words.json")
    assert (loaded.words, loaded.specials) == (vocabulary.words, vocabulary.specials)


@pytest.mark.parametrize(
    "content",
    [
        "words",
        "[]",
        "{}",
        '{"schema": "nutgraf.vocabulary/9", "specials": [], "words": []}',
        '{"schema": "nutgraf.vocabulary/1", "specials": ["<unk>"], "words": ["a", "a"]}',
        '{"schema": "nutgraf.vocabulary/1", "specials": [], "words": ["a"]}',
    ],
)
def test_anything_else_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "words.json"
    path.write_text(content)
    with pytest.raises(InputError, match=r"words\.json"):
        Vocabulary.load(path)
    with pytest.raises(InputError, match=r"missing\.json"):
        Vocabulary.load(tmp_path / "missing.json")
