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


def leans_on_previous(text: str, language: str) -> bool:
    """Return True if an English sentence begins with a connective that points back to the sentence before it.

    >>> leans_on_previous("Third, the ferry was late.", "en"), leans_on_previous("The third ferry was late.", "en")
    (True, False)
    """
    return language == "en" and _LEANING.match(text) is not None


def begins_with_pronoun(text: str, language: str) -> bool:
    """Return True if an English sentence begins with a pronoun for what another sentence names.

    >>> begins_with_pronoun("Its revenue rose.", "en"), begins_with_pronoun("It is likely.", "en")
    (True, False)
    """
    return language == "en" and _PRONOUN.match(text) is not None
