"""Sheets of a study: one page or one table for each judge, which name no system.

A page needs nothing but itself and works offline. It keeps every answer in the browser at once, so that a judge can go
on after a crash, and hands all of them out as a file. All texts reach the page as JSON, and its script shows them as
text only; a policy lets it run nothing but that script.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
from jinja2 import Template
from lxml import html
from markupsafe import Markup

from nutgraf.errors import InputError
from nutgraf.evaluation.forms import comma_separated
from nutgraf.judging.answers import ANSWERS_SCHEMA, answers_text
from nutgraf.judging.protocols.fact_checking import LENGTH
from nutgraf.judging.records import LETTERS, Item, Task
from nutgraf.judging.study import Study
from nutgraf.report.templates import asset, content_policy, environment, printable
from nutgraf.runtime.files import make_folder, reading, write_text
from nutgraf.runtime.metadata import load, parse

FORMATS = ("html", "csv")

SHEETS, REHEARSAL = "sheets", "rehearsal"

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings of a cell that a spreadsheet takes for a formula."""


@dataclass(frozen=True)
class _Page:
    schema: Literal["nutgraf.answers/1"]
    study: str
    judge: str
    version: str
    lengthKey: str  # noqa: N815
    tasks: tuple[dict[str, Any], ...]


def write_sheets(study: Study, items: Sequence[Item], folder: str | Path, form: str) -> list[Path]:
    """Write a sheet for each judge into a folder of the study's, and return their paths.

    Raises:
        OutputError: If a file cannot be written.
    """
    place = Path(folder) / SHEETS
    make_folder(place)
    by_id = {item.id: item for item in items}
    paths = []
    for judge in study.judges:
        tasks = [task for task in study.tasks if task.judge == judge]
        path = place / f"{judge}.{form}"
        write_text(path, (render_page if form == "html" else render_table)(study, by_id, judge, tasks))
        paths.append(path)
    return paths


def render_page(study: Study, items: Mapping[str, Item], judge: str, tasks: Sequence[Task]) -> str:
    """Return a judge's page."""
    content = {
        "schema": ANSWERS_SCHEMA,
        "study": study.name,
        "version": study.version,
        "judge": judge,
        "lengthKey": LENGTH,
        "tasks": [{"key": task.key, **asdict(study.protocol.screen(items[task.item], task.order))} for task in tasks],
    }
    return draw_page(study, content)


def draw_page(study: Study, content: Mapping[str, Any], given: Sequence[Mapping[str, Any]] | None = None) -> str:
    """Return the page of a judge's tasks.

    Args:
        study: The study.
        content: The tasks, as `read_page` returns them.
        given: Answers that are stored already, for a page that is served and sends each answer back at once; None for
            a page that is a file.
    """
    style = asset("report.assets", "colours.css") + asset("judging", "sheet.css")
    script = asset("judging", "sheet.js")
    page = _template().render(
        judge=content["judge"],
        instructions=study.protocol.instructions,
        content=content if given is None else {**content, "given": list(given)},
        served=given is not None,
        style=Markup(style),
        script=Markup(script),
        policy=content_policy(style, script) + ("; connect-src 'self'" if given is not None else ""),
    )
    return printable(page)


def read_page(path: Path, study: Study) -> dict[str, Any]:
    """Return the tasks in a judge's page.

    Raises:
        InputError: If the file is no such page, or belongs to another study.
    """
    with reading(path):
        found = html.fromstring(path.read_bytes()).xpath("//script[@id='content']/text()")
    if not found:
        raise InputError(f"{path} is no page of tasks; `nutgraf judge sheet` writes them.")
    try:
        page = load(found[0], _Page)
    except ValueError as error:
        raise InputError(f"{path} is no page of tasks: {error}.") from error
    if page.study != study.name:
        raise InputError(f"{path} belongs to the study {page.study!r}, and the folder holds {study.name!r}.")
    return dict(parse(found[0]))


def render_table(study: Study, items: Mapping[str, Item], judge: str, tasks: Sequence[Task]) -> str:
    """Return a judge's table: a row for each task, with empty cells for the answers."""
    screens = [study.protocol.screen(items[task.item], task.order) for task in tasks]
    letters = LETTERS[: max((len(screen.texts) for screen in screens), default=0)]
    asked = {question.name: question for screen in screens for question in screen.questions}
    titles = [f"{name} ({', '.join(question.values)})" for name, question in asked.items()]
    rows = [["study", "task", "document", *letters, *titles, "seconds"]]
    for task, screen in zip(tasks, screens, strict=True):
        shown = [text for versions in screen.texts for text in versions]
        padding = [""] * (len(letters) - len(shown))
        empty = [""] * (len(titles) + 1)
        rows.append([study.name, task.key, *map(_harmless, (screen.source, *shown)), *padding, *empty])
    return comma_separated(rows)


def rehearse(study: Study, items: Sequence[Item], folder: str | Path) -> list[Path]:
    """Write answers of simulated judges, who find a system better the earlier it was named, and return their paths.

    They are marked as simulated, and every report of them says so.
    """
    place = Path(folder) / REHEARSAL
    make_folder(place)
    generator = np.random.default_rng([study.seed, 1])
    base = np.linspace(0.4, -0.4, len(study.systems))
    by_id = {item.id: item for item in items}
    quality = {
        item.id: dict(zip(study.systems, (base + generator.standard_normal(len(base)) / 2).tolist(), strict=True))
        for item in items
    }
    paths = []
    for number, judge in enumerate(study.judges, start=1):
        given = []
        for minute, task in enumerate(task for task in study.tasks if task.judge == judge):
            answers = study.protocol.rehearse(by_id[task.item], task.order, quality[task.item], generator)
            at = f"2000-01-{1 + minute // 1440:02}T{minute // 60 % 24:02}:{minute % 60:02}:00.000Z"
            seconds = round(float(generator.lognormal(3.5, 0.4)), 1)
            given.append({"task": task.key, "answers": answers, "seconds": seconds, "at": at})
        path = place / f"judge-{number:02}.json"
        write_text(path, answers_text(study, judge, given, simulated=True))
        paths.append(path)
    return paths


def _harmless(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


@cache
def _template() -> Template:
    return environment("judging").get_template("sheet.html.jinja")
