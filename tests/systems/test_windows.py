"""Windows of a long document: paragraphs as long as they fit, some of them twice, and nothing left out."""

from __future__ import annotations

from nutgraf.systems._windows import windows
from nutgraf.text.document import Document, join

PARAGRAPHS = ["One two three.", "Four five six.", "Seven eight nine.", "Ten eleven twelve."]


def count(text: str) -> int:
    return len(text.split())


def read(document: Document, room: int, overlap: int = 0) -> list[str]:
    stretches = [(part.start, part.end) for part in document.parts]
    return [window.text for window in windows(document, stretches, room, overlap, count)]


def test_a_text_that_fits_is_one_window() -> None:
    assert read(Document.of("\n\n".join(PARAGRAPHS)), 20) == ["\n\n".join(PARAGRAPHS)]


def test_windows_hold_whole_paragraphs_and_are_alike_in_size() -> None:
    """Each paragraph takes 3 + 2; of 19 tokens at a time 3 fit, but 2 and 2 are more even."""
    first, second, third, fourth = PARAGRAPHS
    assert read(Document.of("\n\n".join(PARAGRAPHS)), 19) == [f"{first}\n\n{second}", f"{third}\n\n{fourth}"]


def test_a_window_repeats_the_last_paragraph_where_that_is_short_enough() -> None:
    first, second, third, fourth = PARAGRAPHS
    expected = [f"{first}\n\n{second}", f"{second}\n\n{third}", f"{third}\n\n{fourth}"]
    assert read(Document.of("\n\n".join(PARAGRAPHS)), 10, overlap=5) == expected
    assert read(Document.of("\n\n".join(PARAGRAPHS)), 10, overlap=4)[1] == f"{third}\n\n{fourth}"


def test_a_long_paragraph_is_read_sentence_by_sentence() -> None:
    assert read(Document.of("One two three. Four five six. Seven."), 6) == [
        "One two three. ",
        "Four five six. ",
        "Seven.",
    ]


def test_a_long_sentence_is_halved_at_white_space() -> None:
    assert read(Document.of("one two three four five six seven eight"), 6) == [
        "one two three four",
        " five six seven eight",
    ]


def test_a_text_without_white_space_is_halved_anywhere() -> None:
    pieces = [window.text for window in windows(Document.of("a" * 64), [(0, 64)], 18, 0, len)]
    assert pieces == ["a" * 16] * 4


def test_lines_of_a_paragraph_are_joined_and_places_stay() -> None:
    document = join([Document.of("The ferry\nsails."), Document.of("Nobody\nlives there.")])
    (window,) = windows(document, [(part.start, part.end) for part in document.parts], 50, 0, count)
    assert window.text == "The ferry sails.\n\nNobody lives there."
    spans = [(document.text.index(word), document.text.index(word) + len(word)) for word in ("sails", "there")]
    assert [window.text[start:end] for start, end in window.places(spans)] == ["sails", "there"]
    assert window.places([(0, len(document.text))]) == []


def test_no_border_divides_a_phrase_that_fits() -> None:
    """The middle of the line lies within "four five": the border moves to its end, which is nearest."""
    text = "one two three four five six seven eight"
    phrase = text.index("four"), text.index(" six")
    pieces = [one.text for one in windows(Document.of(text), [(0, len(text))], 7, 0, count, [phrase])]
    assert pieces == ["one two three four five", " six seven eight"]


def test_a_phrase_that_is_too_long_is_divided_all_the_same() -> None:
    text = "one two three four five six seven eight"
    pieces = [one.text for one in windows(Document.of(text), [(0, len(text))], 6, 0, count, [(0, len(text))])]
    assert pieces == ["one two three four", " five six seven eight"]
