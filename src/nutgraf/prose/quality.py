"""Quality of a sentence: may it stand in a summary?

A sentence is prose if it says something about the subject of its document and is complete. Everything else on a page
is junk: headings, captions, references, bylines, tables, navigation, notices, and what people say to run a meeting.
Junk is recognized by the heading that it stands under, by its words (`boilerplate.py`), by its shape and paragraph, and
by all that is known of it together (`junk_odds.py`).

    1      good prose
    0.5    weak prose, which reads badly on its own: very short, a question, without a verb (English only), with a
           quotation that begins or ends elsewhere, an item of a list without an end mark, glued from two pieces, or not
           unlikely to be junk by all that is known of it (`junk_odds.py`)
    0      junk

Selection, expansion and filling take good prose; weak prose is taken only beside it, and only while more of the length
than `UNUSED` (`nutgraf.text.summary`) would stay empty; junk never.
"""

from __future__ import annotations

import bisect
import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from nutgraf.prose.boilerplate import kind_of_section, kind_of_sentence
from nutgraf.prose.dependence.units import units
from nutgraf.prose.junk_odds import FEWEST, Odds
from nutgraf.prose.opening import opening
from nutgraf.prose.page_words import LANGUAGES
from nutgraf.text.document import Document, Sentence, Unit, kept
from nutgraf.text.genre import is_dialogue
from nutgraf.text.lazy import LazySequence
from nutgraf.text.summary import UNUSED
from nutgraf.text.transcript import is_empty
from nutgraf.text.verbs import has_verb

GOOD, WEAK, JUNK = 1.0, 0.5, 0.0

JUNK_ODDS, WEAK_ODDS = 1.0, -2.2
"""Log odds (see `junk_odds.py`) beyond which a sentence is junk, and weak."""

SPOKEN_JUNK_ODDS, SPOKEN_WEAK_ODDS = 2.5, -1.0
"""The same in a transcript, where all that people say is nearer to talk about the meeting."""

CLEAR_ODDS = -3.0
"""Log odds that a quarter of the sentences without a sign of junk stays below, in the kinds of texts that were learned.

In other texts, such as short release notes, most sentences look like junk and few are. The thresholds then rise by as
much as the odds of that quarter exceed this number."""

SAMPLE = 48
"""Maximum number of sentences whose odds are compared with `CLEAR_ODDS`."""

COMPANY = 10
"""Sentences of a part of a document; junk is looked for where there is some in the same part or in the next."""

LEAST_ROOM = {"words": 12, "characters": 70}
"""Length that is left empty, whatever its share: a summary of one or two sentences is not filled up with scraps."""

SHORT = 6
"""Sentences of fewer words are weak; of fewer characters, in scripts without spaces."""

SHORT_SPOKEN = 8
"""The same in transcripts, where short utterances are about the conversation itself."""

LONGEST_LABEL = 14
"""Maximum number of words of a line of a menu or a notice; longer ones are sentences."""

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

SIGNS_OF_JUNK = frozenset(("likely junk", "unended"))
"""Reasons of weak prose that say what it looks like, and not how it reads on its own."""

FEWEST_CLAUSES = 3
"""Sentences with the number of a clause, such as "3.2" or "(4)", from which they are those of a contract or statute."""

MOST_PULLED = 400
"""Number of sentences of a document beyond which no pull quotes are looked for."""

EARLIEST_REFERENCES = 0.3
"""Share of the sentences of a plain text before which a line like "References" belongs to its table of contents."""

_UNSPACED = frozenset(("zh", "ja", "th"))
_END_MARKS = tuple(".!?…؟۔।॥。！？｡")
_GOING_ON = (",", ";", ":")
_AFTER_END_MARK = "\"'”’“»)]」』）*_ "
_CITED = re.compile(r"(?:\[\s?\w{1,3}\s?\])+$|[¹²³⁴-⁹]+$")
_CLAUSE = re.compile(r"(?:\(\d{1,2}[a-z]?\)|\d{1,2}(?:\.\d{1,2})+\.?)\s(?=[^\W\d_a-z])")
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
_BARS = re.compile(r"[\u2500-\u257f]|(?:\A|\s)\|(?:\s.*\s|[-:|].*|\s)\|(?:\s|\Z)")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
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


