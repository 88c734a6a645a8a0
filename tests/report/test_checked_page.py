"""The page of a check: every verdict, flag and link of the record, and nothing of a document that is not escaped."""

from __future__ import annotations

import re

import pytest
from lxml import html
from typer.testing import CliRunner

import nutgraf
from nutgraf.cli.app import app
from nutgraf.report.checked import render_check
from nutgraf.text.document import Document, join

SOURCE = "Four boats left the harbour at noon. A storm broke eleven windows of the school. Nobody was hurt."
SUMMARY = "Five boats left the harbour.\nA storm broke eleven windows of the school. Geese like grass, some say."


@pytest.fixture(scope="module")
def page() -> html.HtmlElement:
    written, source = Document.of(SUMMARY, "mine.txt"), join([Document.of(SOURCE, "report.txt")])
    return html.document_fromstring(render_check(nutgraf.check(written, source), written, source))


def test_only_what_is_flagged_has_a_colour(page: html.HtmlElement) -> None:
    sentences = page.xpath("//*[@id='summary']/span")
    assert [one.get("class") for one in sentences] == ["sentence has-flag", "sentence", "sentence"]
    assert [one.find("a[@class='number']").text for one in sentences] == ["1!", "2", "3"]
    counts = page.xpath("//*[@class='facts']//*[starts-with(@class, 'verdict')]")
    assert [one.text_content() for one in counts] == ["1 flagged", "2 not checked further"]
    assert "novel bigrams" in page.xpath("//*[@class='facts']")[0].text_content()
    assert len(page.xpath("//*[@id='summary']/br")) == 1


def test_a_flag_is_underlined_and_has_its_reason(page: html.HtmlElement) -> None:
    [flag] = page.xpath("//*[@id='s-1']/*[@class='flagged']")
    assert (flag.text, flag.get("title")) == ("Five", "No source has the number Five.")
    assert "No source has the number Five." in page.get_element_by_id("why-1").text_content()
    assert "no sentence of the sources" in page.get_element_by_id("why-3").text_content()


def test_links_lead_to_the_evidence_and_back(page: html.HtmlElement) -> None:
    ids = set(page.xpath("//@id"))
    links = [one for one in page.xpath("//a/@href") if one.startswith("#")]
    assert links
    assert {one[1:] for one in links} <= ids
    [first] = page.xpath("//*[@id='s-1']/a/@href")
    assert page.get_element_by_id(first[1:]).text_content().startswith("Four boats left the harbour at noon.")
    assert page.get_element_by_id(first[1:]).xpath(".//a/@href") == ["#s-1"]


def test_nothing_of_a_document_is_markup() -> None:
    attack = "<img src=x onerror=alert(1)> 77 </style><script>alert(2)</script>"
    written, source = Document.of(f"It had {attack}.", f"{attack}.txt"), join([Document.of(SOURCE + attack, attack)])
    text = render_check(nutgraf.check(written, source), written, source)
    tree = html.document_fromstring(text)
    assert not tree.xpath("//img")
    assert len(tree.xpath("//script")) == 2
    policy = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
    assert "unsafe" not in policy
    assert re.search(r"script-src 'sha256-[^']+' 'sha256-[^']+';", policy)


def test_the_command_writes_it(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.txt").write_text(SUMMARY)
    (tmp_path / "d.txt").write_text(SOURCE)
    ran = CliRunner().invoke(app, ["check", "s.txt", "d.txt", "--report", "page.html"])
    assert ran.exit_code == 0
    assert ran.stdout.startswith("3 sentences: 1 flagged, 2 not checked further")
    assert "<title>Check of s.txt</title>" in (tmp_path / "page.html").read_text()


def test_headings_are_shown_and_not_judged() -> None:
    text = "# The storm\n\nFour boats left the harbour at noon.\n\n**Next steps:**\n"
    written, source = Document.of(text), join([Document.of(SOURCE)])
    tree = html.document_fromstring(render_check(nutgraf.check(written, source), written, source))
    [shown] = tree.xpath("//*[@id='summary']")
    assert [one.text for one in shown.xpath("span[@class='quiet']")] == ["The storm", "Next steps:"]
    assert len(shown.xpath("span[starts-with(@class, 'sentence')]")) == 1
    assert "Headings and labels are not judged." in tree.text_content()
