"""Data sets: each corpus's conventions, on examples of our own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from json_lines import write_lines
from nutgraf.datasets import Record, datasets
from nutgraf.datasets.cnn_dailymail import token_sentences
from nutgraf.datasets.multi_news import articles
from nutgraf.datasets.pubmed import common_sections, prepare, section_class, up_to_conclusion, without_leaks
from nutgraf.errors import InputError, PresetError

ENTRY = {
    "id": "x1",
    "documents": ['" bread is old , " he said . " is it ? it is . " she left .'],
    "summary": "bread is old . she left .",
    "summary_sents": ["bread is old .", "she left ."],
}

ABSTRACT = "Bread was baked at night. It rose well. We find that rye is sour."
BODY = [
    ("Abstract", "Bread was baked at night."),
    ("1. Introduction", "Bread was baked at night. It rose well. Nobody knows why dough rises."),
    ("Materials and methods", "We baked nine loaves."),
    ("Funding", "The mill paid."),
    ("Baking procedure", "The oven was hot."),
    ("Results", "Rye rose least."),
    ("Conclusions", "Rye is sour."),
    ("Discussion", "Who would have thought it."),
]


PAIRS = [
    ("multi_news", "val.src", "val.tgt"),
    ("cnn_dailymail", "val.txt.src", "val.txt.tgt.tagged"),
    ("gigaword", "valid.article.filter.txt", "valid.title.filter.txt"),
    ("duc2004", "input.txt", "task1_ref0.txt"),
]
"""Corpora in pairs of files, by kind."""


def records(tmp_path: Path, kind: str, *entries: dict[str, Any], **options: Any) -> list[Record]:
    path = tmp_path / "data.jsonl"
    write_lines(path, entries)
    return list(datasets.make(kind, **options).read(path))


class TestJsonl:
    def test_all_that_an_entry_may_hold(self, tmp_path: Path) -> None:
        (record,) = records(
            tmp_path,
            "jsonl",
            {
                "id": "a-7",
                "documents": ["Rye is dark. It is sour.", "Wheat is light."],
                "summary": "Bread differs.",
                "summaries": ["Bread differs. It does.", "Rye is not wheat."],
                "headline": "Bread",
                "query": "What is rye?",
            },
        )
        assert (record.id, record.headline, record.query) == ("a-7", "Bread", "What is rye?")
        assert record.document.printed == ["Rye is dark.", "It is sour.", "Wheat is light."]
        assert len(record.document.parts) == 2
        assert record.references == (("Bread differs.", "It does."), ("Rye is not wheat.",))

    def test_sentences_that_are_known_are_not_split_again(self, tmp_path: Path) -> None:
        entry = {"text": "Rye.", "summary": "a . b . c .", "summary_sents": ["a . b .", "c ."]}
        assert records(tmp_path, "jsonl", entry)[0].references == (("a . b .", "c ."),)

    def test_without_a_summary_there_is_no_reference_and_the_line_is_the_name(self, tmp_path: Path) -> None:
        one, two = records(tmp_path, "jsonl", {"text": "Rye."}, {"text": "Wheat."})
        assert (one.references, one.id, two.id) == ((), "1", "2")

    def test_sections_are_kept(self, tmp_path: Path) -> None:
        (record,) = records(tmp_path, "jsonl", {"sections": [{"name": "Rye", "text": "It is dark."}]})
        assert [section.name for section in record.document.sections] == ["Rye"]

    def test_the_language_can_be_said(self, tmp_path: Path) -> None:
        (record,) = records(tmp_path, "jsonl", {"text": "Brot ist gut."}, language="de")
        assert record.document.language == "de"


class TestCnnDailymail:
    def test_an_article_and_its_highlights(self, tmp_path: Path) -> None:
        (record,) = records(tmp_path, "cnn_dailymail", ENTRY)
        assert record.document.printed == ['" bread is old , " he said .', '" is it ?', 'it is . "', "she left ."]
        assert record.references == (("bread is old .", "she left ."),)

    def test_highlights_may_be_lines(self, tmp_path: Path) -> None:
        (record,) = records(tmp_path, "cnn_dailymail", {"article": "a b .", "highlights": "bread is old .\nshe left ."})
        assert record.references == (("bread is old .", "she left ."),)

    def test_a_summary_that_is_not_split_is_split_at_its_tokens(self, tmp_path: Path) -> None:
        (record,) = records(tmp_path, "cnn_dailymail", {"article": "a b .", "summary": "bread is old . she left ."})
        assert record.references == (("bread is old .", "she left ."),)

    @pytest.mark.parametrize(
        ("text", "split"),
        [
            ("a b . c d ! e f ? g", ["a b .", "c d !", "e f ?", "g"]),
            ("`` a . '' b .", ["`` a . ''", "b ."]),
            ("( a . ) b .", ["( a . )", "b ."]),
            ("the u.s. won . it did", ["the u.s. won .", "it did"]),
            ("a . . b .", ["a . .", "b ."]),
            ("the girls ' bread . ' good , ' they said .", ["the girls ' bread .", "' good , ' they said ."]),
            (". a .", [".", "a ."]),
            ("", []),
        ],
    )
    def test_sentences_end_at_end_tokens_and_what_closes_after_them(self, text: str, split: list[str]) -> None:
        assert [text[start:end] for start, end in token_sentences(text)] == split

    def test_two_articles_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"data\.jsonl.*line 1"):
            records(tmp_path, "cnn_dailymail", {"documents": ["a .", "b ."]})


class TestMultiNews:
    def test_articles_on_one_line(self) -> None:
        line = "Rye. NEWLINE_CHAR NEWLINE_CHAR It is dark. ||||| Wheat. ||||| |||||"
        assert articles(line) == ["Rye.\n\nIt is dark.", "Wheat."]
        assert articles("rye . story_separator_special_tag wheat .") == ["rye .", "wheat ."]

    def test_pairs_of_files(self, tmp_path: Path) -> None:
        (tmp_path / "val.src").write_text("Rye is dark. ||||| Wheat is light. |||||\nOats. ||||| Oatmeal.\n")
        (tmp_path / "val.tgt").write_text("– Bread differs. So it is.\n– Oats are oats.\n")
        one, two = datasets.make("multi_news").read(tmp_path / "val.src")
        assert [one.document.show(part) for part in one.document.parts] == ["Rye is dark.", "Wheat is light."]
        assert one.references == (("– Bread differs.", "So it is."),)
        assert two.id == "2"

    @pytest.mark.parametrize(("kind", "source", "target"), PAIRS)
    @pytest.mark.parametrize("broken", [0, 1])
    def test_a_pair_that_cannot_be_read_costs_no_other_pair(
        self, tmp_path: Path, kind: str, source: str, target: str, broken: int
    ) -> None:
        for number, name in enumerate((source, target)):
            second = b"Wh\xe9at." if number == broken else b"Wheat."
            (tmp_path / name).write_bytes(b"Rye.\n" + second + b"\nOats.\n")
        rows = list(datasets.make(kind).rows(tmp_path / source))
        assert [isinstance(row.content, InputError) for row in rows] == [False, True, False]
        with pytest.raises(InputError, match=rf"{(source, target)[broken]}.*line 2.*UTF-8"):
            _ = rows[1].entry

    def test_pairs_of_unequal_length_are_refused(self, tmp_path: Path) -> None:
        (tmp_path / "val.src").write_text("Rye.\nWheat.\n")
        (tmp_path / "val.tgt").write_text("Bread.\n")
        with pytest.raises(InputError, match="longer"):
            list(datasets.make("multi_news").read(tmp_path / "val.src"))

    def test_json_lines(self, tmp_path: Path) -> None:
        whole = {"documents": ["Rye is dark.", "", "Wheat is light."], "summary": "Bread."}
        line = {"document": "Rye is dark. ||||| Wheat is light.", "summary": "Bread."}
        for record in records(tmp_path, "multi_news", whole, line):
            assert [record.document.show(part) for part in record.document.parts] == ["Rye is dark.", "Wheat is light."]

    def test_clusters_of_one_article_or_more_than_ten_are_skipped(self, tmp_path: Path) -> None:
        """An article that is only a button of a web page does not count."""
        clusters = [["Rye."], ["Rye.", "share on facebook"], ["Rye."] * 2, ["Rye."] * 10, ["Rye."] * 11]
        write_lines(tmp_path / "data.jsonl", [{"documents": one, "summary": "Bread."} for one in clusters])
        dropped: list[str] = []
        kept = datasets.make("multi_news").read(tmp_path / "data.jsonl", dropped.append)
        assert [len(record.document.parts) for record in kept] == [2, 10]
        assert dropped == ["fewer than 2 articles", "fewer than 2 articles", "more than 10 articles"]
        every = datasets.make("multi_news", document_range=[1, 11])
        assert [len(record.document.parts) for record in every.read(tmp_path / "data.jsonl")] == [1, 1, 2, 10, 11]

    def test_a_range_is_two_numbers(self) -> None:
        for wrong in ([2], [3, 2], [0, 2]):
            with pytest.raises(PresetError, match="document_range"):
                datasets.make("multi_news", document_range=wrong)


class TestPubmed:
    @pytest.mark.parametrize(
        ("name", "title"),
        [
            ("II. Background", "introduction"),
            ("Results and discussion", "results"),
            ("Discussion and conclusion", "conclusion"),
            ("Patients", "methods"),
            ("Case presentation", "case report"),
            ("Statistical analysis", "analysis"),
            ("Acknowledgements", None),
        ],
    )
    def test_names_fall_into_seven_classes(self, name: str, title: str | None) -> None:
        assert section_class(name) == title

    def test_leaked_abstracts_go(self) -> None:
        kept = without_leaks(BODY, ABSTRACT)
        assert kept[0] == ("1. Introduction", "Nobody knows why dough rises.")

    def test_a_sentence_of_the_abstract_further_down_stays(self) -> None:
        body = [("Introduction", "Nobody knows why dough rises. Bread was baked at night.")]
        assert without_leaks(body, ABSTRACT) == body

    def test_a_beginning_may_hold_a_fifth_of_other_sentences(self) -> None:
        four = "One came. Two came. Three came. Four came."
        body = [("", "One came. Two came. New it is. Three came. Four came. The body begins.")]
        assert without_leaks(body, four) == [("", "The body begins.")]

    def test_what_follows_the_conclusion_is_dropped(self) -> None:
        assert [name for name, _ in up_to_conclusion(BODY)][-1] == "Conclusions"

    def test_common_sections_are_merged_in_their_order(self) -> None:
        assert common_sections(BODY[2:]) == [
            ("methods", "We baked nine loaves. The oven was hot."),
            ("results", "Rye rose least."),
            ("conclusion", "Rye is sour."),
            ("discussion", "Who would have thought it."),
        ]

    def test_a_paper_without_common_sections_is_one(self) -> None:
        assert common_sections([("Rye", "It is sour."), ("Oats", "They are not.")]) == [
            ("", "It is sour. They are not.")
        ]

    def test_the_steps_together(self) -> None:
        assert [name for name, _ in prepare(BODY, ABSTRACT)] == [
            "introduction",
            "methods",
            "results",
            "conclusion",
        ]

    def test_both_forms_of_a_paper_are_read_alike(self, tmp_path: Path) -> None:
        named = {
            "id": "p",
            "sections": [{"name": name, "text": text} for name, text in BODY],
            "summary": ABSTRACT,
        }
        released = {
            "article_id": "p",
            "sections": [[text] for _, text in BODY],
            "section_names": [name for name, _ in BODY],
            "abstract_text": [f"<S> {sentence}. </S>" for sentence in ABSTRACT.rstrip(".").split(". ")],
        }
        one, other = records(tmp_path, "pubmed", named, released, abstract_range=[5, 500])
        assert one == other
        assert [section.name for section in one.document.sections] == [
            "introduction",
            "methods",
            "results",
            "conclusion",
        ]
        assert one.references == (("Bread was baked at night.", "It rose well.", "We find that rye is sour."),)

    def test_papers_outside_the_bounds_are_passed_over(self, tmp_path: Path) -> None:
        entry = {"sections": [{"name": "Results", "text": "One. Two. Three."}], "summary": "word " * 50}
        assert len(records(tmp_path, "pubmed", entry)) == 1
        assert records(tmp_path, "pubmed", {**entry, "summary": "word " * 49}) == []
        assert records(tmp_path, "pubmed", {**entry, "summary": "word " * 501}) == []
        assert records(tmp_path, "pubmed", entry, max_sentences=2) == []


def test_lines_are_read_as_they_are_needed(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text(json.dumps({"text": "Rye."}) + "\nbroken\n")
    lines = datasets.make("jsonl").read(path)
    assert next(lines).document.text == "Rye."
    with pytest.raises(InputError, match="line 2"):
        next(lines)
