"""Corruptions: a sentence is changed in one place, so that it says what its evidence denies.

Each change can also be made in the evidence. The sentence as it was then contradicts the changed evidence, and the
changed sentence follows from it: so nothing in a sentence alone tells a network that it was changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from random import Random

from nutgraf.preparation.pairs.words import (
    NUMBER,
    SMALL,
    WORD,
    Span,
    antonyms,
    changes,
    exchanged,
    names,
    replaced,
    tag,
)  # fmt: skip
from nutgraf.text.dictionary import english_tag
from nutgraf.text.irregular import base_forms

AUXILIARY = re.compile(
    r"\b(is|are|was|were|has|have|had|will|would|can|could|should|may|might|did|does|do|must)\b(?! not\b|n't)", re.I
)
NEGATION = re.compile(r"(?:(?<=\w) (?:not|never)\b|n['’]t\b)")
PLACE = re.compile(r"\b(?:in|at|from|near|to|of)\s+(?:the\s+)?$", re.I)
FINITE, VERBS = ("VBD", "VBZ", "MD"), ("VB", "MD")
LONGEST_SUBJECT = 6


@dataclass(frozen=True)
class Change:
    """A change of a sentence.

    Attributes:
        kind: What was changed.
        sentence: The sentence after it.
        evidence: Makes the same change in the evidence; None where that cannot be done.
    """

    kind: str
    sentence: str
    evidence: Callable[[str], str] | None = None


def corrupt(sentence: str, evidence: str, draw: Random) -> Change | None:
    """Return a change of a sentence that its evidence denies, drawn by kind; None if there is none."""
    kinds = list(_KINDS)
    draw.shuffle(kinds)
    kinds.sort(key=lambda kind: -(draw.random() ** (1 / _KINDS[kind][1])))
    for kind in kinds:
        found = [one for one in _KINDS[kind][0](sentence, evidence, draw) if one.sentence != sentence]
        if found:
            return draw.choice(found)
    return None


def _within_text(text: str, old: str, new: str) -> str:
    return text.replace(old, new)


def _put(text: str, span: Span, new: str) -> str:
    new = new[:1].upper() + new[1:] if span.text[:1].isupper() else new
    return text[: span.start] + new + text[span.end :]


def _spans(text: str, words: str) -> Iterator[Span]:
    if words not in text.lower():
        return
    for match in re.finditer(rf"(?<![\w-]){re.escape(words)}(?![\w-])", text, re.I):
        yield Span(match.start(), match.end(), match.group())


def _number(sentence: str, evidence: str, draw: Random) -> Iterator[Change]:
    others = [match.group() for match in NUMBER.finditer(evidence)]
    for match in NUMBER.finditer(sentence):
        old, span = match.group(), Span(match.start(), match.end(), match.group())
        like = [one for one in others if one not in sentence and _year(one) == _year(old) and one != old]
        new = draw.choice(like) if like and draw.random() < 0.5 else _nudged(old, draw)
        if new != old and new not in sentence:
            yield Change("number", _put(sentence, span, new), partial(replaced, old=old, new=new))
    for row, kind in ((changes()["numbers"], "number"), (changes()["ordinals"], "ordinal")):
        for old in row:
            for span in _spans(sentence, old):
                new = draw.choice([one for one in row if one != old])
                yield Change(kind, _put(sentence, span, new), partial(replaced, old=old, new=new))


def _year(number: str) -> bool:
    return re.fullmatch(r"(?:1[6-9]|20)\d\d", number) is not None


def _nudged(number: str, draw: Random) -> str:
    """Return a number of the same form, near or far."""
    value = float(number.replace(",", ""))
    if _year(number):
        return str(int(value) + draw.choice([-10, -5, -3, -2, -1, 1, 2, 3, 5, 10]))
    if "." in number:
        digits = len(number.split(".")[1])
        return f"{max(0.1, value * draw.choice([0.1, 0.5, 0.7, 1.3, 2, 10]) + draw.choice([-1, 0, 1])):,.{digits}f}"
    changed = value * draw.choice([0.1, 0.5, 0.8, 1.2, 1.5, 2, 3, 10]) + draw.choice([-2, -1, 0, 1, 2, 5])
    changed = round(changed, -2) if value >= 1000 and value % 100 == 0 else changed
    changed = abs(int(changed)) if int(changed) != value else value + 3
    return f"{int(changed):,}" if "," in number else str(int(changed))


def _name(sentence: str, evidence: str, draw: Random) -> Iterator[Change]:
    there = list(names(evidence))
    for span in names(sentence):
        own = set(span.text.lower().split())
        place = PLACE.search(sentence[: span.start]) is not None
        others = [
            one.text
            for one in there
            if not own & set(one.text.lower().split())
            and one.text.lower() not in sentence.lower()
            and (PLACE.search(evidence[: one.start]) is not None) == place
        ]
        if others and any(word in evidence.lower() for word in own):
            new = draw.choice(others)
            yield Change(
                "name",
                sentence[: span.start] + new + sentence[span.end :],
                partial(exchanged, old=span.text, new=new),
            )


def _roles(sentence: str, evidence: str, draw: Random) -> Iterator[Change]:
    found = list(names(sentence))
    for one, other in pairwise(found):
        between = WORD.findall(sentence[one.end : other.start].lower())
        same = set(one.text.lower().split()) & set(other.text.lower().split())
        if not same and any(tag(word).startswith(VERBS) for word in between) and "and" not in between:
            swapped = sentence[: one.start] + other.text + sentence[one.end : other.start] + one.text
            yield Change(
                "roles",
                swapped + sentence[other.end :],
                partial(exchanged, old=one.text, new=other.text),
            )


def _negated(sentence: str, evidence: str, draw: Random) -> Iterator[Change]:
    """Deny what is said."""
    match = AUXILIARY.search(sentence)
    if match and match.end() < len(sentence) - 1:
        word = match.group()
        short = {"will": "won't", "can": "can't"}.get(word, f"{word}n't")
        for new in (f"{word} not", short) if word not in ("may", "might") else (f"{word} not",):
            changed = sentence[: match.start()] + new + sentence[match.end() :]
            yield Change("negation", changed, partial(_within_text, old=sentence, new=changed))
    for span, base in _verbs(sentence)[:2]:
        for new in (f"did not {base}", f"never {span.text}", f"failed to {base}", f"refused to {base}"):
            changed = sentence[: span.start] + new + sentence[span.end :]
            yield Change("negation", changed, partial(_within_text, old=sentence, new=changed))


def _verbs(sentence: str) -> list[tuple[Span, str]]:
    """Return the verbs of a sentence in the past, with their bases."""
    found = []
    previous = ""
    for match in WORD.finditer(sentence):
        word = match.group()
        if word.islower() and tag(word) == "VBD" and tag(previous) not in ("VBD", "VBZ", "MD", "VBP"):
            base = _base(word)
            if base:
                found.append((Span(match.start(), match.end(), word), base))
        previous = word.lower()
    return found


@cache
def _base(word: str) -> str | None:
    if word in ("was", "were", "had", "did"):
        return None
    candidates = [base_forms("verb").get(word, "")]
    if word.endswith("ied"):
        candidates.append(word[:-3] + "y")
    if word.endswith("ed"):
        candidates += [word[:-2], word[:-1]]
        if len(word) > 5 and word[-3] == word[-4]:
            candidates.append(word[:-3])
    return next((one for one in candidates if one and (english_tag(one) or "").startswith(("VB", "NN"))), None)


def _affirmed(sentence: str, evidence: str, draw: Random) -> Iterator[Change]:
    """Say what is denied."""
    for match in NEGATION.finditer(sentence):
        before = sentence[: match.start()]
        before = re.sub(r"\bca$", "can", re.sub(r"\bwo$", "will", before)) if "'" in match.group() else before
        changed = before + sentence[match.end() :]
        yield Change("negation", changed, partial(_within_text, old=sentence, new=changed))


def _antonym(sentence: str, evidence: str, draw: Random) -> Iterator[Change]:
    for match in WORD.finditer(sentence):
        for new in antonyms().get(match.group().lower(), ()):
            span = Span(match.start(), match.end(), match.group())
            changed = _put(sentence, span, new)
            yield Change("antonym", changed, _in_copy(sentence, changed, span.text, new, evidence))


def _in_copy(old: str, new: str, word: str, other: str, evidence: str) -> Callable[[str], str] | None:
    """Return the change of the evidence: in the sentence itself, or of the word if it stands there once."""
    if old in evidence:
        return lambda text: text.replace(old, new)
    if len(list(_spans(evidence, word))) == 1 and not list(_spans(evidence, other)):
        return lambda text: replaced(text, word, other)
    return None


def _phrase(sentence: str, evidence: str, draw: Random) -> Iterator[Change]:
    for old, new in changes()["one_way"]:
        for span in _spans(sentence, old):
            changed = _put(sentence, span, new)
            yield Change(f"phrase:{old}", changed, _in_copy(sentence, changed, span.text, new, evidence))


def _calendar(sentence: str, evidence: str, draw: Random) -> Iterator[Change]:
    yield from _within(changes()["calendar"], "date", sentence, draw)


def _unit(sentence: str, evidence: str, draw: Random) -> Iterator[Change]:
    yield from _within(changes()["units"], "unit", sentence, draw)


def _within(rows: list[list[str]], kind: str, sentence: str, draw: Random) -> Iterator[Change]:
    for row in rows:
        for old in row:
            for span in _spans(sentence, old):
                new = draw.choice([one for one in row if one != old])
                yield Change(kind, _put(sentence, span, new), partial(exchanged, old=old, new=new))


PRONOUNS = {"he": "she", "she": "he", "his": "her", "him": "her", "himself": "herself", "herself": "himself"}


def _pronoun(sentence: str, evidence: str, draw: Random) -> Iterator[Change]:
    both = {word.lower() for word in WORD.findall(evidence)} >= {"he", "she"}
    found = {word.lower() for word in WORD.findall(sentence)} & PRONOUNS.keys()
    if found and not both:
        changed = re.sub(r"\b\w+\b", lambda match: _turned(match.group()), sentence)
        yield Change("pronoun", changed, lambda text: re.sub(r"\b\w+\b", lambda match: _turned(match.group()), text))


def _turned(word: str) -> str:
    new = PRONOUNS.get(word.lower(), {"her": "his"}.get(word.lower(), word))
    return new.capitalize() if word[:1].isupper() else new


def _merged(sentence: str, evidence: str, draw: Random) -> Iterator[Change]:
    """Give the act of one to another who is named beside it."""
    end = _subject(sentence)
    if end is None:
        return
    own = set(sentence[:end].lower().split())
    for other in re.split(r"(?<=[.!?])\s+", evidence):
        stop = _subject(other)
        if stop is not None and not own & (set(other[:stop].lower().split()) - SMALL) and other[:stop] not in sentence:
            yield Change("merge", other[:stop] + sentence[end:])


def _subject(sentence: str) -> int | None:
    """Return where a short subject with a name ends, before a verb."""
    for number, match in enumerate(WORD.finditer(sentence)):
        word = match.group().lower()
        if number and word not in SMALL - {"is", "was", "has", "had", "will"} and tag(word) in FINITE:
            subject = sentence[: match.start()].rstrip()
            return len(subject) if any(names(" " + subject)) and subject[-1].isalnum() else None
        if number >= LONGEST_SUBJECT:
            return None
    return None


_KINDS: dict[str, tuple[Callable[[str, str, Random], Iterator[Change]], float]] = {
    "number": (_number, 1.0),
    "name": (_name, 1.2),
    "roles": (_roles, 0.8),
    "negated": (_negated, 0.7),
    "affirmed": (_affirmed, 1.2),
    "antonym": (_antonym, 1.4),
    "phrase": (_phrase, 1.2),
    "calendar": (_calendar, 0.8),
    "unit": (_unit, 0.8),
    "pronoun": (_pronoun, 0.15),
    "merged": (_merged, 1.2),
}
"""Kinds of changes, and how readily each is drawn."""
