"""Requests: records of texts and numbers, never of paths or code.

They are checked where they are made, so that a worker process is not bothered with what cannot be done.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from nutgraf.errors import InputError, UnknownName
from nutgraf.runtime.workers import Pieces
from nutgraf.service.errors import TooLarge
from nutgraf.service.limits import Limits
from nutgraf.text.clean import visible
from nutgraf.text.language import check_code
from nutgraf.text.request import NO_QUESTION, Request
from nutgraf.text.tokenize import count_words

DEFAULT_SYSTEM = "adaptive"

LONGEST_NAME = 200
"""Characters of the name of a document that are kept."""

LONGEST_QUESTION = 2000
"""Maximum number of characters of a question or a highlight."""


@dataclass(frozen=True)
class Text:
    """A document given as text, or as an HTML page.

    Attributes:
        text: The text.
        name: Its title, for origins and messages; "" if it has none.
    """

    text: str
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", _short(self.name))

    @property
    def size(self) -> int:
        """Number of characters."""
        return len(self.text)


@dataclass(frozen=True)
class File:
    """A document given as the content of a file, of any kind that there is a reader for.

    Attributes:
        data: The content.
        name: The name of the file. It is shown, and its suffix helps to recognize the format; nothing of that name is
            opened.
        content_type: The media type that the sender declared; "" if none was. It gives the suffix of a file whose name
            has none.
    """

    data: bytes
    name: str = ""
    content_type: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", _short(self.name.replace("\\", "/").rpartition("/")[2]))

    @property
    def size(self) -> int:
        """Number of bytes."""
        return len(self.data)


Given = Text | File


@dataclass(frozen=True)
class SummaryRequest:
    """A request for one summary of one or several documents.

    Attributes:
        documents: Texts and files.
        system: Name of a system that the service has.
        asked: What is asked of the summary.
        skip_unreadable: Leave out documents that cannot be read, with a notice, as long as one can.

    Raises:
        InputError: If there is no document, or the language is not known.
    """

    documents: tuple[Given, ...]
    system: str = DEFAULT_SYSTEM
    asked: Request = field(default_factory=Request)
    skip_unreadable: bool = False

    def __post_init__(self) -> None:
        _check_documents(self.documents)
        if any(len(text) > LONGEST_QUESTION for text in (self.asked.query, *self.asked.highlights)):
            raise InputError(f"A question or a highlight has at most {LONGEST_QUESTION:,} characters.")
        object.__setattr__(self, "asked", replace(self.asked, language=_code(self.asked.language)))

    @property
    def settings(self) -> tuple[object, ...]:
        """Return what two requests have in common that a network can work on together."""
        return self.system, replace(self.asked, language=None)

    @property
    def language(self) -> str | None:
        """Code of the language of the documents; None recognizes it."""
        return self.asked.language

    @property
    def input(self) -> int:
        """Hash of the documents, for a process that holds the same ones."""
        return hash(self.documents)

    def check(self, limits: Limits) -> None:
        """Raise TooLarge if the request exceeds a limit."""
        _check_size(self.documents, limits)
        count = len(self.asked.highlights)
        if count > limits.highlights:
            raise TooLarge(f"{count:,} highlights are too many; the most are {limits.highlights:,}.")


Finding = Literal["minutes", "agreement", "changes", "answer"]
"""What can be found in documents; each is a function of the library by this name."""

VERSIONS = 2
"""Number of documents between which changes are found."""


@dataclass(frozen=True)
class FindRequest:
    """A request for what is found in documents, without a summary.

    Attributes:
        kind: What to find.
        documents: Texts and files. For changes, the old version and the new one.
        question: The question of an answer; "" for anything else.
        language: ISO 639-1 code; None recognizes it.
        skip_unreadable: Leave out documents that cannot be read, with a notice, as long as one can.

    Raises:
        InputError: If there are too few documents, or the question or the language is not right.
    """

    kind: Finding
    documents: tuple[Given, ...]
    question: str = ""
    language: str | None = None
    skip_unreadable: bool = False

    def __post_init__(self) -> None:
        _check_documents(self.documents)
        if self.kind == "changes" and len(self.documents) != VERSIONS:
            raise InputError(
                f"Two versions are compared, the old one and the new one; {len(self.documents)} documents were given."
            )
        if self.kind == "answer" and not any(character.isalnum() for character in self.question):
            raise InputError(NO_QUESTION.format(self.question))
        if len(self.question) > LONGEST_QUESTION:
            raise InputError(f"A question has at most {LONGEST_QUESTION:,} characters.")
        object.__setattr__(self, "language", _code(self.language))

    @property
    def input(self) -> int:
        """Hash of the documents, for a process that holds the same ones."""
        return hash(self.documents)

    def check(self, limits: Limits) -> None:
        """Raise TooLarge if the request exceeds a limit."""
        _check_size(self.documents, limits)


@dataclass(frozen=True)
class PhrasesRequest:
    """A request for the key phrases of documents.

    Attributes:
        documents: Texts and files; together they are one input.
        extractor: Name of the extractor.
        top: Maximum number of phrases.
        ngram_range: Fewest and most words of a phrase.
        language: ISO 639-1 code; None recognizes it.

    Raises:
        UnknownName: If there is no such extractor.
        PresetError: If an option does not fit.
        InputError: If there is no document.
    """

    documents: tuple[Given, ...]
    extractor: str = "position_rank"
    top: int = 10
    ngram_range: tuple[int, int] = (1, 3)
    language: str | None = None

    def __post_init__(self) -> None:
        from nutgraf.keyphrases import extractor_of, extractors

        _check_documents(self.documents)
        if self.extractor not in extractors.names():  # a dotted name would import a module
            raise UnknownName("extractor", self.extractor, extractors.names())
        extractor_of(self.extractor, top=self.top, ngram_range=self.ngram_range)
        object.__setattr__(self, "language", _code(self.language))

    def check(self, limits: Limits) -> None:
        """Raise TooLarge if the request exceeds a limit."""
        _check_size(self.documents, limits)


@dataclass(frozen=True)
class Scored:
    """A summary to be scored.

    Attributes:
        summary: The summary.
        references: Summaries that people wrote.
        source: The document, for metrics that compare with it.
        name: Its name among the results.
    """

    summary: str
    references: tuple[str, ...] = ()
    source: str | None = None
    name: str = ""


@dataclass(frozen=True)
class ScoreRequest:
    """A request for scores of summaries.

    Attributes:
        examples: The summaries.
        metrics: Names of metrics.

    Raises:
        UnknownName: If there is no such metric.
        InputError: If there is no summary.
    """

    examples: tuple[Scored, ...]
    metrics: tuple[str, ...] = ("rouge",)

    def __post_init__(self) -> None:
        from nutgraf.metrics import metrics

        if not self.examples:
            raise InputError("There is no summary to score; give at least one example.")
        for name in self.metrics:
            if name not in metrics.names():  # a dotted name would import a module
                raise UnknownName("metric", name, metrics.names())
        if not self.metrics:
            raise InputError(f"No metric was named; there are {', '.join(metrics.names())}.")

    def check(self, limits: Limits) -> None:
        """Raise TooLarge if the request exceeds a limit."""
        if len(self.examples) > limits.documents:
            raise TooLarge(f"{len(self.examples):,} examples are too many; the most are {limits.documents:,}.")


@dataclass(frozen=True)
class CheckRequest:
    """A request for what documents say to a summary that anybody wrote.

    Attributes:
        summary: The summary, which may be Markdown.
        documents: Texts and files that it summarizes.
        language: ISO 639-1 code; None recognizes it.
        skip_unreadable: Leave out documents that cannot be read, with a notice, as long as one can.

    Raises:
        InputError: If there is no summary or no document, or the language is not known.
    """

    summary: str
    documents: tuple[Given, ...]
    language: str | None = None
    skip_unreadable: bool = False

    def __post_init__(self) -> None:
        if not self.summary.strip():
            raise InputError("There is no summary to check.")
        _check_documents(self.documents)
        object.__setattr__(self, "language", _code(self.language))

    def check(self, limits: Limits) -> None:
        """Raise TooLarge if the request exceeds a limit."""
        _check_size((Text(self.summary), *self.documents), replace(limits, documents=limits.documents + 1))
        words = count_words(self.summary)
        if words > limits.words:
            raise TooLarge(f"The summary has {words:,} words; the most are {limits.words:,}.")


@dataclass(frozen=True)
class DifferenceRequest:
    """A request for the words that differ between two texts.

    Attributes:
        before: Sentences of the first text.
        after: Sentences of the second one.
    """

    before: tuple[str, ...]
    after: tuple[str, ...]

    def check(self, limits: Limits) -> None:
        """Raise TooLarge if the request exceeds a limit."""
        words = sum(map(count_words, (*self.before, *self.after)))
        if words > limits.words:
            raise TooLarge(f"The texts have {words:,} words; the most are {limits.words:,}.")


Asked = SummaryRequest | FindRequest | PhrasesRequest | ScoreRequest | CheckRequest | DifferenceRequest


@dataclass(frozen=True)
class Packed:
    """A checked request as bytes, which only the process that works on it opens.

    Text takes up to four times as much memory as its bytes, and the server has no use for the text.

    Attributes:
        data: The request.
        system: The system of a request for a summary; None for other requests.
        settings: What two requests for a summary have in common that a network can work on together.
        input: Hash of the input, of requests whose input a process holds; None for other requests.
    """

    data: Pieces = field(repr=False)
    system: str | None = None
    settings: tuple[object, ...] | None = None
    input: int | None = None

    @classmethod
    def of(cls, request: Asked | Packed, limits: Limits) -> Packed:
        """Pack a request. Raises TooLarge if it exceeds a limit."""
        if isinstance(request, Packed):
            return request
        request.check(limits)
        data = Pieces.of(pickle.dumps(request, pickle.HIGHEST_PROTOCOL))
        if isinstance(request, SummaryRequest):
            return cls(data, request.system, request.settings, request.input)
        return cls(data, input=request.input if isinstance(request, FindRequest) else None)

    def open(self) -> Any:
        """Return the request."""
        return pickle.loads(bytes(self.data))


def _short(name: str) -> str:
    """Return a name as one line of reasonable length."""
    line = visible(name).strip()
    return line if len(line) <= LONGEST_NAME else line[: LONGEST_NAME - 1] + "…"


def _check_documents(documents: Sequence[Given]) -> None:
    if not documents:
        raise InputError("There is no document; give at least one text or file.")
    for number, one in enumerate(documents, 1):
        if not one.size or (isinstance(one, Text) and one.text.isspace()):
            raise InputError(f"{one.name or f'Document {number}'} is empty; there is nothing to read.")


def _check_size(documents: Sequence[Given], limits: Limits) -> None:
    if len(documents) > limits.documents:
        raise TooLarge(f"{len(documents):,} documents are too many; the most are {limits.documents:,}.")
    if sum(one.size for one in documents) > limits.bytes:
        raise TooLarge(f"The documents are too large; the most are {limits.bytes:,} bytes.")


def _code(language: str | None) -> str | None:
    """Return the code of a language as it is written. Raises InputError if there is none."""
    return None if language is None else check_code(language)
