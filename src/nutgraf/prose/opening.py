"""The opening of a dialogue: the sentence that states its topic, and the answer (Schegloff and Sacks 1973).

Somebody calls, greets, asks how the other one is, and then says what the call is about, as a rule as a question. A
question is told from small talk by what follows: an exchange, the question with all that its speaker adds and the
answer up to where somebody asks back, has as many content words as exchanges have in this dialogue. A statement states
the topic if it is long and comes before such a question.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from nutgraf.text.document import Document, kept
from nutgraf.text.genre import is_dialogue
from nutgraf.text.transcript import is_filler

LATEST = 0.5
"""Share of the sentences of a dialogue from which a sentence tells details, and no longer states the topic."""

LEAST_SHARE = 0.4
"""Content words of the exchange of a question, as a share of those of the exchange that has most."""

ENOUGH_TERMS = 8
"""Number of content words of an exchange, and of a statement, that is no small talk, whatever others have."""

LEAST_ANSWER = 3
"""Minimum number of content words of a sentence that answers."""

FURTHEST_ANSWER = 12
"""Number of sentences after the one that states the topic among which its answer is looked for."""

_QUESTION = re.compile(r"[?？؟][\s!)\"'”’»]*$")
"""End of a question that is not answered within its sentence, as by a word."""


@dataclass(frozen=True, slots=True)
class Opening:
    """The opening of a dialogue.

    Attributes:
        topic: Index of the sentence that states the topic.
        asks: True if it is a question.
        answer: Index of the sentence that answers it; None if there is none.
    """

    topic: int
    asks: bool
    answer: int | None

    @property
    def sentences(self) -> tuple[int, ...]:
        """The topic, and the answer if there is one."""
        return (self.topic,) if self.answer is None else (self.topic, self.answer)


@kept
def opening(document: Document) -> Opening | None:
    """Return the sentence that states the topic of a dialogue, and its answer; None if no sentence states it."""
    if not is_dialogue(document):
        return None
    talk = _Talk(document)
    topic = talk.topic()
    return None if topic is None else Opening(topic, talk.asks[topic], talk.answer_to(topic))


class _Talk:
    def __init__(self, document: Document) -> None:
        self.asks = [_QUESTION.search(printed) is not None for printed in document.printed]
        self._speakers, self._terms = document.speakers, [set(terms) for terms in document.terms]
        self._says = [
            speaker is not None and not is_filler(words, document.stop_words)
            for speaker, words in zip(self._speakers, document.words, strict=True)
        ]

    def topic(self) -> int | None:
        """The first sentence that states a topic."""
        said = [index for index, says in enumerate(self._says) if says]
        sizes = {index: self._exchanged(index) for index in said if self.asks[index]}
        least = min(ENOUGH_TERMS, LEAST_SHARE * max(sizes.values(), default=0))
        for index in said:
            if index >= LATEST * len(self._speakers):
                break
            if sizes[index] >= least if self.asks[index] else len(self._terms[index]) >= ENOUGH_TERMS:
                return index
        return None

    def _exchanged(self, question: int) -> int:
        """Number of different content words of a question, all that its speaker adds, and the answer."""
        found, answered = set(self._terms[question]), False
        for index in range(question + 1, len(self._speakers)):
            answers = self._speakers[index] != self._speakers[question]
            if self.asks[index] or (answered and not answers):
                break
            answered = answers
            found |= self._terms[index]
        return len(found)

    def answer_to(self, topic: int) -> int | None:
        """The sentence that says most in the first turn of somebody else that says something."""
        best: int | None = None
        for index in range(topic + 1, min(topic + 1 + FURTHEST_ANSWER, len(self._speakers))):
            if self._speakers[index] == self._speakers[topic]:
                if best is not None:
                    break
                continue
            least = LEAST_ANSWER if best is None else len(self._terms[best]) + 1
            if not self.asks[index] and len(self._terms[index]) >= least:
                best = index
        return best
