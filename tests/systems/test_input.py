"""Inputs of a system become one Document."""

import io
from pathlib import Path

import pytest

import nutgraf
from nutgraf.errors import InputError
from nutgraf.readers.reading import as_document
from nutgraf.text.document import Document

TEXT = "The tug came. The pilot went home."


@pytest.fixture
def file(tmp_path) -> Path:
    path = tmp_path / "tug.txt"
    path.write_text(TEXT)
    return path


def test_text_is_text():
    assert as_document(TEXT).text == TEXT
    assert as_document("tug").text == "tug"
    assert as_document("The tug came.txt or so. Who knows?").text.startswith("The tug")
    assert as_document("old/reports.pdf").text == "old/reports.pdf"


def test_a_file_is_a_path_bytes_or_open(file):
    assert as_document(file).text == TEXT
    assert as_document(file.read_bytes()).text == TEXT
    with file.open() as as_text, file.open("rb") as as_bytes:
        assert as_document(as_text).text == as_document(as_bytes).text == TEXT
    assert as_document(io.StringIO(TEXT)).text == as_document(io.BytesIO(TEXT.encode())).text == TEXT


def test_bytes_are_read_by_what_they_are():
    page = b"<!DOCTYPE html><html><body><p>The tug came.</p><p>The pilot went home.</p></body></html>"
    assert list(as_document(page).printed) == ["The tug came.", "The pilot went home."]


def test_a_text_that_names_a_file_is_refused(file, monkeypatch):
    monkeypatch.chdir(file.parent)
    for name in (str(file), "tug.txt", "./tug.txt"):
        with pytest.raises(InputError, match=r"tug\.txt"):
            as_document(name)


def test_a_text_that_is_a_web_address_is_refused():
    for address in ("https://example.com/page", " HTTP://example.com\n"):
        with pytest.raises(InputError, match=r"nutgraf\.read"):
            as_document([TEXT, address])
    assert as_document("https://example.com is down.").text.endswith("is down.")


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(InputError, match="no file"):
        as_document(tmp_path / "tug.txt")


def test_a_list_may_be_of_all_kinds(file):
    document = as_document([file, "A text.", Document.of("A document.", "third")])
    assert [document.show(part) for part in document.parts] == [TEXT, "A text.", "A document."]


def test_language_is_passed_on(file):
    assert as_document([file, "Ein Satz."], language="de").language == "de"


@pytest.mark.parametrize("nothing", [[], ()])
def test_nothing_to_summarize_is_told(nothing):
    with pytest.raises(InputError, match="no document"):
        as_document(nothing)


def test_what_is_no_document_is_told():
    for wrong in (7, [7], None, {"text": TEXT}):
        with pytest.raises(InputError, match="document"):
            as_document(wrong)


class Failing:
    """Passes for an open file that has lost its connection."""

    name = "remote.txt"

    def read(self) -> str:
        raise AttributeError("no connection")


class Empty:
    """Passes for an open file that gives nothing."""

    def read(self) -> None:
        return None


def test_a_file_that_cannot_be_read_is_told():
    with pytest.raises(InputError, match=r"remote\.txt.*AttributeError"):
        as_document(Failing())
    with pytest.raises(InputError, match="reading"):
        as_document(Empty())


def test_texts_that_are_the_same_but_for_white_space_are_one(file):
    document = as_document([TEXT, file, Document.of("Another.", name="other.txt"), TEXT.replace(" ", "\n")])
    assert [document.show(part) for part in document.parts] == [TEXT, "Another."]
    (notice,) = [one for one in document.notices if "same" in one]
    assert notice == (
        f"The same text is read only once; left out: {file} (the same as document 1), document 4 (the same as "
        "document 1)."
    )


@pytest.mark.parametrize("text", ["", " \n\t\u00a0", "\x00"])
def test_a_text_without_a_sentence_is_told(text):
    with pytest.raises(InputError, match="summarize"):
        nutgraf.load("lead")(text)


@pytest.mark.parametrize("head", ["<!DOCTYPE html>\n<html lang='en'>", "<html>", "\n<?xml version='1.0'?>\n<HTML>"])
def test_a_text_that_is_a_page_is_read_as_one(head: str) -> None:
    page = f"{head}<body><nav><a href='/'>Home</a></nav><p>The ferry sank. The crew swam.</p></body></html>"
    assert as_document(page).printed == ["The ferry sank.", "The crew swam."]


def test_a_text_with_tags_in_it_is_a_text() -> None:
    text = "The tag <html> begins a page. It ends with </html>."
    assert as_document(text).text == text
