"""An evaluation as the user asks for it: systems, examples, lengths and metrics."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from nutgraf.datasets import SPLITS, TEXTLESS, Dataset, Record, datasets
from nutgraf.errors import InputError, UnknownName, check_type
from nutgraf.evaluation.cautions import of_few, of_training
from nutgraf.evaluation.outputs import MANIFEST, Outputs, read_manifest
from nutgraf.evaluation.scores import check_references
from nutgraf.evaluation.table import Table, evaluate
from nutgraf.metrics import Metric, metrics
from nutgraf.runtime.files import digest_of, digests_of, lock_folder, reading, write_text
from nutgraf.runtime.hardware import Compute, available_cores
from nutgraf.runtime.workers import MakePool, Workers
from nutgraf.systems import System, load_with
from nutgraf.text.segmentation import described_all
from nutgraf.text.summary import Budget
from nutgraf.version import __version__

IN_SIGNATURE = ("query", "part", "fit", "variant", "dropped", "oracle", "words")
"""Settings that the signature of the examples tells where they are given."""

Progress = Callable[[Iterator[Record], int], Iterable[Record]]


class Examples(NamedTuple):
    """Examples of an evaluation.

    Attributes:
        records: Examples to evaluate on.
        training: Examples to fit systems to.
        dropped: Number of examples that were left out, by reason.
        files: Files that the examples to evaluate on are from.
    """

    records: list[Record]
    training: list[Record]
    dropped: Mapping[str, int]
    files: tuple[Path, ...]


@dataclass(frozen=True)
class Plan:
    """An evaluation: systems, examples, and metrics.

    Attributes:
        systems: Presets, `.toml` files or trained models.
        data: A file or a folder.
        kind: The data set that it is of.
        dataset: Options of the data set, such as `{"text_column": "body"}`.
        query: Only examples whose query contains this text, whatever its case.
        part: Training, validation or test examples, as the data set splits a folder or a file for a training too.
            Systems are fitted to the training part.
        fit: Another file to fit them to.
        oracle: Highlight the phrases of the references.
        trust: Let files and folders name modules outside nutgraf.
        flags: Also score with the metric faithfulness what networks write, where one of the systems does. A folder that
            holds an evaluation keeps its columns, so that other systems can be added to it.
        deterministic: Let networks compute the same numbers on any machine of this kind, idle or busy.
        workers: Processes that share the examples; None takes as many as there are cores.
    """

    systems: Sequence[str]
    data: str
    metrics: Sequence[Metric]
    budgets: Sequence[Budget] = (Budget(),)
    kind: str = "jsonl"
    dataset: Mapping[str, Any] = field(default_factory=dict)
    limit: int | None = None
    query: str | None = None
    part: str | None = None
    fit: str | None = None
    seed: int | None = None
    oracle: bool = False
    trust: bool = False
    flags: bool = False
    deterministic: bool = True
    workers: int | None = None

    def __post_init__(self) -> None:
        if self.part is not None and self.part not in SPLITS:
            raise UnknownName("split", self.part, SPLITS)
        self._dataset()
        twice = next((label for label in self.labels if self.labels.count(label) > 1), None)
        if twice is not None:
            raise InputError(f"The system {twice!r} was named twice; give each a name of its own.")

    def run(
        self,
        out: str | None = None,
        fresh: bool = False,
        progress: Progress | None = None,
        caution: Callable[[Sequence[str]], None] | None = None,
        pool: MakePool | None = None,
    ) -> Table:
        """Evaluate the systems, and return the table.

        Args:
            out: Folder that keeps summaries and scores, and `table.json`; what it has already is not made again.
            fresh: Begin anew in a folder that was made with other settings.
            progress: Gets the examples and their number, yields them one by one, and may report how far it has come.
            caution: Is given, before the work, what speaks against the figures; the table keeps it.
            pool: Makes the pool of processes, such as that of a cluster; None takes processes of this machine.

        Raises:
            NutgrafError: If systems, data or folder are not right; before the work wherever that can be known.
        """
        check_type(progress, (Callable, type(None)), "progress is a function or None")
        check_type(caution, (Callable, type(None)), "caution is a function or None")
        with lock_folder(out) if out else nullcontext():
            return self._run(out, fresh, progress, caution, pool)

    def _run(
        self,
        out: str | None,
        fresh: bool,
        progress: Progress | None,
        caution: Callable[[Sequence[str]], None] | None,
        pool: MakePool | None,
    ) -> Table:
        """Run the plan in a folder that nobody else writes into."""
        overrides = {} if self.seed is None else {"seed": self.seed}
        compute = Compute(self.deterministic, threads=None if self.deterministic else 1)
        systems = {
            label: load_with(name, overrides, self.trust, compute)
            for label, name in zip(self.labels, self.systems, strict=True)
        }
        allowed = [system.processes for system in systems.values() if system.processes is not None]
        chosen = self._metrics(systems, None if fresh else out)
        processes = min([self.workers or available_cores(), *allowed]) if pool is None else self.workers
        records, training, dropped, files = self.examples()
        check_references(chosen, records, self.data)
        signatures = {label: system.signature for label, system in systems.items()}
        settings = self._settings(chosen)
        outputs = Outputs(out, settings, signatures, fresh)
        if training:
            for system in systems.values():
                system.fit(training)
        cautions = _cautions(systems, len(records), files, self.part)
        if caution:
            caution(cautions)
        told = {
            "variant": ", ".join(variants_of(self._dataset(), records)) or None,
            "dropped": ", ".join(count_reasons(dropped)) or None,
            "words": described_all(record.document.language for record in records) or None,
        }
        total, passing = len(records), _passing(records)
        with closing(outputs):
            table = evaluate(
                progress(passing, total) if progress else passing,
                systems,
                self.budgets,
                chosen,
                outputs,
                data=_signature_of({**settings, **told}),
                oracle=self.oracle,
                processes=processes,
                pool=pool or Workers,
            )
        table = replace(table, notices=tuple(cautions))
        if out:
            write_text(Path(out) / "table.json", json.dumps(table.to_json(), ensure_ascii=False, indent=2) + "\n")
        return table

    def _metrics(self, systems: Mapping[str, System], out: str | None) -> Sequence[Metric]:
        """Return the metrics, with that of flags where it belongs."""
        columns = {name for metric in self.metrics for name in metric.directions}
        flags = metrics.make("faithfulness", written_only=True)
        if not self.flags or not columns.isdisjoint(flags.directions):
            return self.metrics
        if out is not None and (Path(out) / MANIFEST).exists():
            wanted = not read_manifest(out)["settings"].keys().isdisjoint(flags.directions)
        else:
            wanted = any(system.writes for system in systems.values())
        return [*self.metrics, flags] if wanted else self.metrics

    @property
    def labels(self) -> list[str]:
        """Labels of the systems in the table."""
        return [_label(name) for name in self.systems]

    def examples(self) -> Examples:
        """The examples to evaluate on, and those to fit to. Raises UnknownName, InputError."""
        training = [*self._matching(self.fit, Counter())] if self.fit else []
        if self.part is None:
            dropped = Counter[str]()
            records = [*islice(self._matching(self.data, dropped), self.limit)]
            return Examples(records, training, dropped, (Path(self.data),))
        found = self._of_part(self.part)
        return found._replace(records=found.records[: self.limit], training=[*found.training, *training])

    def _dataset(self) -> Dataset:
        """The data set with its options. Raises UnknownName, PresetError."""
        return datasets.build(datasets.choice({**self.dataset, "kind": self.kind}, "dataset"))

    def _of_part(self, part: str) -> Examples:
        """The examples of a part of a corpus, and of its training part, as the data set splits it for a training."""
        dataset = self._dataset()
        splits = dataset.splits(Path(self.data))
        if part not in splits:
            raise InputError(f"{self.data} has no {part} data; it has {', '.join(splits)}.")
        dropped = Counter[str]()
        for one in splits.values():
            dropped.update(one.missing)

        records = [*self._asked(dataset.examples(splits[part], lambda why: dropped.update([why])), dropped)]
        fitted = part != "train" and "train" in splits
        training = [*self._asked(dataset.examples(splits["train"]), Counter())] if fitted else records
        return Examples(records, training, dropped, splits[part].files)

    def _matching(self, path: str, dropped: Counter[str]) -> Iterator[Record]:
        """Yield the examples of a file that were asked for, and count those that are left out."""
        return self._asked(self._dataset().read(Path(path), lambda why: dropped.update([why])), dropped)

    def _asked(self, records: Iterable[Record], dropped: Counter[str]) -> Iterator[Record]:
        wanted = (self.query or "").casefold()
        for record in records:
            if wanted in record.query.casefold():
                if record.document.sentences:
                    yield record
                else:
                    dropped.update([TEXTLESS])

    def _settings(self, chosen: Sequence[Metric]) -> dict[str, Any]:
        """Return everything that decides a summary and its scores, except systems, budgets and limit."""
        return {
            "version": __version__,
            "data": _digest(self.data),
            "kind": self.kind,
            **({"dataset": dict(self.dataset)} if self.dataset else {}),
            "query": self.query,
            "part": self.part,
            "fit": _digest(self.fit) if self.fit else None,
            **({"oracle": True} if self.oracle else {}),
            **{name: metric.signature for metric in chosen for name in metric.directions},
        }


def budgets_of(
    words: Iterable[int] = (),
    sentences: Iterable[int] = (),
    shares: Iterable[str] = (),
    characters: Iterable[int] = (),
) -> list[Budget]:
    """All lengths that were asked for, each once; the systems' natural length where none was. Raises BudgetError."""
    asked = [
        *(Budget.of(words=count) for count in words),
        *(Budget.of(sentences=count) for count in sentences),
        *(Budget.of(share=share) for share in shares),
        *(Budget.of(characters=count) for count in characters),
    ]
    return list(dict.fromkeys(asked)) or [Budget()]


