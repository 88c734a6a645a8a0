"""Utterances: what one person says in a sentence, or a line of minutes, with what its phrases show.

Where a short answer is one sentence with its question, both are utterances of their own. A row of a table is one
utterance, whatever sentences it has.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise

from nutgraf.meetings.cues import INTERJECTIONS, Cues, cues_of
from nutgraf.text.document import Document, Section
from nutgraf.text.tokenize import flatten, words
from nutgraf.text.transcript import without_noises

APPROVING = frozenset("👍✅🎉🙌💯👌❤😍🥳")
"""Signs that approve without a word."""

LONGEST_HEADING = 8
"""Maximum number of words of a heading, or of what stands before a colon."""

LONGEST_LABEL = 4
"""Maximum number of words before a colon, and of a name."""

NAME_WORDS = 4
"""Number of words among which is the name that an utterance begins with."""

_PIECE = r"(?:[A-ZÀ-Þ][^\W\d_]{0,3}\.(?:ra|ssa)?|[A-ZÀ-Þ][\w’'-]*)"
NAME = re.compile(rf"{_PIECE}(?:\s?{_PIECE})*")
"""A name: words with capital letters, with initials and titles."""

FILLERS = frozenset("um uh uhm er erm mm hmm hm äh ähm öh euh ehm".split())
"""Words that fill a pause."""

TITLES = frozenset(
    "mr mrs ms miss dr prof professor herr frau monsieur madame mme señor señora don doña signor signora councilor "
    "councillor mayor chair dame sir familie family trustee trustees councilors kommandant rain ra sig sister".split()
)
"""Words before names."""

BEGINNING, FEWEST_PRESENT = 2000, 2
"""Number of characters within which minutes name those who are present, and minimum number of these."""

TITLE, LONGEST_TITLE = 3, 15
"""Number of lines among which is the title of minutes, and maximum number of its words."""

TOP, LISTED = 500, 3
"""Number of characters within which it needs no word for that, and number of names that then stand behind a label."""

TASKS = frozenset(("will", "assign", "infinitive"))
"""Kinds of phrases that tell, after a name, what somebody is to do."""

REPLIES = frozenset(("yes", "no", "accept", "okay"))
"""Kinds of phrases that reply."""

OPENING_WORDS = 4
"""Number of words within which a reply begins with yes or no."""


@dataclass(frozen=True)
class Utterance:
    """Words of one person in a sentence, or a line of minutes.

    Attributes:
        sentences: Indices of its sentences.
        text: The words as they stand, on one line; the cells of a table are separated by tabs.
        start: First character in the document's text.
        end: Character after the last one.
        speaker: Who speaks: "" if it is not known, None where nobody does.
        turn: Number of the turn, or of the paragraph in a text without turns.
        words: Its lowercased words.
        kinds: What its phrases show.
        begins: What the phrases show that begin within its first words.
        first: What the phrases show that begin with its first word.
        at: Number of the word at which the first phrase of each kind begins.
        heading: What the heading shows that it stands under.
        named: True if it names somebody who is present.
        named_first: True if it begins with such a name, marks and titles aside.
        thing: True if something other than a pronoun follows "then" at the beginning: "Then Larch".
        subject: What stands before the phrase that says what will be done, or is to be done, if that is a few words.
        bare: True if it says no more than yes or no.
    """

    sentences: tuple[int, ...]
    text: str
    start: int
    end: int
    speaker: str | None
    turn: int
    words: tuple[str, ...]
    kinds: frozenset[str]
    begins: frozenset[str]
    first: frozenset[str]
    at: Mapping[str, int]
    heading: frozenset[str] = frozenset()
    named: bool = False
    named_first: bool = False
    thing: bool = False
    subject: str = ""
    bare: bool = False

    @cached_property
    def asks(self) -> bool:
        """True for a question."""
        return self.text.rstrip(" \"'”’»)*_").endswith(("?", "？"))


def utterances(document: Document, cues: Cues) -> list[Utterance]:
    """Utterances of a document, in order."""
    spans = list(_spoken(document) if document.turns else _written(document))
    headings = _headings(document, cues, spans)
    called = {part for name in names_in(document, cues) for part in parts_of_name(name)}
    found = []
    for (sentences, start, end, speaker, turn), heading in zip(spans, headings, strict=True):
        text = document.text[start:end]
        text = flatten(without_noises(text)) if "\t" not in text else "\t".join(map(flatten, text.split("\t")))
        said = tuple(_fluent(words(text, document.language)))
        phrases = list(cues.found(said))
        kinds = {kind for kind, _, _ in phrases}
        begins = {kind for kind, first, _ in phrases if first < OPENING_WORDS}
        if not APPROVING.isdisjoint(text):
            kinds, begins = {*kinds, "yes"}, {*begins, "yes", "accept"}
        found.append(
            Utterance(
                sentences,
                text,
                start,
                end,
                speaker,
                turn,
                said,
                frozenset(kinds),
                frozenset(begins),
                frozenset(kind for kind, first, _ in phrases if first == 0),
                _firsts(phrases),
                heading,
                not called.isdisjoint(said),
                not called.isdisjoint(said[:NAME_WORDS]),
                _is_thing(said, phrases),
                _subject(text, said, phrases),
                _is_bare(said, phrases, document.stop_words),
            )
        )
    return found


def _fluent(said: Iterable[str]) -> Iterator[str]:
    """Yield words without those that only fill a pause, and without a word begun again."""
    last = ""
    for word in said:
        if word not in FILLERS and word != last:
            yield word
            last = word


def _firsts(phrases: Iterable[tuple[str, int, int]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for kind, first, _ in phrases:
        found.setdefault(kind, first)
    return found


def _is_thing(said: Sequence[str], phrases: Sequence[tuple[str, int, int]]) -> bool:
    begun = max(
        (end for kind, first, end in phrases if kind in ("then", "so") and first < OPENING_WORDS - 1), default=0
    )
    return 0 < begun < len(said) and not any(kind == "others" and first == begun for kind, first, _ in phrases)


def _is_bare(said: Sequence[str], phrases: Iterable[tuple[str, int, int]], stop_words: Collection[str]) -> bool:
    told = {at for kind, first, end in phrases if kind in REPLIES for at in range(first, end)}
    return all(at in told or word in stop_words or word in INTERJECTIONS for at, word in enumerate(said))


def _subject(text: str, said: Sequence[str], phrases: Iterable[tuple[str, int, int]]) -> str:
    """A name, or a few words that begin with a capital letter, before the first phrase of a task: "The clerk will"."""
    first = next((first for kind, first, _ in phrases if kind in TASKS and first), 0)
    if not 0 < first <= NAME_WORDS:
        return ""
    text = _ITEM.sub("", text)
    spans = list(_WORD.finditer(text))
    at = next((number for number, match in enumerate(spans) if match[0].lower().replace("’", "'") == said[first]), 0)
    begun = text[: spans[at].start()].strip(" ,") if 0 < at <= NAME_WORDS + 1 else ""
    return begun if begun[:1].isupper() and said[0] not in INTERJECTIONS else ""


def names_in(document: Document, cues: Cues) -> list[str]:
    """Names of those who speak or, in a text without turns, of those listed at its beginning."""
    if document.turns:
        return list(dict.fromkeys(turn.name for turn in document.turns if turn.name))
    listed = _labels(document.text[:BEGINNING])
    top = (_names(behind) for _, behind in _labels(document.text[:TOP]))
    long = (name for names in top if len(names) >= LISTED for name in names)
    return list(dict.fromkeys([*_present(listed, cues), *long]))


def is_minutes(document: Document) -> bool:
    """Return True for minutes: a text without turns whose beginning names, after a label, those who are present.

    Two names are enough, or one below a title of minutes.
    """
    if document.turns or len(document.parts) > 1:
        return False
    listed = list(_labels(document.text[:BEGINNING]))
    cues = cues_of(document.language) if any(_names(behind) for _, behind in listed) else None
    present = {*_present(listed, cues)} if cues else ()
    return len(present) >= FEWEST_PRESENT or (cues is not None and bool(present) and _is_titled(document, cues))


def _is_titled(document: Document, cues: Cues) -> bool:
    lines = filter(str.strip, document.text[:BEGINNING].splitlines())
    titles = (words(line, document.language) for line in islice(lines, TITLE))
    return any("minutes_heading" in cues.kinds(said) for said in titles if len(said) <= LONGEST_TITLE)


def parts_of_name(name: str) -> list[str]:
    """Words by which a person is called: not titles and initials."""
    return [word for word in words(name) if word not in TITLES and len(word) > 1]


def _labels(text: str) -> Iterator[tuple[str, str]]:
    """Yield each label with what follows it up to a blank line.

    It is looked for from its colon backwards: a search from each letter forwards takes a sixth of a summary's time.
    """
    end = 0
    for found in _COLON.finditer(text):
        label = _LABEL_BEFORE.search(text, max(end, found.start() - _LABEL_LENGTH), found.start())
        if label:
            yield label[1], found[1]
            end = found.end()


def _names(behind: str) -> list[str]:
    """Names in what follows a label, up to the next one."""
    pieces = _APART.split(_BRACKETS.sub("", flatten(_MORE_LABELS.split(behind, 1)[0])))
    matches = [match for piece in pieces if (match := NAME.match(piece.strip(" .*_")))]
    return [match[0] for match in matches if len(match[0].split()) <= LONGEST_LABEL]


def _present(listed: Iterable[tuple[str, str]], cues: Cues) -> Iterator[str]:
    """Yield the names behind labels of those who are present."""
    for label, behind in listed:
        said = words(label)
        if any("present_heading" in cues.kinds(said[-size:]) for size in (1, 2)):
            yield from _names(behind)


_LABEL_BEFORE = re.compile(r"([^\W\d][^\n:.;,]{1,30}?) ?\*{0,2}\Z")
_LABEL_LENGTH = 34
_COLON = re.compile(r":\*{0,2}\s*(?=(\S.*(?:\n[^\S\n]*\S.*)*))")
_MORE_LABELS = re.compile(r"(?:^|\s)[^\W\d][\w ]{1,20}:\s")
"""A label and its maximum length with marks; its colon, and what follows up to a blank line, perhaps with others."""

_WORD = re.compile(r"[\w'’-]+")
_ITEM = re.compile(r"^(?:[\d.()]+|\[[ xX]?\]|[☐☑✓*•–—-])\s+")
_LABEL = re.compile(r"\*{0,2}[^\W\d]\w*:\*{0,2}(?=\s)")
_BULLET = re.compile(r"[*•–—-]\s+(?=\S)")
_BRACKETS = re.compile(r"\([^)]*\)")
_APART = re.compile(r"\s*(?:[,;/&]|\b(?:and|und|et|y|e)\b)\s*")

_Span = tuple[tuple[int, ...], int, int, str | None, int]


def _spoken(document: Document) -> Iterator[_Span]:
    """Sentences of a transcript, cut where the next turn begins."""
    starts = [turn.start for turn in document.turns]
    for index, sentence in enumerate(document.sentences):
        at = bisect.bisect_right(starts, sentence.start) - 1
        if at < 0 or sentence.start >= document.turns[at].end:
            yield (index,), sentence.start, sentence.end, None, -1 - index
            continue
        while at < len(starts) and starts[at] < sentence.end:
            turn = document.turns[at]
            yield (index,), max(turn.start, sentence.start), min(turn.end, sentence.end), turn.name, at
            at += 1


def _written(document: Document) -> Iterator[_Span]:
    """Sentences of a text, and whole rows of its tables."""
    text, paragraph, last, row = document.text, 0, 0, -1
    for index, sentence in enumerate(document.sentences):
        paragraph += "\n\n" in text[last : sentence.start]
        last = sentence.end
        begin = text.rfind("\n", 0, sentence.start) + 1
        stop = text.find("\n", sentence.start)
        stop = len(text) if stop < 0 else stop
        if "\t" not in text[begin:stop]:
            mark = _BULLET.match(text, sentence.start, sentence.end)
            for start, end in _labeled_alike(text, mark.end() if mark else sentence.start, sentence.end):
                yield (index,), start, end, None, paragraph
        elif begin != row:
            row = begin
            after = index + 1
            while after < len(document.sentences) and document.sentences[after].start < stop:
                after += 1
            yield tuple(range(index, after)), begin, stop, None, paragraph


def _labeled_alike(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut a span where the label with which it begins comes again: "Action: … Action: …"."""
    label = _LABEL.match(text, start, end)
    cuts = (
        []
        if label is None
        else [found.start() for found in re.finditer(rf"(?<=\s){re.escape(label[0])}", text[start:end])]
    )
    for first, last in pairwise([start, *(start + cut for cut in cuts), end]):
        yield first, first + len(text[first:last].rstrip())


