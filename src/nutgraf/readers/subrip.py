"""SubRip captions."""

from __future__ import annotations

import re

from nutgraf.readers._captions import CaptionReader

_FIRST_CUE = re.compile(r"\ufeff?\s*\d+\s*\n\s*\d{1,2}:\d{2}:\d{2}[,.]\d{1,3}\s*-->")


class Subrip(CaptionReader):
    """One Document with turns; a sentence may run over several cues."""

    suffixes = (".srt",)
    remarks = False

    def begins(self, text: str) -> bool:
        """Recognize a number with a line of times below it."""
        return _FIRST_CUE.match(text) is not None
