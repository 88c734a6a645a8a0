"""Short lengths: complete good sentences, or a refusal that names the smallest length that works."""

import pytest

import nutgraf
from nutgraf.errors import BudgetError
from nutgraf.extractive import sentence_rankers
from nutgraf.presets import names
from nutgraf.prose import qualities
from nutgraf.prose.quality import GOOD, JUNK, LEAST_ROOM
from nutgraf.systems import lacking, load
from nutgraf.systems import read_preset as read
from nutgraf.text.document import Document

NEWS = """The ferry to Skerra stayed in the harbour on Monday after a storm tore two planks from the old quay.
Nobody was hurt. The council wants to mend the quay before the weekend, but the planks have to be cut on the mainland.
"We wait," said the ferry's captain. "It is not the first time."
Schools on the island will open late until the ferry runs again.
Photo: Ann Lee."""

ABSTRACT = """We present a gauge that measures the tide by the weight of the water above it. Earlier gauges floated. In
this paper we show that ours errs by less than a centimetre in a year of tests at three harbours. It costs little."""

TALK = """Ann Lee: The roof of the hall leaks, and the carpenter wants four hundred crowns for it.
Ben Roy: Mm-hmm.
Ann Lee: I would rather pay him now than buy a new floor in the spring.
Ben Roy: Then let us decide that the carpenter begins on Monday with the roof."""

PLAN = """# Garden

Spring is short here. Beds are dug in March, when the ground has thawed and the hens have not yet found them.

## Beans

- sow in May
- water them well

The beans are sown in May, two to a hole, and watered each evening until they reach the top of the poles."""

GERMAN = """Die Fähre blieb am Montag im Hafen, weil der Sturm zwei Planken vom Kai gerissen hatte.
Verletzt wurde niemand. Der Rat will den Kai vor dem Wochenende reparieren lassen. Foto: Anna Lenz."""

CHINESE = "渡船星期一没有离开港口，因为暴风雨毁坏了码头。没有人受伤。市政府打算在周末以前修好码头。"

TEXTS = (NEWS, ABSTRACT, TALK, PLAN, GERMAN, CHINESE)

READY = [name for name in names() if read(name).system in ("extractive", "two_stage") and not lacking(read(name))]


@pytest.fixture(scope="module")
def documents():
    return [Document.of(text) for text in TEXTS]


def is_choosy(name):
    """Whether a system takes good prose before weak prose, in summaries of any length."""
    preset = read(name)
    return preset.system == "extractive" and not sentence_rankers.find(preset.section("extractive")["kind"]).positional


@pytest.mark.parametrize("name", READY)
def test_a_short_summary_is_good_prose_or_says_what_would_do(name, documents):
    summarize = load(name)
    for document in documents:
        for words in (5, 12, 25):
            refusal = None
            try:
                check(name, summarize(document, words=words), words)
            except BudgetError as error:
                refusal = error
            if refusal is not None and refusal.smallest is not None:
                assert f"{refusal.smallest}" in str(refusal)
                check(name, summarize(document, words=refusal.smallest), refusal.smallest)
            elif refusal is not None:
                assert name == "systematic"
                assert str(refusal).endswith("another system takes others.")


def check(name, summary, words):
    """Whole sentences within the length, none of them junk; weak ones only beside good ones, and where much is left."""
    document = summary.document
    assert 0 < summary.words <= words
    found = [qualities(document)[document.printed.index(sentence.text)] for sentence in summary]
    assert min(found) > JUNK
    if is_choosy(name) and min(found) < GOOD:
        good = [sentence for sentence, quality in zip(summary, found, strict=True) if quality == GOOD]
        prose_words = sum(document.length_of(sentence.text) for sentence in good)
        assert good
        assert words - prose_words > LEAST_ROOM["words"]


@pytest.mark.parametrize("name", ["adaptive", "text_rank"])
def test_scraps_do_not_fill_up_a_sentence(name):
    """The second sentence would fit into the 3 words that are left of 18, more than 15 %."""
    text = "Schools on the island will open late until the old ferry runs again on Monday. Nobody was hurt."
    assert nutgraf.load(name)(text, words=18).text == text.split(" Nobody")[0]
    assert nutgraf.load(name)(text, words=28).text == text
