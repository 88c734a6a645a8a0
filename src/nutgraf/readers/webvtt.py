"""WebVTT captions: https://www.w3.org/TR/webvtt1/."""

from __future__ import annotations

from nutgraf.readers._captions import CaptionReader


class Webvtt(CaptionReader):
    """One Document with turns; a sentence may run over several cues."""

    suffixes = (".vtt", ".webvtt")
    remarks = True

    def begins(self, text: str) -> bool:
        """Recognize the first word."""
        return text.removeprefix("\ufeff").startswith("WEBVTT")
