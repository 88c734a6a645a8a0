"""Work of a worker process: documents are read, summarized and put into the form that was asked for.

Whatever a stranger sent is decoded and parsed here, under the limits of time and memory of `workers.py`, never in the
process that serves.
"""

from __future__ import annotations

import gc
import mimetypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePath
from typing import Any, TypeVar

from nutgraf.errors import InputError, NutgrafError
from nutgraf.runtime.hardware import Compute
from nutgraf.runtime.workers import PIECE, Pieces, note
from nutgraf.service.errors import TooLarge
from nutgraf.service.limits import Limits
from nutgraf.service.prepared import Prepared
from nutgraf.service.progress import Progress
from nutgraf.service.refusals import LeftOut, Refusal, Unreadable
from nutgraf.service.requests import (
    DifferenceRequest,
    File,
    Finding,
    FindRequest,
    Given,
    Packed,
    PhrasesRequest,
    ScoreRequest,
    SummaryRequest,
    Text,
)
from nutgraf.systems import System, load_with
from nutgraf.text.difference import difference as difference_of
from nutgraf.text.document import Document, distinct, join
from nutgraf.text.outline import Made
from nutgraf.text.summary import Summary
from nutgraf.text.tokenize import count_words

T = TypeVar("T")

NOT_FETCHED = (
    "Pages are not fetched here. Save the page in your browser and give the file, or copy its text. Whoever runs this "
    "service can allow it to fetch pages, with the option --fetch."
)
"""Answer to an address in the place of a text."""

Present = Callable[[Made, System], T]
"""Makes of a summary or an outline what a process sends back; a function at the top level of a module, or a
`partial` of one."""


@dataclass(frozen=True)
class Capacity:
    """Facts about a system that was loaded; see the properties of `System`."""

    at_once: int
    processes: int | None
    signature: str


class Desk:
    """State of a worker process: the systems that it has loaded, and the latest inputs that it has read."""

    def __init__(
        self, folders: Mapping[str, str | None], compute: Compute, limits: Limits, fetch: bool = False
    ) -> None:
        """Describe the process; a system is loaded when it is first needed."""
        self.limits = limits
        self.fetch = fetch
        self.prepared = Prepared(limits.memory)
        self._folders = folders
        self._compute = compute
        self._systems: dict[str, System] = {}

    def system(self, name: str) -> System:
        """Return a system, loading it at first."""
        if name not in self._systems:
            folder = self._folders[name]
            self._systems[name] = load_with(name if folder is None else Path(folder), (), False, self._compute)
        return self._systems[name]

    def limited(self, answer: T) -> T | Pieces:
        """Return an answer, many bytes in pieces. Raises TooLarge if it has more bytes than a body may have."""
        if isinstance(answer, bytes) and len(answer) > self.limits.bytes:
            raise TooLarge(
                f"The answer would have {len(answer):,} bytes; the most are {self.limits.bytes:,}. "
                "Ask for a shorter one."
            )
        return Pieces.of(answer) if isinstance(answer, bytes) and len(answer) > PIECE else answer

    def read(
        self,
        ticket: int,
        documents: Sequence[Given],
        language: str | None,
        refusals: list[Refusal] | None = None,
    ) -> list[Document]:
        """Return the documents of a request, each text once.

        Args:
            ticket: Number of the request.
            documents: What was given.
            language: ISO 639-1 code; None recognizes it.
            refusals: Takes the documents that cannot be read, which are left out as long as one can; None leaves out
                none.

        Raises:
            InputError: If one of them cannot be read, or none can.
            TooLarge: If they have too many words.
        """
        found: list[Document] = []
        words = 0
        for number, given in enumerate(documents):
            if number:  # of the beginning its callers tell, also where nothing has to be read
                note(ticket, Progress("reading", number, len(documents)))
            name = f"Document {number + 1}" if len(documents) > 1 else ""
            try:
                read = self._read(given, name, language)
            except InputError as error:
                if refusals is None:
                    raise
                refusals.append(Refusal(number, str(error), lasting=not _is_page(given)))
                continue
            found.extend(read)
            words += sum(document.num_words for document in read)
            self.check_words(words)
        if refusals and not found:
            raise Unreadable(refusals)
        return distinct(found)

    def read_one(
        self, ticket: int, documents: Sequence[Given], language: str | None, skip_unreadable: bool
    ) -> Document:
        """Return the documents of a request as one; if it is held, it is not read anew.

        With `skip_unreadable`, documents that cannot be read are left out with notices, as long as one can be read.
        """

        def read() -> Document:
            refusals: list[Refusal] = []
            document = join(self.read(ticket, documents, language, refusals if skip_unreadable else None))
            told = map(LeftOut.of, refusals)
            return replace(document, notices=(*told, *document.notices)) if refusals else document

        note(ticket, Progress("reading", 0, len(documents)))
        return self.prepared.get(documents, language, skip_unreadable, read)

    def _read(self, given: Given, name: str, language: str | None) -> list[Document]:
        from nutgraf.readers import read_text
        from nutgraf.readers.reading import read_data, read_page

        if isinstance(given, File):
            called = given.name or name or "the file"
            kind = given.content_type.partition(";")[0].strip().lower()
            suffix = "" if PurePath(called).suffix else mimetypes.guess_extension(kind) or ""
            return read_data(given.data, called + suffix, language)
        if is_alone_address(given.text):
            if not self.fetch:
                raise InputError(NOT_FETCHED)
            return read_page(given.text.strip(), language)
        self.check_words(count_words(given.text))  # before the sentences are found, which takes longer
        return [read_text(given.text, given.name or name, language)]

    def check_words(self, words: int) -> None:
        """Raise TooLarge if there are too many words."""
        if words > self.limits.words:
            raise TooLarge(f"The documents have {words:,} words; the most are {self.limits.words:,}.")


