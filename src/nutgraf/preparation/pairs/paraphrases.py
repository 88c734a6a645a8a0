"""Paraphrases: sentences that follow from another one, in fewer or other words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random

from nutgraf.preparation.pairs.words import NUMBER, WORD, changes, names, synonyms, tag

LEAST_WORDS = 5
SPEECH = re.compile(r"^[\"“](?P<said>[^\"“”]+?)[,.]?[\"”],? (?:said|says) (?P<who>[^,.\"]{3,60})[,.]")
LEADING = re.compile(
    r"^(?:but|and|so|however|meanwhile|also|moreover|furthermore|in addition|still|yet|instead|then|indeed|in fact),? ",
    re.I,
)
ASIDES = (
    re.compile(r", (?:who|which|whose|where) [^,.;:]+,(?= )"),
    re.compile(r", (?:who|which|whose|where) [^,.;:]+(?=\.$)"),
    re.compile(r" \([^()]*\)"),
    re.compile(r", (?:a|an|the) [^,.;:]{3,60},(?= )"),
    re.compile(r", \w+ing [^,.;:]+(?=\.$)"),
    re.compile(r",? (?:according to|as reported by) [^,.;:]+(?=\.$)"),
    re.compile(r",? (?:said|says) [^,.;:]+(?=\.$)"),
    re.compile(r" (?:on )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)(?=[ .,])", re.I),
)
FRONTED = re.compile(
    r"^(?P<when>(?:in|on|at|after|during|last|since|under|for) [^,.;:]{2,40}), (?P<rest>[^;:\"]+)\.$", re.I
)
PASSIVE = re.compile(r"^(?P<one>[\w' ]{3,40}?) (?P<verb>\w+ed) (?P<other>(?:the |a |an )?[\w' ]{3,50})\.$")


def shortened(sentence: str, draw: Random) -> str | None:
    """Leave out a piece that a sentence can do without; None if there is none."""
    found = [one for one in _shorter(sentence) if len(WORD.findall(one)) >= LEAST_WORDS]
    return draw.choice(found) if found else None


def _shorter(sentence: str) -> Iterator[str]:
    if LEADING.match(sentence):
        yield _capital(LEADING.sub("", sentence, count=1), sentence)
    for pattern in ASIDES:
        for match in pattern.finditer(sentence):
            yield sentence[: match.start()] + sentence[match.end() :]


def _capital(text: str, like: str) -> str:
    return text[:1].upper() + text[1:] if like[:1].isupper() else text


def _synonym(sentence: str, draw: Random) -> Iterator[str]:
    pairs = [(old, new) for old, new in changes()["same"]]
    words = {match.group().lower() for match in WORD.finditer(sentence)}
    pairs += [(word, other) for word in sorted(words) for other in synonyms().get(word, ())]
    for old, new in pairs:
        if old not in sentence:
            continue
        for match in re.finditer(rf"(?<![\w-]){re.escape(old)}(?![\w-])", sentence):
            yield sentence[: match.start()] + new + sentence[match.end() :]


def _spoken(sentence: str, draw: Random) -> Iterator[str]:
    match = SPEECH.match(sentence)
    if match:
        said = match["said"]
        yield _capital(f'{match["who"]} said "{said}".', sentence)
        yield _capital(f"{match['who']} {draw.choice(['stated', 'remarked', 'declared'])}: {said}.", sentence)


def _moved(sentence: str, draw: Random) -> Iterator[str]:
    match = FRONTED.match(sentence)
    if match:
        when = match["when"][:1].lower() + match["when"][1:]
        yield f"{_capital(match['rest'], sentence)} {when}."


def _passive(sentence: str, draw: Random) -> Iterator[str]:
    match = PASSIVE.match(sentence)
    if not match or tag(match["verb"].lower()) not in ("VBD", "VBN") or not any(names(" " + match["one"])):
        return
    if re.search(r"\b(?:to|in|on|at|by|with|for|from|was|were|and|had|has)\b", f"{match['one']} {match['other']}"):
        return
    verb = "were" if match["other"].endswith("s") else "was"
    yield _capital(f"{match['other']} {verb} {match['verb']} by {match['one']}.", sentence)


def _countable(value: float, before: str, after: str) -> bool:
    """Return True for what may be rounded: no year, score, price or range."""
    bound = re.search(r"(?:than|about|of|at|over|under|to|[-–$£€#/:])\s*$", before) or re.match(
        r"\s*(?:[-–/:]|to\b)", after
    )
    return value >= 20 and not 1600 <= value <= 2100 and not bound


def _numbers(sentence: str) -> Iterator[tuple[float, int, str, str]]:
    """Yield each number that may be rounded, the power of ten that it is rounded to, and the text around it."""
    for match in NUMBER.finditer(sentence):
        value = float(match.group().replace(",", ""))
        before, after = sentence[: match.start()], sentence[match.end() :]
        if _countable(value, before, after):
            yield value, 10 ** (len(str(int(value))) - 1), before, after


def _rounded(sentence: str, draw: Random) -> Iterator[str]:
    for value, unit, before, after in _numbers(sentence):
        below, near = int(value // unit * unit), int(round(value / unit, 1 if value >= 100 else 0) * unit)
        if below < value:
            yield f"{before}more than {below:,}{after}"
            yield f"{before}fewer than {below + unit:,}{after}"
        if near != value:
            yield f"{before}{draw.choice(['about', 'around', 'roughly'])} {near:,}{after}"


_FORMS: tuple[Callable[[str, Random], Iterator[str]], ...] = (_synonym, _spoken, _moved, _passive, _rounded)


def paraphrased(sentence: str, draw: Random) -> str | None:
    """Say a sentence in other words; None if no rule does."""
    forms = list(_FORMS)
    draw.shuffle(forms)
    for form in forms:
        found = [one for one in form(sentence, draw) if one != sentence]
        if found:
            return draw.choice(found)
    return None


def misrounded(sentence: str, draw: Random) -> str | None:
    """Say a number to be above or below what it is not; None without a number."""
    for value, unit, before, after in _numbers(sentence):
        below = int(value // unit * unit)
        wrong = draw.choice(
            [f"more than {below + unit:,}", f"fewer than {below:,}" if below < value else f"more than {2 * below:,}"]
        )
        return before + wrong + after
    return None


def joined(one: str, other: str) -> str:
    """Make one sentence of two."""
    second = other if any(span.start == 0 for span in names(other)) else other[:1].lower() + other[1:]
    return f"{one.rstrip(' .!?')}, and {second}"
