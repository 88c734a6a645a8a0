"""People who do what was promised, asked for, or assigned."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from nutgraf.meetings.cues import Cues, begin
from nutgraf.meetings.utterances import NAME, Utterance, names_in, parts_of_name
from nutgraf.text.document import Document
from nutgraf.text.tokenize import words

ALL = "all"
"""Name of everybody."""

MOST_LABEL = 4
"""Maximum number of words of a name."""

_MARKS = re.compile(r"^(?:\[[ xX]?\]|[☐☑✓*•–—-]|\d+[.)])\s*")
_BRACKETS = re.compile(r"\([^)]*\)")


class People:
    """The people of a meeting: who speaks, and who is named as present.

    Args:
        document: The text.
        spoken: Its utterances.
        cues: Phrases of its language.
    """

    def __init__(self, document: Document, spoken: Sequence[Utterance], cues: Cues) -> None:
        self._document, self._spoken, self._cues = document, spoken, cues
        self.names = names_in(document, cues)
        self._by_part: dict[str, str] = {}
        for name in reversed(self.names):
            for part in parts_of_name(name):
                self._by_part[part] = name

    def doer(self, number: int) -> str:
        """Return who does what the utterance of a number promises, asks for or assigns; "" if it is not known."""
        one = self._spoken[number]
        if one.speaker is None:
            return self._assigned(one)
        kinds, named = one.kinds, self.named_in(one)
        asked = "request" in kinds and ("promise" not in kinds or one.asks)
        addressed = self.addressed_in(one) if asked else ""
        if addressed:
            return addressed
        if asked and "all" in kinds:
            return self._replier(number) if self._is_object(one, "all") and "one" in kinds else ALL
        if asked:
            others = [name for name in named if name != one.speaker]
            return others[0] if others else self._replier(number)
        if "promise" in kinds or "self" in kinds:
            return one.speaker
        if "all" in kinds and "act" in kinds:
            return ALL
        subject = self._subject(one.text)
        return subject or next((name for name in named if name != one.speaker), one.speaker)

    def task(self, number: int, who: str) -> str:
        """Return what is to be done in the words of an utterance, without the name and the box that precede it."""
        one = self._spoken[number]
        cells = [cell.strip() for cell in one.text.split("\t")]
        if len(cells) > 1:
            return next((cell for cell in cells if cell and cell != who and not self._is_name(cell)), one.text)
        text = _MARKS.sub("", one.text) if one.speaker is None else one.text
        head, colon, rest = text.partition(":")
        labeled = colon and len(head.split()) <= MOST_LABEL and ((who and who in head) or self._is_label(head))
        return rest.strip(" *") if labeled and one.speaker is None else text

    def named_in(self, one: Utterance) -> list[str]:
        """People whose names stand in an utterance."""
        found = (self._by_part.get(word) for word in one.words)
        return list(dict.fromkeys(name for name in found if name))

    def addressed_in(self, one: Utterance) -> str:
        """Return whom an utterance addresses by name, at its beginning or behind a comma at its end; "" for nobody."""
        said = begin(one.words)
        names = (self._by_part.get(word, "") for word in one.words[said : said + MOST_LABEL])
        first = [name for name in takewhile(bool, names) if name != one.speaker]
        if first:
            return first[0]
        last = one.text.rpartition(",")[2]
        called = [self._by_part.get(word, "") for word in words(last, self._document.language)]
        return called[0] if called and all(name == called[0] != one.speaker for name in called) else ""

    @staticmethod
    def _is_object(one: Utterance, kind: str) -> bool:
        """Return True if a phrase of a kind stands behind what is to be done: "send everyone the address"."""
        return one.at.get("act", len(one.words)) < one.at[kind]

    def _replier(self, number: int) -> str:
        """Return who accepts a request: who speaks next, or else spoke before."""
        one = self._spoken[number]
        after = (other.speaker for other in self._spoken[number + 1 :] if other.speaker not in (one.speaker, None))
        before = (
            other.speaker for other in reversed(self._spoken[:number]) if other.speaker not in (one.speaker, None)
        )
        return next(after, None) or next(before, None) or ""

    def _subject(self, text: str) -> str:
        """A name at the beginning, which nobody in the room needs to have: "Ruth will bring it"."""
        found = NAME.match(text)
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
            found = NAME.match(text)
            return found[0] if found and any(part in self._by_part for part in parts_of_name(found[0])) else named[0]
        found = NAME.match(text)
        return found[0] if found and words(found[0])[0] not in self._document.stop_words else one.subject

    def _is_name(self, cell: str) -> bool:
        return any(part in self._by_part for part in parts_of_name(cell))

    def _is_label(self, head: str) -> bool:
        kinds = self._cues.kinds(words(head, self._document.language))
        return any(kind.endswith("_heading") for kind in kinds) or "assign" in kinds
