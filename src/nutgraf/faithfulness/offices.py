"""Offices beside names in English: "Mayor Ada Brandt", "the mayor, Ada Brandt", "Ada Brandt, its chief executive"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nutgraf.text.stop_words import STOP_WORDS
from nutgraf.text.tokenize import Span

OFFICES = (
    "admiral ambassador archbishop architect bishop captain chair chairman chairperson chairwoman chancellor coach "
    "colonel commissioner conductor congressman congresswoman coroner councillor councilman councilwoman curator "
    "detective director editor engineer general governor inspector judge justice king lieutenant mate mayor "
    "minister navigator officer physician pope president prince princess professor prosecutor queen rabbi referee "
    "representative secretary senator sergeant sheriff spokesman spokesperson spokeswoman surgeon treasurer"
).split()
"""Words that are offices beside a name."""

SHORT = {"ceo": "chief executive", "chief executive officer": "chief executive", "cfo": "chief financial officer"}
"""Other words for an office."""

_FORMS = "|".join(
    ["CEO", "CFO", "[Cc]hief executive officer", "[Cc]hief executive", "[Cc]hief financial officer"]
    + [f"[{one[0].upper()}{one[0]}]{one[1:]}" for one in sorted(OFFICES, key=len, reverse=True)]
)
_NAME = r"(?P<name>[^\W\d_a-z][\w’'-]{1,30}(?:\s(?:[^\W\d_a-z]\.|[^\W\d_a-z][\w’'-]{1,30})){0,3})"
_THE = (
    r"(?:(?:(?:the|its|their|his|her|our|an?)(?:\s[\w-]+['’]s?)?|[\w-]+['’]s?)\s(?:[a-z][a-z-]+\s){0,2}"
    r"|(?:former|acting|deputy|vice|then|currently|now)[\s-])?"
)
"""What may stand between a name and the office behind it: "its former", "the firm's"."""

_KINDS = frozenset({"director", "editor", "engineer", "minister", "officer", "secretary"})
"""Offices of which there are several kinds: a foreign secretary, a press secretary."""

_KIND = re.compile(r"(?<![\w-])([^\W\d_][\w-]{1,30})\s$")
LONGEST_KIND = 33
"""Characters before an office in which its kind stands."""

_PATTERNS = (
    re.compile(rf"\b(?P<office>{_FORMS})\s{_NAME}"),
    re.compile(rf"\b(?P<office>{_FORMS})(?:\sof(?:\s[\w’'-]{{1,30}}){{1,4}})?,\s{_NAME}(?=[,;.)])"),
    re.compile(rf"\b{_NAME}(?:,|\sis|\swas)\s{_THE}(?:[a-z]+\s)?(?P<office>{_FORMS})\b(?!\s[^\W\d_a-z])"),
    re.compile(rf"\b(?P<office>{_FORMS})\s(?:is|was)\s(?:Dr\.?\s|Mr\.?\s|Mrs\.?\s|Ms\.?\s)?{_NAME}"),
)


def offices(text: str) -> Iterator[tuple[str, str, Span]]:
    """Find offices before and after names: the office in lower case, the name, and the place of both.

    >>> [(office, name) for office, name, _ in offices("Mayor Ada Brandt met councillor Kim and the president.")]
    [('mayor', 'Ada Brandt'), ('councillor', 'Kim')]
    >>> [(office, name) for office, name, _ in offices("Ada Brandt, the firm's chief executive; its chair, Al Kim.")]
    [('chair', 'Al Kim'), ('chief executive', 'Ada Brandt')]
    """
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            office = match["office"].lower()
            start = match.start("office")
            kind = _KIND.search(text, max(0, start - LONGEST_KIND), start) if office in _KINDS else None
            if kind and kind[1].lower() not in STOP_WORDS["en"]:
                office = f"{kind[1].lower()} {office}"
            yield SHORT.get(office, office), match["name"], (min(start, match.start("name")), match.end())
