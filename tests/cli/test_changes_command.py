"""`nutgraf changes` and `nutgraf summarize --agreement`."""

import json
from pathlib import Path

import pytest

from nutgraf.cli.app import run

EXAMPLES = Path(__file__).parents[2] / "examples"
STATUTES = [str(EXAMPLES / f"statutes-{age}.md") for age in ("old", "new")]
REPORTS = [str(EXAMPLES / name) for name in ("island.txt", "bridge.md")]


def test_changes_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["changes", *STATUTES]) == 0
    shown = capsys.readouterr().out
    assert "6 changed, 1 moved, 1 added; 8 the same" in shown
    assert "changed (number): Whoever is at least [-twelve-] {+ten+} years old" in shown
    assert "\n§ 3 Dues\n" in shown


def test_changes_as_markdown_escape_what_is_in_the_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in (("a.txt", "The <b>fee</b> is 14 euros."), ("b.txt", "The <b>fee</b> is 17 euros.")):
        (tmp_path / name).write_text(text)
    assert run(["changes", str(tmp_path / "a.txt"), str(tmp_path / "b.txt"), "--format", "markdown"]) == 0
    shown = capsys.readouterr().out
    assert "~~14~~ **17**" in shown
    assert "<b>" not in shown


def test_changes_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["changes", *STATUTES, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["counts"], told["same"]) == ({"changed": 6, "moved": 1, "added": 1}, 8)


def test_the_same_file_twice(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["changes", STATUTES[0], STATUTES[0]]) == 0
    assert capsys.readouterr().out.startswith("no sentence changed")


def test_agreement_beside_a_summary(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["summarize", *REPORTS, "--words", "60", "--agreement"]) == 0
    assert "1  said by 2 of 2" in capsys.readouterr().out


def test_agreement_in_json_and_on_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    assert run(["summarize", *REPORTS, "--words", "60", "--agreement", "--json", "--report", str(page)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["agreement"]["marks"]) == len(told["sentences"])
    assert told["agreement"]["statements"]
    assert "said by 2 of 2" in page.read_text(encoding="utf-8")


def test_agreement_in_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["summarize", *REPORTS, "--words", "60", "--agreement", "--format", "markdown"]) == 0
    assert "(said by 2 of 2)" in capsys.readouterr().out


@pytest.mark.parametrize("more", [[REPORTS[0]], [*REPORTS, "--each"]])
def test_agreement_needs_several_documents_of_one_summary(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    from nutgraf.errors import InputError

    with pytest.raises(InputError):
        run(["summarize", *more, "--agreement"])
    capsys.readouterr()
