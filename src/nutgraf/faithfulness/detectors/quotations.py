"""Quotations: what a summary quotes stands in the sources word for word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nutgraf.faithfulness.detectors import Detector, Finding
from nutgraf.faithfulness.sources import Claim, Sources
from nutgraf.faithfulness.words import letters
from nutgraf.presets.ranges import PositiveInt

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
    """Flags quotations that are not in the sources to the letter.

    Case and punctuation do not count.
    """

    config: Config

    def __call__(self, claim: Claim, sources: Sources) -> Iterator[Finding]:
        """Yield quotations; see `Detector`."""
        for match in _QUOTED.finditer(claim.sentence):
            inside = next(group for group in match.groups() if group is not None)
            if len(inside.split()) < self.config.least_words:
                continue
            span = claim.start + match.start(), claim.start + match.end()
            if not all(letters(piece) in sources.letters for piece in _GAP.split(inside)):
                yield span, "No source has these words in this order."
