"""A rule comes with its exception, a list with its introduction, and an old advice with what reverses it."""

import pytest

import nutgraf
from nutgraf.errors import BudgetError
from nutgraf.readers.reading import read
from nutgraf.text.document import Document

LAW = """Building Act

§ 4 Permits

(1) Whoever builds a house in the county needs a permit of the council. The council decides within eight weeks.

(2) No permit is required for a building of the county

1. if it is lower than three metres and has no chimney,

2. if it stands for less than thirty days, or

3. if the council has waived the permit in writing.

(3) The council may order that a building without a permit is

1. closed to the public, or

2. taken down at the expense of the owner.

§ 5 Fees

(1) The fee for a permit is 300 crowns. The council may lower the fee for a house of the county.
"""

MARKED = LAW.replace("Building Act", "# Building Act").replace("§", "## §")

REVERSAL = """Doctors in the county see more children with an allergy to hazelnuts every year.

Parents were advised for two decades to keep nuts away from babies, for fear of causing the allergy. A trial in four
clinics now shows that the opposite is right: small amounts before the first birthday protect most children from it.

The trial followed 640 children until they were five. Of those who had eaten nut porridge as babies, 3 % became
allergic; of the others, 17 %. The clinics have changed their leaflets.
"""

LISTS = (
    ["Whoever builds", "No permit", "lower than", "thirty days", "waived"],
    ["may order", "closed to", "taken down"],
)
SYSTEMS = ("adaptive", "lex_rank", "text_rank", "mls_plus", "submodular")


@pytest.fixture(params=["law.txt", "law.md"])
def law(request, tmp_path):
    file = tmp_path / request.param
    file.write_text(LAW if request.param.endswith(".txt") else MARKED)
    (document,) = read(str(file), language="en")
    return document


def text_of(summarize, document, words):
    """The summary; "" where nothing fits."""
    try:
        summary = summarize(document, words=words)
    except BudgetError:
        return ""
    assert summary.words <= words
    return summary.text


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_list_is_taken_whole_and_a_rule_with_its_exception(name, law):
    summarize = nutgraf.load(name)
    for words in range(5, 140, 5):
        found = text_of(summarize, law, words)
        rule, *exception = [part in found for part in LISTS[0]]
        assert len(set(exception)) == 1
        assert exception[0] or not rule
        assert len({part in found for part in LISTS[1]}) == 1


def test_the_list_is_taken_if_it_fits(law):
    found = nutgraf.load()(law, words=60).text
    assert all(part in found for part in LISTS[0])


def test_a_budget_in_sentences_that_no_list_fits_is_told():
    document = Document.of("The council may order\n\n1. that the house is closed,\n\n2. that it is taken down.")
    assert len(nutgraf.load()(document, sentences=3)) == 3
    assert len(nutgraf.load()(document)) == 3
    with pytest.raises(BudgetError) as caught:
        nutgraf.load()(document, sentences=2)
    assert caught.value.smallest == 3


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_old_advice_never_stands_without_what_reverses_it(name):
    document, summarize = Document.of(REVERSAL, language="en"), nutgraf.load(name)
    for words in range(15, 100, 5):
        found = text_of(summarize, document, words)
        assert "opposite" in found or "were advised" not in found
        assert "were advised" in found or "opposite" not in found
