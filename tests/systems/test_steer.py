"""Highlights become a factor for each sentence."""

import pytest

import nutgraf
from nutgraf.errors import InputError
from nutgraf.prose import judgements
from nutgraf.prose.quality import WEAK
from nutgraf.systems import steering as module
from nutgraf.systems.steering import Steering, steer
from nutgraf.text.document import Document, join
from nutgraf.text.request import Highlights, Request

DOCUMENT = Document.of("The tug came. The pilot left the tug. A tug, a quay and a tug. Rain fell.", "harbour.txt")


def highlighted(highlights: Highlights, document: Document = DOCUMENT) -> Steering:
    return steer(document, Request.of(highlights=highlights))


def test_a_sentence_gets_one_and_the_weights_of_what_it_carries():
    steering = highlighted(["tug:2", "the pilot:0.5", "quay"])
    assert steering.emphasis == pytest.approx([3, 3.5, 4, 1])
    assert [(phrase.text, phrase.score) for phrase in steering.phrases] == [("tug", 2), ("the pilot", 0.5), ("quay", 1)]
    assert steering.notices == ()


def test_a_mapping_says_the_same():
    as_lines, as_mapping = highlighted(["tug:2", "quay:1"]), highlighted({"tug": 2, "quay": 1})
    assert as_lines.emphasis.tolist() == as_mapping.emphasis.tolist()
    assert as_lines.phrases == as_mapping.phrases


def test_one_phrase_need_not_be_a_list():
    assert highlighted("rain").emphasis == pytest.approx([1, 1, 1, 2])


def test_what_does_not_occur_is_told():
    steering = highlighted(["whale"])
    assert steering.emphasis is None
    assert steering.notices == ("The highlight 'whale' does not occur in harbour.txt.",)


def test_several_documents_are_steered_as_one():
    assert highlighted(["rain:4"], join([DOCUMENT, DOCUMENT])).emphasis == pytest.approx([1, 1, 1, 5, 1, 1, 1, 5])


@pytest.mark.parametrize("bad", [["tug:"], ["tug:0"], ["tug:-1"], ["tug:nan"], [":"], [""], {"tug": 0}])
def test_weights_that_are_none_are_told(bad):
    with pytest.raises(InputError, match="highlight"):
        highlighted(bad)


class TestUnshown:
    TEXT = (
        "The tug came. The pilot of the harbour left the old tug early on Monday. "
        "A heavy rain fell on the harbour all through the long and windy night. Which whale was it?"
    )

    @pytest.mark.parametrize("system", ["adaptive", "mls_plus", "lex_rank"])
    def test_a_highlight_that_does_not_fit_says_so(self, system):
        summary = nutgraf.load(system)(self.TEXT, words=12, highlights=["rain", "pilot"])
        assert summary.text == "The pilot of the harbour left the old tug early on Monday."
        assert any("14 words" in notice for notice in summary.notices)

    def test_characters_are_counted_as_they_are_printed(self):
        (notice,) = nutgraf.load()(self.TEXT, characters=60, highlights="rain").notices[-1:]
        assert notice == "No sentence with 'rain' was chosen: the shortest has 70 characters."

    def test_a_highlight_in_weak_prose_says_so(self):
        (notice,) = nutgraf.load()(self.TEXT, words=30, highlights="whale").notices[-1:]
        reason = "the sentences with it are not prose, or only a second choice (1 very short sentence)"
        assert notice == f"No sentence with 'whale' was chosen: {reason}."

    def test_a_weaker_highlight_can_be_made_stronger(self):
        (notice,) = nutgraf.load()(self.TEXT, words=14, highlights={"rain": 3, "pilot": 1}).notices[-1:]
        assert notice == (
            "No sentence with 'pilot' was chosen: other sentences scored higher; a greater weight, such as 2, may "
            "bring one in."
        )


LETTER = """\
Dear members,

Thank you all for coming to the summer meeting of the rowing club in such numbers.

The old boathouse lost a third of its roof in the storm of last November. Two of the four racing boats were crushed by
the beams that fell. The insurer has paid for the boats, but not for the roof. A carpenter from Skerra measured the
beams in May and thinks that the rest of them will hold. New slates would cost about £9,000 and take six weeks to lay.

The committee would like to thank everybody who has rowed for the roof, and asks members to send us more ideas.

Please send your photographs of the regatta to the secretary by the end of the month.

The regatta brought in £2,100 although it rained from noon to evening. Children under twelve rowed in a race of their
own for the first time. We look forward to seeing you all on the water again next spring.
"""


class TestAskedFor:
    """A sentence that somebody asks for need not look like prose, but may not be known to be junk."""

    DOCUMENT = Document.of(LETTER, language="en")
    LIKELY = next(index for index, one in enumerate(judgements(DOCUMENT)) if one == (WEAK, "likely junk"))

    def test_a_second_choice_that_looks_like_junk_is_taken(self):
        sentence = self.DOCUMENT.printed[self.LIKELY]
        summarize = nutgraf.load()
        assert sentence not in summarize(self.DOCUMENT, words=60).text
        for asked in ({"highlights": "thank everybody"}, {"query": "Who has rowed for the roof?"}):
            assert sentence in summarize(self.DOCUMENT, words=60, **asked).text

    def test_what_is_known_to_be_junk_is_not(self):
        summary = nutgraf.load()(self.DOCUMENT, words=60, highlights="photographs")
        assert "photographs" not in summary.text
        assert any("'photographs'" in notice for notice in summary.notices)


@pytest.mark.parametrize("nothing", [(), [], {}])
def test_without_highlights_nobody_looks_for_any(nothing, monkeypatch):
    monkeypatch.setattr(module, "find_phrases", None)
    assert highlighted(nothing) == Steering()
