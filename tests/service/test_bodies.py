"""Bodies of any shape get an answer in a sentence, and none of them takes the server's time or memory."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import httpx
import pytest
from client import Client
from running import Running

from nutgraf.service.app import create_app
from nutgraf.service.bodies import QUICK
from nutgraf.service.errors import TooLarge
from nutgraf.service.gate import UNCOUNTED
from nutgraf.service.page.router import page_router
from nutgraf.service.schemas import MAX_ITEMS
from nutgraf.service.shape import MAX_VALUES, check_shape

FERRY = "The ferry left the harbour at noon. It came back at dusk. Nobody was on it."
BLANK = " " * QUICK
"""What makes a body so long that it is read in a process of its own."""


def told(answer: httpx.Response) -> tuple[int, str, str]:
    error = answer.json()["error"]
    return answer.status_code, error["code"], error["message"]


@pytest.fixture(scope="module")
def visitor(running: Running) -> Client:
    return Client(create_app(running.engine, pages=[page_router(running.engine)]), running)


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/v1/summarize", {"documents": [1] * 50_000}, "documents.0.str"),
        ("/v1/summarize", {"documents": [FERRY], "highlights": [{}] * 30_000}, "highlights.0.str"),
        ("/v1/phrases", {"documents": [[]] * 30_000}, "documents.0.str"),
        ("/v1/score", {"examples": [1] * 50_000}, "examples.0"),
        ("/v1/score", {"examples": [{"summary": "a", "references": [1] * 50_000}]}, "examples.0.references.0"),
        ("/v1/chat/completions", {"model": "lead", "messages": [1] * 50_000}, "messages.0"),
    ],
)
def test_the_first_wrong_element_of_a_list_ends_its_validation(
    client: Client, path: str, body: dict[str, Any], field: str
) -> None:
    status, code, message = told(client.post(path, json=body))
    assert (status, code) == (422, "invalid_body")
    assert message.startswith(f"The body does not fit: {field}: ")
    assert "more" not in message


def test_a_list_has_a_maximum(client: Client) -> None:
    answer = client.post("/v1/summarize", json={"documents": ["a"] * (MAX_ITEMS + 1)})
    assert told(answer)[:2] == (422, "invalid_body")
    assert f"at most {MAX_ITEMS} items" in told(answer)[2]
    assert told(client.post("/v1/summarize", json={"documents": [FERRY], "system": "a" * 1001}))[0] == 422


def test_values_are_counted_outside_of_strings() -> None:
    check_shape(b'{"documents": ["' + b'[{,\\\\\\"' * MAX_VALUES + b'"]}')
    check_shape(b"[" + b"1," * (MAX_VALUES - 2) + b"1]")
    for many in (b"1,", b'"a",', b"[],", b'{"a":1},', b'"\\\\",'):
        with pytest.raises(TooLarge):
            check_shape(b"[" + many * MAX_VALUES + b"1]")


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(b"[" + b"1," * MAX_VALUES + b"1]", id="wide"),
        pytest.param(b"[" * 40_000 + b"]" * 40_000, id="deep"),
        pytest.param(b"1" * 1_000_000, id="digits"),
        pytest.param(b'{"' + b"a" * 1_000_000 + b'":1}', id="long key"),
        pytest.param(b"{" + b'"a":1,' * 20_000 + b'"a":1}', id="same key"),
    ],
)
def test_a_body_of_an_odd_shape_is_refused_in_a_short_sentence(client: Client, value: bytes) -> None:
    body = b'{"documents":["A ferry left."],"highlights":' + value + b"}"
    answer = client.post("/v1/summarize", content=body, headers={"Content-Type": "application/json"})
    assert told(answer)[0] in (413, 422)
    assert len(answer.content) < 2000


def test_a_large_body_gets_the_answer_of_a_small_one(client: Client, visitor: Client) -> None:
    as_json = {"Content-Type": "application/json"}
    for path, body in (
        ("/v1/summarize", {"documents": [{"text": FERRY, "title": "Ferry"}], "words": 7, "highlights": ["dusk:2"]}),
        ("/v1/summarize", {"documents": [FERRY], "words": 7, "format": "markdown"}),
        ("/v1/phrases", {"documents": [FERRY], "top": 2}),
        ("/v1/score", {"examples": [{"summary": "a b", "references": ["a c"]}]}),
        ("/v1/check", {"summary": "The ferry left in 1912.", "documents": [FERRY]}),
    ):
        small, large = (client.post(path, content=json.dumps(body) + end, headers=as_json) for end in ("", BLANK))
        assert (small.status_code, small.content) == (large.status_code, large.content)
        assert small.status_code == 200
    form = {"title": "Ferry", "text": FERRY, "words": "7", "blank": BLANK}
    for path in ("/", "/page/summary", "/page/file"):
        made = visitor.post(path, files={"other": ("a.txt", b"a")}, data={**form, "format": "markdown"})
        assert made.status_code == 200
        assert "The ferry left the harbour at noon." in made.text
    checked = visitor.post(
        "/check", files={"other": ("a.txt", b"a")}, data={**form, "summary": "The ferry left in 1912."}
    )
    assert checked.status_code == 200
    assert 'class="flagged"' in checked.text
    wrong = visitor.post("/", data={**form, "words": "seven"}, files={"other": ("a.txt", b"a")})
    assert wrong.status_code == 422
    assert "not &#39;seven&#39;" in wrong.text
    assert FERRY in wrong.text


def test_an_answer_has_as_many_bytes_as_a_body_may_have(running: Running) -> None:
    from nutgraf.service.engine import Engine
    from nutgraf.service.limits import Limits

    other = Running(Engine(workers=1, limits=Limits(bytes=20_000)))
    try:
        other.run(other.engine.ready())
        client = Client(create_app(other.engine), other)
        text = " ".join(f"The ferry number {number} left the harbour." for number in range(100))
        assert client.post("/v1/summarize", json={"documents": [text], "sentences": 1}).status_code == 200
        status, code, message = told(client.post("/v1/summarize", json={"documents": [text], "share": 1}))
        assert (status, code) == (413, "too_large")
        assert message.endswith("the most are 20,000. Ask for a shorter one.")
    finally:
        other.close()


def test_bodies_that_are_held_have_a_limit_together(running: Running) -> None:
    engine = running.engine
    own, engine.limits = engine.limits, replace(engine.limits, bytes=300_000, total_bytes=300_000)
    try:
        small = Client(create_app(engine), running)
    finally:
        engine.limits = own
    as_json = {"Content-Type": "application/json"}
    good = json.dumps({"documents": [FERRY], "words": 7})

    async def held(end: asyncio.Event) -> AsyncIterator[bytes]:
        yield good.encode() + b" " * 250_000
        await end.wait()

    async def crowd() -> tuple[httpx.Response, ...]:
        end = asyncio.Event()

        def send(content: Any) -> Any:
            return small.sending("POST", "/v1/summarize", content=content, headers=as_json)

        slow = asyncio.create_task(send(held(end)))
        await asyncio.sleep(0.3)
        declared = await send(good + " " * 290_000)
        chunked = await send(held(asyncio.Event()))
        little = await send(good + " " * (UNCOUNTED - 1000))
        end.set()
        return declared, chunked, little, await slow, await send(good + " " * 200_000)

    declared, chunked, *answered = running.run(crowd())
    for refused in (declared, chunked):
        assert told(refused)[:2] == (503, "crowded")
        assert refused.headers["retry-after"] == "5"
    assert [answer.status_code for answer in answered] == [200, 200, 200]


def test_a_form_is_utf_8_whatever_its_header_says(client: Client) -> None:
    form = '--b\r\nContent-Disposition: form-data; name="texts"\r\n\r\nÄsa left the harbour.\r\n--b--\r\n'.encode()
    kind = {"Content-Type": "multipart/form-data; charset=punycode; boundary=b"}
    assert client.post("/v1/summarize", content=form, headers=kind).json()["text"] == "Äsa left the harbour."
