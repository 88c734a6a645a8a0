"""The installed checker: a network that reads a summary beside the rules."""

from __future__ import annotations

from functools import cache

from nutgraf.entailment import NETWORK
from nutgraf.faithfulness.check import Checker
from nutgraf.inference.installed import find_network, lacking
from nutgraf.text.language import UNDETERMINED

LANGUAGES = ("en", UNDETERMINED)
"""Languages of sources that it reads unasked; it knows English."""

GAIN = "A network that has read would also say whether the sources support or contradict each sentence"
"""What would be better with it, for those who do not have it."""


def installed_checker(language: str) -> Checker | None:
    """Return the installed checker, if there is one and it knows a language.

    Args:
        language: Language of the sources.

    Raises:
        InputError: If the network is damaged.
    """
    return _opened() if language in LANGUAGES and find_network(NETWORK) else None


def lacking_checker(language: str) -> str | None:
    """Return a line that says what would be better with a checker; None where one is installed, or would not help."""
    return lacking(NETWORK, GAIN) if language in LANGUAGES else None


@cache
def _opened() -> Checker:
    from nutgraf.entailment.checker import open_checker

    return open_checker()
