"""Documents whose summary follows from one thing that is known, for `controlled.py`.

A task draws a document as sentences, what belongs in its summary, and what could be taken for it. Things have names of
two words ("the silver lantern"), and a fact is a sentence about one of them. All words are ours, and each draw has its
own seed, so that there are as many documents as somebody asks for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

COLOURS = (
    "silver wooden golden yellow purple narrow ancient tiny heavy clever hollow crooked dusty gentle wild simple "
    "rusty shallow curious fragile"
).split()
NOUNS = (
    "lantern kettle basket ladder mirror bucket violin saddle hammer carpet bottle statue wagon anchor pillow compass "
    "helmet trumpet barrel curtain candle blanket pencil drawer"
).split()
PLACES = (
    "Lisbon Geneva Oslo Madrid Vienna Dublin Athens Warsaw Prague Berlin Naples Cairo Tokyo Havana Lima Quito Nairobi "
    "Boston Denver Sydney"
).split()
VERBS = "came from|went to|was sold in|was lost in|was found in|was built in|was kept in|was shown in".split("|")
MENTIONS = (
    "Nobody forgot the {}.|People often saw the {}.|Some still admire the {}.|A child drew the {}."
    "|They remember the {}.|A visitor described the {}."
).split("|")
REFERENCES = "stood behind|looked like|belonged with|hung above|leaned against|lay beside".split("|")
RUMOURS = (
    "A rumour said that the {}.|They pretend that the {}.|Nobody proved that the {}.|Once it seemed the {}.".split("|")
)


class Example(NamedTuple):
    """A document.

    Attributes:
        sentences: Its sentences.
        wanted: Sentences of its summary.
        others: Sentences that could be taken for wanted ones.
        marked: Names of the things that the summary is about.
        unmarked: Names of the other things.
    """

    sentences: list[str]
    wanted: list[str]
    others: list[str]
    marked: list[str]
    unmarked: list[str]


Task = Callable[[np.random.Generator], Example]


def names(count: int, draw: np.random.Generator) -> list[str]:
    """Return names of things that share no word."""
    first, second = (draw.choice(words, count, replace=False) for words in (COLOURS, NOUNS))
    return [f"{colour} {noun}" for colour, noun in zip(first, second, strict=True)]


def fact(name: str, draw: np.random.Generator) -> str:
    """Return what is said about a thing."""
    return f"The {name} {draw.choice(VERBS)} {draw.choice(PLACES)}."


def shuffled(sentences: list[str], draw: np.random.Generator) -> list[str]:
    """Return sentences in another order."""
    return [sentences[place] for place in draw.permutation(len(sentences))]


def in_order(some: list[str], sentences: list[str]) -> list[str]:
    """Return sentences in the order that they have in a document."""
    return [sentence for sentence in sentences if sentence in some]


def marks(draw: np.random.Generator) -> Example:
    """Tell what is said about two of six things, which are mentioned a little more often than the others."""
    things = names(6, draw)
    facts = [fact(name, draw) for name in things]
    chances = np.array([3.0, 3.0, 1.0, 1.0, 1.0, 1.0])
    said = draw.choice(6, 4, p=chances / chances.sum())
    mentions = [draw.choice(MENTIONS).format(things[thing]) for thing in said]
    sentences = shuffled([*facts, *mentions], draw)
    return Example(sentences, in_order(facts[:2], sentences), facts[2:], things[:2], things[2:])


def centre(draw: np.random.Generator) -> Example:
    """Tell what is said about the thing that most of the others refer to."""
    things = names(5, draw)
    facts = [fact(name, draw) for name in things]
    references = [(1, 0), (2, 0), (3, 0), (4, 1), (0, 1 + int(draw.integers(4)))]
    referring = [f"The {things[one]} {draw.choice(REFERENCES)} the {things[other]}." for one, other in references]
    return Example(shuffled([*facts, *referring], draw), facts[:1], facts[1:], things[:1], things[1:])


def noise(draw: np.random.Generator) -> Example:
    """Tell the two facts among eight rumours about the same things."""
    things = names(4, draw)
    facts = [fact(name, draw) for name in things[:2]]
    rumours = [fact(things[int(draw.integers(4))], draw) for _ in range(8)]
    said = [draw.choice(RUMOURS).format(rumour.removeprefix("The ").removesuffix(".")) for rumour in rumours]
    sentences = shuffled([*facts, *said], draw)
    return Example(sentences, in_order(facts, sentences), rumours, things[:2], things[2:])


def enumeration(draw: np.random.Generator) -> Example:
    """Tell each of ten things once, whose names are made of four words and five, in any order."""
    pairs = draw.choice(4 * 5, 10, replace=False)
    things = [f"{COLOURS[pair % 4]} {NOUNS[pair // 4]}" for pair in pairs.tolist()]
    sentences = [draw.choice(MENTIONS).format(name) for name in things]
    return Example(sentences, [f"The {name}." for name in things], [], things, [])


TASKS: dict[str, Task] = {task.__name__: task for task in (marks, centre, noise, enumeration)}


def examples(task: str, count: int, seed: int) -> list[Example]:
    """Return examples of a task; those of another seed are other ones."""
    draw = np.random.default_rng([list(TASKS).index(task), seed])
    return [TASKS[task](draw) for _ in range(count)]
