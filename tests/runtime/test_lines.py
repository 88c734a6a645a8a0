"""JSON lines."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from json_lines import write_lines
from nutgraf.errors import InputError
from nutgraf.runtime import lines
from nutgraf.runtime.lines import read_lines

ENTRIES = [{"id": 1, "text": "Rye – dark."}, {"id": 2, "text": "Wheat\nlight."}]


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.jsonl.bz2", "a.jsonl.xz"])
def test_what_is_written_is_read(tmp_path: Path, name: str) -> None:
    write_lines(tmp_path / name, ENTRIES)
    assert list(read_lines(tmp_path / name)) == [(1, ENTRIES[0]), (2, ENTRIES[1])]


def test_the_content_tells_how_to_read(tmp_path: Path) -> None:
    write_lines(tmp_path / "a.gz", ENTRIES)
    (tmp_path / "a.gz").rename(tmp_path / "a.jsonl")
    assert len(list(read_lines(tmp_path / "a.jsonl"))) == 2


def test_lines_before_a_broken_one_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": 1}\n\n{"a": 2}\n{"a": }\n')
    found = read_lines(path)
    assert [next(found)[0], next(found)[0]] == [1, 3]
    with pytest.raises(InputError, match=r"a\.jsonl.*line 4.*JSON"):
        next(found)


def test_a_byte_order_mark_is_no_part_of_the_first_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}\r\n')
    assert list(read_lines(path)) == [(1, {"a": 1})]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[1]\n", "not a list"),
        (b"7\n", "not a number"),
        (b"null\n", "not null"),
        (b'{"a": 1}\n{"a": "\xe9"}\n', "line 2.*UTF-8"),
        (b'{"a": {"b": 1, "c": 2, "b": 3}}\n', "line 1.*'b'"),
        (gzip.compress(b'{"a": 1}\n' * 99, mtime=0)[:-12], "read"),
        (b"\xfd7zXZ\x00rubbish", "read"),
    ],
)
def test_what_cannot_be_read_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        list(read_lines(path))


def test_after_a_line_that_cannot_be_read_the_next_ones_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LONGEST_LINE", 7)
    path = tmp_path / "a.txt"
    path.write_bytes("12345678901234567890\nkürz\n".encode() + b"\xe9\nend")
    found = list(lines.numbered_lines(path))
    assert [(line.number, line.text) for line in found if line.problem is None] == [(2, "kürz"), (4, "end")]
    said = [str(line.problem) for line in found if line.problem is not None]
    assert said == [
        f"{path}, line 1: this line has more than 7 characters; name a file of shorter lines.",
        f"{path}, line 3: this line is not UTF-8 text. Convert the file, or name another one.",
    ]


def test_places_that_are_no_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file"):
        list(read_lines(tmp_path / "missing"))
    with pytest.raises(InputError, match="folder"):
        list(read_lines(tmp_path))
