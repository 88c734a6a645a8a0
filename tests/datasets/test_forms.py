"""The forms in which people have corpora, and which part of them is what."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from json_lines import write_lines
from nutgraf.datasets import Dataset, Record, _cells, datasets
from nutgraf.datasets.cnn_dailymail import is_tokenized
from nutgraf.datasets.gigaword import BAD_WORDS
from nutgraf.datasets.multi_news import BOILERPLATE
from nutgraf.errors import InputError, PresetError

ROWS = [
    {"id": "a", "text": "Rye is dark. It is sour.", "summary": "Rye is sour."},
    {"id": "b", "text": 'Wheat, the "light" one,\nis light.', "summary": "Wheat is light."},
]


def listed(path: Path, kind: str = "jsonl", **options: Any) -> list[tuple[str, str, tuple[tuple[str, ...], ...]]]:
    made = datasets.make(kind, **({"language": "en", **options} if kind in ("jsonl", "csv", "parquet") else options))
    return [(record.id, record.document.text, record.references) for record in made.read(path)]


EXPECTED = [(row["id"], row["text"], ((row["summary"],),)) for row in ROWS]


class TestRows:
    def test_a_json_list(self, tmp_path: Path) -> None:
        (tmp_path / "data.json").write_text(json.dumps(ROWS, indent=2))
        assert listed(tmp_path / "data.json") == EXPECTED

    def test_json_lines_called_json(self, tmp_path: Path) -> None:
        (tmp_path / "data.json").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
        assert listed(tmp_path / "data.json") == EXPECTED

    @pytest.mark.parametrize(("name", "comma"), [("data.csv", ","), ("data.tsv", "\t")])
    def test_a_table_with_quotes_and_line_breaks(self, tmp_path: Path, name: str, comma: str) -> None:
        cells = [["id", "text", "summary"], *([row["id"], row["text"], row["summary"]] for row in ROWS)]
        quoted = [comma.join('"' + cell.replace('"', '""') + '"' for cell in line) for line in cells]
        (tmp_path / name).write_text("\n".join(quoted) + "\n")
        assert listed(tmp_path / name, "csv") == EXPECTED

    @pytest.mark.parametrize("row", ["a,b", "a,b,c,d"])
    def test_a_row_of_another_width_is_named(self, tmp_path: Path, row: str) -> None:
        (tmp_path / "data.csv").write_text(f"id,text,summary\na,Rye.,Rye.\n{row}\n")
        with pytest.raises(InputError, match=r"data\.csv.*line 3.*3"):
            listed(tmp_path / "data.csv", "csv")

    def test_after_a_row_that_cannot_be_read_the_next_ones_are(self, tmp_path: Path) -> None:
        table = [b"id,text", b'a,"Rye', b'is dark."', b"b", b"c,Wh\xe9at.", b'd,"Oats" x', b'e,"Corn.', b"f,Rice."]
        (tmp_path / "data.csv").write_bytes(b"\n".join(table) + b"\n")
        rows = list(datasets.make("csv").rows(tmp_path / "data.csv"))
        assert [row.number for row in rows] == [3, 4, 5, 6, 7, 8]
        assert [row.entry for row in (rows[0], rows[-1])] == [
            {"id": "a", "text": "Rye\nis dark."},
            {"id": "f", "text": "Rice."},
        ]
        said = ["not as many cells", "not UTF-8 text", "expected after", "opened in it that is never closed"]
        for row, reason in zip(rows[1:-1], said, strict=True):
            with pytest.raises(InputError, match=rf"line {row.number}: this .*{reason}"):
                _ = row.entry

    def test_many_open_quotes_do_not_cost_a_square(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(_cells, "_AGAIN", 3)
        (tmp_path / "data.csv").write_text("a,b\n" + 'a","\n' * 5)
        rows = list(_cells.table_rows(tmp_path / "data.csv", ","))
        # 6 lines are read, so 3 + 6 may be read again: 4 after the row in line 2, 3 after line 3, 2 after line 4.
        assert [number for number, _ in rows] == [1, 2, 3, 4, 5]
        left_out = ["up to 6" in str(found) for _, found in rows]
        assert left_out == [False, False, False, False, True]

    def test_two_columns_of_one_name_are_refused(self, tmp_path: Path) -> None:
        (tmp_path / "data.csv").write_text("id,text,,,text\na,Rye.,,,Wheat.\n")
        with pytest.raises(InputError, match=r"data\.csv.*line 1.*'text'"):
            listed(tmp_path / "data.csv", "csv")

    def test_a_long_cell(self, tmp_path: Path) -> None:
        (tmp_path / "data.csv").write_text(f"text,summary\n{'Rye. ' * 40_000},Rye.\n")
        assert len(listed(tmp_path / "data.csv", "csv")[0][1]) > 131_072

    def test_parquet(self, tmp_path: Path) -> None:
        arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        parquet.write_table(arrow.Table.from_pylist(ROWS), tmp_path / "data.parquet")
        assert listed(tmp_path / "data.parquet", "parquet") == EXPECTED

    @pytest.mark.parametrize(
        ("value", "said"), [(b"Rye.", "'text' holds bytes"), ([7], "'text', a list, holds a number")]
    )
    def test_a_column_that_holds_no_text(self, tmp_path: Path, value: object, said: str) -> None:
        arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        parquet.write_table(arrow.Table.from_pylist([{"text": value}]), tmp_path / "data.parquet")
        with pytest.raises(InputError, match=f"data.parquet, row 1: {said}, not a text"):
            listed(tmp_path / "data.parquet", "parquet")

    @pytest.mark.parametrize("writer", ["new_stream", "new_file"])
    def test_arrow(self, tmp_path: Path, writer: str) -> None:
        arrow, ipc = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.ipc")
        table = arrow.Table.from_pylist(ROWS)
        with (tmp_path / "data.arrow").open("wb") as file, getattr(ipc, writer)(file, table.schema) as sink:
            sink.write_table(table)
        assert listed(tmp_path / "data.arrow", "parquet") == EXPECTED

    @pytest.mark.parametrize("name", ["data.parquet", "data.arrow"])
    def test_damaged_columns_are_said(self, tmp_path: Path, name: str) -> None:
        pytest.importorskip("pyarrow")
        (tmp_path / name).write_bytes(b"PAR1 no more")
        with pytest.raises(InputError, match="read"):
            listed(tmp_path / name, "parquet")

    def test_without_pyarrow_the_command_that_installs_it_is_said(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "data.parquet").write_bytes(b"PAR1")
        monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
        with pytest.raises(InputError, match=r"pip install 'nutgraf\[parquet\]'"):
            listed(tmp_path / "data.parquet", "parquet")

    def test_fields_may_have_other_names(self, tmp_path: Path) -> None:
        write_lines(tmp_path / "data.jsonl", [{"key": "k", "body of it": ["Rye.", "Wheat."], "tldr": "Bread."}])
        (record,) = datasets.make(
            "jsonl", language="en", text_column="body of it", summary_column="tldr", id_column="key"
        ).read(tmp_path / "data.jsonl")
        assert (record.id, record.references, len(record.document.parts)) == ("k", (("Bread.",),), 2)

    @pytest.mark.parametrize("option", ["text_column", "summary_column"])
    def test_a_field_that_is_not_there_is_named(self, tmp_path: Path, option: str) -> None:
        write_lines(tmp_path / "data.jsonl", ROWS)
        with pytest.raises(InputError, match=r"line 1.*'tldr'"):
            listed(tmp_path / "data.jsonl", **{option: "tldr"})


class TestTexts:
    def test_a_line_that_cannot_be_read_stands_between_two_texts(self, tmp_path: Path) -> None:
        (tmp_path / "a.txt").write_bytes(b"Rye is dark.\nIt is sour.\nWh\xe9at.\nOats are light.\n\n\xe9\n")
        rows = list(datasets.make("texts").rows(tmp_path / "a.txt"))
        assert [row.number for row in rows] == [1, 3, 4, 6]
        assert [row.entry["text"] for row in rows[::2]] == ["Rye is dark.\nIt is sour.", "Oats are light.\n"]
        for row in rows[1::2]:
            with pytest.raises(InputError, match=rf"a\.txt.*{row.number}.*UTF-8"):
                _ = row.entry


class TestSplits:
    def splits(self, folder: Path, kind: str = "jsonl") -> dict[str, list[str]]:
        found = datasets.make(kind).splits(folder)
        return {split: [str(path.relative_to(folder)) for path in part.files] for split, part in found.items()}

    @pytest.mark.parametrize(
        ("name", "split"),
        [
            ("train.jsonl.xz", "train"),
            ("corpus.dev.jsonl", "validation"),
            ("val_v2.json", "validation"),
            ("valid-00000-of-00002.jsonl", "validation"),
            ("latest_test.jsonl", "test"),
            ("validation/data-00000.jsonl", "validation"),
            ("data/train-0.jsonl", "train"),
        ],
    )
    def test_a_name_tells_the_split(self, tmp_path: Path, name: str, split: str) -> None:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
        assert self.splits(tmp_path) == {split: [name]}

    def test_a_split_in_several_files(self, tmp_path: Path) -> None:
        for number in (1, 0):
            write_lines(tmp_path / f"train-{number}-of-2.jsonl", [{"id": number, "text": "Rye."}])
        made: Dataset = datasets.make("jsonl")
        assert [record.id for record in made.examples(made.splits(tmp_path)["train"])] == ["0", "1"]

    def test_a_split_in_two_forms_is_refused(self, tmp_path: Path) -> None:
        for name in ("train.jsonl", "train.jsonl.gz"):
            (tmp_path / name).write_text("")
        with pytest.raises(InputError, match="'train'"):
            self.splits(tmp_path)

    def test_other_files_are_left_alone(self, tmp_path: Path) -> None:
        for name in ("train.jsonl", "train.notes.md", ".train.jsonl", "README.jsonl"):
            (tmp_path / name).write_text("")
        assert self.splits(tmp_path) == {"train": ["train.jsonl"]}

    def test_no_split_at_all(self, tmp_path: Path) -> None:
        for name in ("one.jsonl", "two.jsonl"):
            (tmp_path / name).write_text("")
        with pytest.raises(InputError, match=r"one\.jsonl.*two\.jsonl"):
            self.splits(tmp_path)

    def test_one_file_is_dealt_out_by_its_texts(self, tmp_path: Path) -> None:
        rows = [{"id": number, "text": f"Loaf {number // 2}.", "summary": "Bread."} for number in range(80)]
        dealt = []
        for name, order in (("one.jsonl", rows), ("other.jsonl", rows[::-1])):
            write_lines(tmp_path / name, order)
            made: Dataset = datasets.make("jsonl", language="en")
            parts = made.splits(tmp_path / name)
            dealt.append({split: {one.id for one in made.examples(part)} for split, part in parts.items()})
        assert dealt[0] == dealt[1]
        assert {split: len(ids) for split, ids in dealt[0].items()} == {"train": 72, "validation": 4, "test": 4}
        assert all({int(one) ^ 1 for one in map(int, ids)} == set(map(int, ids)) for ids in dealt[0].values())

    def test_a_folder_of_one_file_is_dealt_out_too(self, tmp_path: Path) -> None:
        write_lines(tmp_path / "loaves.jsonl", [{"text": f"Loaf {number}."} for number in range(3)])
        assert set(datasets.make("jsonl").splits(tmp_path)) == {"train", "validation", "test"}

    def test_too_few_to_deal(self, tmp_path: Path) -> None:
        write_lines(tmp_path / "loaves.jsonl", [{"text": "Loaf."}] * 9)
        with pytest.raises(InputError, match=r"1 different.*3 different"):
            datasets.make("jsonl").splits(tmp_path / "loaves.jsonl")

    @pytest.mark.parametrize("kind", datasets.names())
    def test_what_is_not_there(self, tmp_path: Path, kind: str) -> None:
        with pytest.raises(InputError, match="There is no "):
            datasets.make(kind).splits(tmp_path / "missing")


STORY = """The bridge was shut
It is old.

