"""Characters that no text should hold: line ends of other systems, NULs, halves of surrogate pairs."""

from __future__ import annotations

import re

_LINE_END = re.compile(r"\r\n?")
_UNPRINTABLE = re.compile(r"[\x00\ud800-\udfff]")


def clean(text: str) -> str:
    r"""The text with \n as its only line end; NULs go, half surrogates (which no file can hold) become U+FFFD."""
    if "\r" in text:
        text = _LINE_END.sub("\n", text)
    return _UNPRINTABLE.sub(lambda match: "" if match.group() == "\0" else "\ufffd", text)
