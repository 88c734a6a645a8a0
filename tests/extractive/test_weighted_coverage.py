"""Weighted coverage, genres, and the method that goes by them. By hand."""

import math
from functools import partial

import numpy as np
import pytest

import nutgraf
from nutgraf.errors import PresetError
from nutgraf.extractive import Limits, PartialSummary, sentence_rankers
from nutgraf.extractive.selection import FILLING, Config, select
from nutgraf.text.cues import cue_phrases
from nutgraf.text.document import Document, Section, join
from nutgraf.text.genre import has_dateline, recognize_genre

PLAIN = {"centrality": (), "centrality_weight": 0.0}


def ratings(document, **options):
    return sentence_rankers.make("weighted_coverage", **{**PLAIN, **options}).rank(document).ratings


def picked(document, words, kind="weighted_coverage", **options):
    summary = PartialSummary(document, Limits(words=words))
    sentence_rankers.make(kind, **options).pick(document, summary)
    return summary


class TestWeights:
    # ferry: 0 and 2; harbour: 0; lantern: 1; market: 1 and 2
    DOCUMENT = Document.of("Ferry harbour. Lantern market. Market ferry.", language="en")

    def test_terms_weigh_the_sum_of_their_sentences_priors(self):
        # p = 1, 1/2, 1/3: ferry 4/3, harbour 1, lantern 1/2, market 5/6; together 22/6
        found = ratings(self.DOCUMENT, unigram_share=1.0, position_decay=1.0)
        assert found == pytest.approx(np.array([14, 8, 13]) / 22)

    def test_the_power_favours_heavy_terms(self):
        # squared: 16/9, 1, 1/4, 25/36; together 134/36
        found = ratings(self.DOCUMENT, unigram_share=1.0, position_decay=1.0, weight_exponent=2.0)
        assert found == pytest.approx(np.array([100, 34, 89]) / 134)

    def test_rare_concepts_weigh_nothing_unless_all_are_rare(self):
        found = ratings(self.DOCUMENT, unigram_share=1.0, position="none", min_frequency=2)
        assert found == pytest.approx([0.5, 0.5, 1.0])
        found = ratings(self.DOCUMENT, unigram_share=1.0, position="none", min_frequency=3)
        assert found == pytest.approx(np.array([3, 3, 4]) / 6)

    def test_bigrams_have_the_rest_of_the_weight(self):
        # three bigrams of a third each; terms as in the first test
        found = ratings(self.DOCUMENT, unigram_share=0.25, position="none")
        assert found == pytest.approx(0.25 * np.array([3, 3, 4]) / 6 + 0.75 / 3)

    def test_in_several_documents_a_concept_counts_once_in_each(self):
        document = join([Document.of("Ferry. Ferry. Ferry."), Document.of("Harbour. Ferry harbour.")])
        # λ = 1: ferry 1 + 1/2, harbour 1
        found = ratings(document, unigram_share=1.0, position_decay=1.0)
        assert found == pytest.approx([0.6, 0.6, 0.6, 0.4, 1.0])

    def test_borders_of_sections(self):
        text = "Ferry. Harbour. Lantern. Market. Orchard. Quarry. Signal."
        at = [text.index(word) for word in ("Ferry", "Market", "Signal")]
        spans = [Section("one", at[0], at[1]), Section("two", at[1], at[2]), Section("three", at[2], len(text))]
        document = Document.of(text, sections=spans, language="en")
        # distances in sections of 3, 3 and 1 sentences; the middle section loses 1 / (1 + 4 · 1)
        priors = np.array([1, 1 / 2, 1, 1 / 5, 1 / 10, 1 / 5, 1])
        found = ratings(document, unigram_share=1.0, position="border", position_decay=1.0)
        assert found == pytest.approx(priors / priors.sum())


