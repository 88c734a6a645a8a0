"""Systems: what summarizes. `load("mls_plus")` gives something that does.

A system is made from a preset. It takes text, a path, a Document, or a list of these, and gives a Summary.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from nutgraf.datasets import Record
from nutgraf.errors import BudgetError, InputError, MissingPackage, PresetError
from nutgraf.hardware import Compute
from nutgraf.metadata import read_object
from nutgraf.presets import Family, Preset, assignments
from nutgraf.presets import names as preset_names
from nutgraf.presets import read as read_preset
from nutgraf.systems._input import Input, as_document
from nutgraf.systems.steering import Steering, steer
from nutgraf.text.document import Document
from nutgraf.text.summary import Attention, Budget, SourceSignals, Summary
from nutgraf.version import __version__

BUILT_IN = ("model", "tokenizer")
"""Sections of a preset that a trained network cannot do without."""


class System(ABC):
    """Summarizes. Made from a preset; the same preset, seed and input give the same summary."""

    needs_training: ClassVar[bool] = False
    """True for a network: `nutgraf train` makes one from a preset."""

    def __init__(self, preset: Preset, compute: Compute = Compute()) -> None:
        self.preset = preset
        self.compute = compute
        self._options = preset.digest()

    @classmethod
    def lacking(cls, preset: Preset) -> str | None:
        """Return what a preset of this kind lacks before it is of use and how to get it; None for one that is ready."""
        return None

    def __call__(
        self,
        documents: Input | Sequence[Input],
        *,
        words: int | None = None,
        sentences: int | None = None,
        share: str | float | None = None,
        highlights: Iterable[str] | Mapping[str, float] = (),
        language: str | None = None,
    ) -> Summary:
        """Summarize one document, or several as one input.

        documents: text, a path, a Document, or a list of these; a text that names a file is taken for a path.
        words, sentences, share: the length, at most one of them; a share is of the input's words, as "1/8". With none
            the summary has the system's natural length.
        highlights: phrases to give more attention, as "phrase" or "phrase:weight", or as a mapping to weights.
        language: an ISO 639-1 code, where it is known.

        Raises InputError for what cannot be read, BudgetError for a length that no summary can have.
        """
        document = as_document(documents, language)
        if not document.sentences:
            raise _nothing_there(document)
        return self.summarize(document, Budget.of(words, sentences, share), steer(document, highlights))

    def many(
        self,
        documents: Sequence[Document],
        *,
        words: int | None = None,
        sentences: int | None = None,
        share: str | float | None = None,
        highlights: Iterable[str] | Mapping[str, float] = (),
        oracles: Sequence[Sequence[str]] | None = None,
    ) -> list[Summary | BudgetError | InputError]:
        """Summarize each of several documents, as one call does; networks are quicker with several at a time.

        oracles: for each document a summary that a person wrote. Where the system highlights key phrases, those of
            that summary stand for the document's own: nobody has it before it is written, so that this only shows what
            perfect guidance would bring.

        In the place of a summary that cannot be made stands why.
        """
        budget = Budget.of(words, sentences, share)
        steered = [steer(document, highlights) for document in documents]
        if oracles is not None:
            pairs = zip(steered, oracles, strict=True)
            steered = [replace(steering, oracle=tuple(oracle)) for steering, oracle in pairs]
        asked = [one for one in zip(documents, steered, strict=True) if one[0].sentences]
        made = iter(self.summarize_all(asked, budget))
        return [next(made) if document.sentences else _nothing_there(document) for document in documents]

    def fit(self, records: Iterable[Record]) -> None:
        """Learn what needs a collection: document frequencies, the references' mean length."""

    @abstractmethod
    def summarize(self, document: Document, budget: Budget, steering: Steering) -> Summary:
        """Summarize a document that has at least one sentence."""

    def summarize_all(self, asked: Sequence[tuple[Document, Steering]], budget: Budget) -> list[Summary | BudgetError]:
        """Summarize several documents that have at least one sentence each."""
        made: list[Summary | BudgetError] = []
        for document, steering in asked:
            try:
                made.append(self.summarize(document, budget, steering))
            except BudgetError as error:
                made.append(error)
        return made

    def attention(self, summary: Summary) -> Attention | None:
        """What an encoder attended to when it read for a summary of this system; None where there is none."""
        return None

    def signals(self, summary: Summary) -> SourceSignals | None:
        """What a network of this system made of each word that it read for a summary; None where there is none."""
        return None

    @property
    def at_once(self) -> int:
        """How many documents `many` had best be given at a time."""
        return 1

    @property
    def processes(self) -> int | None:
        """How many processes may hold this system at the same time; None for any number."""
        return None

    @property
    def signature(self) -> str:
        """Preset, version, a hash of all options, and the seed."""
        return f"{self.preset.name}|options:{self._options}|seed:{self.preset.seed}|v{__version__}"


