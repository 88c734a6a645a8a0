"""Records of what sources say to a summary: evidence, flags, and labels of words, with offsets in characters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Literal

from nutgraf.text.flag import Flag

Label = Literal["copied", "paraphrased", "unsupported"]
"""Relation of a word of a summary to its evidence: it is there, another form of it is, or neither."""

Verdict = Literal["supported", "doubtful", "unsupported"]
"""Verdict on a sentence of a summary."""

LEAST_SUPPORT = 0.5
"""Share of a sentence's weight that its evidence must bear out, or the sentence is doubtful."""


MEANING = (
    "+ means that most of the words stand in the sources and that no rule objects: the sources may still say otherwise."
)
"""What a verdict does not promise, below a summary that was checked."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence of the sources that supports a sentence of the summary.

    Attributes:
        source: Index of the source.
        start: First character in that source's text.
        end: Character after the last one.
        text: The sentence.
        share: Share from 0 to 1 of the weight of the summary's sentence that it bears out, beyond the ones before it.
    """

    source: int
    start: int
    end: int
    text: str
    share: float


@dataclass(frozen=True, slots=True)
class CheckedWord:
    """A word of the summary with its label; `start` and `end` are characters in the summary."""

    start: int
    end: int
    label: Label


@dataclass(frozen=True, slots=True)
class Doubt:
    """Characters of a summary that a checker holds to be unsupported.

    Attributes:
        start: First character in the summary.
        end: Character after the last one.
        text: The characters.
        probability: Probability, from 0 to 1, that the sources do not bear them out.
    """

    start: int
    end: int
    text: str
    probability: float


@dataclass(frozen=True, slots=True)
class CheckerVerdict:
    """Verdict of a checker, a model, on a sentence of a summary.

    Attributes:
        name: Name of the checker.
        verdict: "supported" or "unsupported".
        probability: Probability, from 0 to 1, that the sources bear the sentence out.
        doubts: What they do not bear out of it, for a checker that says so.
    """

    name: str
    verdict: Literal["supported", "unsupported"]
    probability: float
    doubts: tuple[Doubt, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """A sentence of the summary and what the sources say to it.

    Attributes:
        start: First character in the summary.
        end: Character after the last one.
        text: The sentence.
        evidence: Sentences of the sources that support it, the one that supports most of it first.
        support: Share from 0 to 1 of the weight of its content words that the evidence bears out.
        words: Its words in order.
        flags: What the sources do not bear out, in order.
        checker: Verdict of a checker; None if there was none, or if the sentence is too long for it.
    """

    start: int
    end: int
    text: str
    evidence: tuple[Evidence, ...]
    support: float
    words: tuple[CheckedWord, ...]
    flags: tuple[Flag, ...]
    checker: CheckerVerdict | None = None

    @property
    def verdict(self) -> Verdict:
        """Verdict of the rules: a sentence with a flag is unsupported, one with too little support is doubtful."""
        if self.flags:
            return "unsupported"
        return "supported" if round(self.support, 2) >= LEAST_SUPPORT else "doubtful"  # as it is shown

    @property
    def is_empty(self) -> bool:
        """True if it has no content word that a sentence of the sources could support: small words and figures."""
        return not self.evidence and self.support > 0


@dataclass(frozen=True, slots=True)
class Unjudged:
    """A heading, a label or the head of a table: it names what follows and claims nothing.

    Attributes:
        start: First character in the summary.
        end: Character after the last one.
        text: The characters.
    """

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Faithfulness:
    """A summary that was held against its sources, sentence by sentence.

    Attributes:
        sentences: The sentences of the summary, checked.
        signature: The rules, the checker if there was one, and the version.
        notices: What was not looked for in the language of the sources, and what a checker could not read.
        unjudged: Its headings, labels and heads of tables, which are not checked.
    """

    sentences: tuple[CheckedSentence, ...]
    signature: str
    notices: tuple[str, ...] = ()
    unjudged: tuple[Unjudged, ...] = ()

    def __iter__(self) -> Iterator[CheckedSentence]:
        """Iterate over the sentences."""
        return iter(self.sentences)

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.sentences)

    @property
    def flags(self) -> tuple[Flag, ...]:
        """All flags, in order."""
        return tuple(flag for sentence in self.sentences for flag in sentence.flags)

    @property
    def verdict(self) -> Verdict:
        """The worst verdict on a sentence, by the rules or by a checker; "supported" if there are no sentences."""
        verdicts = {one.verdict for each in self.sentences for one in (each, each.checker) if one is not None}
        return next((verdict for verdict in ("unsupported", "doubtful") if verdict in verdicts), "supported")

    def to_json(self) -> dict[str, Any]:
        """Return the record as what JSON can hold."""
        return {
            "verdict": self.verdict,
            "signature": self.signature,
            "notices": list(self.notices),
            "sentences": [{**asdict(sentence), "verdict": sentence.verdict} for sentence in self.sentences],
            "unjudged": [asdict(one) for one in self.unjudged],
        }
