"""How many errors that were planted in people's summaries the rules of `nutgraf check` find, by kind.

    python benchmarks/planted.py [--data ../shared/data] [--split validation] [--limit 300] [--missed number]

Each error changes one place of a sentence in which the rules had found nothing, and is found if a flag touches that
place; of a negation, if the sentence has one. Twelve kinds:

    number             another number of as many figures, two at least, that the sources do not have
    number of another  another number that the sources have elsewhere
    unit               another unit behind the number, or "billion" for "million"
    date               another month, or another day of the month
    year               another year, which the sources do not have
    name               a name of another text, which the sources do not have
    name of another    another name of the sources, of as many words
    quotation          another word between quotation marks
    negation           "not" put in or taken out
    swap               two names of the sentence exchanged, but not in a list
    opposite           the opposite of a word: "fell" for "rose"
    noun               a word of another text for one that the sources have

The draw is seeded by the kind and the sentence, so that it is the same whatever the rules flag elsewhere. Errors of
networks look different, and are counted by `faithfulness.py`: planted ones flatter.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import _data

from faithfulness import HUMAN, read
from nutgraf.faithfulness.check import checked_sentences
from nutgraf.faithfulness.quantities import quantities
from nutgraf.faithfulness.sources import Sources
from nutgraf.text.document import Document, join

MONTHS = (
    "January February March April May June July August September October November December"
).split()  # fmt: skip
UNITS = {
    "million": "billion", "billion": "million", "thousand": "million", "kilometers": "miles", "miles": "kilometers",
    "hours": "days", "days": "weeks", "weeks": "months", "months": "years", "years": "months", "minutes": "hours",
    "feet": "inches", "meters": "feet", "pounds": "dollars", "percent": "points", "dollars": "pounds",
}  # fmt: skip
OPPOSITES = (
    "rose fell, increased decreased, increase decrease, higher lower, more less, before after, won lost, always never, "
    "accepted rejected, approved rejected, allowed banned, largest smallest, best worst, better worse, gained lost, "
    "opened closed, began ended, guilty innocent, supported opposed, above below, over under, most least, many few, "
    "up down, high low, strong weak, early late, male female, public private"
)
NO_NAMES = "|".join([month[:3] for month in MONTHS] + "Sept Mr Mrs Ms Dr Gov Sen Rep".split()) + r"|\w+day|I\b"
NAME = re.compile(rf"(?<=[a-z,] )(?!{NO_NAMES})[A-Z][a-z]+(?: [A-Z][a-z]+)*")
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
DAY = re.compile(rf"\b(?P<month>{'|'.join(MONTHS)})\b(?: (?P<day>\d\d?)\b(?!,?\d))?")
QUOTED = re.compile(r"[“\"]([^“”\"]{12,})[”\"]")
BE = re.compile(r"\b(?:is|are|was|were|has|have|had|will|would|could|should|can|did|does)\b(?: not\b)?")


@dataclass(frozen=True)
class Text:
    """A summary's sources, and what planting needs of them and of another text."""

    text: str
    words: frozenset[str]
    numbers: tuple[str, ...]
    names: tuple[str, ...]
    foreign_names: tuple[str, ...]
    foreign_words: tuple[str, ...]


Planting = tuple[int, int, str]
"""Characters of a sentence, and what is written in their place."""


def plantings(sentence: str, source: Text) -> Iterator[tuple[str, Planting]]:
    """Yield an error of each kind that the sentence has a place for."""
    for kind, plant in KINDS.items():
        draw = random.Random(f"{kind}: {sentence}")
        places = list(plant(sentence, source, draw))
        if places:
            yield kind, draw.choice(places)


def other_numbers(sentence: str, source: Text, draw: random.Random) -> Iterator[Planting]:
    for start, end in figures(sentence):
        for _ in range(20):
            other = re.sub(r"\d", lambda digit: draw.choice("123456789"), sentence[start:end])
            if other not in source.text and len(other) > 1:
                yield start, end, other
                break


def numbers_of_others(sentence: str, source: Text, draw: random.Random) -> Iterator[Planting]:
    for start, end in figures(sentence):
        others = [one for one in source.numbers if one not in sentence and len(one) == end - start]
        if others:
            yield start, end, draw.choice(others)


def figures(sentence: str) -> Iterator[tuple[int, int]]:
    for one in quantities(sentence):
        match = re.search(r"\d[\d,.]*(?<=\d)", sentence[one.start : one.end])
        if match and not YEAR.fullmatch(match[0]):
            yield one.start + match.start(), one.start + match.end()


def units(sentence: str, source: Text, draw: random.Random) -> Iterator[Planting]:
    for match in re.finditer(rf"(?<=\d[ -])(?:{'|'.join(UNITS)})\b", sentence):
        yield match.start(), match.end(), UNITS[match[0]]


def dates(sentence: str, source: Text, draw: random.Random) -> Iterator[Planting]:
    for match in DAY.finditer(sentence):
        if match["day"]:
            yield match.start("day"), match.end("day"), str(int(match["day"]) % 28 + 1)
        else:
            absent = [month for month in MONTHS if month not in source.text and month[:3] + "." not in source.text]
            if absent:
                yield match.start(), match.end(), draw.choice(absent)


def years(sentence: str, source: Text, draw: random.Random) -> Iterator[Planting]:
    for match in YEAR.finditer(sentence):
        other = str(int(match[0]) + draw.choice((-3, -2, -1, 1, 2, 3)))
        if other not in source.text:
            yield match.start(), match.end(), other


