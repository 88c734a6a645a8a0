"""Quality of a sentence: may it stand in a summary?

A sentence is prose if it says something about the subject of its document and is complete. Everything else on a page
is junk: headings, captions, references, bylines, tables, navigation, notices, and what people say to run a meeting.
Junk is recognized by the heading that it stands under, by its words (`boilerplate.py`), by its shape and paragraph, and
by all that is known of it together (`junk_odds.py`).

    1      good prose
    0.5    weak prose, which reads badly on its own: very short, a question, without a verb (English only), with a
           quotation that begins or ends elsewhere, an item of a list without an end mark, glued from two pieces, short
           and standing among junk, or not unlikely to be junk by all that is known of it (`junk_odds.py`)
    0      junk

Selection, expansion and filling take good prose; weak prose is taken only beside it, and only while more of the length
than `UNUSED` (`nutgraf.text.summary`) would stay empty; junk never.
"""

from __future__ import annotations

import bisect
import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from nutgraf.prose.boilerplate import kind_of_section, kind_of_sentence
from nutgraf.prose.junk_odds import log_odds
from nutgraf.text.document import Document, Unit, kept
from nutgraf.text.summary import UNUSED
from nutgraf.text.transcript import is_empty
from nutgraf.text.verbs import has_verb

GOOD, WEAK, JUNK = 1.0, 0.5, 0.0

JUNK_ODDS, WEAK_ODDS, WEAK_SPOKEN_ODDS = 2.5, -2.5, -1.0
"""Log odds (see `junk_odds.py`) beyond which a sentence is junk, and weak; and weak in a transcript, where all that
people say is nearer to talk about the meeting."""

LEAST_ROOM = {"words": 12, "characters": 70}
"""Length that is left empty, whatever its share: a summary of one or two sentences is not filled up with scraps."""

SHORT = 6
"""Sentences of fewer words are weak; of fewer characters, in scripts without spaces."""

SHORT_SPOKEN = 8
"""The same in transcripts, where short utterances are about the conversation itself."""

NEIGHBOURS = 3
"""Sentences before and after one that are its neighbours."""

MOST_JUNK = 0.6
"""Maximum share of junk among the neighbours of good prose."""

LONGEST_AMONG_JUNK = 14
"""Maximum number of words of a sentence that its neighbours make weak; longer ones are prose wherever they stand."""

SPREADING = frozenset(("notice", "boilerplate", "byline", "caption", "contact", "metadata"))
"""Kinds of junk of which one sentence of a paragraph is seldom alone."""

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

SIGNS_OF_JUNK = frozenset(("likely junk", "among junk", "unended"))
"""Reasons of weak prose that say what it looks like, and not how it reads on its own."""

FEWEST_CLAUSES = 3
"""Sentences with the number of a clause, such as "3.2" or "(4)", from which they are those of a contract or statute."""

MOST_PULLED = 400
"""Number of sentences of a document beyond which no pull quotes are looked for."""

EARLIEST_REFERENCES = 0.3
"""Share of the sentences of a plain text before which a line like "References" belongs to its table of contents."""

_UNSPACED = frozenset(("zh", "ja", "th"))
_END_MARKS = tuple(".!?…؟۔।॥。！？｡")
_AFTER_END_MARK = "\"'”’“»)]」』）*_ "
_CITED = re.compile(r"(?:\[\s?\w{1,3}\s?\])+$|[¹²³⁴-⁹]+$")
_CLAUSE = re.compile(r"(?:\(\d{1,2}[a-z]?\)|\d{1,2}(?:\.\d{1,2})+\.?)\s(?=[^\W\d_a-z])")
_CODE = re.compile(r"\{|\}|=|\||\\|\^|~|\(\)(?<=\w\(\))|::|->|/\w+/\w+|--\w")
_GLUED = re.compile(
    r" (?<=[a-zß-ÿ] )(?:The|An?|In|We|It|This|These|He|She|They|When|If|For|Der|Die|Das|Le|La|Les|El|Los) [a-zß-ÿ]"
)
_HEADING = re.compile(r"(?:[#=*\d.§]+\s*|[IVX]+\.\s)?[^\W\d_a-zß-ÿ]|[-–—=_*~]{3,}$")
_LISTED = re.compile(r"[^\w“\"«‘']*(?:\(?[a-z\d]{1,2}[.)]\s)?")
_ITEM = re.compile(r"(?:[-–—*•‣▪◦·]|\(?(?:\d{1,2}|[a-z])[.)])\s+(?=[^\W\d_a-zß-ÿ])")
_DECISION = re.compile(
    r"(?:[\d.()]+\s)?(?:(?:it\swas\s(?:further\s|also\s)?)?(?:unanimously\s)?resolved\b"
    r"(?:[,:;\s–—-]|unanimously|(?:and\s)?further(?:\sresolved)?)*\b(?:that|to)\b"
    r"|es\s(?:wird|wurde)\s(?:einstimmig\s)?beschlossen\b|il\s(?:est|a\sété)\sdécidé\b|se\s(?:acuerda|acordó)\b)",
    re.IGNORECASE,
)
_PULLED = re.compile(r"[\"“«„].*[\"”»“][.,]?")
_QUOTED = re.compile(r"[\"“”«»„]|^[-–—]")
_CAPTION = re.compile(
    r"\W{0,2}(?i:fig(?:ure)?|tab(?:le|elle|leau|la)?|abb(?:ildung)?|gr[aá]fico|grafik|graphique|figura|cuadro|chart|plate"
    r"|map|photo|foto|image|bild)\.?\s?[\dIVX.]*[a-z]?\s?(?:[.:|)–—]|$|(?=\s[A-ZÀ-Þ(]))"
)
_SPEAKER = re.compile(
    r"(?:Q\d+\.?\s)?[^\W\d_a-zà-þ][\w.'’-]*(?:\s(?:[^\W\d_a-zà-þ][\w.'’-]*|of|the|de|von|van))*\s?:\s(?=[^\W\d_a-zà-þ“\"])"
)