def is_alone_address(text: str) -> bool:
    """Return True for a text that is nothing but a web address."""
    from nutgraf.readers import is_address

    return is_address(text.lstrip()) and len(text.split(None, 1)) == 1


def _is_page(given: Given) -> bool:
    return isinstance(given, Text) and is_alone_address(given.text)


def settle() -> None:
    """Take all objects that there are from the garbage collection, once whatever stays has been loaded.

    Modules and tables live as long as the process. With them, a full collection stops the process for tens of
    milliseconds, under load every few seconds, and whatever waits, waits for that, too.
    """
    gc.collect()
    gc.freeze()


def load_systems(desk: Desk, names: Sequence[str]) -> dict[str, Capacity]:
    """Load systems before the first request, and return what is known of them."""
    loaded = [(name, desk.system(name)) for name in names]
    settle()
    return {name: Capacity(one.at_once, one.processes, one.signature) for name, one in loaded}


@dataclass(frozen=True)
class Asking:
    """A request on its way to a process, its number, and what makes the answer of the result."""

    ticket: int
    request: Packed
    present: Callable[..., Any]


def summarize(desk: Desk, asked: Sequence[Asking]) -> list[Any]:
    """Return what was made of the summary for each of several requests with the same settings, or the error."""
    taken: list[tuple[Asking, SummaryRequest]] = [(one, one.request.open()) for one in asked]
    read = [_attempt(partial(_read_request, desk, one.ticket, request)) for one, request in taken]
    ready = [one for one, document in zip(asked, read, strict=True) if isinstance(document, Document)]
    if not ready:
        return read
    for one in ready:
        note(one.ticket, Progress("working"))
    first = taken[0][1]
    system = desk.system(first.system)
    made = iter(system.many([document for document in read if isinstance(document, Document)], first.asked))
    return [
        _presented(desk, one, next(made), system) if isinstance(document, Document) else document
        for one, document in zip(asked, read, strict=True)
    ]


def _read_request(desk: Desk, ticket: int, request: SummaryRequest | FindRequest) -> Document:
    return desk.read_one(ticket, request.documents, request.language, request.skip_unreadable)


def _presented(desk: Desk, asked: Asking, made: Made | NutgrafError, system: System) -> Any:
    if isinstance(made, NutgrafError):
        return made
    note(asked.ticket, Progress("finishing"))
    return _attempt(lambda: desk.limited(asked.present(made, system)))


def _attempt(function: Callable[[], T]) -> T | NutgrafError:
    """Return a result, or the error in its place, so that other requests of the same batch go on."""
    try:
        return function()
    except NutgrafError as error:
        return error


