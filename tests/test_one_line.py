"""Functions that need one line of Python and no system."""

import pytest

import nutgraf
from nutgraf.errors import PresetError, UnknownName

TEXT = "The tide gauge failed. Nobody reads the tide gauge."


def test_phrases_of_a_text_or_a_document():
    [phrase] = nutgraf.phrases(TEXT, top=1)
    assert (phrase.text, phrase.spans) == ("tide gauge", ((4, 14), (40, 50)))
    assert nutgraf.phrases(nutgraf.Document.of(TEXT), "rake", ngram_range=[2, 2]) == nutgraf.phrases(
        TEXT, "rake", ngram_range=[2, 2]
    )


def test_rouge_against_one_reference_or_several():
    one = nutgraf.rouge("police killed the gunman", "the gunman killed police", variants=["2"])
    assert one["2"].f == pytest.approx(1 / 3, abs=1e-5)
    assert nutgraf.rouge("a b", ["a b", "c d"], variants=["1"])["1"].recall == 0.5


def test_a_message_quotes_no_whole_book():
    with pytest.raises(UnknownName) as caught:
        nutgraf.phrases(TEXT, "rake" * 100_000)
    said = str(caught.value)
    assert said.startswith("No keyphrase extractor 'rake")
    assert (len(said), " … " in said) == (4_003, True)


def test_mistakes_are_told():
    with pytest.raises(UnknownName, match=r"'rak'.*'rake'"):
        nutgraf.phrases(TEXT, "rak")
    with pytest.raises(PresetError, match="Did you mean 'variants'"):
        nutgraf.rouge("a", "a", variant=["1"])
