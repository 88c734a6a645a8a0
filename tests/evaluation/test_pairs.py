"""Summaries and references from lines, JSON lines and folders."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from nutgraf.errors import InputError
from nutgraf.evaluation.pairs import Pairs, read_examples


def lines(path: Path, *texts: str) -> Path:
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def jsonl(path: Path, *records: dict[str, object]) -> Path:
    return lines(path, *(json.dumps(record) for record in records))


def folder(path: Path, **files: str) -> Path:
    path.mkdir()
    for name, text in files.items():
        (path / name.replace("__", ".")).write_text(text, encoding="utf-8")
    return path


def references(pairs: Pairs) -> list[tuple[tuple[str, ...], ...]]:
    return [tuple(map(tuple, example.references)) for example in pairs.examples]


def test_line_i_belongs_to_line_i(tmp_path: Path) -> None:
    ours = lines(tmp_path / "ours.txt", "A ferry left. It came back.", "", "Bread.")
    theirs = lines(tmp_path / "theirs.txt", "A boat left.", "Nothing.", "Dough. Bread.")
    pairs = read_examples(ours, [theirs, ours])
    assert pairs.names == ["line 1", "line 2", "line 3"]
    assert pairs.splitting == "sentences"
    assert [tuple(example.hypothesis) for example in pairs.examples] == [
        ("A ferry left.", "It came back."),
        (),
        ("Bread.",),
    ]
    assert references(pairs)[0] == (("A boat left.",), ("A ferry left.", "It came back."))
    assert all(example.source is None for example in pairs.examples)


def test_a_line_stays_whole_if_lines_are_sentences(tmp_path: Path) -> None:
    ours = lines(tmp_path / "ours.txt", "A ferry left. It came back.")
    pairs = read_examples(ours, [ours], splitting="lines")
    assert pairs.examples[0].hypothesis == ("A ferry left. It came back.",)


def test_other_numbers_of_lines_are_told(tmp_path: Path) -> None:
    ours, theirs = lines(tmp_path / "ours.txt", "A.", "B."), lines(tmp_path / "theirs.txt", "A.", "B.", "C.")
    with pytest.raises(InputError, match=r"ours\.txt.*2 lines.*theirs\.txt"):
        read_examples(ours, [theirs])


def test_objects_may_hold_both_and_lists_stay_as_they_are(tmp_path: Path) -> None:
    path = jsonl(
        tmp_path / "both.jsonl",
        {"hypothesis": "A ferry. It left.", "references": ["A boat. It left.", ["A boat. It left."]]},
        {"summary": ["Bread. Dough."], "summaries": ["Bread."]},
        {"hypothesis": "Mill.", "summary": "The mill .", "summary_sents": ["The mill ."]},
    )
    pairs = read_examples(path)
    assert [example.hypothesis for example in pairs.examples] == [
        ("A ferry.", "It left."),
        ("Bread. Dough.",),
        ("Mill.",),
    ]
    assert references(pairs) == [
        (("A boat.", "It left."), ("A boat. It left.",)),
        (("Bread.",),),
        (("The mill .",),),
    ]


def test_objects_with_ids_are_matched_by_id(tmp_path: Path) -> None:
    ours = jsonl(tmp_path / "ours.jsonl", {"id": "b", "summary": "Bread."}, {"id": "a", "summary": "Ferry."})
    theirs = jsonl(
        tmp_path / "theirs.jsonl",
        {"id": "a", "summary": "A boat."},
        {"id": "c", "summary": "Unused."},
        {"id": "b", "summary": "Dough."},
    )
    pairs = read_examples(ours, [theirs])
    assert pairs.names == ["b", "a"]
    assert references(pairs) == [(("Dough.",),), (("A boat.",),)]
    with pytest.raises(InputError, match=r"ours\.jsonl.*'c'"):
        read_examples(theirs, [ours])


def test_packed_files_and_plain_references_for_objects(tmp_path: Path) -> None:
    packed = tmp_path / "ours.jsonl.gz"
    packed.write_bytes(gzip.compress(b'{"id": 7, "summary": "Ferry."}\n'))
    assert references(read_examples(packed, [lines(tmp_path / "theirs.txt", "A boat.")])) == [(("A boat.",),)]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"text": "A."}, "line 1"),
        ({"summary": 3}, "line 1.*'summary'"),
        ({"summary": [["A."]]}, "line 1.*'summary'"),
    ],
)
def test_objects_without_a_summary_are_told(tmp_path: Path, record: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_examples(jsonl(tmp_path / "ours.jsonl", record))


def test_sources_become_documents(tmp_path: Path) -> None:
    ours = lines(tmp_path / "ours.txt", "A ferry left.")
    sources = jsonl(tmp_path / "sources.jsonl", {"text": "A ferry left at noon. It came back."})
    source = read_examples(ours, sources=sources).examples[0].source
    assert source is not None
    assert source.printed == ["A ferry left at noon.", "It came back."]


def test_folders_are_matched_by_name(tmp_path: Path) -> None:
    ours = folder(tmp_path / "ours", harbour__txt="A ferry. It\nleft.", bakery__txt="Bread.")
    theirs = folder(
        tmp_path / "theirs",
        harbour__A__txt="Boat A.",
        harbour__B__txt="Boat B.",
        bakery__1__txt="Dough 1.",
        bakery__txt="Dough.",
        mill__A__txt="Unused.",
    )
    pairs = read_examples(ours, [theirs])
    assert (pairs.names, pairs.splitting) == (["bakery.txt", "harbour.txt"], "lines")
    assert [example.hypothesis for example in pairs.examples] == [("Bread.",), ("A ferry. It", "left.")]
    assert references(pairs) == [(("Dough 1.",), ("Dough.",)), (("Boat A.",), ("Boat B.",))]


def test_a_letter_may_stand_before_a_number(tmp_path: Path) -> None:
    ours = folder(tmp_path / "ours", text__001__txt="Ferry.", text__002__txt="Bread.")
    theirs = folder(tmp_path / "theirs", text__A__001__txt="Boat.", text__A__002__txt="Dough.")
    assert references(read_examples(ours, [theirs])) == [(("Boat.",),), (("Dough.",),)]


def test_numbers_may_tell_both_summaries_and_references_apart(tmp_path: Path) -> None:
    ours = folder(tmp_path / "ours", text__1__txt="Ferry.", text__2__txt="Bread.")
    theirs = folder(tmp_path / "theirs", text__1__1__txt="1.1", text__1__2__txt="1.2", text__2__1__txt="2.1")
    assert references(read_examples(ours, [theirs])) == [(("1.1",), ("1.2",)), (("2.1",),)]


def test_pages_of_the_original_script(tmp_path: Path) -> None:
    page = (
        '<html>\n<head><title>x</title></head>\n<body bgcolor="white">\n'
        '<a name="1">[1]</a> <a href="#1" id=1>A ferry left.</a>\n'
        '<a name="2">[2]</a> <a href="#2" id=2>It came back.</a>\n</body>\n</html>\n'
    )
    ours = folder(tmp_path / "ours", harbour__html=page)
    assert read_examples(ours, [ours]).examples[0].hypothesis == ("A ferry left.", "It came back.")


def test_what_does_not_belong_together_is_told(tmp_path: Path) -> None:
    ours = folder(tmp_path / "ours", harbour__txt="Ferry.")
    with pytest.raises(InputError, match=r"harbour\.txt.*harbour\.txt.*harbour\.A\.txt"):
        read_examples(ours, [folder(tmp_path / "theirs", bakery__txt="Dough.")])
    with pytest.raises(InputError, match=r"plain\.txt"):
        read_examples(ours, [lines(tmp_path / "plain.txt", "Boat.")])
    with pytest.raises(InputError, match="no files"):
        read_examples(folder(tmp_path / "empty"))
    with pytest.raises(InputError, match="no file"):
        read_examples(tmp_path / "nowhere.txt")
