"""SubRip captions."""

from __future__ import annotations

import re

from nutgraf.readers._captions import CaptionReader


class Subrip(CaptionReader):
    """One Document with turns; a sentence may run over several cues."""

    suffixes = (".srt",)
    signs = ((re.compile(r"\ufeff?\s*\d+\s*\n\s*\d{1,2}:\d{2}:\d{2}[,.]\d{1,3}\s*-->"), 0.95),)
    remarks = False