class Judgements(LazySequence[Judgement]):
    """Judgement of each sentence of a document, made when somebody asks for it.

    A sentence is judged by itself, by the sentences near it, and by a few facts about the whole text that cost little.
    If none is good prose, weak prose counts as good; if none is prose at all, every complete sentence counts as good,
    and its judgement says what speaks against it all the same. Short lines without an end mark count as good where
    hardly any sentence has one, and their judgements say that they have none.
    """

    def __init__(self, document: Document) -> None:
        super().__init__(len(document.sentences))
        self._document = document
        self._signs = Signs(document)
        self._placed: dict[int, Judgement] = {}

    @property
    def num_made(self) -> int:
        """Number of sentences that were judged."""
        return len(self._placed)

    def _make(self, index: int) -> Judgement:
        opened = opening(self._document)
        if opened and index in opened.sentences and not self._signs.kind(index):
            return PROSE
        one, signs = self._among_others(index), self._signs
        introduction = signs.introductions.get(index, index)
        if one.quality == JUNK and introduction != index and self[introduction].quality > JUNK:
            one = Judgement(WEAK, one.reason)
        complete = signs.ended[index]
        if one.quality < GOOD and self._best == JUNK:
            good = complete or not signs.punctuated
            return Judgement(GOOD, one.reason) if good else Judgement(JUNK, "fragment")
        if one.quality == WEAK and self._best == WEAK:
            one = PROSE
        if one == PROSE and not (signs.punctuated or complete or self._document.lengths[index] > LONGEST_LABEL):
            return Judgement(GOOD, "unended")
        if one == PROSE and opened and index < opened.topic:
            return Judgement(WEAK, "small talk")
        return one

    @cached_property
    def _best(self) -> float:
        """The best quality that a sentence has, of which the first is looked for."""
        best = JUNK
        for index in range(len(self)):
            best = max(best, self._among_others(index).quality)
            if best == GOOD:
                break
        return best

    def _among_others(self, index: int) -> Judgement:
        """Junk keeps company: where no phrase, mark or heading betrays any near by, none is looked for."""
        if index not in self._placed:
            one = self._signs.judgement(index)
            if one.quality > JUNK and self._signs.any_near(index):
                one = self._by_odds(index, one)
            self._placed[index] = one
        return self._placed[index]

    def _by_odds(self, index: int, found: Judgement) -> Judgement:
        """Lower the quality of a sentence that is likely to be junk by all that is known of it.

        Two kinds are worded as formalities, and are what their texts are for: decisions ("RESOLVED, that the lease be
        renewed") and the numbered clauses of contracts and statutes.
        """
        text = self._document.printed[index]
        if self._odds is None or _DECISION.match(text) or (_CLAUSE.match(text) and self._has_clauses):
            return found
        odds, spoken = self._odds[index], bool(self._document.turns)
        if odds <= (weak := SPOKEN_WEAK_ODDS if spoken else WEAK_ODDS):
            return found
        odds -= self._strangeness
        if odds > (SPOKEN_JUNK_ODDS if spoken else JUNK_ODDS):
            return Judgement(JUNK, "likely junk")
        return Judgement(WEAK, "likely junk") if odds > weak and found == PROSE else found

    @cached_property
    def _strangeness(self) -> float:
        """By how much the log odds of the clearest quarter of the sentences exceed `CLEAR_ODDS`; 0 if they do not."""
        if self._odds is None:
            return 0.0
        spread = range(0, len(self), math.ceil(len(self) / SAMPLE))
        seen = sorted(self._odds[index] for index in spread if self._signs.judgement(index).quality > JUNK)
        return max(0.0, seen[len(seen) // 4] - CLEAR_ODDS) if seen else 0.0

    @cached_property
    def _odds(self) -> Odds | None:
        """The odds of each sentence; None if there are no words for its language, or too few sentences.

        In a dialogue there are none: what meetings say in passing, questions above all, is what it is about.
        """
        if self._document.language not in LANGUAGES or len(self) < FEWEST or is_dialogue(self._document):
            return None
        return Odds(self._document, self._signs.is_junk, self._signs.within)

    @cached_property
    def _has_clauses(self) -> bool:
        return sum(_CLAUSE.match(text) is not None for text in self._document.printed) >= FEWEST_CLAUSES


class Signs:
    """Signs of junk in each sentence by itself and in its paragraph: a kind of junk, a weakness, or nothing.

    Args:
        document: The text.

    Attributes:
        ended: For each sentence, True if it, or the list that it is part of, ends with an end mark.
        introductions: The sentence that introduces the list that an item is part of, without which it says nothing.
        punctuated: True if most sentences do.
        within: Number of the paragraph, or turn, of each sentence.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self.ended = [
            _is_ended(text) or _is_clause(document, sentence)
            for text, sentence in zip(document.printed, document.sentences, strict=True)
        ]
        self.introductions = {index: unit.start for unit in units(document) for index in unit[1:]}
        for unit in units(document):
            self.ended[unit.start : unit.stop] = [self.ended[unit[-1]]] * len(unit)
        self.punctuated = 2 * sum(self.ended) >= len(self.ended)
        self.within = paragraphs(document)
        self._items = _unended_items(document.printed, self.ended)
        self._judgements: dict[int, Judgement] = {}
        self._kinds: dict[int, str] = {}
        self._own: dict[int, str] = {}
        self._parts: dict[int, bool] = {}

    def judgement(self, index: int) -> Judgement:
        """Judgement of a sentence by itself."""
        if index not in self._judgements:
            reason = self.kind(index)
            one = Judgement(JUNK, reason) if reason else _by_shape(index, self._document, self._cased)
            listed = self.punctuated and index in self._items
            self._judgements[index] = min(one, Judgement(WEAK, "unended")) if listed else one
        return self._judgements[index]

    def kind(self, index: int) -> str:
        """Kind of junk of a sentence by its end, its heading, its words and its paragraph; "" for none of these."""
        if index not in self._kinds:
            self._kinds[index] = self._own_kind(index) or self._kind_by_paragraph(index)
        return self._kinds[index]

    def _kind_by_paragraph(self, index: int) -> str:
        if self._follows_caption(index):
            return "caption"
        if self._sizes[self.within[index]] > 1 or self._document.turns:
            return ""
        return _alone(self._document.printed[index], index, self._document, self._sizes[self.within[index] + 1])

    def is_junk(self, index: int) -> bool:
        """Return True if a sentence is of a kind of junk."""
        return bool(self.kind(index))

    def any_near(self, index: int) -> bool:
        """Return True if a sentence near by is of a kind of junk or has no end mark."""
        part = index // COMPANY
        return any(map(self._has_junk, range(max(0, part - 1), part + 2)))

    def _has_junk(self, part: int) -> bool:
        """Return True if there is such a sentence in a part of the document."""
        if part not in self._parts:
            sentences = range(part * COMPANY, min(len(self.ended), (part + 1) * COMPANY))
            ended = all(self.ended[sentences.start : sentences.stop])
            self._parts[part] = not ended or any(map(self.is_junk, sentences))
        return self._parts[part]

    def _own_kind(self, index: int) -> str:
        """Kind of junk by its end, its heading and its words."""
        if index not in self._own:
            self._own[index] = self._found_kind(index)
        return self._own[index]

    def _found_kind(self, index: int) -> str:
        document = self._document
        printed = document.printed[index]
        if kind := self._below.get(index):
            return kind
        if self._unended(index):
            return "unended"
        if document.speakers[index] is not None and is_empty(printed, document.words_of(index), document.stop_words):
            return "backchannel"
        spoken = _SPEAKER.match(printed)
        return kind_of_sentence(printed) or (kind_of_sentence(printed[spoken.end() :]) if spoken else "")

    def _unended(self, index: int) -> bool:
        if self.ended[index] or index in self._items or self._ends_turn(index):
            return False
        return self.punctuated or self._document.printed[index].endswith(_GOING_ON)

    def _ends_turn(self, index: int) -> bool:
        """Return True for the last sentence of a turn: people do not end what they type with a mark."""
        speaker, end = self._document.speakers[index], index + 1
        return speaker is not None and (end == len(self.ended) or self.within[end] != self.within[index])

    @cached_property
    def _below(self) -> dict[int, str]:
        """Kind of junk that stands below the heading of a sentence."""
        return _sections(self._document, self._unended)

    @cached_property
    def _cased(self) -> bool:
        return _is_cased(self._document.printed)

    @cached_property
    def _sizes(self) -> Counter[int]:
        """Number of sentences of each paragraph."""
        return Counter(self.within)

    @cached_property
    def _captions(self) -> list[int]:
        """Sentences that begin as captions do."""
        return [index for index, text in enumerate(self._document.printed) if _CAPTION.match(text)]

    def _follows_caption(self, index: int) -> bool:
        """Return True if a sentence goes on with a caption that its paragraph begins with."""
        nearest = bisect.bisect_left(self._captions, index) - 1
        if nearest < 0 or self.within[self._captions[nearest]] != self.within[index]:
            return False
        begun, sentences = set(self._captions), self._document.sentences
        for place in range(index - 1, -1, -1):
            gap = self._document.text[sentences[place].end : sentences[place + 1].start]
            own = self._own_kind(place)
            if "\n" in gap or self.within[place] != self.within[index] or own not in ("", "caption"):
                return False
            if own and place in begun:
                return True
        return False


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


def _is_ended(text: str) -> bool:
    """Return True if a sentence ends with an end mark, but for brackets, quotation marks and citations after it."""
    if text[-1:] == "]" or text[-1:] > "z":
        text = _CITED.sub("", text)
    return text.rstrip(_AFTER_END_MARK).endswith(_END_MARKS)


def _is_clause(document: Document, sentence: Sentence) -> bool:
    """Return True if the text goes on at once behind a sentence, as behind a clause or a piece of a long sentence."""
    return not document.text[sentence.end : sentence.end + 1].isspace() and sentence.end < len(document.text)


def _unended_items(printed: Sequence[str], ended: Sequence[bool]) -> set[int]:
    """Indices of list items, two or more in a row, that are as long as sentences and have no end mark."""
    marked = [False, *(_ITEM.match(text) is not None for text in printed), False]
    listed = [one and (before or after) for before, one, after in zip(marked, marked[1:], marked[2:], strict=False)]
    return {
        index for index, text in enumerate(printed) if listed[index] and not ended[index] and len(text.split()) > SHORT
    }


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
    text, words = document.printed[index], document.words_of(index)
    spoken = _SPEAKER.match(text)
    if spoken:
        text = text[spoken.end() :]
    mark = _LISTED.match(text)
    if cased and mark and _begins_small(text[mark.end() :], document) and not _is_greeted(index, document):
        within = paragraphs(document)
        broken = index and document.speakers[index] is None and within[index - 1] == within[index]
        return Judgement(JUNK if broken else WEAK, "fragment")
    if cased and text.isupper():
        return Judgement(JUNK, "heading")
    if _BARS.search(_IN_BRACKETS.sub("", text) if "(" in text else text):
        return Judgement(JUNK, "table")
    verbless = document.language == "en" and not has_verb(words)
    if len(words) >= SHORT:
        written = text.split()
        digits = sum([any(map(str.isdigit, word)) for word in words if not word.isalpha()]) / len(words)
        if digits > MOST_DIGITS or (cased and verbless and _is_listed(written, words, document.stop_words)):
            return Judgement(JUNK, "table")
    return _weakness(text, words, verbless, document, document.speakers[index] is not None)


def _is_greeted(index: int, document: Document) -> bool:
    """Return True for the first sentence of a mail below "Hi Tom,", which may begin with a small letter."""
    within = paragraphs(document)
    before = index > 0 and document.speakers[index] is not None and document.printed[index - 1].endswith(",")
    return before and within[index - 1] != within[index]


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


def _weakness(text: str, words: Sequence[str], verbless: bool, document: Document, spoken: bool) -> Judgement:
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
    if verbless or (document.language == "en" and words[0] == "to" and "," not in text):
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


def _sections(document: Document, unended: Callable[[int], bool]) -> dict[int, str]:
    """Kind of junk that stands below the heading of each sentence; only for those with one."""
    kinds: dict[int, str] = {}
    starts = [sentence.start for sentence in document.sentences]
    for section in document.sections:
        if kind := kind_of_section(section.name):
            first, last = bisect.bisect_left(starts, section.start), bisect.bisect_left(starts, section.end)
            kinds.update(dict.fromkeys(range(first, last), kind))
    if not document.sections:
        for first, last, kind in _headed(document, unended):
            kinds.update(dict.fromkeys(range(first, last), kind))
    return kinds


def _headed(document: Document, unended: Callable[[int], bool]) -> Iterator[tuple[int, int, str]]:
    """Ranges of sentences below headings of plain text that announce junk, with its kind.

    Notices end where long sentences begin. A range ends at the next heading or line of dashes; one of references, whose
    entries look like headings, at the next heading in capitals, with markup, or of an appendix.
    """
    lines = [
        index
        for index, text in enumerate(document.printed)
        if unended(index) and len(text.split()) <= LONGEST_HEADING and _HEADING.match(text)
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
            end = next((one for one in range(index, end) if document.lengths[one] > LONGEST_LABEL), end)
        yield index, end, kind


def _is_appendix(document: Document, index: int) -> bool:
    return document.printed[index].casefold().startswith(("appendix", "anhang", "annexe", "apéndice", "supplement"))