systems: Family[System] = Family(__name__, System, shared=("compose", "explain", "steering"))


def load(
    name: str | Path,
    overrides: Iterable[str] | Mapping[str, Any] = (),
    trust: bool = False,
    *,
    compute: Compute = Compute(),
) -> System:
    """The system that a preset makes.

    Args:
        name: A preset that ships (`nutgraf presets` lists them), the path of a `.toml` file, or a folder that `nutgraf
            train` left.
        overrides: "section.key=value" lines, or a mapping of dotted keys to values. What a network was built with
            stays. They may name modules outside nutgraf.
        trust: Whether the file or folder, and those that it names, may name modules outside nutgraf. Such modules are
            imported and run, so trust only what comes from people whose programs you would run.
        compute: How a network may compute: `Compute(deterministic=True)` gives the same numbers on a busy machine as on
            a quiet one.

    Raises:
        UnknownName: If there is no such preset.
        PresetError: If it cannot be read, does not fit, or names a module and is not trusted.
        InputError: If a folder is damaged.
    """
    preset = _read_trained(Path(name), overrides, trust) if _is_folder(name) else read_preset(name, overrides, trust)
    member = systems.find(preset.system)
    try:
        preset.config  # noqa: B018
    except MissingPackage:
        # That it has no weights comes first: nobody should install a package for that.
        _refuse_lacking(preset, member)
        raise
    _refuse_lacking(preset, member)
    return member(preset, compute)


def lacking(preset: Preset) -> str | None:
    """Return what a preset lacks before it is of use and how to get it; None for one that is ready."""
    return systems.find(preset.system).lacking(preset)


def _is_folder(name: str | Path) -> bool:
    """Whether a name is a folder rather than a preset. A preset of the same name is meant, unless it is a path."""
    return Path(name).is_dir() and (isinstance(name, Path) or str(name) not in preset_names())


def _read_trained(folder: Path, overrides: Iterable[str] | Mapping[str, Any], trust: bool) -> Preset:
    """The preset of a trained model, by the name that it was trained under."""
    pairs = assignments(overrides)
    for key, _ in pairs:
        if key.split(".")[0] in BUILT_IN:
            raise PresetError(f"The network in {folder} was trained with its [{key.split('.')[0]}]; {key} stays.")
    path = folder / "preset.toml"
    if not path.is_file():
        raise InputError(
            f"{folder} is not a trained model: preset.toml is missing. `nutgraf train` creates such folders."
        )
    preset = read_preset(path, dict(pairs), trust)
    try:
        named = read_object(folder / "card.json", {"preset": str}, "a card of a trained network")["preset"]
    except InputError:
        named = folder.resolve().name
    return replace(preset, name=named)


def _nothing_there(document: Document) -> InputError:
    return InputError(f"There is no sentence to summarize in {document.name or 'the input'}.")


def _refuse_lacking(preset: Preset, member: type[System]) -> None:
    said = member.lacking(preset)
    if said:
        raise PresetError(said)