def whole(made: Made, system: System) -> Made:
    """Return a summary with its phrases found and nothing cached, so that another process need not work on it."""
    return _whole(made) if isinstance(made, Summary) else replace(made, summary=_whole(made.summary))


def _whole(summary: Summary) -> Summary:
    return replace(
        summary, document=replace(summary.document), find_phrases=partial(tuple, summary.phrases), ratings=None
    )


def as_it_is(result: T) -> T:
    """Return a result as it is."""
    return result


def find(desk: Desk, asked: Sequence[Asking]) -> list[Any]:
    """Return what was made of what was found in documents, and of the documents, joined."""
    [one] = asked
    request: FindRequest = one.request.open()
    if request.kind == "changes":
        old, new = _versions(desk, one.ticket, request)
        note(one.ticket, Progress("working"))
        from nutgraf.collation.changes import changes

        found, document = changes(old, new), join([old, new])
    else:
        document = _read_request(desk, one.ticket, request)
        note(one.ticket, Progress("working"))
        found = FINDERS[request.kind](document, request)
    note(one.ticket, Progress("finishing"))
    return [desk.limited(one.present(found, document))]


def _versions(desk: Desk, ticket: int, request: FindRequest) -> list[Document]:
    """Read versions by themselves, as the same text may be both."""
    read = []
    for number, given in enumerate(request.documents):
        note(ticket, Progress("reading", number, len(request.documents)))
        read.append(join(desk.read(ticket, [given], request.language)))
        desk.check_words(sum(document.num_words for document in read))
    return read


def _minutes(document: Document, request: FindRequest) -> Any:
    from nutgraf.meetings.find import find_minutes

    return find_minutes(document)


def _agreement(document: Document, request: FindRequest) -> Any:
    from nutgraf.collation.agreement import agreement

    return agreement(document)


def _answer(document: Document, request: FindRequest) -> Any:
    from nutgraf.questions.answering import answer

    return answer(request.question, document)


FINDERS: Mapping[Finding, Callable[[Document, FindRequest], Any]] = {
    "minutes": _minutes,
    "agreement": _agreement,
    "answer": _answer,
}
"""What finds something in one input."""


def by_itself(found: T, document: Document) -> T:
    """Return what was found as it is."""
    return found


def phrases(desk: Desk, asked: Sequence[Asking]) -> list[Any]:
    """Return what was made of the key phrases of documents, which are as `nutgraf phrases --json` prints them."""
    from nutgraf.keyphrases import extractor_of, phrases_to_json

    [one] = asked
    request: PhrasesRequest = one.request.open()
    note(one.ticket, Progress("reading", 0, len(request.documents)))
    documents = desk.read(one.ticket, request.documents, request.language)
    note(one.ticket, Progress("working"))
    extract = extractor_of(request.extractor, top=request.top, ngram_range=request.ngram_range)
    extract.fit(documents)
    document = join(documents)
    return [desk.limited(one.present(phrases_to_json(document, extract(document), request.extractor)))]


def score(desk: Desk, asked: Sequence[Asking]) -> list[Any]:
    """Return what was made of scores of summaries, which are as `nutgraf score --json` prints them."""
    from nutgraf.evaluation.metrics import choose
    from nutgraf.evaluation.pairs import example_of
    from nutgraf.evaluation.scoring import score as score_examples

    [one] = asked
    request: ScoreRequest = one.request.open()
    examples, names = [], []
    for number, given in enumerate(request.examples, 1):
        note(one.ticket, Progress("reading", number - 1, len(request.examples)))
        examples.append(example_of(given.summary, given.references, given.source))
        names.append(given.name or f"example {number}")
    note(one.ticket, Progress("working"))
    chosen = choose(",".join(request.metrics))
    return [desk.limited(one.present(score_examples(names, examples, chosen, "split:sentences").to_json()))]


def difference(desk: Desk, asked: Sequence[Asking]) -> list[Any]:
    """Return what was made of the words that differ between two texts."""
    [one] = asked
    request: DifferenceRequest = one.request.open()
    note(one.ticket, Progress("working"))
    return [desk.limited(one.present(difference_of(request.before, request.after)))]
