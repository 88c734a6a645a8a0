"""The papers' tables as typed records, read from `published.toml`.

A table is a grid of printed figures. Whatever decides about a figure (the system, the corpus, the metric, the length)
stands at its row, at its column, or at the table: systems may be rows and metrics columns, or the other way round.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any, Literal

from nutgraf.errors import InputError, UnknownName
from nutgraf.presets import configure

NO_FIGURE = "–"
"""Figure that is not there: none is printed, or we have none."""

Kind = Literal["scores", "statistics", "judgements", "statements"]
"""Kind of a table: scores of systems, statistics of corpora, what people judged, or statements of a text."""

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True)
class Line:
    """A row or a column of a table, with what it decides about its figures.

    Attributes:
        name: Name, as printed.
        figures: Figures of a row, as printed; columns have none, and neither have rows of a chart.
        system: Entry of the systems.
        set: Changes of that system's preset, as after `--set`.
        corpus: Entry of the corpora.
        metric: Column of `nutgraf evaluate` that corresponds to the printed metric.
        share: Length of the summaries as a share of the document.
        words: Length of the summaries in words.
        statistic: Statistic of a corpus; see `counting.py`.
        section: Class of sections whose share is counted.
        split: Split of the corpus; None for all together.
        judged: Name of a row or column in what a study of people found; see `judging/figures.py`.
        variant: Variant of the corpus that the figures are of, where it is not the one that the other rows are of.
        flag: Entry of the flags: why no verdict is given on this row.
    """

    name: str
    figures: tuple[str, ...] = ()
    system: str | None = None
    set: tuple[str, ...] = ()
    corpus: str | None = None
    metric: str | None = None
    share: str | None = None
    words: int | None = None
    statistic: str | None = None
    section: str | None = None
    split: str | None = None
    judged: str | None = None
    variant: str | None = None
    flag: str | None = None


@dataclass(frozen=True)
class Figure:
    """One printed figure with its row and its column."""

    row: Line
    column: Line
    printed: str

    @property
    def value(self) -> float | None:
        """The printed number, 56,000 for 56K; None where there is none, or more than one."""
        found = _NUMBER.findall(self.printed)
        if len(found) != 1:
            return None
        return float(found[0].replace(",", "")) * (1000 if self.printed.endswith("K") else 1)

    @property
    def settings(self) -> tuple[str, ...]:
        """Changes of the system's preset."""
        return (*self.column.set, *self.row.set)

    def find(self, name: str) -> Any:
        """Return what the row, or else the column, decides about this figure."""
        at_row = getattr(self.row, name)
        return getattr(self.column, name) if at_row is None else at_row


@dataclass(frozen=True)
class PublishedTable:
    """A table of a paper.

    Attributes:
        label: Label: the letter of the paper, and the table's number in it.
        paper: Entry of the papers.
        title: Subject of the table.
        kind: Kind of the figures.
        columns: Columns of figures.
        rows: Rows with their figures.
        place: Where the paper has this, if it is no table: "Figure 5".
        corpus: Corpus of all figures, where rows and columns do not say.
        metrics: Metrics of `nutgraf evaluate` that the columns are of.
        baseline: Row or column that the others are compared with.
        study: What people did, for a table of judgements.
        protocol: Kind of such a study, as after `nutgraf judge sheet --kind`.
        commands: Commands that plan and make one.
        compared: The two systems between which people chose, by the beginnings of their names in a study.
        comment: What a reader of the figures should know.
    """

    label: str
    paper: str
    title: str
    kind: Kind
    columns: tuple[Line, ...]
    rows: tuple[Line, ...]
    place: str = ""
    corpus: str | None = None
    metrics: tuple[str, ...] = ("rouge",)
    baseline: str | None = None
    study: str = ""
    protocol: str = ""
    commands: tuple[str, ...] = ()
    compared: tuple[str, ...] = ()
    comment: str = ""

    @property
    def number(self) -> int:
        """Number of the table in its paper."""
        return int(self.label[1:])

    @property
    def name(self) -> str:
        """Name by which `nutgraf reproduce` lists it: "table3"; "figure5" of what is no table."""
        return self.place.removeprefix("the ").replace(" ", "").casefold() or f"table{self.number}"

    def figures(self) -> Iterator[Figure]:
        """Yield the figures, row by row."""
        for row in self.rows:
            for column, printed in zip(self.columns, row.figures or (NO_FIGURE,) * len(self.columns), strict=True):
                yield Figure(row, column, printed)

    def check_rows(self, names: Iterable[str]) -> None:
        """Raise UnknownName if one of these is no row of the table, nor a system that is a column."""
        lines = [line.name for line in (*self.rows, *self.columns)]
        unknown = next((name for name in names if name not in lines), None)
        if unknown is not None:
            raise UnknownName(f"row of {self.label}", unknown, lines)

    def baseline_of(self, figure: Figure) -> Figure | None:
        """Return the figure that a figure is compared with; None for the baseline itself, or where there is none."""
        if self.baseline in (None, figure.row.name, figure.column.name):
            return None
        in_a_row = any(row.name == self.baseline for row in self.rows)
        return next(
            one
            for one in self.figures()
            if (one.row.name == self.baseline and one.column == figure.column)
            or (not in_a_row and one.column.name == self.baseline and one.row == figure.row)
        )

    def pair_in(self, systems: Sequence[str]) -> tuple[str, ...]:
        """Return the systems of a study that are those between which people chose, in the order of the table.

        Capitals and signs do not count, and a name may say more: "SAGCopy-outdegree" is sagcopy.

        Raises:
            InputError: If the study lacks one of them.
        """
        found = [[one for one in systems if _plain(one).startswith(_plain(name))] for name in self.compared]
        if not all(found):
            raise InputError(
                f"The study compares {' and '.join(systems)}; {self.label} compares {' and '.join(self.compared)}: "
                "give the systems these names in `nutgraf judge sheet NAME=FILE`."
            )
        return tuple(min(several, key=len) for several in found)

    def corpus_of(self, figure: Figure) -> str:
        """Return the corpus that a figure is of."""
        found = figure.find("corpus") or self.corpus
        assert isinstance(found, str), f"{self.label} does not say what corpus {figure.row.name} is of"
        return found

    @property
    def corpora(self) -> tuple[str, ...]:
        """The corpora of all figures."""
        stated = [line.corpus for line in (*self.rows, *self.columns)]
        return tuple(dict.fromkeys(one for one in (*stated, self.corpus) if one is not None))


