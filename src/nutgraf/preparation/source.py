"""A Document as a network reads it: truncated, in pieces, its key phrases located.

Liu et al., *Key Phrase Aware Transformer for Abstractive Summarization* (KPAT), Sec. 5.1 and 7.1: phrases are looked
for in what is left after truncation, and every place where one stands is highlighted. Where pieces are parts of words,
a phrase covers all pieces of its words. Between two documents of one input stands `<sep>`; it counts as one piece and
no phrase covers it. No phrase reaches across the end of a sentence. Where sentences are labelled, or alternate in their
segments, BOS stands before each and EOS behind it instead; these two count, too.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from nutgraf.keyphrases import KeyphraseExtractor, extractors
from nutgraf.preparation.candidates import Candidates
from nutgraf.preparation.labels import SELECTED, UNSELECTED, Labels, copied_spans
from nutgraf.presets import Preset
from nutgraf.presets.ranges import PositiveInt
from nutgraf.text import truncate
from nutgraf.text.abstract import only_abstract
from nutgraf.text.document import Document, Phrase, Sentence
from nutgraf.text.extractive_oracle import oracle_sentences
from nutgraf.text.highlights import find_phrases
from nutgraf.text.summary import Cut
from nutgraf.text.tokenize import Span, words
from nutgraf.tokenizers import SEP_ID, Encoding, Frame, Tokenizer

Ids = npt.NDArray[np.int64]

PAD, UNK, BOS, EOS = 0, 1, 2, 3
"""Ids of `SPECIAL_TOKENS`."""

LEARNED = "phrases.json"
"""File of what an extractor has learned, beside the tokenizer."""

LONGEST_WORD = 20
"""Pieces of a word from which on it may be cut in two: no word of a language with spaces is that long, but texts
without spaces are."""


class Place(NamedTuple):
    """Position of a phrase in a source, `end` exclusive, and its score."""

    start: int
    end: int
    score: float


class EncodedTarget(NamedTuple):
    """A target as ids: a summary between BOS and EOS, hidden spans, or BOS and a label for each token of the source.

    For a re-ranker it is several summaries one after the other, each between BOS and EOS, the reference first.

    Attributes:
        ids: Tokens within the vocabulary.
        extended: The same, where unknown words have the source's ids; PAD where nothing is to be learned.
        places: Positions, where they are not 0, 1, 2, …
    """

    ids: Ids
    extended: Ids
    places: Ids | None = None

    @property
    def length(self) -> int:
        """Number of tokens to be written, without EOS, or of labels."""
        return int(np.isin(self.extended[1:], (PAD, EOS), invert=True).sum())


@dataclass(frozen=True, eq=False)
class EncodedSource:
    """Input of a network, made from a Document.

    Attributes:
        ids: Token ids; unknown words are UNK.
        extended: The same, but unknown words have ids above the vocabulary.
        unknown: Unknown words, in the order of these ids.
        places: Places of the phrases, without duplicates.
        spans: Characters of the Document for each position, [n, 2]; a separator's span is empty.
        document: The Document with the sentences that are left.
        phrases: Phrases that were located, with their places in characters.
        cut: Passages that were cut.
        notices: Sentences for the user.
        starts: Positions at which "sentences" begin, and "sections"; a separator belongs to what follows.
    """

    ids: Ids
    extended: Ids
    unknown: tuple[str, ...]
    places: tuple[Place, ...]
    spans: Ids = field(default_factory=lambda: np.zeros((0, 2), dtype=np.int64))
    document: Document | None = None
    phrases: tuple[Phrase, ...] = ()
    cut: tuple[Cut, ...] = ()
    notices: tuple[str, ...] = ()
    starts: Mapping[str, Ids] = field(default_factory=dict)

    @property
    def sentence_starts(self) -> Ids:
        """Positions of BOS before the sentences of `document`, where they are marked."""
        return np.flatnonzero(self.ids == BOS)


LONGEST_ABSTRACT = 300
"""Words from which on a text is hardly an abstract that stands alone."""

NO_ABSTRACT = (
    "No abstract was found, so the beginning was read. This network learned from abstracts alone: about other texts it "
    "may write nonsense."
)


@dataclass(frozen=True)
class Truncation:
    """Truncation. Lengths are in tokens."""

    kind: Literal["head", "abstract", "parts", "sections"] = "head"
    """Way to cut: "head" keeps the beginning, "abstract" that of a paper's abstract (of a text without one that of the
    text), "parts" shares the length among the documents of an input, "sections" among a paper's sections."""

    source: PositiveInt = 500
    """Longest source, separators included."""

    target: PositiveInt = 300
    """Longest summary, without BOS and EOS."""

    legacy: bool = False
    """Leave no room for the separators and lose the last words to them, as the published preparation of Multi-News
    does."""

    def __post_init__(self) -> None:
        if self.legacy and self.kind != "parts":
            raise ValueError(f"legacy is a way to cut parts; the kind is {self.kind!r}.")


