"""Answers to questions, as records: the sentence that answers, where it stands, and what it leans on."""

from __future__ import annotations

from nutgraf.errors import InputError, check_type
from nutgraf.prose.closure import Closures
from nutgraf.questions.finder import find
from nutgraf.readers.reading import Input, as_document
from nutgraf.text.document import Document
from nutgraf.text.request import NO_QUESTION
from nutgraf.text.summary import Answer, origin_of
from nutgraf.text.tokenize import words


def answer(question: str, *sources: Input, language: str | None = None) -> Answer:
    """Answer a question with a sentence of the texts, or say that they do not answer it.

    >>> import nutgraf
    >>> found = nutgraf.answer("When did the ferry leave?", "The ferry left at noon. Gulls followed it.")
    >>> found.answered, found.kind, found.sentence
    (True, 'date', 'The ferry left at noon.')

    Args:
        question: The question, in the language of the texts: a sentence, or a few words.
        sources: Texts (str), files (Path, bytes, or an open file), or Documents.
        language: ISO 639-1 code of the texts, if it is known.

    Returns:
        The answer; `answered` is False where no sentence seems to give it, and `sentence` is the one that comes
        closest.

    Raises:
        InputError: If the question has no words, or a source cannot be read or has no sentence.
    """
    check_type(question, str, "A question is a text (str)")
    if not sources:
        raise InputError("There is no text to answer from; give one, as in answer(question, text).")
    document = as_document(list(sources), language)
    if not words(question, document.language):
        raise InputError(NO_QUESTION.format(question))
    if not document.sentences:
        raise InputError(f"There is no sentence to answer from in {document.name or 'the input'}.")
    return answer_in(document, question)[0]


def answer_in(document: Document, question: str) -> tuple[Answer, int | None]:
    """Return the answer of a document, and the index of its sentence."""
    found = find(document, question)
    if found.index is None:
        return Answer(question, found.kind, False), None
    sentence = document.sentences[found.index]
    needed = [one for one in Closures(document).of(found.index, ()).members if one != found.index]
    answer = Answer(
        question=question,
        kind=found.kind,
        answered=found.answered,
        sentence=document.printed[found.index],
        origins=(origin_of(document, sentence.start, sentence.end),),
        score=found.score,
        context=tuple(document.printed[one] for one in needed),
    )
    return answer, found.index
