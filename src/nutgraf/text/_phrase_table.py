"""Patterns of many phrases, of which only those are compiled and tried that may begin at a word of the text.

Compiling all patterns together would take a third of a second, and trying them at each word ten times as long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

KEY = 3
"""Number of the first characters by which patterns are found."""

_BEGINS = re.compile(rf"\b(?=([^\W\d_].{{{KEY - 1}}}))")
_QUANTIFIERS = ("?", "*", "+", "{")


class PhraseTable:
    """Patterns by kind, in lines, for lowercased text; each pattern begins where a word or a mark does.

    Args:
        patterns: Patterns of each kind; of several kinds that match at one place, the first counts.
    """

    def __init__(self, patterns: Mapping[str, str]) -> None:
        self._patterns = patterns
        self._order = {kind: place for place, kind in enumerate(patterns)}
        self._compiled: dict[str, re.Pattern[str]] = {}

    def match(self, text: str) -> str:
        """Kind of the pattern that a text begins with; "" if there is none."""
        found = [self._beginning(key).match(text) for key in (text[:KEY], "") if key in self._table]
        return min((str(one.lastgroup) for one in found if one), key=self._order.__getitem__, default="")

    def search(self, text: str) -> tuple[int, str] | None:
        """Place and kind of the leftmost pattern in a text."""
        others = self._others_inside
        found = others.search(text) if others else None
        places = [(found.start(), self._order[str(found.lastgroup)], str(found.lastgroup))] if found else []
        table = self._table
        for begin in _BEGINS.finditer(text):
            if (key := begin[1]) in table and (word := self._beginning(key).match(text, begin.start())):
                places.append((begin.start(), self._order[str(word.lastgroup)], str(word.lastgroup)))
                break
        if not places:
            return None
        start, _, kind = min(places)
        return start, kind

    @cached_property
    def _others_inside(self) -> re.Pattern[str] | None:
        """Patterns that do not begin with enough letters to be found by them, where a word begins or ends."""
        if "" not in self._table:
            return None
        firsts = {pattern[0] for found in self._table[""].values() for pattern in found}
        literal = all(first.isalnum() or first == "%" for first in firsts)
        return self._compile("", rf"\b(?=[{''.join(sorted(firsts))}])" if literal else r"\b")

    def _beginning(self, key: str) -> re.Pattern[str]:
        """Patterns of the table that begin with a key."""
        found = self._compiled.get(key)
        if found is None:
            found = self._compiled[key] = self._compile(key)
        return found

    def _compile(self, key: str, before: str = "") -> re.Pattern[str]:
        kinds = "|".join(f"(?P<{kind}>{'|'.join(found)})" for kind, found in self._table[key].items())
        return re.compile(f"{before}(?:{kinds})")

    @cached_property
    def _table(self) -> dict[str, dict[str, list[str]]]:
        """Patterns by their first characters and their kind."""
        table: dict[str, dict[str, list[str]]] = {}
        for kind, written in self._patterns.items():
            for pattern in _split(alternatives(written)):
                table.setdefault(_key(pattern), {}).setdefault(kind, []).append(pattern)
        return table


def alternatives(written: str) -> str:
    """One pattern of the lines of a text."""
    return "|".join(line.strip() for line in written.strip().splitlines())


def _key(pattern: str) -> str:
    """The characters that a pattern begins with; "" if they are too few."""
    letters = len(pattern) - len(pattern.lstrip("abcdefghijklmnopqrstuvwxyzßàáâäçèéêëìíîïñòóôöùúûüœæ"))
    key, rest = pattern[:letters], pattern[letters:]
    if rest.startswith(_QUANTIFIERS):
        key = key[:-1]
    elif len(key) == KEY - 1 and rest.startswith(r"\s") and not rest[2:].startswith(_QUANTIFIERS):
        key += " "
    return key[:KEY] if len(key) >= KEY else ""


def _split(pattern: str) -> Iterator[str]:
    """Alternatives of a pattern, a group with which one begins resolved into its own."""
    depth, begin, classes = 0, 0, False
    for at, character in enumerate(pattern):
        if at and pattern[at - 1] == "\\":
            continue
        classes = (classes or character == "[") and character != "]"
        if classes:
            continue
        depth += (character == "(") - (character == ")")
        if character == "|" and depth == 0:
            yield from _opened(pattern[begin:at])
            begin = at + 1
    yield from _opened(pattern[begin:])


def _opened(alternative: str) -> Iterator[str]:
    """Resolve the group with which an alternative begins, unless it may be absent or repeated."""
    if not alternative.startswith("(?:"):
        yield alternative
        return
    depth = 0
    for at, character in enumerate(alternative):
        if at and alternative[at - 1] == "\\":
            continue
        depth += (character == "(") - (character == ")")
        if depth == 0:
            rest = alternative[at + 1 :]
            if rest[:1] in tuple("?*+{"):
                yield alternative
            else:
                yield from (first + rest for first in _split(alternative[3:at]))
            return
