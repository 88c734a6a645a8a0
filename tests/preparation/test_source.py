"""A Document as a network reads it."""

from __future__ import annotations

import numpy as np
import pytest
from corpus import COUNCIL, FERRY, ONE, preset
from hypothesis import given, settings
from hypothesis import strategies as st

from nutgraf.errors import PresetError
from nutgraf.preparation.source import EncodedSource, Place, Preparation, Truncation
from nutgraf.text.document import Document, Phrase, Section, join
from nutgraf.text.highlights import find_phrases
from nutgraf.tokenizers import SEP_ID, Tokenizer
from nutgraf.tokenizers.subwords import Config as SubwordsConfig
from nutgraf.tokenizers.subwords import Subwords
from nutgraf.tokenizers.words import Config, Words

pytest.importorskip("tokenizers")

KNOWN = (
    "the the a a old old tide tide gauge gauge of failed failed ferry did not sail is dear wrote council new came . ."
)


def words() -> Words:
    tokenizer = Words(Config(min_frequency=1))
    tokenizer.train([KNOWN])
    return tokenizer


def document(*texts: str) -> Document:
    return join([Document.of(text, str(number), language="en") for number, text in enumerate(texts)])


def phrases(given: Document, *named: str) -> list[Phrase]:
    found, _ = find_phrases(given, named)
    return found


def texts(source: EncodedSource, tokenizer: Tokenizer) -> list[str]:
    """Return the token at each position, by its extended id."""
    return [[*tokenizer.tokens, *source.unknown][number] for number in source.extended]


def shown(source: EncodedSource, given: Document) -> list[str]:
    return [given.text[start:end] for start, end in source.spans]


def whole(kind: str = "parts", source: int = 100, **options: int) -> Truncation:
    return Truncation(kind, source, **options)  # type: ignore[arg-type]


class TestWords:
    def test_two_documents_with_an_overlapping_phrase_and_unknown_words(self) -> None:
        given, tokenizer = document(FERRY, "A tide gauge came from Skarholm, wrote Orrin."), words()
        asked = phrases(given, "old tide:0.6", "tide gauge:0.8")
        source = Preparation(whole(), tokenizer).source(given, asked)
        assert " ".join(texts(source, tokenizer)) == (
            "the old tide gauge of skarholm failed . the ferry did not sail . <sep> "
            "a tide gauge came from skarholm , wrote orrin ."
        )
        assert source.unknown == ("skarholm", "from", ",", "orrin")
        assert source.places == (Place(1, 3, 0.6), Place(2, 4, 0.8), Place(16, 18, 0.8))
        size = len(tokenizer)
        assert source.extended[source.ids == 1].tolist() == [size, size + 1, size, size + 2, size + 3]
        assert np.array_equal(source.ids == source.extended, source.ids != 1)

    def test_spans_are_characters_of_the_document(self) -> None:
        given, tokenizer = document(ONE, FERRY), words()
        source = Preparation(whole(), tokenizer).source(given)
        assert " ".join(shown(source, given)) == (
            "The new gauge came .  The old tide gauge of Skarholm failed . The ferry did not sail ."
        )
        assert source.spans[5].tolist() == [given.parts[1].start] * 2

    def test_one_sentence(self) -> None:
        source = Preparation(whole(), words()).source(document(ONE))
        assert (len(source.ids), source.unknown, source.places, source.cut) == (5, (), (), ())

    def test_an_empty_document_is_empty(self) -> None:
        source = Preparation(whole(), words()).source(document(""))
        assert (len(source.ids), source.spans.shape, source.places) == (0, (0, 2), ())

    def test_key_phrases_are_those_of_what_is_left(self) -> None:
        given = document(FERRY + " The harbour bridge and the harbour bridge and the harbour bridge.")
        made = Preparation.of(preset(truncation={"source": 7}), words())
        assert [phrase.text for phrase in made.source(given).phrases] == ["old tide gauge"]
        assert made.source(given).places == (Place(1, 4, 1.0),)

    def test_no_phrase_stands_across_a_sentence_or_a_document(self) -> None:
        given = document("The old tide. Gauge came.", "Failed.")
        across = Phrase("tide. gauge", 1.0, ((8, 19),))
        joined = Phrase("came failed", 1.0, ((20, len(given.text)),))
        source = Preparation(whole(), words()).source(given, [across, joined])
        assert source.places == ()
        assert source.notices == (
            "The phrase 'tide. gauge' stands only in what was cut.",
            "The phrase 'came failed' stands only in what was cut.",
        )

    def test_a_phrase_beyond_the_cut_is_told(self) -> None:
        given = document(FERRY)
        source = Preparation(whole(source=7), words()).source(given, phrases(given, "tide gauge", "ferry"))
        assert source.places == (Place(2, 4, 1.0),)
        assert source.notices == ("The phrase 'ferry' stands only in what was cut.",)

    def test_named_phrases_replace_or_join_the_extracted_ones(self) -> None:
        given, made = document(FERRY), Preparation.of(preset(), words())
        asked = phrases(given, "ferry:2", "OLD tide gauge:3")
        assert [phrase.text for phrase in made.source(given).phrases] == ["old tide gauge"]
        assert [place.score for place in made.source(given, asked).places] == [3.0, 2.0]
        joined = made.source(given, also=asked)
        assert {phrase.text.lower(): phrase.score for phrase in joined.phrases} == {"old tide gauge": 3.0, "ferry": 2.0}
        assert made.source(given, []).places == ()

    def test_phrases_on_the_same_words_are_one_with_the_higher_score(self) -> None:
        given = document(FERRY)
        twice = [Phrase("one", 0.3, ((8, 18),)), Phrase("other", 0.7, ((8, 18),)), Phrase("third", 0.5, ((9, 17),))]
        assert Preparation(whole(), words()).source(given, twice).places == (Place(2, 4, 0.7),)


