"""What a person hands to a system becomes one Document."""

from pathlib import Path

import pytest

import nutgraf
from nutgraf.errors import InputError
from nutgraf.systems._input import as_document
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


def test_a_path_is_read_however_it_is_written(file, monkeypatch):
    assert as_document(file).text == as_document(str(file)).text == TEXT
    monkeypatch.chdir(file.parent)
    assert as_document("tug.txt").text == as_document("./tug.txt").text == TEXT


@pytest.mark.parametrize("name", ["tug.txt", "./tug", "~/notes/tug.md", "old/reports.pdf"])
def test_what_looks_like_a_path_is_never_summarized_as_a_text(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="There is no file"):
        as_document(name)


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
    with pytest.raises(InputError, match="not int"):
        as_document([7])


@pytest.mark.parametrize("text", ["", " \n\t\u00a0", "\x00"])
def test_a_text_without_a_sentence_is_told(text):
    with pytest.raises(InputError, match="no sentence to summarize"):
        nutgraf.load("lead")(text)
