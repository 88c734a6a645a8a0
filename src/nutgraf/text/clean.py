"""Removal of characters that a text should not contain, and escaping of those that a terminal should not receive."""

from __future__ import annotations

import re

_LINE_END = re.compile(r"\r\n?")
_HALF = re.compile(r"[\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_CONTROL_BUT_LINES = re.compile(_CONTROL.pattern.replace("\x00-\x1f", "\x00-\x08\x0b-\x1f"))


def clean(text: str) -> str:
    r"""Normalize line ends to \n, remove NULs and replace lone surrogates by U+FFFD."""
    if "\r" in text:
        text = _LINE_END.sub("\n", text)
    return encodable(text.replace("\0", ""))


def encodable(text: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot encode, by U+FFFD; every character keeps its position."""
    return text if text.isascii() else _HALF.sub("\ufffd", text)


def visible(text: str, lines: bool = False) -> str:
    r"""Write control characters as escapes, such as `\x1b` and `\n`.

    These are the characters that move a terminal's cursor, change its colour or title (C0, DEL, C1), end a line, or
    change the direction of writing. A name that contains them could print lines that look like ours.

    Args:
        text: The text to show.
        lines: Keep line ends and tabs as they are.
    """
    pattern = _CONTROL_BUT_LINES if lines else _CONTROL
    return pattern.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)
