"""Characters that no text should hold: line ends of other systems, NULs, halves of surrogate pairs."""

from __future__ import annotations

import re

_LINE_END = re.compile(r"\r\n?")
_HALF = re.compile(r"[\ud800-\udfff]")


def clean(text: str) -> str:
    r"""The text with \n as its only line end; NULs go, half surrogates become U+FFFD."""
    if "\r" in text:
        text = _LINE_END.sub("\n", text)
    return encodable(text.replace("\0", ""))


def encodable(text: str) -> str:
    """The text with U+FFFD for each half surrogate, which no file can hold. Every character keeps its place."""
    return text if text.isascii() else _HALF.sub("\ufffd", text)
