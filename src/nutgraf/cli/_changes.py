"""Changes between two versions of a document, as text and as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from nutgraf.text.difference import Difference
from nutgraf.text.formats import escaped

if TYPE_CHECKING:
    from nutgraf.collation.changes import Change, Changes


def as_lines(changes: Changes) -> str:
    """Return changes as text: a line that counts them, then each below the name of its section."""
    return "\n".join([_counted(changes), *_below_sections(changes, "\n{}".format, _line)])


def as_markdown(changes: Changes) -> str:
    """Return changes as Markdown: a list, below a heading for each section."""
    old, new = (escaped(name) or "the text" for name in changes.names)
    title = f"# Changes from {old} to {new}\n\n{_counted(changes)}\n"
    return "\n".join([title, *_below_sections(changes, lambda name: f"\n## {escaped(name)}\n", _item)])


def _counted(changes: Changes) -> str:
    counted = [f"{count:,} {kind}" for kind, count in changes.counts.items()] or ["no sentence changed"]
    return f"{', '.join(counted)}; {changes.same:,} the same"


def _below_sections(changes: Changes, heading: Callable[[str], str], shown: Callable[[Change], str]) -> Iterator[str]:
    for section, some in groupby(changes.changes, key=lambda change: change.section):
        if section:
            yield heading(section)
        yield from map(shown, some)


def _line(change: Change) -> str:
    return f"{change.label}{' and moved' if change.moved and change.words else ''}: {_text(change)}"


def _text(change: Change) -> str:
    if change.words:
        return str(Difference(change.words))
    passage = change.new or change.old
    return passage.text if passage else ""


def _item(change: Change) -> str:
    marks = {"same": ("", ""), "removed": ("~~", "~~"), "added": ("**", "**")}
    text = escaped(_text(change))
    if change.words:
        pieces = [(*marks[one.kind], one) for one in change.words]
        text = "".join(f"{start}{escaped(one.text)}{end}{one.gap}" for start, end, one in pieces)
        text = text.replace("~~**", "~~ **").strip()
    return f"- *{change.label}{' and moved' if change.moved and change.words else ''}:* {text}"
