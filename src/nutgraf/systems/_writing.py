"""Systems whose sentences are written by a model that was made elsewhere, and brought to their length here.

A document that the model cannot read at once is read in windows. What was written of them is read again, until it
fits into the length asked for or into one window; several documents share the window by KPAT's quotas (`quotas` in
`nutgraf.text.truncate`). The magnifier's kernels then choose among the sentences, if they are too many. Everything is
read, nothing is cut.
"""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any, NamedTuple

import numpy as np

from nutgraf.errors import BudgetError
from nutgraf.keyphrases import KeyphraseExtractor, extractors
from nutgraf.magnifier.attention import combine
from nutgraf.magnifier.fill import fill
from nutgraf.magnifier.kernels import Kernel, kernels
from nutgraf.presets import Choice, Preset
from nutgraf.presets.ranges import Range
from nutgraf.runtime.hardware import Compute
from nutgraf.systems import System
from nutgraf.systems._addressed import notice_of_address
from nutgraf.systems._grounded import grounded
from nutgraf.systems._windows import JOINT, Window, windows
from nutgraf.systems.compose import END_MARKS, within, words_in
from nutgraf.systems.explain import key_phrases, notices_together
from nutgraf.systems.steering import Steering, too_strong
from nutgraf.text.document import Document, Phrase, join
from nutgraf.text.highlights import find_phrases
from nutgraf.text.summary import Budget, Summary, SummarySentence, counted, unprinted
from nutgraf.text.tokenize import flatten, sentence_texts, without_bullet, words
from nutgraf.text.truecasing import capitalize
from nutgraf.text.truncate import quotas
from nutgraf.text.vectors import RedundancyFilter, count_terms, tfidf

FEWEST = 60
"""Words that are asked for of a window, at least: what is too much is chosen among afterwards."""

SMALLEST = 8
"""Tokens of a window that may be asked for, at least: each window is a text that is written, or a request."""

LEAST = 64
"""Tokens of a window, at least, where the text is read again in smaller ones: about as much as a few sentences."""

ENOUGH = 0.8
"""Share of the length asked for below which the text is read again, in smaller windows."""


@dataclass(frozen=True)
class Reading:
    """Windows of a long document."""

    window: Annotated[int, Range(ge=SMALLEST)] = 4096
    """Longest stretch that is read at a time, in tokens; less where the model cannot read as much."""

    overlap: Annotated[float, Range(ge=0, le=0.5)] = 0.1
    """Share of a window that may repeat the end of the one before, in whole paragraphs."""

    redundancy_threshold: float = 0.7
    """Where sentences are chosen, none whose tf-idf cosine with a chosen one reaches this."""


@dataclass(frozen=True, kw_only=True)
class WritingConfig:
    """Sections of every preset of a model that writes and was made elsewhere."""

    reading: Reading
    """Windows of a long document."""

    kernels: Mapping[str, Choice[Kernel]] = field(default_factory=dict)
    """Kernels of the magnifier, which rate the model's sentences where they are too many, each a section of its own."""

    keyphrases: Choice[KeyphraseExtractor] | None = None
    """Extractor of the phrases that a summary shows."""


Place = tuple[int, int, float]
"""Characters of a text in which a highlight stands, and its weight."""


class Asked(NamedTuple):
    """Request for a text about one window.

    Attributes:
        document: The source.
        words: Maximum number of words; None for the model's own length.
        sentences: Maximum number of sentences.
        steering: Highlights.
    """

    document: Document

    words: int | None
    sentences: int | None
    steering: Steering

    def places(self, window: Window, phrases: Sequence[Phrase]) -> list[Place]:
        """Return where phrases of the document stand in the text of a window, with their weights."""
        weights = {phrase.text.lower(): phrase.score for phrase in phrases}
        return [
            (*place, weights.get(phrase.text.lower(), phrase.score))
            for phrase in self.found(window.document, phrases)
            for place in window.places(phrase.spans)
        ]

    def found(self, document: Document, phrases: Sequence[Phrase]) -> Sequence[Phrase]:
        """Return phrases as they stand in the document, or in what was written of it."""
        if document is self.document or not phrases:
            return phrases
        return find_phrases(document, [phrase.text for phrase in phrases])[0]


