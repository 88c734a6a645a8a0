"""Quotations: what a summary puts between quotation marks stands in the sources word for word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nutgraf.faithfulness.detectors import Detector, Finding
from nutgraf.faithfulness.sources import Claim, Sources, letters
from nutgraf.presets.ranges import Options, PositiveInt

_QUOTED = re.compile(
    r"“([^“”]+)”|„([^„“”]+)[“”]|«([^«»]+)»|»([^«»]+)«|``((?:(?!``).)+?)''|(?<![^\s(\[–—-])\"([^\"]+)\"|「([^「」]+)」"
)
_GAP = re.compile(r":\s|\[[^\]]*\]|\([^)]*\)|…|\.\s?\.\s?\.")


@dataclass(frozen=True)
class Config(Options):
    """Quotations."""

    least_words: PositiveInt = 2
    """Fewest words of a quotation that is checked."""


class Quotations(Detector):
    """Flags quotations that are not in the sources to the letter, case and punctuation aside."""

    config: Config

    def __call__(self, claim: Claim, sources: Sources) -> Iterator[Finding]:
        """Yield quotations; see `Detector`."""
        for match in _QUOTED.finditer(claim.sentence):
            inside = next(group for group in match.groups() if group is not None)
            pieces = [letters(piece) for piece in _GAP.split(inside)]
            if len(inside.split()) < self.config.least_words:
                continue
            if not all(piece in sources.letters for piece in pieces):
                span = claim.start + match.start(), claim.start + match.end()
                yield span, "No source has these words in this order."