def spare(length: int, unit: Unit = "words") -> float:
    """Length that stays empty, in a summary of `length` at most, rather than be filled with weak prose."""
    return max(UNUSED * length, LEAST_ROOM[unit])


class Judgement(NamedTuple):
    """Quality of a sentence, and what speaks against it: a kind of junk or weakness, "" for good prose."""

    quality: float
    reason: str = ""


PROSE = Judgement(GOOD)


def judge(document: Document) -> list[Judgement]:
    """Judge each sentence.

    If none is good prose, weak prose counts as good; if none is prose at all, every complete sentence counts as good,
    and its judgement says what speaks against it all the same. Short lines without an end mark count as good where
    hardly any sentence has one, and their judgements say that they have none.
    """
    ended = [_is_ended(text) for text in document.printed]
    punctuated = 2 * sum(ended) >= len(ended)
    items = _unended_items(document.printed, ended) if punctuated else set[int]()
    reasons = _kinds(document, [not punctuated or one or index in items for index, one in enumerate(ended)])
    cased = _is_cased(document.printed)
    found = [
        Judgement(JUNK, reason) if reason else _by_shape(index, document, cased) for index, reason in enumerate(reasons)
    ]
    for index in items:
        found[index] = min(found[index], Judgement(WEAK, "unended"))
    found = _by_odds(_among_junk(found, document), document, reasons)
    best = max((one.quality for one in found), default=JUNK)
    if best == JUNK:
        return [
            Judgement(GOOD, one.reason) if complete or not punctuated else Judgement(JUNK, "fragment")
            for one, complete in zip(found, ended, strict=True)
        ]
    if best == WEAK:
        found = [PROSE if one.quality == WEAK else one for one in found]
    return found if punctuated else _marked_unended(found, ended, document.lengths)


def _marked_unended(found: Sequence[Judgement], ended: Sequence[bool], lengths: Sequence[int]) -> list[Judgement]:
    """Mark good sentences that are short lines without an end, as menus have, in a text that has hardly any marks."""
    return [
        Judgement(one.quality, "unended") if one == PROSE and not complete and length <= LONGEST_AMONG_JUNK else one
        for one, complete, length in zip(found, ended, lengths, strict=True)
    ]


def found_junk(document: Document) -> list[str]:
    """Kind of junk of each sentence by its end, its heading, its words and its paragraph; "" for the others."""
    ended = [_is_ended(text) for text in document.printed]
    items = _unended_items(document.printed, ended)
    punctuated = 2 * sum(ended) >= len(ended)
    return _kinds(document, [not punctuated or one or index in items for index, one in enumerate(ended)])


@kept
def paragraphs(document: Document) -> list[int]:
    """Number of the paragraph, or turn, of each sentence."""
    found, number, end = [], 0, 0
    for sentence in document.sentences:
        gap = document.text[end : sentence.start]
        number += bool(end) and ("\n\n" in gap or not gap.isspace())
        found.append(number)
        end = sentence.end
    return found


