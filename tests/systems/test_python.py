"""A system in Python: several texts, threads, event loops, pickles, notebooks."""

from __future__ import annotations

import asyncio
import io
import json
import pickle
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import nutgraf
from nutgraf.errors import BudgetError, InputError, NutgrafError, PresetError
from nutgraf.presets import names
from nutgraf.readers import read_text
from nutgraf.readers.reading import read_data
from nutgraf.report import render
from nutgraf.systems import lacking
from nutgraf.systems import read_preset as read
from nutgraf.text.document import Document
from nutgraf.text.formats import formatted
from nutgraf.text.summary import Budget, Summary

TEXTS = [
    "The tug came at noon. The pilot called the harbour. Nobody was hurt.",
    "A storm broke the mast near the rock. The crew went home by train.",
    "The bridge is closed until May. Walkers cross by a small boat.",
]
READY = [name for name in names() if not lacking(read(name))]


@pytest.fixture(scope="module")
def summarize() -> nutgraf.systems.System:
    return nutgraf.load("mls_plus")


class TestSeveral:
    def test_many_takes_what_one_takes_and_says_how_far_it_is(self, summarize, tmp_path: Path) -> None:
        path = tmp_path / "third.txt"
        path.write_text(TEXTS[2])
        counts: list[int] = []
        made = summarize.many([TEXTS[0], TEXTS[1].encode(), path], words=8, progress=counts.append)
        assert [str(one) for one in made] == [str(summarize(text, words=8)) for text in TEXTS]
        assert counts == [1, 2, 3]

    def test_in_the_place_of_a_summary_that_cannot_be_made_stands_why(self, summarize, tmp_path: Path) -> None:
        first, second, third = summarize.many([tmp_path / "missing.txt", TEXTS[0], ""], words=6)
        assert isinstance(first, InputError)
        assert isinstance(second, Summary)
        assert isinstance(third, InputError)
        assert all(isinstance(one, BudgetError) for one in summarize.many(TEXTS, words=1))

    def test_a_stream_takes_documents_as_it_needs_them(self, summarize) -> None:
        taken: list[str] = []

        def texts() -> Iterator[str]:
            for text in TEXTS:
                taken.append(text)
                yield text

        stream = summarize.stream(texts(), words=8)
        assert str(next(stream)) == str(summarize(TEXTS[0], words=8))
        assert taken == TEXTS[:1]
        assert len(list(stream)) == 2

    def test_one_text_is_not_several(self, summarize) -> None:
        with pytest.raises(InputError, match="documents"):
            summarize.many(TEXTS[0])

    def test_a_length_that_none_can_have_is_told_at_once(self, summarize) -> None:
        with pytest.raises(BudgetError):
            summarize.stream(TEXTS, words=0)


class TestSharing:
    @pytest.mark.parametrize("name", READY)
    def test_a_system_can_be_pickled_before_and_after_its_first_call(self, name: str) -> None:
        system = nutgraf.load(name)
        before = pickle.loads(pickle.dumps(system))
        summary = str(system(TEXTS, sentences=1))
        after = pickle.loads(pickle.dumps(system))
        assert str(before(TEXTS, sentences=1)) == str(after(TEXTS, sentences=1)) == summary
        assert before.signature == after.signature == system.signature

    def test_threads_may_share_a_system(self, summarize) -> None:
        documents = [Document.of(text) for text in TEXTS * 7]
        expected = [str(summarize(document, words=8)) for document in documents]
        with ThreadPoolExecutor(7) as pool:
            assert list(pool.map(lambda document: str(summarize(document, words=8)), documents)) == expected

    def test_a_network_may_be_shared_and_pickled(self, trained: Path) -> None:
        system = nutgraf.load(trained, device="cpu", threads=1)
        expected = [str(system(text)) for text in TEXTS]
        again = pickle.loads(pickle.dumps(system))
        with ThreadPoolExecutor(3) as pool:
            assert list(pool.map(lambda text: str(again(text)), TEXTS)) == expected

    def test_an_event_loop_goes_on(self, summarize) -> None:
        async def all_at_once() -> list[Summary]:
            return await asyncio.gather(*(summarize.call_async(text, words=8) for text in TEXTS))

        assert [str(one) for one in asyncio.run(all_at_once())] == [str(summarize(text, words=8)) for text in TEXTS]


