"""The introduction: the sentence that says what the subject of a text is, without which the others say little.

Authors announce what they present ("In this paper we …"). Where they do not, the subject is what the title names or
many sentences have, and it is introduced by the first sentence that begins with it and says what it is or does: "X is
a …", "X (…) est un …", "X provides …". Such a sentence stands near the beginning, and leans on no other.

By its words it may pass for junk, since what introduces a product is worded as what advertises it. By its shape it may
pass for the rest of a sentence, since names of programs begin with a small letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

import numpy as np

from nutgraf.prose import judgements
from nutgraf.prose.dependence import leanings
from nutgraf.prose.dependence.structure import begins_paragraph
from nutgraf.text.counts import term_counts
from nutgraf.text.document import Document, kept
from nutgraf.text.late import Late

EARLY, LATEST = 0.25, 100
"""Share of the sentences of a text, and number of them, among which an announcement is looked for."""

FIRST, LATEST_DEFINITION = 8, 40
"""Number of whole sentences among which a definition is looked for, and number of all sentences."""

FIRST_OF_ITSELF = 4
"""Number of whole sentences in which "this library" is the text's own subject, and nothing that was named before."""

SHORT = 6
"""Fewest words of a whole sentence."""

LONGEST_TITLE, LONGEST_LINE = 12, 200
"""Maximum number of words of a title, and number of characters in which it is looked for."""

OFTEN = 0.3
"""Sentences that have the term of a subject, as a share of those that have the most frequent one."""

_WE = "present|introduce|propose|describe"
_WORK = "article|paper|study|document|report|thesis|guide|manual|licen[cs]e|policy|agreement"
_ANNOUNCED = Late(
    rf"""\b(?:
        (?:here[ ,]+)?we\ (?:\w+ly\ )?(?:{_WE})
      | this\ (?:{_WORK})\ \w+s
      | in\ this\ (?:{_WORK}|work)
      | (?:in\ )?diese[rms]?\ (?:arbeit|artikel|beitrag|bericht|dokument|studie)
      | nous\ (?:présentons|proposons) | (?:cet\ article|ce\ (?:document|rapport|travail))\ (?:présente|décrit|propose)
      | este\ (?:artículo|trabajo|documento|artigo|trabalho) | questo\ (?:articolo|lavoro|documento)
      | dit\ (?:artikel|document|rapport)
    )\b
    | \bв\ (?:этой|данной)\ (?:статье|работе)\b""",
    re.IGNORECASE | re.VERBOSE,
)

_BE = "is|are|was|were|ist|sind|war|waren|est|sont|était|étaient|es|son|era|eran|è|sono|erano|é|são|eram|zijn"
_ARTICLE = "an?|one|the|eine?|der|die|das|une?|l[ea]s?|una|el|los|il|uno?|uma|os?|een|het"
_DOES = (
    "provides?|offers?|implements?|enables?|lets|allows?|helps?|aims|contains?|bietet|ermöglicht|enthält|regelt|"
    "fournit|offre|permet|proporciona|ofrece|permite|contiene|fornisce|consente|fornece|oferece|biedt|bevat"
)
_MORE = "also|that|which|you|we|auch|aussi|también|anche|também|ook"
_WORD = rf"(?:(?!(?:{_MORE})\b)[^\s,;:?!()]+\s|\([^()]*\),?\s)"
_DEFINED = Late(
    rf"""[^\w(]*(?:
        (?P<subject>{_WORD}{{1,5}}?)
        (?: (?:{_BE})\s(?:\w+\s)?(?:(?:{_ARTICLE})\b|l['’]) | is\sde\s | (?:\w+ly\s)?(?:{_DOES})\s )
      | (?P<named>{_WORD}{{1,4}}?)[—–]\sэто\s
    )""",
    re.IGNORECASE | re.VERBOSE,
)
"""A noun phrase at the beginning of a sentence, and what begins to say what it is or does."""

_ITSELF = Late(
    r"This\s(?:[\w-]+\s)?"
    r"(?:library|package|module|project|tool|plugin|program|software|implementation|framework|extension)\s\w+s\s"
)
"""What a description of software says of itself."""

_MARKS = "|*`_ "
"""Marks of plain text markup at the beginning of a sentence."""


@kept
def introduction(document: Document) -> int | None:
    """Return the sentence that introduces the subject of a text; None if there is none."""
    announced = announcement(document)
    if announced is not None:
        return announced
    return next((index for index in _defining(document) if _stands(document, index)), None)


@kept
def announcement(document: Document) -> int | None:
    """Return the first sentence in which the authors announce what they present; None if there is none."""
    announced = (index for index in _early(document) if _ANNOUNCED.search(document.printed[index]))
    return next((index for index in announced if _stands(document, index)), None)


def _defining(document: Document) -> Iterator[int]:
    """Yield the first sentences that say what something is or does that may be the subject."""
    subjects = _subjects(document)
    for place, index in enumerate(islice(_early(document), FIRST)):
        if index >= LATEST_DEFINITION:
            return
        text = document.printed[index]
        found = _DEFINED.match(text)
        begins = found and not subjects.isdisjoint(_terms(document, found["subject"] or found["named"]))
        if begins or (place < FIRST_OF_ITSELF and _ITSELF.match(text)):
            yield index


def _early(document: Document) -> Iterator[int]:
    """Yield the whole sentences near the beginning."""
    count, found = len(document.sentences), 0
    for index in range(min(count, LATEST)):
        text = document.printed[index]
        if text.endswith((".", "。")) and len(document.words_of(index)) >= SHORT:
            found += 1
            if found > FIRST and index > EARLY * count:
                return
            yield index


def _stands(document: Document, index: int) -> bool:
    """Return True if a sentence is shaped as prose and stands alone."""
    text, reason, leaning = document.printed[index], judgements(document)[index].reason, leanings(document)[index]
    small = text.lstrip(_MARKS)[:1].islower() and begins_paragraph(document, index)
    shaped = reason in ("", "likely junk") or (small and reason == "fragment")
    return shaped and bool(small or _ITSELF.match(text) or leaning is None or not leaning.leans)


def _subjects(document: Document) -> set[str]:
    """Terms of the title, and those that many sentences have."""
    counts = term_counts(document)
    frequencies = np.bincount(counts.matrix.indices, minlength=len(counts.columns))
    often = frequencies >= OFTEN * frequencies.max(initial=0)
    return {term for term, number in counts.columns.items() if often[number]} | _terms(document, _title(document))


def _title(document: Document) -> str:
    """The first line that has a letter, if it is short."""
    lines = document.text.lstrip()[:LONGEST_LINE].splitlines()
    first = next((line for line in lines if any(map(str.isalpha, line))), "")
    return first if len(first.split()) <= LONGEST_TITLE else ""


def _terms(document: Document, text: str) -> set[str]:
    return set(document.terms_of([re.findall(r"\w+", text.lower())])[0])
