"""Agreement of the sources of a summary and their differences, as a page shows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nutgraf.collation.records import Agreement
from nutgraf.report.links import Link, Links
from nutgraf.text.document import Document
from nutgraf.text.passage import Passage
from nutgraf.text.summary import Origin, origin_of

MOST_SHOWN = 50
"""Statements, and sentences of one source only, that a page shows; how many more there are is said."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence of a source and the link to it; `value` is its number where sources differ."""

    link: Link
    text: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class AgreementView:
    """Agreement of the sources and their differences.

    Attributes:
        sources: Number of the sources.
        differences: Numbers that differ, each with its sentences.
        statements: What several sources say, each with the number of those that do.
        single: What only one source says.
        more: Statements and single sentences that are not shown.
    """

    sources: int
    differences: tuple[tuple[Quote, ...], ...]
    statements: tuple[tuple[int, tuple[Quote, ...]], ...]
    single: tuple[Quote, ...]
    more: tuple[int, int]


def agreement_view(agreement: Agreement, document: Document, links: Links) -> AgreementView:
    """Return what a page shows of what was compared."""

    def quote(passage: Passage, value: str = "") -> Quote:
        return Quote(links(origin_of_passage(passage, document)), passage.text, value)

    return AgreementView(
        sources=len(agreement.names),
        differences=tuple(
            tuple(quote(one.passage, one.text) for one in found.values) for found in agreement.differences
        ),
        statements=tuple(
            (len(one.sources), tuple(map(quote, one.passages))) for one in agreement.statements[:MOST_SHOWN]
        ),
        single=tuple(map(quote, agreement.single[:MOST_SHOWN])),
        more=(_beyond(agreement.statements), _beyond(agreement.single)),
    )


def quoted_origins(agreement: Agreement, document: Document) -> Iterator[Origin]:
    """Yield the places of all sentences that the page quotes, so that it can link to them."""
    for difference in agreement.differences:
        yield from (origin_of_passage(one.passage, document) for one in difference.values)
    for statement in agreement.statements[:MOST_SHOWN]:
        yield from (origin_of_passage(one, document) for one in statement.passages)
    yield from (origin_of_passage(one, document) for one in agreement.single[:MOST_SHOWN])


def origin_of_passage(passage: Passage, document: Document) -> Origin:
    """Return the place of a sentence in the documents that were compared."""
    base = document.parts[passage.source].start
    return origin_of(document, base + passage.start, base + passage.end)


def _beyond(shown: Sequence[object]) -> int:
    return max(0, len(shown) - MOST_SHOWN)
