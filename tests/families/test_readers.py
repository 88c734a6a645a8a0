"""The contract of readers, over every file of the folder.

A new reader brings `SAMPLE`: the bytes of a file in its format that holds the sentences FIRST and SECOND.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Sequence

import docx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from members import brought, members

from decks import deck_of
from epubs import book_of
from msgs import msg_of
from nutgraf.errors import InputError
from nutgraf.readers import Reader, readers
from nutgraf.readers.reading import find
from nutgraf.text.document import Document

FIRST = "The ferry left the island at noon, in thick fog."
SECOND = "The captain knew the rocks, and steered by the bell."
SENTENCES = [FIRST, SECOND]

Samples = dict[str, bytes]


@pytest.fixture(scope="session")
def samples(pdf_of: Callable[[Sequence[Sequence[str]]], bytes]) -> Samples:
    """The same two sentences in every format."""
    word = docx.Document()
    word.add_heading("Fog", 1)
    word.add_paragraph(f"{FIRST} {SECOND}")
    packed = io.BytesIO()
    word.save(packed)
    chat = f'[{{"type": "message", "user": "U1", "text": "{FIRST}\\n{SECOND}", "ts": "1710234600.01"}}]'.encode()
    export = io.BytesIO()
    with zipfile.ZipFile(export, "w") as archive:
        archive.writestr("general/2024-03-12.json", chat)
    shipped = {
        "plain": f"{FIRST} {SECOND}\n".encode(),
        "markdown": f"# Fog\n\n**{FIRST}**\n{SECOND}\n".encode(),
        "html": f"<!doctype html><html><body><h1>Fog</h1><p>{FIRST} {SECOND}</p></body></html>".encode(),
        "jsonl": f'{{"text": "{FIRST} {SECOND}"}}\n'.encode(),
        "pdf": pdf_of([SENTENCES]),
        "docx": packed.getvalue(),
        "epub": book_of([f"<h1>Fog</h1><p>{FIRST} {SECOND}</p>"]),
        "eml": f"From: Ana <ana@example.org>\nDate: 3 May 2024\nSubject: Fog\n\n{FIRST}\n{SECOND}\n".encode(),
        "mbox": f"From ana\nFrom: Ana <ana@example.org>\nSubject: Fog\n\n{FIRST}\n{SECOND}\n".encode(),
        "msg": msg_of("Fog", "Ana", f"{FIRST} {SECOND}"),
        "pptx": deck_of([("Fog", [FIRST, SECOND])]),
        "webvtt": f"WEBVTT\n\n00:01.000 --> 00:05.000\n<v Ana>{FIRST}\n{SECOND}\n".encode(),
        "chats": chat,
        "chat_archive": export.getvalue(),
        "subrip": f"1\n00:00:01,000 --> 00:00:05,000\n{FIRST}\n{SECOND}\n".encode(),
    }
    own = {kind: sample for kind in members(readers) if (sample := brought(readers, kind, "SAMPLE")) is not None}
    return shipped | own


@pytest.fixture(params=members(readers))
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def reader(kind: str) -> Reader:
    return readers.make(kind)


def test_there_is_a_sample_of_its_format(kind: str, samples: Samples) -> None:
    assert kind in samples, f"{kind} needs SAMPLE beside its class: a file with the sentences {SENTENCES}, as bytes"


def test_it_names_the_endings_of_its_files(reader: Reader) -> None:
    assert reader.suffixes
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in reader.suffixes)


def test_no_two_readers_claim_a_file_by_its_ending_alone() -> None:
    endings = {suffix for name in readers.names() for suffix in readers.make(name).suffixes}
    for ending in endings:
        sure = sorted(readers.make(name).recognizes(b"?", ending) for name in readers.names())
        assert sure[-1] == 0 or sure[-1] > sure[-2]


def test_it_is_the_surest_of_its_own_format(reader: Reader, kind: str, samples: Samples) -> None:
    for name in ("fog", *(f"fog{suffix}" for suffix in reader.suffixes)):
        assert type(find(samples[kind], name)) is type(reader)


def test_it_is_as_sure_as_a_share_says(reader: Reader, samples: Samples) -> None:
    for data in (*samples.values(), b"", b"\0\xff" * 99):
        assert all(0 <= reader.recognizes(data, suffix) <= 1 for suffix in ("", ".txt", ".pdf"))


def test_it_reads_every_sentence_once_and_in_order(reader: Reader, kind: str, samples: Samples) -> None:
    (document,) = reader.read(samples[kind], "fog", "en")
    assert document.printed == SENTENCES
    assert document.name.startswith("fog")
    assert document.language == "en"


def test_everything_lies_inside_the_text_that_the_document_keeps(reader: Reader, kind: str, samples: Samples) -> None:
    (document,) = reader.read(samples[kind], "fog", "en")
    size = len(document.text)
    assert [" ".join(document.show(one).split()) for one in document.sentences] == SENTENCES
    assert all(0 <= one.start < one.end <= size for one in document.sections)
    assert all(0 <= page <= size for page in document.pages)
    assert list(document.pages) == sorted(document.pages)


def test_twice_gives_the_same(reader: Reader, kind: str, samples: Samples) -> None:
    assert reader.read(samples[kind], "fog") == reader.read(samples[kind], "fog")


def refused_or_read(reader: Reader, data: bytes) -> list[Document]:
    """What the reader makes of bytes that may be no file of its; a refusal must name the file."""
    try:
        return reader.read(data, "fog")
    except InputError as error:
        if "fog" not in str(error):
            raise AssertionError(f"{error} does not name the file") from error
        return []


def test_nothing_gives_no_sentence_or_a_refusal(reader: Reader) -> None:
    for data in (b"", b" \n\t\n "):
        assert not any(document.sentences for document in refused_or_read(reader, data))


@pytest.fixture
def damaged(kind: str, samples: Samples) -> Callable[[float, bytes], list[bytes]]:
    """Cuts a file off at a share of its length, or writes noise there: between its bytes, or over them."""
    data = samples[kind]

    def damage(share: float, noise: bytes) -> list[bytes]:
        place = int(share * len(data))
        before, after = data[:place], data[place:]
        return [before, before + noise + after, before + noise + after[len(noise) :]]

    return damage


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(share=st.floats(0, 1), noise=st.binary(max_size=9))
def test_a_damaged_file_is_read_or_refused(
    reader: Reader, damaged: Callable[[float, bytes], list[bytes]], share: float, noise: bytes
) -> None:
    for data in damaged(share, noise):
        assert all(all(document.printed) for document in refused_or_read(reader, data))
