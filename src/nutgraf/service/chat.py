"""A chat as a request for a summary: which messages are documents, and which lines are settings.

* `model` names the system.
* Every part of a user's message is a document: a text, or a file (`{"type": "file", "file": {"file_data": …}}`).
* Lines "name: value" of a system or developer message are settings: words, sentences, share, characters, highlight
  (which may come again), query, prose, by, depth, language, citations. Other lines change nothing; a notice says so.
* The object `nutgraf` of the body, for clients that can add one, has the same settings with their types.
* Without a length, `max_completion_tokens` or `max_tokens` is the maximum number of words.
* Messages of the assistant are not read.
* Fields that change nothing, such as `tools`, are told in a notice.
* What a user's message says should be done is a part of the document like any other line, and a notice says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from nutgraf.errors import InputError
from nutgraf.service.presenting import Told
from nutgraf.service.requests import File, Given, Packed, SummaryRequest, Text
from nutgraf.service.schemas import FERRY, Length, Listed, Name, Wanted, decoded
from nutgraf.text.summary import Budget

_SETTING = re.compile(
    r"(words|sentences|share|characters|highlight|query|prose|by|depth|language|citations)\s*[:=]", re.IGNORECASE
)
"""Beginning of a line that is a setting."""

_LINE = re.compile(r"[^\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")
"""A line that is not empty, where `str.splitlines` divides a text."""

_INSTRUCTION = re.compile(
    r"\W*(?:please,? |(?:can|could|would) you (?:please )?)?"
    r"(?:summari[sz]e\b|tl;?dr\b|(?:give|write|make|provide)\b[^.!?\n]{0,60}\bsummary\b)",
    re.IGNORECASE,
)
"""Beginning of a line that tells a language model what to do."""

_DATA = re.compile(r"data:([^;,]*)[^,]*;base64,")

MOST_NAMED, MOST_LETTERS = 10, 40
"""Fields that a notice names, and characters of their names."""


class Loose(BaseModel):
    """A part of OpenAI's protocol, which may have more fields than are read here."""

    model_config = ConfigDict(extra="allow")


class FilePart(Loose):
    """The content of a file."""

    file_data: str = Field(description="In Base64, also as a data URL.")
    filename: Name = ""


class ContentPart(Loose):
    """A part of a message."""

    type: Literal["text", "file"]
    text: str | None = None
    file: FilePart | None = None


class Message(Loose):
    """A message of a chat."""

    role: Literal["system", "developer", "user", "assistant"]
    content: str | Listed[ContentPart] | None = None


class Settings(Wanted):
    """Settings of a summary, for clients that add the object `nutgraf` to the body."""

    language: Name | None = None
    citations: bool = Field(False, description="Number the sources in the text, too, and list them at its end.")


class StreamOptions(Loose):
    """Options of a stream."""

    include_usage: bool | None = False


class ResponseFormat(Loose):
    """Form of the answer: a text, or the JSON of the summary."""

    type: Literal["text", "json_object"] = "text"


class ChatBody(Loose):
    """A chat in OpenAI's protocol. A notice names the fields that change nothing, such as `tools`."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "model": "adaptive",
                    "messages": [{"role": "system", "content": "words: 7"}, {"role": "user", "content": FERRY}],
                }
            ]
        }
    )

    model: Name
    messages: Listed[Message] = Field(min_length=1)
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    max_tokens: Length | None = None
    max_completion_tokens: Length | None = None
    n: Literal[1] | None = 1
    response_format: ResponseFormat | None = None
    nutgraf: Settings | None = None


class Chat:
    """The request for a summary that a chat makes.

    Attributes:
        request: The request for a summary.
        model: Name of the system.
        stream: Answer with a stream.
        told: What was asked for besides, and notices of what was not heeded.
    """

    request: SummaryRequest | Packed

    def __init__(self, body: ChatBody) -> None:
        """Read a chat.

        Raises:
            InputError: If there is no document, or a setting or a file cannot be read.
            BudgetError: If no summary can have this length.
        """
        given, notices = _settings(body)
        self.model, self.stream = body.model, bool(body.stream)
        documents = [one for message in body.messages if message.role == "user" for one in _documents(message)]
        if not documents:
            raise InputError("There is no document; send at least one message of the role “user” with a text.")
        if any(_instructs(one) for one in documents):
            notices.append(
                "A message of the user seems to say what to do; it was read as a part of the document. "
                "Settings stand in a system message, such as “sentences: 2”."
            )
        self.told = Told(
            cited=given.citations,
            whole=body.response_format is not None and body.response_format.type == "json_object",
            usage=body.stream_options is not None and bool(body.stream_options.include_usage),
            notices=(*notices, *_ignored(body)),
        )
        length = Budget(words=body.max_completion_tokens or body.max_tokens)
        self.request = SummaryRequest(tuple(documents), body.model, given.asked(given.language, length))


def _settings(body: ChatBody) -> tuple[Settings, list[str]]:
    """Return the settings of a chat, and a notice about lines that are none."""
    found: dict[str, Any] = {}
    other = 0
    for message in body.messages:
        for line in _lines(message) if message.role in ("system", "developer") else ():
            setting = _SETTING.match(line)
            value = line[setting.end() :].strip() if setting else ""
            other += not value
            if setting and value:
                name = setting[1].lower()
                if name == "highlight":
                    found.setdefault("highlights", []).append(value)
                else:
                    found[name] = value.lower() in ("yes", "true", "on", "text") if name == "citations" else value
    typed = {} if body.nutgraf is None else body.nutgraf.model_dump(exclude_unset=True)
    are = "line of the system message is no setting" if other == 1 else "lines of the system message are no settings"
    said = [f"{other} {are}, and changed nothing."] if other else []
    return Settings.model_validate(found | typed), said


def _ignored(body: ChatBody) -> list[str]:
    """Return a notice of fields that change nothing."""
    names = sorted(name for name, value in (body.model_extra or {}).items() if value is not None)
    if names:
        shown = [repr(name[:MOST_LETTERS]) for name in names[:MOST_NAMED]]
        more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
        field, change = ("field", "changes") if len(names) == 1 else ("fields", "change")
        return [f"The {field} {', '.join(shown)}{more} of the request {change} nothing."]
    return []


def _instructs(document: Given) -> bool:
    """Return True if the first or the last line of a text says what to do with it."""
    if not isinstance(document, Text):
        return False
    text = document.text.strip()
    return any(_INSTRUCTION.match(line) for line in (text.partition("\n")[0], text.rpartition("\n")[2]))


def _lines(message: Message) -> Iterator[str]:
    texts = (
        [message.content] if isinstance(message.content, str) else [part.text or "" for part in message.content or ()]
    )
    for text in texts:
        for line in _LINE.finditer(text):
            if stripped := line[0].strip():
                yield stripped


def _documents(message: Message) -> list[Given]:
    if isinstance(message.content, str):
        return [Text(message.content)]
    return [_part(part) for part in message.content or ()]


def _part(part: ContentPart) -> Given:
    if part.type == "text":
        return Text(part.text or "")
    if part.file is None:
        raise InputError("A part of the type “file” needs the object “file” with its content in “file_data”.")
    marked = _DATA.match(part.file.file_data)
    data = part.file.file_data[marked.end() :] if marked else part.file.file_data
    return File(decoded(data, part.file.filename), part.file.filename, marked[1] if marked else "")
