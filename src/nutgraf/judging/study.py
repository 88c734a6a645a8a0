"""A study: who judges what, kept in a folder apart from the sheets, because it is the key to them.

`study.json` names the systems behind every task. It holds no text, only a digest of the texts, and together with it is
what a judgement belongs to.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from nutgraf.errors import InputError, OutputError
from nutgraf.judging.protocols import EvaluationProtocol, protocols
from nutgraf.judging.records import Fact, Item, Judgement, Question, Task
from nutgraf.presets import Choice, table_of
from nutgraf.presets.read import refuse_modules
from nutgraf.runtime.files import list_names, make_folder, write_text
from nutgraf.runtime.metadata import read_record
from nutgraf.version import __version__

FILE = "study.json"
SCHEMA = "nutgraf.study/1"

KEY_DIGITS = 4

NAMED = 10
"""Judges that a sentence names."""


@dataclass(frozen=True)
class Subject:
    """A document of a study without its texts: its name, its data set and its questions."""

    id: str
    dataset: str
    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class Study:
    """A study.

    Attributes:
        seed: Seed of the assignment.
        systems: Systems that are judged, in the order in which they were named.
        texts: Digest of all texts.
    """

    kind: str
    options: dict[str, object]
    seed: int
    systems: tuple[str, ...]
    subjects: tuple[Subject, ...]
    tasks: tuple[Task, ...]
    texts: str
    version: str = __version__
    schema: str = SCHEMA

    @cached_property
    def protocol(self) -> EvaluationProtocol:
        """The protocol with its options. Raises InputError if it does not show what the tasks do."""
        protocol = protocols.make(self.kind, **self.options)
        shown = protocol.shown(len(self.systems))
        for task in self.tasks:
            if shown is not None and len(task.order) != shown:
                raise InputError(
                    f"The study is damaged: its task {task.key!r} shows {len(task.order)} systems, not {shown}."
                )
        return protocol

    @cached_property
    def items(self) -> dict[str, Item]:
        """The documents by id, without their texts."""
        return {one.id: Item(one.id, {}, "", one.dataset, one.facts) for one in self.subjects}

    @cached_property
    def by_key(self) -> dict[str, Task]:
        """The tasks by their keys."""
        return {task.key: task for task in self.tasks}

    @property
    def judges(self) -> list[str]:
        """Names of the judges."""
        return list(dict.fromkeys(task.judge for task in self.tasks))

    def questions(self, task: Task) -> tuple[Question, ...]:
        """Return the questions of a task."""
        return self.protocol.questions(self.items[task.item], task.order)

    def answered(self, judgements: Iterable[Judgement]) -> set[str]:
        """Return the keys of the tasks of which every question is answered."""
        return {one.task.key for one in judgements if not one.superseded and self.completes(one.task, one.answers)}

    def completes(self, task: Task, answers: Container[str]) -> bool:
        """Return True if every question of a task has an answer."""
        return all(question.name in answers for question in self.questions(task))

    def progress(self, judgements: Iterable[Judgement]) -> str:
        """Return in a sentence how many tasks are answered, and which judges have open ones."""
        answered = self.answered(judgements)
        left = Counter(task.judge for task in self.tasks if task.key not in answered)
        named = ", ".join(f"{judge} ({count})" for judge, count in left.most_common(NAMED))
        others = f" and {len(left) - NAMED} others" if len(left) > NAMED else ""
        told = f"{len(answered):,} of {len(self.tasks):,} tasks are answered."
        return f"{told} Open: {named}{others}." if left else told

    @cached_property
    def name(self) -> str:
        """Digest of the study, which sheets and answers carry; the version of nutgraf is not part of it."""
        content = {key: value for key, value in asdict(self).items() if key != "version"}
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]

    def check_format(self, form: str) -> None:
        """Raise InputError if sheets cannot have the format "html" or "csv"."""
        if form == "csv" and self.protocol.needs_page:
            raise InputError(
                f"--kind {self.kind} shows longer summaries when they are asked for, which takes a page: --format html."
            )

    def write(self, folder: str | Path) -> None:
        """Write the study into a folder, which may hold the same study already.

        Raises:
            OutputError: If the folder cannot be written to, or holds something else.
        """
        place = Path(folder)
        if place.is_file():
            raise OutputError(f"{place} is a file; name a folder for the study and its sheets.")
        held = list_names(place)
        if FILE in held:
            if read_study(place, trust=True).name != self.name:
                raise OutputError(
                    f"The folder {place} holds another study, and answers to it may exist; name another folder."
                )
            return
        if held:
            raise OutputError(f"The folder {place} holds files but no study; name a new or empty one.")
        make_folder(place)
        write_text(place / FILE, json.dumps(asdict(self), ensure_ascii=False, indent=1) + "\n")


def make_study(choice: Choice[EvaluationProtocol], items: Sequence[Item], judges: int, seed: int) -> Study:
    """Return a study: all tasks, drawn with the seed.

    Args:
        choice: The protocol with its options.
        items: Documents with the summaries of all systems.
        judges: Number of judges.
        seed: Seed of all draws.

    Raises:
        InputError: If documents, systems or judges do not fit the protocol.
    """
    protocol = protocols.build(choice)
    named = tuple(dict.fromkeys(name for item in items for name in item.summaries))
    protocol.check(items, named)
    systems = protocol.systems(named)
    generator = np.random.default_rng(seed)
    assigned = protocol.assign(items, systems, judges, generator)
    tasks = []
    for judge in range(judges):
        own = [(item, order) for one, item, order in assigned if one == judge]
        for place, chosen in enumerate(generator.permutation(len(own)).tolist(), start=1):
            item, order = own[chosen]
            name = f"judge-{judge + 1:02}"
            tasks.append(Task(f"{name}/{place:0{KEY_DIGITS}}", name, item, tuple(order)))
    texts = json.dumps([[item.id, item.source, list(item.summaries.items())] for item in items])
    return Study(
        kind=choice.kind,
        options=table_of(choice.config),
        seed=seed,
        systems=systems,
        subjects=tuple(Subject(item.id, item.dataset, item.facts) for item in items),
        tasks=tuple(tasks),
        texts=hashlib.sha256(texts.encode()).hexdigest(),
    )


def read_study(folder: str | Path, trust: bool = False) -> Study:
    """Return the study in a folder.

    Args:
        folder: The folder.
        trust: Let the study name a protocol outside nutgraf, which is then imported.

    Raises:
        InputError: If there is none, or it is damaged.
        PresetError: If it names a module outside nutgraf and is not trusted.
    """
    path = Path(folder) / FILE
    if not path.exists():
        raise InputError(f"The folder {folder} holds no study: {FILE} is missing. `nutgraf judge sheet` makes one.")
    study = read_record(path, Study, "the key of a study")
    if study.schema != SCHEMA:
        raise InputError(f"{path} is not the key of a study: its schema is {study.schema!r}, not {SCHEMA!r}.")
    for task in study.tasks:
        if task.item not in study.items or not Counter(task.order) <= Counter(set(study.systems)):
            raise InputError(
                f"{path} is not the key of a study: the task {task.key!r} shows {', '.join(task.order)} of "
                f"{task.item!r}, and the study has no such documents or systems, or one is shown twice."
            )
    if not trust:
        refuse_modules({"kind": study.kind}, path)
    return study
