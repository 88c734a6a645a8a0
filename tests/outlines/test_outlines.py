"""Outlines of books, laws, contracts and reports: every heading at its level, and a sentence for each part."""

from __future__ import annotations

import pytest
from outline_cases import Case, cases

import nutgraf

CASES = list(cases())


@pytest.fixture(params=CASES, ids=[case.name for case in CASES])
def case(request: pytest.FixtureRequest) -> Case:
    found: Case = request.param
    return found


def test_every_heading_is_a_part_at_its_level_and_in_its_order(case: Case) -> None:
    outline = nutgraf.load()(case.document, by="section")
    assert [(part.level, part.title) for part in outline if part.title] == case.expected


def test_every_part_with_text_has_a_sentence_of_its_own_text(case: Case) -> None:
    outline = nutgraf.load()(case.document, by="section")
    for part in outline:
        assert bool(part.sentences) == bool(part.words)
        for sentence in part.sentences:
            [origin] = sentence.origins
            assert part.place.start <= origin.start < origin.end <= part.place.end or part.joined
            printed = " ".join(case.document.text[origin.start : origin.end].split())
            assert printed == sentence.text


@pytest.mark.parametrize("words", [15, 40, 90, 250])
def test_the_words_of_all_parts_are_never_more_than_asked_for(case: Case, words: int) -> None:
    try:
        outline = nutgraf.load()(case.document, by="section", words=words)
    except nutgraf.NutgrafError:
        assert words < 40
        return
    assert 0 < outline.words <= words
    assert outline.words == sum(len(part.text.split()) for part in outline) or case.document.language == "zh"