class Written(NamedTuple):
    """A text that a model wrote.

    Attributes:
        text: The text.
        complete: True if the model ended it by itself.
    """

    text: str
    complete: bool


class WritingSystem(System):
    """A system whose model reads windows and writes texts."""

    def __init__(self, preset: Preset, compute: Compute = Compute()) -> None:
        super().__init__(preset, compute)
        config: Any = preset.config
        self._reading: Reading = config.reading
        self._extractor: KeyphraseExtractor | None = extractors.build(config.keyphrases) if config.keyphrases else None
        self._kernels = {name: kernels.build(one) for name, one in config.kernels.items()}

    @property
    def writes(self) -> bool:
        """True: a model writes the sentences."""
        return True

    @abstractmethod
    def room(self, asked: Asked) -> int:
        """Return how many tokens of a text the model reads at a time.

        Raises:
            InputError: If there is room for none beside the prompt.
        """

    @abstractmethod
    def count(self, text: str) -> int:
        """Return the number of tokens of a text."""

    @abstractmethod
    def write(self, window: Window, asked: Asked) -> list[Written]:
        """Return texts about a window, best first."""

    def notices(self, steering: Steering) -> Iterator[str]:
        """Yield further sentences for the user."""
        return iter(())

    def strength(self, steering: Steering) -> str | None:
        """Return what says how strongly highlights act inside the model; None if they do not act there."""
        return None

    def summarize(self, document: Document, budget: Budget, steering: Steering) -> Summary:
        """Read everything, write, and keep what fits."""
        writing = _Writing(self, self._reading, document, budget, steering)
        texts = writing.texts()
        sentences = self._fitting(grounded(texts, document), document, budget, steering)
        return Summary(
            sentences=tuple(sentences),
            document=document,
            budget=budget,
            limit=budget.words_of(document),
            find_phrases=partial(key_phrases, self._extractor, document, steering),
            notices=tuple(
                dict.fromkeys(
                    [
                        *document.notices,
                        *notices_together(document),
                        *steering.notices,
                        *self.notices(steering),
                        *writing.notices(),
                        *self._unmet(sentences, budget, steering, writing.unended),
                        *notice_of_address(one.text for one in sentences),
                    ]
                )
            ),
            signature=self.signature,
        )

    def _unmet(
        self, sentences: Sequence[SummarySentence], budget: Budget, steering: Steering, unended: bool
    ) -> Iterator[str]:
        """Yield that there are fewer sentences than were asked for, or none, and what would do."""
        if not sentences:
            strength = self.strength(steering)
            missing = "ended no sentence before the length that it may write was used up, so nothing was kept"
            advice = " Ask for more words." if unended else ""
            why = advice if strength is None else too_strong(steering, strength)
            yield f"The model {missing if unended else 'wrote nothing'}.{why}"
        elif len(sentences) < (budget.sentences or 0):
            written = f"{len(sentences)} sentence{'' if len(sentences) == 1 else 's'}"
            yield f"The model wrote {written}; {budget.sentences} were asked for."

    def _fitting(
        self, sentences: Sequence[SummarySentence], document: Document, budget: Budget, steering: Steering
    ) -> list[SummarySentence]:
        """Return the sentences that the length has room for; where that is not all, the best of them."""
        limit = budget.limit_of(document)
        if limit is None:
            return within(sentences, most=budget.sentences)
        lengths = [document.length_of(one.text, budget.unit) for one in sentences]
        if sum(lengths) <= limit:
            return list(sentences)
        if min(lengths) > limit:
            beyond = unprinted(document) if budget.unit == "characters" else 0
            smallest = min(lengths) - beyond
            raise BudgetError(
                f"No sentence fits into {counted(limit - beyond, budget.unit)}: the shortest that the model wrote has "
                f"{smallest}. Ask for {smallest} {budget.unit} or more.",
                smallest,
            )
        return self._best(sentences, lengths, limit, document, steering)

    def _best(
        self,
        sentences: Sequence[SummarySentence],
        lengths: Sequence[int],
        limit: int,
        document: Document,
        steering: Steering,
    ) -> list[SummarySentence]:
        """Return sentences, by attention, that bring the summary as close below its limit as possible."""
        said = [words(one.text, document.language) for one in sentences]
        values = {name: kernel(document)(said) for name, kernel in self._kernels.items()}
        index_at = {sentence.start: index for index, sentence in enumerate(document.sentences)}
        starts = [[document.parts[at.source].start + at.start for at in one.origins] for one in sentences]
        boosts = None
        if (emphasis := steering.emphasis) is not None:  # that of the best emphasized of its origins
            found = [[float(emphasis[index_at[start]]) for start in each] for each in starts]
            boosts = np.array([max(each, default=1.0) for each in found])
        attention = combine(values, {name: kernel.weight for name, kernel in self._kernels.items()}, boosts)
        order = np.argsort(-attention.weights, kind="stable").tolist()
        repeated = RedundancyFilter(tfidf(count_terms(document.terms_of(said))), self._reading.redundancy_threshold)
        taken = fill(order, lengths, limit, repeated.repeats, repeated.add, shortest=1)
        return [sentences[index] for index in sorted(taken)]


