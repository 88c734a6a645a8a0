"""English words that say the opposite of each other, where all around them is the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from nutgraf.text.irregular import base_forms
from nutgraf.text.language import stemmer

_PAIRS = (
    ("rise increase grow climb gain", "fall decrease decline drop shrink sink"),
    ("raise lift", "lower cut reduce"),
    ("win", "lose"),
    ("more", "less fewer"),
    ("most", "least fewest"),
    ("higher", "lower"),
    ("highest", "lowest"),
    ("larger bigger", "smaller"),
    ("largest biggest", "smallest"),
    ("stronger", "weaker"),
    ("faster quicker", "slower"),
    ("longer", "shorter"),
    ("older elder", "younger"),
    ("oldest eldest", "youngest"),
    ("better", "worse"),
    ("best", "worst"),
    ("strongest", "weakest"),
    ("longest", "shortest"),
    ("longer", "shorter"),
    ("fastest quickest", "slowest"),
    ("earliest", "latest"),
    ("heaviest", "lightest"),
    ("warmest hottest", "coldest coolest"),
    ("richest", "poorest"),
    ("cheapest", "dearest"),
    ("hardest", "easiest"),
    ("harder", "easier"),
    ("nearest closest", "farthest furthest"),
    ("raise lower change", "unchanged"),
    ("earlier", "later"),
    ("before", "after"),
    ("above", "below"),
    ("inside", "outside"),
    ("with", "without"),
    ("approve accept endorse", "reject refuse decline"),
    ("support back propose", "oppose"),
    ("allow permit", "ban forbid prohibit"),
    ("agree", "disagree"),
    ("confirm", "deny"),
    ("begin start", "end stop"),
    ("open", "close shut"),
    ("buy", "sell"),
    ("borrow", "lend"),
    ("arrive", "depart leave"),
    ("enter join", "leave quit"),
    ("hire", "fire dismiss"),
    ("import", "export"),
    ("succeed", "fail"),
    ("pass", "fail"),
    ("improve", "worsen deteriorate"),
    ("strengthen", "weaken"),
    ("expand", "contract shrink"),
    ("profit", "loss"),
    ("surplus", "deficit"),
    ("majority", "minority"),
    ("maximum", "minimum"),
    ("guilty", "innocent"),
    ("convict", "acquit"),
    ("alive", "dead"),
    ("legal", "illegal"),
    ("lawful", "unlawful"),
    ("safe", "unsafe dangerous"),
    ("possible", "impossible"),
    ("likely", "unlikely"),
    ("public", "private"),
    ("male", "female"),
    ("man men", "woman women"),
    ("husband", "wife"),
    ("father", "mother"),
    ("brother", "sister"),
    ("son", "daughter"),
    ("left", "right"),
    ("north northern", "south southern"),
    ("east eastern", "west western"),
    ("positive", "negative"),
    ("benign", "malignant"),
    ("acute", "chronic"),
    ("true", "false"),
    ("optional voluntary", "mandatory compulsory"),
    ("include", "exclude"),
    ("always", "never"),
    ("all every everyone everybody", "none some few several most"),
    ("everyone everybody everything", "nobody no-one nothing"),
    ("both", "neither"),
    ("many", "few"),
    ("will must shall", "may might could"),
    ("upper", "lower"),
    ("up", "down"),
    ("warm warmer", "cool cooler cold colder"),
    ("beneficial", "harmful"),
    ("widen", "narrow"),
    ("partly partially", "fully entirely completely wholly totally"),
    ("next", "last"),
    ("first", "second last"),
    ("admit", "deny"),
    ("double", "halve"),
    ("stay remain", "leave"),
    ("accept", "reject"),
    ("gain", "lose"),
    ("early", "late"),
    ("valid", "invalid"),
    ("morning", "evening"),
    ("summer", "winter"),
    ("uphold", "overturn quash dismiss reject"),
    ("grant", "deny refuse reject"),
    ("pass", "reject"),
    ("miss", "convert score"),
    ("exceed", "below"),
    ("welcome praise", "criticize criticise condemn"),
    ("arrest detain", "release free"),
    ("survive", "die"),
    ("add", "remove"),
    ("include", "omit"),
    ("encourage", "discourage"),
    ("cheaper", "dearer"),
    ("richer", "poorer"),
    ("wider", "narrower"),
    ("deeper", "shallower"),
    ("hotter", "colder"),
    ("heavier", "lighter"),
    ("wet wetter", "dry drier"),
    ("inner", "outer"),
    ("major", "minor"),
    ("senior", "junior"),
    ("domestic", "foreign"),
    ("urban", "rural"),
    ("indoors", "outdoors"),
    ("hypertension", "hypotension"),
    ("hyperglycemia hyperglycaemia", "hypoglycemia hypoglycaemia"),
    ("proponent supporter", "opponent"),
    ("victim", "culprit perpetrator"),
    ("effective", "ineffective"),
    ("significant", "insignificant"),
    ("successor", "predecessor"),
    ("known", "unknown"),
    ("succeed allow", "dismiss"),
    ("busy", "idle"),
)
"""Words of one side and of the other; a word may stand in several pairs."""


_DECISIVE = (
    "approve accept endorse adopt reject refuse convict acquit guilty innocent surplus deficit profit loss confirm "
    "deny win lose uphold overturn quash dismiss grant succeed agree disagree known unknown"
)
"""Words with an opposite that tell what came of something, which has one outcome."""


@cache
def decisive() -> frozenset[str]:
    """Return the stems of words that tell what came of something."""
    return frozenset(map(base_stem, _DECISIVE.split()))


def base_stem(word: str) -> str:
    """Return the stem of a lowercased English word, of an irregular form of a verb that of its base: "took", "take"."""
    return stemmer("en")(base_forms("verb").get(word, word))


@cache
def opposites() -> Mapping[str, frozenset[str]]:
    """The stems of the opposites of each stem."""
    return _gathered((side, against) for pair in _stems() for side, against in (pair, pair[::-1]))


@cache
def allies() -> Mapping[str, frozenset[str]]:
    """The other stems that stand on one side of a pair with each stem."""
    return _gathered((side, side) for pair in _stems() for side in pair)


def _stems() -> Iterator[tuple[list[str], list[str]]]:
    for one, other in _PAIRS:
        yield [base_stem(word) for word in one.split()], [base_stem(word) for word in other.split()]


def _gathered(sides: Iterable[tuple[Sequence[str], Sequence[str]]]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for side, with_it in sides:
        for stem in side:
            found.setdefault(stem, set()).update(with_it)
    return {stem: frozenset(with_it - {stem}) for stem, with_it in found.items()}
