"""Due dates: the date or time in an utterance, as it was said."""

from __future__ import annotations

import re

from nutgraf.meetings.cues import Cues
from nutgraf.text.tokenize import token_spans

_NUMBER = re.compile(r"\d{1,4}(?:st|nd|rd|th|er|º|ª)?|\d{1,2}[.:]\d{2}|\d{1,2}(?:am|pm)", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s,.'’/-]*")

DATED, LINKED, NUMBERED = "date", "link", "number"


def due(text: str, language: str, cues: Cues) -> str:
    """Return the last date of an utterance with the preposition before it; "" if it has none.

    >>> from nutgraf.meetings.cues import cues_of
    >>> due("I'll send it by Friday noon, I think.", "en", cues_of("en"))
    'by Friday noon'
    """
    spans = [span for span in token_spans(text, language=language) if any(map(str.isalnum, text[slice(*span)]))]
    said = [text[start:end].lower().replace("’", "'") for start, end in spans]
    kinds = ["" for _ in said]
    for kind, first, end in cues.found(said):
        if kind in (DATED, LINKED):
            kinds[first:end] = [kind if kinds[at] != DATED else DATED for at in range(first, end)]
    kinds = [NUMBERED if not kind and _NUMBER.fullmatch(word) else kind for kind, word in zip(kinds, said, strict=True)]
    found, at = "", 0
    while at < len(said):
        end = at
        while (
            end < len(said) and kinds[end] and (end == at or _BETWEEN.fullmatch(text, spans[end - 1][1], spans[end][0]))
        ):
            end += 1
        if DATED in kinds[at:end]:
            last = max(one for one in range(at, end) if kinds[one] != LINKED)
            found = text[spans[at][0] : spans[last][1]]
        at = max(end, at + 1)
    return found