@highlight

Bridge shut

@highlight

Mayor is sad
"""

TOKENIZED = """the bridge was shut
it is old .
@highlight
bridge shut
"""


class TestStories:
    @pytest.fixture
    def corpus(self, tmp_path: Path) -> Path:
        for folder, name, text in (("cnn/stories", "u1", STORY), ("dailymail/stories", "u2", TOKENIZED)):
            (tmp_path / folder).mkdir(parents=True)
            (tmp_path / folder / f"{self.sha1(f'http://{name}')}.story").write_text(text)
        (tmp_path / "url_lists").mkdir()
        (tmp_path / "url_lists" / "all_train.txt").write_text("http://u2\nhttp://lost\n")
        (tmp_path / "url_lists" / "all_test.txt").write_text("http://u1\n")
        (tmp_path / "url_lists" / "cnn_wayback_test_urls.txt").write_text("http://web.archive.org/u1\n")
        return tmp_path

    @staticmethod
    def sha1(text: str) -> str:
        return hashlib.sha1(text.encode()).hexdigest()

    def test_lists_of_urls_tell_the_splits(self, corpus: Path) -> None:
        parts = datasets.make("cnn_dailymail").splits(corpus)
        assert {split: [path.stem for path in part.files] for split, part in parts.items()} == {
            "train": [self.sha1("http://u2")],
            "test": [self.sha1("http://u1")],
        }
        assert parts["train"].missing == {"no story file for this URL": 1}

    def test_a_story_as_it_was_published(self, corpus: Path) -> None:
        made = datasets.make("cnn_dailymail")
        (record,) = made.examples(made.splits(corpus)["test"])
        assert record.document.printed == ["The bridge was shut.", "It is old."]
        assert record.references == (("Bridge shut", "Mayor is sad"),)

    def test_a_story_in_tokens(self, corpus: Path) -> None:
        made = datasets.make("cnn_dailymail")
        (record,) = made.examples(made.splits(corpus)["train"])
        assert record.document.printed == ["the bridge was shut .", "it is old ."]

    def test_stories_without_lists(self, corpus: Path) -> None:
        for path in (corpus / "url_lists").iterdir():
            path.unlink()
        with pytest.raises(InputError, match="no lists of URLs"):
            datasets.make("cnn_dailymail").splits(corpus)


class TestCnnDailymail:
    def test_as_hugging_face_has_it(self, tmp_path: Path) -> None:
        entry = {"id": "x", "article": "LONDON (CNN) -- It rains. It pours.", "highlights": "It rains .\nIt pours ."}
        write_lines(tmp_path / "train.jsonl", [entry])
        (record,) = datasets.make("cnn_dailymail").read(tmp_path / "train.jsonl")
        assert record.document.printed == ["LONDON (CNN) -- It rains.", "It pours."]
        assert record.references == (("It rains .", "It pours ."),)

    def test_pairs_of_files_with_tagged_sentences(self, tmp_path: Path) -> None:
        (tmp_path / "test.txt.src").write_text("it rains . it pours .\n")
        (tmp_path / "test.txt.tgt.tagged").write_text("<t> it rains . </t> <t> it pours . </t>\n")
        (record,) = datasets.make("cnn_dailymail").read(tmp_path / "test.txt.src")
        assert record.document.printed == ["it rains .", "it pours ."]
        assert record.references == (("it rains .", "it pours ."),)

    def test_the_binary_form_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "train.bin").write_bytes(b"\0")
        made = datasets.make("cnn_dailymail")
        with pytest.raises(InputError, match=r"\.story"):
            list(made.examples(made.splits(tmp_path)["train"]))

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("it rains . it pours .", True),
            ("no stop here", True),
            ("it rains. it pours.", False),
            ("It rains .", False),
        ],
    )
    def test_tokens_are_told_from_text(self, text: str, expected: bool) -> None:
        assert is_tokenized(text) == expected


ARTICLE = "the mayor of skarholm said on monday that 14 old bridges would be shut ."


class TestGigaword:
    def read(self, path: Path, **options: Any) -> tuple[list[Record], Counter[str]]:
        dropped: Counter[str] = Counter()
        made = datasets.make("gigaword", **options)
        return list(made.read(path, lambda why: dropped.update([why]))), dropped

    def pairs(self, folder: Path, name: str, *lines: tuple[str, str]) -> Path:
        for side, what in enumerate(("article", "title")):
            (folder / name.replace("*", what)).write_text("".join(line[side] + "\n" for line in lines))
        return folder / name.replace("*", "article")

    def test_pairs_of_files(self, tmp_path: Path) -> None:
        path = self.pairs(tmp_path, "valid.*.filter.txt", (ARTICLE, "mayor shuts 14 <unk> bridges"))
        ((record,), dropped) = self.read(path)
        assert record.document.printed == [ARTICLE.replace("14", "##")]
        assert record.references == (("mayor shuts ## unk bridges",),)
        assert not dropped

    @pytest.mark.parametrize(
        ("article", "title", "why"),
        [
            ("the mayor said so .", "mayor shuts old bridges", "article of fewer than 11 or more than 99 words"),
            (ARTICLE, "mayor shuts bridges", "headline of fewer than 4 or more than 49 words"),
            (ARTICLE.replace(" .", ""), "mayor shuts old bridges", "article without a full stop"),
            (ARTICLE, "urgent mayor shuts bridges", "headline with a word of the wire service"),
            (ARTICLE, "all of the old at sea", "no long word in common"),
        ],
    )
    def test_what_is_filtered(self, tmp_path: Path, article: str, title: str, why: str) -> None:
        path = self.pairs(tmp_path, "train.*.txt", (article, title))
        assert self.read(path) == ([], Counter([why]))
        assert len(self.read(path, filter_pairs=False)[0]) == 1

    def test_bad_words_are_whole_words(self, tmp_path: Path) -> None:
        assert "ap" in BAD_WORDS
        assert len(self.read(self.pairs(tmp_path, "train.*.txt", (ARTICLE, "japan mayor shuts bridges")))[0]) == 1

    def test_the_test_data_are_called_input_and_not_filtered(self, tmp_path: Path) -> None:
        (tmp_path / "input.txt").write_text("short .\n")
        (tmp_path / "task1_ref0.txt").write_text("short\n")
        made = datasets.make("gigaword")
        assert [record.references for record in made.examples(made.splits(tmp_path)["test"])] == [(("short",),)]

    def test_the_whole_release_has_its_own_test_data_and_not_ducs(self, tmp_path: Path) -> None:
        """The folder as it unpacks, its training pairs compressed: the folders of DUC have an input, too."""
        for name in ("train", "Giga", "DUC2003", "DUC2004"):
            (tmp_path / name).mkdir()
        for name, line in (("train.article.txt.gz", ARTICLE), ("train.title.txt.gz", "mayor shuts ## <unk> bridges")):
            (tmp_path / "train" / name).write_bytes(gzip.compress(f"{line}\n".encode()))
        self.pairs(tmp_path / "train", "valid.*.filter.txt", (ARTICLE, "mayor shuts old bridges"))
        for name in ("Giga", "DUC2003", "DUC2004"):
            (tmp_path / name / "input.txt").write_text(f"{name} .\n")
            (tmp_path / name / "task1_ref0.txt").write_text("short\n")
        made = datasets.make("gigaword")
        splits = made.splits(tmp_path)
        found = {split: [*made.examples(part)] for split, part in splits.items()}
        assert [len(records) for records in found.values()] == [1, 1, 1]
        assert found["train"][0].references == (("mayor shuts ## unk bridges",),)
        assert found["test"][0].document.text == "Giga ."

    def test_pairs_with_other_names(self, tmp_path: Path) -> None:
        (tmp_path / "dev.src.txt").write_text(f"{ARTICLE}\n")
        (tmp_path / "dev.tgt.txt").write_text("mayor shuts [UNK] bridges\n")
        made = datasets.make("gigaword")
        (record,) = made.examples(made.splits(tmp_path)["validation"])
        assert record.references == (("mayor shuts unk bridges",),)

    def test_as_hugging_face_has_it(self, tmp_path: Path) -> None:
        write_lines(tmp_path / "data.jsonl", [{"document": ARTICLE, "summary": "mayor shuts old bridges"}])
        assert len(self.read(tmp_path / "data.jsonl")[0]) == 1

    def test_titles_that_are_missing(self, tmp_path: Path) -> None:
        (tmp_path / "train.article.txt").write_text(ARTICLE + "\n")
        with pytest.raises(InputError, match=r"train\.title\.txt"):
            self.read(tmp_path / "train.article.txt")

    @pytest.mark.parametrize("bounds", [[4], [9, 4], [-1, 4]])
    def test_bounds_that_are_none(self, bounds: list[int]) -> None:
        with pytest.raises(PresetError, match="title_range"):
            datasets.make("gigaword", title_range=bounds)


class TestMultiNews:
    @pytest.mark.parametrize(
        "text",
        [
            "Click to share on Facebook",
            "( opens in new window )",
            "(Opens in new window)",
            "share on twitter",
            "Click to share on Google+",
            "follow us on facebook , twitter , instagram and youtube",
        ],
    )
    def test_buttons_are_removed(self, text: str) -> None:
        assert BOILERPLATE.sub("", f"Rye. {text} Wheat.") == "Rye.  Wheat."

    def test_words_that_only_look_alike_stay(self) -> None:
        text = "They share tweets on the bus, and follow us on foot."
        assert BOILERPLATE.sub("", text) == text

    def test_a_document_of_buttons_is_no_document(self, tmp_path: Path) -> None:
        write_lines(
            tmp_path / "a.jsonl", [{"document": "Rye. ||||| share on twitter ||||| Wheat.", "summary": "Bread."}]
        )
        (record,) = datasets.make("multi_news").read(tmp_path / "a.jsonl")
        assert len(record.document.parts) == 2

    def test_the_cleaned_files_of_the_release(self, tmp_path: Path) -> None:
        (tmp_path / "train.src.cleaned").write_text(
            "rye . newline_char it is dark . story_separator_special_tag oats .\n"
        )
        (tmp_path / "train.tgt").write_text("bread differs .\n")
        made = datasets.make("multi_news")
        (record,) = made.examples(made.splits(tmp_path)["train"])
        assert [record.document.show(part) for part in record.document.parts] == ["rye .\nit is dark .", "oats ."]


class TestPubmed:
    ABSTRACT = tuple(f"<S> loaf {number} of the night rose well . </S>" for number in range(9))

    def test_as_it_was_released(self, tmp_path: Path) -> None:
        entry = {
            "article_id": "PMC1",
            "abstract_text": list(self.ABSTRACT),
            "section_names": ["Introduction", "Results"],
            "sections": [["rye is dark .", "it is sour ."], ["it sells ."]],
        }
        (tmp_path / "train.txt").write_text(json.dumps(entry) + "\n")
        made = datasets.make("pubmed")
        (record,) = made.examples(made.splits(tmp_path)["train"])
        assert (record.id, [one.name for one in record.document.sections]) == ("PMC1", ["introduction", "results"])
        assert record.references[0][0] == "loaf 0 of the night rose well ."

    def test_as_hugging_face_has_it(self, tmp_path: Path) -> None:
        abstract = "\n".join(self.ABSTRACT)
        write_lines(tmp_path / "a.jsonl", [{"article": "rye is dark .\nit is sour .", "abstract": abstract}])
        (record,) = datasets.make("pubmed").read(tmp_path / "a.jsonl")
        assert record.document.text.split() == "rye is dark . it is sour .".split()
        assert " ".join(record.references[0]).startswith("loaf 0 of the night rose well . loaf 1")

    @pytest.mark.parametrize(
        ("entry", "options", "why"),
        [
            ({"sections": [], "summary": ""}, {}, "no abstract"),
            ({"sections": [], "summary": "Too short."}, {}, "abstract of fewer than 50 or more than 500 words"),
            (
                {"article": "A. B. C.", "abstract": "It is so."},
                {"abstract_range": [1, 500], "max_sentences": 0},
                "more than 0 sentences",
            ),
        ],
    )
    def test_why_papers_are_passed_over(
        self, tmp_path: Path, entry: dict[str, Any], options: dict[str, int], why: str
    ) -> None:
        write_lines(tmp_path / "a.jsonl", [entry])
        reasons: list[str] = []
        assert list(datasets.make("pubmed", **options).read(tmp_path / "a.jsonl", reasons.append)) == []
        assert reasons == [why]