def variants_of(dataset: Dataset, records: Iterable[Record]) -> list[str]:
    """Return the variants of the corpus that examples are from, sorted; none for a corpus that has only one."""
    return sorted({dataset.variant(record) for record in records} - {""})


def _cautions(systems: Mapping[str, System], examples: int, files: Sequence[Path], part: str | None) -> list[str]:
    """Return what speaks against the figures of systems on some examples."""
    cards = {label: system.card for label, system in systems.items() if system.card}
    digests = digests_of(files) if cards else {}
    seen = (line for label, card in cards.items() for line in of_training(label, card, digests, part))
    return [*of_few(examples), *seen]


def count_reasons(dropped: Mapping[str, int]) -> list[str]:
    """Return how many examples were left out, reason by reason: "4 × fewer than 2 articles"."""
    return [f"{count:,} × {why}" for why, count in sorted(dropped.items()) if count]


def _label(name: str) -> str:
    """Return the label of a preset, a preset file or a trained model."""
    if name.endswith(".toml"):
        return Path(name).stem
    return Path(name).resolve().name if Path(name).is_dir() else name


def _passing(records: list[Record]) -> Iterator[Record]:
    """Yield the examples one by one, and keep none, so that what was computed from each is freed."""
    waiting = deque(records)
    records.clear()
    while waiting:
        yield waiting.popleft()


def _signature_of(settings: Mapping[str, Any]) -> str:
    """Signature of the examples: `test.jsonl sha256:…|kind:jsonl|part:test`."""
    columns = {f"dataset.{key}": value for key, value in settings.get("dataset", {}).items()}
    parts = {"kind": settings["kind"], **columns, **{key: settings.get(key) for key in IN_SIGNATURE}}
    return "|".join([settings["data"], *(f"{key}:{value}" for key, value in parts.items() if value is not None)])


def _digest(path: str) -> str:
    """A file's name, and a hash of what is in it; of a folder's files together."""
    place = Path(path)
    with reading(path):
        if place.is_dir():
            files = sorted(file for file in place.rglob("*") if file.is_file())
            listed = "\n".join(f"{file.relative_to(place)} {digest_of(file)}" for file in files)
            return f"{place.resolve().name} sha256:{hashlib.sha256(listed.encode()).hexdigest()[:16]}"
        return f"{place.name} sha256:{digest_of(place)[:16]}"
