"""Work of a worker process on a summary that somebody wrote: it is read, and checked against its sources."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from nutgraf.errors import InputError
from nutgraf.faithfulness.records import Faithfulness
from nutgraf.runtime.workers import note
from nutgraf.service.desk import NOT_FETCHED, Asking, Desk, is_alone_address
from nutgraf.service.progress import Progress
from nutgraf.service.requests import CheckRequest
from nutgraf.text.document import Document, join
from nutgraf.text.language import UNDETERMINED

PresentCheck = Callable[[Faithfulness, Document, Document], Any]
"""Makes what a process sends back of a check, the summary and its sources; a function at the top level of a module."""


def check(desk: Desk, asked: Sequence[Asking]) -> list[Any]:
    """Return what was made of the check of a summary."""
    from nutgraf.entailment.installed import installed_checker
    from nutgraf.faithfulness.check import check as check_summary
    from nutgraf.readers.reading import read_data

    [one] = asked
    request: CheckRequest = one.request.open()
    sources = desk.read_one(one.ticket, request.documents, request.language, request.skip_unreadable)
    spoken = request.language or (sources.language if sources.language != UNDETERMINED else None)
    if is_alone_address(request.summary):
        raise InputError(NOT_FETCHED)
    given = request.summary.encode("utf-8", "replace")
    note(one.ticket, Progress("working"))
    written = join(read_data(given, "the summary", spoken, marked=True))
    checked = check_summary(written, sources, installed_checker(sources.language))
    note(one.ticket, Progress("finishing"))
    return [desk.limited(one.present(checked, written, sources))]


def as_values(
    present: Callable[[dict[str, Any]], Any], checked: Faithfulness, written: Document, sources: Document
) -> Any:
    """Return what is made of the values that `nutgraf check --json` prints."""
    return present({**checked.to_json(), "sources": [part.name for part in sources.parts]})


def as_it_is(checked: Faithfulness, written: Document, sources: Document) -> Faithfulness:
    """Return a check as it is."""
    return checked
