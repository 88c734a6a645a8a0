"""Words of an English sentence, as far as is needed to see what it can do without: verbs, commas, quotations.

No parser is needed, nor is there one in a base install. Tags are those of a lexicon; which verbs are finite, and
whether some words are a clause, is told by closed classes (`en.toml`) and by what stands beside them. Where that is not
sure, the answer is no.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache, cached_property
from importlib.resources import files

from nutgraf.text.tagging import penn_tags
from nutgraf.text.tokenize import Span

_TOKEN = re.compile(r"(?:[^\W\d_]\.){2,}|[$£€]?\d+(?:[.,:]\d+)*%?|[^\W_]+(?:[-'’.&/][^\W_]+)*['’]?(?<=\w)|--+|\.\.+|\S")
_CLITIC = re.compile(r"['’](?:s|re|ve|ll|d|m)$", re.IGNORECASE)

NOUNS = ("NN", "PRP", "CD", "EX", "DT", "$")
"""Beginnings of the tags of words that can be a subject."""

ENDING = ("NN", "CD", "PRP", "RB", "JJ", "VBN", "VBD", "VBG", "RP", ")", '"', "$", "SYM", "FW", "VB")
"""Beginnings of the tags of words with which a clause can end."""

SURE, MAYBE = 2, 1


@cache
def lists() -> dict[str, frozenset[str]]:
    """Closed classes of English, by name."""
    text = (files(__package__) / "en.toml").read_text("utf-8")
    return {
        name: frozenset(words.split() if isinstance(words, str) else words)
        for name, words in tomllib.loads(text).items()
    }


def words_of(text: str) -> Iterator[Span]:
    """Spans of the words and marks of a sentence; clitics ("'ll") are words of their own."""
    for found in _TOKEN.finditer(text):
        clitic = _CLITIC.search(found.group())
        if clitic and clitic.start():
            yield found.start(), found.start() + clitic.start()
            yield found.start() + clitic.start(), found.end()
        else:
            yield found.span()


class Words:
    """Words and marks of a sentence, by their index.

    Attributes:
        text: The sentence.
        spans: Their characters in it.
        lower: They themselves, in lower case, with plain apostrophes.
        tags: Their tags, of the Penn Treebank.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.spans = list(words_of(text))
        shown = [text[start:end] for start, end in self.spans]
        self.shown = shown
        self.lower = [word.lower().replace("’", "'") for word in shown]
        tags = penn_tags(shown) if shown else []
        self.tags = [
            tag if word[0].isalnum() or word[0] in "'’$£€" else word for word, tag in zip(shown, tags, strict=True)
        ]
        self.lists = lists()

    def __len__(self) -> int:
        return len(self.spans)

    def tag(self, index: int) -> str:
        """Return the tag of the word at an index; an empty one where there is no word."""
        return self.tags[index] if 0 <= index < len(self) else ""

    def is_in(self, name: str, index: int) -> bool:
        """Return True if the word at an index, if there is one, is in a list."""
        return 0 <= index < len(self) and self.lower[index] in self.lists[name]

    def is_word(self, index: int) -> bool:
        """Return True if there is a word at an index, and not a mark."""
        return 0 <= index < len(self) and self.shown[index][0].isalnum()

    def is_name(self, index: int) -> bool:
        """Return True if a word that is not the first has a capital."""
        return 0 < index < len(self) and self.shown[index][0].isupper()

    def counts_of(self, name: str, start: int, end: int) -> int:
        """Number of the words from `start` to `end` that are in a list."""
        return sum(word in self.lists[name] for word in self.lower[start:end])

    @cached_property
    def end(self) -> int:
        """Index behind the last word, where the end marks begin."""
        last = len(self)
        while last and not self.is_word(last - 1) and self.lower[last - 1] in ".!?…":
            last -= 1
        return last

    @cached_property
    def enclosed(self) -> list[bool]:
        """True for what stands in quotation marks or brackets, these included; all is, if one has no partner."""
        inside, stack = [False] * len(self), list[str]()
        partners = {")": "(", "]": "[", "”": "“", "»": "«", "}": "{"}
        for index, mark in enumerate(self.lower):
            glued = index > 0 and self.spans[index - 1][1] == self.spans[index][0] and self.is_word(index - 1)
            closes = mark in partners or (mark == '"' and '"' in stack) or (mark == "'" and self._closes(index, stack))
            opens = mark in "([{“«" or (mark == '"' and '"' not in stack) or (mark in "'‘" and not glued and not closes)
            if closes:
                inside[index] = True
                if not stack or stack.pop() != partners.get(mark, mark):
                    return [True] * len(self)
            elif opens:
                stack.append("'" if mark == "‘" else mark)
            inside[index] |= bool(stack)
        return [True] * len(self) if stack else inside

    def _closes(self, index: int, stack: list[str]) -> bool:
        return "'" in stack and (
            index + 1 == len(self) or self.spans[index + 1][0] > self.spans[index][1] or not self.is_word(index + 1)
        )

    @cached_property
    def commas(self) -> list[int]:
        """Indices of the commas that part phrases: none in quotations, dates, names of places or before "Jr."."""
        return [
            index
            for index, word in enumerate(self.lower)
            if word == "," and not self.enclosed[index] and not self._in_date(index)
        ]

    def _in_date(self, index: int) -> bool:
        """Return True for the commas of "May 5, 2010, was"."""
        after, before = index + 1, index - 1
        dated = before >= 0 and self.tags[before] in ("CD", "NNP")
        return (dated and self._is_year(after)) or (self._is_year(before) and self.lower[before - 1] == ",")

    def _is_year(self, index: int) -> bool:
        return 0 < index < len(self) and re.fullmatch(r"[12]\d{3}", self.lower[index]) is not None

    def finite(self, index: int) -> int:
        """Return how sure it is that a word is a finite verb: 0, MAYBE or SURE."""
        if not self.is_word(index) and not self.is_in("finite", index) and self.lower[index] != "'s":
            return 0
        word, tag = self.lower[index], self.tags[index]
        before = self.lower[index - 1] if index else ""
        before_tag = self.tags[index - 1] if index else ""
        if before == "to" or before_tag in ("DT", "PRP$", "POS") or before in ("'s", "of"):
            return SURE if before == "'s" and self.finite(index - 1) and word in self.lists["finite"] else 0
        if word == "'s":
            return SURE if before in ("he", "she", "it", "that", "there", "who", "what", "here", "where", "let") else 0
        if word in self.lists["finite"]:
            return 0 if self._in_group(index) else SURE
        if self._in_group(index):
            return 0
        if word in self.lists["past"] and word not in self.lists["saying"]:
            return SURE
        if word in self.lists["saying"] and word.endswith(("d", "t", "ote")):
            return SURE if tag.startswith("VB") else 0
        if tag == "VBD" or (tag == "VBN" and word.endswith(("ed", "t", "d", "n"))):
            pronoun = before in self.lists["pronouns"]
            return SURE if pronoun else MAYBE
        if tag == "VBZ":
            return (
                0
                if before_tag in ("JJ", "IN", "CD")
                else SURE
                if before_tag in ("NN", "NNP", "PRP", "WP", "WDT", "RB")
                else MAYBE
            )
        if tag in ("VB", "VBP"):
            return SURE if before in ("i", "we", "they", "you") else MAYBE if before_tag in ("NNS", "NNPS") else 0
        return 0

    def _in_group(self, index: int) -> bool:
        """Return True for a verb behind an auxiliary, with nothing but adverbs between the two."""
        back = index - 1
        while back >= 0 and (
            self.tags[back].startswith("RB") or self.lower[back] in ("not", "been", "being", "be", "n't")
        ):
            if self.lower[back] in ("been", "being", "be"):
                return True
            back -= 1
        return back >= 0 and (
            self.is_in("finite", back)
            or (self.lower[back] == "'s" and self.tags[index].startswith("VB") and self.finite(back) > 0)
        )

    @cached_property
    def verbs(self) -> list[int]:
        """Sureness of each word, of those outside of quotations and brackets, that it is a finite verb."""
        return [0 if self.enclosed[index] else self.finite(index) for index in range(len(self))]

    def openers(self, start: int, end: int) -> int:
        """Number of clauses from `start` to `end` that begin with a word for it."""
        count = 0
        for index in range(start, end):
            if self.enclosed[index]:
                continue
            if self.is_in("openers", index):
                count += 1
            elif self.is_in("prepositions_and_openers", index):
                stop = next((one for one in range(index, end) if self.lower[one] == ","), end)
                count += any(self.verbs[index:stop])
        return count

    def is_clause(self, start: int, end: int) -> bool:
        """Return True if the words from `start` to `end` are surely a clause: a subject, then a finite verb."""
        while start < end and self.lower[start] in (",", "and"):
            start += 1
        found = [index for index in range(start, end) if self.verbs[index]]
        sure = [index for index in found if self.verbs[index] == SURE]
        if not found or self.shut(start, end):
            return False
        first = found[0]
        subject = any(self.tags[index].startswith(NOUNS) for index in range(start, first) if not self.enclosed[index])
        subject |= self.is_in("openers", start) and len(sure) > 1
        openers = self.openers(start, end)
        verbs = len(found) if openers else max(len(sure), 1)
        return subject and verbs > openers and self.ends_well(end)

    def shut(self, start: int, end: int) -> bool:
        """Return True if a stretch has a quotation or bracket only in part."""
        marks = "".join(self.lower[start:end])
        return (
            any(marks.count(one) != marks.count(other) for one, other in ("()", "[]", "“”"))
            or marks.count('"') % 2 == 1
        )

    def ends_well(self, end: int) -> bool:
        """Return True if a clause can end before `end`."""
        last = end - 1
        if last < 0 or self.is_in("determiners", last) or self.is_in("finite", last):
            return False
        if self.is_in("pronouns", last) and self.lower[last] not in ("it", "you", "there"):
            return False
        return self.lower[last] not in ("and", "or", "but", "to", "that", "of", "said", "says") and (
            self.tags[last].startswith(ENDING)
        )
