"""The work behind a table: what has to be prepared, trained and evaluated, and what is there already.

A network is trained in a folder whose name says its system and a digest of everything that decides it. So tables that
have a network in common share it, a training that was killed is found again, and changed settings never meet an old
network.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Literal

from nutgraf.datasets import Part, Record, datasets
from nutgraf.errors import InputError, UnknownName, requires
from nutgraf.model_folder import WEIGHTS, is_trained, read_card
from nutgraf.preparation.prepare import configuration_of
from nutgraf.presets import Preset, names
from nutgraf.reproduction.published import Figure, Line, Published, PublishedTable, published
from nutgraf.runtime.files import digest_of
from nutgraf.systems import read_preset
from nutgraf.text.summary import Budget

Scale = Literal["paper", "small"]

SMALL_LIMIT, SMALL_TEST_LIMIT = 40_000, 500
"""Examples of each split that are prepared, and test examples that are summarized, at the small scale."""

SMALL_STEPS = 2_000
"""Steps of a training at the small scale, at most."""

TUNING_LIMIT = 200
"""Validation examples that a system is tuned on."""

NOT_ASKED = "It was not asked for (--row)."


@dataclass(frozen=True)
class Request:
    """A table to reproduce.

    Attributes:
        data: Folder that holds the corpora in folders of their names, or the one corpus itself.
        scale: "paper" for the papers' presets, "small" for those that learn on a laptop.
        kind: Data set that takes the place of the papers'; None takes theirs.
        limit: Number of examples of each split to prepare; None for all.
        test_limit: Number of examples to summarize; None for all.
        changes: Changes of every network's preset, as after `--set`.
        rows: Names of the rows, or of the systems that are columns, to take; none for all.
        init_from: Model folders whose weights the networks of rows begin with, by the rows' names; only rows whose
            published networks begin with weights that were trained elsewhere.
    """

    table: PublishedTable
    data: Path
    out: Path
    scale: Scale = "small"
    kind: str | None = None
    part: str = "test"
    limit: int | None = None
    test_limit: int | None = None
    changes: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    init_from: Mapping[str, Path] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.table.check_rows(self.rows)
        able = [row.name for row in pretrained_rows(self.table)]
        unknown = next((name for name in self.init_from if name not in able), None)
        if unknown is not None and not able:
            raise InputError(
                f"--init-from {unknown}: no row of {self.table.label} begins with weights that were trained elsewhere."
            )
        if unknown is not None:
            raise UnknownName(f"row of {self.table.label} that begins with other weights", unknown, able)

    def corpus(self, name: str) -> Path:
        """Return the place of a corpus: a folder of its name in `data`, or `data` itself.

        Raises:
            InputError: If there is none.
        """
        if not self.data.exists():
            raise InputError(f"There is no {self.data}; --data is the folder that holds the corpora.")
        kind = self.kind or name
        if self.data.is_dir() and (self.data / kind).exists():
            return self.data / kind
        reads = datasets.make(kind).reads
        if self.data.is_file() or any(path.is_file() and reads(path) for path in self.data.iterdir()):
            return self.data
        raise InputError(
            f"{self.data} lacks the corpus {kind}: there is neither a folder {self.data / kind} nor a file of it. "
            "docs/preparation.md says which forms are read."
        )

    def part_of(self, corpus: str) -> tuple[Path, Part]:
        """Return a corpus's place and the examples to summarize. Raises InputError where it lacks that split."""
        place = self.corpus(corpus)
        splits = datasets.make(self.kind or corpus).splits(place)
        if self.part not in splits:
            raise InputError(f"{place} has no {self.part} data; it has {', '.join(splits)}: --part names one.")
        return place, splits[self.part]

    def validation_of(self, corpus: str) -> list[Record]:
        """Return the validation examples that a system is tuned on; none where the corpus has none."""
        dataset, place = datasets.make(self.kind or corpus), self.corpus(corpus)
        part = dataset.splits(place).get("validation")
        return [] if part is None else [*islice(dataset.examples(part), TUNING_LIMIT)]


@dataclass(frozen=True)
class Trial:
    """A system on a corpus at a length: whose summaries are scored."""

    system: str
    settings: tuple[str, ...]
    corpus: str
    budget: Budget


@dataclass(frozen=True)
class Recipe:
    """A preset with its changes, the networks that it needs, and the folder of the weights that it begins with."""

    system: str
    preset: Preset
    overrides: tuple[str, ...]
    needs: Mapping[str, Training]
    init_from: Path | None = None

    def read(self) -> Preset:
        """Return the preset with the folders of the networks that it needs."""
        return read_preset(self.preset.name, [*self.overrides, *self.folders])

    @property
    def folders(self) -> list[str]:
        """The options that name these networks and weights."""
        begins = [] if self.init_from is None else [f"training.init_from={self.init_from}"]
        return [*(f"{option}={network.folder}" for option, network in self.needs.items()), *begins]

    @cached_property
    def digest(self) -> str:
        """Digest of everything that decides the system."""
        needs = (f"{option}={one.name}" for option, one in self.needs.items())
        return _digest(self.preset.digest(), *needs, *self.beginning)

    @cached_property
    def beginning(self) -> tuple[str, ...]:
        """Digest of the weights that it begins with; nothing where they are random."""
        return () if self.init_from is None else (f"init_from={digest_of(self.init_from / WEIGHTS)}",)


