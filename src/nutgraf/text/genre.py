"""The genre of an input, as far as its structure shows it, for systems that summarize each in its own way.

Several documents are a cluster. What has turns is a transcript, or a dialogue if it is short. Of a single text, length,
sections, quotations, pronouns and cue phrases decide:

    abstract     a short text with a cue phrase, such as "we propose", that reports nothing as news do: it
                 has no dateline, nobody says anything in it, and nothing happens on a Monday
    story        a long text of quotations, and in English of people called he, she, I and you
    paper        a text with sections named as those of papers, or another long one: reports, encyclopedias
    article      all others: news and the like
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Literal, get_args

from nutgraf.text.cues import cue_phrases
from nutgraf.text.document import Document
from nutgraf.text.late import Late

Genre = Literal["article", "paper", "abstract", "story", "cluster", "transcript", "dialogue"]

GENRES: tuple[Genre, ...] = get_args(Genre)

LONGEST_DIALOGUE = 4000
"""Maximum number of characters of a dialogue, some 600 words: a chat, a call, what is said at a counter."""

ABSTRACT_WORDS = 350
"""Maximum number of words of an abstract."""

STORY_WORDS, QUOTING, PRONOUNS = 1500, 0.1, 0.03
"""Minimum number of words of a story, share of sentences with a quotation mark, and share of personal pronouns."""

QUOTING_ALONE = 0.3
"""Share of sentences with a quotation mark in a story in another language than English."""

PAPER_WORDS, PAPER_SECTIONS = 2000, 3
"""Number of words from which a text is a paper, and number of sections from which a shorter one is, if two of them have
names that are usual in papers."""

PAPER_NAMES = 2
"""Number of such names."""

_OF_PAPERS = Late(
    r"[\divx.\s]*(?:abstract|introduction|background|related work|(?:materials and )?methods?|methodology|experiments?|"
    r"evaluation|results?|findings|discussion|conclusions?|limitations|references|einleitung|methodik?|ergebnisse|"
    r"diskussion|fazit|literatur|introducción|métodos|resultados|discusión|conclusiones|introduction|méthodes?|"
    r"résultats|bibliographie)\b",
    re.IGNORECASE,
)

_REPORTED = {
    "en": re.compile(r"\b(?:said(?! to be)|says|told|on (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b", re.IGNORECASE),
    "zh": re.compile("记者|日电|本报讯"),
}
"""Words of news, in the languages that have cue phrases: 1 of 1,637 English abstracts with a cue phrase has any of them
or a dateline, and so have 59 of 71 openings of news with one."""

LONGEST_DATELINE = 100
"""Maximum number of characters of a dateline."""

_CAPITALS = r"[A-ZÀ-Þ][A-ZÀ-Þ.'’-]++(?:[ /][A-ZÀ-Þ][A-ZÀ-Þ.'’-]*+){0,4}"
_NAME = r"[A-ZÀ-Þ][\w.'’-]++(?: [A-ZÀ-Þ][\w.'’-]++){0,2}"
_MORE = r"(?:, ?[^\s,()—–][^,()—–\n]{0,30}?){0,2}"
_AGENCY = r"\([A-Za-zÀ-ÿ][\w./ -]{1,30}\)"
_DASH = r"\s?(?:-{1,2}|[–—])\s+(?=[\"“”„«»‘'¿¡]?[A-ZÀ-Þ0-9])"
_DATELINE = Late(rf"(?:{_CAPITALS}{_MORE}(?: {_AGENCY})?|{_NAME}{_MORE} {_AGENCY}|{_AGENCY}){_DASH}")

_PERSONAL = frozenset("i me my you your he him his she her".split())
_QUOTES = frozenset('"“”„«»「」『』')


def recognize_genre(document: Document) -> Genre:
    """Return the genre of a document, or of several that were joined."""
    if len(document.parts) > 1:
        return "cluster"
    if document.turns:
        return "dialogue" if is_dialogue(document) else "transcript"
    words = sum(map(len, document.words))
    if words <= ABSTRACT_WORDS and is_scholarly(document):
        return "abstract"
    if words >= STORY_WORDS and _is_story(document):
        return "story"
    return "paper" if words >= PAPER_WORDS or _has_sections_of_papers(document) else "article"


def is_scholarly(document: Document) -> bool:
    """Return True if a text has a cue phrase, such as "we propose", and reports nothing as news do."""
    return any(cue_phrases(text, document.language) for text in document.printed) and not reports(document)


def is_dialogue(document: Document) -> bool:
    """Return True for a single transcript that is short."""
    return bool(document.turns) and len(document.parts) == 1 and len(document.text) <= LONGEST_DIALOGUE


def _has_sections_of_papers(document: Document) -> bool:
    named = sum(_OF_PAPERS.match(section.name) is not None for section in document.sections)
    return len(document.sections) >= PAPER_SECTIONS and named >= PAPER_NAMES


def reports(document: Document, share: float = 0.0) -> bool:
    """Return True if a text reports as news do: by a dateline, or in more than a share of its sentences."""
    pattern = _REPORTED.get(document.language)
    if has_dateline(document.text.lstrip()):
        return True
    reporting = (text for text in document.printed if pattern is not None and pattern.search(text))
    enough = int(share * len(document.printed))
    return next(islice(reporting, enough, None), None) is not None


def _is_story(document: Document) -> bool:
    quoting = sum(not _QUOTES.isdisjoint(text) or "''" in text for text in document.printed)
    if document.language != "en":
        return quoting >= QUOTING_ALONE * len(document.sentences)
    words = [word for sentence in document.words for word in sentence]
    personal = sum(word in _PERSONAL for word in words)
    return quoting >= QUOTING * len(document.sentences) and personal >= PRONOUNS * len(words)


def has_dateline(text: str) -> bool:
    """Return True if a text begins with a dateline, as news do, and the dash after it: "TREMOUTH, May 3 (Wire) - ".

    >>> has_dateline("TREMOUTH, May 3 (Wire) - The ferry is late."), has_dateline("Tremouth (Wire) – Die Fähre kam.")
    (True, True)
    >>> has_dateline("LONDON — The ferry is late.")
    True
    >>> has_dateline("NASA — which paid for it — was pleased."), has_dateline("The ferry - An Odyssey.")
    (False, False)
    """
    return _DATELINE.match(text[: LONGEST_DATELINE + 1]) is not None
