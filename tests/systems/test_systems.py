"""Systems are made from presets; two stages are a system and the magnifier."""

from dataclasses import replace
from pathlib import Path

import pytest

import nutgraf
from nutgraf.datasets import Record
from nutgraf.errors import BudgetError, InputError, PresetError, UnknownName
from nutgraf.keyphrases import extractors
from nutgraf.systems.two_stage import as_prototype
from nutgraf.text.document import Document, Phrase, join
from nutgraf.text.summary import Budget, Origin, Summary, SummarySentence

STORY = """The harbour pilot guided the tanker. The tanker carried crude oil. A storm broke the mooring lines.
The pilot called two tugs. The tugs pushed the tanker against the quay. Nobody was hurt. Gulls watched from the roof.
The oil company thanked the pilot."""


class TestLoading:
    def test_a_name_that_is_not_there_is_told_with_the_nearest(self):
        with pytest.raises(UnknownName, match=r"'mls_pluss'.*'mls_plus'.*`nutgraf presets`"):
            nutgraf.load("mls_pluss")

    @pytest.mark.parametrize(
        ("overrides", "message"),
        [
            (
                ["system=three_stage"],
                r"'three_stage'.*'two_stage'.*fine_tuned",
            ),
            (
                ["selection.num_sentences=2"],
                r"'two_stage'.*'selection'.*'prototype'",
            ),
            (["sentences=2"], "'sentences'"),
            (["keyphrases=3"], r"\[keyphrases\] needs a 'kind'"),
            (["prototpe=lead"], "Did you mean 'prototype'"),
            (["prototype=sailence"], "No preset 'sailence'"),
            (["magnifier.fil=true"], "Did you mean 'fill'"),
            (["magnifier.kernels=5"], r"\[magnifier\.kernels\].*\[magnifier\.kernels\.keywords\]"),
            (["magnifier.kernels.topics=5"], r"\[magnifier\.kernels\]"),
            (
                ["magnifier.kernels.tpoics.weight=1"],
                r"'tpoics'.*'topics'",
            ),
            (["keyphrases.kind=rak"], r"'rak'.*'rake'"),
            (["seed=abc"], r"0.*'abc'"),
            (["seed=-1"], r"0.*-1"),
            (["seed=true"], "whole number"),
            (["magnifier.kernels.topics.seed=-1"], r"magnifier\.kernels\.topics\.seed = -1"),
        ],
    )
    def test_mistakes_are_told_when_a_system_is_made(self, overrides, message):
        with pytest.raises((PresetError, UnknownName), match=message):
            nutgraf.load("mls_plus", overrides)

    @pytest.mark.parametrize(
        ("override", "message"),
        [
            ("decoding.beam_sise=3", r"'beam_sise'.*'beam_size'"),
            ("decoding.beam_size=much", r"decoding\.beam_size.*'much'"),
        ],
    )
    def test_the_search_of_a_prototype_is_checked_whoever_writes_it(self, override, message):
        pytest.importorskip("torch")
        with pytest.raises(PresetError, match=message):
            nutgraf.load("mls", ["prototype=lex_rank", override])

    def test_a_search_is_refused_where_no_network_writes_the_prototype(self):
        message = "of 'mls_plus', 'salience', cannot be used. No network writes it, so decoding.beam_size would have no"
        with pytest.raises(PresetError, match=message):
            nutgraf.load("mls_plus", ["decoding.beam_size=3"])

    def test_two_stages_need_a_prototype_and_kernels(self, tmp_path):
        path = tmp_path / "mine.toml"
        path.write_text('system = "two_stage"\n')
        with pytest.raises(PresetError, match="needs 'prototype'"):
            nutgraf.load(path)
        path.write_text('system = "two_stage"\nprototype = "lead"\n')
        with pytest.raises(PresetError, match="kernels"):
            nutgraf.load(path)

    def test_no_preset_is_a_prototype_of_itself(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "mine.toml").write_text('extends = "mls_plus"\nprototype = "mine.toml"\n')
        with pytest.raises(PresetError, match="'mine'"):
            nutgraf.load("mine.toml")

    def test_the_extractor_is_made_once(self, monkeypatch):
        systems = [nutgraf.load(name, ["keyphrases.kind=text_rank"]) for name in ("lead", "mls_plus")]
        find = extractors.find
        monkeypatch.setattr(extractors, "find", lambda kind: None if kind == "text_rank" else find(kind))
        for system in systems:
            assert system(STORY, words=30).phrases

    def test_without_a_section_only_highlights_are_phrases(self):
        summary = nutgraf.load("lead")(STORY, highlights=["crude oil"])
        assert [phrase.text for phrase in summary.phrases] == ["crude oil"]
        assert [summary.phrases_in(sentence) for sentence in summary] == [(), ("crude oil",), ()]

    def test_phrases_are_searched_for_when_somebody_asks(self):
        asked = []
        summary = replace(nutgraf.load("lead")(STORY), find_phrases=lambda: asked.append(1) or [Phrase("Oil", 1.0)])
        assert summary.text
        assert not asked
        assert summary.phrases == summary.phrases == (Phrase("Oil", 1.0),)
        assert asked == [1]

    def test_a_sentence_carries_the_phrases_whose_words_it_has_in_any_form(self):
        phrases = (Phrase("crude oil", 2.0), Phrase("rude", 1.0), Phrase("tank ship", 1.0, forms=("tanker",)))
        summary = replace(nutgraf.load("lead")(STORY), find_phrases=lambda: phrases)
        assert summary.phrases_in(summary.sentences[1]) == ("crude oil", "tank ship")


