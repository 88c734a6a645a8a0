"""Markdown: the text without its marks."""

from __future__ import annotations

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


def test_code_front_matter_and_raw_html_are_left_out() -> None:
    front, fenced, indented, raw = "---\ntitle: Bread\n---\n", "```\nbake()\n```", "    bake()", "<div>raw</div>"
    text = f"{front}Bake it.\n\n{fenced}\n\n{indented}\n\n{raw}\n\nEat it.\n"
    assert read(text).text == "Bake it.\n\nEat it."


def test_quotes_are_text() -> None:
    assert read("> Bread is bread.\n> Always.\n").printed == ["Bread is bread.", "Always."]