class TestTheSummary:
    def test_its_repr_shows_nothing_of_the_input_but_its_size(self, summarize) -> None:
        text = "The pilot wore a borrowed coat. He wept."
        summary = summarize(nutgraf.Document.of(text, "tug.txt", language="en"), sentences=1)
        document = "document=Document(name='tug.txt', language='en', characters=40, sentences=2))"
        assert repr(summary) == f"Summary('The pilot wo...orrowed coat.', sentences=1, {document}"

    def test_it_has_a_length_and_can_be_iterated(self, summarize) -> None:
        summary = summarize(TEXTS, sentences=2)
        assert len(summary) == 2
        assert list(summary) == list(summary.sentences)

    def test_a_notebook_shows_it_and_a_page_explains_it(self, summarize) -> None:
        summary = summarize("A <b>bold</b> tug came. The pilot & the crew left.", sentences=2)
        shown = summary._repr_html_()
        assert "&lt;b&gt;bold" in shown
        assert "<b>" not in shown
        assert 'title="text, 0–' in shown
        assert render(summary).startswith("<!DOCTYPE html>")

    @pytest.mark.parametrize("how", [{"words": 12}, {"sentences": 2}, {"share": "1/2"}, {}])
    def test_its_json_can_be_read_again(self, summarize, how: dict[str, object]) -> None:
        summary = summarize([Document.of(text) for text in TEXTS], highlights=["small boat"], **how)
        again = Summary.loads(summary.dumps(), summary.document)
        assert again == replace(summary, ratings=None)
        assert again.dumps() == summary.dumps()

    def test_a_network_s_too(self, trained: Path) -> None:
        summary = nutgraf.load(trained)(TEXTS[0])
        assert Summary.loads(summary.dumps(), summary.document) == summary

    @pytest.mark.parametrize("text", ["", "[]", "{}", "null", '{"schema": "nutgraf.summary/9"}', "[" * 100_000])
    def test_other_json_is_refused(self, text: str) -> None:
        with pytest.raises(InputError, match="JSON"):
            Summary.loads(text, Document.of(TEXTS[0]))

    @pytest.mark.parametrize(
        ("field", "value", "message"),
        [
            ("sentences[0].text", 5, ".text"),
            ("sentences[0].operation", "stolen", "'copied', 'expanded', 'filled' or 'generated' is needed"),
            ("sentences[0].rating", "high", ".rating"),
            ("sentences[0].shares", {"theme": []}, ".shares.theme"),
            ("sentences[0].origins", None, ".origins"),
            ("sentences[0].origins[0].source", 7, ".origins"),
            ("sentences[0].reasons", "long", ".reasons"),
            ("phrases", [{"text": "tug"}], ".score"),
            ("cut", [3], "[0]"),
            ("cut", [{"source": 0, "start": 2, "end": 1, "words": 1, "rule": "x"}], "[0]"),
            ("notices", [None], "[0]"),
            ("genre", "poem", "'article'"),
            ("budget.sentences", 0, "0 sentences"),
        ],
    )
    def test_a_wrong_field_is_named(self, summarize, field: str, value: object, message: str) -> None:
        summary = summarize(TEXTS[0], sentences=1)
        data = summary.to_json()
        place, keys = data, re.findall(r"\w+", field)
        for key in keys[:-1]:
            place = place[int(key) if key.isdigit() else key]
        place[keys[-1]] = value
        with pytest.raises(InputError, match=re.escape(message)) as error:
            Summary.loads(json.dumps(data), summary.document)
        assert str(error.value).startswith("This is not the JSON of a summary: ")

    def test_it_is_read_with_its_document(self, summarize) -> None:
        with pytest.raises(InputError, match="Document"):
            Summary.loads(summarize(TEXTS[0], sentences=1).dumps(), TEXTS[0])

    @pytest.mark.parametrize("name", ["lead", "adaptive", "mls_plus"])
    def test_a_text_without_prose_is_told(self, name: str) -> None:
        system, notice = (
            nutgraf.load(name),
            "No prose was found in the input, so the summary is made of what else it holds.",
        )
        junk = "Click here to subscribe. All rights reserved. Sign up for our newsletter."
        assert notice in system(junk, sentences=1, language="en").notices
        assert notice in system.many([junk], sentences=1, language="en")[0].notices
        assert system(f"{junk} Ada wrote two long letters to the council.", sentences=1, language="en").notices == ()

    @pytest.mark.parametrize(
        "page",
        [
            "Home\nAbout us\nOur services and solutions\nContact\nCareers",
            "<html><body><nav><a>Home</a></nav><ul><li>About our team<li>Read our blog</ul></body></html>",
        ],
    )
    def test_menus_are_no_prose(self, page: str) -> None:
        notice = "No prose was found in the input, so the summary is made of what else it holds."
        assert notice in nutgraf.load()(page, sentences=1, language="en").notices

    def test_a_transcription_without_marks_is_prose(self) -> None:
        words = "we met at the harbour before noon and then the old ferry left with forty people on its deck"
        assert nutgraf.load()(words, sentences=1, language="en").notices == ()

    def test_another_document_is_refused(self, summarize) -> None:
        dumped = summarize(TEXTS[0], sentences=1).dumps()
        assert json.loads(dumped)["budget"]["share"] is None
        with pytest.raises(InputError, match="document"):
            Summary.loads(dumped, Document.of(TEXTS[1]))


