"""A prototype by any system, then the magnifier: MLS and its variants (Sarkhel et al. 2020)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

from nutgraf.datasets import Record
from nutgraf.errors import BudgetError, InputError, NutgrafError, PresetError
from nutgraf.extractive import Ratings
from nutgraf.extractive.selection import cut_behind, nothing_fits, told_leaning
from nutgraf.keyphrases import KeyphraseExtractor, extractors
from nutgraf.magnifier.kernels import kernels
from nutgraf.magnifier.magnifier import Config as MagnifierConfig
from nutgraf.magnifier.magnifier import MagnifiedSentence, Magnifier, PreparedDocument, PrototypeSentence
from nutgraf.presets import Choice, Preset, names, table_of
from nutgraf.presets.family import NAMES_PRESET, OPTIONS_OF
from nutgraf.prose import qualities
from nutgraf.prose.closure import Closures
from nutgraf.prose.quality import GOOD, WEAK
from nutgraf.runtime.hardware import Compute
from nutgraf.systems import BatchSystem, System, lacking, load_with, preset_of, read_preset
from nutgraf.systems.explain import copied, key_phrases, tell_left_out
from nutgraf.systems.steering import Steering, tell_unshown
from nutgraf.text.document import Document, Unit
from nutgraf.text.summary import Attention, Budget, SourceSignals, Summary, SummarySentence

KEPT = 8
"""Number of prototypes that are kept, with what the magnifier computed from them: a document that is summarized at
several lengths has the same prototype each time, and a network takes seconds to write one."""


NETWORK_PARTS = ("weights", "trained", "reranker", "precision", "kernels", "threads")
"""Parts of a signature that only a network has."""


@dataclass(frozen=True, kw_only=True)
class Config:
    """A prototype, which is then brought to its length."""

    prototype: str = field(metadata=NAMES_PRESET)
    """System that writes the prototype: the name of a preset, a `.toml` file, or a model folder."""

    magnifier: MagnifierConfig
    """Magnifier, which copies or expands sentences of the prototype."""

    keyphrases: Choice[KeyphraseExtractor] | None = None
    """Extractor of the phrases that a summary shows."""

    decoding: Mapping[str, Any] = field(default_factory=dict, metadata={OPTIONS_OF: "nutgraf.decoding.search"})
    """Options of `[decoding]` for the network that writes the prototype, instead of its own; refused where no network
    writes it."""


class TwoStage(BatchSystem):
    """A preset with `system = "two_stage"`; `prototype` names the preset of the first stage, or a trained model.

    Where that is a network, `[decoding]` says how it searches; its length never depends on the budget.
    """

    def __init__(self, preset: Preset, compute: Compute = Compute()) -> None:
        super().__init__(preset, compute)
        config: Config = preset.config
        self.prototype = _prototype_of(preset, compute)
        self._extractor = extractors.build(config.keyphrases) if config.keyphrases else None
        if not config.magnifier.kernels:
            raise PresetError("[magnifier] needs kernels, each a section, as [magnifier.kernels.topics].")
        made = {name: kernels.build(one) for name, one in config.magnifier.kernels.items()}
        self.magnifier = Magnifier(config.magnifier, made)
        self._kept: dict[tuple[int, Budget], _Draft] = {}
        self._lock = Lock()

    @classmethod
    def lacking(cls, preset: Preset) -> str | None:
        """The network of the prototype, unless it was trained."""
        name = preset.options("prototype")
        while name in names() and (stage := read_preset(name)).system == preset.system:
            name = stage.options("prototype")
        if name not in names() or not lacking(stage):
            return None
        return (
            f"The prototype of {preset.name!r} is written by a network that has to be trained: nutgraf train {name} "
            f"--data DATA --out FOLDER; then --set prototype=FOLDER, or a preset of your own that extends "
            f'{preset.name!r} and says prototype = "FOLDER".'
        )

    def _computed(self) -> list[str]:
        return [part for part in self.prototype.signature.split("|") if part.split(":")[0] in NETWORK_PARTS]

    @property
    def card(self) -> Mapping[str, Any]:
        """Same as for the system of the prototype."""
        return self.prototype.card

    @property
    def writes(self) -> bool:
        """Same as for the system of the prototype."""
        return self.prototype.writes

    @property
    def at_once(self) -> int:
        """Same as for the system of the prototype."""
        return self.prototype.at_once

    @property
    def processes(self) -> int | None:
        """Same as for the system of the prototype."""
        return self.prototype.processes

    def __getstate__(self) -> dict[str, object]:
        """A process to which a system is sent remembers no prototypes."""
        return {key: value for key, value in self.__dict__.items() if key not in ("_kept", "_lock")}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state, _kept={}, _lock=Lock())

    def fit(self, records: Iterable[Record]) -> None:
        """Fit the system of the prototype and the kernels."""
        records = list(records)
        self.prototype.fit(records)
        self.magnifier.fit(record.document for record in records)
        self._kept.clear()

    def summarize_all(self, asked: Sequence[tuple[Document, Steering]], budget: Budget) -> list[Summary | BudgetError]:
        """Write prototypes, as many together as their system can, then copy or expand their sentences."""
        drafts = self._drafts(asked, Budget(sentences=budget.sentences))
        return [self._tried(draft, budget, steering) for draft, (_, steering) in zip(drafts, asked, strict=True)]

    def _drafts(self, asked: Sequence[tuple[Document, Steering]], length: Budget) -> list[_Draft | BudgetError]:
        """Return prototypes, from memory where possible; only those without highlights are remembered."""
        found = [self._kept.get((id(document), length)) if steering.plain else None for document, steering in asked]
        missing = [one for one, draft in zip(asked, found, strict=True) if draft is None]
        written = self.prototype.summarize_all(missing, length) if missing else []
        made = iter([self._keep(one, length, steering) for one, (_, steering) in zip(written, missing, strict=True)])
        return [next(made) if draft is None else draft for draft in found]

    def _keep(self, summary: Summary | BudgetError, length: Budget, steering: Steering) -> _Draft | BudgetError:
        if isinstance(summary, BudgetError):
            return summary
        draft = _Draft(summary, self.magnifier)
        if steering.plain:
            with self._lock:
                # A draft holds its document, so that no other one can take over its identity.
                self._kept[id(summary.document), length] = draft
                while len(self._kept) > KEPT:
                    del self._kept[next(iter(self._kept))]
        return draft

    def attention(self, summary: Summary) -> Attention | None:
        """Same as for the system of the prototype."""
        return self.prototype.attention(summary)

    def signals(self, summary: Summary) -> SourceSignals | None:
        """Same as for the system of the prototype."""
        return self.prototype.signals(summary)

    def _tried(self, draft: _Draft | BudgetError, budget: Budget, steering: Steering) -> Summary | BudgetError:
        if isinstance(draft, BudgetError):
            return draft
        try:
            return self._magnify(draft, budget, steering)
        except BudgetError as error:
            return error

    def _magnify(self, draft: _Draft, budget: Budget, steering: Steering) -> Summary:
        """Bring a prototype to its length."""
        summary, document = draft.summary, draft.summary.document
        limit = budget.limit_of(document)
        prepared = draft.prepared(budget.unit)
        length = int(prepared.lengths.sum()) if limit is None else limit
        pieces = self.assemble(summary, prepared, length, steering)
        if not pieces:
            raise self._nothing_fits(document, prepared, limit or 0, budget.unit)
        closures = self._closures(document, steering)
        taken = [piece.source for piece in pieces if piece.source is not None]
        leaning = told_leaning(document, closures, taken) if closures else ()
        made = Summary(
            sentences=self.sentences(summary, pieces, steering),
            document=document,
            budget=budget,
            limit=budget.words_of(document),
            find_phrases=partial(key_phrases, self._extractor, document, steering),
            cut=summary.cut,
            notices=tuple(dict.fromkeys((*summary.notices, *_copied_only(prepared, limit), *leaning))),
            signature=self.signature,
        )
        return tell_left_out(tell_unshown(made, steering))

    def assemble(
        self,
        draft: Summary,
        prepared: PreparedDocument,
        length: int,
        steering: Steering,
        weights: Mapping[str, float] | None = None,
    ) -> list[MagnifiedSentence]:
        """Bring a prototype to its length.

        Args:
            draft: The prototype.
            prepared: The same, as the magnifier prepared it.
            length: Maximum length, in the unit of `prepared`.
            steering: What is asked for.
            weights: Weight of each kernel; by default that of the magnifier.

        Returns:
            The sentences, each with all that it leans on; if that fits for none, without, but lists whole; none if no
            sentence fits.
        """
        emphasis = self.emphasis(draft, steering)
        for lists_only in (False, True):
            closures = self._closures(draft.document, steering, lists_only)
            pieces = self.magnifier.assemble(
                prepared, length, weights=weights, boosts=emphasis, closures=closures, asked=steering.asked
            )
            if pieces:
                return pieces
        return []

    def sentences(
        self, draft: Summary, pieces: Sequence[MagnifiedSentence], steering: Steering
    ) -> tuple[SummarySentence, ...]:
        """Return the sentences that were assembled from a prototype, with their origins, without cut connectives."""
        written = {sentence.text: sentence for sentence in draft.sentences if sentence.operation == "generated"}
        return tuple(_explain(draft.document, pieces, written, self._closures(draft.document, steering)))

    def _closures(self, document: Document, steering: Steering, lists_only: bool = False) -> Closures | None:
        """Return the closures of the sentences; None where they are taken one by one."""
        if not self.magnifier.config.standalone:
            return None
        return Closures(document, whole_sentences=steering.whole_sentences, lists_only=lists_only)

    def emphasis(self, draft: Summary, steering: Steering) -> Ratings | None:
        """Return factors of attention: the highlights, or the ratings of the first stage, which include them."""
        rated = self.magnifier.config.prior == "ratings" and draft.ratings is not None
        return draft.ratings if rated else steering.emphasis

    def _nothing_fits(self, document: Document, prepared: PreparedDocument, limit: int, unit: Unit) -> BudgetError:
        fills = self.magnifier.config.fill
        least, quality = GOOD if fills else WEAK, qualities(document)
        lengths: list[int] = [
            length
            for length, sentence in zip(prepared.lengths.tolist(), prepared.prototype, strict=True)
            if sentence.source is None or quality[sentence.source] >= least
        ]
        if fills:
            own = zip(document.lengths_in(unit), quality, strict=True)
            lengths += [length for length, good in own if good >= GOOD]
        return nothing_fits(document, limit, lengths, unit=unit)


def _copied_only(prepared: PreparedDocument, limit: int | None) -> list[str]:
    """The notice that a long prototype was not expanded, where it would have been."""
    if prepared.expandable or limit is None or limit <= prepared.lengths.sum():
        return []
    return [
        f"With {len(prepared.document.sentences):,} sentences the input is too long for expansions to be looked "
        "for; sentences were copied only."
    ]


class _Draft:
    """A prototype as it was written, and as the magnifier takes it."""

    def __init__(self, summary: Summary, magnifier: Magnifier) -> None:
        self.summary = summary
        self.prototype = as_prototype(summary)
        self._magnifier = magnifier
        self._prepared: dict[Unit, PreparedDocument] = {}

    def prepared(self, unit: Unit) -> PreparedDocument:
        """Everything that depends on neither weights nor budget, but for the unit of the budget."""
        if unit not in self._prepared:
            self._prepared[unit] = self._magnifier.prepare(self.summary.document, self.prototype, unit)
        return self._prepared[unit]


def _prototype_of(preset: Preset, compute: Compute) -> System:
    """Return the system of the first stage. Raises PresetError or InputError, naming what the user asked for."""
    config: Config = preset.config
    try:
        first = _first_stage(preset)
        if preset.origin and not preset.trust and first.system == "endpoint":
            raise PresetError(f"{preset.origin} would send your documents to {first.name}; --trust lets it.")
        options = {f"decoding.{key}": value for key, value in table_of(config.decoding).items()}
        if options and not first.reads("decoding"):
            raise PresetError(f"No network writes it, so {', '.join(options)} would have no effect; leave that out.")
        return load_with(_beside(preset, config.prototype), options, preset.trust, compute)
    except NutgrafError as error:
        kind = InputError if isinstance(error, InputError) else PresetError
        raise kind(f"The prototype of {preset.name!r}, {config.prototype!r}, cannot be used. {error}") from None


def _first_stage(preset: Preset) -> Preset:
    """Return the preset of the prototype. Raises PresetError if prototypes of prototypes lead back to one of them."""
    stages, seen = [preset], set()
    while stages[-1].system == preset.system:
        last = stages[-1]
        name = last.options("prototype")
        if (last.origin or last.name, name) in seen:
            raise PresetError(f"The preset {last.name!r} is a prototype of itself.")
        seen.add((last.origin or last.name, name))
        stages.append(preset_of(_beside(last, name), (), last.trust))
    return stages[1]


def _beside(preset: Preset, name: str) -> str | Path:
    """A trained model that a preset file names is looked for beside the file, too."""
    beside = Path(preset.origin).parent / name
    return beside if preset.origin and not Path(name).is_dir() and beside.is_dir() else name


def as_prototype(draft: Summary) -> list[PrototypeSentence]:
    """Return a summary as a prototype.

    Sentences keep their place in the document; a generated one stands where its first origin does.
    """
    document = draft.document
    starts = [sentence.start for sentence in document.sentences]
    prototype = []
    for sentence in draft.sentences:
        origins = [document.parts[place.source].start + place.start for place in sentence.origins]
        place = max(0, bisect_right(starts, origins[0]) - 1) if origins else 0
        source = None if sentence.operation == "generated" else place
        prototype.append(PrototypeSentence(sentence.text, source, place))
    return prototype


def _explain(
    document: Document,
    pieces: Sequence[MagnifiedSentence],
    written: Mapping[str, SummarySentence],
    closures: Closures | None,
) -> Iterator[SummarySentence]:
    """Yield sentences with their origins; those in `written` were generated, and know their own."""
    before = None
    for piece in pieces:
        if piece.source is None:
            made = written[piece.text]
        else:
            cut = cut_behind(document, closures, before, piece.source) if closures else 0
            made = replace(copied(document, piece.source, cut), operation=piece.operation, expands=piece.expands)
        yield replace(made, rating=piece.rating, shares=piece.shares)
        before = piece.source
