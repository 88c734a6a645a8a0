"""METEOR (Lavie and Agarwal 2007), with the stages and the greedy alignment of NLTK.

*METEOR: An Automatic Metric for MT Evaluation with High Levels of Correlation with Human Judgments*; NLTK's is what
papers on summarization use.

A word matches an equal word, then a word with the same stem, then a synonym. Synonyms need WordNet's files; without
them the score is called METEOR-ES (exact, stem) and has a column of its own, because the two are not comparable.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Literal

from nutgraf.metrics import Direction, Example, Metric, Sentences
from nutgraf.metrics._score import sign
from nutgraf.metrics._synonyms import Synonyms
from nutgraf.presets.ranges import ProperShare
from nutgraf.text.tokenize import tokens

Words = list[tuple[int, str]]
"""Words with their positions in the text."""


@dataclass(frozen=True)
class Config:
    """METEOR."""

    alpha: ProperShare = 0.9
    """Weight of recall against precision in their harmonic mean."""

    beta: float = 3.0
    """Exponent of the fragmentation penalty."""

    gamma: float = 0.5
    """Weight of the fragmentation penalty."""

    wordnet: str = ""
    """Folder with WordNet's database files, such as /usr/share/wordnet; "" leaves synonyms out."""

    tokens: Literal["marks", "spaces"] = "marks"
    """Tokenization: "marks" counts punctuation as tokens; "spaces" splits at white space only, as NLTK did with strings
    before version 3.6."""


class Meteor(Metric):
    """Harmonic mean of precision and recall of matched words with a penalty for fragmentation.

    The best reference counts.
    """

    config: Config

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self._synonyms = Synonyms(self.config.wordnet) if self.config.wordnet else None

    @property
    def name(self) -> str:
        """METEOR, or METEOR-ES without synonyms."""
        return "METEOR" if self._synonyms else "METEOR-ES"

    @property
    def directions(self) -> dict[str, Direction]:
        """Columns and their directions; see `Metric`."""
        return {self.name: "higher"}

    @property
    def signature(self) -> str:
        """Everything needed to reproduce a score; see `Metric`."""
        config = self.config
        return sign(
            self.name.lower(),
            stages="exact,stem,synonym" if self._synonyms else "exact,stem",
            alpha=f"{config.alpha:g}",
            beta=f"{config.beta:g}",
            gamma=f"{config.gamma:g}",
            lower=True,
            tokens=config.tokens,
            refs="best",
        )

    def __call__(self, example: Example) -> dict[str, float | None]:
        """Score an example; see `Metric`."""
        hypothesis = self._split(example.hypothesis)
        scores = [self.score(hypothesis, self._split(reference)) for reference in example.references]
        return {self.name: max(scores, default=None)}

    def score(self, hypothesis: list[str], reference: list[str]) -> float:
        """METEOR of lowercased words against one reference."""
        pairs = self.align(hypothesis, reference)
        if not pairs:
            return 0.0
        alpha, matches = self.config.alpha, len(pairs)
        precision, recall = matches / len(hypothesis), matches / len(reference)
        mean = precision * recall / (alpha * precision + (1 - alpha) * recall)
        penalty: float = self.config.gamma * (_count_chunks(pairs) / matches) ** self.config.beta
        return mean * (1 - penalty)

    def align(self, hypothesis: list[str], reference: list[str]) -> list[tuple[int, int]]:
        """Return pairs of positions of matched words, ordered by position in the hypothesis.

        As in NLTK, synonyms are looked up for the stems of what the earlier stages left over.
        """
        pairs, ours, theirs = _match(list(enumerate(hypothesis)), list(enumerate(reference)), _itself)
        stemmed, ours, theirs = _match(_stems(ours), _stems(theirs), _itself)
        pairs += stemmed
        if self._synonyms:
            pairs += _match(ours, theirs, self._synonyms)[0]
        return sorted(pairs)

    def _split(self, sentences: Sentences) -> list[str]:
        split = tokens if self.config.tokens == "marks" else str.split
        return [token for sentence in sentences for token in split(sentence.lower())]


def _match(
    ours: Words, theirs: Words, alternatives: Callable[[str], Iterable[str]]
) -> tuple[list[tuple[int, int]], Words, Words]:
    """Match each word, from the last to the first, with the last free word among its alternatives."""
    free: dict[str, list[int]] = defaultdict(list)
    for place, word in theirs:
        free[word].append(place)
    pairs, left = [], []
    for place, word in reversed(ours):
        found = max(((free[one][-1], one) for one in alternatives(word) if free.get(one)), default=None)
        if found is None:
            left.append((place, word))
        else:
            pairs.append((place, free[found[1]].pop()))
    taken = {place for _, place in pairs}
    return pairs, left[::-1], [(place, word) for place, word in theirs if place not in taken]


def _itself(word: str) -> tuple[str]:
    return (word,)


def _count_chunks(pairs: list[tuple[int, int]]) -> int:
    """Number of runs of matches that are adjacent in both texts."""
    return 1 + sum((i + 1, j + 1) != following for (i, j), following in pairwise(pairs))


def _stems(words: Words) -> Words:
    return [(place, _stemmer()(word)) for place, word in words]


@cache
def _stemmer() -> Callable[[str], str]:
    """NLTK's Porter stemmer, which differs from Porter's for a few words."""
    from nltk.stem.porter import PorterStemmer

    return lru_cache(maxsize=100_000)(PorterStemmer().stem)
