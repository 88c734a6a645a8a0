"""Cue phrases: words by which authors announce what is new, what they found, and what follows from it.

Edmundson 1969 was the first to weigh them; Teufel and Moens 2002 found that scientists use few and always the same.
The list is ours and English; other languages have no cue phrases yet.
"""

from __future__ import annotations

import re

_WE = (
    "analy[sz]e|argue|conclude|demonstrate|describe|develop|evaluate|examine|find|found|introduce|investigate|"
    "present|propose|report|show|study|suggest"
)
_WORK = "analysis|approach|article|data|experiments?|findings?|method|model|paper|results?|study|system|thesis|work"

_CUES = re.compile(
    rf"""^(?:conclusions?|findings|interpretation|results)\s?[:—–-]
    | \b(?:
        (?:here[ ,]+)?we\ (?:also\ |further\ |then\ )?(?:{_WE})
      | (?:in\ )?(?:this|the\ present)\ (?:article|paper|study|thesis|work)
      | our\ (?:{_WORK})
      | (?:results|findings|data|experiments|analyses)\ (?:demonstrate|indicate|reveal|show|suggest)
      | in\ (?:conclusion|summary)
      | (?:aim|goal|objective|purpose)\ of
      | it\ is\ concluded
      | novel | outperforms? | state[- ]of[- ]the[- ]art | significant(?:ly)?
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)


def cue_phrases(text: str, language: str) -> list[str]:
    """Cue phrases of a sentence as they stand in it; none unless its language is English.

    >>> cue_phrases("Here we show that our model outperforms both.", "en")
    ['Here we show', 'our model', 'outperforms']
    """
    return _CUES.findall(text) if language == "en" else []
