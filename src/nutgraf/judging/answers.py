"""Answers of judges, read from the files that pages hand out (JSON) or that judges filled in (CSV)."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from nutgraf.errors import InputError
from nutgraf.judging.protocols.fact_checking import LENGTH
from nutgraf.judging.records import Judgement, Task
from nutgraf.judging.study import Study
from nutgraf.runtime.files import reading
from nutgraf.runtime.lines import text_lines
from nutgraf.runtime.metadata import load, read_json
from nutgraf.version import __version__

ANSWERS_SCHEMA = "nutgraf.answers/1"


@dataclass(frozen=True)
class _Answer:
    task: str
    answers: dict[str, str]
    seconds: int | float | None
    at: str


@dataclass(frozen=True)
class _Answers:
    schema: Literal["nutgraf.answers/1"]
    study: str
    judge: str
    version: str
    answers: tuple[_Answer, ...]
    simulated: bool = False


LONGEST_CELL = 1 << 26

LENGTH_DIGITS = 3

TABLES = (".csv", ".tsv", ".txt")
"""Endings of tables."""

SENT = (".json", ".csv", ".tsv", ".xlsx", ".xls", ".ods", ".html", ".htm")
"""Endings of what judges send, of which the last ones are refused with a way out."""

Placed = tuple[str, Judgement]
"""A judgement and where it stands, for messages."""


def answers_text(study: Study, judge: str, answers: Sequence[Mapping[str, Any]], simulated: bool = False) -> str:
    """Return a file of answers as a page writes it."""
    content = {
        "schema": ANSWERS_SCHEMA,
        "study": study.name,
        "judge": judge,
        "version": study.version,
        "simulated": simulated,
        "answers": list(answers),
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def files_in(paths: Sequence[str]) -> list[Path]:
    """Return the files that are named, and those that judges may have sent in folders that are named.

    A folder without any stays.
    """
    found: list[Path] = []
    for path in map(Path, paths):
        found += sorted(one for one in path.glob("*") if one.suffix.lower() in SENT) or [path]
    return found


def read_each(paths: Sequence[str], study: Study) -> Iterator[tuple[Path, list[Judgement] | InputError]]:
    """Yield every file of answers that is named, or in a folder that is, with its judgements or why it has none."""
    for path in files_in(paths):
        try:
            yield path, read_answers(path, study)
        except InputError as error:
            yield path, error


def read_answers(path: Path, study: Study) -> list[Judgement]:
    """Return the judgements in a file of answers.

    Raises:
        InputError: If the file cannot be read, belongs to another study, or holds an answer that nobody could choose.
    """
    if path.is_dir():
        raise InputError(f"The folder {path} holds no answers: no .json and no .csv file.")
    if not path.exists():
        raise InputError(f"There is no file {str(path)!r}.")
    _refuse_other_files(path)
    if path.suffix.lower() in TABLES:
        return _of_one_judge(_read_table(path, study), None)
    return judgements_in(read_json(path, "a file of answers"), study, str(path))


def ahead(judgements: Sequence[Judgement]) -> str:
    """Return in a sentence which judgements have a time more than a day from now; "" if there are none."""
    tomorrow = _text_of(datetime.now(UTC) + timedelta(days=1))
    late = [one for one in judgements if one.at > tomorrow]
    if not late:
        return ""
    counted = "1 answer has a time" if len(late) == 1 else f"{len(late):,} answers have times"
    latest = max(one.at for one in late)
    return f"{counted} more than a day ahead of now, up to {latest}; what is answered until then counts as earlier."


def _refuse_other_files(path: Path) -> None:
    """Say what was sent in the place of answers, for the files that are sent most often."""
    if not path.is_file():  # a pipe can be read only once
        return
    with reading(path), path.open("rb") as file:
        head = file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"<"):
        raise InputError(
            f"{path} is the page, not the saved answers: open it in the browser in which it was answered, and choose "
            "'Save the answers as a file'."
        )
    if head.startswith((b"PK", b"\xd0\xcf\x11\xe0", b"\xff\xfe", b"\xfe\xff")):
        kind = "UTF-16 text" if head[0] >= 0xFE else "a workbook"
        raise InputError(f"{path} is {kind}: open it in the spreadsheet program, and save it as CSV (UTF-8).")


def judgements_in(content: Any, study: Study, where: str) -> list[Judgement]:
    """Return the judgements in what a page saves or sends.

    Args:
        content: What should be the object of a file of answers.
        study: The study.
        where: Where it comes from, for messages.

    Raises:
        InputError: If it has another shape, belongs to another study, or holds an answer that nobody could choose.
    """
    try:
        text = json.dumps(content, ensure_ascii=False)
        text.encode()
    except (UnicodeEncodeError, RecursionError):
        raise InputError(f"{where} holds a text that cannot be stored: half a character (as \\ud800).") from None
    try:
        sent = load(text, _Answers)
    except ValueError as error:
        raise InputError(f"{where} is not a file of answers: {error}.") from error
    _check_study(sent.study, study, where)
    return _of_one_judge(_read_page(sent, study, where), sent.judge)


def _read_page(sent: _Answers, study: Study, where: str) -> Iterator[Placed]:
    versions = {"sheet": sent.version, "nutgraf": __version__}
    for number, one in enumerate(sent.answers, start=1):
        place = f"{where}, answer {number}"
        at, task = _utc(one.at, place), _task(study, one.task, place)
        seconds = one.seconds if one.seconds is None else _number(str(one.seconds), place)
        yield place, _judgement(study, task, one.answers, at, seconds, sent.simulated, versions, place)


def _read_table(path: Path, study: Study) -> Iterator[Placed]:
    """Read a table; its answers have the time at which the file was last changed."""
    at = _text_of(datetime.fromtimestamp(path.stat().st_mtime, UTC))
    versions = {"sheet": study.version, "nutgraf": __version__}
    rows = _rows(path)
    titles = [title.strip() for title in next(rows)[1]]
    named = [title.rpartition(" (")[0] for title in titles]
    for names in (titles, named):
        if twice := [name for name in names if name and names.count(name) > 1]:
            raise InputError(f"{path} has two columns {twice[0]!r}; remove one of them.")
    for where, cells in rows:
        if any(cell.strip() for cell in cells[len(titles) :]):
            raise InputError(
                f"{where} has {len(cells)} cells, and there are {len(titles)} columns; put a text that holds the "
                "separator into quotation marks."
            )
        row = dict(zip(titles, map(str.strip, cells), strict=False))
        if not any(row.values()):
            continue
        _check_study(row.get("study", ""), study, where)
        answers = {name: cell.strip() for name, cell in zip(named, cells, strict=False) if name and cell.strip()}
        if answers:
            task = _task(study, row.get("task", ""), where)
            for question in study.questions(task):
                if question.name not in named:
                    title = f"{question.name} ({', '.join(question.values)})"
                    raise InputError(f"{path} has no column {title!r}, which the sheet had; name it again.")
            yield (
                where,
                _judgement(study, task, answers, at, _number(row.get("seconds"), where), False, versions, where),
            )


def _rows(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the rows of a table, each with its place for messages."""
    lines = [f"{line}\n" for _, line in text_lines(path)]
    csv.field_size_limit(LONGEST_CELL)
    delimiter = _delimiter(lines[0] if lines else "", path)
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True)
    begin = 1
    try:
        for cells in reader:
            yield f"{path}, line {reader.line_num}", cells
            begin = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"{path}, from line {begin} on: a quotation mark is missing, or one too many ({error}). Mend it, or save "
            "the sheet as CSV (UTF-8) again."
        ) from None


