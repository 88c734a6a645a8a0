"""Clients of OpenAI's protocol, unchanged, get a summary with its citations."""

from __future__ import annotations

import base64
from collections.abc import Iterator

import httpx
import pytest
from client import Client
from running import Running

from nutgraf.errors import BudgetError, InputError
from nutgraf.service.chat import Chat, ChatBody
from nutgraf.service.requests import File, Text
from nutgraf.text.summary import Budget

openai = pytest.importorskip("openai")

FERRY = "The ferry left the harbour at noon. It came back at dusk. Nobody was on it."
MILL = "The mill burned down on Friday. The owner of the mill blames a lamp. A new mill would cost a fortune."


@pytest.fixture
def assistant(client: Client, running: Running) -> Iterator[openai.AsyncOpenAI]:
    transport = httpx.ASGITransport(client.app)
    made = openai.AsyncOpenAI(
        api_key="none-is-needed",
        base_url="http://127.0.0.1/v1",
        http_client=httpx.AsyncClient(transport=transport),
        max_retries=0,
    )
    yield made
    running.run(made.close())


def test_a_chat_names_the_fields_that_change_nothing(client: Client) -> None:
    tool = {"type": "function", "function": {"name": "weather"}}
    body = {"model": "lead", "messages": [{"role": "user", "content": FERRY}], "max_tokens": 7}
    asked = {**body, "tools": [tool], "temperature": 0, "stop": None}
    notice = "The fields 'temperature', 'tools' of the request change nothing."
    assert client.post("/v1/chat/completions", json=asked).json()["nutgraf"]["notices"] == [notice]
    streamed = client.post("/v1/chat/completions", json={**asked, "stream": True})
    assert notice in streamed.text
    assert client.post("/v1/chat/completions", json=body).json()["nutgraf"]["notices"] == []


def test_a_completion_is_a_summary_with_citations(assistant: openai.AsyncOpenAI, running: Running) -> None:
    messages = [{"role": "system", "content": "sentences: 2"}, {"role": "user", "content": MILL}]
    made = running.run(assistant.chat.completions.create(model="lead", messages=messages))
    message = made.choices[0].message
    assert message.content == "The mill burned down on Friday. The owner of the mill blames a lamp."
    cited = [one.url_citation for one in message.annotations]
    assert [message.content[one.start_index : one.end_index] for one in cited] == [
        "The mill burned down on Friday.",
        "The owner of the mill blames a lamp.",
    ]
    assert [one.url for one in cited] == ["document:0#char=0,31", "document:0#char=32,68"]
    assert made.choices[0].finish_reason == "stop"
    assert (made.usage.prompt_tokens, made.usage.completion_tokens) == (21, 14)
    assert made.nutgraf["schema"] == "nutgraf.summary/1"


def test_a_stream_sends_the_sentences_one_by_one(assistant: openai.AsyncOpenAI, running: Running) -> None:
    async def streamed() -> tuple[list[str], list[object], int]:
        texts, annotations, words = [], [], 0
        stream = await assistant.chat.completions.create(
            model="lead",
            messages=[{"role": "user", "content": MILL}],
            stream=True,
            stream_options={"include_usage": True},
            max_tokens=14,
        )
        async for chunk in stream:
            words = chunk.usage.completion_tokens if chunk.usage else words
            for choice in chunk.choices:
                texts += [choice.delta.content] if choice.delta.content else []
                annotations += getattr(choice.delta, "annotations", None) or []
        return texts, annotations, words

    texts, annotations, words = running.run(streamed())
    assert texts == ["The mill burned down on Friday.", " The owner of the mill blames a lamp."]
    assert (len(annotations), words) == (2, 14)


def test_errors_are_those_that_the_client_knows(assistant: openai.AsyncOpenAI, running: Running) -> None:
    messages = [{"role": "user", "content": FERRY}]
    with pytest.raises(openai.NotFoundError, match="No model 'gpt'"):
        running.run(assistant.chat.completions.create(model="gpt", messages=messages))
    with pytest.raises(openai.UnprocessableEntityError, match="1 word"):
        running.run(assistant.chat.completions.create(model="lead", messages=messages, max_tokens=1))

    async def listed() -> list[str]:
        return [one.id async for one in assistant.models.list()]

    assert "adaptive" in running.run(listed())
    assert running.run(assistant.models.retrieve("lead")).id == "lead"

    async def failed_stream() -> None:
        created = assistant.chat.completions.create(model="lead", messages=messages, max_tokens=1, stream=True)
        async for _ in await created:
            pass

    with pytest.raises(openai.APIError, match="1 word"):
        running.run(failed_stream())


