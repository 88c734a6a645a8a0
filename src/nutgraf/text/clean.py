"""Characters that no text should hold (line ends of other systems, NULs, halves of surrogate pairs), and those that no
terminal should be given."""

from __future__ import annotations

import re

_LINE_END = re.compile(r"\r\n?")
_HALF = re.compile(r"[\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_CONTROL_BUT_LINES = re.compile(_CONTROL.pattern.replace("\x00-\x1f", "\x00-\x08\x0b-\x1f"))


def clean(text: str) -> str:
    r"""The text with \n as its only line end; NULs go, half surrogates become U+FFFD."""
    if "\r" in text:
        text = _LINE_END.sub("\n", text)
    return encodable(text.replace("\0", ""))


def encodable(text: str) -> str:
    """The text with U+FFFD for each half surrogate, which no file can hold. Every character keeps its place."""
    return text if text.isascii() else _HALF.sub("\ufffd", text)


def visible(text: str, lines: bool = False) -> str:
    r"""The text with control characters written as escapes, as `\x1b` and `\n`.

    These are what moves a terminal's cursor, colours it or sets its title (C0, DEL, C1), ends a line, or turns the
    direction of writing. A name that holds them could otherwise print lines that look like ours.

    Args:
        text: What is to be shown.
        lines: Whether line ends and tabs stay as they are.
    """
    pattern = _CONTROL_BUT_LINES if lines else _CONTROL
    return pattern.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)
