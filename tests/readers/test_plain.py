"""Plain text, and the bytes it comes in."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from nutgraf.errors import InputError
from nutgraf.readers import readers
from nutgraf.text.document import Document

ENGLISH = "The café on the corner is “small” but good. It costs the owner’s sister £9 – no more."
RUSSIAN = "Мама мыла раму, а папа читал газету. Потом они вместе пили чай на кухне и говорили о погоде."
JAPANESE = "私は学生です。今日は天気がいいですね。東京に住んでいます。"


def read(data: bytes) -> Document:
    return readers.make("plain").read(data, "note.txt", "en")[0]


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (b"", "utf-16-le"),
        (b"", "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_unicode_encodings_are_read_without_a_word(mark: bytes, encoding: str) -> None:
    document = read(mark + ENGLISH.encode(encoding))
    assert document.text == ENGLISH
    assert document.notices == ()


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (ENGLISH, "cp1252"),
        ("Crème brûlée", "latin-1"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN * 3, "koi8-r"),
        (JAPANESE, "shift_jis"),
    ],
)
def test_other_encodings_are_recognized_with_a_notice(text: str, encoding: str) -> None:
    document = read(text.encode(encoding))
    assert document.text == text
    assert "not UTF-8" in document.notices[0]


def test_a_few_bytes_of_another_encoding_are_replaced_and_counted() -> None:
    data = ENGLISH.encode() + " Crème ".encode("cp1252") + "brûlée.".encode("cp1252")
    document = read(data)
    assert document.text == ENGLISH + " Cr\ufffdme br\ufffdl\ufffde."
    assert document.notices == ("note.txt: 3 bytes that UTF-8 does not have became U+FFFD.",)


def test_line_ends_of_other_systems_become_newlines() -> None:
    assert read(b"one\r\ntwo\rthree\n\r\nfour").text == "one\ntwo\nthree\n\nfour"


def test_nuls_are_left_out_with_a_notice() -> None:
    document = read(b"The bread\0 is\0 good. " * 9)
    assert document.text == "The bread is good. " * 9
    assert document.notices == ("note.txt: 18 NUL characters left out.",)


def test_emoji_and_right_to_left_text_stay_as_they_are() -> None:
    text = "שלום עולם. 👩‍👩‍👧 مرحبا بالعالم."
    assert read(text.encode()).text == text


@pytest.mark.parametrize("data", [bytes(range(256)) * 5, b"\0" * 50, b"\x80\x81\x82\x00\x01\x02" * 50])
def test_binary_data_is_refused(data: bytes) -> None:
    with pytest.raises(InputError, match=r"note\.txt"):
        read(data)


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        document = read(data)
    except InputError:
        return
    document.text.encode()
    assert "\r" not in document.text
    assert "\0" not in document.text
    assert all(document.printed)


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=200))
def test_every_text_in_utf_8_is_read_as_it_is(text: str) -> None:
    assume(">" not in text)
    assert read(codecs.BOM_UTF8 + text.encode()).text == text


@pytest.mark.parametrize(
    "sequence",
    [
        "\x1b]0;pwned\x07",  # the title of a window, ended as xterm has it
        "\x1b]8;;https://example.com\x1b\\",  # a link, ended by ST
        "\x1bP1$r0m\x9c",  # a device control string
        "\x1b[1;31m",  # bold and red
        "\x1b[?25l",  # no cursor
        "\x9b31m",  # red, by the one character of C1
        "\x9d0;pwned\x9c",
        "\x1b(B",  # the character set of ASCII
        "\x1bc",  # a reset
    ],
)
def test_sequences_for_terminals_go_as_a_whole_and_are_told(sequence: str) -> None:
    document = read(f"The {sequence}tug left.{sequence}\n".encode())
    assert document.text == "The tug left.\n"
    assert document.notices == ("note.txt: 2 terminal sequences left out (colours, titles).",)


def test_what_only_begins_like_a_sequence_keeps_its_text() -> None:
    assert read(b"The \x1b]0;tug left.\nIt came \x1b]2;back.\n").text == "The tug left.\nIt came back.\n"
    assert read("«The \x9btug\x9d left.»\n".encode()).text == "«The \x9btug\x9d left.»\n"
