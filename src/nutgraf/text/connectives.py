"""Sentences that lean on the one before: they begin with a connective, an ordinal, a demonstrative or a pronoun.

Without what stands before it, a reader cannot follow "Third, …", "However, …" or "These …", and takes "Its revenue
rose" for that of somebody else; Paice 1990 (*Constructing Literature Abstracts by Computer*) treats such references at
length. The lists are English; other languages have none yet.
"""

from __future__ import annotations

import re

_LEANING = re.compile(
    r"""["'“‘`\s]*
    (?: (?: second|third|fourth|fifth|secondly|thirdly|fourthly|finally|lastly
          | however|moreover|furthermore|additionally|therefore|thus|hence|consequently|accordingly
          | nevertheless|nonetheless|similarly|likewise|conversely|otherwise|instead|besides|also
          | meanwhile|afterwards?|after\ that|at\ the\ same\ time
          | in\ addition|in\ contrast|by\ contrast|on\ the\ other\ hand|on\ the\ contrary|as\ a\ result
          | for\ example|for\ instance|in\ other\ words|in\ turn|in\ (?:this|that)\ (?:case|way)
        )(?:\s?,|\b(?=\s\w))
      | (?:but|yet|so|nor|these|those|such)\s
    )""",
    re.IGNORECASE | re.VERBOSE,
)


_PRONOUN = re.compile(
    r"""["'“‘`\s]*
    (?: (?:he|she|they|his|her|their|its|theirs|hers)\b
      | it\s(?!(?:is|was|will\ be|has\ been|would\ be|seems|appears|turns|takes|took)\b)
      | it\s(?:is|was|has\ been)\s(?:\w+ly\s)?\w{2,}ed\b(?!\sthat\b)
      | (?:this|that)\s(?:is|was|has|had|will|would|means|meant|came|comes|led|leads)\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
"""A subject that stands for what another sentence names; "it is likely" stands for nothing."""

PRONOUN = 2.0
"""How far a sentence leans that begins with a pronoun, where one with a connective leans by 1."""


def leaning(text: str, language: str) -> float:
    """Return how far an English sentence leans on the one before it, by the word with which it begins; else 0.

    >>> leaning("Third, the ferry was late.", "en"), leaning("Its revenue rose.", "en"), leaning("It is late.", "en")
    (1.0, 2.0, 0.0)
    """
    if language != "en":
        return 0.0
    return PRONOUN if _PRONOUN.match(text) else float(_LEANING.match(text) is not None)
