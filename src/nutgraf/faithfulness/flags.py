"""Flags in the sentences of a summary that a model wrote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from nutgraf.text.document import Document, Sentence
from nutgraf.text.flag import Flag
from nutgraf.text.summary import Summary


def flagged(summary: Summary) -> Summary:
    """Return a summary whose generated sentences have their flags; other sentences stand in the sources."""
    if all(sentence.operation != "generated" for sentence in summary.sentences):
        return summary
    sentences = [
        replace(sentence, flags=flags if sentence.operation == "generated" else ())
        for sentence, flags in zip(summary.sentences, _flags(summary), strict=True)
    ]
    return replace(summary, sentences=tuple(sentences))


def _flags(summary: Summary) -> list[tuple[Flag, ...]]:
    """Return the flags of each sentence, with offsets in the sentence."""
    # Systems that copy sentences come here never, and need not wait for the rules to be loaded.
    from nutgraf.faithfulness.check import checked_sentences
    from nutgraf.faithfulness.sources import Sources

    written = of_sentences(summary.said, summary.document.language)
    found = [flag for one in checked_sentences(written, Sources(summary.document)) for flag in one.flags]
    return [
        tuple(_within(flag, sentence, written.text) for flag in found if sentence.start <= flag.start < sentence.end)
        for sentence in written.sentences
    ]


def _within(flag: Flag, sentence: Sentence, text: str) -> Flag:
    """Return a flag with offsets in its sentence; those of Markdown are found anew when checked, and may be longer."""
    end = min(flag.end, sentence.end)
    return replace(flag, start=flag.start - sentence.start, end=end - sentence.start, text=text[flag.start : end])


def of_sentences(texts: Sequence[str], language: str) -> Document:
    """Return sentences as a document that has each of them as one, on a line of its own."""
    ends = list(accumulate(len(text) + 1 for text in texts))
    spans = [(end - 1 - len(text), end - 1) for text, end in zip(texts, ends, strict=True)]
    return replace(Document.of("\n".join(texts), language="und", sentences=spans), language=language)
