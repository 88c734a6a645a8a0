"""Documents of a study, read from the files of summaries, sources and questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nutgraf.errors import InputError
from nutgraf.evaluation.pairs import HYPOTHESIS_FIELDS, SOURCE_FIELDS, match, read_texts
from nutgraf.judging.records import LETTERS, Fact, Item
from nutgraf.runtime.lines import read_lines

ANSWERS = ("yes", "no")


def parse_systems(given: Sequence[str]) -> list[tuple[str, str]]:
    """Return names and files of systems from "NAME=FILE", or from a file whose name without its end is the name.

    Raises:
        InputError: If a name or a file is empty.
    """
    pairs = []
    for one in given:
        name, sign, path = one.partition("=")
        name, path = (name, path) if sign else (Path(one).name.partition(".")[0], one)
        if not name.strip() or not path:
            raise InputError(f"{one!r} names no system: write NAME=FILE.")
        pairs.append((name.strip(), path))
    names = {name for name, _ in pairs}
    if len(names) > len(LETTERS):
        raise InputError(f"A screen can show {len(LETTERS)} systems at most, not {len(names)}.")
    return pairs


def read_items(
    systems: Sequence[tuple[str, str]], sources: str | None = None, questions: str | None = None
) -> list[Item]:
    """Return the documents with their summaries.

    Args:
        systems: Names and files; a name that comes again brings longer summaries of the same documents. The forms of
            files are those of `nutgraf score`, and those that `nutgraf evaluate --out` writes.
        sources: File of the documents.
        questions: JSON lines with "id", "question", "answer" ("yes" or "no") and, if there are several, "dataset".

    Raises:
        InputError: If a file cannot be read, or files do not belong together.
    """
    files = [(name, read_texts(path, HYPOTHESIS_FIELDS, "lines")) for name, path in systems]
    first = files[0][1]
    names = [entry.name for entry in first.entries]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"{first.path} has the name {twice!r} twice; each document needs its own.")
    texts = [""] * len(names)
    if sources is not None:
        texts = _joined(match(first, read_texts(sources, SOURCE_FIELDS, "lines")))
    summaries: list[dict[str, tuple[str, ...]]] = [{} for _ in names]
    for name, file in files:
        for held, text in zip(summaries, _joined(match(first, file)), strict=True):
            held[name] = (*held.get(name, ()), text)
    facts = {} if questions is None else _read_facts(questions)
    unknown = next((name for name in facts if name not in names), None)
    if unknown is not None:
        raise InputError(f"{questions} asks about {unknown!r}, which {first.path} does not have.")
    return [
        Item(name, held, text, *facts.get(name, ("", ())))
        for name, held, text in zip(names, summaries, texts, strict=True)
    ]


def sample(items: Sequence[Item], count: int | None, seed: int) -> list[Item]:
    """Return so many documents, drawn with the seed, in their order; all if `count` is None.

    Raises:
        InputError: If there are fewer.
    """
    if count is None:
        return list(items)
    if count > len(items):
        raise InputError(f"{count} documents were asked for, but there are {len(items)}.")
    drawn = np.random.default_rng([seed, len(items)]).choice(len(items), count, replace=False)
    return [items[place] for place in sorted(drawn.tolist())]


def _joined(entries: Sequence[Sequence[Sequence[str]]]) -> list[str]:
    return ["\n".join(line for text in texts for line in text) for texts in entries]


def _read_facts(path: str) -> Mapping[str, tuple[str, tuple[Fact, ...]]]:
    """The data set and the questions of each document."""
    found: dict[str, tuple[str, tuple[Fact, ...]]] = {}
    for number, entry in read_lines(path):
        fact, dataset = _fact(entry, f"{path}, line {number}"), str(entry.get("dataset", ""))
        id_ = str(entry.get("id", ""))
        before, facts = found.get(id_, (dataset, ()))
        if before != dataset:
            raise InputError(f"{path}, line {number}: {id_!r} is in {dataset!r} here and in {before!r} above.")
        found[id_] = (dataset, (*facts, fact))
    return found


def _fact(entry: Mapping[str, Any], where: str) -> Fact:
    question, answer = entry.get("question"), entry.get("answer")
    if not isinstance(question, str) or not question.strip() or answer not in ANSWERS:
        raise InputError(
            f'{where}: a question is written as {{"id": "…", "question": "…", "answer": "yes"}}, with yes or no.'
        )
    return Fact(question, answer)