def _delimiter(line: str, path: Path) -> str:
    """Return what separates the titles: spreadsheets of many countries write semicolons in the place of commas."""
    for delimiter in ",;\t":
        with suppress(csv.Error):
            titles = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
            if {"study", "task"} <= {title.strip() for title in titles}:
                return delimiter
    raise InputError(
        f"{path} is no sheet of answers: its first line names no columns study and task, with commas, semicolons or "
        "tabs between them. Save the sheet as CSV (UTF-8)."
    )


def _of_one_judge(found: Iterable[Placed], judge: str | None) -> list[Judgement]:
    """Return judgements of a file, unless they are of two judges, or contradict each other at the same time."""
    seen: dict[tuple[str, str], Placed] = {}
    judgements = []
    for where, one in found:
        judge = one.task.judge if judge is None else judge
        if one.task.judge != judge:
            raise InputError(
                f"{where}: {one.task.key} is a task of {one.task.judge}, and these are the answers of {judge!r}; a "
                "file has those of one judge."
            )
        place, before = seen.setdefault((one.task.key, one.at), (where, one))
        if before.answers != one.answers:
            raise InputError(f"{where}: {one.task.key} has other answers than in {place}; keep one of them.")
        judgements.append(one)
    return judgements


def _task(study: Study, key: str, where: str) -> Task:
    task = study.by_key.get(key)
    if task is None:
        raise InputError(f"{where}: this study has no task {key!r}.")
    return task


def _judgement(
    study: Study,
    task: Task,
    answers: Mapping[str, str],
    at: str,
    seconds: float | None,
    simulated: bool,
    versions: Mapping[str, str],
    where: str,
) -> Judgement:
    questions = {one.name: one.values for one in study.questions(task)}
    chosen = {}
    for name, given in answers.items():
        if name == LENGTH and given.isdecimal() and len(given) <= LENGTH_DIGITS:
            chosen[name] = given
            continue
        if name not in questions:
            raise InputError(f"{where}: {task.key} has no question {name!r}; it has {', '.join(questions)}.")
        value = next((one for one in questions[name] if one.casefold() == given.casefold()), None)
        if value is None:
            raise InputError(f"{where}: the answer to {name!r} is {given!r}; give {', '.join(questions[name])}.")
        chosen[name] = value
    if not chosen.keys() & questions.keys():
        raise InputError(f"{where}: no question of {task.key} is answered.")
    if study.protocol.distinct and len(set(chosen.values())) < len(chosen):
        raise InputError(f"{where}: {' and '.join(chosen)} must have different answers.")
    return Judgement(task, chosen, at, seconds, simulated, versions)


def _check_study(name: str, study: Study, where: str) -> None:
    if name != study.name:
        raise InputError(f"{where}: these answers belong to the study {name!r}, and the folder holds {study.name!r}.")


def _utc(text: str, where: str) -> str:
    try:
        time = datetime.fromisoformat(text)
        return _text_of(time if time.tzinfo else time.replace(tzinfo=UTC))
    except (ValueError, OverflowError):  # a time zone can lead out of the years 1 to 9999
        raise InputError(f"{where}: {text!r} is no time as in 2025-01-31T12:00:00.000Z.") from None


def _text_of(time: datetime) -> str:
    return time.astimezone(UTC).isoformat(timespec="microseconds")


def _number(text: str | None, where: str) -> float | None:
    if not (text or "").strip():
        return None
    try:
        value = float(str(text).replace(",", "."))
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e9:
        raise InputError(f"{where}: the number of seconds is {text!r}; give a number, or nothing.")
    return value
