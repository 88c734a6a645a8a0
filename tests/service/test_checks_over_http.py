"""A summary that somebody wrote is checked against its sources, over HTTP and on the page."""

from __future__ import annotations

import json

import pytest
from client import Client
from lxml import html
from running import Running

import nutgraf
from nutgraf.service.app import create_app
from nutgraf.service.page.router import page_router
from nutgraf.service.requests import CheckRequest, Text

FERRY = "The ferry leaves at noon with four boats.\n\nNobody pays for the crossing. The captain sings."

SUMMARY = "The ferry leaves at noon with five boats. Nobody pays."

NASTY = '"><script>alert(1)</script>'


@pytest.fixture(scope="module")
def visitor(running: Running) -> Client:
    return Client(create_app(running.engine, pages=[page_router(running.engine)]), running)


def test_the_engine_checks_as_the_library_does(running: Running) -> None:
    checked = running.run(running.engine.check(CheckRequest(SUMMARY, (Text(FERRY),))))
    assert checked.to_json() == nutgraf.check(SUMMARY, FERRY).to_json()


def test_the_empty_page_has_a_form_that_works_without_scripts(visitor: Client) -> None:
    page = html.document_fromstring(visitor.get("/check").text)
    form = page.get_element_by_id("ask")
    assert (form.get("method"), form.get("action")) == ("post", "check")
    assert page.xpath("//nav/a[@aria-current='page']/@href") == ["check"]
    assert not page.xpath("//script[text()] | //style | //@style | //@*[starts-with(name(), 'on')]")
    for address in page.xpath("//script/@src | //link/@href"):
        assert visitor.get(f"/{address}").status_code == 200


def test_a_summary_is_shown_with_its_flags_beside_its_sources(visitor: Client) -> None:
    answer = visitor.post("/check", data={"summary": SUMMARY.replace(". ", ".\r\n"), "title": "Ferries", "text": FERRY})
    page = html.document_fromstring(answer.text)
    assert answer.status_code == 200
    assert [one.text_content() for one in page.find_class("flagged")] == ["five"]
    assert page.findtext(".//title") == "Check of a summary of Ferries – nutgraf"
    assert [one.text for one in page.xpath("//article[@class='source']//h2/bdi")] == ["Ferries"]
    assert page.xpath("//textarea[@name='text']")[0].text.strip() == FERRY
    assert page.find_class("given")[0].get("open") is None
    anchor = page.xpath("//*[@id='summary']//a[@class='number']/@href")[0]
    assert page.get_element_by_id(anchor[1:]).text_content().startswith("The ferry leaves")


def test_files_are_sources_and_one_that_cannot_be_read_is_told_where_it_was_given(visitor: Client) -> None:
    files = [("file", ("ferry.txt", FERRY.encode())), ("file", ("picture.png", b"\x89PNG\r\n\x1a\n\0\0"))]
    answer = visitor.post("/check", data={"summary": SUMMARY}, files=files)
    page = html.document_fromstring(answer.text)
    assert answer.status_code == 200
    assert page.xpath("//textarea[@name='text']")[0].text.strip() == FERRY
    assert [one.text_content().split()[0] for one in page.find_class("refusal")] == ["picture.png"]
    assert page.find_class("given")[0].get("open") is not None
    assert not page.find_class("notices")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"summary": "", "text": FERRY, "title": ""}, "nothing to check yet"),
        ({"summary": SUMMARY, "text": " ", "title": ""}, "nothing to check it against"),
        ({"summary": SUMMARY, "text": FERRY, "title": "", "language": "qq"}, "qq"),
        ({"summary": SUMMARY, "text": "https://example.org/", "title": ""}, "beside each of them"),
        ({"summary": "https://example.org/", "text": FERRY, "title": ""}, "Pages are not fetched"),
    ],
)
def test_a_mistake_is_a_sentence_on_the_page_which_keeps_what_was_given(
    visitor: Client, given: dict[str, str], said: str
) -> None:
    answer = visitor.post("/check", data=given)
    page = html.document_fromstring(answer.text)
    assert answer.status_code == 422
    assert said in page.find_class("failure")[0].text
    assert page.get_element_by_id("written").text.strip() == given["summary"]
    assert page.xpath("//textarea[@name='text']")[0].text.strip() == given["text"].strip()


def test_what_a_person_gives_is_escaped_wherever_it_stands(visitor: Client) -> None:
    given = {"summary": f"{SUMMARY} {NASTY} was there.", "title": NASTY, "text": f"{NASTY} It begins. {FERRY}"}
    for more in ({}, {"language": NASTY}):
        answer = visitor.post("/check", data={**given, **more})
        assert "<script>alert" not in answer.text
        assert NASTY in html.document_fromstring(answer.text).get_element_by_id("written").text


def test_a_check_over_http_is_that_of_the_command(visitor: Client) -> None:
    told = visitor.post("/v1/check", json={"summary": SUMMARY, "documents": [{"text": FERRY, "title": "Ferries"}]})
    expected = json.loads(json.dumps(nutgraf.check(SUMMARY, FERRY).to_json()))
    assert told.json() == {**expected, "sources": ["Ferries"]}
    sent = visitor.post("/v1/check", data={"summary": SUMMARY}, files={"files": ("ferry.txt", FERRY.encode())})
    assert sent.json() == {**expected, "sources": ["ferry.txt"]}
    assert visitor.post("/v1/check", json={"summary": " ", "documents": [FERRY]}).status_code == 422
    assert visitor.post("/v1/check", json={"documents": [FERRY]}).status_code == 422
    assert visitor.post("/v1/check", json={"summary": "word " * 6000, "documents": [FERRY]}).status_code == 413
