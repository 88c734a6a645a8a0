"""Patterns of many phrases, of which only those are compiled and tried that may begin at a word of the text.

Compiling all patterns together would take a third of a second, and trying them at each word ten times as long. What is
compiled at first is one pattern of the few characters that each phrase begins with, spelled out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import groupby

_SPECIAL = frozenset("[](){}.*+?^$|")
_QUANTIFIERS = ("?", "*", "+", "{")
_MARKS = ("(", ")", "|")
_MARK = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]")


class PhraseTable:
    """Patterns by kind, in lines, for lowercased text; each pattern begins where a word or a mark does.

    Args:
        patterns: Patterns of each kind; of several kinds that match at one place, the first counts.
        key: Number of first characters that are spelled out; patterns are found by them. More of them take longer to
            prepare, and leave fewer places at which a pattern is tried.
    """

    def __init__(self, patterns: Mapping[str, str], key: int) -> None:
        self._patterns = patterns
        self._key = key
        self._order = {kind: place for place, kind in enumerate(patterns)}
        self._compiled: dict[str, re.Pattern[str]] = {}

    def match(self, text: str) -> str:
        """Kind of the pattern that a text begins with; "" if there is none."""
        return self._kind_at(text, 0)

    def search(self, text: str) -> tuple[int, str] | None:
        """Place and kind of the leftmost pattern in a text."""
        for begin in self._begins.finditer(text):
            if kind := self._kind_at(text, begin.start()):
                return begin.start(), kind
        return None

    def _kind_at(self, text: str, place: int) -> str:
        table, found = self._table, []
        for size in range(self._key + 1):
            if (key := text[place : place + size]) in table and (one := self._beginning(key).match(text, place)):
                found.append(str(one.lastgroup))
        return min(found, key=self._order.__getitem__) if found else ""

    def _beginning(self, key: str) -> re.Pattern[str]:
        """Patterns of the table that begin with a key."""
        found = self._compiled.get(key)
        if found is None:
            kinds = "|".join(f"(?P<{kind}>{'|'.join(found)})" for kind, found in self._table[key].items())
            found = self._compiled[key] = re.compile(kinds)
        return found

    @cached_property
    def _begins(self) -> re.Pattern[str]:
        """Where a word begins or ends before one of the keys."""
        return re.compile(rf"\b(?={_tree(sorted(self._table))})")

    @cached_property
    def _table(self) -> dict[str, dict[str, list[str]]]:
        """Patterns by their first characters and their kind."""
        table: dict[str, dict[str, list[str]]] = {}
        for kind, written in self._patterns.items():
            for pattern in _split(alternatives(written)):
                for key, spelled in _spelled(pattern, self._key):
                    table.setdefault(key, {}).setdefault(kind, []).append(spelled)
        return table


def alternatives(written: str) -> str:
    """One pattern of the lines of a text."""
    return "|".join(line.strip() for line in written.strip().splitlines())


def _tree(keys: Iterable[str]) -> str:
    """Pattern of sorted keys, those that begin alike together; of two the shorter suffices."""
    branches = []
    for first, group in groupby(keys, key=lambda key: key[:1]):
        if not first:
            return ""
        branches.append(re.escape(first) + _tree(key[1:] for key in group))
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"


def _spelled(pattern: str, length: int) -> list[tuple[str, str]]:
    """Spell out the first characters, `length` at most, of the texts that a pattern matches, as far as they are known.

    Each comes with the part of the pattern that they begin.
    """
    if not pattern or not length:
        return [("", pattern)]
    atom = _group(pattern) if pattern.startswith("(?:") else pattern[: 1 + pattern.startswith("\\")]
    rest = pattern[len(atom) :]
    optional = rest.startswith("?")
    rest = rest.removeprefix("?")
    if rest.startswith(_QUANTIFIERS):
        return [("", pattern)]
    if atom.startswith("(?:"):
        found = [one for inside in _split(atom[3:-1]) for one in _spelled(inside + rest, length)]
    elif character := _character(atom):
        found = [(character + key, atom + after) for key, after in _spelled(rest, length - 1)]
    else:
        return [("", pattern)]
    return found + _spelled(rest, length) if optional else found


def _character(atom: str) -> str:
    """The character that a part of a pattern stands for; "" if it stands for several. White space is a blank."""
    if atom.startswith("\\"):
        return " " if atom == r"\s" else "" if atom[1].isalnum() else atom[1]
    return "" if atom in _SPECIAL else atom


def _split(pattern: str) -> Iterator[str]:
    """Alternatives of a pattern."""
    depth = begin = 0
    for at, mark in _marks(pattern):
        if mark != "|":
            depth += 1 if mark == "(" else -1
        elif depth == 0:
            yield pattern[begin:at]
            begin = at + 1
    yield pattern[begin:]


def _group(pattern: str) -> str:
    """The group that a pattern begins with."""
    depth = 0
    for at, mark in _marks(pattern):
        depth += (mark == "(") - (mark == ")")
        if depth == 0:
            return pattern[: at + 1]
    raise ValueError(f"a group does not end: {pattern}")


def _marks(pattern: str) -> Iterator[tuple[int, str]]:
    """Parentheses and bars of a pattern, each with its place."""
    return ((found.start(), found.group()) for found in _MARK.finditer(pattern) if found.group() in _MARKS)
