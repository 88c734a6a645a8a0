"""Records of what sources say to a summary: evidence, flags, and labels of words, with offsets in characters.

Two voices are kept apart. The rules say that a sentence is flagged, with the reasons, or that it was not checked
further. Whether sources support or contradict it, only a checker says: a model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Self

from nutgraf.text.flag import Flag
from nutgraf.text.passage import Passage

SCHEMA = "nutgraf.check/2"

Label = Literal["copied", "paraphrased", "novel"]
"""Relation of a word of a summary to the sources: its evidence has it, they have another form of it, or neither."""

Verdict = Literal["flagged", "not checked further"]
"""What the rules say of a sentence, or of a summary."""

CheckerLabel = Literal["supported", "not told", "contradicted"]
"""What a checker says of a sentence: the sources entail it, are silent, or say otherwise."""

CheckerDecision = Literal["supported", "not told", "contradicted", "undecided"]
"""Verdict of a checker: one of these, or undecided where none is probable enough, as where passages disagree."""

MIN_PROBABILITY = 0.5
"""Probability from which on a checker supports or contradicts."""

RISK = (
    "The risk puts together flags, novel bigrams and, if its card has weights for that, what a checker says; at 0.5 as "
    "many summaries are wrong as right."
)
"""What the risk is, below a summary that was checked."""

MEANING = "The rules do not check further what has no flag: sources that share its words may still say otherwise."
"""What the rules do not promise, below a summary that was checked."""

NOVEL = "Novel bigrams are pairs of neighboring words that no source has; their share describes, and proves nothing."
"""What the share of novel bigrams is, below a summary that was checked."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence of the sources that shares words with a sentence of the summary.

    Attributes:
        source: Index of the source.
        start: First character in that source's text.
        end: Character after the last one.
        text: The sentence.
        share: Share from 0 to 1 of the weight of the summary's sentence that it has, beyond the ones before it.
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
    """Characters of a summary that the sources do not tell, by a checker.

    Attributes:
        start: First character in the summary.
        end: Character after the last one.
        text: The characters.
        probability: Probability, from 0 to 1, that the sources do not tell them.
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
        verdict: "supported", "not told", "contradicted" or, from a checker that leaves it open, "undecided".
        probabilities: Probability of each of the first three; a checker with two classes has no "contradicted".
        doubts: What the sources do not tell of it, for a checker that says so.
        highest: The highest probability of each class beside any window that was read.
        passages: Sentences of the sources that the verdict stands on, in order, for a checker that says so.
        cosine: Cosine between the sentence and the one of the sources that is nearest to it, in the vectors of a
            network that has read; None without such a network.
    """

    name: str
    verdict: CheckerDecision
    probabilities: Mapping[CheckerLabel, float] = field(hash=False)
    doubts: tuple[Doubt, ...] = ()
    highest: Mapping[CheckerLabel, float] = field(default_factory=dict, hash=False)
    passages: tuple[Passage, ...] = ()
    cosine: float | None = None

    @classmethod
    def combined(
        cls, name: str, windows: Sequence[Mapping[CheckerLabel, float]], doubts: tuple[Doubt, ...] = ()
    ) -> Self:
        """Combine what a checker says of a sentence beside each window of the sources.

        A sentence is supported if a window entails it with a probability of at least 0.5; otherwise it is contradicted
        if a window contradicts it with at least 0.5; otherwise it is not told. That one passage is enough is the
        maximum over premises of SummaC-ZS (Laban et al. 2022). The threshold, more likely than not, is ours, and so is
        the order: where sources disagree, what one of them says stands. The probabilities are those of the window that
        decided; of a sentence that is not told, those of the window that comes nearest to entailing it.

        Args:
            name: Name of the checker.
            windows: Probabilities of the classes beside each window, at least one.
            doubts: What the sources do not tell of it.
        """
        numbers = range(len(windows))
        decided = max(numbers, key=lambda number: windows[number]["supported"])
        contradicting = max(numbers, key=lambda number: windows[number].get("contradicted", 0.0))
        verdict: CheckerDecision = "supported"
        if windows[decided]["supported"] < MIN_PROBABILITY:
            verdict = "not told"
            if windows[contradicting].get("contradicted", 0.0) >= MIN_PROBABILITY:
                verdict, decided = "contradicted", contradicting
        return cls(name, verdict, windows[decided], doubts, cls.highest_of(windows))

    @staticmethod
    def highest_of(windows: Sequence[Mapping[CheckerLabel, float]]) -> dict[CheckerLabel, float]:
        """Return the highest probability of each class beside any window."""
        return {label: max(window[label] for window in windows) for label in windows[0]}


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """A sentence of the summary and what the sources say to it.

    Attributes:
        start: First character in the summary.
        end: Character after the last one.
        text: The sentence.
        evidence: Sentences of the sources that share words with it, the one that shares most first.
        overlap: Share from 0 to 1 of the weight of its content words that the evidence has; None if it has none.
        novel_bigrams: Share of its bigrams that no source has; None if it has fewer than two words.
        words: Its words in order.
        flags: What the sources do not bear out, in order.
        checker: Verdict of a checker; None if there was none, or if the sentence is too long for it.
        risk: All of this in one number from 0 to 1; at 0.5 such a sentence is as likely wrong as right.
    """

    start: int
    end: int
    text: str
    evidence: tuple[Evidence, ...]
    overlap: float | None
    novel_bigrams: float | None
    words: tuple[CheckedWord, ...]
    flags: tuple[Flag, ...]
    checker: CheckerVerdict | None = None
    risk: float = 0.0

    @property
    def verdict(self) -> Verdict:
        """Verdict of the rules."""
        return "flagged" if self.flags else "not checked further"


def novel_share(sentences: Iterable[CheckedSentence]) -> float | None:
    """Return the share of the bigrams of all sentences that no source has; None if there are none."""
    shares = [(one.novel_bigrams, len(one.words) - 1) for one in sentences if one.novel_bigrams is not None]
    return sum(share * count for share, count in shares) / sum(count for _, count in shares) if shares else None


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
        risk: All that is known in one number from 0 to 1; at 0.5 such a summary is as likely wrong as right.
    """

    sentences: tuple[CheckedSentence, ...]
    signature: str
    notices: tuple[str, ...] = ()
    unjudged: tuple[Unjudged, ...] = ()
    risk: float = 0.0

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
        """Verdict of the rules: flagged if a sentence is."""
        return "flagged" if self.flags else "not checked further"

    @property
    def checker_verdict(self) -> CheckerDecision | None:
        """The worst verdict of the checker on a sentence; None if there is none."""
        verdicts = {sentence.checker.verdict for sentence in self.sentences if sentence.checker is not None}
        worst: tuple[CheckerDecision, ...] = ("contradicted", "not told", "undecided", "supported")
        return next((verdict for verdict in worst if verdict in verdicts), None)

    @property
    def novel_bigrams(self) -> float | None:
        """Share of the bigrams of all sentences that no source has; None if there are none."""
        return novel_share(self.sentences)

    def to_json(self) -> dict[str, Any]:
        """Return the record as what JSON can hold, in the schema `nutgraf.check/2`."""
        return {
            "schema": SCHEMA,
            "verdict": self.verdict,
            "checker_verdict": self.checker_verdict,
            "novel_bigrams": self.novel_bigrams,
            "risk": self.risk,
            "signature": self.signature,
            "notices": list(self.notices),
            "sentences": [{**asdict(sentence), "verdict": sentence.verdict} for sentence in self.sentences],
            "unjudged": [asdict(one) for one in self.unjudged],
        }
