"""Nonsense with elementary tasks of summarizing: copy, select, order, count, compare, shorten, join.

After Krishna et al. 2021, *Does Pretraining for Summarization Require Knowledge Transfer?*, who found that such
documents prepare networks nearly as well as real texts do. The tasks here are in their manner, not theirs.

A document has sentences of random short stretches of the words of a text, so that its pieces are those of the corpus
that a network learns afterwards; it means nothing, and none of the text's sentences stands in it. Cues in some of the
sentences say what belongs in the summary, which has one sentence for each task, in the order of `TASKS`. A list of
words as a text file is text enough.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from nutgraf.datasets._derived import Derived, Origin
from nutgraf.presets.ranges import PositiveInt, Range
from nutgraf.text.tokenize import words

Sentence = list[str]

Task = Callable[[list[Sentence], list[int], np.random.Generator], Sentence]
"""Writes cues into sentences at some indices, in place, and returns what belongs in the summary."""

LONGEST_STRETCH = 3
"""Most consecutive words of a text that stand together in the nonsense."""

NUMBERS = 1000
"""Numbers are below this one."""


@dataclass(frozen=True)
class Config(Origin):
    """Nonsense of the words of another data set's texts."""

    sentences: Annotated[int, Range(ge=8)] = 16
    """Sentences of a document."""

    shortest: Annotated[int, Range(ge=4)] = 7
    """Fewest words of a sentence."""

    longest: Annotated[int, Range(ge=4)] = 15
    """Most words of a sentence."""

    tasks: PositiveInt = 3
    """Most tasks of a document; their number and kinds are drawn."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.shortest > self.longest:
            raise ValueError("shortest must be at most longest")
        if self.tasks > len(TASKS):
            raise ValueError(f"tasks must be at most {len(TASKS)}")
        if PLACES * self.tasks > self.sentences:
            raise ValueError(f"sentences must be at least {PLACES} times tasks")


class Nonsense(Derived):
    """Writes nonsense."""

    config: Config

    def derive(self, sentences: Sequence[str], draw: np.random.Generator) -> tuple[list[str], list[str]]:
        """Return a document of random words, and what its cues ask for; see `Derived`."""
        known = words(" ".join(sentences)) or ["word"]
        made = [self._sentence(known, draw) for _ in range(self.config.sentences)]
        chosen = sorted(draw.permutation(len(TASKS))[: 1 + int(draw.integers(self.config.tasks))])
        places = [int(place) for place in draw.permutation(len(made))]
        target = [
            TASKS[task](made, sorted(places[PLACES * number : PLACES * (number + 1)]), draw)
            for number, task in enumerate(chosen)
        ]
        return [_written(sentence) for sentence in made], [_written(sentence) for sentence in target]

    def _sentence(self, known: Sequence[str], draw: np.random.Generator) -> Sentence:
        length = int(draw.integers(self.config.shortest, self.config.longest + 1))
        made: Sentence = []
        while len(made) < length:
            begin = int(draw.integers(len(known)))
            made += known[begin : begin + 1 + int(draw.integers(LONGEST_STRETCH))]
        return made[:length]


def _written(sentence: Sentence) -> str:
    return " ".join([*sentence, "."])


def copy(sentences: list[Sentence], places: list[int], draw: np.random.Generator) -> Sentence:
    """Copy a sentence: what stands behind "copy :"."""
    body = sentences[places[0]]
    sentences[places[0]] = ["copy", ":", *body]
    return list(body)


def shorten(sentences: list[Sentence], places: list[int], draw: np.random.Generator) -> Sentence:
    """Shorten a sentence to what stands before a comma."""
    body = sentences[places[0]]
    end = int(draw.integers(2, len(body) - 1))
    sentences[places[0]] = ["shorten", ":", *body[:end], ",", *body[end:]]
    return body[:end]


def quote(sentences: list[Sentence], places: list[int], draw: np.random.Generator) -> Sentence:
    """Copy what stands in quotation marks."""
    body = sentences[places[0]]
    begin = int(draw.integers(len(body) - 1))
    end = int(draw.integers(begin + 1, len(body) + 1))
    sentences[places[0]] = [*body[:begin], '"', *body[begin:end], '"', *body[end:]]
    return body[begin:end]


def order(sentences: list[Sentence], places: list[int], draw: np.random.Generator) -> Sentence:
    """Order beginnings of sentences by their numbers."""
    ranks = draw.permutation(len(places))
    beginnings = [sentences[place][:3] for place in places]
    for place, rank in zip(places, ranks, strict=True):
        sentences[place] = ["number", str(int(rank) + 1), ":", *sentences[place]]
    return [word for index in np.argsort(ranks) for word in beginnings[index]]


def join(sentences: list[Sentence], places: list[int], draw: np.random.Generator) -> Sentence:
    """Join the beginnings of marked sentences by "and"."""
    beginnings = [sentences[place][:4] for place in places[:2]]
    for place in places[:2]:
        sentences[place] = ["join", ":", *sentences[place]]
    return [*beginnings[0], "and", *beginnings[1]]


def count(sentences: list[Sentence], places: list[int], draw: np.random.Generator) -> Sentence:
    """Count how often a cue occurs."""
    times = 1 + int(draw.integers(len(places)))
    for place in places[:times]:
        sentences[place] = [*sentences[place], "count"]
    return ["count", str(times)]


def largest(sentences: list[Sentence], places: list[int], draw: np.random.Generator) -> Sentence:
    """Write the largest of some numbers, and the word before it."""
    numbers = draw.choice(NUMBERS, len(places), replace=False)
    for place, number in zip(places, numbers, strict=True):
        sentences[place] = [*sentences[place], "amount", str(int(number))]
    most = int(np.argmax(numbers))
    return [sentences[places[most]][-3], str(int(numbers[most]))]


TASKS: tuple[Task, ...] = (copy, shorten, quote, order, join, count, largest)

PLACES = 4
"""Sentences that a task may write cues into."""
