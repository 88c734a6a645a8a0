"""Bodies of requests, as JSON and as the fields of a form; OpenAPI describes them from here."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from nutgraf.errors import InputError
from nutgraf.service.requests import (
    DEFAULT_SYSTEM,
    CheckRequest,
    File,
    Finding,
    FindRequest,
    Given,
    PhrasesRequest,
    Scored,
    ScoreRequest,
    SummaryRequest,
    Text,
)
from nutgraf.text.divisions import By
from nutgraf.text.formats import Format
from nutgraf.text.request import Request
from nutgraf.text.summary import LONGEST_SUMMARY, SCHEMA, Budget

FERRY = "The ferry left the harbour at noon. It came back at dusk. Nobody was on it."
TALK = "Ann: Blue or green?\n\nBob: Green.\n\nAnn: Then we take green.\n\nBob: I'll order it on Monday."
MILL = "The mill burned down on Friday. A new mill would cost a fortune."

GENERATED: dict[str, Any] = {
    "schema": SCHEMA,
    "text": "The ferry left Dover at noon.",
    "words": 6,
    "sentences": [
        {
            "text": "The ferry left Dover at noon.",
            "operation": "generated",
            "origins": [{"source": 0, "start": 0, "end": 35}],
            "flags": [
                {"kind": "names", "start": 15, "end": 20, "text": "Dover", "reason": "No source has the name Dover."}
            ],
        }
    ],
}
"""The most important fields of a summary of `FERRY` that a model wrote."""

MAX_ITEMS = 10_000
"""Maximum number of elements of a list; a limit of the service, such as that of documents, may be lower."""

MAX_NAME = 1000
"""Maximum number of characters of a title, a name, a code or a number in words."""

Item = TypeVar("Item")

Listed = Annotated[list[Item], Field(max_length=MAX_ITEMS, fail_fast=True)]
"""A list whose first wrong element ends its validation."""

Name = Annotated[str, Field(max_length=MAX_NAME)]

Length = Annotated[int, Field(ge=1, le=LONGEST_SUMMARY)]
Answer = Literal["json", "paragraph", "bullets", "headline", "markdown"]


class Body(BaseModel):
    """A body of JSON; a field that it does not know is refused."""

    model_config = ConfigDict(extra="forbid")


class TextDocument(Body):
    """A document as text, or as an HTML page."""

    text: str = Field(description="The text.")
    title: Name = Field("", description="Its title, which the origins of sentences name.")


class FileDocument(Body):
    """A document as the content of a file."""

    data: str = Field(description="The content of the file, in Base64.", examples=["VGhlIGZlcnJ5IGxlZnQu"])
    name: Name = Field("", description="The name of the file; its suffix helps to recognize the format.")
    content_type: Name = Field("", description="Its media type, if the name has no suffix.")


class Highlight(Body):
    """A phrase to see more of."""

    phrase: str
    weight: float = Field(1.0, gt=0, le=1_000_000, description="2 doubles what the phrase adds to a sentence.")


class Documents(Body):
    """Documents, which together are one input."""

    documents: Listed[str | TextDocument | FileDocument] = Field(default_factory=list, description="Texts and files.")
    language: Name | None = Field(None, description="ISO 639-1 code, if it is known.", examples=["en"])

    _files: list[File] = PrivateAttr(default_factory=list)

    def add_files(self, files: Iterable[File]) -> None:
        """Add files that came with a form."""
        self._files.extend(files)

    def given(self) -> tuple[Given, ...]:
        """Return the documents. Raises InputError if one is not in Base64."""
        return (*map(_given, self.documents), *self._files)


class Wanted(Body):
    """Options of a summary. It has at most one length; without one, the system takes its natural length."""

    words: Length | None = Field(None, description="Maximum number of words.")
    sentences: Length | None = Field(None, description="Maximum number of sentences.")
    characters: Length | None = Field(None, description="Maximum number of characters.")
    share: Name | float | None = Field(
        None, description="Maximum share of the input's words.", examples=["1/8", "12.5%", 0.125]
    )
    highlights: Listed[str | Highlight] = Field(
        default_factory=list, description="Phrases to see more of, also as “phrase:weight”."
    )
    query: str = Field(
        "", description="Question; the sentence that answers it comes first, or a notice says that none seems to."
    )
    whole_sentences: bool = Field(
        False, description="Leave out no connective (“However, …”) at the beginning of a sentence that is copied."
    )
    edit: bool | float = Field(
        False,
        description="Leave out pieces of sentences that grammar lets go: true, or a strength above 0 and at most 1.",
    )
    prose: bool = Field(True, description="Leave out what is not prose; false keeps every sentence.")
    by: By | None = Field(None, description="Make an outline, whose parts have sentences of their own.")
    depth: int | None = Field(None, ge=1, le=100, description="Deepest level of an outline.")

    def asked(self, language: str | None, default: Budget = Budget()) -> Request:
        """Return the request. Raises InputError or BudgetError.

        Args:
            language: Code of the language of the documents.
            default: Length where the body has none.
        """
        budget = Budget.of(self.words, self.sentences, self.share, self.characters)
        lines = (one if isinstance(one, str) else f"{one.phrase}:{one.weight:g}" for one in self.highlights)
        length = default if budget == Budget() else budget
        return Request(
            length,
            tuple(lines),
            self.query,
            language,
            whole_sentences=self.whole_sentences,
            edit=self.edit,
            prose=self.prose,
            by=self.by,
            depth=self.depth,
        )


class SummaryBody(Wanted, Documents):
    """A request for a summary. It has at most one length; without one, the system takes its natural length."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"documents": [FERRY], "words": 7},
                {
                    "documents": [{"text": FERRY, "title": "Ferry"}, {"text": MILL, "title": "Mill"}],
                    "sentences": 2,
                    "highlights": [{"phrase": "new mill", "weight": 2}],
                    "system": "adaptive",
                    "format": "markdown",
                },
            ]
        }
    )

    system: Name = Field(DEFAULT_SYSTEM, description="One of `GET /v1/systems`.")
    format: Answer = Field("json", description="“json” with the origins of every sentence, or a form of text.")

    def request(self) -> SummaryRequest:
        """Return the request. Raises InputError or BudgetError."""
        if self.by is not None and self.format == "headline":
            raise InputError("A headline is one sentence, and by makes an outline; leave out one of them.")
        length = Budget(sentences=1) if self.format == "headline" else Budget()
        return SummaryRequest(self.given(), self.system, self.asked(self.language, length))

    @property
    def text_format(self) -> Format | None:
        """Form of text; None for JSON."""
        return None if self.format == "json" else self.format


