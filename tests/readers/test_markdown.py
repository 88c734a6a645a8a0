"""Markdown: the text without its marks."""

from __future__ import annotations

import pytest

from nutgraf.readers import readers
from nutgraf.text.document import Document


def read(text: str) -> Document:
    return readers.make("markdown").read(text.encode(), "read.md", "en")[0]


def test_headings_are_sections_and_no_sentences() -> None:
    document = read("Before all.\n\n# Rye\n\nIt is dark.\nIt is sour.\n\nWheat\n=====\n\n## Spelt\n\nIt is old.\n")
    assert [(section.name, document.show(section)) for section in document.sections] == [
        ("", "Before all."),
        ("Rye", "It is dark. It is sour."),
        ("Spelt", "It is old."),
    ]
    assert document.printed == ["Before all.", "It is dark.", "It is sour.", "It is old."]


def test_marks_go_and_what_they_mark_stays() -> None:
    text = "The *dark* **loaf** of [the baker](http://b.example) costs `9` ![a loaf](loaf.png) &amp; more<br>."
    assert read(text).text == "The dark loaf of the baker costs 9  & more."


def test_items_and_rows_are_blocks() -> None:
    text = "- rye\n- wheat\n  and spelt\n\n| Year | Cost |\n|---|---|\n| 1902 | 12 |\n"
    assert read(text).text == "rye\n\nwheat and spelt\n\nYear\tCost\n\n1902\t12"


def test_code_and_front_matter_are_left_out() -> None:
    front, fenced, indented = "---\ntitle: Bread\n---\n", "```\nbake()\n```", "    bake()"
    text = f"{front}Bake it.\n\n{fenced}\n\n{indented}\n\nEat it.\n"
    assert read(text).text == "Bake it.\n\nEat it."


def test_quotes_are_text() -> None:
    assert read("> Bread is bread.\n> Always.\n").printed == ["Bread is bread.", "Always."]


def test_lists_ten_deep_and_quotes_twenty_deep_are_text() -> None:
    items = [f"{'  ' * depth}- Loaf {depth} is dark." for depth in range(12)]
    assert read("\n".join(items)).printed == [f"Loaf {depth} is dark." for depth in range(12)]
    assert read("> " * 23 + "It is old.").printed == ["It is old."]


def test_what_is_nested_too_deeply_is_read_as_it_is_written() -> None:
    document = read("Bread is bread.\n\n" + "> " * 120 + "It is old.")
    assert "It is old." in document.text
    assert document.notices == (
        "read.md is nested too deeply to be read as Markdown; it is read as plain text, with its marks.",
    )


def test_blocks_of_html_are_read_as_html() -> None:
    document = read(
        "Bake it.\n\n<h2>Rye</h2>\n<p>Rye is <b>dark</b>.</p>\n\n<!-- none --><br/>\n\n<div>\n\n*Eat* it.\n\n</div>\n"
    )
    assert document.printed == ["Bake it.", "Rye is dark.", "Eat it."]
    assert [section.name for section in document.sections] == ["", "Rye"]
    assert document.notices == ()


def test_text_that_is_left_out_is_told() -> None:
    assert read("Bake it.\n\n    It was a dark loaf.\n").notices == (
        "read.md: 1 indented block is left out, because Markdown takes what is indented by four blanks for code.",
    )
    assert read("<img src=a>\n\nBake it.\n\n```\nbake()\n```\n").notices == ()


def test_text_between_rules_is_no_front_matter() -> None:
    assert read("---\nRye is dark.\n\n---\n\nWheat is light.\n").printed == ["Rye is dark.", "Wheat is light."]


@pytest.mark.parametrize("opened", ["```sh\nbake()", "~~~\nbake()", "<!-- bake()", "<script>\nbake()", "<? bake()"])
def test_a_block_that_is_not_closed_ends_at_a_blank_line_and_a_notice_says_so(opened: str) -> None:
    document = read(f"Bake it.\n\n{opened}\n\nEat *it*.\n\nSell it.\n")
    assert document.text == "Bake it.\n\nEat it.\n\nSell it."
    assert len(document.notices) == 1


def test_a_block_at_the_end_that_is_not_closed_may_have_blank_lines_behind_it() -> None:
    assert read("Bake it.\n\n```sh\nbake()\n\n\n\n").text == "Bake it."


def test_a_block_of_code_is_not_closed_by_the_beginning_of_the_next_one() -> None:
    document = read("```\nbake()\n\nEat it.\n\n```sh\nsell()\n```\n\nSell it.\n")
    assert document.text == "Eat it.\n\nSell it."
    assert len(document.notices) == 1
    assert not read("````\n```sh\nbake()\n```\n````\n\nSell it.\n").notices


def test_what_nothing_tells_from_an_unclosed_comment_is_left_out_with_a_notice() -> None:
    document = read("Bake it.\n\n<!-- Eat it.\nSell it.")
    assert document.text == "Bake it."
    assert len(document.notices) == 1


def test_text_behind_the_end_of_a_page_is_read() -> None:
    assert read("<html><body><p>Bake it.</p></body></html>\n<p>Eat it.</p>\n").text == "Bake it.\n\nEat it."
