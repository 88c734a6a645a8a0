"""Words of a network become sentences: spaces, capitals, origins, budgets."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from nutgraf.systems.compose import Written, compose, is_whole, trail_off, whole, within
from nutgraf.text.document import Document, join
from nutgraf.text.summary import Origin
from nutgraf.text.truecasing import Truecaser

FIRST = "The tug Agnes left Tremouth at noon. Gulls watched the tug. Nobody slept."
SECOND = "A well–kept bridge—the town's—opened. It cost $5."
DOCUMENT = join([Document.of(FIRST, "first", language="en"), Document.of(SECOND, "second", language="en")])


def span(text: str, occurrence: int = 0) -> tuple[int, int]:
    start = -1
    for _ in range(occurrence + 1):
        start = DOCUMENT.text.index(text, start + 1)
    return start, start + len(text)


def written(line: str, probability: float = 0.5) -> list[Written]:
    """Words with spaces between them; *word is copied from its first place in the document."""
    return [
        Written(word.removeprefix("*").lower(), span(word[1:]) if word[0] == "*" else None, probability, 0.25)
        for word in line.split()
    ]


def composed(line: str, probability: float = 0.5):
    return compose(written(line, probability), DOCUMENT, Truecaser(DOCUMENT))


def test_sentences_have_capitals_names_and_no_stray_spaces():
    made = composed('the tug *Agnes left ( at *noon ) . " i saw it , " said dr. harrow , " and it did n\'t wait . "')
    assert [sentence.text for sentence in made] == [
        "The tug Agnes left (at noon).",
        '"I saw it," said Dr. Harrow, "and it didn\'t wait."',
    ]


def test_a_word_copied_from_the_beginning_of_a_sentence_loses_its_capital():
    assert composed("at *noon *Gulls watched .")[0].text == "At noon gulls watched."


def test_what_touches_in_the_source_touches_when_it_is_copied_together():
    assert composed("*A *well *– *kept bridge .")[0].text == "A well–kept bridge."
    assert composed("a well – kept bridge .")[0].text == "A well – kept bridge."


def test_of_a_source_in_tokens_hyphens_are_put_back():
    source = Document.of("a 20 - year - old tug , the agnes . she sank -- or not .", language="en")
    pieces = [Written(word, None, 0.5, None) for word in "a 20 - year - old tug - - or - not .".split()]
    assert compose(pieces, source, Truecaser(source))[0].text == "A 20-year-old tug -- or-not."
    assert compose(pieces, DOCUMENT, None)[0].text == "A 20 - year - old tug -- or - not."


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ('" no , he said .', "No, he said."),
        ('he said no . "', "He said no."),
        ('" no , " he said . " yes .', '"No," he said. Yes.'),
        ("`` no , '' he said .", '"No," he said.'),
    ],
)
def test_a_quotation_mark_without_a_partner_is_left_out(line, text):
    assert " ".join(sentence.text for sentence in composed(line)) == text


def test_the_white_space_before_it_stays():
    """A word that is joined to it then stands alone, unless it is joined to the word before."""
    written = [Written("Gone.", None, 0.5, None), Written('"', None, 0.5, None), Written("I", None, 0.5, None, True)]
    assert [one.text for one in compose(written, DOCUMENT, None)] == ["Gone.", "I"]
    written[1] = replace(written[1], joined=True)
    assert compose(written, DOCUMENT, None)[0].text == "Gone.I"


def test_what_was_written_without_a_space_has_none():
    pieces = [
        Written("re", None, 0.5, None),
        Written("-", None, 0.5, None, True),
        Written("entry", None, 1, None, True),
    ]
    assert compose(pieces, DOCUMENT, None)[0].text == "Re-entry"


def test_a_network_that_writes_capitals_is_left_alone():
    pieces = [Written(word, None, 0.5, None) for word in ("Agnes", "LEFT", "i", ".")]
    assert compose(pieces, DOCUMENT, None)[0].text == "Agnes LEFT i."


def test_every_word_knows_where_it_stands_and_where_it_comes_from():
    made = composed("*Agnes left . it cost *$ *5 .")
    for sentence in made:
        for word in sentence.words:
            assert sentence.text[word.start : word.start + len(word.text)] == word.text
    agnes, left, stop = made[0].words
    assert (agnes.operation, agnes.origin) == ("copied", Origin(0, 8, 13))
    assert (left.operation, left.origin, left.probability, left.p_copy) == ("generated", None, 0.5, 0.25)
    assert stop.text == "."
    assert made[1].words[3].origin == Origin(1, SECOND.index("5"), SECOND.index("5") + 1)


def test_a_sentence_comes_from_the_sentences_that_gave_most_of_it():
    [made] = composed("*Agnes and *Tremouth : *bridge , *Nobody , *the .")
    assert made.operation == "generated"
    assert [(origin.source, origin.start) for origin in made.origins] == [(0, 0), (1, 0)]


def test_function_words_count_where_nothing_else_was_copied():
    assert [origin.start for origin in composed("*at a loss .")[0].origins] == [0]
    assert composed("nothing was copied .")[0].origins == ()


def test_a_rating_is_the_geometric_mean_of_its_words_probabilities():
    pieces = [Written("a", None, 0.5, None), Written("b", None, 0.125, None)]
    assert compose(pieces, DOCUMENT, None)[0].rating == pytest.approx(math.sqrt(0.5 * 0.125))


def test_nothing_written_is_nothing():
    assert composed("") == []


class TestLengths:
    made = composed("one two three . four five . six seven eight nine")

    def test_sentences_in_order_while_they_fit(self):
        assert [len(within(self.made, words)) for words in (2, 3, 4, 5, 8, 9)] == [0, 1, 1, 2, 2, 3]
        assert [len(within(self.made, most=most)) for most in (1, 2, 3, None)] == [1, 2, 3, 3]

    def test_what_was_stopped_is_no_whole_sentence(self):
        assert [is_whole(sentence) for sentence in self.made] == [True, True, False]
        assert len(whole(self.made, complete=False)) == 2
        assert len(whole(self.made, complete=True)) == 3
        assert whole(composed("a headline without a mark"), complete=True)

    def test_marks_that_were_set_for_want_of_anything_else_end_no_sentence(self):
        forced = compose([*written("one two"), *written(". .", probability=0.001)], DOCUMENT, None)
        assert not is_whole(forced[0])
        assert whole(forced, complete=True) == []

    def test_a_sentence_that_was_cut_short_trails_off(self):
        assert trail_off(self.made[2]).text == "Six seven eight nine…"
