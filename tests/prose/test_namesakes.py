"""Who is named in one sentence is known in the others."""

from nutgraf.prose.dependence.names import namesakes
from nutgraf.text.document import Document

TEXT = "Then Ada Brook came. The tug left. Ada saw it. Nobody spoke to Brook. She went home."


def test_all_earlier_sentences_with_the_name_do():
    document = Document.of(TEXT, language="en")
    assert namesakes(document, 4, 2) == (0,)
    assert namesakes(document, 4, 0) == (3, 2)
    assert namesakes(document, 4, 1) == ()


def test_a_word_that_has_a_capital_at_the_beginning_only_is_no_name():
    document = Document.of("Nobody came. Nobody saw Ada. She left.", language="en")
    assert namesakes(document, 2, 1) == ()


def test_german_nouns_are_written_like_names():
    document = Document.of("Dann kam Ada. Der Kahn fuhr. Wieder kam Ada. Sie ging.", language="de")
    assert namesakes(document, 3, 2) == ()