class Preparation:
    """Turns Documents and summaries into ids, for one tokenizer.

    Where phrases are highlighted, there is an extractor; for a tagger, there are labels, for a re-ranker candidates.
    Sentences with labels are marked, and with `marks_sentences` all others, too. What a tokenizer's frame puts around a
    source comes on top of its length.
    """

    def __init__(
        self,
        truncation: Truncation,
        tokenizer: Tokenizer,
        extractor: KeyphraseExtractor | None = None,
        labels: Labels | None = None,
        marks_sentences: bool = False,
        candidates: Candidates | None = None,
    ) -> None:
        self.truncation = truncation
        self.tokenizer = tokenizer
        self.extractor = extractor
        self.labels = labels
        self.candidates = candidates
        self._marks_sentences = marks_sentences or (labels is not None and labels.unit == "sentences")

    @classmethod
    def of(cls, preset: Preset, tokenizer: Tokenizer, learned: str | Path | None = None) -> Preparation:
        """Return what the sections [truncation], [keyphrases], [labels] and [candidates] of a preset say.

        Args:
            preset: The preset.
            tokenizer: Splits text into tokens.
            learned: Folder of a tokenizer and of what the extractor learned of the same corpus; without it the
                extractor knows nothing but the document itself.

        Raises:
            PresetError: If an option does not fit.
            UnknownName: If there is no such extractor.
            InputError: If the folder cannot be read.
        """
        truncation, chosen = preset.options("truncation"), preset.options("keyphrases")
        extractor = extractors.build(chosen) if chosen else None
        if extractor is not None and extractor.needs_fit and learned is not None:
            extractor.load(Path(learned) / LEARNED)
        labels = preset.options("labels") if preset.reads("labels") else None
        candidates = preset.options("candidates") if preset.reads("candidates") else None
        return cls(truncation, tokenizer, extractor, labels, has_interval_segments(preset), candidates)

    def source(
        self, document: Document, phrases: Iterable[Phrase] | None = None, also: Iterable[Phrase] = ()
    ) -> EncodedSource:
        """Return a Document as the network reads it.

        Args:
            document: The text.
            phrases: Phrases to take instead of the extractor's; their places are characters of the Document.
            also: Phrases to take too. Of a phrase that is given twice the last score counts.
        """
        read, outside = only_abstract(document) if self.truncation.kind == "abstract" else (document, ())
        tokenized = _TokenizedDocument(read, self.tokenizer, self._marks_sentences)
        kept, cut = self._truncate(tokenized)
        located = self._extract(kept) if phrases is None else list(phrases)
        asked = {phrase.text.casefold(): phrase for phrase in [*located, *also]}
        ids, extended, unknown, spans, begins = self._lay_out(tokenized, kept)
        places, found, notices = _locate(list(asked.values()), kept, spans)
        if self.truncation.kind == "abstract" and not outside and document.num_words > LONGEST_ABSTRACT:
            notices = (*notices, NO_ABSTRACT)
        return EncodedSource(
            ids, extended, unknown, places, spans, kept, found, (*outside, *cut), notices, _starts(kept, begins)
        )

    def target(self, sentences: Sequence[str], source: EncodedSource) -> EncodedTarget:
        """Return a summary, cut to its length, between BOS and EOS; for a tagger, the labels that the summary gives."""
        if self.labels is not None:
            labels = _ids([BOS, *self._labelled(sentences, source, self.labels)])
            return EncodedTarget(labels, labels)
        known, extended = (ids[: self.truncation.target] for ids in self._encode(sentences, source))
        begin = [BOS, *self.tokenizer.frame.before_target]
        return EncodedTarget(_ids([*begin, *known, EOS]), _ids([*begin, *extended, EOS]))

    def summaries(self, summaries: Sequence[Sequence[str]], source: EncodedSource) -> EncodedTarget:
        """Return several summaries, one after the other, each as `target` returns it."""
        encoded = [self.target(sentences, source) for sentences in summaries]
        return EncodedTarget(
            np.concatenate([one.ids for one in encoded]), np.concatenate([one.extended for one in encoded])
        )

    def _encode(self, sentences: Sequence[str], source: EncodedSource) -> tuple[Sequence[int], Sequence[int]]:
        """Return a whole summary as ids, and with the source's ids of unknown words."""
        pieces = self.tokenizer.encode(" ".join(sentences))
        above = {word: len(self.tokenizer) + rank for rank, word in enumerate(source.unknown)}
        extended = [
            above.get(text, UNK) if number == UNK else number
            for number, text in zip(pieces.ids, pieces.tokens, strict=True)
        ]
        return pieces.ids, extended

    def _labelled(self, sentences: Sequence[str], source: EncodedSource, labels: Labels) -> Sequence[int]:
        """Return a label for each position of the source; PAD for positions that have none."""
        if labels.unit == "tokens":
            chosen = copied_spans(source.extended.tolist(), self._encode(sentences, source)[1])
            return [SELECTED if one else UNSELECTED for one in chosen]
        assert source.document is not None
        summary = words(" ".join(sentences), source.document.language)
        found = {*oracle_sentences(source.document.words, summary, labels.num_sentences)}
        made = np.full(len(source.ids), PAD)
        for rank, position in enumerate(source.sentence_starts.tolist()):
            made[position] = SELECTED if rank in found else UNSELECTED
        return made.tolist()

    def oracle(self, document: Document, summary: Sequence[str]) -> list[Phrase]:
        """Return the key phrases of a summary that its Document has too; the scores' L2 norm is one."""
        text, at, sentences = "\n".join(summary), 0, []
        for sentence in summary:
            sentences.append((at, at + len(sentence)))
            at += len(sentence) + 1
        written = self._extract(Document.of(text, language=document.language, sentences=sentences))
        found, _ = find_phrases(document, [f"{phrase.text}:{phrase.score}" for phrase in written])
        norm = math.sqrt(sum(phrase.score**2 for phrase in found))
        return [replace(phrase, score=phrase.score / norm) for phrase in found]

    def beginning(self, document: Document) -> Document:
        """Return about as much of a Document as the network reads, counted in words."""
        read = only_abstract(document)[0] if self.truncation.kind == "abstract" else document
        return self._cut(read, truncate.WORDS)[0]

    def texts_of(self, document: Document, references: Iterable[Sequence[str]]) -> Iterable[str]:
        """Yield the texts of an example that a tokenizer is trained on."""
        kept = self.beginning(document)
        yield from (kept.show(sentence) for sentence in kept.sentences)
        for reference in references:
            yield " ".join(" ".join(reference).split()[: self.truncation.target])

    def _extract(self, document: Document) -> list[Phrase]:
        return self.extractor(document) if self.extractor is not None else []

    def _truncate(self, tokenized: _TokenizedDocument) -> truncate.Truncated:
        kind, total = self.truncation.kind, self.truncation.source
        kept, cut = self._cut(tokenized.document, tokenized.unit(separators=kind in ("head", "abstract")))
        if kind != "parts":
            return kept, cut
        # What separators push out: the last words with `legacy`, nothing else unless documents outnumber positions.
        kept, pushed = truncate.head(kept, total, tokenized.unit(separators=True))
        return kept, (*cut, *pushed)

    def _cut(self, document: Document, unit: truncate.Unit) -> truncate.Truncated:
        config = self.truncation
        if config.kind in ("head", "abstract"):
            return truncate.head(document, config.source, unit)
        if config.kind == "sections":
            return truncate.sections(document, config.source, unit)
        return truncate.parts(document, config.source, config.legacy, unit)

    def _lay_out(self, tokenized: _TokenizedDocument, kept: Document) -> tuple[Ids, Ids, tuple[str, ...], Ids, Ids]:
        """Return ids, extended ids, unknown words, spans of the positions, and where sentences begin."""
        ids: list[int] = []
        extended: list[int] = []
        spans: list[Span] = []
        unknown: dict[str, int] = {}
        begins: list[int] = []
        part = -1

        def mark(number: int, offset: int) -> None:
            ids.append(number)
            extended.append(number)
            spans.append((offset, offset))

        frame = self.tokenizer.frame if kept.sentences else Frame()
        for number in frame.before_source:
            mark(number, kept.sentences[0].start)
        for sentence in kept.sentences:
            begins.append(len(ids))
            before, part = part, kept.part_of(sentence.start)
            if self._marks_sentences:
                mark(BOS, sentence.start)
            elif before not in (-1, part) and self.truncation.kind != "sections":
                mark(SEP_ID, kept.parts[part].start)
            for text, number, span in tokenized.pieces(sentence):
                ids.append(number)
                spans.append(span)
                if number == UNK:
                    number = unknown.setdefault(text, len(self.tokenizer) + len(unknown))
                extended.append(number)
            if self._marks_sentences:
                mark(EOS, sentence.end)
        for number in frame.behind_source:
            mark(number, kept.sentences[-1].end)
        places = np.array(spans, dtype=np.int64).reshape(-1, 2)
        return _ids(ids), _ids(extended), tuple(unknown), places, _ids(begins)


