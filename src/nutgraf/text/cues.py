"""Cue phrases: words by which authors announce what is new, what they found, and what follows from it.

Edmundson 1969 was the first to weigh them; Teufel and Moens 2002 found that scientists use few and always the same.
The lists are ours, English and Chinese; other languages have no cue phrases yet.
"""

from __future__ import annotations

import re

_WE = (
    "analy[sz]e|argue|conclude|demonstrate|describe|develop|evaluate|examine|find|found|introduce|investigate|"
    "present|propose|report|show|study|suggest"
)
_WORK = "analysis|approach|article|data|experiments?|findings?|method|model|paper|results?|study|system|thesis|work"

_ENGLISH = re.compile(
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

_CHINESE = re.compile(
    "本文|本研究|文中|论文|提出了?|(?:结果|实验|仿真|计算|研究)(?:表明|显示|证明)|(?:研究|探讨|分析|阐述|总结)了|^(?:目的|针对)"
)

_CUES = {"en": _ENGLISH, "zh": _CHINESE}


def cue_phrases(text: str, language: str) -> list[str]:
    """Cue phrases of a sentence as they stand in it; none unless its language is English or Chinese.

    >>> cue_phrases("Here we show that our model outperforms both.", "en")
    ['Here we show', 'our model', 'outperforms']
    """
    return _CUES[language].findall(text) if language in _CUES else []
