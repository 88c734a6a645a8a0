"""The book in a text of Project Gutenberg, which frames it with lines of asterisks and its licence."""

from __future__ import annotations

import re

from nutgraf.text.late import Late

_NAMES = ("Gutenberg", "GUTENBERG")
_START = Late(
    r"\*{3}\s?START OF TH(?:E|IS) PROJECT GUTENBERG[^*]{0,400}\*{3}|\*END\*? ?THE SMALL PRINT![^\n]*", re.IGNORECASE
)
_END = Late(
    r"\*{3}\s?END OF TH(?:E|IS) PROJECT GUTENBERG"
    r"|^[^\S\n]*End of (?:the |this )?Project Gutenberg['’]?s? "
    r"|^[^\S\n]*Section [1-5]\.\s+(?:General Terms of Use|(?:General )?Information about)\b[^.]{0,60}\s"
    r"Project\sGutenberg",
    re.IGNORECASE | re.MULTILINE,
)


def book_span(text: str) -> tuple[int, int]:
    """Start and end of the book: behind the line where it starts, and before the one where it ends or the licence.

    The whole text, if it is not of Project Gutenberg.

    >>> text = "*** START OF THE PROJECT GUTENBERG EBOOK *** On ice. *** END OF THE PROJECT GUTENBERG EBOOK ***"
    >>> text[slice(*book_span(text))]
    ' On ice. '
    """
    if not any(name in text for name in _NAMES):
        return 0, len(text)
    started = _START.search(text)
    begin = started.end() if started else 0
    ended = _END.search(text, begin)
    return begin, ended.start() if ended else len(text)
