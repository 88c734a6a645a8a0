"""The contract of the presets, over every file in the folder: each describes itself, and one that needs no training
loads, summarizes, and says why. A network, made tiny, learns a few notices for two steps and does the same."""

import json
import re

import pytest

import nutgraf
from nutgraf.errors import BudgetError, PresetError
from nutgraf.presets import names
from nutgraf.report.page import render
from nutgraf.systems import lacking
from nutgraf.systems import read_preset as read
from nutgraf.text.tokenize import flatten
from tiny_network import tiny, train

STORY = """The harbour pilot guided the tanker
to the quay. The tanker carried crude oil for the power station. A storm broke the mooring lines during the night.
The pilot called two tugs at once. The tugs pushed the tanker against the quay. Nobody was hurt, said the council.
Gulls watched from the roof of the power station. The oil company thanked the pilot and the crews of the tugs.

The town has bought a second tug. The harbour master had asked for it for years. The storm settled the matter."""

NOTE = "The second tug came in May. It cost the town a school roof. Nobody complained about the second tug."

KEYS = {
    "schema",
    "text",
    "words",
    "budget",
    "sources",
    "language",
    "genre",
    "highlights",
    "sentences",
    "phrases",
    "cut",
    "excluded",
    "notices",
}

NETWORKS = [name for name in names() if read(name).system == "neural"]
READY = [name for name in names() if not lacking(read(name))]
TAGGERS = [name for name in names() if read(name).system in ("tagger", "selector", "span_classifier")]
RESTING = [name for name in names() if lacking(read(name)) and read(name).system == "two_stage"]

every = pytest.mark.parametrize("name", READY)


@pytest.fixture(scope="module")
def systems():
    """Each preset loaded once."""
    return {name: nutgraf.load(name) for name in READY}


@pytest.fixture(scope="module", params=NETWORKS)
def learner(request, tmp_path_factory):
    """A preset of a network, made tiny, after two steps of training: its name, its folder, its losses."""
    pytest.importorskip("torch")
    return request.param, *train(tmp_path_factory.mktemp(request.param), tiny(request.param), steps=2)


def has_attention(name):
    """Whether the encoder of a preset has self-attention to show."""
    from nutgraf.model.encoder import Encoder, encoders

    return encoders.find(read(name).section("model.encoder")["kind"]).weights is not Encoder.weights


def check_origins(summary):
    """Every span shows the sentence that it is said to be the origin of."""
    document = summary.document
    for sentence in summary.sentences:
        assert sentence.origins
        for origin in sentence.origins:
            part = document.parts[origin.source]
            assert flatten(document.text[part.start : part.end][origin.start : origin.end]) == sentence.text


@pytest.mark.parametrize("name", names())
def test_a_preset_describes_itself(name):
    table = read(name).table
    assert table["title"]
    assert table["about"].endswith(".")
    assert set(map(type, (table[key] for key in ("title", "about", "paper", "published") if key in table))) == {str}


@every
def test_a_preset_summarizes_a_paragraph(name, systems):
    summary = systems[name](STORY)
    assert str(summary) == " ".join(sentence.text for sentence in summary.sentences) != ""
    assert len(summary.sentences) < 11
    check_origins(summary)


@every
@pytest.mark.parametrize("words", [10, 11, 17, 23, 31, 47, 61, 97, 1000])
def test_a_budget_in_words_holds(name, systems, words):
    summary = systems[name](STORY, words=words)
    assert 0 < len(str(summary).split()) == summary.words <= words
    check_origins(summary)


@every
@pytest.mark.parametrize("sentences", [1, 2, 3])
def test_a_budget_in_sentences_is_met(name, systems, sentences):
    summary = systems[name](STORY, sentences=sentences)
    assert len(summary.sentences) == sentences


@every
@pytest.mark.parametrize("share", ["1/4", "37.5%", 0.5, "1"])
def test_a_budget_as_a_share_holds(name, systems, share):
    summary = systems[name](STORY, share=share)
    assert summary.limit == int(summary.budget.share * len(STORY.split()))
    assert 0 < summary.words <= summary.limit


@every
def test_where_nothing_fits_the_smallest_that_would_does(name, systems):
    with pytest.raises(BudgetError, match="2 words") as caught:
        systems[name](STORY, words=2)
    smallest = caught.value.smallest
    assert systems[name](STORY, words=smallest).words == smallest
    with pytest.raises(BudgetError):
        systems[name](STORY, words=smallest - 1)


@every
def test_twice_is_the_same(name):
    first, second = (nutgraf.load(name)([STORY, NOTE], words=40) for _ in range(2))
    assert (first.text, first.signature) == (second.text, second.signature)
    assert first.to_json() == second.to_json()


@every
def test_several_documents_are_sources_of_one_summary(name, systems):
    summary = systems[name]([STORY, NOTE])
    assert len(summary.document.parts) == 2
    check_origins(summary)