def _by_odds(found: list[Judgement], document: Document, reasons: Sequence[str]) -> list[Judgement]:
    """Lower the quality of sentences that are likely to be junk by all that is known of them.

    Two kinds are worded as formalities, and are what their texts are for: decisions ("RESOLVED, that the lease be
    renewed") and the numbered clauses of contracts and statutes.

    Junk keeps company: where no phrase, mark or heading betrays any, none is looked for in this costlier way.
    """
    if not any(reasons):
        return found
    weak = WEAK_SPOKEN_ODDS if document.turns else WEAK_ODDS
    clauses = sum(_CLAUSE.match(text) is not None for text in document.printed) >= FEWEST_CLAUSES
    for index, odds in enumerate(log_odds(document, [bool(reason) for reason in reasons], paragraphs(document))):
        if _DECISION.match(document.printed[index]) or (clauses and _CLAUSE.match(document.printed[index])):
            continue
        if odds > JUNK_ODDS and found[index].quality > JUNK:
            found[index] = Judgement(JUNK, "likely junk")
        elif odds > weak and found[index] == PROSE:
            found[index] = Judgement(WEAK, "likely junk")
    return found


def _is_ended(text: str) -> bool:
    """Return True if a sentence ends with an end mark, but for brackets, quotation marks and citations after it."""
    if text[-1:] == "]" or text[-1:] > "z":
        text = _CITED.sub("", text)
    return text.rstrip(_AFTER_END_MARK).endswith(_END_MARKS)


def _unended_items(printed: Sequence[str], ended: Sequence[bool]) -> set[int]:
    """Indices of list items, two or more in a row, that are as long as sentences and have no end mark."""
    marked = [False, *(_ITEM.match(text) is not None for text in printed), False]
    listed = [one and (before or after) for before, one, after in zip(marked, marked[1:], marked[2:], strict=False)]
    return {
        index for index, text in enumerate(printed) if listed[index] and not ended[index] and len(text.split()) > SHORT
    }


def _kinds(document: Document, ended: Sequence[bool]) -> list[str]:
    """Kind of junk of each sentence by its end, its heading, its words and its paragraph; "" for the others."""
    below = _sections(document, ended)
    found = []
    for index, printed in enumerate(document.printed):
        reason = below[index] or ("" if ended[index] else "unended")
        if not reason and document.speakers[index] is not None:
            reason = "backchannel" * is_empty(printed, document.words[index], document.stop_words)
        if not reason:
            spoken = _SPEAKER.match(printed)
            reason = kind_of_sentence(printed) or (kind_of_sentence(printed[spoken.end() :]) if spoken else "")
        found.append(reason)
    _by_paragraph(found, document)
    return found


def _among_junk(found: list[Judgement], document: Document) -> list[Judgement]:
    """Prose stands among prose: a sentence after junk in its paragraph, or most of whose neighbours are junk, is weak.

    The idea is that of Pomikálek 2011 (*Removing Boilerplate and Duplicate Content from Web Corpora*, Sec. 3.2), who
    judges short blocks of a page by the blocks around them.
    """
    places = [place for place, one in enumerate(found) if one.reason != "backchannel"]
    junk = [False, *(found[place].quality == JUNK for place in places), False]
    runs = [one and (before or after) for before, one, after in zip(junk, junk[1:], junk[2:], strict=False)]
    sums, within = [0, *itertools.accumulate(runs)], paragraphs(document)
    for at, place in enumerate(places):
        if found[place] != PROSE or _DECISION.match(document.printed[place]):
            continue
        first, last = max(0, at - NEIGHBOURS), min(len(places), at + NEIGHBOURS + 1)
        among = sums[last] - sums[first] > MOST_JUNK * 2 * NEIGHBOURS
        among = among and document.lengths[place] <= LONGEST_AMONG_JUNK
        after = at and found[places[at - 1]].reason in SPREADING and within[place - 1] == within[place]
        goes_on = place + 1 < len(found) and within[place] == within[place + 1]
        byline = goes_on and found[place + 1].reason == "byline"
        if among or after or byline:
            found[place] = Judgement(WEAK, "among junk")
    return found


def _by_paragraph(reasons: list[str], document: Document) -> None:
    """Find junk by its paragraph: what follows a caption, a question or exclamation as a heading, and a pull quote."""
    within = paragraphs(document)
    size = Counter(within)
    captioned, spoken = False, bool(document.turns)
    for index, text in enumerate(document.printed):
        before = document.sentences[index - 1].end if index else 0
        gap = document.text[before : document.sentences[index].start]
        last = document.printed[index - 1] if index else ""
        captioned = reasons[index - 1] == "caption" and (captioned or _CAPTION.match(last) is not None)
        if reasons[index]:
            continue
        if captioned and within[index - 1] == within[index] and "\n" not in gap:
            reasons[index] = "caption"
        elif size[within[index]] == 1 and not spoken:
            reasons[index] = _alone(text, index, document, size[within[index] + 1])


