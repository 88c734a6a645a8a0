"""Phrases by which sentences betray that they are about the page, the file or the recording and not about its subject.

They are few: those that betrayed junk in two labelled sentences of `tests/junk` or more, and their like. What no phrase
betrays is left to the shape and the place of a sentence (`quality.py`) and to the odds (`junk_odds.py`). They are in
English, German, French and Spanish; none names a site, a person or a topic.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from nutgraf.text.clean import with_plain_apostrophes

BEGINNINGS = {
    "notice": r"[★⭐⚠☆✉☎📧👉♥]|(?:Funding|Key ?words|Competing interests|Copyright)(?:\s?[:.—–]|\s[A-Z])|Received\s\d",
    "caption": r"[†‡*]|§(?!\s?\d)",
    "reference": r"[\^↑]\s|\[\^?\d+\]:?\s"
    r"|(?:\d+\s)?[A-ZÀ-Þ][\w'’-]+(?:,?\s(?:[A-Z]\.\s?-?){1,3}(?:,|;|\(|\d|and\b|&|et\b|$)|\s(?!M\.)[A-Z]{1,2},\s)",
}
"""Beginnings of sentences of each kind, in which marks, digits and capitals matter."""

SIGNS = r"""©|\(c\)\s|\.\.\.\.\.|\.\s\.\s\.\s\.\s|_____|------|@(?<=\w@)[\w-]+\.\w"""
"""Signs of a notice anywhere in a sentence. Each begins with one known character, so that the search is fast."""


SECTIONS = {
    "reference": """
        references|bibliography|literature cited|literature|notes|notes and references|footnotes|endnotes|
        further reading|external links|see also|sources|citations|literatur|literaturverzeichnis|einzelnachweise|
        weblinks|siehe auch|quellen|références|notes et références|bibliographie|liens externes|voir aussi|
        referencias|bibliografía|enlaces externos|véase también|notas
    """,
    "boilerplate": """
        acknowledgement|acknowledgements|acknowledgment|acknowledgments|funding|competing interests|
        conflict of interest|conflicts of interest|author contributions|declarations|declaration of interests|
        declarations of interest|declaration of competing interest|data availability|ethics statement|ethical approval|
        disclaimer|legal notice|forward-looking statements|cautionary note|use of non-gaap financial measures|license|
        licence|copyright|impressum|danksagung|remerciements|financement|agradecimientos|about this report|
        notes to editors|abbreviations|publication details|transcriber's note|transcriber's notes|
        supporting information|conference call|mentions légales|aviso legal|rechtliche hinweise|haftungsausschluss|
        terms of use|about the author|about the authors|über den autor|über die autorin|à propos de l'auteur|
        sobre el autor|sobre la autora|about us|über uns|à propos de nous|sobre nosotros|contributors
    """,
    "notice": """
        share this|related|related articles|comments|newsletter|subscribe|most read|more from|lo más visto|
        meistgelesen|mehr zum thema|les plus lus|à lire aussi|donate|kommentare|commentaires|comentarios|sponsored|
        a message from our sponsor|sponsors|recommended|table of contents|contents|inhalt|inhaltsverzeichnis|
        table des matières|sommaire|índice|tags|categories|contributing|you may also like|read more|contact|
        contact us|contacts|media contact|press contact|investor contact
    """,
}
"""Headings below which nothing belongs in a summary."""

OPEN_HEADINGS = ("share this", "more from", "sponsored", "contributors")
"""Those of `SECTIONS` that may go on."""

_BEGINNING = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in BEGINNINGS.items()))
_SIGNS = re.compile(SIGNS)
_NUMBERING = re.compile(r"^(?:[#*§\W]|\d+\.?|[IVX]+\.)+\s*")
_EDIT_LINK = re.compile(r"\s?\[[^\]]*\]\s*$")
_RULE = re.compile(r"\b(?:wenn|sofern|soweit|falls|muss|müssen|kann|können|darf|dürfen|ein(?:zuberufen|zuladen))\b")
_QUOTATION_MARKS = re.compile(r"[\"“”„«»]")
_REMARK = re.compile(r"^(?:\[[a-z ]{4,20}\]\s*)+(?=[A-ZÀ-Þ])")
_WORD = re.compile(r"\w+")


class Phrases:
    """Phrases of several kinds; a pattern is compiled when a sentence first has one of its words.

    Args:
        written: Lines of words, a bar and a pattern below the name of their kind in brackets; see `phrases.txt`.
    """

    def __init__(self, written: str) -> None:
        self._lines: list[tuple[str, str]] = []
        self._numbers: dict[str, list[int]] = {}
        self._compiled: dict[int, re.Pattern[str]] = {}
        kind = ""
        for line in written.splitlines():
            words, bar, pattern = line.partition(" | ")
            if bar:
                for word in words.split():
                    self._numbers.setdefault(word, []).append(len(self._lines))
                self._lines.append((kind, pattern))
            elif line.startswith("["):
                kind = line.strip("[]")

    @property
    def kinds(self) -> set[str]:
        """All kinds."""
        return {kind for kind, _ in self._lines}

    def find(self, text: str) -> Iterator[tuple[str, int]]:
        """Yield the kind of each line that a lowercased text has a phrase of, and where it begins."""
        known = self._numbers.keys() & _WORD.findall(text)
        for number in sorted({number for word in known for number in self._numbers[word]}):
            if found := self._pattern(number).search(text):
                yield self._lines[number][0], found.start()

    def _pattern(self, number: int) -> re.Pattern[str]:
        if number not in self._compiled:
            self._compiled[number] = re.compile(rf"(?<!\w)(?:{self._lines[number][1]})".replace(" ", r"\s"))
        return self._compiled[number]


@cache
def phrases() -> Phrases:
    """The phrases of `phrases.txt`, read once."""
    return Phrases(Path(__file__).with_name("phrases.txt").read_text(encoding="utf-8"))


def kind_of_sentence(text: str) -> str:
    """Kind of junk that a sentence's words betray; "" if none.

    Words within quotation marks are somebody's, and betray nothing.
    """
    if text[:1] == "[":
        text = _REMARK.sub("", text)
    begun = _BEGINNING.match(text)
    if begun and not _is_quoted(text, 0):
        return str(begun.lastgroup)
    lowered = with_plain_apostrophes(text.lower()).replace(" '", "'")
    for kind, place in phrases().find(lowered):
        if not _is_quoted(lowered, place) and not _rules(kind, lowered):
            return kind
    return "notice" if _SIGNS.search(text) else ""


def _rules(kind: str, text: str) -> bool:
    """Return True if a lowercased sentence with words of meetings is a rule of when and how they are held."""
    return kind == "procedural" and _RULE.search(text) is not None


def _is_quoted(text: str, at: int) -> bool:
    """Return True if a place lies within quotation marks, of which the first or the last may be in another sentence."""
    before = len(_QUOTATION_MARKS.findall(text, 0, at))
    return before % 2 == 1 or (before == 0 and len(_QUOTATION_MARKS.findall(text)) % 2 == 1)


def kind_of_section(heading: str) -> str:
    """Kind of junk that stands below a heading; "" if what stands there is prose."""
    name = _NUMBERING.sub("", _EDIT_LINK.sub("", heading)).strip(" :.*#_").casefold()
    begun = next((beginning for beginning in OPEN_HEADINGS if name.startswith(f"{beginning} ")), name)
    return _headings().get(with_plain_apostrophes(begun), "")


@cache
def _headings() -> dict[str, str]:
    """Kind of junk below each heading."""
    return {" ".join(name.split()): kind for kind, names in SECTIONS.items() for name in names.split("|")}