@dataclass(frozen=True)
class Training:
    """A network to be trained, in a folder of its own."""

    recipe: Recipe
    corpus: Path
    out: Path
    limit: int | None

    @cached_property
    def name(self) -> str:
        """Name of its folder."""
        digest = _digest(self.recipe.digest, str(self.corpus.resolve()), str(self.limit))
        return f"{self.recipe.system}-{digest}"

    @property
    def folder(self) -> Path:
        """The folder of the trained model."""
        return self.out / "trained" / self.name

    @cached_property
    def prepared(self) -> Path:
        """The folder of the prepared corpus, which networks that read the same share."""
        parts = (
            json.dumps(configuration_of(self.recipe.preset), sort_keys=True, default=str),
            str(self.corpus.resolve()),
            str(self.limit),
            *([] if self.tokenizer_of is None else [self.tokenizer_of.name]),
            *self.recipe.beginning,
        )
        return self.out / "prepared" / f"{self.corpus.name.partition('.')[0]}-{_digest(*parts)}"

    @property
    def tokenizer_of(self) -> Training | None:
        """The network that this one begins with, or that its search listens to: both have one tokenizer."""
        return next(iter(self.recipe.needs.values()), None)

    @property
    def tokenizer(self) -> Path | None:
        """The folder whose tokenizer is taken; None where one is trained."""
        return self.recipe.init_from if self.tokenizer_of is None else self.tokenizer_of.folder

    @property
    def finished(self) -> bool:
        """True if the training has come to its end."""
        if not is_trained(self.folder):
            return False
        return read_card(self.folder).get("training", {}).get("ended", "") not in ("", "stopped")

    def before(self) -> Iterator[Training]:
        """Yield the networks that come first, then this one."""
        for one in self.recipe.needs.values():
            yield from one.before()
        yield self


@dataclass(frozen=True)
class Job:
    """A trial and the way to it, or the reason why there is none."""

    trial: Trial
    recipe: Recipe | None = None
    training: Training | None = None
    reason: str = ""

    @property
    def tuned(self) -> bool:
        """True if its network is tuned on validation examples before it is evaluated."""
        return self.training is not None and published().systems[self.trial.system].tuned

    def trainings(self) -> Iterator[Training]:
        """Yield the networks that the trial needs, in order."""
        if self.training is not None:
            yield from self.training.before()
        elif self.recipe is not None:
            for one in self.recipe.needs.values():
                yield from one.before()


@dataclass(frozen=True)
class Beginning:
    """Beginning of a network of ours whose published one begins with weights that were trained elsewhere.

    Attributes:
        theirs: What the published network begins with: "a BERT".
        folder: The folder of the weights of ours; None for random ones.
        matched: Number of tensors that came from it; None before the training.
    """

    theirs: str
    folder: Path | None = None
    matched: int | None = None

    def __str__(self) -> str:
        if self.folder is None:
            return "random weights"
        return f"{'the weights' if self.matched is None else f'{self.matched:,} tensors'} in {self.folder}"


def trial_of(table: PublishedTable, figure: Figure) -> Trial | None:
    """Return whose summaries a figure is of; None for a figure that is of no system."""
    system = figure.find("system")
    if system is None:
        return None
    share, words = figure.find("share"), figure.find("words")
    return Trial(system, figure.settings, table.corpus_of(figure), Budget.of(words=words, share=share))


def jobs_of(request: Request) -> dict[Trial, Job]:
    """Return what is to be done for each trial of a table.

    Raises:
        InputError: If nothing can be done because the data lack every corpus, or weights to begin with do not fit.
        PresetError: If a change does not fit.
    """
    found: dict[Trial, Job] = {}
    for figure in request.table.figures():
        trial = trial_of(request.table, figure)
        if trial is None or trial in found:
            continue
        if request.rows and not {figure.row.name, figure.column.name} & {*request.rows, request.table.baseline}:
            found[trial] = Job(trial, reason=NOT_ASKED)
        else:
            found[trial] = _job(request, trial, request.init_from.get(figure.row.name))
            _check_beginning(request, figure.row.name, found[trial])
    return found


def pretrained_rows(table: PublishedTable) -> list[Line]:
    """Return the rows of a table whose published networks begin with weights that were trained elsewhere."""
    return [row for row in table.rows if row.system is not None and published().systems[row.system].pretrained]