@dataclass(frozen=True)
class Corpus:
    """A corpus of the papers; its name is that of its data set and of its folder."""

    title: str
    """Name in text."""

    variant: str = ""
    """Variant that the papers used, where there are several."""

    set: tuple[str, ...] = ()
    """Changes of networks whose presets are made for another corpus, at the scale of the papers."""

    small_set: tuple[str, ...] = ()
    """The same at the small scale."""


@dataclass(frozen=True)
class Entry:
    """A system of a table: what makes it at either scale.

    Attributes:
        preset: Preset at the scale of the paper.
        small: Preset at the small scale; by default the same.
        set: Changes of the preset at either scale.
        small_set: Changes of the small preset that make it this system.
        corpus: Corpus that its network is trained on, where it is not that of the table.
        needs: Options that name model folders, each with the system whose network stands there.
        pretrained: What the published network begins with, where that is trained elsewhere: "a BERT". Ours
            begins with random weights unless a folder is named.
        tuned: Tune the trained network on the corpus's validation part, as `nutgraf tune` does, before it is evaluated.
    """

    preset: str
    small: str = ""
    set: tuple[str, ...] = ()
    small_set: tuple[str, ...] = ()
    corpus: str | None = None
    needs: Mapping[str, str] = field(default_factory=dict)
    pretrained: str = ""
    tuned: bool = False


@dataclass(frozen=True)
class Published:
    """All that `published.toml` holds."""

    papers: Mapping[str, str]
    flags: Mapping[str, str]
    corpora: Mapping[str, Corpus]
    systems: Mapping[str, Entry]
    tables: Mapping[str, PublishedTable]

    def table(self, paper: str, name: str) -> PublishedTable:
        """Return a table by its paper and its name, number or label: "table3", "3", "K3", "figure5".

        Raises:
            UnknownName: If there is no such paper or table.
        """
        own = self.of(paper)
        wanted = name.casefold().removeprefix("table").replace(" ", "")
        found = next((one for one in own if wanted in (str(one.number), one.label.casefold(), one.name)), None)
        if found is None:
            raise UnknownName("table", name, [one.name for one in own])
        return found

    def of(self, paper: str) -> list[PublishedTable]:
        """Return the tables of a paper. Raises UnknownName."""
        if paper not in self.papers:
            raise UnknownName("paper", paper, self.papers)
        return [one for one in self.tables.values() if one.paper == paper]


@cache
def published() -> Published:
    """Return the tables that ship."""
    content = tomllib.loads(resources.files(__package__).joinpath("published.toml").read_text(encoding="utf-8"))
    return Published(
        papers=content["papers"],
        flags=content["flags"],
        corpora={name: configure(Corpus, one, f"corpora.{name}") for name, one in content["corpora"].items()},
        systems={name: configure(Entry, one, f"systems.{name}") for name, one in content["systems"].items()},
        tables={label: _table(label, one) for label, one in content["tables"].items()},
    )


def _table(label: str, content: Mapping[str, Any]) -> PublishedTable:
    lines = {
        part: tuple(configure(Line, one, f"tables.{label}.{part}") for one in content[part])
        for part in ("columns", "rows")
    }
    table: PublishedTable = configure(PublishedTable, {"label": label, **content, **lines}, f"tables.{label}")
    return table


def _plain(name: str) -> str:
    return re.sub(r"[\W_]", "", name.casefold())