def has_interval_segments(preset: Preset) -> bool:
    """Return True if a network that writes tells every second sentence from the others; False for a tagger.

    The table is read, not the options of the network: these need torch.
    """
    return not preset.reads("labels") and preset.section("model").get("interval_segments") is True


class _TokenizedDocument:
    """Sentences of one Document in tokens, each encoded once, and only those that are asked for.

    With `marks`, each sentence has a token before and one behind it.
    """

    def __init__(self, document: Document, tokenizer: Tokenizer, marks: bool) -> None:
        self.document = document
        self._marks = marks
        self._tokenizer = tokenizer
        self._begins = tokenizer.begins_word
        self._encoded: dict[int, Encoding] = {}
        self._reached: dict[int, list[int]] = {}

    def pieces(self, sentence: Sentence) -> Iterable[tuple[str, int, Span]]:
        """Yield tokens, ids and spans, in characters of the Document, of a sentence or of its beginning."""
        pieces, base = self._encode(sentence), sentence.start
        for text, number, (start, end) in zip(pieces.tokens, pieces.ids, pieces.spans, strict=True):
            if base + end > sentence.end:
                return
            yield text, number, (base + start, base + end)

    def unit(self, separators: bool) -> truncate.Unit:
        """Return tokens as the unit of lengths; with `separators` a part's first sentence counts one more.

        Marks of sentences, which stand in the place of separators, count in either case.
        """
        begins = {sentence.start for sentence in self._first_sentences()} if separators and not self._marks else set()

        def ends(document: Document, sentence: Sentence) -> Sequence[int]:
            pieces = [end for end in self._ends(sentence) if end <= sentence.end]
            if self._marks:
                return [sentence.start, sentence.start, *pieces]
            return [sentence.start, *pieces] if sentence.start in begins else pieces

        return truncate.Unit("pieces" if not self._begins.all() else "words", ends)

    def _first_sentences(self) -> Iterable[Sentence]:
        """Yield the first sentence of each part but the first that has any."""
        part = -1
        for sentence in self.document.sentences:
            here = self.document.part_of(sentence.start)
            if part not in (-1, here):
                yield sentence
            part = here

    def _encode(self, sentence: Sentence) -> Encoding:
        if sentence.start not in self._encoded:
            whole = self.document.sentences[
                bisect_left(self.document.sentences, sentence.start, key=lambda one: one.start)
            ]
            self._encoded[sentence.start] = self._tokenizer.encode(self.document.show(whole))
        return self._encoded[sentence.start]

    def _ends(self, sentence: Sentence) -> list[int]:
        """Return for each token the end of the last whole word, or breakable character."""
        if sentence.start not in self._reached:
            pieces = self._encode(sentence)
            ends = [sentence.start + end for _, end in pieces.spans]
            firsts = [index for index, number in enumerate(pieces.ids) if index == 0 or self._begins[number]]
            reached = sentence.start
            for first, after in zip(firsts, [*firsts[1:], len(ends)], strict=True):
                last = ends[after - 1]
                for index in range(first, after):
                    whole = ends[index] == last or after - first > LONGEST_WORD
                    if whole and (index + 1 == after or ends[index + 1] > ends[index]):
                        reached = ends[index]
                    ends[index] = reached
            self._reached[sentence.start] = ends
        return self._reached[sentence.start]


