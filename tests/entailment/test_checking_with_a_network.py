"""A checker that reads passages with a network: what it reads, and what follows from it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from fake_network import FakeEncoder, FakeNetwork, card
from typer.testing import CliRunner

import nutgraf
from nutgraf.cli.check import check
from nutgraf.entailment.checker import EntailmentChecker
from nutgraf.errors import InputError

SOURCE = (
    "Four boats left the harbour at noon. The captain waited on the pier. Nobody saw the lighthouse. "
    "A mill burned down in the hills. The owner blames a lamp."
)


def checked(summary: str, network: FakeNetwork | None = None, encoder: FakeEncoder | None = None, source=SOURCE):
    return nutgraf.check(summary, source, EntailmentChecker(network or FakeNetwork(), encoder))


def verdicts(summary: str, **given) -> list[str | None]:
    return [one.checker and one.checker.verdict for one in checked(summary, **given)]


def test_what_a_passage_has_is_supported_and_what_it_denies_is_contradicted():
    summary = "Four boats left the harbour. Five boats left the harbour. The captain waited in the harbour kitchen."
    assert verdicts(summary) == ["supported", "contradicted", "not told"]
    assert checked(summary).checker_verdict == "contradicted"


def test_a_verdict_names_the_sentences_that_were_read():
    [sentence] = checked("Five boats left the harbour.")
    texts = [one.text for one in sentence.checker.passages]
    assert texts == ["Four boats left the harbour at noon.", "The captain waited on the pier."]
    one = sentence.checker.passages[1]
    assert (one.source, SOURCE[one.start : one.end]) == (0, texts[1])


def test_two_sentences_can_support_one_together():
    assert verdicts("Four boats left the harbour, a mill burned down in the hills.") == ["supported"]


def test_passages_do_not_reach_into_another_source():
    network = FakeNetwork()
    checked("A mill burned down.", network, source=["The ferry left.", "A mill burned down.", "Gulls slept."])
    assert network.read == ["a mill burned down"]


def test_what_is_near_in_vectors_is_read_too():
    network = FakeNetwork()
    [sentence] = checked("Ships departed with lamp oil.", network, FakeEncoder("lamp"))
    assert sentence.checker.cosine == pytest.approx(1.0)
    assert any("the owner blames a lamp" in one for one in network.read)
    [without] = checked("Zebras dream.", network)
    assert (without.checker.verdict, without.checker.cosine) == ("not told", None)


def test_the_card_says_how_sure_the_network_must_be():
    strict = FakeNetwork(card(settings={"contradicted": 0.9999, "supported": 0.5}))
    assert verdicts("Five boats left the harbour.", network=strict) == ["undecided"]
    [sentence] = checked("Five boats left the harbour.", strict)
    assert sentence.checker.highest["contradicted"] == pytest.approx(0.995, abs=0.001)


def test_nothing_is_decided_where_one_passage_supports_and_another_contradicts():
    source = f"Four boats left the harbour. Gulls slept. Rain fell. {SOURCE.replace('Four', 'Five')}"
    [sentence] = checked("Five boats left the harbour.", encoder=FakeEncoder("Zebras"), source=source)
    highest = sentence.checker.highest
    assert (highest["supported"], highest["contradicted"]) == pytest.approx((0.995, 0.995), abs=0.001)
    assert sentence.checker.verdict == "undecided"


def test_a_sentence_that_takes_half_of_a_row_is_not_read():
    result = checked("The captain waited " + "and waited " * 40 + ". Four boats left the harbour.")
    assert [one.checker is None for one in result] == [True, False]
    assert len(result.notices) == 1


def test_a_network_for_something_else_is_refused():
    with pytest.raises(InputError):
        EntailmentChecker(FakeNetwork(card(task="deletions", classes=("kept", "deleted"))))


def test_the_signature_names_the_network():
    assert "checker:minilm@abababab" in checked("Four boats left.").signature


def test_json_says_what_was_read():
    told = checked("Five boats left the harbour.").to_json()["sentences"][0]["checker"]
    assert told["passages"][0] == {
        "source": 0, "start": 0, "end": 36, "text": "Four boats left the harbour at noon.",
    }  # fmt: skip
    assert set(told["highest"]) == {"supported", "not told", "contradicted"}


class TestOnTheCommandLine:
    @pytest.fixture
    def run(self, tmp_path, monkeypatch):
        (tmp_path / "harbour.txt").write_text(SOURCE)
        (tmp_path / "hafen.txt").write_text(
            "Vier Boote verließen am Mittag den Hafen. Der Kapitän wartete auf der Mole."
        )
        (tmp_path / "summary.txt").write_text("Five boats left the harbour.")
        monkeypatch.chdir(tmp_path)
        app = typer.Typer()
        app.command()(check)
        return lambda *given: CliRunner().invoke(app, ["summary.txt", *given])

    @pytest.fixture
    def installed(self, monkeypatch):
        monkeypatch.setattr("nutgraf.entailment.installed.find_network", lambda name: name)
        monkeypatch.setattr("nutgraf.entailment.installed._opened", lambda: EntailmentChecker(FakeNetwork()))

    @pytest.fixture
    def missing(self, monkeypatch):
        monkeypatch.setattr("nutgraf.entailment.installed.find_network", lambda name: None)
        monkeypatch.setattr("nutgraf.entailment.installed.lacking", lambda name, gain: f"{gain}: install it.")

    def test_the_installed_network_reads_english_unasked(self, run, installed):
        lines = run("harbour.txt").stdout.splitlines()
        assert lines[1] == "checker minilm: 0 supported, 0 not told, 1 contradicted"
        assert any("beside harbour.txt: Four boats left the harbour at noon." in line for line in lines)
        assert run("harbour.txt", "--fail-on", "contradicted").exit_code == 1
        told = json.loads(run("harbour.txt", "--json").stdout)
        assert told["checker_verdict"] == "contradicted"

    @pytest.mark.parametrize(("bound", "status"), [("flagged", 0), ("contradicted", 0), ("not-told", 1)])
    def test_the_strictest_bound_counts_what_is_undecided(self, run, monkeypatch, bound, status):
        strict = FakeNetwork(card(settings={"supported": 0.9999}))
        monkeypatch.setattr("nutgraf.cli.check._chosen", lambda checker: EntailmentChecker(strict))
        Path("summary.txt").write_text("Four boats left the harbour.")
        assert run("harbour.txt", "--checker", "network", "--fail-on", bound).exit_code == status

    def test_it_can_be_turned_off_and_leaves_other_languages_alone(self, run, installed):
        for given in (("harbour.txt", "--checker", "none"), ("hafen.txt",)):
            assert json.loads(run(*given, "--json").stdout)["checker_verdict"] is None

    def test_without_it_one_line_says_what_would_be_better(self, run, missing):
        result = run("harbour.txt")
        assert result.exit_code == 0
        assert result.stderr.count("install it.") == 1
        assert "install it." not in run("harbour.txt", "--checker", "none").stderr
        assert "install it." not in run("hafen.txt").stderr
        assert isinstance(run("harbour.txt", "--fail-on", "contradicted").exception, InputError)


class TestRisk:
    def test_it_rises_with_flags_novel_bigrams_and_what_is_not_supported(self):
        copied, changed = (
            checked("Four boats left the harbour at noon."),
            checked("Six boats set sail near the harbour."),
        )
        assert copied.risk < 0.5 < changed.risk
        assert changed.to_json()["risk"] == changed.risk == changed.sentences[0].risk

    def test_a_network_brings_its_weights(self):
        settings = {"risk.bias": -1.0, "risk.contradicted": 3.0}
        network = FakeNetwork(card(settings=settings))
        assert checked("Five boats left the harbour.", network).risk > 0.8
        assert checked("Four boats left the harbour.", network).risk < 0.3