class TestFactors:
    def test_cue_phrases_count_twice_at_most(self):
        text = "We propose our model, and our results show that this paper is novel. Our method sleeps. It sleeps here."
        document = Document.of(text, language="en")
        flat = ratings(document, position="none")
        found = ratings(document, position="none", cue_weight=0.5)
        assert found / flat == pytest.approx([math.e, math.exp(0.5), 1.0])

    def test_centrality_in_standard_deviations(self):
        # LexRank has degrees of 2, 3 and 2: -1/√2, √2 and -1/√2 standard deviations from their mean
        document = Document.of("Ferry harbour. Harbour lantern. Lantern market.", language="en")
        standard = np.array([-1, 2, -1]) / math.sqrt(2)
        flat = ratings(document)
        found = ratings(document, centrality=("lex_rank",), centrality_weight=0.5)
        assert found / flat == pytest.approx(np.exp(0.5 * standard))

    def test_what_people_say_counts_less_than_what_is_told_of_them(self):
        # 2 of 5 words speak; 1 of 4 is told, which weighs 0.3; the third sentence has neither
        document = Document.of("I like your new ferry. He likes harbours too. Gulls like harbours.", language="en")
        flat = ratings(document, position="none")
        found = ratings(document, position="none", narration_weight=2.0)
        assert found / flat == pytest.approx(np.exp([2 * -2 / 5, 2 * 0.3 / 4, 0.0]))

    def test_narration_is_known_in_english_alone(self):
        text = "I like your new ferry. He likes harbours too."
        for language, expected in (("en", False), ("de", True)):
            document = Document.of(text, language=language)
            told = ratings(document, position="none", narration_weight=2.0)
            assert (told.tolist() == ratings(document, position="none").tolist()) is expected

    def test_likeness_to_the_whole_text_is_added_and_multiplied_likewise(self):
        text = "Ferry harbour. We propose harbour lanterns. Lantern market."
        document = Document.of(text, language="en")
        flat = ratings(document, cue_weight=0.5)
        found = ratings(document, cue_weight=0.5, centroid_weight=3.0)
        cosines = sentence_rankers.make("centroid").rank(document).ratings
        assert found - flat == pytest.approx(3 * cosines * np.exp([0, 0.5, 0]))

    def test_cue_phrases_are_english_and_chinese(self):
        assert cue_phrases("In this paper we propose a novel loss.", "en") == ["In this paper", "we propose", "novel"]
        assert cue_phrases("Results: Errors fell by a third.", "en") == ["Results:"]
        assert cue_phrases("In this paper we propose a novel loss.", "de") == []
        assert cue_phrases("针对潮汐,本文提出了新方法.", "zh") == ["针对", "本文", "提出了"]
        assert cue_phrases("实验结果表明渡船提出较晚.", "zh") == ["结果表明"]
        assert cue_phrases("分析潮汐,评价渡船.", "zh") == ["分析", "评价"]


def test_what_is_covered_adds_nothing():
    document = Document.of("Ferry harbour. Ferry harbour. Lantern market.", language="en")
    options = {**PLAIN, "position": "none", "unigram_share": 1.0}
    assert picked(document, 4, **options).selected == [0, 2]


def test_a_summary_like_the_whole_text_repeats_what_the_text_repeats():
    # red and ferry are in four of seven sentences: the first one has a cosine of 0.75, the old pier lowers it to 0.67;
    # a second red ferry then raises it to 0.80, the blue gull to 0.76
    document = Document.of(f"{4 * 'Red ferry. '} Old pier. Blue gull. Grey town.", language="en")
    options = {**PLAIN, "position": "none", "unigram_share": 1.0, "weight_exponent": 0.0}
    assert picked(document, 6, **options).selected == [0, 4, 5]
    assert picked(document, 6, **options, centroid_weight=40.0).selected == [0, 4, 1]


def test_the_likeness_is_gained_by_length_too():
    # alone, the second sentence has a cosine of √2 times that of the first; divided by four words and two, it has less
    document = Document.of("Red ferry. Red ferry and old pier. Old pier.", language="en")
    options = {**PLAIN, "position": "none", "centroid_weight": 40.0}
    assert picked(document, 5, **options, cost_exponent=0.0).selected == [1]
    assert picked(document, 5, **options, cost_exponent=1.0).selected[0] == 0


def test_reasons_are_words_for_the_reader():
    text = (
        "We propose a very large ferry. Gulls like the old harbour best. Rain fell on the old harbour and on the ferry."
    )
    document = Document.of(text, language="en")
    summary = picked(document, 12, **PLAIN, cue_weight=1.0)
    assert summary.reasons == {
        0: ("shares “ferry” with other sentences", "opens the text", "announces something: “We propose”"),
        1: ("shares “old harbour” with other sentences",),
    }


def test_the_third_person_is_a_reason():
    document = Document.of("He gave the ferry to her. I gave him the other ferry.", language="en")
    summary = picked(document, 12, **PLAIN, position="none", narration_weight=7.0)
    assert summary.reasons == {
        0: ("shares “gave” and “ferry” with other sentences", "told in the third person"),
        1: ("fills the remaining length",),
    }


def test_every_sentence_has_a_reason():
    # what occurs once weighs nothing: the second sentence adds no weight, and the last one is no more than a question
    text = (
        "Rain fell on the ferry and on the harbour. Gulls slept on the old pier. The ferry left. Why did nobody care?"
    )
    document = Document.of(text, language="en")
    method = sentence_rankers.make("weighted_coverage", **PLAIN, position="none", min_frequency=2)
    found = select(partial(method.pick, document), document, Config(), words=40)
    assert found.summary.reasons == {
        0: ("shares “ferry” with other sentences",),
        1: ("fills the remaining length",),
        2: (FILLING,),
        3: (FILLING,),
    }


def test_a_sentence_alone_has_the_terms_that_it_adds_as_its_reason():
    document = Document.of("Gulls slept on the old pier of the town.", language="en")
    assert picked(document, 12, **PLAIN, position="none").reasons == {0: ("adds “Gulls slept” and “old pier”",)}


def test_negative_options_are_refused():
    with pytest.raises(PresetError, match="weight"):
        sentence_rankers.make("weighted_coverage", cue_weight=-1.0)