def foreign_names(sentence: str, source: Text, draw: random.Random) -> Iterator[Planting]:
    for match in NAME.finditer(sentence):
        others = [one for one in source.foreign_names if one.count(" ") == match[0].count(" ")]
        if match[0] in source.text and others:
            yield match.start(), match.end(), draw.choice(others)


def names_of_others(sentence: str, source: Text, draw: random.Random) -> Iterator[Planting]:
    for match in NAME.finditer(sentence):
        same = match[0].count(" ")
        others = [
            one for one in source.names if one.count(" ") == same and set(one.split()).isdisjoint(sentence.split())
        ]
        if match[0] in source.text and others:
            yield match.start(), match.end(), draw.choice(others)


def quotations(sentence: str, source: Text, draw: random.Random) -> Iterator[Planting]:
    for match in QUOTED.finditer(sentence):
        for word in re.finditer(r"\b[a-z]{4,}\b", match[1]):
            yield match.start(1) + word.start(), match.start(1) + word.end(), draw.choice(source.foreign_words)


def negations(sentence: str, source: Text, draw: random.Random) -> Iterator[Planting]:
    for match in BE.finditer(sentence):
        yield match.start(), match.end(), match[0].removesuffix(" not") if " " in match[0] else f"{match[0]} not"


def swaps(sentence: str, source: Text, draw: random.Random) -> Iterator[Planting]:
    for one, other in pairwise(NAME.finditer(sentence)):
        between = sentence[one.end() : other.start()]
        listed = re.fullmatch(r"\W*(?:and|or)?\W*", between)
        if not listed and set(one[0].split()).isdisjoint(other[0].split()):
            yield one.start(), other.end(), other[0] + between + one[0]


def opposites(sentence: str, source: Text, draw: random.Random) -> Iterator[Planting]:
    pairs = [pair.split() for pair in OPPOSITES.split(", ")]
    other = {one: another for pair in pairs for one, another in (pair, pair[::-1])}
    for match in re.finditer(rf"\b(?:{'|'.join(other)})\b", sentence):
        yield match.start(), match.end(), other[match[0]]


def nouns(sentence: str, source: Text, draw: random.Random) -> Iterator[Planting]:
    for match in re.finditer(r"\b[a-z]{5,}\b", sentence):
        if match[0] in source.words:
            yield match.start(), match.end(), draw.choice(source.foreign_words)


KINDS: dict[str, Callable[[str, Text, random.Random], Iterator[Planting]]] = {
    "number": other_numbers,
    "number of another": numbers_of_others,
    "unit": units,
    "date": dates,
    "year": years,
    "name": foreign_names,
    "name of another": names_of_others,
    "quotation": quotations,
    "negation": negations,
    "swap": swaps,
    "opposite": opposites,
    "noun": nouns,
}


def described(own: str, foreign: str) -> Text:
    words, other = frozenset(re.findall(r"\w+", own.lower())), frozenset(re.findall(r"\b[a-z]{5,}\b", foreign))
    numbers = {own[one.start : one.end] for one in quantities(own) if own[one.start : one.end].strip().isdigit()}
    absent = {name for name in NAME.findall(foreign) if words.isdisjoint(name.lower().split())}
    return Text(
        own,
        words,
        tuple(sorted(numbers - set(YEAR.findall(own)))),
        tuple(sorted(set(NAME.findall(own)))),
        tuple(sorted(absent)),
        tuple(sorted(other - words)),
    )


def found(kind: str, summary: str, place: tuple[int, int], sources: Sources) -> bool:
    """Return whether a flag touches the place of an error."""
    for sentence in checked_sentences(Document.of(summary), sources):
        if sentence.start <= place[0] < sentence.end:
            return any(kind == "negation" or (flag.start < place[1] and place[0] < flag.end) for flag in sentence.flags)
    return False


def count(file: Path, limit: int, missed: str) -> dict[str, Counter[bool]]:
    """Plant errors in the summaries of a corpus, and count by kind how many are found."""
    counts = defaultdict[str, Counter[bool]](Counter)
    examples = list(read(file, limit))
    for example, other in zip(examples, examples[1:] + examples[:1], strict=True):
        document = join([Document.of(text) for text in example["documents"]])
        sources, source = Sources(document), described(document.text, " ".join(other["documents"]))
        summary = example["summary"]
        for sentence in checked_sentences(Document.of(summary), sources):
            if sentence.flags:
                continue
            text = summary[sentence.start : sentence.end]
            for kind, (start, end, written) in plantings(text, source):
                start, end = sentence.start + start, sentence.start + end
                wrong = summary[:start] + written + summary[end:]
                is_found = found(kind, wrong, (start, start + len(written)), sources)
                counts[kind][is_found] += 1
                if kind == missed and not is_found:
                    print(f"    {summary[start:end]} > {written}: {text}")
    return counts


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, default=_data.FOLDER, help="Folder of the corpora.")
    options.add_argument("--split", default="validation", choices=("train", "validation"), help="Part of the corpora.")
    options.add_argument("--limit", type=int, default=300, help="Maximum number of summaries of each corpus.")
    options.add_argument("--missed", default="", help="Kind of errors of which those that are not found are printed.")
    chosen = options.parse_args()
    _data.needed(chosen.data, *HUMAN)
    print("| corpus | " + " | ".join(KINDS) + " |\n|---|" + "---|" * len(KINDS))
    for name in HUMAN:
        counts = count(chosen.data / name / f"{chosen.split}.jsonl.xz", chosen.limit, chosen.missed)
        cells = (
            f"{100 * one[True] / one.total():.1f} % of {one.total()}" if one else "–" for one in map(counts.get, KINDS)
        )
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
