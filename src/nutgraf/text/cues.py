"""Words that tell what part a sentence plays: cue phrases and pronouns.

By cue phrases authors announce what is new, what they found, and what follows from it. Edmundson 1969 was the first to
weigh them; Teufel and Moens 2002 found that scientists use few and always the same.

What happens in a story is told of "him" and "her"; "I" and "you" are what its people say to each other, of which a
summary of the plot needs little.

The lists are ours and English, cue phrases also Chinese; other languages have none yet.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from nutgraf.text.late import Late

_WE = (
    "analy[sz]e|argue|conclude|demonstrate|describe|develop|evaluate|examine|find|found|introduce|investigate|"
    "present|propose|report|show|study|suggest"
)
_WORK = "analysis|approach|article|data|experiments?|findings?|method|model|paper|results?|study|system|thesis|work"

_ENGLISH = Late(
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

_AIMS = "观察|探讨|研究|分析|评价|提出|介绍|针对|设计|综述|论述|阐述|总结|比较|建立|了解|考察|讨论"
"""Chinese verbs of what authors do; without a subject before them they are the authors' own."""

_CHINESE = Late(
    rf"^目的|本文|本研究|文中|论文|(?:{_AIMS})了|(?<![^,，;；:：\s])(?:{_AIMS})"
    "|(?:结果|实验|仿真|计算|研究)(?:表明|显示|证明)"
)

_RESULTS = {
    "en": Late(
        r"""^(?:conclusions?|findings|interpretation|results)\s?[:—–-]
        | \b(?:
            we\ (?:also\ |further\ |then\ )?(?:conclude|demonstrate|find|found|observe|show)
          | (?:analyses|data|evaluations?|experiments|findings|results)
            \ (?:confirm|demonstrate|indicate|reveal|show|suggest)
          | achieves? | in\ conclusion | improves?\ (?:over|upon) | it\ is\ concluded | outperform\w*
        )\b""",
        re.IGNORECASE | re.VERBOSE,
    ),
    "zh": Late("(?:结果|实验|仿真|计算|研究)(?:表明|显示|证明)"),
}

_CUES = {"en": _ENGLISH, "zh": _CHINESE}

SPEAKING = frozenset(
    "i me my mine myself i'm i'll i've i'd you your yours yourself yourselves you're you'll you've you'd "
    "we us our ours ourselves we're we'll we've we'd let's".split()
)
"""Pronouns of the first and second person, and their contractions."""

TOLD = frozenset("he him his himself she her hers herself they them their theirs themselves".split())
"""Pronouns of the third person, for people."""

TOLD_WEIGHT = 0.3
"""Weight of a pronoun of the third person relative to one of the first or second."""


def cue_phrases(text: str, language: str) -> list[str]:
    """Cue phrases of a sentence as they stand in it; none unless its language is English or Chinese.

    >>> cue_phrases("Here we show that our model outperforms both.", "en")
    ['Here we show', 'our model', 'outperforms']
    """
    return _CUES[language].findall(text) if language in _CUES else []


def tells_result(text: str, language: str) -> bool:
    """Return True if a sentence tells what authors found; never unless its language is English or Chinese.

    >>> tells_result("We show that salt keeps.", "en"), tells_result("We study salt.", "en")
    (True, False)
    """
    return language in _RESULTS and _RESULTS[language].search(text) is not None


def narration(words: Sequence[str], language: str) -> float:
    """Return how far a sentence tells, rather than speaks: −1 if all its words are "I" and "you", at most 0.3.

    Args:
        words: Its words, lowercased.
        language: ISO 639-1 code; 0 for all but English.

    >>> narration(["you", "gave", "me", "nothing"], "en")
    -0.5
    """
    if language != "en" or not words:
        return 0.0
    told, speaking = _count(words, TOLD), _count(words, SPEAKING)
    return (TOLD_WEIGHT * told - speaking) / len(words)


def is_third_person(words: Sequence[str], language: str) -> bool:
    """Return True if a sentence has pronouns of the third person, and none of the first and second."""
    return language == "en" and _count(words, TOLD) > 0 and not _count(words, SPEAKING)


def _count(words: Sequence[str], pronouns: frozenset[str]) -> int:
    return sum(word in pronouns for word in words)