def beginnings_of(request: Request, jobs: Mapping[Trial, Job]) -> dict[str, Beginning]:
    """Return what networks of ours begin with whose published ones begin with other weights, by the rows' names."""
    beginnings = {}
    for row in pretrained_rows(request.table):
        figure = next(figure for figure in request.table.figures() if figure.row == row)
        trial = trial_of(request.table, figure)
        training = None if trial is None else jobs[trial].training
        if training is not None:
            card = read_card(training.folder) if training.finished else {}
            theirs = published().systems[training.recipe.system].pretrained
            matched = card.get("init_from", {}).get("matched")
            beginnings[row.name] = Beginning(theirs, training.recipe.init_from, matched)
    return beginnings


def _check_beginning(request: Request, row: str, job: Job) -> None:
    """Raise InputError if the weights that a row is to begin with cannot be taken."""
    if job.recipe is None or job.recipe.init_from is None:
        return
    with requires("neural", "Networks need"):
        from nutgraf.training.initial import check_weights_of
    try:
        check_weights_of(job.recipe.init_from, job.recipe.preset)
    except InputError as error:
        hint = " Networks of the scale 'small' have sizes and tokenizers of their own; --scale paper has the papers'."
        raise InputError(f"--init-from {row}: {error}{hint if request.scale == 'small' else ''}") from error


def check_corpora(request: Request) -> None:
    """Raise InputError if the data hold none of the table's corpora, or no examples to summarize."""
    problems = []
    for corpus in request.table.corpora:
        try:
            if request.table.kind == "scores":
                request.part_of(corpus)
            else:
                request.corpus(corpus)
        except InputError as error:
            problems.append(error)
    if problems and len(problems) == len(request.table.corpora):
        raise problems[0]


def trainings_of(jobs: Sequence[Job]) -> list[Training]:
    """Return the networks of several jobs, each once, in an order in which they can be trained."""
    return list({one.name: one for job in jobs for one in job.trainings()}.values())


def _job(request: Request, trial: Trial, init_from: Path | None) -> Job:
    try:
        request.part_of(trial.corpus)
        recipe = replace(recipe_of(request, trial.system, trial.corpus, trial.settings), init_from=init_from)
        training = _training(request, recipe, trial.corpus) if recipe.preset.reads("training") else None
    except InputError as error:
        return Job(trial, reason=str(error))
    return Job(trial, recipe, training)


def _training(request: Request, recipe: Recipe, corpus: str) -> Training:
    trained_on = published().systems[recipe.system].corpus or corpus
    limit = SMALL_LIMIT if request.limit is None and request.scale == "small" else request.limit
    return Training(recipe, request.corpus(trained_on), request.out, limit)


def recipe_of(request: Request, system: str, corpus: str, settings: Sequence[str] = ()) -> Recipe:
    """Return how a system is made for a corpus.

    Raises:
        InputError: If its preset does not exist, or a corpus that its networks are trained on is not there.
        PresetError: If a change does not fit.
    """
    found = published()
    entry = found.systems[system]
    name = (entry.small or entry.preset) if request.scale == "small" else entry.preset
    if name not in names():
        raise InputError(f"There is no preset {name!r} yet.")
    overrides = [*entry.set, *(entry.small_set if request.scale == "small" else ())]
    preset = read_preset(name)
    if preset.reads("dataset"):
        overrides += _of_corpus(request, found, preset, entry.corpus or corpus)
    overrides += settings
    if preset.reads("training"):
        overrides += [*(_fewer_steps(preset) if request.scale == "small" else ()), *request.changes]
    if preset.reads("labels"):  # a tagger writes nothing, so what is set for the search of the others is not for it
        overrides = [line for line in overrides if not line.startswith("decoding.")]
    needs = {
        option: _training(request, recipe_of(request, needed, corpus), corpus) for option, needed in entry.needs.items()
    }
    return Recipe(system, read_preset(name, overrides), tuple(overrides), needs)


def _of_corpus(request: Request, found: Published, preset: Preset, corpus: str) -> Iterator[str]:
    """Yield what is set where a preset was made for another corpus."""
    own, kind = preset.section("dataset").get("kind"), request.kind or corpus
    if own != corpus:
        about = found.corpora[corpus]
        lines = about.small_set if request.scale == "small" else about.set
        yield from lines
        yield from _more_positions(preset, lines)
    if own != kind:
        yield f"dataset.kind={kind}"


def _more_positions(preset: Preset, lines: Sequence[str]) -> Iterator[str]:
    """Yield the change that gives a network a position for each token of the corpus's sources, where it has fewer."""
    longest = max((int(line.partition("=")[2]) for line in lines if line.startswith("truncation.source=")), default=0)
    if longest > preset.section("model").get("max_positions", longest):
        yield f"model.max_positions={longest}"


def _fewer_steps(preset: Preset) -> Iterator[str]:
    """Yield the changes that end a training, and the fall of its learning rate, after `SMALL_STEPS`."""
    training = preset.section("training")
    if training.get("max_steps", 0) > SMALL_STEPS:
        yield f"training.max_steps={SMALL_STEPS}"
        if "end_step" in training.get("schedule", {}):
            yield f"training.schedule.end_step={SMALL_STEPS}"


def _digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:8]
