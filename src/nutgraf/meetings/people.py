"""Who does what was promised, asked for, or assigned."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from nutgraf.meetings.cues import Cues
from nutgraf.meetings.utterances import Utterance
from nutgraf.text.document import Document
from nutgraf.text.tokenize import words

ALL = "all"
"""Name of everybody."""

MOST_LABEL = 4
"""Maximum number of words of a name."""

_NAME = re.compile(r"(?:(?:Mr|Mrs|Ms|Dr|Prof|Sr|Sra|Mme|M|Hr|Fr)\.\s?|[A-ZÀ-Þ]\.\s?)*[^\W\d_a-zß-ÿ][\w’'-]*(?:\s[^\W\d_a-zß-ÿ][\w’'-]*)*")
_MARKS = re.compile(r"^(?:\[[ xX]?\]|[☐☑✓*•–—-]|\d+[.)])\s*")
_TITLES = frozenset("mr mrs ms miss dr prof professor herr frau monsieur madame mme señor señora don doña signor signora councilor mayor".split())
_BRACKETS = re.compile(r"\([^)]*\)")
_APART = re.compile(r"\s*(?:[,;/&]|\b(?:and|und|et|y|e)\b)\s*")


class People:
    """The people of a meeting: who speaks, and who is named as present.

    Args:
        document: The text.
        spoken: Its utterances.
        cues: Phrases of its language.
    """

    def __init__(self, document: Document, spoken: Sequence[Utterance], cues: Cues) -> None:
        self._document, self._spoken, self._cues = document, spoken, cues
        speakers = dict.fromkeys(turn.name for turn in document.turns if turn.name)
        self.names = list(speakers) or list(dict.fromkeys(self._present()))
        self._by_part: dict[str, str] = {}
        for name in reversed(self.names):
            for part in _parts(name):
                self._by_part[part] = name

    def doer(self, number: int) -> str:
        """Return who does what the utterance of a number promises, asks for or assigns; "" if it is not known."""
        one = self._spoken[number]
        if one.speaker is None:
            return self._assigned(one)
        kinds, named = one.kinds, self.named_in(one)
        asked = "request" in kinds and ("promise" not in kinds or one.asks)
        if asked and "all" in kinds:
            return ALL
        if asked:
            others = [name for name in named if name != one.speaker]
            return others[0] if others else self._replier(number)
        if "promise" in kinds or "self" in kinds:
            return one.speaker
        if "all" in kinds and "act" in kinds:
            return ALL
        subject = self._subject(one.text)
        return subject or next((name for name in named if name != one.speaker), one.speaker)

    def named_in(self, one: Utterance) -> list[str]:
        """People whose names stand in an utterance."""
        found = (self._by_part.get(word) for word in one.words)
        return list(dict.fromkeys(name for name in found if name))

    def _replier(self, number: int) -> str:
        """Who accepts a request: who speaks next, or else spoke before."""
        one = self._spoken[number]
        after = (other.speaker for other in self._spoken[number + 1 :] if other.speaker not in (one.speaker, None))
        before = (other.speaker for other in reversed(self._spoken[:number]) if other.speaker not in (one.speaker, None))
        return next(after, None) or next(before, None) or ""

    def _subject(self, text: str) -> str:
        """A name at the beginning, which nobody in the room needs to have: "Ruth will bring it"."""
        found = _NAME.match(text)
        if found is None:
            return ""
        begun = words(found[0], self._document.language)
        if not begun or begun[0] in self._document.stop_words or self._cues.kinds(begun):
            return ""
        known = next((self._by_part[word] for word in begun if word in self._by_part), "")
        following = words(text[found.end() :], self._document.language)[:1]
        return known or (found[0] if "will" in self._cues.kinds(following) else "")

    def _assigned(self, one: Utterance) -> str:
        """The name in the first cell of a row, before a colon, or at the beginning; else one of those present."""
        cells = [cell.strip() for cell in one.text.split("\t")]
        if len(cells) > 1:
            return next((cell for cell in cells if self._is_name(cell)), cells[0])
        text = _MARKS.sub("", one.text).lstrip("@").replace("**", "")
        head, colon, rest = text.partition(":")
        if colon and len(head.split()) <= MOST_LABEL:
            if not self._is_label(head):
                return _BRACKETS.sub("", head).strip(" *_@")
            text = rest.strip()
        if one.text.startswith("@") or _MARKS.sub("", one.text).startswith("@"):
            return text.split()[0].strip(",:") if text.split() else ""
        named = self.named_in(one)
        if named:
            found = _NAME.match(text)
            return found[0] if found and any(part in self._by_part for part in _parts(found[0])) else named[0]
        found = _NAME.match(text)
        return found[0] if found and words(found[0])[0] not in self._document.stop_words else ""

    def _is_name(self, cell: str) -> bool:
        return any(part in self._by_part for part in _parts(cell))

    def _is_label(self, head: str) -> bool:
        kinds = self._cues.kinds(words(head, self._document.language))
        return any(kind.endswith("_heading") for kind in kinds) or "assign" in kinds

    def _present(self) -> Iterable[str]:
        """Names on lines of those present, and those before a colon or in the first cell of a row below tasks."""
        for one in self._spoken:
            head, colon, rest = one.text.partition(":")
            if colon and len(head.split()) <= MOST_LABEL and "present_heading" in self._cues.kinds(words(head)):
                for name in _APART.split(_BRACKETS.sub("", rest)):
                    found = _NAME.fullmatch(name.strip(" .*_"))
                    if found and len(name.split()) <= MOST_LABEL:
                        yield found[0]

    @cached_property
    def is_known(self) -> bool:
        """True if anybody is known by name."""
        return bool(self.names)


def _parts(name: str) -> list[str]:
    """Words by which a person is called: not titles, initials and small words."""
    return [word for word in words(name) if word not in _TITLES and len(word) > 1 and name[0].isupper()]