class FindBody(Documents):
    """A request for what is found in documents."""

    def request(self) -> FindRequest:
        """Return the request. Raises InputError if it cannot be made."""
        raise NotImplementedError

    def found(self, kind: Finding, question: str = "") -> FindRequest:
        """Return the request. Raises InputError if it cannot be made."""
        return FindRequest(kind, self.given(), question, self.language)


class MinutesBody(FindBody):
    """A request for the minutes of a meeting: a transcript, a chat, or what somebody wrote down."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"documents": [TALK]}]})

    def request(self) -> FindRequest:
        """Return the request. Raises InputError if there is no document."""
        return self.found("minutes")


class AgreementBody(FindBody):
    """A request to compare documents; there are two or more."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"documents": [FERRY, MILL]}]})

    def request(self) -> FindRequest:
        """Return the request. Raises InputError if there is no document."""
        return self.found("agreement")


class ChangesBody(FindBody):
    """A request for what changed between two documents: the old version, and the new one."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"documents": [MILL, MILL.replace("Friday", "Monday")]}]})

    def request(self) -> FindRequest:
        """Return the request. Raises InputError if there are not two documents."""
        return self.found("changes")


class AnswerBody(FindBody):
    """A request for the answer to a question."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"documents": [FERRY], "question": "When did the ferry leave?"}]}
    )

    question: str = Field(description="The question, in the language of the documents.")

    def request(self) -> FindRequest:
        """Return the request. Raises InputError if the question has no words."""
        return self.found("answer", self.question)


class PhrasesBody(Documents):
    """A request for key phrases."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"documents": [FERRY], "top": 3}]})

    extractor: Name = Field("position_rank", description="One of the key-phrase extractors.")
    top: int = Field(10, ge=1, le=1000, description="Maximum number of phrases.")
    ngram_range: tuple[int, int] = Field((1, 3), description="Fewest and most words of a phrase.")

    def request(self) -> PhrasesRequest:
        """Return the request. Raises NutgrafError if an option does not fit."""
        return PhrasesRequest(self.given(), self.extractor, self.top, self.ngram_range, self.language)


class CheckBody(Documents):
    """A request for a check of a summary against its sources, the documents."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"summary": "The ferry left Dover at noon.", "documents": [FERRY]}]}
    )

    summary: str = Field(min_length=1, description="The summary, whoever wrote it; it may be Markdown.")

    def request(self) -> CheckRequest:
        """Return the request. Raises InputError if there is no summary or no document."""
        return CheckRequest(self.summary, self.given(), self.language)


class ScoreExample(Body):
    """A summary to be scored."""

    summary: str
    references: Listed[str] = Field(default_factory=list, description="Summaries that people wrote.")
    source: str | None = Field(None, description="The document, for metrics that compare with it.")
    name: Name = Field("", description="Its name among the results.")


class ScoreBody(Body):
    """A request for scores of summaries."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "examples": [{"summary": "The ferry left.", "references": ["The ferry left at noon."]}],
                    "metrics": ["rouge"],
                }
            ]
        }
    )

    examples: Listed[ScoreExample] = Field(min_length=1)
    metrics: Listed[Name] = Field(default_factory=lambda: ["rouge"], description="Names of metrics.", min_length=1)

    def request(self) -> ScoreRequest:
        """Return the request. Raises NutgrafError if there is no such metric."""
        examples = [Scored(one.summary, tuple(one.references), one.source, one.name) for one in self.examples]
        return ScoreRequest(tuple(examples), tuple(self.metrics))


def _given(document: str | TextDocument | FileDocument) -> Given:
    if isinstance(document, str):
        return Text(document)
    if isinstance(document, TextDocument):
        return Text(document.text, document.title)
    return File(decoded(document.data, document.name), document.name, document.content_type)


def decoded(data: str, name: str) -> bytes:
    """Return bytes from Base64. Raises InputError if they are not written in it."""
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise InputError(f"The content of {name or 'a file'} is not in Base64.") from None


def inlined(model: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON schema of a body with its parts in their places, as OpenAPI's `requestBody` needs it."""
    schema = model.model_json_schema()
    parts = schema.pop("$defs", {})

    def whole(node: Any) -> Any:
        if isinstance(node, dict) and "$ref" in node:
            return whole(parts[node["$ref"].rpartition("/")[2]])
        if isinstance(node, dict):
            return {key: whole(value) for key, value in node.items()}
        return [whole(one) for one in node] if isinstance(node, list) else node

    found: dict[str, Any] = whole(schema)
    return found
