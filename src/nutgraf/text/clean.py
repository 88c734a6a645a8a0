"""Removal of characters that a text should not contain, and escaping of those that a terminal should not receive."""

from __future__ import annotations

from nutgraf.text.late import Late

_LINE_END = Late(r"\r\n?")
_HALF = Late(r"[\ud800-\udfff]")
_CONTROL = Late("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_CONTROL_BUT_LINES = Late(_CONTROL.pattern.replace("\x00-\x1f", "\x00-\x08\x0b-\x1f"))

# ECMA-48: control strings (8.3.89 and the like, and a title of xterm that ends with BEL), control sequences (5.4) and
# escape sequences (5.3). Of a string without an end only the beginning goes, so that no text does. The one-character
# forms need parameters: decoded wrongly, other letters become the same characters.
_SEQUENCE = Late(
    "\x1b[\\]PX^_][^\x07\x1b\x9c\n]*(?:\x07|\x1b\\\\|\x9c)|\x9d\\d+;[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\\\|\x9c)"
    "|(?:\x1b\\[[0-?]*|\x9b[0-?]+)[ -/]*[@-~]|\x1b[\\]PX^_](?:\\d+;)*|\x1b[ -/]*[0-~]"
)


def clean(text: str) -> str:
    r"""Normalize line ends to \n, remove NULs and terminal sequences, and replace lone surrogates by U+FFFD."""
    if "\r" in text:
        text = _LINE_END.sub("\n", text)
    return encodable(without_sequences(text.replace("\0", ""))[0])


def without_sequences(text: str) -> tuple[str, int]:
    """Remove what moves the cursor of a terminal, or changes its colours or title, as a whole.

    Returns:
        The text, and the number of sequences.
    """
    return _SEQUENCE.subn("", text) if "\x1b" in text or "\x9b" in text or "\x9d" in text else (text, 0)


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


def with_plain_apostrophes(text: str) -> str:
    """Return a text with ' for every ’, at the same places.

    >>> with_plain_apostrophes("won’t")
    "won't"
    """
    return text.replace("’", "'")


_VARIANTS = str.maketrans("\u017f\u0131\u0130\u212a", "siIK")


def with_plain_letters(text: str) -> str:
    """Return a text with s, i and K for the letters that patterns without case take for them, at the same places.

    >>> with_plain_letters("half past \u017fix")
    'half past six'
    """
    return text.translate(_VARIANTS)
