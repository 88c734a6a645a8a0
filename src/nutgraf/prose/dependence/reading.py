"""A reading of the words of a sentence: its connectives, its beginning, and what stands within it."""

from __future__ import annotations

import re
from typing import NamedTuple

from nutgraf.prose.dependence.cues import CAPITAL, SEEN, TOKEN, WORD, Cue, Cues
from nutgraf.prose.dependence.definite import definite_nouns
from nutgraf.prose.dependence.inside import initial_verb, nobody, pointer, thin
from nutgraf.prose.dependence.openings import opening_cue, speaker

_LABEL = re.compile(rf"{CAPITAL}\w*(?: {CAPITAL}\w*)?:\s")
_START = re.compile(r"[\s\"“”„«»‹›‘’'(\[¡¿…–—•*·-]*(?:\(?(?:\d{1,3}|[a-z])[.)]\s+)?")
_AFTER_CUT = re.compile(r"[,\s]*")


class Reading(NamedTuple):
    """Cues that the words of a sentence give.

    Attributes:
        cue: What it leans on another sentence by, if it does.
        connective: Characters of a connective that may be left out.
        words: The connective.
        weak: If it has no cue, those that count only if an earlier sentence has what they may stand for: nouns with a
            definite article, and that it says too little.
    """

    cue: Cue | None = None
    connective: int = 0
    words: str = ""
    weak: tuple[Cue, ...] = ()


def read(printed: str, cues: Cues) -> Reading:
    """Return what the words of a printed sentence say about its dependence."""
    label = _LABEL.match(printed)
    at = _START.match(printed, label.end() if label else 0).end()  # type: ignore[union-attr]
    text = printed[: at + SEEN].replace("’", "'")
    first = text[at : at + 1].lower()
    text = text[:at] + first + text[at + 1 :] if len(first) == 1 else text
    end = _without_connectives(text, at, cues)
    words = text[at:end].rstrip(" ,")
    cue = opening_cue(text, end, cues)
    weakly = cue is not None and cue.noun != "" and cue.kind != "series"
    nouns, tokens = [cue] if cue and weakly else [], tuple[str, ...]()
    if cue is None or weakly:
        tokens = tuple(TOKEN.findall(text, end))
        cue = speaker(printed, cues) or pointer(text, end, tokens, cues)
        if cue is None and printed[at : at + 1].isupper() and tokens:
            cue = nobody(tokens, cues)
    alone = at == 0 and WORD.search(text, end) is not None
    if words and not (cue or alone):
        cue = Cue("connective", words)
    weak = (
        ()
        if cue
        else (*nouns, *definite_nouns(tokens, cues), *initial_verb(tokens, cues), *thin(text, end, tokens, cues))
    )
    return Reading(cue, end, words, weak) if words and alone else Reading(cue, weak=weak)


def _without_connectives(text: str, at: int, cues: Cues) -> int:
    """Return where a sentence begins behind the connectives that can be left out."""
    for _ in range(2):
        found = cues.opening(text, at, ("cut",))
        if found is None:
            break
        at = _AFTER_CUT.match(text, found[1]).end()  # type: ignore[union-attr]
    return at
