"""Summaries and their scores, kept in a folder so that an evaluation goes on where it stopped.

The folder holds `manifest.json`, which says what was evaluated, and one file of JSON lines a system and budget. A line
is added as soon as its summary is scored; these files grow, so an interruption can cut their last line, which is then
made anew.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from nutgraf.errors import InputError, OutputError
from nutgraf.evaluation.scores import Values
from nutgraf.runtime.files import AppendOnlyFile, list_names, remove_unfinished, write_text
from nutgraf.runtime.metadata import Count, load, read_object
from nutgraf.text.summary import Budget

MANIFEST = "manifest.json"

Key = tuple[str, Budget]
"""A system, by its label, and a budget."""


@dataclass(frozen=True)
class Output:
    """One summary and its scores.

    Attributes:
        problem: The reason why there is no summary, if there is none.
        limit: Maximum number of words, if there was one.
    """

    index: Count
    id: str
    summary: tuple[str, ...]
    words: Count
    scores: Values
    problem: str = ""
    limit: Count | None = None


@dataclass(frozen=True)
class _Settings:
    data: str = ""
    fit: str | None = None


@dataclass(frozen=True)
class _Manifest:
    settings: _Settings
    systems: dict[str, str]


class Outputs:
    """Outputs by system and budget; with a folder, those that it holds already are there from the start.

    Systems and budgets may be added to a folder later. Where anything else differs from what the folder was made with,
    its figures would not belong together, and it is refused.
    """

    def __init__(
        self,
        folder: str | Path | None = None,
        manifest: Mapping[str, Any] | None = None,
        systems: Mapping[str, str] | None = None,
        fresh: bool = False,
    ) -> None:
        self._folder = None if folder is None else Path(folder)
        self._kept: dict[Key, dict[int, Output]] = {}
        self._files: dict[Key, AppendOnlyFile] = {}
        if self._folder is not None:
            _open(self._folder, dict(manifest or {}), dict(systems or {}), fresh)

    def of(self, key: Key) -> dict[int, Output]:
        """The outputs of a system at a budget, by the example's index."""
        if key not in self._kept:
            self._kept[key] = read_outputs(self._folder, key) if self._folder else {}
        return self._kept[key]

    def add(self, key: Key, output: Output) -> None:
        """Keep an output, at once."""
        self.of(key)[output.index] = output
        if self._folder is None:
            return
        if key not in self._files:
            self._files[key] = AppendOnlyFile(self._folder / file_name(key))
        self._files[key].append(json.dumps(asdict(output), ensure_ascii=False))

    def close(self) -> None:
        """Close the files."""
        for file in self._files.values():
            file.close()
        self._files.clear()


def file_name(key: Key) -> str:
    """The file of a system at a budget: `mls_plus.100-words.jsonl`, `mls_plus.share-1-8.jsonl`, `mls_plus.jsonl`."""
    system, budget = key
    length = {
        "words": f".{budget.words}-words",
        "sentences": f".{budget.sentences}-sentences",
        "characters": f".{budget.characters}-characters",
        "share": f".share-{str(budget.share).replace('/', '-')}",
    }
    asked = next((text for field, text in length.items() if getattr(budget, field) is not None), "")
    return re.sub(r"[^\w.-]", "_", system) + asked + ".jsonl"


def _open(folder: Path, manifest: dict[str, Any], systems: dict[str, str], fresh: bool) -> None:
    """Make the folder or check that it fits, and write its manifest."""
    path = folder / MANIFEST
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise OutputError(f"The folder {folder} cannot be made or read: {error.strerror or error}.") from error
    held = list_names(folder)
    if held and MANIFEST not in held:
        raise OutputError(f"The folder {folder} holds files but no evaluation; name a new or empty one.")
    remove_unfinished(folder)
    there = read_manifest(folder) if held and not fresh else {"settings": manifest, "systems": {}}
    if fresh:
        for file in folder.glob("*.jsonl"):
            file.unlink()
    _check_same(folder, there, manifest, systems)
    content = {"settings": manifest, "systems": {**there["systems"], **systems}}
    write_text(path, json.dumps(content, ensure_ascii=False, indent=2) + "\n")


def read_manifest(folder: str | Path) -> dict[str, Any]:
    """Return what a folder's evaluation was made with: `settings`, and the signatures of its `systems`.

    Raises:
        OutputError: If it cannot be read.
    """
    path = Path(folder) / MANIFEST
    try:
        return read_object(path, _Manifest, "the manifest of an evaluation")
    except InputError as error:
        raise OutputError(f"{error} The folder is damaged; name another one or begin anew with --fresh.") from error


def _check_same(folder: Path, there: dict[str, Any], manifest: dict[str, Any], systems: dict[str, str]) -> None:
    both = {name: signature for name, signature in there["systems"].items() if name in systems}
    for what, old, new in (
        *((key, there["settings"].get(key), manifest.get(key)) for key in {**manifest, **there["settings"]}),
        *((f"the system {name}", signature, systems[name]) for name, signature in both.items()),
    ):
        if old != new:
            then, now = (json.dumps(one, ensure_ascii=False) for one in (old, new))
            raise OutputError(
                f"The folder {folder} holds another evaluation: {what} was {then} and is {now} now. "
                "Name another folder, or begin anew with --fresh."
            )


def keys_in(folder: str | Path, system: str) -> list[Key]:
    """Return the lengths at which a folder has summaries of a system, each with the system's label."""
    beginning = re.escape(file_name((system, Budget())).removesuffix(".jsonl"))
    length = r"(?P<count>\d+)-(?P<unit>words|sentences|characters)|share-(?P<share>\d+(?:-\d+)?)"
    named = re.compile(rf"{beginning}(?:\.(?:{length}))?\.jsonl")
    matches = [named.fullmatch(name) for name in list_names(folder)]
    return [(system, _budget_of(match)) for match in matches if match is not None]


def _budget_of(match: re.Match[str]) -> Budget:
    if match["share"]:
        return Budget.of(share=match["share"].replace("-", "/"))
    lengths: dict[str, Any] = {match["unit"]: int(match["count"])} if match["unit"] else {}
    return Budget(**lengths)


def read_outputs(folder: str | Path, key: Key, mend: bool = True) -> dict[int, Output]:
    """Return the outputs in a folder of a system at a budget, by the index of the example.

    Args:
        folder: The folder.
        key: Label of the system, and the budget.
        mend: Remove a last line that was cut from the file; only who may write into the folder does.
    """
    path = Path(folder) / file_name(key)
    if not path.is_file():
        return {}
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if mend and len(whole) < len(data):
        os.truncate(path, len(whole))
    found = {}
    for number, line in enumerate(whole.splitlines(), start=1):
        try:
            output = load(line.decode("utf-8"), Output)
        except ValueError as error:
            raise InputError(f"{path}, line {number}, is damaged: {error}; begin anew with --fresh.") from error
        found[output.index] = output
    return found
