"""Sentences that lean on the one before: they begin with a connective, an ordinal or a demonstrative.

Without what stands before it, a reader cannot follow "Third, …", "However, …" or "These …"; Paice 1990 (*Constructing
Literature Abstracts by Computer*) treats such references at length. The list is English; other languages have none yet.
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


def leans_on_previous(text: str, language: str) -> bool:
    """Return True if an English sentence begins with a word that points back to the sentence before it.

    >>> leans_on_previous("Third, the ferry was late.", "en"), leans_on_previous("The third ferry was late.", "en")
    (True, False)
    """
    return language == "en" and _LEANING.match(text) is not None