class TestGenres:
    def test_structure_decides_first(self):
        note = Document.of("The ferry came.")
        assert recognize_genre(note) == "article"
        assert recognize_genre(join([note, note])) == "cluster"
        talk = Document.of("ANN: Good morning.\nBEN: Morning.\nANN: The ferry is late.\nBEN: It is.\nANN: Well.")
        assert recognize_genre(talk) == "dialogue"
        assert recognize_genre(Document.of("\n".join([talk.text] * 60))) == "transcript"

    def test_a_short_text_with_cue_phrases_is_an_abstract(self):
        text = "Ferries are slow. We propose a faster ferry. Our results show that it saves an hour."
        assert recognize_genre(Document.of(text, language="en")) == "abstract"
        assert recognize_genre(Document.of(f"{text} " * 25, language="en")) == "article"

    @pytest.mark.parametrize(
        "news",
        [
            "Ferries are slow, experts said. We propose a faster ferry, they said.",
            "The aim of the strike is to close the harbour. It begins on Monday.",
            "TREMOUTH, May 3 (Wire) - A novel ferry came to the harbour. It is slow.",
            "TREMOUTH — The aim of the inspection was a report.",
            "(Wire) -- A novel ferry came to the harbour.",
        ],
    )
    def test_what_is_reported_is_news_and_no_abstract(self, news):
        assert recognize_genre(Document.of(news, language="en")) == "article"

    @pytest.mark.parametrize("unit", ["A", "AB ", "A.-", "Ab ", "AB/", "(Aa", "AB, "])
    def test_a_wall_of_capitals_has_no_dateline(self, unit):
        assert not has_dateline(unit * 20_000)

    def test_chinese_news(self):
        report = "研究表明渡轮很慢。新渡轮将于夏天启用。"
        assert recognize_genre(Document.of(report, language="zh")) == "abstract"
        assert recognize_genre(Document.of(f"本报讯 {report}", language="zh")) == "article"

    def test_long_texts(self):
        dialogue = '"I saw him," she said. He took my hand and gave me the key. '
        assert recognize_genre(Document.of(dialogue * 120, language="en")) == "story"
        assert recognize_genre(Document.of(dialogue * 20, language="en")) == "article"
        assert recognize_genre(Document.of("The ferry carries salt and bread. " * 400, language="en")) == "paper"
        assert recognize_genre(Document.of("„Komm“, sagte der Fährmann. Es war spät. " * 300, language="de")) == "story"

    def test_sections_make_a_paper(self):
        text = "Ferries are slow. We timed them. They were late. That is all."
        starts = [text.index(word) for word in ("Ferries", "We", "They", "That")]

        def genre(*names):
            sections = [Section(name, start, start + 5) for name, start in zip(names, starts, strict=True)]
            return recognize_genre(Document.of(text, language="en", sections=sections))

        assert genre("1 Introduction", "2. Methods", "III Results", "Thanks") == "paper"
        assert genre("Shopping", "Garden", "House", "Results of the race") == "article"


class TestAdaptive:
    STORM = "The storm broke the mooring lines. The pilot called two tugs. Nobody was hurt. The tugs held the tanker."

    def test_each_genre_has_its_own_method(self):
        document = Document.of(self.STORM, language="en")
        for genre, kind in (("article", "weighted_coverage"), ("story", "luhn")):
            summary = picked(document, 12, "adaptive", genre=genre, story={"kind": "luhn"})
            alone = PartialSummary(document, Limits(words=12))
            if kind == "luhn":
                for index in sentence_rankers.make("luhn").rank(document).order:
                    alone.add(index)
            else:
                sentence_rankers.make(kind).pick(document, alone)
            assert summary.selected == alone.selected
            assert summary.genre == genre

    def test_the_summary_names_its_genre(self):
        summarize = nutgraf.load("adaptive")
        assert summarize(self.STORM, words=12).genre == "article"
        assert summarize([self.STORM, f"{self.STORM} Rain fell."], words=12).to_json()["genre"] == "cluster"
        story = nutgraf.load("adaptive", ["extractive.genre=story"])
        assert story(self.STORM, words=12).genre == "story"

    def test_without_a_length_an_eighth_between_60_and_250_words(self):
        summarize = nutgraf.load("adaptive")
        sentence = "Pilot number {} guided the {} tanker to the quay of the {} town."
        for count, bounds in ((20, (46, 60)), (60, (91, 105)), (400, (236, 250))):
            names = [(number, f"name{number}", f"town{number}") for number in range(count)]
            summary = summarize(" ".join(sentence.format(*one) for one in names))
            assert bounds[0] <= summary.words <= bounds[1]

    def test_a_text_of_one_long_sentence_is_kept_whole(self):
        text = "The pilot " + "very " * 70 + "slowly guided the tanker to the quay of the old town."
        assert nutgraf.load("adaptive")(text).words == 83

    def test_documents_keep_their_order(self):
        summarize = nutgraf.load("adaptive")
        summary = summarize([self.STORM, "The town bought a second tug. The storm settled it."], words=30)
        places = [(one.origins[0].source, one.origins[0].start) for one in summary]
        assert places == sorted(places)
