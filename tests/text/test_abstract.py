"""The abstract of a paper, in the forms in which papers have it."""

from __future__ import annotations

import textwrap

import pytest

from nutgraf.readers.reading import read_data
from nutgraf.text.abstract import OUTSIDE, only_abstract
from nutgraf.text.document import Document, join

FIRST = (
    "We count the gulls of nine harbours over eleven winters, and ask which of them return to the same mooring post."
)
SECOND = "Two thirds do, and those that do not are young."
ABSTRACT = f"{FIRST} {SECOND}"
INTRODUCTION = "Gulls have been counted since 1904. Nobody has followed single birds before."


def kept(document: Document) -> str:
    found, _ = only_abstract(document)
    return " ".join(found.show(sentence) for sentence in found.sentences)


@pytest.mark.parametrize(
    "front",
    [
        f"Abstract\n\n{ABSTRACT}",
        f"ABSTRACT\n{ABSTRACT}",
        f"Abstract. {ABSTRACT}",
        f"Abstract—{ABSTRACT}",
        f"Abstract: {ABSTRACT}",
        f"Abstract\n\n{ABSTRACT}\n\nKeywords: gulls, harbours",
        f"Abstract—{ABSTRACT}\n\nIndex Terms—Gulls, harbours, winters.",
    ],
)
def test_plain_text(front: str) -> None:
    text = f"Gulls and their posts\n\nAda Reed, Tremouth College\n\n{front}\n\n1 Introduction\n\n{INTRODUCTION}"
    assert kept(Document.of(text, language="en")) == ABSTRACT


def test_markdown_names_it_by_a_heading() -> None:
    blocks = [
        "# Gulls and their posts",
        "Ada Reed of Tremouth.",
        "## Abstract",
        ABSTRACT,
        "## Introduction",
        INTRODUCTION,
    ]
    text = "\n\n".join(blocks)
    [document] = read_data(text.encode(), "gulls.md")
    assert [section.name for section in document.sections] == ["Gulls and their posts", "Abstract", "Introduction"]
    assert kept(document) == ABSTRACT


def test_pdf(pdf_of: object) -> None:
    lines = ["Gulls and their posts", "", "Ada Reed, Tremouth College", "", "Abstract", ""]
    lines += [*textwrap.wrap(ABSTRACT, 62), "", "1 Introduction", "", INTRODUCTION]
    [document] = read_data(pdf_of([lines]), "gulls.pdf")  # type: ignore[operator]
    assert kept(document) == ABSTRACT


@pytest.mark.parametrize(
    "text",
    [
        f"{ABSTRACT} {INTRODUCTION}",
        f"Abstract interpretation is older than it looks. {ABSTRACT}",
        f"Abstract-based methods are older than they look. {ABSTRACT}",
        f"Abstract\n\nLost in the file.\n\n1 Introduction\n\n{ABSTRACT}",
    ],
)
def test_a_text_without_one_stays_as_it_is(text: str) -> None:
    document = Document.of(text, language="en")
    assert only_abstract(document) == (document, ())


def test_what_was_cut_is_told_word_by_word() -> None:
    text = f"Gulls and their posts.\n\nAbstract. {ABSTRACT}\n\nIntroduction\n\n{INTRODUCTION}"
    document = Document.of(text, language="en")
    _, cuts = only_abstract(document)
    assert {cut.rule for cut in cuts} == {OUTSIDE}
    assert document.num_words - sum(cut.words for cut in cuts) == len(ABSTRACT.split())
    assert text[cuts[0].start : cuts[0].end] == "Gulls and their posts.\n\nAbstract. "


def test_each_part_has_its_own() -> None:
    one = Document.of(f"Gulls.\n\nAbstract. {ABSTRACT}\n\nIntroduction\n\n{INTRODUCTION}", name="a", language="en")
    other = Document.of("The ferry left at noon. It carried a piano.", name="b", language="en")
    assert kept(join([other, one])) == f"{other.text} {ABSTRACT}"
