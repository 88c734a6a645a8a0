"""`nutgraf summarize --by`: outlines as text, bullets, Markdown, JSON and a page."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from nutgraf.cli.main import main

LAW = """Harbour Act

§ 1 Permits

Whoever ties up a boat in the harbour needs a permit of the town. A permit costs seven crowns for each day.

§ 2 Nets

Nets are dried on the north quay and nowhere else. Nobody may leave a net there overnight.
"""

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `nutgraf summarize` on a law; returns its status, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "law.txt").write_text(LAW, encoding="utf-8")
    (tmp_path / "tale.txt").write_text("The sea was calm. The boat went out at noon.", encoding="utf-8")

    def summarize(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["nutgraf", "summarize", *arguments])
        try:
            main()
            status = 0
        except SystemExit as ended:
            status = int(ended.code or 0)
        out, err = capsys.readouterr()
        return status, out, err

    return summarize


def test_titles_are_lines_and_sentences_are_indented(run: Run) -> None:
    status, out, err = run("law.txt", "--by", "section")
    lines = out.splitlines()
    assert (status, err) == (0, "")
    assert [line for line in lines if line and not line.startswith(" ")] == ["§ 1 Permits", "§ 2 Nets"]
    assert sum(line.startswith("  ") for line in lines) == 2


def test_bullets_and_markdown(run: Run) -> None:
    assert run("law.txt", "--by", "section", "--format", "bullets")[1].splitlines()[0] == "- § 1 Permits"
    written = run("law.txt", "--by", "section", "--format", "markdown")[1]
    assert "## § 1 Permits" in written
    assert "[^2]: law.txt, " in written


def test_json_has_the_parts(run: Run) -> None:
    written = json.loads(run("law.txt", "--by", "section", "--json", "--words", "30")[1])
    assert [part["title"] for part in written["parts"]] == ["§ 1 Permits", "§ 2 Nets"]
    assert written["words"] <= 30


def test_the_page_has_headings_and_sentences_with_their_places(run: Run, tmp_path: Path) -> None:
    from lxml import html

    assert run("law.txt", "--by", "section", "--report", "page.html")[0] == 0
    page = html.document_fromstring((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert [one.text_content().strip() for one in page.xpath("//*[@id='summary']//h2")] == ["§ 1 Permits", "§ 2 Nets"]
    for link in page.xpath("//*[@id='summary']//a[@class='number']/@href"):
        assert page.get_element_by_id(link[1:]) is not None


def test_each_document_has_an_outline_of_its_own(run: Run) -> None:
    status, out, _ = run("law.txt", "tale.txt", "--each", "--by", "section")
    assert status == 0
    assert "§ 2 Nets" in out
    assert "==> tale.txt <==" in out


def test_a_document_without_sections_has_an_ordinary_summary_and_a_notice(run: Run) -> None:
    status, out, err = run("tale.txt", "--by", "section", "--sentences", "1")
    assert (status, len(out.splitlines())) == (0, 1)
    assert "section" in err


@pytest.mark.parametrize(
    "arguments",
    [
        ["--by", "chapter"],
        ["--depth", "2"],
        ["--by", "section", "--format", "headline"],
        ["--by", "section", "--ablate"],
        ["--by", "section", "--highlight", "net", "--compare"],
        ["--by", "section", "--words", "2"],
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(run: Run, arguments: list[str]) -> None:
    status, out, err = run("law.txt", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("nutgraf: ")
