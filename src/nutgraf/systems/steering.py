"""Highlights and questions: what a person wants to see more of.

The same words steer every system. Where sentences are rated, a sentence that carries highlighted phrases has a boost of
1 + Σ weight: the words' counterpart of raising attention inside a network. A weight of 1 adds as much as the best
sentence is worth, so that a plain highlight enters the summary wherever a good sentence with it fits. A question adds
`QUESTION_WEIGHT` times a power of the sentence's relevance to it; its content words are highlights for networks. With
both, a weight of 1 still adds as much as the best sentence is worth: what was marked by hand is not lost to a question.
The sentence that answers the question (`nutgraf.questions`) adds `ANSWER_WEIGHT`, and comes first; where none does, the
one that comes closest is first, and a notice says so.

A sentence that is asked for, since it carries a highlight or answers the question, is no second choice because it looks
like junk: what is likely to be junk is unlikely to be asked for.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from nutgraf.errors import InputError
from nutgraf.prose import judgements, qualities
from nutgraf.prose.quality import GOOD, SIGNS_OF_JUNK, WEAK
from nutgraf.prose.reasons import counted_reasons
from nutgraf.text.document import Document, Phrase
from nutgraf.text.highlights import HEAVIEST, find_phrases
from nutgraf.text.relevance import in_words_of, question_terms, relevance
from nutgraf.text.request import NO_QUESTION, Request
from nutgraf.text.summary import Answer, Origin, Summary, unprinted
from nutgraf.text.tokenize import words

QUESTION_WEIGHT = 30.0
"""Weight of the sentence that is most relevant to a question."""

SHARPNESS = 3
"""Power of relevance, so that what is less relevant weighs much less; chosen, as the weight, on questions about
meetings of the training set."""

ANSWER_WEIGHT = 1000.0
"""Weight of the sentence that answers a question."""

SHORT = frozenset({"number", "date", "person", "place", "yes_no"})
"""Kinds of questions that one sentence of a transcript can answer."""

MOST_NAMED = 3
"""Highlights that a notice names."""

ANSWERING = 0.5
"""Relevance from which a sentence with a content word of the question counts as an answer."""


@dataclass(frozen=True)
class Steering:
    """Highlights of a person, found in a document.

    Attributes:
        phrases: Highlights that occur; their score is their weight. Content words of the question follow.
        highlights: Those of them that are highlights.
        emphasis: A factor for each sentence; None if nothing is highlighted.
        asked: Indices of the sentences that carry a highlight or answer the question.
        notices: A sentence for each highlight that does not occur.
        measured: Phrases whose attention is measured, where a system can: the highlights, also where they do not steer.
        oracle: A summary that a person wrote. Its key phrases replace the document's own where a system highlights any,
            which only shows the effect of perfect guidance.
        whole_sentences: No connective is left out at the beginning of a sentence.
        answer: Answer to the question; None where none was asked.
        answering: Index of the sentence that answers the question, or comes closest; None where nothing does.
    """

    phrases: tuple[Phrase, ...] = ()
    highlights: tuple[Phrase, ...] = ()
    emphasis: npt.NDArray[np.float64] | None = None
    asked: frozenset[int] = frozenset()
    notices: tuple[str, ...] = ()
    measured: tuple[Phrase, ...] = ()
    oracle: tuple[str, ...] | None = None
    whole_sentences: bool = False
    answer: Answer | None = None
    answering: int | None = None

    @property
    def plain(self) -> bool:
        """True if there are no highlights and no oracle, and connectives may be left out."""
        steered = self.phrases or self.notices or self.emphasis is not None or self.oracle is not None
        return not steered and not self.whole_sentences

    def admitted(self, document: Document) -> frozenset[int]:
        """Indices of the sentences that are asked for, and are a second choice only because they look like junk."""
        found = judgements(document) if self.asked else []
        return frozenset(
            index for index in self.asked if found[index].quality == WEAK and found[index].reason in SIGNS_OF_JUNK
        )


def steer(document: Document, request: Request) -> Steering:
    """Find the highlights of a request in a document, and what is relevant to its question.

    Raises:
        InputError: If a highlight is given twice with different weights, or a question has no words.
    """
    steering = replace(_highlighted(document, request.highlights), whole_sentences=request.whole_sentences)
    return _asked(document, request.query, steering) if request.query else steering


def _asked(document: Document, question: str, steering: Steering) -> Steering:
    """Add a question to the highlights."""
    if not words(question, document.language):
        raise InputError(NO_QUESTION.format(question))
    from nutgraf.questions.answering import answer_in  # its lists are of no use without a question

    answer, answering = answer_in(document, question)
    question = in_words_of(document, question)
    terms = question_terms(document, question)
    notices = (*steering.notices, *_unanswered(answer, bool(terms)))
    steering = replace(steering, notices=notices, answer=answer)
    if not terms and not answer.answered:
        return steering
    phrases, _ = find_phrases(document, terms, stems=True)
    marked = np.zeros(len(document.sentences)) if steering.emphasis is None else steering.emphasis - 1
    found = relevance(document, question)
    answers = {index for phrase in phrases for index in _carriers(document, phrase) if found[index] >= ANSWERING}
    emphasis = 1 + QUESTION_WEIGHT * found**SHARPNESS + (1 + QUESTION_WEIGHT) * marked
    if document.turns and not (answer.answered and answer.kind in SHORT):
        answering = None  # in talk, many turns near the subject say more than one sentence
    if answering is not None:
        emphasis[answering] += ANSWER_WEIGHT
        answers.add(answering)
    return replace(
        steering,
        phrases=(*steering.phrases, *phrases),
        emphasis=emphasis,
        asked=steering.asked | answers,
        answering=answering,
    )


def _unanswered(answer: Answer, touched: bool) -> Iterator[str]:
    """Yield a notice for a question that the text does not answer."""
    if not touched and not answer.answered:
        yield f"No content word of the question {answer.question!r} occurs in the text, so it changes nothing."
    elif not answer.answered:
        yield f"The text does not seem to answer {answer.question!r}; the summary has what comes closest."


def with_answer(summary: Summary, steering: Steering) -> Summary:
    """Return a summary that knows the answer to the question, which comes first if the summary has it."""
    answer = steering.answer
    if answer is None:
        return summary
    told = replace(summary, answer=answer)
    if steering.answering is None:
        return told
    place = answer.origins[0]
    answering = [any(_overlap(one, place) for one in sentence.origins) for sentence in summary.sentences]
    if not any(answering) and not answer.answered:
        return told
    if not any(answering):
        notice = f"The answer to {answer.question!r} is not in the summary: “{answer.sentence}”"
        return replace(told, notices=(*told.notices, notice))
    first = answering.index(True)
    rest = summary.sentences[:first] + summary.sentences[first + 1 :]
    return replace(told, sentences=(summary.sentences[first], *rest))


def _overlap(one: Origin, other: Origin) -> bool:
    return one.source == other.source and one.start < other.end and other.start < one.end


def _highlighted(document: Document, lines: Collection[str]) -> Steering:
    if not lines:
        return Steering()
    found, notices = find_phrases(document, lines)
    if not found:
        return Steering(notices=tuple(notices))
    emphasis = np.ones(len(document.sentences))
    asked: set[int] = set()
    for phrase in found:
        carriers = _carriers(document, phrase)
        emphasis[carriers] += phrase.score
        asked.update(carriers)
    return Steering(tuple(found), tuple(found), emphasis, frozenset(asked), tuple(notices), tuple(found))


def _carriers(document: Document, phrase: Phrase) -> list[int]:
    """Indices of the sentences in which a phrase stands."""
    starts = [sentence.start for sentence in document.sentences]
    return sorted({bisect_right(starts, start) - 1 for start, _ in phrase.spans})


def too_strong(steering: Steering, strength: str = "") -> str:
    """Return the sentence that highlights may be why a model wrote nothing whole, with a space before it."""
    named = [f"{phrase.text!r} (weight {phrase.score:g})" for phrase in steering.highlights[:MOST_NAMED]]
    others = len(steering.highlights) - len(named)
    named += [f"{others} other{'' if others == 1 else 's'}"] if others else []
    last = f" and {named.pop()}" if len(named) > 1 else ""
    who = f"highlight{'' if len(steering.highlights) == 1 else 's'} {', '.join(named)}{last}" if named else "question"
    lower = "a lower weight or strength" if strength else "a lower weight"
    return f" The {who} may act too strongly{f' ({strength})' if strength else ''}: {lower} would do."


def tell_unshown(summary: Summary, steering: Steering) -> Summary:
    """Return a summary with a notice for each highlight that it does not mention, which says why."""
    missing = [phrase for phrase in steering.highlights if not summary.mentions(phrase)]
    admitted = steering.admitted(summary.document) if missing else frozenset()
    notices = [f"No sentence with {phrase.text!r} was chosen: {_why(summary, phrase, admitted)}." for phrase in missing]
    return replace(summary, notices=tuple(dict.fromkeys((*summary.notices, *notices)))) if notices else summary


def _why(summary: Summary, phrase: Phrase, admitted: Collection[int]) -> str:
    document, budget = summary.document, summary.budget
    carriers = _carriers(document, phrase)
    quality = qualities(document)
    prose = [index for index in carriers if quality[index] >= GOOD or index in admitted]
    if not prose:
        kinds = Counter(judgements(document)[index].reason for index in carriers)
        return f"the sentences with it are not prose, or only a second choice ({counted_reasons(kinds.most_common())})"
    lengths, limit = document.lengths_in(budget.unit), budget.limit_of(document)
    shortest = min(lengths[index] for index in prose)
    if limit is not None and shortest > limit:
        shortest -= unprinted(document) if budget.characters is not None else 0
        return f"the shortest has {shortest} {budget.unit}"
    weight = min(2 * phrase.score, HEAVIEST)
    return f"other sentences scored higher; a greater weight, such as {weight:g}, may bring one in"
