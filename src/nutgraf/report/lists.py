"""Lists as a page shows them: the minutes of a meeting, and what documents agree on.

Their items are sentences of the documents, so the page treats them as those of a summary: each has a number, a link to
where it stands, and a mark there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from nutgraf.collation.records import Agreement
from nutgraf.meetings.records import NONE, Action, Item, Minutes, as_markdown
from nutgraf.report.agreement import MOST_SHOWN, origin_of_passage
from nutgraf.report.view import Entry, Listing, Quote, View, view_of
from nutgraf.text.document import Document
from nutgraf.text.formats import in_markdown
from nutgraf.text.passage import Passage
from nutgraf.text.summary import Budget, Origin, Summary, SummarySentence
from nutgraf.version import __version__

REASONS = ("a decision", "an action", "a question that stayed open")
"""Why an item is in its list, list by list."""

NOUNS = ("decision", "action", "open question")

DIFFERING = (
    "Numbers and dates of different sources that seem to be about the same thing. Look at the sentences: some are "
    "about different things."
)


@dataclass(frozen=True, slots=True)
class _Told:
    """A sentence in a list before it has a number: its text, its places, and what stands around it."""

    text: str
    origins: tuple[Origin, ...]
    reason: str
    lead: str = ""
    remarks: str = ""


@dataclass(frozen=True, slots=True)
class _List:
    """A list before its sentences have numbers; its groups have a title each, "" for none."""

    title: str
    count: str
    groups: Sequence[tuple[str, Sequence[_Told]]]
    none: str = NONE
    about: str = ""
    more: int = 0


def minutes_view(minutes: Minutes) -> View:
    """Return what a page shows of minutes."""
    lists = [
        _List(heading, _counted(len(items), noun), [("", [_item(minutes, one, reason)]) for one in items])
        for (heading, items), noun, reason in zip(minutes.lists(), NOUNS, REASONS, strict=True)
    ]
    view = _view(lists, minutes.document, "minutes", minutes.notices)
    return replace(view, kicker="Minutes of", called="the minutes", plain=str(minutes), referenced=as_markdown(minutes))


def agreement_view(agreement: Agreement, document: Document) -> View:
    """Return what a page shows of the documents that were compared, by themselves.

    Args:
        agreement: What they agree on and where they differ.
        document: The documents, joined.
    """

    def told(passage: Passage, reason: str, lead: str = "", remarks: str = "") -> _Told:
        return _Told(passage.text, (origin_of_passage(passage, document),), reason, lead, remarks)

    names, single = agreement.name, agreement.single[:MOST_SHOWN]
    differences = [
        (
            "",
            [
                told(one.passage, f"may differ: {agreement.said(found)}", one.text, names(one.source))
                for one in found.values
            ],
        )
        for found in agreement.differences
    ]
    statements = [
        (
            said := f"Said by {len(one.sources)} of {len(agreement.names)}",
            [told(passage, said.lower(), remarks=names(passage.source)) for passage in one.passages],
        )
        for one in agreement.statements[:MOST_SHOWN]
    ]
    alone = [
        (f"Only in {names(source)}", [told(one, f"only in {names(source)}") for one in some])
        for source, some in groupby(single, key=lambda one: one.source)
    ]
    many = len(agreement.statements), len(agreement.single)
    lists = [
        _List(
            "Where they may differ",
            f"{_counted(len(differences), 'place')} where they may differ",
            differences,
            "nowhere, as far as could be seen",
            DIFFERING if differences else "",
        ),
        _List(
            "What several say",
            _counted(many[0], "statement") + " of several",
            statements,
            more=many[0] - len(statements),
        ),
        _List("What only one says", _counted(many[1], "sentence") + " of one only", alone, more=many[1] - len(single)),
    ]
    view = _view(lists, document, "agreement", agreement.notices)
    text = "\n\n".join(map(_as_text, view.lists))
    return replace(view, kicker="Agreement of", called="these lists", plain=text, referenced=text)


def _item(minutes: Minutes, item: Item, reason: str) -> _Told:
    who, text, _ = minutes.parts_of(item)
    due = f"due: {item.by}" if isinstance(item, Action) and item.by else ""
    teller = item.speaker if item.speaker and item.speaker != who else ""
    said = f"said by {teller}" if isinstance(item, Action) and teller else ""
    lead = who if isinstance(item, Action) else teller
    return _Told(text, item.origins, reason, lead, ", ".join(filter(None, [due, said])))


def _view(lists: Sequence[_List], document: Document, made_by: str, notices: tuple[str, ...]) -> View:
    told = [one for listed in lists for _, group in listed.groups for one in group]
    sentences = tuple(SummarySentence(one.text, "copied", one.origins, reasons=(one.reason,)) for one in told)
    summary = Summary(sentences, document, Budget(), f"{made_by}|v{__version__}", notices=notices)
    view = view_of(summary)
    lines = iter(view.lines)

    def entry(title: str, group: Iterable[_Told]) -> Entry:
        return Entry(title, tuple(Quote(next(lines), one.lead, one.remarks) for one in group))

    return replace(
        view,
        lists=tuple(
            Listing(
                one.title,
                one.count,
                tuple(entry(*group) for group in one.groups),
                one.none,
                one.about,
                max(0, one.more),
            )
            for one in lists
        ),
    )


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _as_text(listing: Listing) -> str:
    return "\n".join([listing.title, *_text_lines(listing)])


def _text_lines(listing: Listing, written: Callable[[str], str] = str) -> Iterator[str]:
    """Yield the items of a list, an entry with a title as a list of its own."""
    for entry in listing.entries:
        if entry.title:
            yield f"- {written(entry.title)}"
        for place, one in enumerate(entry.quotes):
            lead, remarks = f"{one.lead}: " if one.lead else "", f" ({one.remarks})" if one.remarks else ""
            indent = "  " if entry.title or place else ""
            yield f"{indent}- {written(f'{lead}{one.line.sentence.text}{remarks}')}"
    if not listing.entries:
        yield listing.none
    if listing.more:
        yield f"- and {listing.more:,} more"


def lists_in_markdown(view: View) -> str:
    """Return lists as Markdown, with a heading for each."""
    blocks = [f"# {view.kicker} {in_markdown(view.title)}"]
    for listing in view.lists:
        blocks.append(f"## {listing.title}\n\n" + "\n".join(_text_lines(listing, in_markdown)))
    return "\n\n".join(blocks)
