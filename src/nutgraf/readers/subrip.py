"""SubRip captions."""

from __future__ import annotations

import re

from nutgraf.presets.family import NoOptions
from nutgraf.readers import Reader
from nutgraf.readers._captions import read_captions
from nutgraf.readers._decode import decode, is_binary, sample
from nutgraf.text.document import Document

_FIRST_CUE = re.compile(r"\ufeff?\s*\d+\s*\n\s*\d{1,2}:\d{2}:\d{2}[,.]\d{1,3}\s*-->")


class Subrip(Reader):
    """One Document with turns; a sentence may run over several cues."""

    suffixes = (".srt",)

    def __init__(self, config: NoOptions | None = None) -> None:
        pass

    def recognizes(self, data: bytes, suffix: str) -> float:
        """Recognize a number with a line of times below it."""
        if is_binary(data):
            return 0.0
        if _FIRST_CUE.match(sample(data)):
            return 0.95
        return 0.85 if suffix in self.suffixes else 0.0

    def read(self, data: bytes, name: str, language: str | None = None) -> list[Document]:
        """Read the document; see `Reader`."""
        return [read_captions(decode(data, name), name, language, remarks=False)]
