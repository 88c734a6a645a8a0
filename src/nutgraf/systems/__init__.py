"""Systems, which summarize: `load()` returns the default one.

A system is made from a preset. It takes a text, a file, a Document, or a list of these, and returns a Summary.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike, fsdecode
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, overload

from nutgraf.datasets import Record
from nutgraf.errors import (
    BudgetError,
    InputError,
    MissingPackage,
    PresetError,
    UnknownName,
    check_type,
    items_of,
    type_name,
)
from nutgraf.faithfulness.ablation import MOST_ABLATIONS, Ablation, Track
from nutgraf.faithfulness.flags import flagged
from nutgraf.presets import Family, Preset, assignments
from nutgraf.presets import names as preset_names
from nutgraf.presets import read as read_with_sections
from nutgraf.presets.family import plain
from nutgraf.presets.installed import installed_model
from nutgraf.prose import has_prose
from nutgraf.readers.reading import Input, as_document, inputs_of
from nutgraf.runtime.hardware import Compute
from nutgraf.runtime.metadata import read_record
from nutgraf.systems.steering import Steering, steer, with_answer
from nutgraf.text.document import Document
from nutgraf.text.effect import Effect
from nutgraf.text.request import OutlineOptions, Request, RequestOptions
from nutgraf.text.summary import Attention, Budget, SourceSignals, Summary
from nutgraf.version import __version__

if TYPE_CHECKING:
    from nutgraf.text.outline import Outline

SCHEMES = {"hf": ("pretrained", "pretrained.folder"), "endpoint": ("endpoint", "endpoint.url")}
"""Beginnings of names, before a colon: the preset of such a system, and the option that the rest of the name sets."""

BUILT_IN = ("model", "tokenizer", "labels", "steering")
"""Sections of a preset that a trained network cannot do without."""


def _paired(
    documents: Iterable[Input], oracles: Iterable[Sequence[str]] | None
) -> Iterator[tuple[Input, Sequence[str] | None]]:
    """Each document with the summary that a person wrote of it, if there are any."""
    several = inputs_of(documents)
    if several is None:
        raise InputError("Several documents are needed, as a list; call the system itself to summarize one.")
    if oracles is None:
        return ((one, None) for one in several)
    if items_of(oracles) is None:
        raise InputError(
            f"Oracles are a list with the sentences of a summary for each document, not {type_name(oracles)}."
        )
    return _with_oracles(several, oracles)


def _with_oracles(
    documents: Iterable[Input], oracles: Iterable[Sequence[str]]
) -> Iterator[tuple[Input, Sequence[str]]]:
    missing: Any = object()
    for document, oracle in itertools.zip_longest(documents, oracles, fillvalue=missing):
        if document is missing or oracle is missing:
            raise InputError(f"There are {'more' if document is missing else 'fewer'} oracles than documents.")
        if not isinstance(oracle, list | tuple) or not all(isinstance(sentence, str) for sentence in oracle):
            raise InputError(f"An oracle is a list of sentences (str), not {oracle!r:.60}.")
        yield document, oracle


class System(ABC):
    """Summarizes documents; the same preset, seed and input give the same summary."""

    def __init__(self, preset: Preset, compute: Compute = Compute()) -> None:
        self.preset = preset
        self.compute = compute

    @property
    def card(self) -> Mapping[str, Any]:
        """Card of the trained model that writes the summaries, or their prototypes; {} where there is none."""
        return {}

    @property
    def writes(self) -> bool:
        """True if sentences are written by a network; False if they are the source's, as they stand."""
        return False

    @property
    def copies(self) -> bool:
        """True if all that it prints are sentences of the source, whose pieces may be left out."""
        return False

    @classmethod
    def lacking(cls, preset: Preset) -> str | None:
        """Return what a preset of this kind lacks before it is of use and how to get it; None for one that is ready."""
        return None

    @overload
    def __call__(
        self, documents: Input | Iterable[Input], request: None = None, **options: Unpack[RequestOptions]
    ) -> Summary: ...

    @overload
    def __call__(
        self, documents: Input | Iterable[Input], request: None = None, **options: Unpack[OutlineOptions]
    ) -> Outline: ...

    @overload
    def __call__(self, documents: Input | Iterable[Input], request: Request) -> Summary | Outline: ...

    def __call__(
        self, documents: Input | Iterable[Input], request: Request | None = None, **options: Any
    ) -> Summary | Outline:
        """Summarize one document, or several as one input.

        Args:
            documents: A text (str), a file (Path, bytes, or an open file), a Document, or a list of these, also as a
                generator or a column of pandas. A web page is read by `nutgraf.read(address, fetch=True)`.
            request: All that is asked for, in one record.
            options: The same as keyword arguments, which are those that follow.
            words: Maximum length in words.
            sentences: Maximum number of sentences.
            share: Maximum length as a share of the input's words: "1/8", "12.5%" or 0.125.
            characters: Maximum length in characters of the printed text, the white space between sentences included.
                With none of the four the summary has the system's natural length.
            highlights: Phrases to see more of, as "phrase", "phrase:weight" (1 by default) or ("phrase", weight), or a
                mapping to weights.
            query: Question; the sentence that answers it comes first, then what is relevant to it. `Summary.answer`
                says whether the text answers it.
            language: ISO 639-1 code, if it is known.
            compare: Also make the summary without highlights, for `Summary.effect`; it takes as long again.
            whole_sentences: Leave out no connective at the beginning of a sentence that is copied; see
                `SummarySentence.connective`.
            edit: Leave out pieces of sentences that grammar lets go, such as asides and relative clauses, where the
                length asked for has no room for them; see `SummarySentence.left_out`. True, or a strength above 0 and
                at most 1: a piece may go if people would leave it out with a probability of 1 − strength.
            prose: Leave out headings, captions, notices and whatever else is not prose; False keeps every sentence,
                and none is judged.
            by: Make an outline, in which each "section", "speaker", "message", "document" or "page" has sentences of
                its own. Words, characters and a share are then divided among them; a number of sentences is for each,
                and without a length each has one.
            depth: Deepest level of an outline; what lies deeper belongs to the level above.

        Returns:
            The summary, which also knows why each sentence is there; with `by`, the Outline.

        Raises:
            InputError: If an input cannot be read or has no sentence, or a highlight, the question, `by` or `depth` is
                not right.
            BudgetError: If no summary can have this length.
        """
        request = _request_of(request, options)
        document = self._read(documents, request)
        return self._summarized(document, request) if request.by is None else self._outline(document, request)

    def _outline(self, document: Document, request: Request) -> Outline:
        """Return the summary of a document by its parts."""
        from nutgraf.systems.by_part import by_part

        return by_part(self, document, request)

    def _summarized(self, document: Document, request: Request) -> Summary:
        """Return one summary of a document."""
        steering = steer(document, request)
        try:
            made = self.summarize(document, request.budget, steering)
        except BudgetError as error:
            made, steering = self._of_clauses(document, request, error)
        return self._finished(made, steering, request)

    @overload
    async def call_async(
        self, documents: Input | Iterable[Input], request: None = None, **options: Unpack[RequestOptions]
    ) -> Summary: ...

    @overload
    async def call_async(
        self, documents: Input | Iterable[Input], request: None = None, **options: Unpack[OutlineOptions]
    ) -> Outline: ...

    @overload
    async def call_async(self, documents: Input | Iterable[Input], request: Request) -> Summary | Outline: ...

    async def call_async(
        self, documents: Input | Iterable[Input], request: Request | None = None, **options: Any
    ) -> Summary | Outline:
        """Summarize in a thread of its own, so that an event loop goes on; the arguments are those of a call."""
        import asyncio

        return await asyncio.to_thread(lambda: self(documents, request, **options))

    @overload
    def stream(
        self,
        documents: Iterable[Input],
        request: None = None,
        *,
        oracles: Iterable[Sequence[str]] | None = None,
        **options: Unpack[RequestOptions],
    ) -> Iterator[Summary | BudgetError | InputError]: ...

    @overload
    def stream(
        self, documents: Iterable[Input], request: None = None, **options: Unpack[OutlineOptions]
    ) -> Iterator[Outline | BudgetError | InputError]: ...

    @overload
    def stream(
        self, documents: Iterable[Input], request: Request, *, oracles: Iterable[Sequence[str]] | None = None
    ) -> Iterator[Summary | Outline | BudgetError | InputError]: ...

    def stream(
        self,
        documents: Iterable[Input],
        request: Request | None = None,
        *,
        oracles: Iterable[Sequence[str]] | None = None,
        **options: Any,
    ) -> Iterator[Summary | Outline | BudgetError | InputError]:
        """Summarize each of several documents, and yield each summary as soon as it is made.

        Documents are taken from the iterable as they are needed: as many at a time as the system summarizes together.

        Args:
            documents: One input for each summary; see the call of one.
            request: What is asked for of each.
            options: The same as keyword arguments, as in the call of one.
            oracles: A summary that a person wrote for each document. If the system highlights key phrases, those of
                this summary replace the document's own; nobody has it in earnest, so it only shows the effect of
                perfect guidance.

        Yields:
            The summaries, or with `by` the outlines, in the order of the documents; in the place of one that cannot be
            made, the error.

        Raises:
            BudgetError: If no summary can have this length.
            InputError: If a highlight, the question, `by` or `depth` is not right.
        """
        return self._stream(_paired(documents, oracles), _request_of(request, options), self.at_once)

    @overload
    def many(
        self,
        documents: Iterable[Input],
        request: None = None,
        *,
        oracles: Iterable[Sequence[str]] | None = None,
        progress: Callable[[int], None] | None = None,
        **options: Unpack[RequestOptions],
    ) -> list[Summary | BudgetError | InputError]: ...

    @overload
    def many(
        self,
        documents: Iterable[Input],
        request: None = None,
        *,
        progress: Callable[[int], None] | None = None,
        **options: Unpack[OutlineOptions],
    ) -> list[Outline | BudgetError | InputError]: ...

    @overload
    def many(
        self,
        documents: Iterable[Input],
        request: Request,
        *,
        oracles: Iterable[Sequence[str]] | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> list[Summary | Outline | BudgetError | InputError]: ...

    def many(
        self,
        documents: Iterable[Input],
        request: Request | None = None,
        *,
        oracles: Iterable[Sequence[str]] | None = None,
        progress: Callable[[int], None] | None = None,
        **options: Any,
    ) -> list[Any]:
        """Summarize each of several documents; networks are faster with several at a time.

        Args:
            documents: One input for each summary; see the call of one.
            request: What is asked for of each.
            options: The same as keyword arguments, as in the call of one.
            oracles: A summary that a person wrote for each document; see `stream`.
            progress: Called with the number of finished documents after each of them.

        Returns:
            The summaries, or with `by` the outlines, in the order of the documents; in the place of one that cannot be
            made, the error.

        Raises:
            BudgetError: If no summary can have this length.
            InputError: If a highlight, the question, `by` or `depth` is not right.
        """
        check_type(progress, (Callable, type(None)), "progress is a function or None")
        size = None if progress is None else self.at_once
        made = []
        for one in self._stream(_paired(documents, oracles), _request_of(request, options), size):
            made.append(one)
            if progress is not None:
                progress(len(made))
        return made

    def _stream(
        self, pairs: Iterator[tuple[Input, Sequence[str] | None]], request: Request, size: int | None
    ) -> Iterator[Summary | Outline | BudgetError | InputError]:
        """Yield summaries of documents, of which `size` are summarized together; None: all of them."""
        if request.by is not None:
            yield from (self._outlined(item, request, oracle) for item, oracle in pairs)
            return
        while some := list(itertools.islice(pairs, size)):
            read = [self._steered(item, request, oracle) for item, oracle in some]
            made = iter(self.summarize_all([one for one in read if not isinstance(one, InputError)], request.budget))
            for one in read:
                if isinstance(one, InputError):
                    yield one
                    continue
                summary, steering = next(made), one[1]
                if isinstance(summary, BudgetError):
                    try:
                        summary, steering = self._of_clauses(one[0], request, summary)
                    except BudgetError as error:
                        yield error
                        continue
                yield self._finished(summary, steering, request)

    def _steered(
        self, item: Input, request: Request, oracle: Sequence[str] | None
    ) -> tuple[Document, Steering] | InputError:
        """Return a document with its highlights, or why it cannot be summarized."""
        try:
            document = self._read(item, request)
            steering = steer(document, request)
        except InputError as error:
            return error
        return document, steering if oracle is None else replace(steering, oracle=tuple(oracle))

    def _read(self, documents: Input | Iterable[Input], request: Request) -> Document:
        """Return the input as a document, whose sentences are shortened if that is asked for; see `_read`.

        The parts of an outline are read, and so shortened, one by one.
        """
        if not request.edit:
            return _read(documents, request)
        if not self.copies:
            raise InputError(
                f"edit shortens sentences that are copied, and {self.preset.name!r} does not only copy; leave it out, "
                "or take another system."
            )
        document = _read(documents, request)
        if request.by is not None:
            return document
        from nutgraf.systems.editing import edited

        return edited(document, request)

    def _outlined(
        self, item: Input, request: Request, oracle: Sequence[str] | None
    ) -> Outline | BudgetError | InputError:
        """Return the outline of a document, or why there is none."""
        try:
            if oracle is not None:
                raise InputError(
                    "An oracle is the summary of a whole document, and by makes an outline; leave out one."
                )
            return self._outline(self._read(item, request), request)
        except (BudgetError, InputError) as error:
            return error

    def _of_clauses(self, document: Document, request: Request, refused: BudgetError) -> tuple[Summary, Steering]:
        """Return a summary of clauses of a document of which no sentence fits, and what was asked for of them.

        Raises:
            BudgetError: If there are none, or none fits, or only whole sentences are wanted.
        """
        clauses = None if self.writes or request.whole_sentences else document.clauses
        words = request.budget.words_of(document)
        if clauses is None or words == 0:
            raise refused
        steering, budget = steer(clauses, request), request.budget
        try:
            made = self.summarize(clauses, budget if budget.share is None else Budget(words=words), steering)
        except BudgetError as error:
            shorter = error.smallest and (not refused.smallest or error.smallest < refused.smallest)
            raise (error if shorter else refused) from None
        notice = "No sentence fits, so the summary has clauses of sentences."
        return replace(made, budget=budget, notices=(*made.notices, notice)), steering

    def _finished(self, summary: Summary, steering: Steering, request: Request) -> Summary:
        """Return a summary that uses all its room, with its flags, the names of its highlights and their effect."""
        names = tuple(phrase.text for phrase in steering.highlights)
        filled = with_answer(self._filled_up(summary, steering), steering)
        made = replace(flagged(filled) if self.writes else filled, highlights=names)
        if not names:
            return made
        effect = made.effect or Effect()
        if request.compare:
            try:
                effect, notices = self._compared(effect, made, steering, request), made.notices
            except (BudgetError, InputError) as error:
                notices = (*made.notices, f"A summary without highlights cannot be made: {error}")
            made = replace(made, notices=notices)
        return replace(made, effect=effect.counted(steering.highlights, made.said))

    def _compared(self, effect: Effect, summary: Summary, steering: Steering, request: Request) -> Effect:
        """Return an effect with the summary that is made without highlights."""
        unsteered = steer(summary.document, replace(request, highlights=(), compare=False))
        without = replace(unsteered, measured=steering.measured, oracle=steering.oracle)
        plain = self._filled_up(self.summarize(summary.document, summary.budget, without), without)
        before = None if plain.effect is None else plain.effect.attention
        return replace(effect, unsteered=plain.said, attention_before=before)

    def _filled_up(self, summary: Summary, steering: Steering) -> Summary:
        """Return a summary that uses the room saved where a label stands once for several sentences.

        Sentences are selected as if each had its label (time and speaker), so that no summary exceeds its budget. If
        room is left, the document is summarized again with more, and a longer summary within the budget is returned.
        """
        limit = summary.limit if summary.budget.characters is None else summary.budget.characters
        if limit is None or not any(label for line in summary.lines for label, _ in line):
            return summary
        left, saved = limit - summary.length, summary.saved
        for more in sorted({left, (left + saved) // 2, saved} - {0}, reverse=True):
            longer = self.summarize(summary.document, summary.budget.with_length(limit + more), steering)
            if summary.length < longer.length <= limit:
                return replace(longer, budget=summary.budget, limit=summary.limit)
        return summary

    def fit(self, records: Iterable[Record]) -> None:
        """Learn what needs a collection: document frequencies, the references' mean length."""

    @abstractmethod
    def summarize(self, document: Document, budget: Budget, steering: Steering) -> Summary:
        """Summarize a document that has at least one sentence.

        Args:
            document: The input.
            budget: Length of the summary, which it never exceeds.
            steering: Highlights and the question.

        Returns:
            A summary with at least `sentences`, each with its origins, `document`, `budget`, `limit` and `signature`.

        Raises:
            BudgetError: If no summary can have this length.
        """

    def summarize_all(self, asked: Sequence[tuple[Document, Steering]], budget: Budget) -> list[Summary | BudgetError]:
        """Summarize several documents that have at least one sentence each."""
        made: list[Summary | BudgetError] = []
        for document, steering in asked:
            try:
                made.append(self.summarize(document, budget, steering))
            except BudgetError as error:
                made.append(error)
        return made

    def candidates(self, documents: Sequence[Document]) -> list[list[str]]:
        """Return several summaries of each document, each text once, the system's own choice first.

        They have the system's natural length. A re-ranker learns from them which to choose.

        Raises:
            InputError: If the system makes one summary only.
        """
        raise InputError(
            f"{self.preset.name!r} makes one summary of a document; the search of a trained network finds several."
        )

    def attention(self, summary: Summary) -> Attention | None:
        """Return the encoder's self-attention for a summary of this system; None for a system without an encoder."""
        return None

    def signals(self, summary: Summary) -> SourceSignals | None:
        """Return what a network made of each source word of a summary; None for a system without a network."""
        return None

    def ablate(self, summary: Summary, ablations: int = MOST_ABLATIONS, track: Track | None = None) -> Ablation:
        """Find the sentences of the source that those of a summary rest on, by leaving some of them out.

        The network is given the summary to write while it reads random subsets of the source's sentences; the seed is
        that of the preset. See `nutgraf.faithfulness.ablation`.

        Args:
            summary: A summary, as a rule of this system.
            ablations: Largest number of subsets, from 2 to 32; each costs a forward pass.
            track: Yields the passes as they are made; it may draw a progress bar.

        Raises:
            InputError: If no network of this system writes, or the number of subsets is another.
        """
        raise InputError(
            f"Source ablation asks a network that writes; {self.preset.name!r} has none. A trained network and "
            "hf:FOLDER have one; for any system, --explain tells where sentences come from."
        )

    @property
    def at_once(self) -> int:
        """Number of documents that are summarized together."""
        return 1

    @property
    def processes(self) -> int | None:
        """Number of processes that may hold this system at the same time; None for any number."""
        return None

    @cached_property
    def _digest(self) -> str:
        return self.preset.digest()

    @property
    def signature(self) -> str:
        """Preset, a hash of all options, what computes, the seed, and the version."""
        options, seed = f"options:{self._digest}", f"seed:{self.preset.seed}"
        return "|".join([self.preset.name, options, *self._computed(), seed, f"v{__version__}"])

    def _computed(self) -> list[str]:
        """Return the parts of the signature that say which weights or which server write, and how."""
        return []


class BatchSystem(System):
    """A system that summarizes several documents faster together."""

    def summarize(self, document: Document, budget: Budget, steering: Steering) -> Summary:
        """Summarize a document; see `System`."""
        [made] = self.summarize_all([(document, steering)], budget)
        if isinstance(made, BudgetError):
            raise made
        return made

    @abstractmethod
    def summarize_all(self, asked: Sequence[tuple[Document, Steering]], budget: Budget) -> list[Summary | BudgetError]:
        """Summarize several documents that have at least one sentence each."""


SHARED = ("by_part", "compose", "editing", "embedding", "explain", "minutes", "steering", "verify")
"""Modules of this package that are no systems."""

systems: Family[System] = Family(__name__, System, shared=SHARED)


def sections_of(system: str) -> type[Any]:
    """Return the `Config` of a system, whose fields are the sections of its presets. Raises UnknownName."""
    return systems.config(system)


def read_preset(name: str | Path, overrides: Iterable[str] | Mapping[str, Any] = (), trust: bool = False) -> Preset:
    """Return the preset of a name that ships, or of a `.toml` file; see `nutgraf.presets.read`."""
    return read_with_sections(name, sections_of, overrides, trust)


def load(
    name: str | PathLike[str] = "adaptive",
    overrides: Iterable[str] | Mapping[str, Any] | None = (),
    trust: bool = False,
    *,
    device: str = "auto",
    threads: int | None = None,
    deterministic: bool = False,
) -> System:
    """Return the system that a preset makes.

    Args:
        name: A preset (`nutgraf presets` lists them), the path of a `.toml` file, a trained model, or the name under
            which an installed package announces one.
        overrides: Lines "section.key=value", or a mapping of dotted keys to values. The sections with which a network
            was built cannot be changed. Overrides may name modules outside nutgraf.
        trust: Let the file or folder, and those that it names, name modules outside nutgraf. Such modules are imported
            and run: trust only people whose programs you would run.
        device: Device of a network: "cpu", "cuda", "cuda:1"; "auto" is the GPU if there is one.
        threads: Number of threads of a network on the CPU; None measures again and again how many are fastest.
        deterministic: Give the same numbers on a busy machine as on an idle one.

    Raises:
        UnknownName: If there is no such preset.
        PresetError: If it cannot be read, does not fit, was not trained, or names a module and is not trusted.
        InputError: If there is no such folder, or it is damaged, or an argument is not of its type.
    """
    if not isinstance(name, str | PathLike):
        raise PresetError(f"The name of a system is a str or a Path, not {type(name).__name__}.")
    for value, argument in ((trust, "trust"), (deterministic, "deterministic")):
        check_type(value, bool, f"{argument} is True or False")
    if isinstance(overrides, str):
        raise PresetError(f"Overrides are a list of lines or a mapping; write [{overrides!r}].")
    compute = Compute(bool(deterministic), plain(threads), device)
    place = name if isinstance(name, str) else Path(fsdecode(name))
    return load_with(place, () if overrides is None else overrides, bool(trust), compute)


def load_with(name: str | Path, overrides: Iterable[str] | Mapping[str, Any], trust: bool, compute: Compute) -> System:
    """Return the system that a preset makes, with all settings of how it computes in one record; see `load`."""
    preset = preset_of(name, overrides, trust)
    member = systems.find(preset.system)
    try:
        preset.config  # noqa: B018
    except MissingPackage:
        # That it has no weights comes first: nobody should install a package for that.
        _refuse_lacking(preset, member)
        raise
    _refuse_lacking(preset, member)
    return member(preset, compute)


def preset_of(name: str | Path, overrides: Iterable[str] | Mapping[str, Any] = (), trust: bool = False) -> Preset:
    """Return the preset of a system: one that ships, a file's, or that of a trained model; see `load`.

    A name that several have is that of the preset that ships, then of the folder, then of an installed model.
    """
    if not str(name):
        raise PresetError("The name of a system is empty; `nutgraf presets` lists those that there are.")
    if Path(name).is_dir() and (isinstance(name, Path) or name not in preset_names()):
        return _read_trained(Path(name), overrides, trust)
    scheme, colon, rest = str(name).partition(":")
    if colon and scheme in SCHEMES:
        return _read_named(str(name), SCHEMES[scheme], rest, overrides, trust)
    if str(name) not in preset_names() and (announced := installed_model(name)):
        return _read_trained(announced.folder, overrides, trust)
    return read_preset(name, overrides, trust)


def _read_named(
    name: str, scheme: tuple[str, str], rest: str, overrides: Iterable[str] | Mapping[str, Any], trust: bool
) -> Preset:
    """The preset of a model that is named where the name of a system stands, as hf:FOLDER."""
    base, key = scheme
    if not rest:
        raise PresetError(f"{name!r} names no model; {name}{'FOLDER' if base == 'pretrained' else 'URL'} does.")
    preset = read_preset(base, {key: rest, **dict(assignments(overrides))}, trust)
    return replace(preset, name=f"{name.partition(':')[0]}:{Path(rest).name if Path(rest).is_dir() else rest}")


def lacking(preset: Preset) -> str | None:
    """Return what a preset lacks before it is of use and how to get it; None for one that is ready."""
    return systems.find(preset.system).lacking(preset)


@dataclass(frozen=True)
class _Named:
    preset: str


def _read_trained(folder: Path, overrides: Iterable[str] | Mapping[str, Any], trust: bool) -> Preset:
    """The preset of a trained model, by the name that it was trained under."""
    pairs = assignments(overrides)
    for key, _ in pairs:
        if key.split(".")[0] in BUILT_IN:
            raise PresetError(f"The network in {folder} was trained with its [{key.split('.')[0]}]; {key} stays.")
    path = folder / "preset.toml"
    if not path.is_file():
        raise InputError(
            f"{folder} is not a trained model: preset.toml is missing. "
            + (
                f"A model of transformers is named hf:{folder}."
                if (folder / "config.json").is_file()
                else "`nutgraf train` creates such folders."
            )
        )
    preset = read_preset(path, dict(pairs), trust)
    try:
        named = read_record(folder / "card.json", _Named, "a card of a trained network").preset
    except InputError:
        named = folder.resolve().name
    return replace(preset, name=named)


def _request_of(request: Request | None, options: Mapping[str, Any]) -> Request:
    """Return a request, or the one that keyword arguments make. Raises InputError if both are given."""
    unknown = [name for name in options if name not in OutlineOptions.__annotations__]
    if unknown:
        raise TypeError(str(UnknownName("keyword argument", unknown[0], OutlineOptions.__annotations__)))
    if request is None:
        return Request.of(**options)
    check_type(request, Request, "What is asked for is a Request, or keyword arguments such as words=100")
    if options:
        raise InputError(f"The request says all that is asked for; leave it out, or leave out {', '.join(options)}.")
    return request


def _read(documents: Input | Iterable[Input], request: Request) -> Document:
    """Return the input as a document, with a notice if it has no prose and that matters.

    Raises:
        InputError: If it cannot be read or has no sentence.
    """
    document = as_document(documents, request.language)
    name = document.name or "the input"
    if not document.sentences:
        raise InputError(f"There is no sentence to summarize in {name}.")
    if not request.prose:
        return replace(document, keep_all=True)
    if has_prose(document):
        return document
    said = f"No prose was found in {name}, so the summary is made of what else it holds."
    return replace(document, notices=(*document.notices, said))


def _refuse_lacking(preset: Preset, member: type[System]) -> None:
    lack = member.lacking(preset)
    if lack:
        raise PresetError(lack)
