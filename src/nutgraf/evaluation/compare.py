"""Evaluations that were made one by one, in one table: their folders side by side.

Figures compare if they are of the same examples and by the same metrics. So everything that decides them is checked
first: the data's digest, the data set with its options, the part, the ids of the examples, the metrics' signatures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from nutgraf.errors import InputError
from nutgraf.evaluation.outputs import MANIFEST, Key, Output, keys_in, read_manifest, read_outputs
from nutgraf.evaluation.scores import Column
from nutgraf.evaluation.significance import Bootstrap
from nutgraf.evaluation.table import Table, make_table
from nutgraf.runtime.metadata import Count, read_record

TABLE = "table.json"

WITH_SIGNATURE = ("version",)
"""Settings that need not be equal, since the metrics' signatures tell where they matter."""

FILES = ("data", "fit")
"""Settings that are a file's name and its digest; a file that was renamed is the same."""


@dataclass(frozen=True)
class _WrittenColumn:
    better: Literal["higher", "lower", "descriptive"]
    shown_times: Count
    signature: str


@dataclass(frozen=True)
class _WrittenTable:
    data: str
    columns: dict[str, _WrittenColumn]
    oracle: bool = False
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Run:
    """An evaluation in its folder.

    Attributes:
        name: The folder, as it was named.
        settings: Everything that decides a figure, except the systems.
        signatures: Signatures of the systems by their labels.
        table: What the table says besides its figures.
    """

    name: str
    settings: Mapping[str, Any]
    signatures: Mapping[str, str]
    columns: Mapping[str, Column]
    table: _WrittenTable
    outputs: Mapping[Key, Mapping[int, Output]]

    @property
    def examples_only(self) -> dict[str, Any]:
        """The settings without those of metrics, which are told by their columns."""
        skipped = {*self.columns, *WITH_SIGNATURE}
        found = {key: value for key, value in self.settings.items() if key not in skipped and value is not None}
        return {key: digest_in(value) if key in FILES else value for key, value in found.items()}


def read_run(folder: str | Path) -> Run:
    """Read an evaluation. Raises InputError if the folder holds none that came to its end."""
    place = Path(folder)
    if not (place / MANIFEST).is_file():
        raise InputError(f"{folder} holds no evaluation; `nutgraf evaluate … --out FOLDER` makes such a folder.")
    if not (place / TABLE).is_file():
        raise InputError(f"The evaluation in {folder} was stopped; the command that began it goes on with it.")
    manifest, table = read_manifest(place), read_record(place / TABLE, _WrittenTable, "a table of an evaluation")
    keys = [key for label in manifest["systems"] for key in keys_in(place, label)]
    return Run(
        name=str(folder),
        settings=manifest["settings"],
        signatures=manifest["systems"],
        columns={name: Column(name, one.better, one.shown_times, one.signature) for name, one in table.columns.items()},
        table=table,
        outputs={key: read_outputs(place, key, mend=False) for key in keys},
    )


def compare(folders: Sequence[str | Path], bootstrap: Bootstrap | None = None) -> Table:
    """Return one table of all systems in several evaluations; the others are tested against the first.

    Args:
        folders: Folders that `nutgraf evaluate --out` wrote.
        bootstrap: Settings of intervals and tests.

    Raises:
        InputError: If they are of other examples or metrics, or if there are fewer than two systems.
    """
    runs = [read_run(folder) for folder in dict.fromkeys(folders)]
    first = runs[0]
    for other in runs[1:]:
        _check_same_settings(first, other)
    columns = _common(runs)
    labels = _labels(runs)
    kept = {(labels[run.name, key[0]], key[1]): outputs for run in runs for key, outputs in run.outputs.items()}
    if len({label for label, _ in kept}) < 2:
        raise InputError(f"{first.name} holds only one system; name the folder of another evaluation, too.")
    _check_same_examples(kept)
    budgets = dict.fromkeys(budget for _, budget in kept)
    ordered = sorted(kept, key=lambda key: list(budgets).index(key[1]))
    in_order = {key: [kept[key][index] for index in sorted(kept[key])] for key in ordered}
    table = make_table(in_order, columns, bootstrap or Bootstrap())
    return replace(
        table,
        signatures={labels[run.name, label]: one for run in runs for label, one in run.signatures.items()},
        data=first.table.data,
        oracle=any(run.table.oracle for run in runs),
        notices=tuple(dict.fromkeys(notice for run in runs for notice in run.table.notices)),
    )


def digest_in(signature: str) -> str:
    """Return the digest in the signature of a file or folder."""
    return signature.rpartition("sha256:")[2]


def _check_same_settings(first: Run, other: Run) -> None:
    """Raise InputError where the examples of two evaluations differ, and say in what."""
    one, two = first.examples_only, other.examples_only
    for key in dict.fromkeys([*one, *two]):
        if one.get(key) != two.get(key):
            raise InputError(
                f"{other.name} does not compare with {first.name}: {key} is {other.settings.get(key)!r} there and "
                f"{first.settings.get(key)!r} here. Evaluate both systems on the same examples."
            )


def _common(runs: Sequence[Run]) -> list[Column]:
    """Return the columns that all runs have. Raises InputError if one was computed in two ways, or there is none."""
    first = runs[0]
    found = [column for name, column in first.columns.items() if all(name in run.columns for run in runs)]
    for run in runs[1:]:
        for column in found:
            signature = run.columns[column.name].signature
            if signature != column.signature:
                raise InputError(
                    f"{run.name} does not compare with {first.name}: its {column.name} is {signature}, the other's is "
                    f"{column.signature}. Evaluate both with the same metrics and the same version."
                )
    if not found:
        named = "; ".join(f"{run.name} has {', '.join(run.columns) or 'none'}" for run in runs)
        raise InputError(f"The evaluations have no metric in common: {named}.")
    return found


def _labels(runs: Sequence[Run]) -> dict[tuple[str, str], str]:
    """Return the label of each run's systems; where two runs have the same one, with the name of the folder."""
    every = [label for run in runs for label in run.signatures]
    return {
        (run.name, label): label if every.count(label) == 1 else f"{run.name.rstrip('/')}/{label}"
        for run in runs
        for label in run.signatures
    }


def _check_same_examples(kept: Mapping[Key, Mapping[int, Output]]) -> None:
    """Raise InputError if not all systems have summaries of the same examples."""
    (first, ours), *others = kept.items()
    for key, theirs in others:
        if problem := next(_differences(ours, theirs), ""):
            one, two = (f"{label} ({budget})" for label, budget in (key, first))
            raise InputError(f"{one} does not compare with {two}: {problem}. Evaluate both with the same --limit.")


def _differences(ours: Mapping[int, Output], theirs: Mapping[int, Output]) -> Iterator[str]:
    """Yield in what the examples of two systems differ."""
    if len(ours) != len(theirs) or ours.keys() != theirs.keys():
        yield f"it has summaries of {len(theirs)} examples, the other of {len(ours)}"
    for index, output in ours.items():
        if index in theirs and theirs[index].id != output.id:
            yield f"its example {index + 1} is {theirs[index].id!r}, the other's is {output.id!r}"
