"""Who is named in one sentence is known in the others."""

from nutgraf.prose.dependence.names import names, namesakes
from nutgraf.text.document import Document

TEXT = "Then Ada Brook came. The tug left. Ada saw it. Nobody spoke to Brook. She went home."


def test_a_word_with_a_capital_is_a_name_if_it_has_one_within_a_sentence():
    found = names(Document.of(TEXT, language="en"))
    assert found == [{"Ada", "Brook"}, set(), {"Ada"}, {"Brook"}, set()]


def test_all_earlier_sentences_with_the_name_do():
    document = Document.of(TEXT, language="en")
    assert namesakes(document, 4, 2) == (0,)
    assert namesakes(document, 4, 0) == (3, 2)
    assert namesakes(document, 4, 1) == ()


def test_german_nouns_are_written_like_names():
    assert not any(names(Document.of("Dann kam Ada. Der Kahn fuhr ab.", language="de")))