class TestPrototypes:
    @pytest.fixture
    def counted(self, monkeypatch):
        """A two-stage system, and how many prototypes each call had its first stage write."""
        system, counts = nutgraf.load("mls_plus"), []
        written = system.prototype.summarize_all
        monkeypatch.setattr(
            system.prototype,
            "summarize_all",
            lambda asked, budget: counts.append(len(asked)) or written(asked, budget),
        )
        return system, counts

    def test_one_document_has_one_prototype_at_all_lengths(self, counted):
        system, counts = counted
        documents = [Document.of(STORY), Document.of(STORY[:200])]
        lengths = [system.many(documents, words=words) for words in (20, 30, 40)]
        assert counts == [2]
        fresh = nutgraf.load("mls_plus")
        assert [list(map(str, made)) for made in lengths] == [
            [str(fresh(document, words=words)) for document in documents] for words in (20, 30, 40)
        ]
        system.many([*documents, Document.of(STORY)], words=20)
        assert counts == [2, 1]

    def test_what_is_steered_is_written_anew_and_so_is_what_was_asked_before_fitting(self, counted):
        system, counts = counted
        document = Document.of(STORY)
        system(document, words=20)
        system(document, words=20, highlights=["crude oil"])
        system(document, words=20, highlights=["crude oil"])
        system.fit([Record("a", document, (("Two words.",),))])
        system(document, words=20)
        assert counts == [1, 1, 1, 1]

    def test_only_a_few_are_remembered(self, counted):
        system, counts = counted
        documents = [Document.of(STORY) for _ in range(9)]
        for document in (*documents, documents[0], documents[-1]):
            system(document, words=20)
        assert counts == [1] * 10


class TestSeeds:
    def test_the_presets_seed_reaches_what_draws(self):
        texts = {str(nutgraf.load("random", {"seed": seed})(STORY)) for seed in range(6)}
        assert len(texts) > 1

    def test_the_sections_own_seed_comes_first(self):
        both = nutgraf.load("random", {"seed": 1, "extractive.seed": 4})
        assert str(both(STORY)) == str(nutgraf.load("random", {"seed": 4})(STORY))

    def test_options_change_the_signature_and_words_about_them_do_not(self):
        plain = nutgraf.load("mls_plus").signature
        assert nutgraf.load("mls_plus", ["magnifier.fill=false"]).signature != plain
        assert nutgraf.load("mls_plus", ["title=Mine"]).signature == plain


class TestLengths:
    def test_one_length_at_most(self):
        with pytest.raises(BudgetError):
            nutgraf.load("lead")(STORY, words=5, sentences=2)

    @pytest.mark.parametrize("how", [{"words": 0}, {"words": -3}, {"sentences": 0}, {"share": 0}, {"share": "2"}])
    def test_lengths_that_no_summary_can_have(self, how):
        with pytest.raises(BudgetError):
            nutgraf.load("mls_plus")(STORY, **how)

    @pytest.mark.parametrize("share", ["an eighth", "", "1/0", "nan", "inf", "%"])
    def test_shares_that_are_none(self, share):
        with pytest.raises(BudgetError, match="write it as 1/8"):
            nutgraf.load("lead")(STORY, share=share)

    def test_a_long_budget_takes_all_there_is(self):
        assert nutgraf.load("mls_plus")(STORY, words=10_000).words == len(STORY.split())

    def test_the_natural_length_is_learned_from_references(self):
        records = [Record("1", Document.of(STORY), (("Two words.",), ("Four words are here.",)))]
        system = nutgraf.load("salience")
        before = system(STORY).words
        system.fit(records)
        assert before >= int(len(STORY.split()) / 8)
        assert len(system(STORY).sentences) == 1

    def test_learning_from_nothing_changes_nothing(self):
        system = nutgraf.load("salience")
        before = str(system(STORY))
        system.fit([])
        assert str(system(STORY)) == before


