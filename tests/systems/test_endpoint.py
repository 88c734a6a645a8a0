"""Language models behind a server, which is a real one on this machine and answers as each model's name says."""

from __future__ import annotations

import json
import threading
import time

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")
pytest.importorskip("httpx")

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, PlainTextResponse, StreamingResponse
from typer.testing import CliRunner

import nutgraf
from nutgraf.cli.app import app as nutgraf_command
from nutgraf.errors import BudgetError, InputError, PresetError
from nutgraf.systems import _chat
from tiny_pretrained import ISLAND, SAID

app = FastAPI()
asked: list[dict] = []


def completion(text: str, reason: str = "stop") -> dict:
    return {"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": reason}]}


def drops():
    while True:
        yield b" "
        time.sleep(0.05)


@app.post("/v1/chat/completions")
async def answer(request: Request):
    sent = await request.json()
    asked.append({**sent, "key": request.headers.get("authorization")})
    match sent["model"]:
        case "good":
            return completion(f"<think>Hm.</think>{SAID}")
        case "chatty":
            return completion(f"Sure! Here is your summary: {SAID} Let me know if you need more.")
        case "cut":
            return completion(SAID[:-9], "length")
        case "busy":
            tried = sum(one["model"] == "busy" for one in asked)
            return completion(SAID) if tried > 2 else JSONResponse({"error": "busy"}, 503, {"Retry-After": "0"})
        case "down":
            return PlainTextResponse("out of memory", 500)
        case "locked":
            return PlainTextResponse("no", 401)
        case "slow":
            return StreamingResponse(drops())
        case "strange":
            return {"choices": [{"message": {"content": None}}]}
        case "empty":
            return {"choices": []}
        case "text":
            return PlainTextResponse("hello")
        case "long":
            return completion("The ferry sails. " * 1000)
        case "squeezed":
            return PlainTextResponse("hello", 200, {"Content-Encoding": "gzip"})
        case "later":
            return PlainTextResponse("busy", 429, {"Retry-After": "²"})
        case "telling":
            return PlainTextResponse(f"wrong: {request.headers.get('authorization')}", 400)
        case "turning":
            return completion("The ferry \u202esails\u2066 on Mondays.")
        case "picky":
            return PlainTextResponse("too long", 400)
    return PlainTextResponse("no such model", 404)


@pytest.fixture(scope="module")
def url():
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="critical", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/v1"
    server.should_exit = True
    thread.join()


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    asked.clear()
    monkeypatch.setattr(_chat, "DELAY", 0.01)
    monkeypatch.delenv(_chat.KEY, raising=False)


def load(url, model, **options):
    return nutgraf.load(
        f"endpoint:{url}", {"endpoint.model": model, **{f"endpoint.{key}": options[key] for key in options}}
    )


def test_the_server_writes_and_the_rest_is_ours(url):
    made = load(url, "good")(ISLAND, words=12, highlights=["wells freeze"])
    assert str(made) == "The ferry sails on Mondays. Nobody lives on the island in winter."
    assert [made.document.show((one.start, one.end)) for one in made.sentences[1].origins] == [
        "In winter nobody lives on the island, because the wells freeze."
    ]
    [sent] = asked
    [message] = sent["messages"]
    assert message["content"].startswith("Summarize the following text in at most 12 words.")
    assert "because the ⟦wells freeze⟧." in message["content"]
    assert (sent["seed"], sent["temperature"], sent["key"]) == (0, 0.0, None)
    assert "|model:good|" in made.signature
    assert made.prompt.endswith("\n\n{text}")


def test_the_command_takes_server_and_model(url, tmp_path):
    (tmp_path / "island.txt").write_text(ISLAND)
    named = ["--system", f"endpoint:{url}", "--model", "good", "--json"]
    result = CliRunner().invoke(nutgraf_command, ["summarize", str(tmp_path / "island.txt"), *named])
    assert json.loads(result.output)["text"] == SAID


def test_words_that_are_addressed_to_the_reader_are_named_and_kept(url):
    made = load(url, "chatty")(ISLAND)
    assert str(made).startswith("Sure! Here is your summary: The ferry sails on Mondays.")
    [told] = [one for one in made.notices if "addressed" in one]
    said = "“Sure!”, “Here is your summary: The ferry sails on Mondays.”, “Let me know if you need more.”."
    assert told == f"The model's answer has words that look addressed to you, and they stand in the summary: {said}"
    assert not [one for one in load(url, "good")(ISLAND).notices if "addressed" in one]


def test_the_key_comes_from_the_environment(url, monkeypatch):
    monkeypatch.setenv(_chat.KEY, "secret")
    load(url, "good")(ISLAND)
    assert asked[0]["key"] == "Bearer secret"


def test_a_long_text_is_sent_in_windows(url):
    system = nutgraf.load(f"endpoint:{url}", {"endpoint.model": "good", "reading.window": 60})
    assert str(system(ISLAND)) == SAID
    assert len(asked) > 2
    sent = " ".join(one["messages"][0]["content"] for one in asked)
    assert all(sentence in sent for sentence in ISLAND.replace("\n\n", " ").split(". ")[:-1])


def test_a_text_that_was_cut_loses_its_last_sentence(url):
    assert str(load(url, "cut")(ISLAND)) == "The ferry sails on Mondays. Nobody lives on the island in winter."


def test_a_busy_server_is_asked_again(url):
    assert str(load(url, "busy")(ISLAND)) == SAID
    assert len(asked) == 3


