"""Several documents that hardly belong into one summary are told."""

import pytest

import nutgraf
from nutgraf.systems.explain import likeness, notices_together
from nutgraf.text.document import Document, join

FERRY = "The ferry left the harbour late because a storm broke the old quay near the village of Skerra. "
BEANS = "Gardeners sow beans under warm glass and water each green row before sunrise in early April. "
FAEHRE = "Die Fähre blieb am Montag im Hafen, weil der Sturm zwei Planken vom Kai gerissen hatte. "


def joined(*texts):
    return join([Document.of(text * 4) for text in texts])


def test_likeness_is_the_mean_cosine_of_each_pair():
    assert likeness(joined(FERRY, FERRY)) == pytest.approx(1)
    assert likeness(joined(FERRY, BEANS)) == pytest.approx(0)
    assert likeness(joined(FERRY, FERRY, BEANS)) == pytest.approx(1 / 3)
    assert likeness(join([Document.of(FERRY), Document.of(BEANS)])) is None


def test_what_is_told():
    assert list(notices_together(joined(FERRY))) == []
    assert list(notices_together(joined(FERRY, FERRY))) == []
    (notice,) = notices_together(joined(FERRY, BEANS))
    assert notice.startswith("The 2 documents share few words.")
    (notice,) = notices_together(joined(FERRY, FERRY, FAEHRE))
    assert notice.startswith("The documents are in several languages (2 in 'en', 1 in 'de')")


def test_a_summary_tells_it():
    assert any("share few" in notice for notice in nutgraf.load()([FERRY * 4, BEANS * 4], words=40).notices)
