"""The question that states the topic of a dialogue, and its answer: an adjacency pair (Schegloff and Sacks 1973).

Somebody calls, greets, asks how the other one is, and then says what the call is about; as a rule as a question. It is
told from small talk by what follows: an exchange, the question with all that its speaker adds and the answer up to
where the other one asks back, has as many content words as exchanges have in this dialogue.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nutgraf.text.document import Document, kept

LATEST = 0.5
"""Share of the sentences of a dialogue from which a question asks for details, and no longer states the topic."""

LEAST_SHARE = 0.4
"""Content words of the topic's exchange, as a share of those of the exchange that has most."""

ENOUGH_TERMS = 8
"""Number of content words of an exchange that is no small talk, whatever others have."""

LEAST_ANSWER = 3
"""Minimum number of content words of a sentence that answers."""

FURTHEST_ANSWER = 12
"""Number of sentences after a question among which its answer is looked for."""

_QUESTION = re.compile(r"[?？؟][\s!)\"'”’»]*$")
"""End of a question that is not answered within its sentence, as by a word."""


@dataclass(frozen=True, slots=True)
class TopicQuestion:
    """Indices of the question that states the topic, and of the sentence that answers it; None if none does."""

    question: int
    answer: int | None


@kept
def topic_question(document: Document) -> TopicQuestion | None:
    """Return the first question that states the topic of a dialogue; None if there is none."""
    if not document.turns:
        return None
    talk = _Talk(document)
    sizes = {index: talk.exchanged(index) for index in talk.questions()}
    least = min(ENOUGH_TERMS, LEAST_SHARE * max(sizes.values(), default=0))
    latest = LATEST * len(document.sentences)
    found = next((index for index, size in sizes.items() if size >= least and index < latest), None)
    return None if found is None else TopicQuestion(found, talk.answer_to(found))


class _Talk:
    def __init__(self, document: Document) -> None:
        self._asks = [_QUESTION.search(printed) is not None for printed in document.printed]
        self._speakers, self._terms = document.speakers, document.terms

    def questions(self) -> Iterator[int]:
        """Yield the sentences that somebody asks."""
        return (index for index, asks in enumerate(self._asks) if asks and self._speakers[index] is not None)

    def exchanged(self, question: int) -> int:
        """Number of different content words of a question, all that its speaker adds, and the answer."""
        found, answered = set(self._terms[question]), False
        for index in range(question + 1, len(self._speakers)):
            answers = self._speakers[index] != self._speakers[question]
            if self._asks[index] or (answered and not answers):
                break
            answered = answers
            found.update(self._terms[index])
        return len(found)

    def answer_to(self, question: int) -> int | None:
        """The sentence that says most in the first turn of somebody else that says something."""
        after = range(question + 1, min(question + 1 + FURTHEST_ANSWER, len(self._speakers)))
        best: int | None = None
        for index in after:
            if self._speakers[index] == self._speakers[question]:
                if best is not None:
                    break
            elif not self._asks[index] and len(self._terms[index]) >= LEAST_ANSWER:
                if best is None or len(self._terms[index]) > len(self._terms[best]):
                    best = index
        return best
