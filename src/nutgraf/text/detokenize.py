"""Detokenization: decides where spaces stand between tokens.

Most punctuation attaches to one side; for straight quotes and apostrophes the side depends on the neighbours and on how
many came before. On ordinary text this is the inverse of `tokenize.tokens`. Where tokens are ambiguous, "-" alone is
taken for a dash between words, and "—" for one without spaces.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from nutgraf.text.tokenize import is_word

PRINTED = {
    "``": '"', "''": '"', "-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}",
}  # fmt: skip
"""Punctuation that the Penn Treebank's tokens write differently."""

LONGEST_GROUP = 3
"""Digits of a group of thousands; other numbers beside a comma are those of a list."""

_LEANS_LEFT = frozenset(".,;:!?…)]}%‰°”»’′″")
_LEANS_RIGHT = frozenset("([{“‘«¿¡")
_JOINS = frozenset("/—")
_QUOTES = frozenset("\"'’")
_LEANS = _LEANS_LEFT | _LEANS_RIGHT | _JOINS | _QUOTES
_CURRENCIES = frozenset("$£€¥₹")
_APOSTROPHES = frozenset("'’")
_ENDINGS = frozenset({"s", "t", "d", "m", "re", "ve", "ll", "em"})
_DOMAINS = frozenset({"com", "org", "net", "gov", "edu", "uk"})
_POINTED = re.compile(r"\d+(?:[.,]\d+)+|(?:[^\W\d_]\.){2,}")
"""Tokens that are separated from a hyphen after them, as in "1,175-point" and "U.S.-led"."""
_CLITIC = re.compile(r"(?:n['’]t|['’](?:s|re|ve|ll|d|m|em))", re.IGNORECASE)


def detokenize(tokens: Sequence[str]) -> str:
    r"""Join tokens into text.

    >>> detokenize(["He", "said", ",", '"', "it", "'s", "5", "%", '"', "."])
    'He said, "it\'s 5%".'
    """
    return "".join(gap + printed(token) for gap, token in zip(gaps(tokens), tokens, strict=True))


def leans(token: str) -> bool:
    """Return True if a token always attaches to a neighbour, so that it adds no word between white space."""
    shown = printed(token)
    return shown in _LEANS or _CLITIC.fullmatch(shown) is not None


def printed(token: str) -> str:
    """Replace Treebank brackets and quotes by ordinary punctuation."""
    return PRINTED.get(token.lower(), token)


def gaps(tokens: Sequence[str]) -> list[str]:
    """Return the separator before each token: a space, or nothing."""
    sides = _Sides([printed(token) for token in tokens], list(tokens))
    result, closed = [], True
    for place in range(len(tokens)):
        left, right = sides.of(place)
        result.append("" if left or closed else " ")
        closed = right
    return result


class _Sides:
    """Decides which sides of a token attach to their neighbours.

    Tokens are visited from left to right, since quotes alternate.
    """

    def __init__(self, tokens: list[str], written: list[str]) -> None:
        self._tokens = tokens
        self._written = written
        self._open = {'"': False, "'": False}

    def of(self, place: int) -> tuple[bool, bool]:
        """Return whether the token attaches to the one before it, and to the one after it."""
        token, written = self._tokens[place], self._written[place]
        if written == "``":
            return False, True
        if written == "''":
            self._open['"'] = False
            return True, False
        if token == '"':
            return self._quote('"', closing=self._ends(place))
        if token in _APOSTROPHES:
            return self._apostrophe(place, token)
        return self._lean(place, token)

    def _lean(self, place: int, token: str) -> tuple[bool, bool]:
        before, after = self._at(place - 1), self._at(place + 1)
        if token == ":":
            return True, _is_time(before, after)
        if token in (".", ",") and self._is_inside_number(place):
            return True, True
        if token == ".":
            return True, after in _DOMAINS or (after.isdigit() and before[-1:].isdigit() and not before.isdigit())
        if token == "-":
            joins = is_word(after or " ") and _POINTED.fullmatch(before) is not None
            return joins or before == "-", joins or after == "-"
        if token in _LEANS_LEFT or _CLITIC.fullmatch(token):
            return True, False
        if token in _LEANS_RIGHT:
            return False, True
        if token in _JOINS:
            return True, True
        if token == "&":
            short = 0 < len(before) <= 2 and 0 < len(after) <= 2
            return short, short
        if token in _CURRENCIES:
            return False, after[:1].isdigit() or after[:1] == "#"
        return False, token in ("#", "@") and is_word(after or " ")

    def _is_inside_number(self, place: int) -> bool:
        """Return True for a mark of decimals or thousands that was separated: "3 . 5", "£ 250 , 125", "1 , 000"."""
        whole, rest = self._at(place - 1), self._at(place + 1)
        if not (whole.isdigit() and len(whole) <= LONGEST_GROUP and rest.isdigit()):
            return False
        if self._at(place) == ".":
            return len(rest) < LONGEST_GROUP
        price = self._at(place - 2) in _CURRENCIES
        return len(rest) == LONGEST_GROUP and (price or len(whole) < LONGEST_GROUP or rest.endswith("00"))

    def _quote(self, mark: str, closing: bool) -> tuple[bool, bool]:
        closing = closing or self._open[mark]
        self._open[mark] = not closing
        return closing, not closing

    def _ends(self, place: int) -> bool:
        """Return True if a straight quote can only close, because nothing follows that it could open."""
        after = self._at(place + 1)
        return place > 0 and (not after or after in _LEANS_LEFT)

    def _apostrophe(self, place: int, token: str) -> tuple[bool, bool]:
        before, after = self._at(place - 1), self._at(place + 1)
        if after.lower() in _ENDINGS and is_word(before or " "):
            return True, True
        if token == "’" or self._open["'"] or (before in _LEANS_LEFT and after in ("", '"')):
            self._open["'"] = False
            return True, False
        if after[:1].isdigit():
            return False, True
        if self._closes_later(place) and not self._is_possessive(place):
            return self._quote("'", closing=False)
        return (True, False) if is_word(before or " ") else (False, True)

    def _closes_later(self, place: int) -> bool:
        """Return True if an apostrophe follows that is not part of a word."""
        return any(
            token == "'" and self._at(at + 1).lower() not in _ENDINGS and not self._leans_on_s(at)
            for at, token in enumerate(self._tokens[place + 1 :], place + 1)
        )

    def _is_possessive(self, place: int) -> bool:
        """Return True for an apostrophe as in "pilots' boats"; it opens a quotation only if an odd number follows."""
        later = sum(token == "'" for token in self._tokens[place + 1 :])
        return self._leans_on_s(place) and later % 2 == 0

    def _leans_on_s(self, place: int) -> bool:
        return self._at(place - 1).endswith("s") and is_word(self._at(place + 1) or " ")

    def _at(self, place: int) -> str:
        return self._tokens[place] if 0 <= place < len(self._tokens) else ""


def _is_time(before: str, after: str) -> bool:
    minutes, unit = after[:2], after[2:]
    return (
        before.isdigit() and len(before) <= 2 and len(minutes) == 2 and minutes.isdigit() and unit in ("", "am", "pm")
    )
