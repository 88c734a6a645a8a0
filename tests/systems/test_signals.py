"""Signals of each source word (centrality, gate, coverage), from the network to the JSON, the page and
the plain lines."""

import html
import json
import re

import numpy as np
import pytest
from typer.testing import CliRunner

pytest.importorskip("torch")

import torch

import nutgraf
from nutgraf.cli._explain import explained
from nutgraf.cli.app import app
from nutgraf.model.records import Trace
from nutgraf.preparation import EncodedSource
from nutgraf.report import render
from nutgraf.systems._signals import signals_of
from nutgraf.text.document import Document, join
from nutgraf.text.summary import Budget, SourceSignals, Summary
from nutgraf.text.tokenize import tokens
from nutgraf.tokenizers import tokenizers
from tiny_network import NOTICES, tiny, train

FERRY, BRIDGE, BIRDS = (text for text, _ in NOTICES)
SELECTIVE = {"model.bridge.kind": "selective"}


@pytest.fixture(scope="module")
def system(tmp_path_factory):
    """Guided, with a gate: it has all that there is to tell."""
    preset = tiny("sagcopy_indegree_1", **SELECTIVE, **{"model.max_positions": 256, "truncation.source": 200})
    return nutgraf.load(train(tmp_path_factory.mktemp("guided"), preset, steps=2)[0], {"decoding.min_length": 11})


def word(document, place):
    part = document.parts[place.source]
    return document.text[part.start + place.start : part.start + place.end]


def test_every_word_of_the_source_has_its_numbers(system):
    summary = system(FERRY)
    signals = system.signals(summary)
    assert [word(summary.document, place) for place in signals.places] == tokens(FERRY)
    assert signals.centrality.sum() == pytest.approx(1, abs=1e-5)
    assert ((signals.gate > 0) & (signals.gate < 1)).all()
    assert signals.coverage.shape == (len(summary.sentences), len(tokens(FERRY)))


def test_coverage_grows_by_one_for_each_piece_that_is_written(system):
    summary = system(FERRY)
    signals = system.signals(summary)
    pieces = [len(system._tokenizer.encode(sentence.text).ids) for sentence in summary.sentences]
    assert signals.coverage.sum(-1) == pytest.approx(np.cumsum(pieces), abs=1e-3)
    assert (np.diff(signals.coverage, axis=0) >= 0).all()
    assert signals.covered == sorted(signals.covered)
    assert signals.covered[-1] == pytest.approx(np.minimum(signals.coverage[-1], 1).mean())


def test_pieces_become_words_by_hand():
    """A word of two pieces and one of one, a separator, a word that nobody knows."""
    tokenizer = tokenizers.make("subwords", vocab_size=300)
    tokenizer.train(["oa oa oa a a"])
    document = join([Document.of("oak a"), Document.of("§")])
    (oak, tail), (letter,) = tokenizer.encode("oak").ids, tokenizer.encode("a").ids
    base = document.parts[1].start
    source = EncodedSource(
        ids=np.array([oak, tail, letter, 4, 1]),
        extended=np.array([oak, tail, letter, 4, len(tokenizer)]),
        unknown=("§",),
        places=(),
        spans=np.array([[0, 2], [2, 3], [4, 5], [base, base], [base, base + 1]]),
    )
    trace = Trace(
        centrality=torch.tensor([[0.1, 0.2, 0.3, 0.15, 0.25]]),
        gate=torch.tensor([[0.2, 0.6, 0.9, 0.5, 0.1]]),
        cross_attention=torch.tensor([[[1.0, 0, 0, 0, 0], [0, 0.5, 0.5, 0, 0], [0, 0, 0, 0.25, 0.75]]]),
    )
    signals = signals_of(trace, source, document, tokenizer, [2, 3])
    assert [word(document, place) for place in signals.places] == ["oak", "a", "§"]
    assert signals.centrality == pytest.approx([0.3, 0.3, 0.25])
    assert signals.gate == pytest.approx([0.4, 0.9, 0.1])
    assert signals.coverage == pytest.approx(np.array([[1.5, 0.5, 0], [1.5, 0.5, 0.75]]))
    assert signals.covered == pytest.approx([0.5, 0.75])


def test_a_network_that_has_nothing_to_tell_tells_nothing(tmp_path):
    plain = nutgraf.load(train(tmp_path, tiny("transformer"), steps=1)[0], {"decoding.min_length": 5})
    assert plain.signals(plain(FERRY)) is None


