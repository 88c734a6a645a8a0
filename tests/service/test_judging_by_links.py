"""Judges get their tasks by personal links, and no answer is lost, even if the service is killed."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from lxml import html

from nutgraf.judging.items import Item
from nutgraf.judging.protocols import protocols
from nutgraf.judging.sheets import write_sheets
from nutgraf.judging.store import Store
from nutgraf.judging.study import Study, make_study
from nutgraf.service.judges import create_judging_app, links_of, read_pages


def a_study(folder: Path) -> Study:
    """Two judges, three documents, two systems; the sheets are in the folder."""
    items = [Item(f"d{n}", {"one": (f"First {n}.",), "two": (f"Second {n}.",)}, f"Source {n}.") for n in range(3)]
    study = make_study(protocols.choose("pairwise"), items, 2, 0)
    study.write(folder)
    write_sheets(study, items, folder, "html")
    return study


def sent(study: Study, judge: str, count: int) -> dict[str, Any]:
    """What a judge's page sends after some tasks."""
    tasks = [task for task in study.tasks if task.judge == judge][:count]
    answers = [
        {
            "task": task.key,
            "answers": {
                one.name: one.values[0] for one in study.protocol.questions(study.items[task.item], task.order)
            },
            "seconds": 5.0,
            "at": f"2026-01-01T12:0{number}:00.000Z",
        }
        for number, task in enumerate(tasks)
    ]
    head = {"schema": "nutgraf.answers/1", "study": study.name, "judge": judge, "version": study.version}
    return {**head, "answers": answers}


class Visitor:
    """Asks an application for pages, without a network."""

    def __init__(self, folder: Path) -> None:
        self.study = a_study(folder)
        self.links = links_of(folder, self.study.judges)
        self.store = Store(folder)
        pages = read_pages(folder, self.study)
        self.app = create_judging_app(
            self.study, pages, self.store, self.links, address="https://Judges.example.org", local=True
        )

    def send(self, method: str, path: str, **more: Any) -> Any:
        async def sending() -> Any:
            transport = httpx.ASGITransport(self.app)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8766") as client:
                return await client.request(method, path, **more)

        return asyncio.run(sending())

    def link(self, judge: str) -> str:
        return f"/judge/{self.links.judges[judge]}"


@pytest.fixture
def visitor(tmp_path: Path) -> Iterator[Visitor]:
    made = Visitor(tmp_path / "study")
    with made.store:
        yield made


def content(answer: Any) -> Any:
    return json.loads(html.document_fromstring(answer.text).get_element_by_id("content").text)


def test_a_link_leads_to_the_tasks_of_one_judge_and_names_no_system(visitor: Visitor) -> None:
    first, second = visitor.study.judges
    tasks = content(visitor.send("GET", visitor.link(first)))["tasks"]
    assert [task["key"] for task in tasks] == [task.key for task in visitor.study.tasks if task.judge == first]
    assert not re.search(r"\b(one|two)\b", json.dumps([task["texts"] for task in tasks]))
    assert visitor.send("GET", "/judge/guess").status_code == 404
    assert content(visitor.send("GET", visitor.link(second)))["judge"] == second


def test_a_mistyped_link_is_answered_in_a_sentence(visitor: Visitor) -> None:
    first = visitor.study.judges[0]
    for path in ("/", "/judge/guess", visitor.link(first)[:-1], "/overview/guess"):
        answer = visitor.send("GET", path)
        assert answer.status_code == 404
        assert "Open the whole of it" in html.document_fromstring(answer.text).text_content()


def test_answers_are_stored_once_and_come_back_with_the_page(visitor: Visitor) -> None:
    judge = visitor.study.judges[0]
    assert visitor.send("POST", visitor.link(judge), json=sent(visitor.study, judge, 1)).json() == {"added": 1}
    assert visitor.send("POST", visitor.link(judge), json=sent(visitor.study, judge, 2)).json() == {"added": 1}
    assert visitor.send("POST", visitor.link(judge), json=sent(visitor.study, judge, 2)).json() == {"added": 0}
    given = content(visitor.send("GET", visitor.link(judge)))["given"]
    assert [one["task"] for one in given] == [one["task"] for one in sent(visitor.study, judge, 2)["answers"]]


def test_what_no_page_would_send_is_refused(visitor: Visitor) -> None:
    first, second = visitor.study.judges
    mine = sent(visitor.study, first, 1)
    assert "another judge" in visitor.send("POST", visitor.link(second), json=mine).json()["error"]
    wrong = {**mine, "answers": [{**mine["answers"][0], "answers": {"informativeness": "maybe"}}]}
    assert "maybe" in visitor.send("POST", visitor.link(first), json=wrong).json()["error"]
    for odd in (
        {**mine, "version": "\ud800"},
        {**mine, "answers": [{**mine["answers"][0], "answers": {"\ud800": 1}}]},
        {**mine, "answers": [{**mine["answers"][0], "at": "0001-01-01T00:00:00+14:00"}]},
    ):
        assert visitor.send("POST", visitor.link(first), content=json.dumps(odd)).status_code == 422
    assert visitor.send("POST", visitor.link(first), content=b"{").status_code == 422
    many = visitor.send("POST", visitor.link(first), json={**mine, "answers": mine["answers"] * 1000})
    assert "1000 answers" in many.json()["error"]
    headers = {"sec-fetch-site": "cross-site"}
    assert visitor.send("POST", visitor.link(first), json=mine, headers=headers).status_code == 403
    assert visitor.store.judgements(visitor.study) == []