class TestMistakes:
    @pytest.mark.parametrize("name", [7, None, ["mls_plus"]])
    def test_a_name_that_is_none(self, name: object) -> None:
        with pytest.raises(PresetError, match="system"):
            nutgraf.load(name)

    def test_overrides_are_several(self) -> None:
        with pytest.raises(PresetError, match=r"write \['magnifier.fill=true'\]"):
            nutgraf.load("mls_plus", "magnifier.fill=true")

    def test_a_missing_folder_is_called_a_missing_folder(self, tmp_path: Path) -> None:
        for name in (tmp_path / "kpat", str(tmp_path / "kpat")):
            with pytest.raises(InputError, match=r"\.toml"):
                nutgraf.load(name)

    @pytest.mark.parametrize(
        ("how", "message"),
        [
            ({"words": "5"}, "words is a whole number from 1 on, not '5'."),
            ({"words": 5.0}, "words is a whole number from 1 on, not 5.0."),
            ({"sentences": float("nan")}, "sentences is a whole number from 1 on, not nan."),
            ({"sentences": True}, "sentences is a whole number from 1 on, not True."),
            ({"characters": []}, "characters is a whole number from 1 on, not []."),
            ({"share": []}, "'[]' is not a share; write it as 1/8, 0.125 or 12.5%."),
            ({"query": 3}, "A question is a text (str), not int."),
            ({"highlights": 3}, "Highlights are a list of phrases, or a mapping to weights, not int."),
            ({"highlights": [3]}, "A highlight is a text (str), or a pair of a text and its weight, not int."),
            ({"highlights": [(2, "ferry")]}, "A highlight is a text (str), not int."),
            ({"highlights": {5: 1}}, "A highlight is a text (str), not int."),
            ({"language": 3}, "A language is a text (str), not int."),
        ],
    )
    def test_arguments_of_another_type(self, summarize, how: dict[str, object], message: str) -> None:
        with pytest.raises(NutgrafError) as error:
            summarize(TEXTS[0], **how)
        assert str(error.value) == message

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (lambda: Budget(share="1/8"), "The share of a budget is a Fraction, not str; Budget.of takes others."),
            (lambda: Document.of(3), "The content of a Document is a text (str), not int."),
            (lambda: Document.of("A.", name=3), "The name of a Document is a text (str), not int."),
            (lambda: read_data(b"A.", "a.txt", kind=3), "The name of a reader is a text (str), not int."),
            (lambda: nutgraf.rouge(3, "a"), "A text to score is a str or a list of sentences, not int."),
            (lambda: nutgraf.rouge("a", [["a", 3]]), "A sentence to score is a text (str), not int."),
            (lambda: nutgraf.load("lead", device="banana"), "There is no device 'banana'; there are auto, cpu, cuda, "),
            (lambda: nutgraf.load("lead", device=3), "There is no device 3; there are auto, cpu, cuda, "),
            (lambda: nutgraf.load("lead", threads=0), "The number of threads is a whole number from 1 on, not 0."),
            (lambda: nutgraf.load("lead", [3]), "Overrides are lines 'section.key=value', or a mapping of keys to "),
            (lambda: nutgraf.load("lead", {3: 1}), "Overrides are lines 'section.key=value', or a mapping of keys to "),
            (lambda: nutgraf.load("lead").many(3), "Several documents are needed, as a list"),
            (lambda: nutgraf.load("lead").many({"a": TEXTS[0]}), "Several documents are needed, as a list"),
            (lambda: nutgraf.load("lead").many(set(TEXTS)), "Several documents are needed, as a list"),
            (lambda: nutgraf.load("lead").many(io.StringIO(TEXTS[0])), "Several documents are needed, as a list"),
            (lambda: nutgraf.load(""), "The name of a system is empty; `nutgraf presets` lists those that there are."),
            (lambda: nutgraf.load("lead", trust="no"), "trust is True or False, not str."),
            (lambda: nutgraf.load("lead", deterministic=1), "deterministic is True or False, not int."),
            (lambda: nutgraf.read(None), "What is read is named by a str or a Path, not None."),
            (lambda: nutgraf.read(""), "The name of a file is empty; name a file"),
            (lambda: nutgraf.read("a.txt", fetch="no"), "fetch is True or False, not str."),
            (lambda: nutgraf.phrases(5), "The content of a Document is a text (str), not int."),
            (
                lambda: nutgraf.phrases("A.", top=10**30),
                "keyphrases.position_rank.top is too large; the most is 9,007,",
            ),
            (lambda: read_text(None, html=True), "The content of a Document is a text (str), not None."),
            (lambda: Document.of("A.", published=5), "The date of a Document is a text (str), not int."),
            (lambda: Document.of("A.").show(None), "show takes a Sentence, a Section or a pair of offsets, not None."),
            (lambda: formatted(None), "A Summary or an Outline"),
            (lambda: formatted(nutgraf.load("lead")(TEXTS[0]), "xx"), "No format 'xx'; there are paragraph, bullets,"),
            (lambda: render(None), "A page is made of a Summary"),
            (lambda: nutgraf.load("lead")(TEXTS[0]).phrases_in(None), "phrases_in takes a SummarySentence, not None."),
            (lambda: nutgraf.load("lead")(TEXTS[0]).mentions("tug"), "mentions takes a Phrase, not str."),
            (lambda: nutgraf.load("lead")(TEXTS[0]).place(3), "place takes an Origin, not int."),
            (lambda: nutgraf.load("lead")(TEXTS[0]).to_json(3), "Signals are a SourceSignals record or None, not int."),
            (
                lambda: nutgraf.load("lead").many(TEXTS, words=8, progress=3),
                "progress is a function or None",
            ),
            (lambda: nutgraf.load("lead").many(TEXTS, oracles=3), "Oracles are a list with the sentences of a summary"),
            (lambda: nutgraf.load("lead").many(TEXTS, oracles="It rained."), "Oracles are a list with the sentences"),
            (
                lambda: nutgraf.load("lead").many(TEXTS, oracles=["A.", "B."]),
                "An oracle is a list of sentences (str), not",
            ),
            (
                lambda: nutgraf.load("lead").many(TEXTS, oracles=[["A."], [3]]),
                "An oracle is a list of sentences (str), not",
            ),
            (lambda: nutgraf.load("lead").many(TEXTS, oracles=[["A."]]), "There are fewer oracles than documents."),
            (lambda: nutgraf.load("lead").many([], oracles=[["A."]]), "There are more oracles than documents."),
        ],
    )
    def test_what_is_of_another_type_elsewhere(self, call: Callable[[], object], message: str) -> None:
        with pytest.raises(NutgrafError) as error:
            call()
        assert str(error.value).startswith(message)

    def test_a_number_of_numpy_is_one(self, summarize) -> None:
        summary = summarize(TEXTS[0], words=np.int64(12))
        assert json.loads(summary.dumps())["budget"]["words"] == 12

    def test_a_device_that_is_not_there(self, trained: Path) -> None:
        with pytest.raises(InputError, match="'cuda:99'"):
            nutgraf.load(trained, device="cuda:99")
