"""WebVTT captions: https://www.w3.org/TR/webvtt1/."""

from __future__ import annotations

import re

from nutgraf.readers._captions import CaptionReader


class Webvtt(CaptionReader):
    """One Document with turns; a sentence may run over several cues."""

    suffixes = (".vtt", ".webvtt")
    beginning = re.compile("\ufeff?WEBVTT")
    remarks = True
