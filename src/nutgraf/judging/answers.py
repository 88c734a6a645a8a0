"""Answers of judges, read from the files that pages hand out (JSON) or that judges filled in (CSV)."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from nutgraf.errors import InputError
from nutgraf.judging.protocols.fact_checking import LENGTH
from nutgraf.judging.records import Judgement
from nutgraf.judging.study import Study
from nutgraf.metadata import read_object
from nutgraf.text.lines import text_lines
from nutgraf.version import __version__

ANSWERS_SCHEMA = "nutgraf.answers/1"

SHAPE = {
    "schema": ANSWERS_SCHEMA,
    "study": str,
    "judge": str,
    "version": str,
    "simulated?": bool,
    "answers": [{"task": str, "answers": {str: str}, "seconds": (float, None), "at": str}],
}
"""Shape of a file of answers."""

LONGEST_CELL = 1 << 26


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
    """Return the files that are named, and those with answers in folders that are named; a folder without any stays."""
    found: list[Path] = []
    for path in map(Path, paths):
        found += sorted(one for one in path.glob("*") if one.suffix in (".json", ".csv")) or [path]
    return found


def read_each(paths: Sequence[str], study: Study) -> Iterator[tuple[Path, list[Judgement] | InputError]]:
    """Yield every file of answers with its judgements, or with the reason why it has none.

    Args:
        paths: Files, and folders of them.
        study: The study.
    """
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
    return list(_read_table(path, study) if path.suffix == ".csv" else _read_page(path, study))


def _read_page(path: Path, study: Study) -> Iterator[Judgement]:
    yield from judgements_in(read_object(path, SHAPE, "a file of answers"), study, str(path))


def judgements_in(content: Mapping[str, Any], study: Study, where: str) -> Iterator[Judgement]:
    """Yield the judgements in what a page saves or sends.

    Args:
        content: An object of the shape `SHAPE`.
        study: The study.
        where: Where it comes from, for messages.

    Raises:
        InputError: If it belongs to another study, or holds an answer that nobody could choose.
    """
    _check_study(content["study"], study, where)
    versions = {"sheet": content["version"], "nutgraf": __version__}
    for number, one in enumerate(content["answers"], start=1):
        place = f"{where}, answer {number}"
        at = _utc(one["at"], place)
        yield _judgement(
            study, one["task"], one["answers"], at, one["seconds"], content.get("simulated", False), versions, place
        )


def _read_table(path: Path, study: Study) -> Iterator[Judgement]:
    """Read a table; its answers have the time at which the file was last changed."""
    lines = [f"{line}\n" for _, line in text_lines(path)]
    csv.field_size_limit(LONGEST_CELL)
    at = _text_of(datetime.fromtimestamp(path.stat().st_mtime, UTC))
    versions = {"sheet": study.version, "nutgraf": __version__}
    reader = csv.DictReader(lines, dialect=_dialect(lines[0] if lines else ""))
    if not {"study", "task"} <= set(reader.fieldnames or ()):
        raise InputError(f"{path} is no sheet of answers: its first line names no columns study and task.")
    for row in reader:
        where = f"{path}, line {reader.line_num}"
        _check_study(row["study"] or "", study, where)
        cells = {(title or "").rpartition(" (")[0]: value for title, value in row.items() if title}
        answers = {name: str(value).strip() for name, value in cells.items() if name and str(value or "").strip()}
        if answers:
            seconds = _number(row.get("seconds"), where)
            yield _judgement(study, row["task"] or "", answers, at, seconds, False, versions, where)


def _dialect(line: str) -> str:
    """Spreadsheets of many countries write semicolons in the place of commas."""
    csv.register_dialect("semicolons", delimiter=";")
    return "semicolons" if line.startswith("study;") else "excel"


def _judgement(
    study: Study,
    key: str,
    answers: Mapping[str, str],
    at: str,
    seconds: float | None,
    simulated: bool,
    versions: Mapping[str, str],
    where: str,
) -> Judgement:
    task = study.by_key.get(key)
    if task is None:
        raise InputError(f"{where}: this study has no task {key!r}.")
    questions = {one.name: one.values for one in study.questions(task)}
    chosen = {}
    for name, given in answers.items():
        if name == LENGTH and given.isdecimal():
            chosen[name] = given
            continue
        if name not in questions:
            raise InputError(f"{where}: {key} has no question {name!r}; it has {', '.join(questions)}.")
        value = next((one for one in questions[name] if one.casefold() == given.casefold()), None)
        if value is None:
            raise InputError(f"{where}: the answer to {name!r} is {given!r}; give {', '.join(questions[name])}.")
        chosen[name] = value
    if study.protocol.distinct and len(set(chosen.values())) < len(chosen):
        raise InputError(f"{where}: {' and '.join(chosen)} must have different answers.")
    return Judgement(task, chosen, at, seconds, simulated, versions)


def _check_study(name: str, study: Study, where: str) -> None:
    if name != study.name:
        raise InputError(f"{where}: these answers belong to the study {name!r}, and the folder holds {study.name!r}.")


def _utc(text: str, where: str) -> str:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise InputError(f"{where}: {text!r} is no time as in 2025-01-31T12:00:00.000Z.") from None
    return _text_of(time if time.tzinfo else time.replace(tzinfo=UTC))


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
