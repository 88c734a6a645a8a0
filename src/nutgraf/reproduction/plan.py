"""The work behind a table: what has to be prepared, trained and evaluated, and what is there already.

A network is trained in a folder whose name says its system and a digest of everything that decides it. So tables that
have a network in common share it, a training that was killed is found again, and changed settings never meet an old
network.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from nutgraf.datasets import Part, datasets
from nutgraf.errors import InputError, UnknownName
from nutgraf.model_folder import is_trained, read_card
from nutgraf.preparation.prepare import configuration_of
from nutgraf.presets import Preset, names, read
from nutgraf.reproduction.published import Figure, Published, PublishedTable, published
from nutgraf.text.summary import Budget

Scale = Literal["paper", "small"]

SMALL_LIMIT, SMALL_TEST_LIMIT = 40_000, 500
"""Examples of each split that are prepared, and test examples that are summarized, at the small scale."""

SMALL_STEPS = 2_000
"""Steps of a training at the small scale, at most."""

NOT_ASKED = "It was not asked for (--row)."


@dataclass(frozen=True)
class Request:
    """A table to reproduce.

    Attributes:
        table: The table.
        data: Folder that holds the corpora in folders of their names, or the one corpus itself.
        out: Folder for everything that is made.
        scale: "paper" for the papers' presets, "small" for those that learn on a laptop.
        kind: Data set that takes the place of the papers'; None takes theirs.
        part: Split that is summarized.
        limit: Number of examples of each split to prepare; None for all.
        test_limit: Number of examples to summarize; None for all.
        changes: Changes of every network's preset, as after `--set`.
        rows: Names of the rows, or of the systems that are columns, to take; none for all.
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

    def __post_init__(self) -> None:
        lines = [line.name for line in (*self.table.rows, *self.table.columns)]
        unknown = next((name for name in self.rows if name not in lines), None)
        if unknown is not None:
            raise UnknownName(f"row of {self.table.label}", unknown, lines)

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


@dataclass(frozen=True)
class Trial:
    """A system on a corpus at a length: whose summaries are scored."""

    system: str
    settings: tuple[str, ...]
    corpus: str
    budget: Budget


@dataclass(frozen=True)
class Recipe:
    """A preset with its changes, and the networks that it needs."""

    system: str
    preset: Preset
    overrides: tuple[str, ...]
    needs: Mapping[str, Training]

    def read(self) -> Preset:
        """Return the preset with the folders of the networks that it needs."""
        return read(self.preset.name, [*self.overrides, *self.folders])

    @property
    def folders(self) -> list[str]:
        """The options that name these networks."""
        return [f"{option}={network.folder}" for option, network in self.needs.items()]

    @cached_property
    def digest(self) -> str:
        """Digest of everything that decides the system."""
        return _digest(self.preset.digest(), *(f"{option}={one.name}" for option, one in self.needs.items()))


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
        tokenizer = self.tokenizer_of
        parts = (
            json.dumps(configuration_of(self.recipe.preset), sort_keys=True, default=str),
            str(self.corpus.resolve()),
            str(self.limit),
            *([] if tokenizer is None else [tokenizer.name]),
        )
        return self.out / "prepared" / f"{self.corpus.name.partition('.')[0]}-{_digest(*parts)}"

    @property
    def tokenizer_of(self) -> Training | None:
        """The network that this one begins with, or that its search listens to: both have one tokenizer."""
        return next(iter(self.recipe.needs.values()), None)

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

    def trainings(self) -> Iterator[Training]:
        """Yield the networks that the trial needs, in order."""
        if self.training is not None:
            yield from self.training.before()
        elif self.recipe is not None:
            for one in self.recipe.needs.values():
                yield from one.before()


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
        InputError: If nothing can be done because the data lack every corpus.
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
            found[trial] = _job(request, trial)
    return found


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


def _job(request: Request, trial: Trial) -> Job:
    try:
        request.part_of(trial.corpus)
        recipe = recipe_of(request, trial.system, trial.corpus, trial.settings)
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
    overrides = [*(entry.small_set if request.scale == "small" else ())]
    preset = read(name)
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
    return Recipe(system, read(name, overrides), tuple(overrides), needs)


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