def _headings(document: Document, cues: Cues, spans: list[_Span]) -> Iterator[frozenset[str]]:
    """Kinds of the heading that each utterance stands under, by sections or, without any, by short lines."""
    none = frozenset[str]()
    if document.turns:
        yield from (none for _ in spans)
    elif document.sections:
        starts = [section.start for section in document.sections]
        shown = [_shown(section, document, cues) for section in document.sections]
        for _, start, _, _, _ in spans:
            at = bisect.bisect_right(starts, start) - 1
            yield shown[at] if at >= 0 and start < document.sections[at].end else none
    else:
        below = none
        for _, start, end, _, _ in spans:
            line = document.text[start:end].strip()
            if (
                not line.endswith((".", "!", "?", "…"))
                and len(line.split()) <= LONGEST_HEADING
                and _alone(document.text, start, end)
            ):
                below = heading_kinds(line, document, cues)
            yield below


def _alone(text: str, start: int, end: int) -> bool:
    """Return True for a line of its own."""
    return not text[text.rfind("\n", 0, start) + 1 : start].strip() and text[end : end + 1] in ("", "\n", "\r")


def _shown(section: Section, document: Document, cues: Cues) -> frozenset[str]:
    return heading_kinds(section.name, document, cues)


def heading_kinds(line: str, document: Document, cues: Cues) -> frozenset[str]:
    """Return what a heading shows: that decisions, actions or open questions stand below it."""
    kinds = cues.kinds(words(line, document.language))
    return frozenset(kind for kind in kinds if kind.endswith("_heading"))