class _Writing:
    """One summary: a document is read in windows, and what was written of them again."""

    def __init__(
        self, system: WritingSystem, reading: Reading, document: Document, budget: Budget, steering: Steering
    ) -> None:
        self._system, self._reading = system, reading
        self._document, self._steering = document, steering
        self._sentences = budget.sentences
        in_words = budget.characters is None
        limit = budget.words_of(document) if in_words else words_in(document, budget.characters or 0)
        self._short = limit is not None and limit > document.num_words
        self._limit = document.num_words if self._short else limit
        self._room = min(reading.window, system.room(Asked(document, self._limit, self._sentences, steering)))
        self._rounds: list[int] = []
        self._cut: list[str] = []
        self.unended = False
        """The model wrote some text of which no sentence was whole."""
        self._cleaned = False

    def texts(self) -> list[str]:
        """Return the sentences that were written last."""
        sizes = self._sizes(self._document)
        made = self._first(sizes)
        while self._rounds[-1] > 1 and (self._limit is None or self._words(made) > self._limit):
            made = [part for part in made if part]
            language = self._document.language
            document = join([Document.of("\n".join(part), language=language) for part in made] or [self._document])
            sizes = self._sizes(document)
            again, count = self._round(document, self._room, sizes, made)
            least = 0 if self._limit is None else self._limit - 1  # words that a further round must leave
            if not least < self._words(again) < self._words(made):
                break
            made = again
            self._rounds.append(count)
        return list(dict.fromkeys(text for part in made for text in part))

    def notices(self) -> Iterator[str]:
        """Yield that the document is short, highlights that were cut, and how often it was read if more than once."""
        if self._short:
            has = counted(self._document.num_words, "words")
            yield f"The source has only {has}, fewer than were asked for; the summary is as long as the model made it."
        yield from self._cut
        if self._cleaned:
            yield "Control characters and sequences for terminals were taken out of what the model wrote."
        if self._rounds[0] > 1:
            again = [f"what was written of them in {count}" for count in self._rounds[1:]]
            told = ", then ".join([f"the text in {self._rounds[0]} windows", *again])
            yield f"The model read {told}; no part was left out."

    def _first(self, sizes: Sequence[int]) -> list[list[str]]:
        """Return what is written of the source; in smaller windows where that is too short for the length asked for."""
        made, count = self._round(self._document, self._room, sizes)
        self._rounds.append(count)
        words, limit = self._words(made), self._limit or 0
        if 0 < words < ENOUGH * limit and not self._short:
            read = min(self._room, sum(sizes))
            room = max(LEAST, read * words // limit)
            if room >= read:
                return made
            cut = self._cut
            longer, count = self._round(self._document, room, sizes)
            if self._words(longer) > words:
                self._rounds = [count]
                return longer
            self._cut = cut
        return made

    def _round(
        self, document: Document, room: int, sizes: Sequence[int], made: Sequence[list[str]] = ()
    ) -> tuple[list[list[str]], int]:
        """Write about each part of a document, or of all if one window holds them; a part within its quota stays."""
        spans = [(part.start, part.end) for part in document.parts]
        asked = Asked(self._document, None, self._sentences, self._steering)
        phrases = asked.found(document, self._steering.phrases)
        whole = [span for phrase in phrases for span in phrase.spans]
        overlap = int(self._reading.overlap * room)
        divided = partial(windows, document, room=room, overlap=overlap, count=self._system.count, whole=whole)
        if sum(sizes) <= room:
            read = [divided(spans)]
        else:
            allowed = quotas(sizes, room) if made else [0] * len(sizes)
            read = [
                divided([span]) if size > quota else [] for span, size, quota in zip(spans, sizes, allowed, strict=True)
            ]
        count = sum(map(len, read))
        words = None if self._limit is None else max(FEWEST if count > 1 else 0, -(-self._limit // max(1, count)))
        if not made:
            self._cut = list(_cut(phrases, [span for part in read for window in part for span in window.spans]))
        asked = asked._replace(words=words)
        written = [[text for window in part for text in self._sentences_of(window, asked)] for part in read]
        return [
            new if part else made[index] for index, (new, part) in enumerate(zip(written, read, strict=True))
        ], count

    def _sentences_of(self, window: Window, asked: Asked) -> list[str]:
        """Return the whole sentences that are written about a window; the best text of which one fits, if any does."""
        written = list(self._system.write(window, asked))
        found = [_whole(one, self._document.language, self._limit is None) for one in written]
        self._cleaned |= any("".join(one.text.split()) != "".join(flatten(one.text).split()) for one in written)
        self.unended |= any(one.text.strip() and not whole for one, whole in zip(written, found, strict=True))
        limit = self._limit
        fits = (one for one in found if limit is None or any(self._document.length_of(text) <= limit for text in one))
        return next(filter(None, fits), found[0] if found else [])

    def _sizes(self, document: Document) -> list[int]:
        """Number of tokens of each part, with what stands between lines."""
        count = self._system.count
        return [sum(count(line) + JOINT for line in document.show(part).splitlines()) for part in document.parts]

    def _words(self, made: Sequence[Sequence[str]]) -> int:
        return sum(self._document.length_of(text) for part in made for text in part)


def _cut(phrases: Sequence[Phrase], spans: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Yield a notice for each highlight that does not stand whole in what is read at a time."""
    read = sorted(set(spans))
    starts = [start for start, _ in read]
    for phrase in phrases:
        held = [read[max(0, bisect_right(starts, start) - 1)] for start, _ in phrase.spans]
        cut = sum(end > last for (_, end), (_, last) in zip(phrase.spans, held, strict=True))
        if cut:
            yield (
                f"The border of a window cuts the highlight {phrase.text!r} in {cut} of the {len(phrase.spans)} places "
                "where it stands, since it is longer than what is read at a time; there it does not steer."
            )


def _whole(written: Written, language: str, trails_off: bool) -> list[str]:
    """Return the sentences of a text without the last one if it was broken off; a single one trails off if it may."""
    texts = [without_bullet(flatten(text)) for text in sentence_texts(written.text, language)]
    texts = [capitalize(text) for text in texts if text]
    if written.complete or not texts or texts[-1].endswith(END_MARKS):
        return texts
    return [f"{texts[0]}…"] if trails_off and len(texts) == 1 else texts[:-1]
