"""Lines of a chat or transcript that a program writes, and nobody says: days, reactions, media left out, titles."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache

from nutgraf.text.late import Late
from nutgraf.text.stamps import date_pattern, words
from nutgraf.text.turns import Turn

LONGEST_NOTE = 110
"""Maximum number of characters of a line that a program writes."""

HIDDEN = "\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff"
"""Characters that show nothing, for a class of characters in a pattern."""

_END = Late(r"[.!?…。！？][\"'”’»)\]]*$")
_BETWEEN = Late(r"[-=_*]{3,}(?:\s.*)?|#\S+")
_SIGNS = Late(r"(?:[\s\d,+]|:[\w+-]+:|[\u2190-\u2bff\u3030-\u303d\ufe0f\u200d\U0001f000-\U000e007f])+")
_DIGITS = Late(r"[\d\s,.+]+")
_MEDIA = Late(rf"[{HIDDEN}]*<[^<>\n]{{3,60}}>|[{HIDDEN}]+.*|\S+\.\w{{2,4}} \([^()\n]+\)")


def is_note(line: str) -> bool:
    """Return True for a line that a program writes: a day, a reaction, a medium left out, "2 replies"."""
    if _MEDIA.fullmatch(line) or _BETWEEN.fullmatch(line):
        return True
    if len(line) > LONGEST_NOTE:
        return False
    signs = _SIGNS.fullmatch(line) is not None and _DIGITS.fullmatch(line) is None
    return signs or _notes().fullmatch(line) is not None


@cache
def _notes() -> re.Pattern[str]:
    day = rf"[\W_]*{date_pattern()}[\W_]*"
    return re.compile("|".join(f"(?:{one})" for one in [*words()["lines"], day]))


def head_start(text: str, lines: Sequence[tuple[int, int]], start: int) -> int:
    """Return where the lines begin that stand directly above the first label, and that no sentence ends."""
    for first, last in reversed(lines[: bisect_right(lines, (start, 0))]):
        if first < start and _END.search(text, first, last):
            break
        start = min(start, first)
    return start


def tail(text: str, lines: Sequence[tuple[int, int]], start: int, end: int) -> list[Turn]:
    """Return a turn without words that covers what nobody says between two places, and the lines below if none does.

    Args:
        text: The text.
        lines: Its lines.
        start: End of what is said last.
        end: End of the last message.
    """
    below = lines[bisect_right(lines, (end, 0)) :]
    if not any(_END.search(text, *line) and not is_note(text[slice(*line)].strip()) for line in below):
        end = len(text)
    return [Turn("", end, end, start)] if text[start:end].strip() else []