@pytest.mark.parametrize(
    ("model", "times", "told"),
    [
        ("down", 2, "is busy or has failed (status 500: out of memory); it was asked 2 times."),
        ("slow", 2, "does not answer within 1 second (endpoint.timeout); it was asked 2 times."),
        ("locked", 1, "wants a key (status 401): put the right one into the variable NUTGRAF_ENDPOINT_KEY."),
        ("strange", 1, "answers, but not with a chat completion: "),
        ("empty", 1, "answers, but not with a chat completion: it has no choice."),
        ("text", 1, "answers, but not with a chat completion: it is no JSON"),
        ("squeezed", 1, "compresses its answer, although it is asked not to."),
        ("later", 2, "is busy or has failed (status 429: busy); it was asked 2 times."),
        # 1,000 sentences of 17 characters, the last space apart; 8 for each of 1,024 tokens and 4,096 more are 12,288
        ("long", 1, "answers with 16,999 characters, where at most 1,024 tokens were asked for (max_tokens)"),
        ("picky", 1, "does not take the request (status 400: too long)."),
        ("other", 1, "has no model 'other', or no chat completions at this address, which as a rule ends in /v1"),
    ],
)
def test_what_goes_wrong_is_told(url, model, times, told):
    with pytest.raises(InputError) as caught:
        load(url, model, retries=1, timeout=1)(ISLAND)
    assert told in str(caught.value)
    assert len(asked) == times


def test_a_wrong_key_is_told(url, monkeypatch):
    monkeypatch.setenv(_chat.KEY, "wrong")
    with pytest.raises(InputError, match="refuses"):
        load(url, "locked")(ISLAND)


def test_the_key_is_not_repeated(url, monkeypatch):
    monkeypatch.setenv(_chat.KEY, "sk-secret/+42")
    with pytest.raises(InputError, match="status 400") as caught:
        load(url, "telling")(ISLAND)
    assert "secret" not in str(caught.value)


def test_a_text_does_not_turn_around_what_a_terminal_shows(url):
    assert str(load(url, "turning")(ISLAND)) == "The ferry sails on Mondays."


@pytest.mark.parametrize(("key", "character"), [("sché", r"'\xe9'"), ("sk\n", r"'\n'")])
def test_a_key_that_cannot_be_sent_is_told(url, monkeypatch, key, character):
    monkeypatch.setenv(_chat.KEY, key)
    with pytest.raises(InputError, match="NUTGRAF_ENDPOINT_KEY") as caught:
        load(url, "good")(ISLAND)
    assert f": {character}." in str(caught.value)
    assert asked == []


@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [
        ("HTTP_PROXY", "zzz://me:secret@x", "HTTP_PROXY"),
        ("SSL_CERT_FILE", "/none.pem", "SSL_CERT_FILE"),
    ],
)
def test_an_environment_that_cannot_be_used_is_told(url, monkeypatch, variable, value, told):
    monkeypatch.setenv(variable, value)
    with pytest.raises(InputError) as caught:
        load(url, "good")(ISLAND)
    assert told in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_length_above_that_of_the_source_is_told_and_asks_once(url):
    made = load(url, "good")("The ferry sails on Mondays. Nobody lives on the island in winter.", words=2000)
    assert "12 words" in " ".join(made.notices)
    assert len(asked) == 1


def test_a_text_is_read_again_in_windows_of_some_size(url):
    # A summary far shorter than what was asked for: windows of 64 tokens, which are 192 characters, not of one
    load(url, "good")(ISLAND, words=len(ISLAND.split()) - 10)
    assert len(asked) < 2 + len(ISLAND) / 60


def test_a_length_in_characters_is_told_as_it_was_given(url):
    # "The ferry sails on Mondays." has 27
    with pytest.raises(BudgetError, match=r"3 characters.*27.*27 characters"):
        load(url, "good")(ISLAND, characters=3)


def test_a_server_that_is_away_is_told():
    with pytest.raises(InputError, match=r"//127\.0\.0\.1.*9/v1.*ConnectError"):
        load("http://127.0.0.1:9/v1", "good", retries=0)(ISLAND)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("endpoint:", "'endpoint:' names no model; endpoint:URL does."),
        ("endpoint:localhost:8080", "begins with http:// or https://"),
        ("endpoint:http://me:secret@localhost/v1", "an address holds no password"),
        ("endpoint:http://[::1", "the address of a server, 'http://[::1', cannot be read: Invalid IPv6 URL"),
        ("endpoint:http://localhost:8080/v1", "names no model: write --system endpoint:URL --model NAME"),
        ("endpoint", "names no server"),
    ],
)
def test_what_names_no_server_is_refused(name, told):
    with pytest.raises(PresetError) as caught:
        nutgraf.load(name)
    assert told in str(caught.value)


def test_a_file_of_somebody_else_sends_nothing(url, tmp_path):
    theirs = tmp_path / "theirs.toml"
    theirs.write_text(f'extends = "endpoint"\n[endpoint]\nurl = "{url}"\nmodel = "good"\n')
    with pytest.raises(PresetError, match="--trust"):
        nutgraf.load(theirs)
    assert str(nutgraf.load(theirs, trust=True)(ISLAND)) == SAID
    theirs.write_text(f'extends = "mls_plus"\nprototype = "endpoint:{url}"\n')
    with pytest.raises(PresetError, match="--trust lets it"):
        nutgraf.load(theirs)
