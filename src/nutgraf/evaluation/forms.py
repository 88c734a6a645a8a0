"""Tables with what stands above and below them, as text, Markdown and LaTeX."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from nutgraf.errors import UnknownName
from nutgraf.evaluation.show import align

LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "Δ": r"$\Delta$", "−": "$-$", "–": "--", "‖": r"$\|$",
    "κ": r"$\kappa$", "∞": r"$\infty$",
}  # fmt: skip
"""Characters that LaTeX reads as commands, or that its fonts lack."""


class Sheet(NamedTuple):
    """A table of text."""

    head: list[str]
    rows: list[list[str]]


class Leaf(NamedTuple):
    """Tables under one title, with sentences below them."""

    title: str
    sheets: Sequence[Sheet]
    remarks: Sequence[str]


def text(leaf: Leaf) -> str:
    """Return tables for a terminal; lines are not broken."""
    tables = [align([sheet.head, *sheet.rows]) for sheet in leaf.sheets]
    return "\n\n".join(filter(None, [leaf.title, *tables, "\n".join(leaf.remarks)]))


def markdown(leaf: Leaf) -> str:
    """Return tables as Markdown."""
    whole = ([sheet.head, ["---"] * len(sheet.head), *sheet.rows] for sheet in leaf.sheets)
    tables = ["\n".join(f"| {' | '.join(map(_in_markdown, row))} |" for row in rows) for rows in whole]
    remarks = "\n".join(f"* {_in_markdown(line)}" for line in leaf.remarks)
    return "\n\n".join(filter(None, [f"### {_in_markdown(leaf.title)}", *tables, remarks]))


def latex(leaf: Leaf) -> str:
    """Return tables as LaTeX with the package booktabs."""
    return "\n".join(
        [
            r"\begin{table}",
            rf"\caption{{{_in_latex(leaf.title)}}}",
            *(line for sheet in leaf.sheets for line in _tabular(sheet)),
            *(rf"\par\footnotesize {_in_latex(line)}" for line in leaf.remarks),
            r"\end{table}",
        ]
    )


FORMS: Mapping[str, Callable[[Leaf], str]] = {"text": text, "markdown": markdown, "latex": latex}
"""Forms for readers by their names."""

NAMES = (*FORMS, "csv", "json")
"""Names of all forms; a report makes those for programs itself."""


def comma_separated(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV, with a line end after each; None is empty."""
    content = io.StringIO()
    csv.writer(content, lineterminator="\n").writerows(rows)
    return content.getvalue()


def check_form(name: str) -> None:
    """Raise UnknownName if there is no such form."""
    if name not in NAMES:
        raise UnknownName("format", name, NAMES)


def _tabular(sheet: Sheet) -> Iterator[str]:
    yield rf"\begin{{tabular}}{{{'l' * len(sheet.head)}}}"
    yield r"\toprule"
    yield _line(sheet.head)
    yield r"\midrule"
    yield from map(_line, sheet.rows)
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _line(cells: Iterable[str]) -> str:
    return rf"{' & '.join(map(_in_latex, cells))} \\"


def _in_latex(cell: str) -> str:
    return "".join(LATEX.get(character, character) for character in cell)


def _in_markdown(cell: str) -> str:
    return re.sub(r"([\\|*_<`])", r"\\\1", cell) if cell != "---" else cell
