"""Readers of formats that are text."""

from __future__ import annotations

from abc import abstractmethod

from nutgraf.readers import Reader
from nutgraf.readers._decode import is_binary


class TextReader(Reader):
    """Reads a format that is text; it never recognizes a binary file."""

    def recognizes(self, data: bytes, suffix: str) -> float:
        """Recognize the format in a text; see `Reader`."""
        return 0.0 if is_binary(data) else self.recognizes_text(data, suffix)

    @abstractmethod
    def recognizes_text(self, data: bytes, suffix: str) -> float:
        """Confidence, from 0 to 1, that a text is in this format; see `recognizes`."""
