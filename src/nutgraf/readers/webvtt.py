"""WebVTT captions: https://www.w3.org/TR/webvtt1/."""

from __future__ import annotations

from nutgraf.presets.family import NoOptions
from nutgraf.readers import Reader
from nutgraf.readers._captions import read_captions
from nutgraf.readers._decode import decode, is_binary, sample
from nutgraf.text.document import Document


class Webvtt(Reader):
    """One Document with turns; a sentence may run over several cues."""

    suffixes = (".vtt", ".webvtt")

    def __init__(self, config: NoOptions | None = None) -> None:
        pass

    def recognizes(self, data: bytes, suffix: str) -> float:
        """Recognize the first word, WEBVTT."""
        if is_binary(data):
            return 0.0
        if sample(data).removeprefix("\ufeff").startswith("WEBVTT"):
            return 0.95
        return 0.85 if suffix in self.suffixes else 0.0

    def read(self, data: bytes, name: str, language: str | None = None) -> list[Document]:
        """Read the document; see `Reader`."""
        return [read_captions(decode(data, name), name, language, remarks=True)]
