"""Offices: a name has the office that the sources give it, and not that of somebody else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from nutgraf.faithfulness.detectors import Detector, Finding
from nutgraf.faithfulness.offices import SHORT, offices
from nutgraf.faithfulness.sources import POSSESSIVE, Claim, Sources

MOST_NAMED = 3
"""Most holders of an office that a reason names."""

SAME_LETTERS = 3
"""Letters with which short forms of an office begin: "Sens.", "Govs."."""


class Offices(Detector):
    """Flags a name behind an office that the sources give to others alone: "Judge Nair", where Astley is the judge."""

    def lacks(self, language: str) -> str:
        """Return "offices" for other languages than English; see `Detector`."""
        return "" if language == "en" else "offices"

    def __call__(self, claim: Claim, sources: Sources) -> Iterator[Finding]:
        """Yield offices with names; see `Detector`."""
        if sources.document.language != "en" or not claim.cased or not sources.cased:
            return
        for office, name, (start, end) in offices(claim.sentence):
            holders = sources.offices.get(office, ())
            if holders and not _holds(office, _words(name), holders, sources):
                others = _listed(holders)
                yield (
                    (claim.start + start, claim.start + end),
                    f"In the sources only {others} has the office “{office}”.",
                )


def _listed(names: Sequence[str]) -> str:
    """Return some names, and how many others there are."""
    others = len(names) - MOST_NAMED
    return " or ".join([*names[:MOST_NAMED], *([f"{others} others"] if others > 0 else [])])


def _holds(office: str, name: set[str], holders: Sequence[str], sources: Sources) -> bool:
    """Return True if the sources give the office to the name, have both in one sentence, or do not have the name.

    Of the chief financial officer "fin" tells, since every chief is one.
    """
    if not name.isdisjoint(_words_of_all(tuple(holders))):
        return True
    short = [one for one, full in SHORT.items() if full == office]
    beginnings = tuple(one[:SAME_LETTERS] for one in (office.removeprefix("chief "), *short))
    sentences = sources.sentences_with(sources.document.stem(word) for word in name)
    return not sentences or any(
        word.startswith(beginnings) for index in sentences for word in sources.document.words[index]
    )


@lru_cache(maxsize=64)
def _words_of_all(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset().union(*map(_words, names))


def _words(name: str) -> set[str]:
    return {POSSESSIVE.sub("", word).lower() for word in name.split()}
