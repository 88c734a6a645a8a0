"""The effect of highlights on a summary: how often each is said, and what would be said without them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from nutgraf.text.difference import Difference, difference
from nutgraf.text.document import Phrase
from nutgraf.text.tokenize import tokens


@dataclass(frozen=True, slots=True)
class Mention:
    """A highlight, and how often a summary says it.

    Attributes:
        phrase: The highlight.
        weight: Its weight.
        times: Number of places of the summary where its words stand.
        before: The same in the summary without highlights; None if that was not made.
    """

    phrase: str
    weight: float
    times: int
    before: int | None = None


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of highlights on a summary.

    Attributes:
        mentions: The highlights that occur in the input.
        attention: Share of the attention that fell on their words while the summary was written, from 0 to 1; None for
            a system that cannot tell.
        attention_before: The same while the summary without highlights was written.
        unsteered: Sentences of the summary without highlights; None if it was not made.
    """

    mentions: tuple[Mention, ...] = ()
    attention: float | None = None
    attention_before: float | None = None
    unsteered: tuple[str, ...] | None = None

    @property
    def coverage(self) -> float | None:
        """Share of the highlights that the summary says; None if there are none."""
        return sum(one.times > 0 for one in self.mentions) / len(self.mentions) if self.mentions else None

    @property
    def coverage_before(self) -> float | None:
        """The same for the summary without highlights; None if that was not made."""
        known = [one.before for one in self.mentions if one.before is not None]
        return sum(times > 0 for times in known) / len(known) if known else None

    def counted(self, phrases: Iterable[Phrase], said: Sequence[str]) -> Effect:
        """Return the effect of highlights with what the sentences of the summary, and without them, mention."""
        without = self.unsteered
        found = (
            Mention(one.text, one.score, times_said(one, said), None if without is None else times_said(one, without))
            for one in phrases
        )
        return replace(self, mentions=tuple(found))

    def difference(self, said: Sequence[str]) -> Difference | None:
        """Return which words the summary has differently without highlights; None if that was not made."""
        return None if self.unsteered is None else difference(self.unsteered, said)

    def to_json(self, said: Sequence[str]) -> dict[str, Any]:
        """Return the effect as JSON values, given the sentences of the summary."""
        found = self.difference(said)
        return {
            "mentions": [asdict(one) for one in self.mentions],
            "coverage": self.coverage,
            "coverage_before": self.coverage_before,
            "attention": self.attention,
            "attention_before": self.attention_before,
            "unsteered": None if self.unsteered is None else list(self.unsteered),
            "distance": None if found is None else found.distance,
        }


def times_said(phrase: Phrase, sentences: Iterable[str]) -> int:
    """Return in how many places of some sentences the words of a phrase stand, in one of its forms."""
    forms = [tokens(form.lower()) for form in phrase.wordings]
    said = [tokens(sentence.lower()) for sentence in sentences]
    return sum(
        any(words[at : at + len(form)] == form for form in forms if form) for words in said for at in range(len(words))
    )
