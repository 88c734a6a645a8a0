"""The abstract of a paper, for networks that learned from abstracts.

It is the section of that name, or what stands behind the word at the beginning of a line ("Abstract—We propose …"), up
to the key words, the introduction or the next section. A part of a Document without an abstract is kept as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from nutgraf.text.document import Document, Section, Sentence
from nutgraf.text.summary import Cut, origin_of
from nutgraf.text.tokenize import Span, count_words

OUTSIDE = "what is not the abstract"
"""Rule by which the rest of a paper is cut."""

FEWEST_WORDS = 20
"""Words of an abstract at least; of a shorter one, the most was lost when the file was read."""

SEARCHED = 20_000
"""Characters at the beginning of a paper in which its abstract begins."""

_NAME = r"(?:abstract|kurzfassung|résumé|resumen|resumo|摘要|要旨)"
_NAMED = re.compile(rf"[\divx.\s]*{_NAME}[\s.:—–-]*", re.IGNORECASE)
_OPENING = re.compile(
    rf"^[ \t]*{_NAME}(?:[ \t]*[.:：—–]\s*|[ \t]+-\s+|-(?=(?-i:[A-Z]))|[ \t]*\n\s*)", re.IGNORECASE | re.MULTILINE
)
_END = re.compile(
    r"^[ \t]*(?:key\s?words?\b|index terms\b|ccs concepts\b|acm reference format\b|categories and subject descriptors"
    r"\b|(?:[1I]\.?[ \t]+)?introduction[ \t]*$|关键词|キーワード)",
    re.IGNORECASE | re.MULTILINE,
)


def only_abstract(document: Document) -> tuple[Document, tuple[Cut, ...]]:
    """Return a Document with the sentences of its parts' abstracts alone, and the stretches that were cut."""
    kept: list[Sentence] = []
    cuts: list[Cut] = []
    for part in document.parts:
        own = [sentence for sentence in document.sentences if part.start <= sentence.start < part.end]
        span = _abstract_in(document, part)
        if span is None:
            kept += own
            continue
        kept += _clipped(document, own, span)
        for outside in ((part.start, span[0]), (span[1], part.end)):
            left = [document.show(one) for one in _clipped(document, own, outside)]
            words = sum(count_words(text, document.language) for text in left)
            if words:
                origin = origin_of(document, *outside)
                cuts.append(Cut(origin.source, origin.start, origin.end, words, OUTSIDE))
    return replace(document, sentences=tuple(kept)), tuple(cuts)


def _abstract_in(document: Document, part: Section) -> Span | None:
    """Return the characters of the abstract of a part; None if it has none that is long enough."""
    for start, end in _candidates(document, part):
        found = _END.search(document.text, start, end)
        span = start, found.start() if found else end
        if count_words(document.text[slice(*span)], document.language) >= FEWEST_WORDS:
            return span
    return None


def _candidates(document: Document, part: Section) -> Iterator[Span]:
    sections = [one for one in document.sections if part.start <= one.start < part.end]
    for section in sections:
        if _NAMED.fullmatch(section.name):
            yield section.start, section.end
    for found in _OPENING.finditer(document.text, part.start, min(part.end, part.start + SEARCHED)):
        ends = [one.end for one in sections if one.start <= found.start() < one.end]
        yield found.end(), min([part.end, *ends])


def _clipped(document: Document, sentences: list[Sentence], span: Span) -> list[Sentence]:
    """Return the sentences, or what of them lies in a span, without white space around."""
    found = []
    for sentence in sentences:
        start, end = max(sentence.start, span[0]), min(sentence.end, span[1])
        text = document.text[start:end]
        if text.strip():
            found.append(Sentence(start + len(text) - len(text.lstrip()), start + len(text.rstrip())))
    return found
