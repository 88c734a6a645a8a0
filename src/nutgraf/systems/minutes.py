"""Minutes of whatever a system is given: what was decided, who does what by when, and what stayed open."""

from __future__ import annotations

from collections.abc import Iterable

from nutgraf.meetings.find import find_minutes
from nutgraf.meetings.records import Minutes
from nutgraf.readers.reading import Input, as_document


def minutes(documents: Input | Iterable[Input], *, language: str | None = None) -> Minutes:
    r"""Find the decisions, the actions and the open questions of a meeting.

    >>> import nutgraf
    >>> talk = "Ann: Blue or green?\n\nBob: Green.\n\nAnn: Then we take green.\n\nBob: I'll order it on Monday."
    >>> found = nutgraf.minutes(talk)
    >>> found.decisions[0].text, found.actions[0].who, found.actions[0].by
    ('Then we take green.', 'Bob', 'on Monday')

    Args:
        documents: A transcript, a chat, or minutes that somebody wrote: a text (str), a file (Path, bytes, or an open
            file), a Document, or a list of these.
        language: ISO 639-1 code, if it is known. Phrases are known in English, French, German, Italian and Spanish;
            of a text in another language nothing is found, and a notice says so.

    Returns:
        A `Minutes` record. Each item is a sentence of the text as it stands; lists are empty where nothing was found.

    Raises:
        InputError: If a file cannot be read, or something is neither a text nor a file.
    """
    return find_minutes(as_document(documents, language))
