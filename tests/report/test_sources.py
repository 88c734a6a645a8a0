"""The sources' texts are all there, marked where something came from and folded where nothing did."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_samples import phrase, sentence, summary, two_sources

from nutgraf.report.sources import LONG_PARAGRAPH, LONG_SOURCE, Block, Source, lay_out, names_of
from nutgraf.text.document import Document, Section, join
from nutgraf.text.summary import Budget, Cut, Origin, Summary, SummarySentence


def text_of(source: Source) -> str:
    return " ".join(block.text for group in source.groups for block in group.blocks)


def blocks_of(source: Source) -> list[Block]:
    return [block for group in source.groups for block in group.blocks]


def test_origins_are_marked_in_their_own_source() -> None:
    document = two_sources()
    (bridge, ferry), _ = lay_out(summary(document, [sentence(document, 5), sentence(document, 0)]))
    marked = [
        ("".join(run.text for run in stretch.runs), stretch.sentences)
        for source in (bridge, ferry)
        for block in blocks_of(source)
        for stretch in block.stretches
        if stretch.sentences
    ]
    assert marked == [("A barge struck the old bridge.", (2,)), ("She serves coffee.", (1,))]
    assert (bridge.name, bridge.words, bridge.used) == ("bridge.txt", 20, 1)


def test_two_sentences_from_one_place_share_its_anchor() -> None:
    document = two_sources()
    made = summary(document, [sentence(document, 1), sentence(document, 1, 2, operation="expanded")])
    sources, anchors = lay_out(made)
    (stretch,) = [one for one in blocks_of(sources[0])[0].stretches if one.sentences]
    assert stretch.sentences == (1, 2)
    assert {anchors[sentence.origins[0]] for sentence in made.sentences} == {stretch.anchor}


def test_an_origin_over_two_paragraphs_ends_once() -> None:
    document = two_sources()
    whole = SummarySentence("All.", "generated", (Origin(0, 0, document.parts[0].end),))
    sources, _ = lay_out(summary(document, [whole]))
    first, second = (block.stretches[0] for block in blocks_of(sources[0]))
    assert (first.ending, second.ending) == ((), (1,))
    assert first.anchor
    assert not second.anchor


def test_phrases_are_marked_inside_origins_and_outside() -> None:
    document = two_sources()
    made = summary(
        document, [sentence(document, 0)], phrases=(phrase(document, "bridge"), phrase(document, "old bridge"))
    )
    sources, _ = lay_out(made)
    runs = [run.text for block in blocks_of(sources[0]) for one in block.stretches for run in one.runs if run.phrase]
    assert runs == ["old bridge", "bridge"]


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (["/home/me/a.txt", "b/c.pdf"], ["a.txt", "c.pdf"]),
        (["mine/a.txt", "yours/a.txt"], ["mine/a.txt", "yours/a.txt"]),
        (["all/docs.jsonl:3", "all/docs.jsonl:7"], ["docs.jsonl:3", "docs.jsonl:7"]),
        (["AC/DC: a history", ""], ["AC/DC: a history", "Source 2"]),
        ([""], ["Text"]),
    ],
)
def test_files_are_called_by_their_names_where_that_tells_them_apart(given: list[str], shown: list[str]) -> None:
    assert names_of(join([Document.of("Some.", name) for name in given])) == shown


def test_a_paragraph_that_was_cut_says_by_which_rule() -> None:
    document = two_sources()
    start = document.text.index("She will")
    base = document.parts[1].start
    cut = Cut(1, start - base, len(document.text) - base, 5, "head: the first 10 words")
    sources, anchors = lay_out(summary(document, [sentence(document, 4)], cut=(cut,)))
    last = sources[1].groups[-1]
    assert (last.rule, last.words, last.folded) == ("head: the first 10 words", 6, False)
    assert anchors[cut] == last.blocks[0].stretches[0].anchor


def test_a_paragraph_that_was_cut_and_used_all_the_same_stays_open() -> None:
    document = two_sources()
    cut = Cut(0, 0, document.parts[0].end, 20, "head: nothing of it")
    (bridge, _), _ = lay_out(summary(document, [sentence(document, 0)], cut=(cut,)))
    assert [group.rule for group in bridge.groups] == ["", "head: nothing of it"]
    assert [one.rule for one in bridge.groups[0].blocks[0].stretches] == ["head: nothing of it"] * 2


def test_a_long_source_is_folded_where_nothing_was_taken() -> None:
    paragraph = "Seven words stand in this very sentence. " * 20
    document = Document.of("\n\n".join([paragraph] * 20), language="en")
    assert document.text.count(" ") > LONG_SOURCE
    (source,), _ = lay_out(summary(document, [sentence(document, 7 * 20)]))
    assert [(len(group.blocks), group.folded) for group in source.groups] == [(6, True), (3, False), (11, True)]
    assert source.groups[0].words == 6 * 140


def test_a_heading_stays_with_what_it_heads() -> None:
    paragraph = "Seven words stand in this very sentence. " * 20
    heading = "What came next"
    text = "\n\n".join([paragraph] * 9 + [heading] + [paragraph] * 9)
    start = text.index(heading)
    end = start + len(heading)
    document = Document.of(text, sections=[Section(heading, end + 2, len(text))], language="en")
    document = replace(document, sentences=tuple(one for one in document.sentences if not start <= one.start < end))
    (source,), _ = lay_out(summary(document, [sentence(document, 10 * 20)]))
    assert [(len(group.blocks), group.folded) for group in source.groups] == [(9, True), (4, False), (6, True)]
    assert [block.heading for block in source.groups[1].blocks] == [True, False, False, False]


def test_a_page_is_named_where_it_begins() -> None:
    document = Document.of("One here.\n\nTwo here.\n\nThree here.", pages=(0, 11), language="en")
    (source,), _ = lay_out(summary(document, []))
    assert [block.page for block in blocks_of(source)] == [1, 2, None]


def test_a_wall_of_text_is_broken_between_sentences() -> None:
    document = Document.of("Seven words stand in this very sentence. " * 200, language="en")
    (source,), _ = lay_out(summary(document, []))
    sentence_length = 41
    assert [len(block.text) // sentence_length for block in blocks_of(source)] == [49, 49, 49, 49, 4]
    assert all(block.text.startswith("Seven") for block in blocks_of(source))
    assert 48 * sentence_length < LONG_PARAGRAPH < 49 * sentence_length


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(max_size=60), min_size=1, max_size=3), st.data())
def test_no_word_is_lost_whatever_is_marked(texts: list[str], data: st.DataObject) -> None:
    document = join([Document.of(text) for text in texts])
    places = st.builds(
        lambda source, start, length: Origin(source, start, start + length),
        st.integers(0, len(texts) - 1),
        st.integers(0, 60),
        st.integers(0, 60),
    )
    origins = data.draw(st.lists(places, max_size=4))
    cut = [Cut(one.source, one.start, one.end, 1, "rule") for one in data.draw(st.lists(places, max_size=2))]
    sentences = [SummarySentence("Some.", "generated", tuple(origins))]
    sources, anchors = lay_out(Summary(tuple(sentences), document, Budget(), "s", cut=tuple(cut)))
    assert [text_of(source).split() for source in sources] == [text.split() for text in texts]
    ids = {stretch.anchor for source in sources for block in blocks_of(source) for stretch in block.stretches}
    assert set(anchors.values()) <= ids