def _alone(text: str, index: int, document: Document, following: int) -> str:
    """Kind of junk of a sentence that is alone in its paragraph."""
    if _PULLED.fullmatch(text):
        inner = text.strip("\"'“”«»„ .,")
        repeated = len(document.sentences) <= MOST_PULLED and len(document.words[index]) > 3
        return "pull quote" if repeated and document.text.count(inner) > 1 else ""
    heading = document.lengths[index] <= LONGEST_HEADING and text.endswith(("?", "!")) and following > 1
    return "heading" if heading and not _QUOTED.search(text) else ""


def _by_shape(index: int, document: Document, cased: bool) -> Judgement:
    """Judge a sentence by its shape alone."""
    text, words = document.printed[index], document.words[index]
    spoken = _SPEAKER.match(text)
    if spoken:
        text = text[spoken.end() :]
    mark = _LISTED.match(text)
    if cased and mark and _begins_small(text[mark.end() :], document):
        within = paragraphs(document)
        broken = index and document.speakers[index] is None and within[index - 1] == within[index]
        return Judgement(JUNK if broken else WEAK, "fragment")
    if cased and text.isupper():
        return Judgement(JUNK, "heading")
    if len(words) >= SHORT:
        written = text.split()
        digits = sum([not word.isalpha() and any(map(str.isdigit, word)) for word in words]) / len(words)
        verbless = cased and document.language == "en" and not has_verb(words)
        if digits > MOST_DIGITS or (verbless and _is_listed(written, words, document.stop_words)):
            return Judgement(JUNK, "table")
        if len(_CODE.findall(text)) > len(written) / 4:
            return Judgement(JUNK, "code")
    return _weakness(index, text, document)


def _begins_small(text: str, document: Document) -> bool:
    """Return True if a sentence begins with a small letter, unless it is that of a section's name, as of a program."""
    if not text[:1].islower():
        return False
    word = text.split(None, 1)[0]
    named = any(section.name.casefold().split()[:1] == [word] for section in document.sections)
    return not named or word in document.stop_words


def _is_listed(written: Sequence[str], words: Sequence[str], stop_words: Collection[str]) -> bool:
    """Return True if a sentence, as written and in lowercased words, has the capitals or the stop words of a list."""
    capitals = sum(word[0].isupper() for word in written) / len(written)
    stops = sum(word in stop_words for word in words) / len(words)
    return capitals > MOST_CAPITALS or (len(words) >= LISTED and stops < FEWEST_STOP_WORDS)


def _weakness(index: int, text: str, document: Document) -> Judgement:
    words = document.words[index]
    spoken = document.speakers[index] is not None
    length = len(text) if document.language in _UNSPACED else len(words)
    if length < (SHORT_SPOKEN if spoken else SHORT):
        return Judgement(WEAK, "short")
    mark = _ITEM.match(text)
    if not quotes_whole(text[mark.end() :] if mark else text):
        return Judgement(WEAK, "quotation")
    if _GLUED.search(text):
        return Judgement(WEAK, "fragment")
    if text.rstrip(_AFTER_END_MARK).endswith(("?", "？", "؟")):
        return Judgement(WEAK, "question")
    if document.language == "en" and ((words[0] == "to" and "," not in text) or not has_verb(words)):
        return Judgement(WEAK, "verbless")
    return PROSE


def quotes_whole(text: str) -> bool:
    """Return True if the quotations and brackets of a sentence begin and end in it."""
    return (
        text.count('"') % 2 == 0
        and (text.count("„") == text.count("“") if "„" in text else text.count("“") == text.count("”"))
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
    """Ranges of sentences below headings of plain text that announce junk, with its kind.

    Notices end where long sentences begin. A range ends at the next heading or line of dashes; one of references, whose
    entries look like headings, at the next heading in capitals, with markup, or of an appendix.
    """
    lines = [
        index
        for index, text in enumerate(document.printed)
        if not ended[index] and len(text.split()) <= LONGEST_HEADING and _HEADING.match(text)
    ]
    for place, index in enumerate(lines):
        kind = kind_of_section(document.printed[index])
        if not kind:
            continue
        later = lines[place + 1 :]
        if kind == "reference":
            later = [
                one
                for one in later
                if document.printed[one].isupper() or _is_appendix(document, one) or document.printed[one][0] in "#="
            ]
            if index < EARLIEST_REFERENCES * len(document.sentences):
                continue
        end = later[0] if later else len(document.sentences)
        if kind == "notice":
            end = next((one for one in range(index, end) if document.lengths[one] > LONGEST_AMONG_JUNK), end)
        yield index, end, kind


def _is_appendix(document: Document, index: int) -> bool:
    return document.printed[index].casefold().startswith(("appendix", "anhang", "annexe", "apéndice", "supplement"))
