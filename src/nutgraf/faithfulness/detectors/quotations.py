"""Quotations: what a summary quotes stands in the sources word for word, and the same person says it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nutgraf.faithfulness.detectors import Detector, Finding
from nutgraf.faithfulness.sources import Claim, Sources, letters
from nutgraf.faithfulness.speakers import speakers
from nutgraf.presets.ranges import PositiveInt
from nutgraf.text.contractions import in_full
from nutgraf.text.tokenize import Span, words

_QUOTED = re.compile(
    r"“([^“”]+)”|„([^„“”]+)[“”]|«([^«»]+)»|»([^«»]+)«|``((?:(?!``).)+?)''|(?<![^\s(\[–—-])\"([^\"]+)\"|「([^「」]+)」"
    r"|‘((?:[^‘’]|’(?=\w))+)’(?!\w)"
    # Between plain single marks, which apostrophes look like: "the players' 'til dawn".
    r"|(?<![^\s(\[–—-])'((?!(?:t(?:il|is|was)|cause|em|n|bout|round|s|m|re|ve|ll|d)\b)[^\W\d](?:[^']|'(?=\w))+(?<!\s))'(?!\w)"
)
_GAP = re.compile(r":\s|\[[^\]]*\]|\([^)]*\)|…|\.\s?\.\s?\.")


@dataclass(frozen=True)
class Config:
    """Quotations."""

    least_words: PositiveInt = 2
    """Fewest words of a quotation that is checked."""


class Quotations(Detector):
    """Flags quotations that are not in the sources to the letter, or that somebody else says there.

    Case, punctuation and contractions do not count.
    """

    config: Config

    def __call__(self, claim: Claim, sources: Sources) -> Iterator[Finding]:
        """Yield quotations; see `Detector`."""
        for match in _QUOTED.finditer(claim.sentence):
            inside = next(group for group in match.groups() if group is not None)
            if len(inside.split()) < self.config.least_words:
                continue
            span = claim.start + match.start(), claim.start + match.end()
            if not all(_stands(piece, sources) for piece in _GAP.split(inside)):
                yield span, "No source has these words in this order."
            elif speaker := _other_speaker(inside, match.span(), claim, sources):
                yield span, f"In the sources {speaker} says this."


def _stands(piece: str, sources: Sources) -> bool:
    return letters(piece) in sources.letters or letters(in_full(piece)) in sources.letters_in_full


def _other_speaker(inside: str, place: Span, claim: Claim, sources: Sources) -> str:
    """Return who says a quotation in a sentence that supports the claim and has nobody to whom the claim gives it."""
    if sources.document.language != "en" or not claim.cased or not sources.cased:
        return ""
    said, document = claim.sentence, sources.document
    named = {word.lower() for name in speakers(f"{said[: place[0]]}“”{said[place[1] :]}") for word in name}
    others: list[str] = []
    for index in claim.evidence if named else ():
        text = document.text[document.sentences[index].start : document.sentences[index].end]
        theirs = [" ".join(name) for name in speakers(_QUOTED.sub("“”", text))]
        if theirs and letters(inside) in letters(text):
            if named.intersection(words(text)):
                return ""
            others += theirs
    return " and ".join(dict.fromkeys(others))
