"""The small corpora of MLS and those that stand for them: the forms in which people have them, and their split."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from json_lines import write_lines
from nutgraf.datasets import Record, datasets
from nutgraf.errors import InputError
from nutgraf.evaluation.plan import Plan

NAMES = [f"W{number:02}-1001" for number in range(20)]

STORY = {
    "metadata": {"passage_id": "9", "uid": "u", "license": "ours"},
    "document": "Ada baked rye. It was dark.",
    "questions": [
        {
            "question_text": "What is the plot of the story?",
            "question_number": 1,
            "responses": [{"response_text": "Ada bakes. It is dark."}, {"response_text": "Rye is baked."}],
        },
        {"question_text": "Who is Ada?", "question_number": 2, "responses": [{"response_text": "A baker."}]},
    ],
}

PAPER = """<PAPER><S sid="0">On Rye</S><ABSTRACT><S sid="1">Rye is dark.</S></ABSTRACT>
<SECTION title="Loaves" number="1"><S sid="2">We baked <i>nine</i> loaves.</S><S sid="3"> </S></SECTION></PAPER>"""


def records(kind: str, path: Path, **options: Any) -> list[Record]:
    return list(datasets.make(kind, **options).read(path))


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


class TestSquality:
    def test_a_story_as_it_was_released(self, tmp_path: Path) -> None:
        write_lines(tmp_path / "train.jsonl", [STORY])
        (plot,) = records("squality", tmp_path / "train.jsonl")
        assert (plot.id, plot.query) == ("9-1", "What is the plot of the story?")
        assert plot.document.printed == ["Ada baked rye.", "It was dark."]
        assert plot.references == (("Ada bakes.", "It is dark."), ("Rye is baked.",))
        assert [one.id for one in records("squality", tmp_path / "train.jsonl", questions="all")] == ["9-1", "9-2"]

    def test_questions_on_details_are_passed_over_with_a_reason(self, tmp_path: Path) -> None:
        write_lines(tmp_path / "train.jsonl", [STORY])
        why: list[str] = []
        assert len(list(datasets.make("squality").read(tmp_path / "train.jsonl", why.append))) == 1
        assert why == ["a question on a detail"]

    def test_one_question_a_line(self, tmp_path: Path) -> None:
        line = {"id": "9-1", "documents": ["Ada baked."], "query": "What is the PLOT?", "summaries": ["She bakes."]}
        write_lines(tmp_path / "a.jsonl", [line, {**line, "id": "9-2", "query": "Who is Ada?"}])
        (plot,) = records("squality", tmp_path / "a.jsonl")
        assert (plot.id, plot.references) == ("9-1", (("She bakes.",),))

    def test_references_alone_together_or_each(self, tmp_path: Path) -> None:
        write_lines(tmp_path / "train.jsonl", [STORY])
        path = tmp_path / "train.jsonl"
        counts = {
            asked: [len(one.references) for one in records("squality", path, references=asked)]
            for asked in ("first", "all", "each")
        }
        assert counts == {"first": [1], "all": [2], "each": [1, 1]}

    def test_a_story_that_is_none_is_named(self, tmp_path: Path) -> None:
        write_lines(tmp_path / "a.jsonl", [{"questions": [], "metadata": {}}])
        with pytest.raises(InputError, match=r"a\.jsonl.*line 1.*SQuALITY"):
            records("squality", tmp_path / "a.jsonl")

    def test_after_a_story_that_is_none_the_next_ones_are_read(self, tmp_path: Path) -> None:
        write_lines(tmp_path / "a.jsonl", [{**STORY, "questions": [7]}, STORY])
        broken, *rows = datasets.make("squality").rows(tmp_path / "a.jsonl")
        assert isinstance(broken.content, InputError)
        assert [(row.number, row.entry["id"]) for row in rows] == [(2, "9-1"), (2, "9-2")]


class TestScisummnet:
    def test_a_paper_of_the_release(self, tmp_path: Path) -> None:
        xml = write(tmp_path / "top" / "P9" / "Documents_xml" / "P9.xml", PAPER)
        write(tmp_path / "top" / "P9" / "summary" / "P9.gold.txt", "On Rye\nRye is dark.\nNine loaves were baked.\n")
        write(tmp_path / "top" / "P9" / "citing_sentences_annotated.json", "[]")
        (paper,) = records("scisummnet", xml)
        assert (paper.id, paper.headline) == ("P9", "On Rye")
        assert [section.name for section in paper.document.sections] == ["Abstract", "Loaves"]
        assert paper.document.printed == ["Rye is dark.", "We baked nine loaves."]
        assert paper.references == (("Rye is dark.", "Nine loaves were baked."),)
        assert datasets.make("scisummnet").files(tmp_path) == [xml]  # type: ignore[attr-defined]

    def test_a_broken_paper_and_one_without_a_summary_are_named(self, tmp_path: Path) -> None:
        broken = write(tmp_path / "P9" / "Documents_xml" / "P9.xml", "<PAPER>")
        with pytest.raises(InputError, match=r"P9\.xml is not valid XML"):
            records("scisummnet", broken)
        write(broken, PAPER)
        with pytest.raises(InputError, match=r"P9\.gold\.txt"):
            records("scisummnet", broken)


class TestMsrNarrative:
    @pytest.fixture
    def story(self, tmp_path: Path) -> Path:
        for annotator, text in (("2", "She baked."), ("1", "Ada baked rye.")):
            write(tmp_path / f"annotator_{annotator}" / "abstractive" / "s7.abstractive", text + "\n")
        return write(tmp_path / "narrative" / "s7.story", "Ada baked rye.\nIt was dark.\n")

    def test_a_story_has_the_summary_of_its_first_annotator(self, story: Path) -> None:
        (record,) = records("msr_narrative", story)
        assert (record.id, record.document.printed) == ("s7", ["Ada baked rye.", "It was dark."])
        assert record.references == (("Ada baked rye.",),)

    def test_or_all_of_them(self, story: Path) -> None:
        (record,) = records("msr_narrative", story, references="all")
        assert record.references == (("Ada baked rye.",), ("She baked.",))


def test_an_essay_and_its_summary(tmp_path: Path) -> None:
    essay = write(tmp_path / "essays" / "ada.txt", "Machines bake. Do they think?")
    write(tmp_path / "summaries" / "ada.txt", "They bake.")
    (record,) = records("thinking_machines", essay)
    assert (record.id, record.references) == ("ada", (("They bake.",),))
    assert record.document.printed == ["Machines bake.", "Do they think?"]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Twenty papers in two files, and one without text."""
    lines = [{"id": name, "text": f"Rye number {name} is dark.", "summary": "Rye."} for name in NAMES]
    (tmp_path / "corpus").mkdir()
    write_lines(tmp_path / "corpus" / "train.jsonl", [*lines[:13], {"id": "x", "text": "", "summary": "Rye."}])
    write_lines(tmp_path / "corpus" / "validation.jsonl", lines[13:])
    return tmp_path / "corpus"