class TestTruncation:
    def test_documents_share_what_separators_leave(self) -> None:
        long = " ".join(["The ferry sails on."] * 9)
        source = Preparation(whole(source=11), words()).source(document(ONE, long))
        assert len(source.ids) == 11
        assert source.ids.tolist().index(SEP_ID) == 5
        assert [cut.rule for cut in source.cut] == ["11 words over 2 documents"]

    def test_legacy_loses_the_last_words_to_the_separators(self) -> None:
        long = " ".join(["The ferry sails on."] * 9)
        ours = Preparation(whole(source=16), words()).source(document(long, long, long))
        theirs = Preparation(whole(source=16, legacy=True), words()).source(document(long, long, long))
        borders = [np.flatnonzero(one.ids == SEP_ID).tolist() for one in (ours, theirs)]
        assert borders == [[5, 11], [6, 12]]
        assert len(ours.ids) == len(theirs.ids) == 16
        assert "the first 16 words" in [cut.rule for cut in theirs.cut]

    def test_more_documents_than_positions(self) -> None:
        source = Preparation(whole(source=5), words()).source(document(*[ONE] * 7))
        assert 0 < len(source.ids) <= 5

    def test_separators_count_for_the_head_too(self) -> None:
        tokenizer = words()
        source = Preparation(whole("head", 8), tokenizer).source(document(ONE, FERRY))
        assert texts(source, tokenizer) == ["the", "new", "gauge", "came", ".", "<sep>", "the", "old"]

    def test_sections_share_without_separators(self) -> None:
        tokenizer = words()
        text = "The old gauge. The ferry is new."
        given = Document.of(text, sections=[Section("a", 0, 14), Section("b", 15, len(text))], language="en")
        source = Preparation(whole("sections", 6), tokenizer).source(given)
        assert texts(source, tokenizer) == ["the", "old", "gauge", "the", "ferry", "is"]

    def test_lengths_are_in_pieces_and_no_word_is_cut_in_two(self) -> None:
        tokenizer = Subwords(SubwordsConfig(vocab_size=261))
        source = Preparation(whole("head", 12), tokenizer).source(document("The ferry sails."))
        assert len(source.ids) == len("ĠtheĠferry")
        assert [cut.rule for cut in source.cut] == ["the first 12 pieces"]
        assert source.cut[0].words == 1

    def test_a_word_without_end_is_cut_all_the_same(self) -> None:
        source = Preparation(whole("head", 12), Subwords(SubwordsConfig(vocab_size=261))).source(document("灯" * 30))
        assert len(source.ids) == 10  # the mark and three characters of three bytes

    @pytest.mark.parametrize("section", [{"kind": "tail"}, {"source": 0}, {"kind": "head", "legacy": True}])
    def test_what_cannot_be_is_refused(self, section: dict[str, object]) -> None:
        with pytest.raises(PresetError, match="truncation"):
            Preparation.of(preset(truncation=section), words())


