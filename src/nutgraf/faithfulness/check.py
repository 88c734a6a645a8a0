"""Checks a summary against its sources: for each sentence the evidence, and what the sources do not bear out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from nutgraf.errors import InputError, check_type
from nutgraf.faithfulness.detectors import Detector, detectors
from nutgraf.faithfulness.records import CheckedSentence, Faithfulness
from nutgraf.faithfulness.sources import Claim, Sources, claims
from nutgraf.text.document import Document, join
from nutgraf.text.flag import Flag
from nutgraf.text.language import NAMES
from nutgraf.text.summary import Summary
from nutgraf.version import __version__


def check(
    summary: Summary | Document | str, sources: Document | str | Iterable[Document | str] | None = None
) -> Faithfulness:
    """Check a summary, whoever wrote it, against its sources.

    >>> import nutgraf
    >>> checked = nutgraf.check("Five boats left the harbour.", "Four boats left the harbour at noon.")
    >>> checked.verdict, [flag.reason for flag in checked.flags]
    ('unsupported', ['No source has the number Five.'])

    Args:
        summary: The summary.
        sources: The documents that it summarizes; a `Summary` brings its own.

    Returns:
        A `Faithfulness` record.

    Raises:
        InputError: If there is no summary or no source, or one has another type.
    """
    check_type(summary, (Summary, Document, str), "A summary is a Summary, a Document or a str")
    document = _joined(summary, sources)
    checked = checked_sentences(_document(summary), Sources(document))
    return Faithfulness(checked, f"faithfulness|rules:{'+'.join(rules())}|v{__version__}", _lacking(document.language))


@cache
def rules() -> Mapping[str, Detector]:
    """All detectors with their default options, by name."""
    return {kind: detectors.build(detectors.choose(kind)) for kind in detectors.names()}


def _lacking(language: str) -> tuple[str, ...]:
    """Return what the rules do not look for in sources of a language, in a sentence."""
    lacking = [what for rule in rules().values() if (what := rule.lacks(language))]
    called = next((name.capitalize() for name, code in NAMES.items() if code == language), repr(language))
    return (f"In {called}, these are not checked: {', '.join(lacking)}.",) if lacking else ()


def _joined(summary: Summary | Document | str, sources: Document | str | Iterable[Document | str] | None) -> Document:
    if sources is None:
        if not isinstance(summary, Summary):
            raise InputError("A summary is checked against its sources; none was given.")
        return summary.document
    given = [sources] if isinstance(sources, (str, Document)) else list(sources)
    for source in given:
        check_type(source, (Document, str), "A source is a Document or a str")
    return join([source if isinstance(source, Document) else Document.of(source) for source in given])


def _document(summary: Summary | Document | str) -> Document:
    if isinstance(summary, Document):
        return summary
    return Document.of(summary if isinstance(summary, str) else summary.text)


def checked_sentences(summary: Document, sources: Sources) -> tuple[CheckedSentence, ...]:
    """Check the sentences of a summary.

    Args:
        summary: The summary.
        sources: Its sources.
    """
    return tuple(
        CheckedSentence(
            claim.start,
            claim.end,
            claim.sentence,
            tuple(sources.evidence(claim)),
            claim.support,
            tuple(sources.labels(claim)),
            tuple(_flags(claim, sources)),
        )
        for claim in claims(summary, sources)
    )


def _flags(claim: Claim, sources: Sources) -> list[Flag]:
    found = [
        Flag(kind, start, end, claim.text[start:end], reason)
        for kind, rule in rules().items()
        for (start, end), reason in rule(claim, sources)
    ]
    return sorted(found, key=lambda flag: (flag.start, flag.end))