@pytest.mark.parametrize("kind", ["squality", "scisummnet", "msr_narrative", "thinking_machines"])
def test_all_files_are_split_25_10_65_and_what_has_no_text_is_counted(kind: str, corpus: Path) -> None:
    dataset = datasets.make(kind)
    parts = dataset.splits(corpus)
    ids = {name: [one.id for one in dataset.examples(part)] for name, part in parts.items()}
    assert [len(ids[name]) for name in ("train", "validation", "test")] == [5, 2, 13]
    assert sorted(chain.from_iterable(ids.values())) == NAMES
    assert parts["train"].missing == {"no text": 1}
    assert "25/10/65" in parts["test"].how


def test_networks_are_trained_on_the_part_that_systems_are_evaluated_beside(corpus: Path) -> None:
    """`prepare` never takes an example for training that `evaluate --part test` evaluates on."""
    parts = datasets.make("scisummnet").splits(corpus)
    trained = [one.id for one in datasets.make("scisummnet").examples(parts["train"])]
    found = Plan(["lead"], str(corpus), [], kind="scisummnet", part="test").examples()
    assert [one.id for one in found.training] == trained
    assert not set(trained) & {one.id for one in found.records}
    assert (len(found.records), found.dropped) == (13, {"no text": 1})
    # One file of the same kind is split by the same rule.
    write_lines(corpus.parent / "all.jsonl", [{"id": name, "text": name, "summary": "Rye."} for name in NAMES])
    alone = Plan(["lead"], str(corpus.parent / "all.jsonl"), [], kind="scisummnet", part="test").examples()
    assert [one.id for one in alone.records] == [one.id for one in found.records]


def test_each_reference_an_example_changes_no_split(tmp_path: Path) -> None:
    lines = [{"id": name, "text": f"Rye {name}.", "summaries": ["Rye.", "Dark."]} for name in NAMES]
    write_lines(tmp_path / "data.jsonl", lines)
    for part in ("train", "validation", "test"):
        one, both = (
            [record.id for record in made.examples(made.splits(tmp_path)[part])]
            for made in (datasets.make("squality"), datasets.make("squality", references="each"))
        )
        assert [name for name in one for _ in range(2)] == both


def test_too_few_documents_are_counted(tmp_path: Path) -> None:
    write_lines(tmp_path / "data.jsonl", [{"id": name, "text": name, "summary": "Rye."} for name in NAMES[:5]])
    with pytest.raises(InputError, match=r"5 different documents.*25/10/65.*6"):
        datasets.make("squality").splits(tmp_path)


def test_a_folder_that_holds_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="corpus"):
        datasets.make("msr_narrative").splits(tmp_path)
