"""The first words of documents and sections, and what is told of the rest."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nutgraf.text import truncate
from nutgraf.text.document import Document, Section, join
from nutgraf.text.summary import Cut
from nutgraf.text.truncate import Truncated, quotas


def of_words(count: int, name: str = "") -> Document:
    """A document of `count` words in sentences of seven and a full stop that stands alone."""
    words = [f"w{number}" for number in range(count)]
    return Document.of("\n".join(" ".join(words[at : at + 7]) + " ." for at in range(0, count, 7)), name, language="en")


def lines(*lengths: int) -> Document:
    """One document of parts with so many one-word sentences."""
    return join([Document.of("\n".join(["Word."] * length), language="en") for length in lengths])


def kept(truncated: Truncated) -> list[str]:
    return [truncated[0].show(sentence) for sentence in truncated[0].sentences]


def counts(truncated: Truncated) -> list[int]:
    document = truncated[0]
    by_part = [0] * len(document.parts)
    for sentence in document.sentences:
        by_part[document.part_of(sentence.start)] += len(document.show(sentence).split())
    return by_part


def test_three_documents_share_500_words_with_a_place_for_each_separator() -> None:
    assert quotas([50, 300, 400], 498) == [50, 224, 224]
    assert counts(truncate.parts(lines(50, 300, 400))) == [50, 224, 224]


def test_without_places_for_separators_they_share_all_500() -> None:
    assert quotas([50, 300, 400], 500) == [50, 225, 225]
    assert counts(truncate.parts(lines(50, 300, 400), legacy=True)) == [50, 225, 225]


def test_what_cannot_be_shared_goes_to_the_first_unfinished_one_each() -> None:
    assert quotas([100] * 4, 7) == [2, 2, 2, 1]  # 7/4 = 1, remainder 3
    assert quotas([100] * 4, 3) == [1, 1, 1, 0]
    assert quotas([9, 9, 9], 11) == [4, 4, 3]  # 11/3 = 3, remainder 2
    assert quotas([1, 9, 9], 2) == [1, 1, 0]
    assert quotas([1, 9, 9, 9], 12) == [1, 4, 4, 3]  # the first is whole; 11/3 = 3, remainder 2
    assert quotas([0, 5, 0, 5], 7) == [0, 4, 0, 3]


def test_short_documents_stay_whole() -> None:
    document = lines(50, 60)
    assert truncate.parts(document) == (document, ())


def test_empty_documents_take_no_place() -> None:
    assert counts(truncate.parts(lines(7, 0, 7), total=12)) == [6, 0, 5]


@given(st.lists(st.integers(0, 40), max_size=7), st.integers(-3, 120))
def test_quotas_give_all_there_is_and_favour_nobody(lengths: list[int], total: int) -> None:
    given_out = quotas(lengths, total)
    assert all(0 <= quota <= length for quota, length in zip(given_out, lengths, strict=True))
    assert sum(given_out) == min(max(0, total), sum(lengths))
    cut = [quota for quota, length in zip(given_out, lengths, strict=True) if quota < length]
    if cut:
        assert max(given_out) - min(cut) <= 1


def test_head_shortens_the_sentence_at_the_limit() -> None:
    document = Document.of("One two three. Four five six. Seven.", "a", language="en")
    truncated = truncate.head(document, 5)
    assert kept(truncated) == ["One two three.", "Four five"]
    assert truncated[1] == (Cut(source=0, start=25, end=36, words=2, rule="the first 5 words"),)


def test_what_was_cut_is_told_with_offsets_into_its_own_document() -> None:
    documents = [Document.of(text, language="en") for text in ("A b c. D.", "E f g. H i j.", "K.")]
    truncated, cuts = truncate.parts(join(documents), total=8)
    assert kept((truncated, cuts)) == ["A b c.", "E f", "K."]
    rule = "8 words over 3 documents"
    assert cuts == (Cut(0, 7, 9, 1, rule), Cut(1, 4, 13, 4, rule))
    assert [documents[cut.source].text[cut.start : cut.end] for cut in cuts] == ["D.", "g. H i j."]


def test_a_truncated_document_keeps_its_text_and_offsets() -> None:
    document = of_words(100)
    truncated, _ = truncate.head(document, 4 * 8)
    assert truncated.text == document.text
    assert truncated.sentences == document.sentences[: len(truncated.sentences)]


def test_sections_share_their_words_and_gaps_count_as_sections() -> None:
    text = "Before it all. One one one. Two two two. After it."
    sections = [Section("1", 15, 27), Section("2", 28, 40)]
    document = Document.of(text, sections=sections, language="en")
    truncated = truncate.sections(document, 8)
    assert kept(truncated) == ["Before it", "One one", "Two two", "After it."]
    assert [cut.words for cut in truncated[1]] == [1, 1, 1]
    assert truncate.sections(document, 11) == (document, ())


def test_without_sections_the_first_words_stay() -> None:
    document = of_words(50)
    assert truncate.sections(document, 20)[0] == truncate.head(document, 20)[0]


@given(st.lists(st.text(st.sampled_from("ab .\n"), max_size=30), min_size=1, max_size=4), st.integers(0, 20))
def test_kept_and_cut_words_are_all_words(texts: list[str], total: int) -> None:
    document = join([Document.of(text, language="en") for text in texts])
    words = len(document.text.split())
    for truncated, cuts in (
        truncate.head(document, total),
        truncate.parts(document, total),
        truncate.sections(document, total),
    ):
        remaining = sum(len(truncated.show(sentence).split()) for sentence in truncated.sentences)
        assert remaining <= total
        assert remaining + sum(cut.words for cut in cuts) == words
