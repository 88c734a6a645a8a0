"""WebVTT captions: https://www.w3.org/TR/webvtt1/."""

from __future__ import annotations

import re

from nutgraf.readers._captions import CaptionReader


class Webvtt(CaptionReader):
    """One Document with turns; a sentence may run over several cues."""

    suffixes = (".vtt", ".webvtt")
    signs = ((re.compile("\ufeff?WEBVTT"), 0.95),)
    remarks = True
