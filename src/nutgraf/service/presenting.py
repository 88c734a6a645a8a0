"""Answers of worker processes: a summary in the form that was asked for. These functions run there."""

from __future__ import annotations

import json
from itertools import chain
from typing import Any

from nutgraf.systems import System
from nutgraf.text.formats import Format, formatted, headline
from nutgraf.text.summary import Summary


def as_json(summary: Summary, system: System) -> str:
    """Return a summary with its provenance, as `nutgraf summarize --json` prints it."""
    return summary.dumps()


def as_text(form: Format, summary: Summary, system: System) -> str:
    """Return a summary in a form of text, as `nutgraf summarize --format` prints it."""
    return formatted(headline(summary) if form == "headline" else summary, form)


def as_message(cited: bool, whole: bool, summary: Summary, system: System) -> dict[str, Any]:
    """Return a summary as a message of a chat.

    Args:
        cited: Number the sentences' sources in the text, and list them at its end.
        whole: The text is the JSON of the summary.
        summary: The summary.
        system: The system that made it.

    Returns:
        The parts of the text in order, which a stream sends one by one; citations with their places in the text; the
        summary as JSON values; numbers of words of the input and of the summary.
    """
    if whole:
        parts, citations = [summary.dumps()], list[dict[str, Any]]()
    else:
        parts, citations = _message(summary, cited)
    return {
        "parts": parts,
        "citations": citations,
        "summary": summary.to_json(),
        "words_in": summary.document.num_words,
        "words_out": summary.words,
    }


def _message(summary: Summary, cited: bool) -> tuple[list[str], list[dict[str, Any]]]:
    """Return the parts of a message, and its citations: one for each place that a sentence comes from."""
    parts: list[str] = []
    citations: list[dict[str, Any]] = []
    places: dict[str, int] = {}
    text, at, length = summary.text, 0, 0
    for sentence in chain.from_iterable((one for _, one in line) for line in summary.lines):
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
    if cited and places:
        parts.append("\n\n" + "\n".join(f"[{number}] {place}" for place, number in places.items()))
    return parts, citations


def compact(text: str) -> str:
    """Return JSON on one line."""
    return json.dumps(json.loads(text), ensure_ascii=False)
