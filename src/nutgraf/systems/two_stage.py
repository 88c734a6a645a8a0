"""A prototype by any system, then the magnifier: MLS and its kin (Sarkhel et al. 2020)."""

from __future__ import annotations

from collections.abc import Iterable

from nutgraf.dataset import Record
from nutgraf.errors import BudgetError, PresetError
from nutgraf.extractive import Ratings
from nutgraf.extractive._select import nothing_fits
from nutgraf.magnifier.kernels import Kernel, kernels
from nutgraf.magnifier.magnifier import Config, Magnifier, Piece, PrototypeSentence
from nutgraf.presets import Preset, configure
from nutgraf.systems import System, load
from nutgraf.systems._explain import carried, extractor_of, key_phrases, origin, seeded
from nutgraf.systems._steer import Steering
from nutgraf.text.document import Document, Phrase
from nutgraf.text.summary import Budget, Summary, SummarySentence
from nutgraf.text.tokenize import count_words


class TwoStage(System):
    """A preset with `system = "two_stage"`; `prototype` names the preset of the first stage."""

    sections = frozenset({"magnifier", "keyphrases"})
    words = ("prototype",)

    def __init__(self, preset: Preset) -> None:
        super().__init__(preset)
        if "prototype" not in preset.table:
            raise PresetError(f"The preset {preset.name!r} needs 'prototype', the name of the system that writes it.")
        try:
            self.prototype = load(preset.table["prototype"])
        except RecursionError:
            raise PresetError(f"The preset {preset.name!r} is a prototype of itself.") from None
        self._extractor = extractor_of(preset)
        options = preset.section("magnifier")
        heads = options.pop("kernels", {})
        if not isinstance(heads, dict) or not heads or not all(isinstance(head, dict) for head in heads.values()):
            raise PresetError("[magnifier] needs kernels, each a section, as [magnifier.kernels.topics].")
        made: dict[str, Kernel] = {}
        for name, section in heads.items():
            made[name] = kernels.from_section(seeded(kernels, {"kind": name, **section}, preset.seed))
        self.magnifier = Magnifier(configure(Config, options, "magnifier"), made)

    def fit(self, records: Iterable[Record]) -> None:
        """What there is to learn is learned by the prototype's system."""
        self.prototype.fit(records)

    def summarize(self, document: Document, budget: Budget, steering: Steering) -> Summary:
        """Write a prototype, then copy or expand its sentences."""
        draft = self.prototype.summarize(document, Budget(sentences=budget.sentences), steering)
        limit = budget.words_of(document)
        prototype = as_prototype(draft)
        emphasis = self.emphasis(draft, steering)
        pieces = self.magnifier(document, prototype, draft.words if limit is None else limit, emphasis)
        if not pieces:
            raise self._nothing_fits(document, prototype, limit or 0)
        phrases = key_phrases(self._extractor, document, steering)
        return Summary(
            sentences=tuple(_explain(document, piece, phrases) for piece in pieces),
            document=document,
            budget=budget,
            limit=limit,
            phrases=phrases,
            cut=draft.cut,
            notices=draft.notices,
            signature=self.signature,
        )

    def emphasis(self, draft: Summary, steering: Steering) -> Ratings | None:
        """Factors of attention: the highlights, and the first stage's ratings, in which these count already, where they
        are to count."""
        rated = self.magnifier.config.prior == "ratings" and draft.ratings is not None
        return draft.ratings if rated else steering.emphasis

    def _nothing_fits(self, document: Document, prototype: list[PrototypeSentence], limit: int) -> BudgetError:
        lengths = [count_words(sentence.text) for sentence in prototype]
        if self.magnifier.config.fill:
            lengths += [length for length, prose in zip(document.lengths, document.prose, strict=True) if prose]
        return nothing_fits(document, limit, lengths)


def as_prototype(draft: Summary) -> list[PrototypeSentence]:
    """A summary as a prototype. Its sentences keep their place in the document; a written one stands where its first
    origin does."""
    document = draft.document
    index_at = {sentence.start: index for index, sentence in enumerate(document.sentences)}
    prototype = []
    for sentence in draft.sentences:
        starts = [document.parts[place.source].start + place.start for place in sentence.origins]
        place = index_at.get(starts[0], 0) if starts else 0
        source = None if sentence.operation == "generated" else place
        prototype.append(PrototypeSentence(sentence.text, source, place))
    return prototype


def _explain(document: Document, piece: Piece, phrases: tuple[Phrase, ...]) -> SummarySentence:
    return SummarySentence(
        text=piece.text,
        operation=piece.operation,
        origins=() if piece.source is None else (origin(document, piece.source),),
        rating=piece.rating,
        shares=piece.shares,
        phrases=() if piece.source is None else carried(phrases, document, piece.source),
        expands=piece.expands,
    )