def test_citations_stand_in_the_text_where_they_are_asked_for(client: Client) -> None:
    body = {
        "model": "lead",
        "messages": [{"role": "user", "content": MILL}],
        "nutgraf": {"sentences": 2, "citations": True},
    }
    message = client.post("/v1/chat/completions", json=body).json()["choices"][0]["message"]
    assert message["content"] == (
        "The mill burned down on Friday. [1] The owner of the mill blames a lamp. [2]\n\n"
        "[1] text, 0–31\n[2] text, 32–68"
    )
    places = [one["url_citation"] for one in message["annotations"]]
    assert [message["content"][one["start_index"] : one["end_index"]] for one in places] == [
        "The mill burned down on Friday.",
        "The owner of the mill blames a lamp.",
    ]
    whole = client.post("/v1/chat/completions", json={**body, "response_format": {"type": "json_object"}}).json()
    assert '"schema": "nutgraf.summary/1"' in whole["choices"][0]["message"]["content"]


def chat(*messages: dict[str, object], **more: object) -> Chat:
    return Chat(ChatBody.model_validate({"model": "lead", "messages": messages, **more}))


def test_a_chat_is_read_by_its_rules() -> None:
    data = "data:text/html;base64," + base64.b64encode(b"<p>Hello").decode()
    asked = chat(
        {"role": "system", "content": "You summarize.\nWords: 70\nhighlight: new mill:2\nhighlight = lamp\nBe kind."},
        {"role": "developer", "content": [{"type": "text", "text": "query: Who?\nprose: no\nlanguage: en"}]},
        {"role": "user", "content": FERRY},
        {"role": "assistant", "content": "Not read."},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": MILL},
                {"type": "file", "file": {"file_data": data, "filename": "page"}},
            ],
        },
        max_tokens=5,
    )
    assert asked.request.documents == (Text(FERRY), Text(MILL), File(b"<p>Hello", "page", "text/html"))
    assert asked.request.asked.budget == Budget(words=70)
    assert asked.request.asked.highlights == ("new mill:2", "lamp")
    assert (asked.request.asked.query, asked.request.asked.language) == ("Who?", "en")
    assert asked.request.asked.prose is False
    assert list(asked.told.notices) == ["2 lines of the system message are no settings, and changed nothing."]
    assert chat({"role": "user", "content": FERRY}, max_tokens=5).request.asked.budget == Budget(words=5)
    assert chat({"role": "user", "content": FERRY}).request.asked.budget == Budget()
    over = chat({"role": "system", "content": "words: 5"}, {"role": "user", "content": FERRY}, nutgraf={"words": 6})
    assert over.request.asked.budget == Budget(words=6)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"Summarize the following text in two sentences:\n\n{MILL}", True),
        (f"Please summarise this: {MILL}", True),
        (f"{MILL}\nGive me a short summary of it.", True),
        (MILL, False),
        (f"The editors summarize the year. {MILL}", False),
    ],
)
def test_an_instruction_of_the_user_is_told_to_be_none(text: str, told: bool) -> None:
    asked = chat({"role": "user", "content": text})
    assert [("sentences: 2" in one) for one in list(asked.told.notices)] == [True] * told
    assert asked.request.documents == (Text(text),)


def test_a_chat_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(InputError, match="no document"):
        chat({"role": "system", "content": "words: 5"})
    with pytest.raises(InputError, match="not in Base64"):
        chat({"role": "user", "content": [{"type": "file", "file": {"file_data": "?", "filename": "a"}}]})
    with pytest.raises(InputError, match="object"):
        chat({"role": "user", "content": [{"type": "file"}]})
    with pytest.raises(BudgetError):
        chat({"role": "system", "content": "words: 5\nshare: 1/2"}, {"role": "user", "content": FERRY})
    with pytest.raises(ValueError, match="words"):
        chat({"role": "system", "content": "words: many"}, {"role": "user", "content": FERRY})


def test_a_completion_may_be_an_outline_whose_sentences_are_cited(client: Client) -> None:
    law = (
        "§ 1 Boats\n\nBoats need a permit of the master.\n\n§ 2 Nets\n\nNets are dried on the quay, never on the road."
    )
    messages = [{"role": "system", "content": "by: section"}, {"role": "user", "content": law}]
    made = client.post("/v1/chat/completions", json={"model": "lead", "messages": messages}).json()
    message = made["choices"][0]["message"]
    assert message["content"].splitlines()[0] == "§ 1 Boats"
    cited = [one["url_citation"] for one in message["annotations"]]
    assert [message["content"][one["start_index"] : one["end_index"]] for one in cited] == law.split("\n\n")[1::2]
    assert made["nutgraf"]["schema"] == "nutgraf.outline/1"
