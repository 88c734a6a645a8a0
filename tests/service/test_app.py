"""Over HTTP: what the library gives, errors of one shape with a sentence, and nothing that a browser should not do."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import re
from dataclasses import asdict
from typing import Any

import pytest
from client import Client, events
from running import Running

import nutgraf
from nutgraf.errors import InputError
from nutgraf.service import gate, log
from nutgraf.service.app import create_app
from nutgraf.service.security import VARIABLE, Tokens, read_tokens

FERRY = "The ferry left the harbour at noon. It came back at dusk. Nobody was on it."
MILL = "The mill burned down on Friday. The owner of the mill blames a lamp. A new mill would cost a fortune."
MARKDOWN = "# Summary of the text\n\n- The ferry left the harbour at noon.[^1]\n\n[^1]: text, 0–35"
TOKEN = "a-token-that-nobody-guesses"


def error_of(answer: Any) -> dict[str, Any]:
    """The error of an answer, whose shape is always the same."""
    content = answer.json()
    assert list(content) == ["error"]
    assert set(content["error"]) == {"message", "type", "code", "param"}
    assert content["error"]["message"].endswith(".")
    found: dict[str, Any] = content["error"]
    return found


def test_a_summary_in_json_is_what_the_library_writes(client: Client) -> None:
    body = {"documents": [{"text": MILL, "title": "Mill"}], "words": 9, "highlights": [{"phrase": "lamp", "weight": 3}]}
    answer = client.post("/v1/summarize", json=body)
    assert answer.status_code == 200
    document = nutgraf.Document.of(MILL, "Mill")
    assert answer.text == nutgraf.load()(document, words=9, highlights=["lamp:3"]).dumps()
    times = dict(re.findall(r"(\w+);dur=([\d.]+)", answer.headers["server-timing"]))
    assert list(times) == ["queue", "work", "total"]
    assert float(times["queue"]) + float(times["work"]) <= float(times["total"]) + 0.2


def test_every_sentence_can_be_kept(client: Client) -> None:
    body = {"documents": [f"{MILL}\n\nPhoto: Ann Lee."], "words": 90}
    left, kept = (client.post("/v1/summarize", json=body | more).json() for more in ({}, {"prose": False}))
    assert (left["excluded"], kept["excluded"]) == ({"caption": 1}, {})
    assert kept["text"] == f"{left['text']} Photo: Ann Lee."


@pytest.mark.parametrize(
    ("form", "kind", "text"),
    [
        ("paragraph", "text/plain", "The ferry left the harbour at noon."),
        ("bullets", "text/plain", "- The ferry left the harbour at noon."),
        ("headline", "text/plain", "The ferry left the harbour at noon"),
        (
            "markdown",
            "text/markdown",
            "# Summary of the text\n\n- The ferry left the harbour at noon.[^1]\n\n[^1]: text, 0–35",
        ),
    ],
)
def test_a_summary_in_a_form_of_text(client: Client, form: str, kind: str, text: str) -> None:
    answer = client.post("/v1/summarize", json={"documents": [FERRY], "words": 7, "format": form})
    assert answer.headers["content-type"].startswith(kind)
    assert answer.text == text


def test_a_form_with_files_is_the_same_request(client: Client) -> None:
    files = [("files", ("mill.txt", MILL.encode())), ("files", ("", b"")), ("files", ("ferry.html", _page(FERRY)))]
    form = client.post("/v1/summarize", data={"texts": ["One."], "share": "1/2", "highlights": "lamp:9"}, files=files)
    data = [{"data": base64.b64encode(one).decode(), "name": name} for _, (name, one) in files if name]
    body = {"documents": ["One.", *data], "share": "1/2", "highlights": ["lamp:9"]}
    own = client.post("/v1/summarize", json=body)
    assert form.status_code == 200
    assert form.json() == own.json()
    assert [one["name"] for one in own.json()["sources"]] == ["Document 1", "mill.txt", "ferry.html"]


def test_progress_comes_as_events_and_the_result_last(client: Client) -> None:
    asked = {"documents": [FERRY], "words": 7}
    answer = client.post("/v1/summarize", json=asked, headers={"Accept": "text/event-stream"})
    heard = events(answer)
    assert [one["stage"] for name, one in heard if name == "progress"] == ["waiting", "reading", "working", "finishing"]
    assert heard[-1][0] == "result"
    assert heard[-1][1] == client.post("/v1/summarize", json=asked).json()
    wrong = client.post("/v1/summarize", json={**asked, "words": 1}, headers={"Accept": "text/event-stream"})
    name, error = events(wrong)[-1]
    assert name == "error"
    assert error["error"]["code"] == "not_possible"


def test_phrases_and_scores(client: Client) -> None:
    found = client.post("/v1/phrases", json={"documents": [MILL], "top": 2}).json()
    assert [one["text"] for one in found["phrases"]] == [one.text for one in nutgraf.phrases(MILL, top=2)]
    example = {"summary": "a b c d", "references": ["a b c e"], "name": "one"}
    scored = client.post("/v1/score", json={"examples": [example], "metrics": ["rouge"]}).json()
    assert scored["scores"]["ROUGE-1"]["mean"] == 0.75


LAW = "§ 1 Boats\n\nBoats need a permit of the master.\n\n§ 2 Nets\n\nNets are dried on the quay, never on the road."
TALK = "Ann: Blue or green?\n\nBob: Green.\n\nAnn: Then we take green.\n\nBob: I'll order it on Monday."


def test_an_outline_is_what_the_library_writes(client: Client) -> None:
    answer = client.post("/v1/summarize", json={"documents": [LAW], "by": "section", "sentences": 1})
    assert answer.text == nutgraf.load()(LAW, by="section", sentences=1).dumps()
    text = client.post("/v1/summarize", json={"documents": [LAW], "by": "section", "format": "markdown"}).text
    assert "## § 2 Nets" in text
    for wrong in ({"by": "chapter"}, {"depth": 2}, {"by": "section", "format": "headline"}):
        assert client.post("/v1/summarize", json={"documents": [LAW], **wrong}).status_code == 422


def test_what_is_found_without_a_summary_is_what_the_library_finds(client: Client) -> None:
    fires = ["The fire injured 14 people.", "The fire injured 17 people. It began at noon."]
    named = [nutgraf.Document.of(text, f"Document {number}") for number, text in enumerate(fires, 1)]
    question = "When did the ferry leave?"
    bodies = {
        "minutes": ({"documents": [TALK]}, nutgraf.minutes(TALK)),
        "agreement": ({"documents": fires}, nutgraf.agreement(named)),
        "changes": ({"documents": fires}, nutgraf.changes(*fires)),
        "answer": ({"documents": [FERRY], "question": question}, nutgraf.answer(question, FERRY)),
    }
    for name, (body, found) in bodies.items():
        answer = client.post(f"/v1/{name}", json=body)
        assert answer.json() == json.loads(json.dumps(found.to_json()))
        heard = events(client.post(f"/v1/{name}", json=body, headers={"Accept": "text/event-stream"}))
        assert heard[-1] == ("result", answer.json())
        assert "working" in [one["stage"] for kind, one in heard if kind == "progress"]


def test_the_same_text_twice_is_two_versions_without_a_change_but_one_document(client: Client) -> None:
    same = {"documents": [MILL, MILL]}
    assert client.post("/v1/changes", json=same).json()["changes"] == []
    assert error_of(client.post("/v1/agreement", json=same))["code"] == "not_possible"
    files = [("files", ("old.txt", MILL.encode())), ("files", ("new.txt", MILL.replace("Friday", "Monday").encode()))]
    found = client.post("/v1/changes", files=files).json()
    assert (found["old"], found["new"], found["counts"]) == ("old.txt", "new.txt", {"changed": 1})


@pytest.mark.parametrize(
    ("name", "body", "code"),
    [
        ("minutes", {"documents": []}, "not_possible"),
        ("minutes", {"documents": [TALK], "words": 9}, "invalid_body"),
        ("agreement", {"documents": [FERRY]}, "not_possible"),
        ("changes", {"documents": [FERRY]}, "not_possible"),
        ("changes", {"documents": [FERRY, MILL, FERRY]}, "not_possible"),
        ("answer", {"documents": [FERRY]}, "invalid_body"),
        ("answer", {"documents": [FERRY], "question": "?!"}, "not_possible"),
        ("answer", {"documents": [FERRY], "question": "why " * 600}, "not_possible"),
    ],
)
def test_what_cannot_be_found_is_said(client: Client, name: str, body: dict[str, Any], code: str) -> None:
    answer = client.post(f"/v1/{name}", json=body)
    assert (answer.status_code, error_of(answer)["code"]) == (422, code)


def test_a_summary_has_the_answer_to_a_question(client: Client) -> None:
    body = {"documents": [FERRY], "sentences": 1, "query": "When did the ferry leave?"}
    made = client.post("/v1/summarize", json=body).json()
    assert (made["answer"]["answered"], made["answer"]["sentence"]) == (True, made["text"])


def test_an_error_names_its_field_or_none(client: Client) -> None:
    wrong = client.post("/v1/summarize", content=b"{", headers={"Content-Type": "application/json"})
    assert error_of(wrong)["param"] is None
    assert error_of(client.post("/v1/summarize", json={"documents": [FERRY], "word": 7}))["param"] == "word"


@pytest.mark.parametrize(
    ("status", "code", "request_"),
    [
        (422, "not_possible", {"json": {"documents": [FERRY], "words": 1}}),
        (422, "not_possible", {"json": {"documents": []}}),
        (422, "not_possible", {"json": {"documents": [FERRY], "words": 5, "sentences": 2}}),
        (422, "not_possible", {"json": {"documents": [FERRY], "share": "half"}}),
        (422, "not_possible", {"json": {"documents": [FERRY], "system": "/etc/passwd"}}),
        (422, "not_possible", {"json": {"documents": [FERRY], "language": "xx"}}),
        (422, "not_possible", {"json": {"documents": [{"data": "!", "name": "a.pdf"}]}}),
        (422, "not_possible", {"files": {"files": ("a.pdf", b"%PDF-1.4 nonsense")}}),
        (422, "invalid_body", {"json": {"documents": [FERRY], "words": 0}}),
        (422, "invalid_body", {"json": {"documents": [FERRY], "word": 7}}),
        (422, "invalid_body", {"content": b"{", "headers": {"Content-Type": "application/json"}}),
        (422, "invalid_body", {"content": b'{"documents": ["\xff"]}', "headers": {"Content-Type": "application/json"}}),
        (422, "invalid_body", {"files": {"upload": ("a.txt", FERRY.encode())}}),
        (400, "bad_request", {"content": b"x", "headers": {"Content-Type": "multipart/form-data; boundary=b"}}),
        (415, "unsupported_media_type", {"content": FERRY.encode(), "headers": {"Content-Type": "text/plain"}}),
        (413, "too_large", {"json": {"documents": [FERRY] * 6}}),
        (413, "too_large", {"json": {"documents": ["word " * 5001]}}),
    ],
)
def test_an_error_has_a_status_a_code_and_a_sentence(
    client: Client, status: int, code: str, request_: dict[str, Any]
) -> None:
    answer = client.post("/v1/summarize", **request_)
    assert (answer.status_code, error_of(answer)["code"]) == (status, code)


def test_errors_elsewhere_have_the_same_shape(client: Client) -> None:
    assert error_of(client.get("/nothing"))["code"] == "not_found"
    assert error_of(client.get("/v1/summarize"))["code"] == "method_not_allowed"
    assert error_of(client.post("/v1/phrases", json={"documents": [FERRY], "extractor": "os.path"}))
    assert error_of(client.post("/v1/score", json={"examples": [{"summary": "a"}], "metrics": ["os.path"]}))
    assert error_of(client.post("/v1/score", content=b"{}", headers={"Content-Type": "text/plain"}))


def test_a_body_above_the_limit_is_not_read(running: Running) -> None:
    from dataclasses import replace

    engine = running.engine
    own, engine.limits = engine.limits, replace(engine.limits, bytes=1000)
    try:
        small = Client(create_app(engine), running)
    finally:
        engine.limits = own

    async def in_pieces() -> Any:
        for _ in range(99):
            yield b" " * 100

    assert small.post("/v1/summarize", json={"documents": [FERRY], "words": 7}).status_code == 200
    for body in (b" " * 1001, in_pieces()):
        answer = small.post("/v1/summarize", content=body, headers={"Content-Type": "application/json"})
        assert (answer.status_code, error_of(answer)["code"]) == (413, "too_large")


def form_of(*parts: str, end: str = "--b--\r\n") -> dict[str, Any]:
    body = "".join(f"--b\r\nContent-Disposition: form-data; {part}\r\n" for part in parts) + end
    return {"content": body.encode(), "headers": {"Content-Type": "multipart/form-data; boundary=b"}}


def test_a_form_without_its_closing_boundary_is_not_summarized_in_part(client: Client) -> None:
    whole = (f'name="texts"\r\n\r\n{FERRY}', 'name="words"\r\n\r\n7')
    assert client.post("/v1/summarize", **form_of(*whole)).status_code == 200
    for end in ("", "--b", "--b\r\n"):
        answer = client.post("/v1/summarize", **form_of(*whole, end=end))
        assert (answer.status_code, error_of(answer)["code"]) == (400, "incomplete")


def test_a_form_with_too_many_fields_is_told_how_many_there_may_be(client: Client) -> None:
    answer = client.post("/v1/summarize", **form_of(*['name="highlights"\r\n\r\nferry'] * 1000))
    assert (answer.status_code, error_of(answer)["code"]) == (413, "too_large")
    assert re.search(r"at most \d+ files and \d+ other fields", error_of(answer)["message"])


def test_overload_is_answered_with_429_and_when_to_try_again(
    client: Client, running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nutgraf.service.gate.LOG_EVERY", 0)  # else its line comes while other tests run
    body = {"documents": [MILL * 20], "words": 30}
    answers = running.all(*(client.sending("POST", "/v1/summarize", json=body) for _ in range(30)))
    assert {one.status_code for one in answers} == {200, 429}
    refused = [one for one in answers if one.status_code == 429]
    assert all(int(one.headers["retry-after"]) >= 1 for one in refused)
    assert error_of(refused[0])["code"] == "busy"


def test_refusals_share_a_line_of_the_log(client: Client, running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client(create_app(running.engine), running)
    lines: list[tuple[str, dict[str, Any]]] = []
    monkeypatch.setattr("nutgraf.service.log.event", lambda name, **fields: lines.append((name, fields)))
    monkeypatch.setattr("nutgraf.service.gate.LOG_EVERY", 0.1)
    body = {"documents": [MILL * 20], "words": 30}
    answers = running.all(*(client.sending("POST", "/v1/summarize", json=body) for _ in range(30)))
    running.all(asyncio.sleep(0.3))
    statuses = [one.status_code for one in answers]
    assert [fields["status"] for name, fields in lines if name == "request"] == [200] * statuses.count(200)
    refused = [fields["count"] for name, fields in lines if name == "requests refused"]
    assert sum(refused) == statuses.count(429) > len(refused)


def test_operations_tell_their_state_and_figures(client: Client) -> None:
    assert client.get("/health").json() == {"status": "ok"}
    assert client.get("/ready").json() == {"status": "ready"}
    assert client.get("/version").json()["version"] == nutgraf.__version__
    client.get("/nothing/at/all")
    figures = client.get("/metrics").text
    names = {line.split("{")[0].split()[0] for line in figures.splitlines() if not line.startswith("#")}
    assert all(name.startswith("nutgraf_") for name in names)
    assert "nutgraf_ready 1.0" in figures
    assert 'nutgraf_requests_total{method="GET",route="",status="404"}' in figures


def test_systems_are_listed_as_systems_and_as_models(client: Client) -> None:
    systems = client.get("/v1/systems").json()["systems"]
    assert [one["name"] for one in systems if one["default"]] == ["adaptive"]
    assert "kpat" not in {one["name"] for one in systems}
    models = client.get("/v1/models").json()["data"]
    assert [one["id"] for one in models] == [one["name"] for one in systems]


def basic(text: str) -> str:
    return f"Basic {base64.b64encode(text.encode()).decode()}"


def password(token: str) -> str:
    """The header of a browser whose user gave a token as the password."""
    return basic(f"anybody:{token}")


def test_tokens_are_asked_for(running: Running) -> None:
    app = create_app(running.engine, Tokens.of([TOKEN, "another-long-token"]))
    wrong = ("Bearer wrong", f"Basic {TOKEN}", TOKEN, password("wrong"), basic(TOKEN), "Basic /w==", "Basic é")
    for shown in ({}, *({"Authorization": one.encode()} for one in wrong)):
        answer = Client(app, running, **shown).post("/v1/summarize", json={"documents": [FERRY]})
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
        assert error_of(answer)["code"] == "unauthorized"
        assert Client(app, running, **shown).get("/metrics").status_code == 401
        assert Client(app, running, **shown).get("/ready").status_code == 200
    for token in (TOKEN, "another-long-token"):
        for shown in (f"Bearer {token}", password(token)):
            trusted = Client(app, running, Authorization=shown)
            assert trusted.post("/v1/summarize", json={"documents": [FERRY]}).status_code == 200


def test_a_browser_is_told_to_ask_for_a_password(running: Running) -> None:
    app = create_app(running.engine, Tokens.of([TOKEN, "with:colons-in-its-middle"]))
    page = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    asked = Client(app, running, **page).get("/v1/systems")
    assert (asked.status_code, asked.headers["www-authenticate"].split()[0]) == (401, "Basic")
    for token in (TOKEN, "with:colons-in-its-middle"):
        assert Client(app, running, Authorization=password(token), **page).get("/v1/systems").status_code == 200


def test_tokens_come_from_a_file_and_the_environment(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "tokens"
    path.write_text(f"# of the newsroom\n{TOKEN}\n\n", encoding="utf-8")
    monkeypatch.setenv(VARIABLE, "one-from-the-environment")
    tokens = read_tokens(str(path))
    assert tokens.accept(f"Bearer {TOKEN}")
    assert tokens.accept("bearer one-from-the-environment")
    assert not tokens.accept("Bearer ")
    monkeypatch.delenv(VARIABLE)
    assert not read_tokens(None)
    path.write_text("short\n", encoding="utf-8")
    with pytest.raises(InputError, match="at least 16 characters"):
        read_tokens(str(path))
    path.write_text("# none\n", encoding="utf-8")
    with pytest.raises(InputError, match="has no token"):
        read_tokens(str(path))
    with pytest.raises(InputError, match="nothing"):
        read_tokens(str(tmp_path / "nothing"))


def test_a_body_that_does_not_end_is_given_up(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    async def slowly() -> Any:
        yield b"{"
        await asyncio.sleep(30)
        yield b"}"

    monkeypatch.setattr(gate, "PATIENCE", 0.2)
    answer = client.post("/v1/summarize", content=slowly(), headers={"Content-Type": "application/json"})
    assert (answer.status_code, error_of(answer)["code"]) == (408, "too_slow")


def test_other_sites_cannot_use_a_local_service(running: Running) -> None:
    local = Client(create_app(running.engine, local=True), running)
    assert local.get("/v1/systems", headers={"Host": "localhost:8765"}).status_code == 200
    assert local.get("/v1/systems", headers={"Host": "[::1]:8765"}).status_code == 200
    assert local.get("/v1/systems", headers={"Host": "LocalHost"}).status_code == 200
    assert local.get("/v1/systems", headers={"Host": "rebound.example"}).status_code == 403
    body = {"json": {"documents": [FERRY]}}
    assert local.post("/v1/summarize", headers={"Sec-Fetch-Site": "cross-site"}, **body).status_code == 403
    assert local.post("/v1/summarize", headers={"Sec-Fetch-Site": "same-origin"}, **body).status_code == 200
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1"):
        assert local.post("/v1/summarize", headers={"Origin": origin}, **body).status_code == 403
    assert local.post("/v1/summarize", headers={"Origin": "http://127.0.0.1"}, **body).status_code == 200
    # Under "no-referrer" a browser would send "Origin: null" for a form of this very page.
    assert local.get("/").headers["referrer-policy"] == "same-origin"


def test_every_answer_has_the_headers_of_security(client: Client) -> None:
    for path in ("/health", "/nothing", "/openapi.json"):
        headers = client.get(path).headers
        assert "'unsafe-inline'" not in headers["content-security-policy"]
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-request-id"]


def test_logs_have_figures_and_no_word_of_a_document(client: Client) -> None:
    lines: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(log.Lines().format(record))

    kept = Kept()
    log.LOGGER.addHandler(kept)
    level = log.LOGGER.level
    log.LOGGER.setLevel(logging.INFO)
    try:
        client.post("/v1/summarize", json={"documents": ["Zanzibar " * 9], "words": 1, "query": "Zanzibar?"})
        client.get("/v1/models/Zanzibar?q=Zanzibar")
    finally:
        log.LOGGER.removeHandler(kept)
        log.LOGGER.setLevel(level)
    first, second = map(json.loads, lines)
    assert (first["route"], first["status"], first["method"]) == ("/v1/summarize", 422, "POST")
    assert first["bytes"] > 81
    assert second["route"] == "/v1/models/{name}"
    assert "anzibar" not in "".join(lines)


def test_openapi_describes_every_route_with_examples_that_work(client: Client) -> None:
    described = client.get("/openapi.json").json()
    assert {
        "/v1/summarize",
        "/v1/minutes",
        "/v1/agreement",
        "/v1/changes",
        "/v1/answer",
        "/v1/phrases",
        "/v1/score",
        "/v1/chat/completions",
        "/metrics",
    } <= set(described["paths"])
    worked = 0
    for path, methods in described["paths"].items():
        content = methods.get("post", {}).get("requestBody", {}).get("content", {})
        for example in content.get("application/json", {}).get("schema", {}).get("examples", []):
            assert client.post(path, json=example).status_code == 200, (path, example)
            worked += 1
    assert worked >= 4


def test_the_flags_in_openapi_s_example_are_those_of_the_rules(client: Client) -> None:
    answer = client.get("/openapi.json").json()["paths"]["/v1/summarize"]["post"]["responses"]["200"]
    example = answer["content"]["application/json"]["example"]
    assert example["sentences"][0]["flags"] == [asdict(flag) for flag in nutgraf.check(example["text"], FERRY).flags]
    made = client.post("/v1/summarize", json={"documents": [FERRY], "words": 7}).json()
    assert example.keys() <= made.keys()
    assert example["sentences"][0].keys() <= made["sentences"][0].keys()
    assert [sentence["flags"] for sentence in made["sentences"]] == [[] for _ in made["sentences"]]


def _page(text: str) -> bytes:
    return f"<!doctype html><title>Page</title><article><p>{text}</p></article>".encode()
