"""Copying: how much of a summary a network copied, and whether the copied words are in the references.

It also tells how much of the whole summary came from the vocabulary, including sentences that no network wrote (Sarkhel
et al. 2020).

A word counts as copied if most of its probability came from copying. It is right if it occurs in one of the references;
clitics such as "'s" are not counted, since networks write them as separate words. Function words are right nearly
everywhere, so only content words are judged; copying at random would reach the share of the source's content words that
occur in a reference.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import ClassVar

from nutgraf.metrics import Direction, Example, Metric
from nutgraf.metrics._score import sign
from nutgraf.text.language import function_words
from nutgraf.text.tokenize import words

_CLITIC = re.compile(r"['’](?:s|re|ve|ll|d|m)\b", re.IGNORECASE)


class Copying(Metric):
    """Shares of copied and of right words; None for undefined shares and for summaries that no network wrote."""

    needs = frozenset({"references", "source"})
    directions: ClassVar[dict[str, Direction]] = {
        "from vocabulary": "descriptive",
        "copied": "descriptive",
        "copied right": "higher",
        "generated right": "higher",
        "source right": "descriptive",
    }

    @property
    def signature(self) -> str:
        """Everything needed to reproduce a score; see `Metric`."""
        return sign("copying", words="no-marks", right="content-words-of-any-reference", lower=True, stem=False)

    def __call__(self, example: Example) -> dict[str, float | None]:
        """Score an example; see `Metric`."""
        nothing: dict[str, float | None] = dict.fromkeys(self.directions)
        if example.written is None or example.source is None:
            return nothing
        wanted = {word for reference in example.references for text in reference for word in _plain(text)}
        stop = function_words(example.source.language, example.source.words)
        written = [one for sentence in example.written for one in sentence]
        copied = [word for one in written if one.operation == "copied" for word in _plain(one.text)]
        generated = [word for one in written if one.operation == "generated" for word in _plain(one.text)]
        sentences = zip(example.hypothesis, example.written, strict=True)
        taken = [word for text, by_network in sentences if not by_network for word in _plain(text)]

        def right(tokens: Iterable[str]) -> float | None:
            return _share([word in wanted for word in tokens if word not in stop])

        if not written:
            return nothing | {"from vocabulary": 0.0 if taken else None}
        return {
            "from vocabulary": _share([True] * len(generated) + [False] * (len(copied) + len(taken))),
            "copied": _share([True] * len(copied) + [False] * len(generated)),
            "copied right": right(copied),
            "generated right": right(generated),
            "source right": right(word for sentence in example.source.printed for word in _plain(sentence)),
        }


def _plain(text: str) -> list[str]:
    return words(_CLITIC.sub("", text))


def _share(hits: list[bool]) -> float | None:
    return sum(hits) / len(hits) if hits else None
