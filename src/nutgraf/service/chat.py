"""A chat as a request for a summary: which messages are documents, and which lines are settings.

* `model` names the system.
* Every part of a user's message is a document: a text, or a file (`{"type": "file", "file": {"file_data": …}}`).
* Lines "name: value" of a system or developer message are settings: words, sentences, share, characters, highlight
  (which may come again), query, language, citations. Other lines are not heeded, and a notice says so.
* The object `nutgraf` of the body, for clients that can add one, has the same settings with their types.
* Without a length, `max_completion_tokens` or `max_tokens` is the maximum number of words.
* Messages of the assistant are not read.
* What a user's message says should be done is a part of the document like any other line, and a notice says so.
"""

from __future__ import annotations

import re
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from nutgraf.errors import InputError
from nutgraf.service.requests import File, Given, SummaryRequest, Text
from nutgraf.service.schemas import FERRY, Body, Highlight, Length, decoded
from nutgraf.text.summary import Budget

_SETTING = re.compile(
    r"\s*(words|sentences|share|characters|highlight|query|language|citations)\s*[:=]\s*(.+?)\s*", re.IGNORECASE
)
_INSTRUCTION = re.compile(
    r"\W*(?:please,? |(?:can|could|would) you (?:please )?)?"
    r"(?:summari[sz]e\b|tl;?dr\b|(?:give|write|make|provide)\b[^.!?\n]{0,60}\bsummary\b)",
    re.IGNORECASE,
)
"""Beginning of a line that tells a language model what to do."""

_DATA = re.compile(r"data:([^;,]*)[^,]*;base64,")

LENGTHS = ("words", "sentences", "share", "characters")


class Loose(BaseModel):
    """A part of OpenAI's protocol, which may have more fields than are read here."""

    model_config = ConfigDict(extra="allow")


class FilePart(Loose):
    """The content of a file."""

    file_data: str = Field(description="In Base64, also as a data URL.")
    filename: str = ""


class ContentPart(Loose):
    """A part of a message."""

    type: Literal["text", "file"]
    text: str | None = None
    file: FilePart | None = None


class Message(Loose):
    """A message of a chat."""

    role: Literal["system", "developer", "user", "assistant"]
    content: str | list[ContentPart] | None = None


class Settings(Body):
    """Settings of a summary, for clients that add the object `nutgraf` to the body."""

    words: Length | None = None
    sentences: Length | None = None
    characters: Length | None = None
    share: str | float | None = None
    highlights: list[str | Highlight] = Field(default_factory=list)
    query: str = ""
    language: str | None = None
    citations: bool = Field(False, description="Number the sources in the text, too, and list them at its end.")


class StreamOptions(Loose):
    """Options of a stream."""

    include_usage: bool | None = False


class ResponseFormat(Loose):
    """Form of the answer: a text, or the JSON of the summary."""

    type: Literal["text", "json_object"] = "text"


class ChatBody(Loose):
    """A chat in OpenAI's protocol. Fields that have no meaning for a summary, such as `temperature`, change nothing."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={
            "examples": [
                {
                    "model": "adaptive",
                    "messages": [{"role": "system", "content": "words: 7"}, {"role": "user", "content": FERRY}],
                }
            ]
        },
    )

    model: str
    messages: list[Message] = Field(min_length=1)
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
        cited: Number the sources in the text.
        whole: Answer with the JSON of the summary.
        notices: Sentences for the user about what was not heeded.
    """

    def __init__(self, body: ChatBody) -> None:
        """Read a chat.

        Raises:
            InputError: If there is no document, or a setting or a file cannot be read.
            BudgetError: If no summary can have this length.
        """
        given, self.notices = _settings(body)
        self.cited = given.citations
        self.whole = body.response_format is not None and body.response_format.type == "json_object"
        documents = [one for message in body.messages if message.role == "user" for one in _documents(message)]
        if not documents:
            raise InputError("There is no document; send at least one message of the role “user” with a text.")
        lengths = {name: getattr(given, name) for name in LENGTHS}
        if not any(value is not None for value in lengths.values()):
            lengths["words"] = body.max_completion_tokens or body.max_tokens
        if any(_instructs(one) for one in documents):
            self.notices.append(
                "A message of the user seems to say what to do; it was read as a part of the document. "
                "Settings stand in a system message, such as “sentences: 2”."
            )
        self.request = SummaryRequest(
            documents=tuple(documents),
            system=body.model,
            budget=Budget.of(lengths["words"], lengths["sentences"], lengths["share"], lengths["characters"]),
            highlights=tuple(
                one if isinstance(one, str) else f"{one.phrase}:{one.weight:g}" for one in given.highlights
            ),
            query=given.query,
            language=given.language,
        )


def _settings(body: ChatBody) -> tuple[Settings, list[str]]:
    """Return the settings of a chat, and a notice about lines that are none."""
    found: dict[str, Any] = {}
    other = 0
    for message in body.messages:
        for line in _lines(message) if message.role in ("system", "developer") else ():
            setting = _SETTING.fullmatch(line)
            other += setting is None
            if setting is not None:
                _set(found, setting[1].lower(), setting[2])
    typed = {} if body.nutgraf is None else body.nutgraf.model_dump(exclude_unset=True)
    are = "line of the system message is no setting" if other == 1 else "lines of the system message are no settings"
    said = [f"{other} {are}, and changed nothing."] if other else []
    return Settings.model_validate(found | typed), said


def _instructs(document: Given) -> bool:
    """Return True if the first or the last line of a text says what to do with it."""
    lines = document.text.strip().splitlines() if isinstance(document, Text) else []
    return any(_INSTRUCTION.match(line) for line in (*lines[:1], *lines[-1:]))


def _set(found: dict[str, Any], name: str, value: str) -> None:
    if name == "highlight":
        found.setdefault("highlights", []).append(value)
    elif name == "citations":
        found[name] = value.lower() in ("yes", "true", "on", "text")
    else:
        found[name] = value


def _lines(message: Message) -> list[str]:
    texts = (
        message.content
        if isinstance(message.content, str)
        else "\n".join(part.text or "" for part in message.content or ())
    )
    return [line for line in texts.splitlines() if line.strip()]


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
