"""`nutgraf summarize --minutes`: three lists in place of a summary."""

import json
import sys

import pytest

from nutgraf.cli.main import main

TALK = "Ann: Blue or green?\n\nBob: Green.\n\nAnn: Then we take green.\n\nBob: Fine. I'll order it on Monday.\n"


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["nutgraf", "summarize", *arguments])
    try:
        main()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


@pytest.fixture
def talk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "talk.txt").write_text(TALK)
    return "talk.txt"


def test_lists_are_on_stdout(talk, monkeypatch, capsys):
    assert run(monkeypatch, talk, "--minutes", "-q") == 0
    shown = capsys.readouterr().out
    assert "Then we take green." in shown
    assert "Bob: I'll order it on Monday." in shown


def test_json_has_who_and_by_when(talk, monkeypatch, capsys):
    assert run(monkeypatch, talk, "--minutes", "--json", "-q") == 0
    [action] = json.loads(capsys.readouterr().out)["actions"]
    assert (action["who"], action["by"]) == ("Bob", "on Monday")


def test_markdown_goes_into_a_file(talk, monkeypatch, tmp_path):
    assert run(monkeypatch, talk, "--minutes", "--format", "markdown", "-o", "minutes.md", "-q") == 0
    assert "- [ ] **Bob:**" in (tmp_path / "minutes.md").read_text()


@pytest.mark.parametrize(
    "option", [("--words", "30"), ("--explain",), ("--by", "speaker"), ("--format", "bullets"), ("--query", "x")]
)
def test_options_of_summaries_are_refused(talk, option, monkeypatch, capsys):
    assert run(monkeypatch, talk, "--minutes", *option) == 2
    ended = capsys.readouterr()
    assert not ended.out
    assert option[0] in ended.err


def test_each_file_has_minutes_of_its_own(talk, monkeypatch, tmp_path, capsys):
    (tmp_path / "other.txt").write_text("Ann: Rain fell.\n\nBob: It did, all day long.\n\nAnn: See you next week.")
    assert run(monkeypatch, talk, "other.txt", "--minutes", "--each", "--json", "-q") == 0
    assert [len(one["decisions"]) for one in json.loads(capsys.readouterr().out)] == [1, 0]
    assert run(monkeypatch, talk, "missing.txt", "--minutes", "--each", "-q") == 2
    assert capsys.readouterr().out.startswith("==> talk.txt <==\nDecisions:\n- Then we take green.")


def test_a_report_shows_the_lists_beside_the_text(talk, monkeypatch, tmp_path):
    assert run(monkeypatch, talk, "--minutes", "--report", "page.html", "-q") == 0
    assert '<h2 lang="en" dir="ltr">Decisions</h2>' in (tmp_path / "page.html").read_text()
    assert run(monkeypatch, talk, "--minutes", "--report", "page.html", "--each", "-q") == 2