def _starts(kept: Document, begins: Ids) -> Mapping[str, Ids]:
    """Return where sentences and sections begin; each document of an input begins a section."""
    numbers = truncate.section_numbers(kept)
    places = [(kept.part_of(sentence.start), number) for sentence, number in zip(kept.sentences, numbers, strict=True)]
    first = [index for index, place in enumerate(places) if index == 0 or place != places[index - 1]]
    return {"sentences": begins, "sections": begins[first]}


def _locate(
    phrases: Sequence[Phrase], kept: Document, spans: Ids
) -> tuple[tuple[Place, ...], tuple[Phrase, ...], tuple[str, ...]]:
    """Return the positions of phrases, the phrases that have one, and a notice for each that has none.

    Phrases that lie on the same tokens are one, with the higher score.
    """
    starts, ends = spans[:, 0].tolist(), spans[:, 1].tolist()
    borders = [sentence.start for sentence in kept.sentences]
    best: dict[Span, float] = {}
    found: list[Phrase] = []
    notices: list[str] = []
    for phrase in phrases:
        inside = tuple(span for span in phrase.spans if _within(span, kept.sentences, borders))
        for start, end in inside:
            place = bisect_right(ends, start), bisect_left(starts, end)
            if place[0] < place[1]:
                best[place] = max(phrase.score, best.get(place, 0.0))
        if inside:
            found.append(Phrase(phrase.text, phrase.score, inside, phrase.forms))
        else:
            notices.append(f"The phrase {phrase.text!r} stands only in what was cut.")
    return tuple(Place(*place, best[place]) for place in sorted(best)), tuple(found), tuple(notices)


def _within(span: Span, sentences: Sequence[Sentence], borders: Sequence[int]) -> bool:
    """Return True if a span lies in one sentence."""
    index = bisect_right(borders, span[0]) - 1
    return index >= 0 and span[0] < span[1] <= sentences[index].end


def _ids(numbers: Sequence[int]) -> Ids:
    return np.array(numbers, dtype=np.int64)