class TestTarget:
    def test_unknown_words_have_the_ids_of_the_source(self) -> None:
        tokenizer = words()
        made = Preparation(whole(), tokenizer)
        source = made.source(document(FERRY))
        target = made.target(["Skarholm failed.", "Nobody failed."], source)
        failed, stop = tokenizer.encode("failed .").ids
        assert target.ids.tolist() == [2, 1, failed, stop, 1, failed, stop, 3]
        assert target.extended.tolist() == [2, len(tokenizer), failed, stop, 1, failed, stop, 3]

    def test_it_is_cut_to_its_length_and_ends(self) -> None:
        made = Preparation(Truncation(target=2), words())
        assert made.target(["the old tide gauge"], made.source(document(ONE))).ids.tolist()[3:] == [3]


class TestOracle:
    def test_phrases_of_the_summary_that_stand_in_the_document(self) -> None:
        given, made = document(FERRY, COUNCIL), Preparation.of(preset(), words())
        found = made.oracle(given, ["The tide gauge failed.", "The white lighthouse stands."])
        assert [phrase.text for phrase in found] == ["tide gauge"]
        assert found[0].score == 1.0
        assert len(found[0].spans) == 3

    def test_none_in_common(self) -> None:
        assert Preparation.of(preset(), words()).oracle(document(ONE), ["The white lighthouse stands."]) == []


class TestSubwords:
    def test_a_phrase_covers_all_pieces_of_its_words(self) -> None:
        given, tokenizer = document("The old tide gauge failed."), Subwords(SubwordsConfig(vocab_size=261))
        source = Preparation(whole(), tokenizer).source(given, phrases(given, "tide gauge"))
        (place,) = source.places
        assert tokenizer.decode(texts(source, tokenizer)[place.start : place.end]) == "tide gauge"
        assert place.end - place.start == len("Ġtide") + len("Ġgauge")
        assert source.unknown == ()


ALPHABET = st.text(alphabet="ab. ,'’é灯\n", max_size=50)


@settings(max_examples=80)
@given(
    written=st.lists(ALPHABET, min_size=1, max_size=3),
    total=st.integers(3, 40),
    kind=st.sampled_from(["head", "parts", "sections"]),
    pieces=st.booleans(),
    named=st.lists(st.tuples(st.integers(0, 60), st.integers(1, 9)), max_size=4),
)
def test_whatever_the_text_positions_spans_and_phrases_agree(
    written: list[str], total: int, kind: str, pieces: bool, named: list[tuple[int, int]]
) -> None:
    given, tokenizer = document(*written), SUBWORDS if pieces else WORDS
    asked = [Phrase(str(start), 1.0, ((start, start + length),)) for start, length in named]
    source = Preparation(whole(kind, total), tokenizer).source(given, asked)
    assert len(source.ids) == len(source.extended) == len(source.spans) <= total
    separators = source.ids == SEP_ID
    assert np.array_equal(separators, source.spans[:, 0] == source.spans[:, 1])
    assert kind != "sections" or not separators.any()
    assert (np.diff(source.spans[:, 0]) >= 0).all()
    for start, end, _ in source.places:
        assert 0 <= start < end <= len(source.ids)
        assert not separators[start:end].any()
        sentence = [one for one in given.sentences if one.start <= source.spans[start, 0] < one.end]
        assert source.spans[end - 1, 1] <= sentence[0].end
    for number, text in zip(source.extended, shown(source, given), strict=True):
        if number >= len(tokenizer):
            assert source.unknown[number - len(tokenizer)] == text.lower()
    covered = {place for start, end in source.spans.tolist() for place in range(start, end)}
    letters = {place for place, character in enumerate(given.text) if not character.isspace()}
    assert covered == letters or (source.cut and covered < letters)


WORDS = words()
SUBWORDS = Subwords(SubwordsConfig(vocab_size=261))
