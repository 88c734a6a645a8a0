"""Which reader takes a file, and what is said of files that none can take."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from nutgraf.errors import InputError, UnknownName
from nutgraf.readers import _decode, reading
from nutgraf.readers.reading import files_of, read

TEXT = "The bakery opens at six. The first loaf is sold at five past six."


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (TEXT, "plain"),
        ("<!DOCTYPE html><html><body><p>" + TEXT, "html"),
        ("<!-- made by hand --><html><p>" + TEXT, "html"),
        ("# Bread\n\nAll about *bread*:\n\n- rye\n- [wheat](wheat.md)\n", "markdown"),
        ('{"text": "' + TEXT + '"}\n', "jsonl"),
        ("%PDF-1.4\n", "pdf"),
        ("{curly} braces are no JSON.", "plain"),
        ("#hashtag is no heading\n", "plain"),
    ],
)
def test_the_content_tells_the_format_whatever_the_name(content: str, kind: str) -> None:
    for name in ("standard input", "bread.dat", "bread"):
        assert type(reading.find(content.encode(), name)).__name__.lower() == kind


def test_the_name_tells_where_the_content_does_not() -> None:
    assert type(reading.find(TEXT.encode(), "bread.md")).__name__ == "Markdown"
    assert type(reading.find(b"# Bread\n\n- rye\n", "bread.txt")).__name__ == "Plain"
    assert type(reading.find(TEXT.encode(), "bread.html.gz")).__name__ == "Html"
    assert type(reading.find(b'{"text": broken', "bread.jsonl")).__name__ == "Jsonl"


@pytest.mark.parametrize("packer", [gzip.compress, bz2.compress, lzma.compress])
def test_compressed_files_are_unpacked(tmp_path: Path, packer: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "bread"
    path.write_bytes(packer(TEXT.encode()))
    assert read(path)[0].text == TEXT


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.BufferedReader(io.BytesIO(TEXT.encode()))  # type: ignore[arg-type]
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=stream))
    (document,) = read("-")
    assert (document.text, document.name) == (TEXT, "standard input")
    with pytest.raises(InputError, match="standard"):
        read("-")


def test_a_pipe_with_a_name_is_read(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, TEXT.encode())
    os.close(writing)
    assert read(f"/dev/fd/{reading}")[0].text == TEXT
    os.close(reading)


def test_the_reader_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "page"
    path.write_text(f"<html><p>{TEXT}</p></html>")
    assert read(path)[0].text == TEXT
    assert read(path, kind="plain")[0].text.startswith("<html>")
    with pytest.raises(UnknownName, match="plain"):
        read(path, kind="odt")


def test_what_follows_the_limit_is_left_out_with_a_notice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_decode, "LIMIT", len(TEXT))
    monkeypatch.setattr(reading, "MOST_TEXT", 4 * len(TEXT))
    path = tmp_path / "long.txt"
    for copies in (2, 99):
        path.write_text("\n".join([TEXT] * copies))
        (document,) = read(path)
        assert document.text == TEXT
        assert len([notice for notice in document.notices if "what follows" in notice]) == 1


def test_a_long_line_is_cut_within_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_TEXT", 100)
    path = tmp_path / "long.txt"
    path.write_text("Bread.\n" + "More bread. " * 50)
    assert len(read(path)[0].text) == 100


def test_cut_json_lines_end_with_a_whole_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_TEXT", 100)
    path = tmp_path / "long.jsonl"
    path.write_text('{"text": "One loaf is enough."}\n' * 50)
    documents = read(path)
    assert [document.text for document in documents] == ["One loaf is enough."] * 3
    assert any("what follows" in notice for notice in documents[0].notices)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b" \n\t \r\n", "empty"),
        (b"\xef\xbb\xbf  \n", "no text"),
        ("\u00a0\u2003\n".encode(), "no text"),
        (bytes(range(256)) * 9, "binary"),
        (b"\0" * 99, "binary"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 99, "picture"),
        (b"{\\rtf1 Bread}", "RTF"),
        (b"SQLite format 3\0" + bytes(99), "database"),
        (b"\0\0\0\x20ftypisom" + bytes(99), "recording"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 99, "older program of Microsoft"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "PowerPoint Document".encode("utf-16-le"), "PPT"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "WordDocument".encode("utf-16-le"), "DOC"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "password"),
        (b"!BDN" + b"\0" * 99, "PST"),
        (b"PK\x03\x04 Index/Document.iwa", "Keynote"),
        (b"PK\x03\x04 application/vnd.oasis.opendocument.presentation", "ODP"),
        (b"\x1f\x8b\x08\x00damaged", "read"),
        (gzip.compress(b"bread " * 99, mtime=0)[:-9], "read"),
        (b'{"text": "good"}\n{"text": bad}\n', "line 2"),
        (b"<html></html>", "no text"),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_sentence(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        read(path)
    assert str(path) in str(caught.value)
    assert str(caught.value).endswith(".")


def test_a_zip_archive_that_is_no_document_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "archive.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("bread.txt", TEXT)
    with pytest.raises(InputError, match="ZIP"):
        read(path)


def test_places_that_are_no_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file"):
        read(tmp_path / "missing.txt")
    with pytest.raises(InputError, match="folder"):
        read(tmp_path)
    with pytest.raises(InputError, match="matches"):
        read(tmp_path / "*.txt")
    with pytest.raises(InputError, match="read"):
        read("bread\0.txt")
    with pytest.raises(InputError, match="read"):
        read("b" * 5000)


def test_a_folder_stands_for_the_files_in_it_and_a_pattern_for_those_that_match(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / ".git").mkdir()
    for name in ("a.txt", "b/c.md", "b/d.txt.gz", ".git/x.txt", ".hidden.txt", "picture.png", "[e].txt"):
        (tmp_path / name).write_text("The ferry sank.")

    def below(path: str) -> list[str]:
        return [str(Path(file).relative_to(tmp_path)) for file in files_of(tmp_path / path)]

    assert below(".") == ["[e].txt", "a.txt", "b/c.md", "b/d.txt.gz"]
    assert below("*.txt") == ["[e].txt", "a.txt"]
    assert below("**/*.md") == ["b/c.md"]
    assert below("[e].txt") == ["[e].txt"]  # a file of this name is no pattern
    assert files_of("-") == ["-"]
    assert files_of("missing.txt") == ["missing.txt"]


def test_all_documents_of_a_folder_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The ferry sank.")
    (tmp_path / "b.md").write_text("# Crew\n\nThe crew swam.")
    assert [document.printed for document in read(tmp_path)] == [["The ferry sank."], ["The crew swam."]]


class TestWhatCannotBeRead:
    @pytest.fixture
    def notes(self, tmp_path: Path) -> Path:
        (tmp_path / "a.txt").write_bytes(b"")
        (tmp_path / "b.txt").write_bytes(bytes(range(256)) * 9)
        (tmp_path / "c.txt").write_text("The ferry sank.")
        return tmp_path

    def test_is_left_out_of_a_folder_or_pattern_with_a_notice(self, notes: Path) -> None:
        for place in (notes, notes / "*.txt"):
            (document,) = read(place, "en")
            assert document.printed == ["The ferry sank."]
            empty, binary = document.notices
            assert empty == f"A file is left out: {notes}/a.txt is empty; there is nothing to read."
            assert binary.startswith(f"A file is left out: {notes}/b.txt is a binary file")

    def test_is_counted_where_there_is_much_of_it(self, notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(reading, "MOST_NAMED", 1)
        (notes / "d.txt").touch()
        assert read(notes, "en")[0].notices[1:] == ("2 other files are left out, too.",)

    def test_is_refused_where_it_is_named_or_everything(self, notes: Path) -> None:
        with pytest.raises(InputError, match=r"a\.txt"):
            read(notes / "a.txt")
        with pytest.raises(InputError, match=r"2 files.*a\.txt"):
            read(notes / "[ab].txt")
        with pytest.raises(InputError, match=r"^/.*a\.txt is empty"):
            read(notes / "a*.txt")

    def test_is_not_what_a_mistake_in_the_options_makes_unreadable(self, notes: Path) -> None:
        with pytest.raises(InputError, match=r"^No language 'germn'"):
            read(notes, "germn")
        with pytest.raises(UnknownName, match="No reader 'odt'"):
            read(notes, kind="odt")


def test_too_many_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_FILES", 1)
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("The ferry sank.")
    with pytest.raises(InputError, match="more than 1 files"):
        files_of(tmp_path)