class TestTwoStages:
    def test_every_sentence_says_what_was_done_and_each_kernels_share(self):
        summary = nutgraf.load("mls_plus")(STORY, words=35)
        assert {sentence.operation for sentence in summary.sentences} <= {"copied", "expanded", "filled"}
        for sentence in summary.sentences:
            assert set(sentence.shares) == {"topics", "keywords", "redundancy"}
            assert (sentence.expands is not None) == (sentence.operation == "expanded")

    def test_the_prototype_may_come_from_any_system(self):
        for name in ("lead", "lex_rank", "random"):
            summary = nutgraf.load("mls_plus", {"prototype": name})(STORY, words=30)
            assert 0 < summary.words <= 30

    def test_mls_takes_an_extractive_prototype(self, tmp_path):
        """The three sentences that LexRank takes by default are the prototype, in full where the budget has room."""
        path = tmp_path / "mine.toml"
        path.write_text('extends = "mls"\nprototype = "lex_rank"\n')
        chosen = [sentence.text for sentence in nutgraf.load("lex_rank")(STORY).sentences]
        for system in (nutgraf.load(path), nutgraf.load("mls", ["prototype=lex_rank"])):
            assert system.prototype.preset.name == "lex_rank"
            assert [sentence.text for sentence in system(STORY).sentences] == chosen
            assert 0 < system(STORY, words=30).words <= 30

    @pytest.mark.parametrize(
        ("prototype", "message"),
        [
            ("pointer_generator", "of 'mls' is written by a network .*: nutgraf train pointer_generator "),
            ("mls_star", "of 'mls' is written by a network .*: nutgraf train mls_prototype_finetuning "),
            ("sailence", "of 'mls', 'sailence', cannot be used. No preset 'sailence'. Did you mean 'salience'"),
            ("./nowhere", "of 'mls', './nowhere', cannot be used. No folder"),
            ("./empty", "of 'mls', './empty', cannot be used. empty is not a trained model: preset.toml is missing"),
            ("mine.toml", "of 'mls', 'mine.toml', cannot be used. No preset 'sailence'"),
            ("two.toml", "of 'mls', 'two.toml', cannot be used. The preset 'two' is a prototype of itself"),
        ],
    )
    def test_a_prototype_that_cannot_be_used_is_told_by_the_name_that_was_asked_for(
        self, prototype, message, tmp_path, monkeypatch
    ):
        monkeypatch.chdir(tmp_path)
        Path("empty").mkdir()
        Path("mine.toml").write_text('extends = "mls"\nprototype = "sailence"\n')
        Path("two.toml").write_text('extends = "mls"\nprototype = "one.toml"\n')
        Path("one.toml").write_text('extends = "mls"\nprototype = "two.toml"\n')
        with pytest.raises((PresetError, InputError), match=f"{message}"):
            nutgraf.load("mls", {"prototype": prototype})

    def test_sentences_are_as_many_as_asked(self):
        assert len(nutgraf.load("mls_plus")(STORY, sentences=5).sentences) == 5

    def test_a_prototype_keeps_the_place_of_its_sentences(self):
        document = join([Document.of("Ada came. Bob left."), Document.of("Cy slept. Dan ran.")])
        draft = Summary(
            sentences=(
                SummarySentence("Cy slept.", "copied", (Origin(1, 0, 9),)),
                SummarySentence("Bob and Dan went.", "generated", (Origin(0, 10, 19), Origin(1, 10, 18))),
                SummarySentence("All is well.", "generated", ()),
            ),
            document=document,
            budget=Budget(),
            signature="",
        )
        places = [(sentence.source, sentence.place) for sentence in as_prototype(draft)]
        assert places == [(2, 2), (None, 1), (None, 0)]


class TestNotices:
    def test_what_the_reader_found_odd_is_passed_on(self):
        document = Document.of(STORY, notices=["harbour.txt: one byte was odd."])
        for name in ("lead", "mls_plus"):
            assert any("harbour.txt" in notice for notice in nutgraf.load(name)(document).notices)

    def test_a_highlight_that_does_not_occur(self):
        for name in ("lead", "mls_plus"):
            assert nutgraf.load(name)("The tug came.", highlights=["whale"]).notices[-1:] == (
                "The highlight 'whale' does not occur in the document.",
            )

    def test_a_list_within_a_list_is_no_document(self):
        with pytest.raises(InputError, match="not list"):
            nutgraf.load("lead")([["The tug came."]])