@every
def test_json_says_it_all(name, systems):
    summary = systems[name]([STORY, NOTE], words=40, highlights=["second tug:3"])
    data = json.loads(summary.dumps())
    assert set(data) == KEYS | {"signature", "effect"}
    assert data["schema"] == "nutgraf.summary/1"
    assert data["text"] == str(summary)
    assert data["budget"] == {
        "asked": "40 words",
        "words": 40,
        "sentences": None,
        "share": None,
        "characters": None,
        "underused": summary.underused,
    }
    assert [source["characters"] for source in data["sources"]] == [len(STORY), len(NOTE)]
    assert data["phrases"][0]["text"] == "second tug"
    assert len(data["phrases"][0]["places"]) == 3
    for sentence in data["sentences"]:
        assert set(sentence) == {
            "text",
            "operation",
            "expands",
            "origins",
            "rating",
            "shares",
            "phrases",
            "words",
            "speaker",
            "connective",
            "left_out",
            "reasons",
            "flags",
        }
        assert ("second tug" in sentence["phrases"]) == ("second tug" in sentence["text"])


@every
def test_a_highlight_is_heard_or_the_notice_says_that_it_is_not(name, systems):
    plain, steered = systems[name](STORY, words=20), systems[name](STORY, words=20, highlights={"gulls": 500})
    if any("highlights change nothing" in notice for notice in steered.notices):
        assert str(steered) == str(plain)
    else:
        assert "Gulls" in str(steered)


@every
def test_signature_names_preset_seed_and_version(name, systems):
    assert systems[name].signature.startswith(f"{name}|options:")
    assert systems[name].signature.endswith(f"|seed:0|v{nutgraf.__version__}")
    assert nutgraf.load(name, {"seed": 7}).signature.endswith(f"|seed:7|v{nutgraf.__version__}")


@every
@pytest.mark.parametrize(
    "text", ["Ein Satz. Noch ein Satz. Und ein dritter Satz.", "ذهب الولد إلى المدرسة. كتب الدرس.", "🎉 🎈!"]
)
def test_other_scripts_and_languages_are_summarized(name, systems, text):
    check_origins(systems[name](text, sentences=1))


@every
def test_the_report_shows_it(name, systems):
    summary = systems[name]([STORY, NOTE], words=30)
    shown = flatten(re.sub(r"<[^>]*>", "", render(summary)))
    assert all(sentence.text in shown for sentence in summary.sentences)


@pytest.mark.parametrize("name", NETWORKS + TAGGERS)
def test_a_network_without_weights_says_how_to_train_it(name):
    pytest.importorskip("torch")
    with pytest.raises(PresetError, match="trained") as caught:
        nutgraf.load(name)
    assert f"train {name} " in str(caught.value)


def test_two_steps_of_training_lower_the_loss(learner):
    _, _, (before, _, after) = learner
    assert after < before


def test_a_network_summarizes_and_says_why(learner):
    name, folder, _ = learner
    system = nutgraf.load(folder, {"decoding.min_length": 7})
    summary = system([STORY, NOTE], highlights=["second tug:3"])
    assert summary.signature.startswith(f"{name}|options:")
    assert str(summary) == str(system([STORY, NOTE], highlights=["second tug:3"]))
    assert summary.words == len(str(summary).split())
    assert summary.sentences
    assert summary.cut
    for sentence in summary.sentences:
        assert sentence.operation == "generated"
        for word in sentence.words:
            assert sentence.text[word.start :].startswith(word.text)
    told = {"desired_length"} if system.is_told_length else set()
    assert set(json.loads(summary.dumps())) == KEYS | {"signature", "effect"} | told
    attention = system.attention(summary)
    assert (attention is not None) == has_attention(name)
    if attention is not None:
        assert attention.weights.shape[-2:] == (len(attention.words),) * 2
    signals = system.signals(summary)
    if signals is not None:
        assert set(json.loads(summary.dumps(signals))) == KEYS | {"signature", "effect", "signals"} | told
        assert all(0 <= share <= 1 for share in signals.covered)
    page = render(summary, attention, signals)
    assert ("<summary>Coverage</summary>" in page) == (signals is not None and signals.coverage is not None)


@pytest.mark.parametrize("name", RESTING)
def test_a_preset_that_rests_on_a_network_says_which_to_train(name):
    network = read(name).table["prototype"]
    with pytest.raises(PresetError, match=rf"{network}.*--set"):
        nutgraf.load(name)


@pytest.mark.parametrize("name", RESTING)
def test_and_brings_to_length_what_that_network_wrote(name, tmp_path):
    pytest.importorskip("torch")
    folder, _ = train(tmp_path, tiny(read(name).table["prototype"]), steps=2)
    search = {"decoding.beam_size": 4, "decoding.max_length": 60, "decoding.min_length": 7}
    options = {"prototype": str(folder), **search}
    system, prototype = nutgraf.load(name, options), nutgraf.load(folder, search)
    whole = system([STORY, NOTE])
    assert str(whole) == str(prototype([STORY, NOTE]))
    assert {sentence.operation for sentence in whole.sentences} == {"generated"}
    assert "weights:" in system.signature
    longer = system([STORY, NOTE], words=whole.words + 50)
    assert longer.words <= whole.words + 50
    at_least = nutgraf.load(name, {**options, "magnifier.mode": "at_least_prototype"})
    assert str(at_least([STORY, NOTE], words=1)) == str(whole)
