"""Labels of taggers, by hand: the longest spans that a summary has too, and sentences at their marks."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus import preset, write

from nutgraf.errors import InputError, OutputError, PresetError
from nutgraf.preparation import Preparation, Shards, Truncation, prepare
from nutgraf.preparation.labels import SELECTED, UNSELECTED, Labels, copied_spans
from nutgraf.preparation.source import BOS, EOS, PAD
from nutgraf.text.document import Document
from nutgraf.tokenizers import tokenizers

TEXT = "The old gauge failed. It rained. The ferry did not sail, and the old gauge rusted."


def marked(source: str, summary: str) -> str:
    tokens = source.split()
    chosen = copied_spans(tokens, summary.split())
    return " ".join(token.upper() if one else token for token, one in zip(tokens, chosen, strict=True))


def test_the_longest_span_from_the_left_is_selected():
    assert marked("in may the old gauge failed again", "the old gauge in the old gauge failed") == (
        "IN may THE OLD GAUGE FAILED again"
    )


def test_reading_goes_on_behind_a_span_even_where_a_longer_one_begins_in_it():
    assert marked("a b c d", "a b then b c d") == "A B C D"
    assert marked("a b c d", "a b then b c d e d c") == "A B C D"
    assert marked("a b c d", "a b x b c d") == "A B C D"
    assert marked("a b c", "a b x b c") == "A B C", "c stands alone in the summary's b c"


def test_a_span_is_selected_where_it_stands_first():
    assert marked("the cat and the cat and the dog", "the cat saw the dog") == "THE CAT and the cat and THE DOG"
    assert marked("x y", "") == "x y"


def made(unit: str, source: int = 40) -> Preparation:
    tokenizer = tokenizers.make("words", vocab_size=60, min_frequency=1)
    tokenizer.train([TEXT])
    return Preparation(Truncation(source=source), tokenizer, labels=Labels(unit=unit))


def test_tokens_are_labelled_one_by_one():
    preparation = made("tokens")
    source = preparation.source(Document.of(TEXT, language="en"))
    target = preparation.target(["The old gauge rusted."], source)
    texts = [TEXT[start:end] for start, end in source.spans.tolist()]
    chosen = [text for text, one in zip(texts, target.ids[1:].tolist(), strict=True) if one == SELECTED]
    assert target.ids[0] == BOS
    assert set(target.ids[1:].tolist()) == {SELECTED, UNSELECTED}
    assert chosen == ["The", "old", "gauge", ".", "The", "the", "old", "gauge", "rusted", "."]
    assert target.ids[6:9].tolist() == [UNSELECTED] * 3, "It rained. The full stop was selected before"
    assert target.length == len(source.ids)


def test_an_unknown_word_of_both_is_the_same_and_of_one_is_none():
    preparation = made("tokens")
    source = preparation.source(Document.of("Agnes and Orrin failed.", language="en"))
    target = preparation.target(["Orrin and Nils."], source)
    assert [one == SELECTED for one in target.ids[1:].tolist()] == [False, True, True, False, True]


def test_sentences_are_marked_and_labelled_at_their_marks():
    preparation = made("sentences")
    document = Document.of(TEXT, language="en")
    source = preparation.source(document)
    assert [index for index, number in enumerate(source.ids.tolist()) if number == BOS] == [0, 7, 12]
    assert [index for index, number in enumerate(source.ids.tolist()) if number == EOS] == [6, 11, len(source.ids) - 1]
    assert source.ids.tolist() == source.extended.tolist()
    target = preparation.target(["The ferry did not sail."], source)
    places = {at - 1: one for at, one in enumerate(target.ids.tolist()) if at and one != PAD}
    assert places == {0: UNSELECTED, 7: UNSELECTED, 12: SELECTED}
    assert target.length == 3


@pytest.mark.parametrize(
    ("length", "sentences", "tokens"), [(7, 1, 7), (9, 1, 7), (10, 2, 10), (12, 2, 12), (15, 3, 15)]
)
def test_marks_count_where_a_text_is_cut(length, sentences, tokens):
    """The first sentence has 5 tokens and two marks, the second 3 and two. A sentence without a word is none."""
    source = made("sentences", length).source(Document.of(TEXT, language="en"))
    assert len(source.sentence_starts) == sentences
    assert len(source.ids) == tokens


TAGGER = {
    "system": "tagger",
    "labels": {"unit": "sentences"},
    "keyphrases": None,
    "model": {"d_model": 8, "num_heads": 1},
    "selection": {},
}


def test_labels_are_prepared_and_kept(tmp_path: Path):
    prepare(preset(**TAGGER), write(tmp_path / "corpus"), tmp_path / "out", workers=1)
    shards = Shards.open(tmp_path / "out", "train", preset(**TAGGER))
    target = shards.target(0)
    assert len(target.ids) == len(shards.source(0).ids) + 1
    assert {SELECTED, UNSELECTED} >= set(target.ids[1:].tolist()) - {PAD}
    pytest.importorskip("torch")
    given = shards.batch([0, 1])
    assert given.labels.shape == given.source.shape
    assert (given.labels_mask == (given.source != BOS)).all()


def test_a_network_that_writes_is_not_trained_on_labels_nor_a_tagger_on_summaries(tmp_path: Path):
    corpus = write(tmp_path / "corpus")
    writer = preset(keyphrases=None)
    prepare(preset(**TAGGER), corpus, tmp_path / "labels", workers=1)
    prepare(writer, corpus, tmp_path / "summaries", workers=1)
    with pytest.raises(InputError, match="num_sentences"):
        Shards.open(tmp_path / "labels", "train", writer)
    with pytest.raises(InputError, match="num_sentences"):
        Shards.open(tmp_path / "summaries", "train", preset(**TAGGER))
    with pytest.raises(OutputError, match="num_sentences"):
        prepare(writer, corpus, tmp_path / "labels", workers=1)


def test_hidden_spans_have_no_labels(tmp_path: Path):
    hidden = preset(**{**TAGGER, "dataset": {"kind": "masked_spans", "of": {"kind": "jsonl"}}})
    with pytest.raises(PresetError, match="candidates"):
        prepare(hidden, write(tmp_path / "corpus"), tmp_path / "out", workers=1)
