"""Sentences in which a language model speaks to whoever asked, not of the text: "Sure! Here is your summary:"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

QUOTED = 60
"""Characters of such a sentence that a notice quotes."""

_ADDRESSED = re.compile(
    r"""(?:sure|certainly|of\ course|absolutely|okay|ok|gladly)(?:[!.]|[,:]?\ (?:here|i|let|below)\b)
    | (?:here(?:['’]s|\ is|\ are)|below\ (?:is|are)|the\ following\ is|this\ is)\ .{0,80}?
      \b(?:summar(?:y|ies)|overview|recap|(?:key|main|bullet)\ points)\b
    | (?:please\ )?(?:let\ me\ know|feel\ free)\b
    | (?:i\ )?hope\ (?:this|that|it)\ (?:helps|is\ helpful|is\ useful)\b
    | (?:would|do)\ you\ (?:like|want)\ (?:me|a|an|to|more)\b
    | is\ there\ anything\ else\b
    | if\ you\b.{0,80}?\b(?:let\ me\ know|feel\ free|just\ ask)\b
    | i(?:['’]m|\ am|\ can|\ could|['’]d|\ would|['’]ll|\ will)\ (?:also\ )?(?:be\ )?(?:happy|glad)\ to
      \ (?:adjust|assist|elaborate|expand|help|provide|shorten)
    | as\ an\ ai\b""",
    re.IGNORECASE | re.VERBOSE,
)


def is_addressed(sentence: str) -> bool:
    """Return True if an English sentence looks like one of an assistant to its user.

    >>> is_addressed("Here's a short summary: Four boats left."), is_addressed("Let me know if you need more!")
    (True, True)
    >>> is_addressed("Here is the harbour."), is_addressed("Sure of his crew, the captain left.")
    (False, False)
    """
    return _ADDRESSED.match(sentence.lstrip("*_\"“' ")) is not None


def notice_of_address(sentences: Iterable[str]) -> Iterator[str]:
    """Yield a notice that names the sentences that look addressed to the user, if there are any."""
    found = [one if len(one) <= QUOTED else f"{one[: QUOTED - 1].rstrip()}…" for one in sentences if is_addressed(one)]
    if found:
        quoted = ", ".join(f"“{one}”" for one in dict.fromkeys(found))
        yield f"The model's answer has words that look addressed to you, and they stand in the summary: {quoted}."