def test_it_answers_only_to_the_names_that_it_was_started_for(visitor: Visitor) -> None:
    link = visitor.link(visitor.study.judges[0])
    for host in ("localhost", "[::1]:8766", "127.0.0.1", "judges.example.org", "JUDGES.example.org:443"):
        assert visitor.send("GET", link, headers={"host": host}).status_code == 200
    for path in (link, "/nowhere"):
        answer = visitor.send("GET", path, headers={"host": "rebound.example.com"})
        assert answer.status_code == 403
        assert "Open the link as it was sent to you" in html.document_fromstring(answer.text).text_content()


def test_answers_come_from_its_own_pages_only(visitor: Visitor) -> None:
    judge = visitor.study.judges[0]
    mine, link = sent(visitor.study, judge, 1), visitor.link(judge)
    for origin in ("http://evil.example.com", "null", "http://127.0.0.1:1", "http://judges.example.org"):
        answer = visitor.send("POST", link, json=mine, headers={"origin": origin})
        assert (answer.status_code, answer.json()) == (403, {"error": "Pages of other sites may not send answers."})
    assert visitor.store.judgements(visitor.study) == []
    for origin in ("http://127.0.0.1:8766", "https://judges.example.org"):
        assert visitor.send("POST", link, json=mine, headers={"origin": origin}).status_code == 200


def test_head_has_the_headers_of_a_page_without_its_body(visitor: Visitor) -> None:
    for path in (visitor.link(visitor.study.judges[0]), f"/overview/{visitor.links.overview}", "/overview.css"):
        page, head = visitor.send("GET", path), visitor.send("HEAD", path)
        assert head.status_code == 200
        assert head.headers["content-length"] == page.headers["content-length"]
    assert visitor.send("HEAD", "/judge/guess").status_code == 404


def test_the_overview_has_progress_and_agreement_for_its_own_link_only(visitor: Visitor) -> None:
    first, second = visitor.study.judges
    link = f"/overview/{visitor.links.overview}"
    assert "0 of 6 tasks are judged" in visitor.send("GET", link).text
    for judge in (first, second):
        visitor.send("POST", visitor.link(judge), json=sent(visitor.study, judge, 3))
    page = visitor.send("GET", link).text
    assert "6 of 6 tasks are judged" in page
    assert "kappa" in page
    assert visitor.send("GET", f"/overview/{visitor.links.judges[first]}").status_code == 404


def test_the_overview_tells_of_a_judge_whose_clock_is_wrong(visitor: Visitor) -> None:
    judge = visitor.study.judges[0]
    one = sent(visitor.study, judge, 1)
    visitor.send(
        "POST", visitor.link(judge), json={**one, "answers": [{**one["answers"][0], "at": "2999-01-01T00:00:00Z"}]}
    )
    assert (
        "1 answer has a time more than a day ahead" in visitor.send("GET", f"/overview/{visitor.links.overview}").text
    )


def test_links_stay_the_same_and_only_their_owner_may_read_them(tmp_path: Path) -> None:
    made = links_of(tmp_path, ["anna", "ben"])
    assert links_of(tmp_path, ["anna", "ben"]) == made
    assert links_of(tmp_path, ["anna", "ben", "carla"]).judges["anna"] == made.judges["anna"]
    assert (tmp_path / "links.json").stat().st_mode & 0o077 == 0
    assert len({made.overview, *made.judges.values()}) == 3


def test_a_killed_service_has_every_answer_that_it_took(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    study = a_study(folder)
    judge = study.judges[0]
    command = [sys.executable, "-m", "nutgraf", "judge", "serve", str(folder), "--port", "0"]
    for count in (1, 2):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        watchdog = threading.Timer(120, process.kill)
        watchdog.start()
        try:
            assert process.stdout is not None
            address = next(line.split()[-1] for line in process.stdout if line.startswith(f"{judge}: "))
            body = json.dumps(sent(study, judge, count)).encode()
            with urllib.request.urlopen(urllib.request.Request(address, body), timeout=100) as answer:
                assert json.load(answer) == {"added": 1}
            os.kill(process.pid, signal.SIGKILL)
        finally:
            watchdog.cancel()
            process.kill()
            process.wait()
    with Store(folder) as store:
        assert len(store.judgements(study)) == 2
