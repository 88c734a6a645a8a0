"""Summaries made by hand, for the tests of the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nutgraf.text.document import Document, Phrase, join
from nutgraf.text.summary import Budget, Operation, Summary, SummarySentence, SummaryWord, origin_of

BRIDGE = "A barge struck the old bridge. Nobody was hurt.\n\nThe bridge keeper let go at once. He greased the rollers."
FERRY = "The ferry came out of the marina. She serves coffee.\n\nShe will cross every forty minutes."


def two_sources() -> Document:
    """Four sentences from bridge.txt, then three from ferry.txt."""
    return join([Document.of(BRIDGE, "bridge.txt", language="en"), Document.of(FERRY, "ferry.txt", language="en")])


def sentence(document: Document, *indices: int, operation: Operation = "copied", **more: Any) -> SummarySentence:
    """A sentence made of the document's sentences `indices`."""
    spans = [document.sentences[index] for index in indices]
    return SummarySentence(
        text=" ".join(document.printed[index] for index in indices),
        operation=operation,
        origins=tuple(origin_of(document, span.start, span.end) for span in spans),
        **more,
    )


def summary(
    document: Document, sentences: Sequence[SummarySentence], phrases: Sequence[Phrase] = (), **more: Any
) -> Summary:
    """A summary of 50 words at most, unless told otherwise."""
    fields: dict[str, Any] = {"budget": Budget(words=50), "limit": 50, "signature": "mls_plus|seed:0|v0.1.0", **more}
    return Summary(sentences=tuple(sentences), document=document, find_phrases=lambda: phrases, **fields)


def phrase(document: Document, text: str, score: float = 1.0) -> Phrase:
    """A phrase with every place where it stands, in this very spelling."""
    starts = [start for start in range(len(document.text)) if document.text.startswith(text, start)]
    return Phrase(text, score, tuple((start, start + len(text)) for start in starts))


def written(document: Document, text: str, **more: Any) -> SummarySentence:
    """A generated sentence of words with spaces between them; those that stand in the document are copied from their
    first place there, with a p_copy of 0.75, others are generated with one of 0.25."""
    words, start = [], 0
    for word in text.split(" "):
        at = document.text.find(word)
        origin = None if at < 0 else origin_of(document, at, at + len(word))
        operation = "generated" if origin is None else "copied"
        words.append(SummaryWord(word, start, operation, origin, 0.5, 0.25 if origin is None else 0.75))
        start += len(word) + 1
    return SummarySentence(text, "generated", (), words=tuple(words), **more)
