"""Quality of a sentence: may it stand in a summary?

A sentence is prose if it says something about the subject of its document and is complete. Everything else on a page
is junk: headings, captions, references, bylines, tables, navigation, notices, and what people say to run a meeting.
Junk is recognized by the heading that it stands under, by its words (`boilerplate.py`) and by its shape.

    1      prose
    0.5    prose that reads badly on its own: very short, or with a quotation that begins or ends elsewhere
    0      junk

Selection takes prose of quality 1 first, fills up with 0.5, and never takes junk; expansion and filling do the same.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from nutgraf.text.boilerplate import kind_of_section, kind_of_sentence
from nutgraf.text.transcript import is_empty

if TYPE_CHECKING:
    from nutgraf.text.document import Document

GOOD, WEAK, JUNK = 1.0, 0.5, 0.0

SHORT = 6
"""Sentences of fewer words are weak."""

FEWEST_STOP_WORDS = 0.1
"""Share of stop words below which an English sentence is a list of names or a row of a table."""

LISTED = 9
"""Fewest words of a list that is known by its lack of stop words."""

MOST_CAPITALS = 0.6
"""Share of words with an initial capital letter from which a sentence is a heading or a list of names."""

MOST_DIGITS = 0.5
"""Share of words with digits from which a sentence is a row of a table."""

LONGEST_HEADING = 8
"""Maximum number of words of a heading in plain text."""

_END_MARKS = tuple(".!?…؟۔।॥。！？｡")
_AFTER_END_MARK = "\"'”’“»)]」』）*_ "
_CITED = re.compile(r"(?:\[\s?\w{1,3}\s?\]|[¹²³⁴-⁹])+$")
_CODE = re.compile(r"[{}=|\\^~]|\w\(\)|::|->|/\w+/\w+|--\w")
_LISTED = re.compile(r"[^\w“\"«‘']*(?:\(?[a-z\d]{1,2}[.)]\s)?")
_SPEAKER = re.compile(
    r"(?:Q\d+\.?\s)?[^\W\d_a-zà-þ][\w.'’-]*(?:\s(?:[^\W\d_a-zà-þ][\w.'’-]*|of|the|de|von|van))*\s?:\s(?=[^\W\d_a-zà-þ“\"])"
)


def qualities(document: Document) -> list[float]:
    """Quality of each sentence."""
    ended = [_CITED.sub("", text).rstrip(_AFTER_END_MARK).endswith(_END_MARKS) for text in document.printed]
    punctuated = 2 * sum(ended) >= len(ended)
    cased = _is_cased(document.printed)
    below = _sections(document, ended if punctuated else [True] * len(ended))
    found = []
    for index, printed in enumerate(document.printed):
        words = document.words[index]
        empty = document.speakers[index] is not None and is_empty(printed, words, document.stop_words)
        if (punctuated and not ended[index]) or below[index] or empty:
            found.append(JUNK)
            continue
        spoken = _SPEAKER.match(printed)
        text = printed[spoken.end() :] if spoken else printed
        junk = kind_of_sentence(printed) or (spoken and kind_of_sentence(text))
        found.append(JUNK if junk else _by_shape(text, words, document, cased))
    if any(found):
        return found
    return [GOOD if one else JUNK for one in ended] if punctuated else [GOOD] * len(found)


def _by_shape(text: str, words: Sequence[str], document: Document, cased: bool) -> float:
    if cased and _LISTED.sub("", text)[:1].islower():
        return JUNK
    if len(words) >= SHORT:
        written = text.split()
        capitals = sum(word[:1].isupper() for word in written) / len(written)
        digits = sum(any(map(str.isdigit, word)) for word in words) / len(words)
        stops = sum(word in document.stop_words for word in words) / len(words)
        listed = capitals > MOST_CAPITALS or (len(words) >= LISTED and stops < FEWEST_STOP_WORDS)
        if digits > MOST_DIGITS or (listed and cased and document.language == "en"):
            return JUNK
        if len(_CODE.findall(text)) > len(written) / 4:
            return JUNK
    return WEAK if len(text.split()) < SHORT or not quotes_whole(text) else GOOD


def quotes_whole(text: str) -> bool:
    """Return True if the quotations and brackets of a sentence begin and end in it."""
    return (
        text.count('"') % 2 == 0
        and text.count("“") == text.count("”")
        and text.count("«") == text.count("»")
        and text.count("(") == text.count(")")
        and text.count("[") == text.count("]")
    )


def _is_cased(printed: Sequence[str]) -> bool:
    """Return True if most sentences begin with a capital letter, and few consist of capitals."""
    begun = [text for text in printed if text[:1].isalpha()]
    upper = sum(text[0].isupper() for text in begun)
    return 2 * upper > len(begun) and 2 * sum(text.isupper() for text in begun) < max(1, len(begun))


def _sections(document: Document, ended: Sequence[bool]) -> list[str]:
    """Kind of junk that stands below the heading of each sentence, "" for prose."""
    kinds = [""] * len(document.sentences)
    starts = [sentence.start for sentence in document.sentences]
    for section in document.sections:
        kind = kind_of_section(section.name)
        if kind:
            first, last = bisect.bisect_left(starts, section.start), bisect.bisect_left(starts, section.end)
            kinds[first:last] = [kind] * (last - first)
    if not document.sections:
        for first, last, kind in _headed(document, ended):
            kinds[first:last] = [kind] * (last - first)
    return kinds


def _headed(document: Document, ended: Sequence[bool]) -> Iterator[tuple[int, int, str]]:
    """Ranges of sentences below headings of plain text that announce junk, with its kind."""
    headings = [
        index
        for index, text in enumerate(document.printed)
        if not ended[index] and len(text.split()) <= LONGEST_HEADING and text[:1].isupper()
    ]
    for place, index in enumerate(headings):
        kind = kind_of_section(document.printed[index])
        if not kind:
            continue
        later = headings[place + 1 :]
        if kind == "reference":
            later = [one for one in later if document.printed[one].isupper() or _is_appendix(document, one)]
        end = later[0] if later else len(document.sentences)
        yield index, end, kind


def _is_appendix(document: Document, index: int) -> bool:
    return document.printed[index].casefold().startswith(("appendix", "anhang", "annexe", "apéndice", "supplement"))
