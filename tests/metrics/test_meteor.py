"""METEOR, on a few words by hand, and against NLTK's."""

from __future__ import annotations

from pathlib import Path

import nltk
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.corpus.reader.wordnet import WordNetCorpusReader
from nltk.data import FileSystemPathPointer
from nltk.translate.meteor_score import single_meteor_score

from nutgraf.errors import InputError, PresetError
from nutgraf.metrics import Example, metrics
from nutgraf.metrics._synonyms import Synonyms
from nutgraf.metrics.meteor import Config, Meteor

SENSES = {
    "noun": [["dog", "hound"], ["boat", "vessel", "motor_boat"], ["Thames"]],
    "verb": [["walk", "stroll"], ["dog", "follow"]],
    "adj": [["quick", "fast(p)"]],
    "adv": [["soon"]],
}
EXCEPTIONS = {"noun": ["hounden hound"], "verb": [], "adj": [], "adv": []}
LETTER = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}


@pytest.fixture(scope="module")
def wordnet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A WordNet of six senses, in WordNet's own format."""
    folder = tmp_path_factory.mktemp("wordnet")
    for part, senses in SENSES.items():
        data, offsets = "", {}
        for words in senses:
            for word in words:
                offsets.setdefault(word.split("(")[0].lower(), []).append(len(data))
            listed = " ".join(f"{word} 0" for word in words)
            data += f"{len(data):08d} 00 {LETTER[part]} {len(words):02x} {listed} 000 | a sense\n"
        index = [
            f"{word} {LETTER[part]} {len(at)} 0 {len(at)} 0 {' '.join(f'{one:08d}' for one in at)}  "
            for word, at in sorted(offsets.items())
        ]
        (folder / f"data.{part}").write_text(data)
        (folder / f"index.{part}").write_text("  1 a licence\n" + "\n".join(index) + "\n")
        (folder / f"{part}.exc").write_text("\n".join(EXCEPTIONS[part]))
    (folder / "lexnames").write_text("00\tall\t1\n")
    return folder


class NoSynonyms:
    """A WordNet without words, as NLTK reads it."""

    def synsets(self, word: str) -> list[object]:
        return []


class Reader(WordNetCorpusReader):  # type: ignore[misc]
    """NLTK's reader, without the map to other versions, which needs a download."""

    def map_wn(self, version: str = "wordnet") -> None:
        return None


def test_three_of_four_words_in_one_run() -> None:
    # P = 1, R = 3/4, F = 0.75 / (0.9 + 0.1 · 0.75) = 10/13; one chunk: 1 − 0.5 / 27
    score = Meteor(Config()).score(["the", "cat", "sat"], ["the", "cat", "sat", "down"])
    assert score == pytest.approx(10 / 13 * (1 - 0.5 / 27))


def test_a_scattered_match_pays_more() -> None:
    meteor = Meteor(Config())
    # All four words match; in two chunks the penalty is 0.5 · (2/4)³, in one it is 0.5 · (1/4)³.
    assert meteor.score(["c", "d", "a", "b"], ["a", "b", "c", "d"]) == pytest.approx(1 - 0.5 / 8)
    assert meteor.score(["a", "b", "c", "d"], ["a", "b", "c", "d"]) == pytest.approx(1 - 0.5 / 64)


def test_an_equal_word_is_taken_before_one_of_the_same_stem() -> None:
    meteor = Meteor(Config())
    assert meteor.align(["boats", "boat"], ["boat", "boats"]) == [(0, 1), (1, 0)]
    assert meteor.align(["boats"], ["boat"]) == [(0, 0)]
    assert meteor.align(["hound"], ["dog"]) == []


def test_the_last_free_word_is_taken() -> None:
    assert Meteor(Config()).align(["a"], ["a", "b", "a"]) == [(0, 2)]


def test_the_best_of_several_references_counts() -> None:
    example = Example(["The cat sat."], (["A dog."], ["The cat", "sat."]))
    alone = Example(["The cat sat."], (["The cat sat."],))
    meteor = Meteor(Config())
    assert meteor(example) == meteor(alone)
    assert meteor(Example(["The cat sat."])) == {"METEOR-ES": None}


def test_marks_are_words_unless_spaces_split() -> None:
    example = Example(["The cat."], (["The cat!"],))
    assert Meteor(Config())(example)["METEOR-ES"] == pytest.approx(2 / 3 * (1 - 0.5 / 8))
    assert Meteor(Config(tokens="spaces"))(example)["METEOR-ES"] == pytest.approx(1 / 2 * (1 - 0.5))


def test_synonyms_have_a_column_of_their_own(wordnet: Path) -> None:
    meteor = metrics.make("meteor", wordnet=str(wordnet))
    score = meteor(Example(["quick hounds stroll"], (["fast dogs walk"],)))
    assert score == {"METEOR": pytest.approx(1 - 0.5 / 27)}
    assert meteor.signature.startswith("meteor|stages:exact,stem,synonym|")
    assert metrics.make("meteor").signature.startswith("meteor-es|stages:exact,stem|")


def test_synonyms_of_base_forms_exceptions_and_single_words_only(wordnet: Path) -> None:
    synonyms = Synonyms(wordnet)
    assert synonyms("hounds") == {"hounds", "hound", "dog"}
    assert synonyms("hounden") == {"hounden", "hound", "dog"}
    assert synonyms("dogged") == {"dogged"}
    assert synonyms("dog") == {"dog", "hound", "follow"}
    assert synonyms("boats") == {"boats", "boat", "vessel"}
    assert synonyms("quick") == {"quick", "fast"}


def test_a_folder_without_wordnet_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"index\.noun"):
        metrics.make("meteor", wordnet=str(tmp_path))
    with pytest.raises(PresetError, match="alpha"):
        metrics.make("meteor", alpha=1.0)


WORDS = ["dog", "dogs", "hound", "hounds", "boat", "vessels", "walk", "walking", "strolled", "quick", "fast", "soon"]
texts = st.lists(st.sampled_from([*WORDS, "the", "a", "."]), min_size=1, max_size=17)


@given(texts, texts)
def test_equals_nltk_without_synonyms(hypothesis: list[str], reference: list[str]) -> None:
    expected = single_meteor_score(reference, hypothesis, wordnet=NoSynonyms())
    assert Meteor(Config()).score(hypothesis, reference) == pytest.approx(expected, abs=1e-12)


def test_equals_nltk_with_synonyms(wordnet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nltk.data, "path", [*nltk.data.path, str(wordnet.parent)])
    with pytest.warns(UserWarning, match="lingual"):
        reader = Reader(FileSystemPathPointer(str(wordnet)), None)
    meteor = Meteor(Config(wordnet=str(wordnet)))

    @given(texts, texts)
    def equal(hypothesis: list[str], reference: list[str]) -> None:
        expected = single_meteor_score(reference, hypothesis, wordnet=reader)
        assert meteor.score(hypothesis, reference) == pytest.approx(expected, abs=1e-12)

    equal()