def test_a_network_that_copies_has_coverage_alone(trained):
    system = nutgraf.load(trained)
    signals = system.signals(system([BIRDS, FERRY]))
    assert (signals.centrality, signals.gate) == (None, None)
    assert {place.source for place in signals.places} == {0, 1}
    assert signals.coverage.shape[1] == len(signals.places)


def test_a_summary_without_words_has_a_reading(system):
    nothing = Summary((), Document.of(FERRY), Budget(), system.signature)
    assert system.signals(nothing).coverage.sum() == 0


def test_the_first_stage_s_reading_is_that_of_both(trained):
    system = nutgraf.load("mls_plus", {"prototype": str(trained)})
    summary = system(FERRY, words=20)
    assert system.signals(summary).coverage.shape[0] == len(summary.sentences)
    assert nutgraf.load("lead").signals(summary) is None


def test_the_json_carries_the_numbers(system):
    summary = system(FERRY)
    signals = system.signals(summary)
    numbers = json.loads(summary.dumps(signals))["signals"]
    assert set(numbers) == {"places", "centrality", "gate", "coverage", "covered"}
    assert numbers["places"][1] == {"source": 0, "start": 4, "end": 9}
    assert numbers["gate"] == pytest.approx(signals.gate, abs=1e-6)
    assert "signals" not in json.loads(summary.dumps())
    assert set(SourceSignals(signals.places, gate=signals.gate).to_json()) == {"places", "gate", "covered"}


def test_the_page_shows_them_and_escapes_what_it_shows(system):
    summary = system(FERRY.replace("mast", "<script>mast</script>"))
    page = render(summary, signals=system.signals(summary))
    for name in ("Gate", "Centrality", "Coverage"):
        assert f"<summary>{name}</summary>" in page
    assert "&lt;script&gt;mast&lt;/script&gt;" in page
    assert "<script>mast" not in page
    assert page.count('<svg class="strip"') == 2 + len(summary.sentences)
    assert "style=" not in re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
    shaded = re.findall(r'<p class="shaded".*?</p>', page, flags=re.DOTALL)
    assert len(shaded) == 3
    for one in shaded:
        text = html.unescape(re.sub(r"<[^>]*>", "", one))
        assert "".join(text.split()) == "".join(summary.document.text.split())


def test_the_plain_lines_name_the_words(system):
    summary = system(FERRY)
    places = system.signals(summary).places
    count = len(places)
    signals = SourceSignals(
        places,
        centrality=np.eye(count)[3] * 0.5 + np.eye(count)[1] * 0.25,
        gate=np.linspace(0, 1, count),
        coverage=np.array([np.eye(count)[2]]),
    )
    lines = [line.strip() for line in explained(summary, signals).splitlines()]
    assert any(line.startswith("1  generated, ") for line in lines)
    assert any(line.startswith("central words  left 0.5, ferry 0.25, ") for line in lines)
    assert "gate  0.50 of the source let through, in the mean" in lines
    assert any(line.startswith("most of . 1, master 0.97") for line in lines)
    assert any(line.startswith("least of The 0, ferry 0.0") for line in lines)
    assert f"looked at by the end of sentence 1  {1 / count:.1%} of the source" in lines
    assert any(line.startswith("most at Agnes 1, ") for line in lines)


def test_the_command_explains(trained, tmp_path):
    (tmp_path / "ferry.txt").write_text(FERRY)
    asked = ["summarize", str(tmp_path / "ferry.txt"), "--system", str(trained), "--explain"]
    done = CliRunner().invoke(app, asked)
    assert done.exit_code == 0, done.output
    assert "looked at by the end of sentence 2" in done.output
    result = json.loads(CliRunner().invoke(app, [*asked, "--json"]).stdout)
    assert len(result["signals"]["coverage"]) == len(result["sentences"])
    [each] = json.loads(CliRunner().invoke(app, [*asked, "--json", "--each"]).stdout)
    assert each["signals"] == result["signals"]


def test_the_command_tells_what_each_kernel_gave(tmp_path):
    (tmp_path / "ferry.txt").write_text(FERRY)
    done = CliRunner().invoke(
        app, ["summarize", str(tmp_path / "ferry.txt"), "--words", "20", "--explain", "--system", "mls_plus"]
    )
    assert done.exit_code == 0, done.output
    assert re.search(r"rating \S+: topics \S+, keywords \S+, redundancy \S+", done.output)
