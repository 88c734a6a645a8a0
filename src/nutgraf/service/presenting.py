"""Answers as bytes: a summary in the form that was asked for.

These functions run in the worker processes, so that the server builds nothing from a summary, however long it is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from nutgraf.systems import System
from nutgraf.text.document import Document
from nutgraf.text.formats import Format, formatted, headline
from nutgraf.text.outline import Made
from nutgraf.text.summary import Summary


class Found(Protocol):
    """Record of something that was found in documents."""

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""


def as_json(made: Made, system: System) -> bytes:
    """Return a summary with its provenance, as `nutgraf summarize --json` prints it."""
    return _encoded(made.dumps())


def as_text(form: Format, made: Made, system: System) -> bytes:
    """Return a summary in a form of text, as `nutgraf summarize --format` prints it."""
    return _encoded(_text(form, made))


def as_event(form: Format | None, made: Made, system: System) -> bytes:
    """Return a summary as the last event of a stream: as JSON, or in a form of text."""
    return event(json.loads(made.dumps()) if form is None else _text(form, made), "result")


def found_json(found: Found, document: Document) -> bytes:
    """Return what was found in documents as JSON."""
    return dumped(found.to_json())


def found_event(found: Found, document: Document) -> bytes:
    """Return what was found in documents as the last event of a stream."""
    return event(found.to_json(), "result")


def dumped(content: Any) -> bytes:
    """Return values as JSON."""
    return _encoded(json.dumps(content, ensure_ascii=False))


def event(content: Any, name: str = "") -> bytes:
    """Return values as an event of a stream."""
    return (f"event: {name}\n".encode() if name else b"") + b"data: " + dumped(content) + b"\n\n"


def as_completion(head: Mapping[str, Any], chat: Told, summary: Made, system: System) -> bytes:
    """Return a summary as a completion of a chat."""
    made = as_message(summary, chat.cited, chat.whole)
    message = {
        "role": "assistant",
        "content": "".join(made["parts"]),
        "refusal": None,
        "annotations": _annotations(made),
    }
    return dumped(
        {
            **head,
            "object": "chat.completion",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}],
            "usage": _usage(made),
            "nutgraf": _provenance(made, chat.notices),
        }
    )


def as_chunks(head: Mapping[str, Any], chat: Told, summary: Made, system: System) -> bytes:
    """Return a summary as the events of a chat's stream: one for each sentence, then the citations."""
    made = as_message(summary, chat.cited, chat.whole)
    events = [chunk(head, {"content": part}) for part in made["parts"]]
    events.append(chunk(head, {"annotations": _annotations(made)}, "stop", nutgraf=_provenance(made, chat.notices)))
    if chat.usage:
        events.append(event({**head, "object": "chat.completion.chunk", "choices": [], "usage": _usage(made)}))
    return b"".join(events)


def chunk(head: Mapping[str, Any], delta: Mapping[str, Any], reason: str | None = None, **more: Any) -> bytes:
    """Return an event of a chat's stream."""
    choice = {"index": 0, "delta": delta, "finish_reason": reason, "logprobs": None}
    return event({**head, "object": "chat.completion.chunk", "choices": [choice], **more})


@dataclass(frozen=True)
class Told:
    """Wishes of a chat besides the summary, and notices for it.

    Attributes:
        cited: Number the sentences' sources in the text, and list them at its end.
        whole: The text is the JSON of the summary.
        usage: A stream ends with the numbers of words.
        notices: Sentences for the user about what was not heeded.
    """

    cited: bool = False
    whole: bool = False
    usage: bool = False
    notices: tuple[str, ...] = ()


def as_message(made: Made, cited: bool = False, whole: bool = False) -> dict[str, Any]:
    """Return a summary or an outline as a message of a chat.

    Returns:
        The parts of the text in order, which a stream sends one by one; citations with their places in the text; the
        summary as JSON values; numbers of words of the input and of the summary.
    """
    summary = made if isinstance(made, Summary) else made.summary
    if whole:
        parts, citations = [made.dumps()], list[dict[str, Any]]()
    else:
        parts, citations = _message(made.text, summary, cited)
    return {
        "parts": parts,
        "citations": citations,
        "summary": made.to_json(),
        "words_in": summary.document.num_words,
        "words_out": made.words,
    }


def _message(text: str, summary: Summary, cited: bool) -> tuple[list[str], list[dict[str, Any]]]:
    """Return the parts of a message, and its citations: one for each place that a sentence comes from."""
    parts: list[str] = []
    citations: list[dict[str, Any]] = []
    places: dict[str, int] = {}
    at, length = 0, 0
    for sentence in summary:
        begin = text.index(sentence.text, at)
        end = begin + len(sentence.text)
        numbers = [places.setdefault(summary.place(one), len(places) + 1) for one in sentence.origins]
        marks = "".join(f" [{number}]" for number in dict.fromkeys(numbers)) if cited else ""
        part = text[at:end] + marks
        parts.append(part)
        for origin in sentence.origins:
            citations.append(
                {
                    "start_index": length + begin - at,
                    "end_index": length + end - at,
                    "title": summary.place(origin),
                    "url": f"document:{origin.source}#char={origin.start},{origin.end}",
                }
            )
        length, at = length + len(part), end
    if text[at:]:
        parts.append(text[at:])
    if cited and places:
        parts.append("\n\n" + "\n".join(f"[{number}] {place}" for place, number in places.items()))
    return parts, citations


def _text(form: Format, made: Made) -> str:
    return formatted(headline(made) if form == "headline" and isinstance(made, Summary) else made, form)


def _annotations(made: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"type": "url_citation", "url_citation": one} for one in made["citations"]]


def _usage(made: Mapping[str, Any]) -> dict[str, int]:
    """Numbers of words: what a token is differs from system to system."""
    before, after = made["words_in"], made["words_out"]
    return {"prompt_tokens": before, "completion_tokens": after, "total_tokens": before + after}


def _provenance(made: Mapping[str, Any], notices: Sequence[str]) -> dict[str, Any]:
    return {**made["summary"], "notices": [*made["summary"]["notices"], *notices]}


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")
