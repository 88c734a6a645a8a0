"""Summary, Budget, Origin: the text, and why every sentence and every word is there."""

from __future__ import annotations

import html
import itertools
import json
import operator
import re
import reprlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from nutgraf.errors import BudgetError, InputError, check_type, type_name
from nutgraf.runtime.metadata import Count, load
from nutgraf.text.document import Document, Phrase, Unit
from nutgraf.text.effect import Effect, times_said
from nutgraf.text.flag import Flag
from nutgraf.text.genre import Genre
from nutgraf.text.times import Time
from nutgraf.text.tokenize import UNSPACED_LANGUAGES, count_words, flatten, gap, joined, tokens

SCHEMA = "nutgraf.summary/1"

Operation = Literal["copied", "expanded", "filled", "generated"]


UNUSED = 0.15
"""Share of a length asked for that stays empty rather than be filled with weak sentences."""

LONGEST_SUMMARY = 10**9
"""Largest number of words or sentences that may be asked for."""

LONGEST_SHARE = 100
"""Maximum number of characters in a share."""

_LARGE_EXPONENT = re.compile(r"e[-+]?[\d_]{4,}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Budget:
    """Length of a summary: in words, in sentences, in characters, or as a share of the input's words.

    By default it is the system's natural length.

    Attributes:
        words: Maximum number of words.
        sentences: Maximum number of sentences.
        share: Maximum share of the input's words.
        characters: Maximum number of characters of the printed text, the white space between sentences included.

    Raises:
        BudgetError: If no summary can have this length.
    """

    words: int | None = None
    sentences: int | None = None
    share: Fraction | None = None
    characters: int | None = None

    def __post_init__(self) -> None:
        given = [name for name in ("words", "sentences", "share", "characters") if getattr(self, name) is not None]
        if len(given) > 1:
            raise BudgetError(f"A summary has one length, but {' and '.join(given)} were given; give one of them.")
        for name in set(given) - {"share"}:
            value = _whole_number(getattr(self, name), name)
            object.__setattr__(self, name, value)  # an integer of NumPy becomes one of Python, which JSON knows
            if value < 1:
                raise BudgetError(f"A summary cannot have {value} {name}; ask for 1 or more.")
            if value > LONGEST_SUMMARY:
                raise BudgetError(f"A summary of more than {LONGEST_SUMMARY:,} {name} is longer than any text.")
        if self.share is not None and not isinstance(self.share, Fraction):
            raise BudgetError(
                f"The share of a budget is a Fraction, not {type_name(self.share)}; Budget.of takes others."
            )
        if self.share is not None and not 0 < self.share <= 1:
            raise BudgetError(f"A share lies above 0 and is at most 1, as in 1/8; {self.share} does not.")

    @classmethod
    def of(
        cls,
        words: int | None = None,
        sentences: int | None = None,
        share: str | float | None = None,
        characters: int | None = None,
    ) -> Budget:
        """Make a budget from what people write; `share` may be "1/8", "12.5%" or 0.125."""
        return cls(words, sentences, None if share is None else parse_share(share), characters)

    @property
    def unit(self) -> Unit:
        """Unit of the maximum length."""
        return "words" if self.characters is None else "characters"

    def limit_of(self, document: Document) -> int | None:
        """Maximum length of a summary of sentences of `document`, counted as `Document.lengths_in` counts them.

        None if neither words nor characters are limited. Characters include the white space after the last sentence,
        which is not printed.
        """
        if self.characters is None:
            return self.words_of(document)
        return self.characters + unprinted(document)

    def with_length(self, length: int) -> Budget:
        """Return a budget of another length in the same unit."""
        return Budget(words=length) if self.characters is None else Budget(characters=length)

    def words_of(self, document: Document) -> int | None:
        """Maximum number of words of a summary of `document`: floor(share · N) for a share.

        None if words are not limited.
        """
        if self.share is not None:
            return int(self.share * document.num_words)
        return self.words

    def __str__(self) -> str:
        if self.words is not None:
            return f"{self.words} words"
        if self.characters is not None:
            return f"{self.characters} character{'' if self.characters == 1 else 's'}"
        if self.sentences is not None:
            return f"{self.sentences} sentence{'' if self.sentences == 1 else 's'}"
        return f"{self.share} of the input" if self.share is not None else "natural length"


def counted(length: int, unit: Unit) -> str:
    """Return a length with its unit: "1 word", "60 characters"."""
    return f"{length} {unit if length != 1 else unit[:-1]}"


def unprinted(document: Document) -> int:
    """Number of characters after a sentence of `document` that are counted, but not printed after the last one."""
    return min((len(gap(sentence)) for sentence in document.printed), default=0)


def _whole_number(value: Any, unit: str) -> int:
    """Return a number of words, sentences or characters. Raises BudgetError if it is not a whole number."""
    try:
        if not isinstance(value, bool):
            return operator.index(value)
    except TypeError:
        pass
    raise BudgetError(f"{unit} is a whole number from 1 on, not {reprlib.repr(value)}.")


def parse_share(text: str | float) -> Fraction:
    """Parse 1/8, 0.125 or 12.5%.

    Raises:
        BudgetError: If the text is anything else.
    """
    written = str(text).strip()
    try:
        if len(written) > LONGEST_SHARE or _LARGE_EXPONENT.search(written):
            raise ValueError("a fraction of so many digits takes all memory")
        if "_" in written:
            raise ValueError("only Python writes numbers so")
        if written.endswith("%"):
            return Fraction(written[:-1]) / 100
        return Fraction(written)
    except (ValueError, ZeroDivisionError) as error:
        raise BudgetError(f"{written!r} is not a share; write it as 1/8, 0.125 or 12.5%.") from error


@dataclass(frozen=True, slots=True)
class Origin:
    """Source of a part of a summary.

    Attributes:
        source: Index of the input document.
        start: First character in that document's text.
        end: Character after the last one.
        page: Page number from 1, for formats with pages.
        time: When it is said, in captions, transcripts and chats: seconds from the beginning, or a date and time, or a
            time of day, by ISO 8601.
    """

    source: int
    start: int
    end: int
    page: int | None = None
    time: Time | None = None


@dataclass(frozen=True, slots=True)
class SummaryWord:
    """A word or mark that a network wrote.

    Attributes:
        text: The word.
        start: Its beginning, in characters of its sentence.
        operation: "copied" if most of its probability came from copying, or if the same word stands in an origin of its
            sentence (for a pretrained model), else "generated".
        origin: Place that it was copied from; None for a generated word.
        probability: Probability that the network gave it; None for a model that was not asked.
        p_copy: Probability of copying before the word was known; None for a network that never copies.
    """

    text: str
    start: int
    operation: Literal["copied", "generated"]
    origin: Origin | None = None
    probability: float | None = 1.0
    p_copy: float | None = None


@dataclass(frozen=True, slots=True)
class OmittedPiece:
    """A piece of a sentence that was left out in a summary.

    Attributes:
        text: The piece, with the marks that go with it.
        kind: What it is: "relative" clause, "apposition" and so on; see `nutgraf.prose.shortening.KINDS`.
        place: Where it stood, in characters of the summary's sentence.
        origin: Where it stands in the input.
    """

    text: str
    kind: str
    place: int
    origin: Origin


@dataclass(frozen=True, slots=True)
class SummarySentence:
    """A sentence of a summary, with the reasons why it was chosen.

    Attributes:
        text: The sentence.
        operation: "copied" from the input or the prototype, "expanded" from a sentence of the prototype, "filled" in
            because it fitted the budget, or "generated" word by word.
        origins: Sentences of the input from which it was made; of a generated one, those from which most was copied.
        rating: What it is worth by itself, the higher the better; comparable within one summary only. The scale is the
            system's: what its method rates sentences by; the attention, from 0 to 1, of the magnifier; the geometric
            mean of the words' probabilities, from 0 to 1, of a network; the share of its weight that its origins bear
            out, from 0 to 1, of a pretrained model.
        shares: Contribution of each part of the system to the rating (for the magnifier: of each kernel), by name.
        expands: Sentence of the prototype that it expands.
        words: Words and punctuation of a generated sentence, in order.
        speaker: Who says it in a transcript; None if nobody does, or if it is not known.
        reasons: Why it was chosen, in words for the reader, for systems that say so.
        flags: What the sources do not bear out of a generated sentence, by the rules of `nutgraf.check`, with offsets
            in the sentence; () for one that stands in them.
        connective: What was left out at its beginning, since it points to a sentence that is not in the summary
            ("However,"); its origin begins behind it.
        left_out: Pieces that were left out of a sentence that was shortened, in order; its origins are what was kept.
    """

    text: str
    operation: Operation
    origins: tuple[Origin, ...]
    rating: float = 0.0
    shares: Mapping[str, float] = field(default_factory=dict, hash=False)
    expands: str | None = None
    words: tuple[SummaryWord, ...] = ()
    speaker: str | None = None
    reasons: tuple[str, ...] = ()
    flags: tuple[Flag, ...] = ()
    connective: str = ""
    left_out: tuple[OmittedPiece, ...] = ()

    @property
    def time(self) -> Time | None:
        """When it is said, in captions, transcripts and chats; None for a sentence that a network wrote."""
        return self.origins[0].time if self.origins and self.operation != "generated" else None

    @property
    def shortened(self) -> str:
        """Return what was left out of it, in words for the reader; "" if nothing was."""
        told = [f"“{one.text}”" for one in self.left_out]
        if self.connective:
            told.insert(0, f"“{self.connective}” at its beginning, which points to a sentence that is not here")
        return f"without {'; without '.join(told)}" if told else ""


@dataclass(frozen=True, slots=True)
class Cut:
    """A passage of the input that was cut before summarizing.

    Attributes:
        source: Index of the input document.
        start: First character in that document's text.
        end: Character after the last one.
        words: Number of words.
        rule: The rule by which it was cut.
    """

    source: int
    start: int
    end: int
    words: int
    rule: str


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer of a text to a question: the sentence that gives it.

    Attributes:
        question: The question.
        kind: What it asks for: "number", "person", "date", "place", "reason", "way", "yes_no", "list" or "thing".
        answered: True if the text answers it, as far as can be told.
        sentence: The sentence that answers, or that comes closest to an answer; "" for none.
        origins: Where it stands.
        score: Probability, from 0 to 1, that the sentence answers.
        context: Sentences that it leans on, in the order of the text.
    """

    question: str
    kind: str
    answered: bool
    sentence: str = ""
    origins: tuple[Origin, ...] = ()
    score: float = 0.0
    context: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the answer as JSON values."""
        places = [origin_to_json(origin) for origin in self.origins]
        return {**asdict(self), "origins": places, "context": list(self.context), "score": round(self.score, 4)}


RATING = "what each sentence is worth by itself, the higher the better, on a scale of the system's own"
"""What a rating is, for whoever sees one."""


@dataclass(frozen=True)
class _WrittenBudget:
    words: Count | None
    sentences: Count | None
    share: str | None
    characters: Count | None = None


@dataclass(frozen=True)
class _WrittenSource:
    characters: Count


@dataclass(frozen=True)
class _WrittenPhrase:
    text: str
    score: float
    places: tuple[Origin, ...]
    forms: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Written:
    """The JSON of a summary, as far as `Summary.loads` needs it."""

    schema: Literal["nutgraf.summary/1"]
    budget: _WrittenBudget
    sources: tuple[_WrittenSource, ...]
    sentences: tuple[SummarySentence, ...]
    phrases: tuple[_WrittenPhrase, ...]
    cut: tuple[Cut, ...]
    notices: tuple[str, ...]
    signature: str
    genre: Genre | None = None
    highlights: tuple[str, ...] = ()
    effect: Effect | None = None
    prompt: str = ""
    desired_length: Count | None = None
    answer: Answer | None = None
    excluded: dict[str, Count] = field(default_factory=dict)


@dataclass(frozen=True)
class Summary:
    """A summary with the reasons for each sentence; `str(summary)` is the text.

    Attributes:
        sentences: Its sentences, in order.
        document: The whole input; several documents are its parts.
        budget: The length that was asked for.
        signature: The system that made it, its version, a hash of its options, and the seed.
        limit: Maximum number of words; None if words were not limited.
        find_phrases: Finds the key phrases of the input; called when they are asked for.
        cut: Passages of the input that were cut before summarizing.
        find_excluded: Counts the sentences of the input that were left out because they are not prose; called when the
            counts are asked for.
        notices: Sentences for the user about what was odd.
        genre: Genre as which the text was summarized (`nutgraf.text.genre`), for a system that has a method for each.
        ratings: Ratings of the input's sentences, the higher the better, if the system rates them all.
        highlights: Phrases that the user asked to see more of and that occur in the input.
        prompt: The prompt of a language model, with {text} in place of the source; "" for any other system.
        effect: Effect of the highlights; None where none of them occurs.
        desired_length: Length in tokens that the network was told to write; None for one that is told none.
        answer: The answer to the question that was asked; None where none was.
    """

    sentences: tuple[SummarySentence, ...]
    document: Document
    budget: Budget
    signature: str
    limit: int | None = None
    find_phrases: Callable[[], Sequence[Phrase]] = field(default=tuple, compare=False, repr=False)
    cut: tuple[Cut, ...] = ()
    find_excluded: Callable[[], Mapping[str, int]] = field(default=dict, compare=False, repr=False)
    notices: tuple[str, ...] = ()
    genre: Genre | None = None
    ratings: npt.NDArray[np.float64] | None = field(default=None, compare=False, repr=False)
    highlights: tuple[str, ...] = ()
    prompt: str = ""
    effect: Effect | None = None
    desired_length: int | None = None
    answer: Answer | None = None

    @cached_property
    def phrases(self) -> tuple[Phrase, ...]:
        """Key phrases of the input: the highlights first, then others by score."""
        return tuple(self.find_phrases())

    @cached_property
    def excluded(self) -> dict[str, int]:
        """Number of sentences of the input that were left out because they are not prose, by kind.

        A kind is the reason in `nutgraf.prose.judgements`. Only systems that copy sentences leave any out.
        """
        return dict(self.find_excluded())

    def phrases_in(self, sentence: SummarySentence) -> tuple[str, ...]:
        """Key phrases whose words stand in a sentence, in one of their forms."""
        check_type(sentence, SummarySentence, "phrases_in takes a SummarySentence")
        words = _spaced(sentence.text)
        return tuple(one.text for one in self.phrases if any(_spaced(form) in words for form in one.wordings))

    @property
    def unused(self) -> tuple[str, ...]:
        """Names of the documents that no sentence comes from, where others have some."""
        used = {origin.source for sentence in self.sentences for origin in sentence.origins}
        return tuple(part.name for index, part in enumerate(self.document.parts) if used and index not in used)

    def mentions(self, phrase: Phrase) -> bool:
        """Return True if the words of a phrase stand in a sentence, in one of its forms."""
        check_type(phrase, Phrase, "mentions takes a Phrase")
        return times_said(phrase, self.said) > 0

    @property
    def said(self) -> tuple[str, ...]:
        """Texts of the sentences."""
        return tuple(sentence.text for sentence in self.sentences)

    @property
    def text(self) -> str:
        """The summary as one paragraph.

        That of a transcript has a line for each speaker and time, which begins with these.
        """
        return "\n".join(joined(label + sentence.text for label, sentence in line) for line in self.lines)

    @property
    def lines(self) -> Iterator[list[tuple[str, SummarySentence]]]:
        """Sentences of the same speaker and time in a row, each with what precedes it: the first with both."""
        for label, sentences in itertools.groupby(self.sentences, key=self._label):
            labels = itertools.chain([label], itertools.repeat(""))
            yield list(zip(labels, sentences, strict=False))

    def _label(self, sentence: SummarySentence) -> str:
        return self.document.label_of(sentence.speaker, sentence.time)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        """Show the beginning and the end of the summary, and of the input, which may be confidential, only its size."""
        return f"Summary({reprlib.repr(self.text)}, sentences={len(self.sentences)}, document={self.document!r})"

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.sentences)

    def __iter__(self) -> Iterator[SummarySentence]:
        """Iterate over the sentences."""
        return iter(self.sentences)

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the sentences, each with its origins on hover."""
        shown = "<br>".join(
            "".join(self._span(*one) + gap(one[1].text) for one in line).rstrip(" ") for line in self.lines
        )
        return f"<p>{shown}</p>"

    def _span(self, label: str, sentence: SummarySentence) -> str:
        places = html.escape(", ".join(self.place(origin) for origin in sentence.origins))
        return f'{html.escape(label)}<span title="{places}">{html.escape(sentence.text)}</span>'

    def place(self, origin: Origin) -> str:
        """Return a place in the sources in words: the document's name, the page, the time, and the characters."""
        check_type(origin, Origin, "place takes an Origin")
        name = flatten(self.document.parts[origin.source].name) or "text"
        return f"{name}{self.where(origin)}, {origin.start}–{origin.end}"

    def where(self, origin: Origin) -> str:
        """Return the page and the time of a place, each after a comma; "" if it has neither."""
        page = "" if origin.page is None else f", page {origin.page}"
        return page if origin.time is None else f"{page}, {self.document.time_in_words(origin.time)}"

    @property
    def words(self) -> int:
        """Number of words, as `wc -w` counts them; see `count_words` for languages without spaces."""
        language = self.document.language
        if language not in UNSPACED_LANGUAGES:
            return count_words(self.text)
        return sum(count_words(label + sentence.text, language) for line in self.lines for label, sentence in line)

    @property
    def length(self) -> int:
        """Length in the unit of the budget: number of characters of a budget in characters, else number of words."""
        return self.words if self.budget.characters is None else len(self.text)

    @property
    def asked(self) -> int:
        """Length asked for, in sentences or in the unit of the budget; 0 for the natural length."""
        return self.budget.sentences or self.budget.characters or self.limit or 0

    @property
    def used(self) -> int:
        """Length in the unit of `asked`."""
        return self.length if self.budget.sentences is None else len(self.sentences)

    @property
    def underused(self) -> bool:
        """True if more of the length asked for stays empty than may for want of good prose."""
        return self.used < (1 - (UNUSED if self.budget.sentences is None else 0)) * self.asked

    @property
    def saved(self) -> int:
        """Length, in the unit of the budget, that naming speaker and time before every sentence would add."""
        language, in_words = self.document.language, self.budget.characters is None
        named = [self._label(sentence) for sentence in self.sentences]
        printed = [label for line in self.lines for label, _ in line]

        def length(labels: list[str]) -> int:
            return sum(count_words(label, language) if in_words else len(label) for label in labels)

        return length(named) - length(printed)

    def to_json(self, signals: SourceSignals | None = None) -> dict[str, Any]:
        """Return everything but the input's text as JSON values, in the schema `nutgraf.summary/1`.

        Args:
            signals: Signals of the source words, to be included.
        """
        check_type(signals, (SourceSignals, type(None)), "Signals are a SourceSignals record or None")
        read = {} if signals is None else {"signals": signals.to_json()}
        return {
            "schema": SCHEMA,
            "text": self.text,
            "words": self.words,
            "budget": {
                "asked": str(self.budget),
                "words": self.limit,
                "sentences": self.budget.sentences,
                "characters": self.budget.characters,
                "share": None if self.budget.share is None else str(self.budget.share),
                "underused": self.underused,
            },
            "sources": [
                {"name": part.name, "characters": part.end - part.start, "published": moment or None}
                for part, moment in zip(self.document.parts, self.document.moments, strict=True)
            ],
            "language": self.document.language,
            "genre": self.genre,
            "sentences": [sentence_to_json(sentence, self.phrases_in(sentence)) for sentence in self.sentences],
            "highlights": list(self.highlights),
            "phrases": [phrase_to_json(self.document, phrase) for phrase in self.phrases],
            "cut": [asdict(cut) for cut in self.cut],
            "excluded": self.excluded,
            "notices": list(self.notices),
            "signature": self.signature,
            **({} if self.effect is None else {"effect": self.effect.to_json(self.said)}),
            **({"prompt": self.prompt} if self.prompt else {}),
            **({} if self.desired_length is None else {"desired_length": self.desired_length}),
            **({} if self.answer is None else {"answer": self.answer.to_json()}),
            **read,
        }

    def dumps(self, signals: SourceSignals | None = None) -> str:
        """Return the summary as JSON text; see `to_json`."""
        return json.dumps(self.to_json(signals), ensure_ascii=False, indent=2)

    @classmethod
    def loads(cls, text: str, document: Document) -> Summary:
        """Return the summary that `dumps` wrote.

        Args:
            text: The JSON.
            document: The input of the summary, whose text the JSON does not hold.

        Raises:
            InputError: If the JSON is not that of a summary, or of another document.
        """
        check_type(document, Document, "A summary is read with the Document that it was made of")
        try:
            return _summary_of(load(text, _Written), document)
        except (ValueError, TypeError, BudgetError) as error:
            raise InputError(f"This is not the JSON of a summary: {str(error).removesuffix('.')}.") from error


@dataclass(frozen=True, eq=False)
class Attention:
    """Self-attention of the encoder within a stretch of the source.

    Attributes:
        words: Token at each position of the stretch.
        weights: Attention weights, [layers, heads, query, key]; over all `positions` of the source a row sums to one.
        positions: Length of the source.
        phrases: Start and end of the key phrases in the stretch.
    """

    words: tuple[str, ...]
    weights: npt.NDArray[np.float32]
    positions: int
    phrases: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, eq=False)
class SourceSignals:
    """Signals of a network for each source word; None for a signal that the network does not have.

    Attributes:
        places: Place of each word.
        centrality: Centrality in the graph of the encoder's self-attention; with the separators of documents it sums to
            one.
        gate: Share of each word that the selective gate lets through, from 0 to 1.
        coverage: [sentences, words], cross-attention summed up to the end of each sentence of the summary.
    """

    places: tuple[Origin, ...]
    centrality: npt.NDArray[np.float64] | None = None
    gate: npt.NDArray[np.float64] | None = None
    coverage: npt.NDArray[np.float64] | None = None

    @property
    def covered(self) -> list[float]:
        """Share of the source that was attended to by the end of each sentence: the mean of coverage, capped at 1."""
        found = np.zeros((0, 1)) if self.coverage is None else self.coverage
        return [float(share) for share in np.minimum(found, 1).mean(-1)]

    def to_json(self) -> dict[str, Any]:
        """Return the signals as JSON values of six digits, without those that are None."""
        parts = {name: getattr(self, name) for name in ("centrality", "gate", "coverage")}
        values = {name: np.round(part, 6).tolist() for name, part in parts.items() if part is not None}
        return {"places": [origin_to_json(place) for place in self.places], **values, "covered": self.covered}


def origin_of(document: Document, start: int, end: int) -> Origin:
    """A span of the joined input as a span of the one document in which it lies."""
    source = document.part_of(start)
    base = document.parts[source].start
    return Origin(source, start - base, end - base, document.page_of(start), document.time_of(start))


def phrase_to_json(document: Document, phrase: Phrase) -> dict[str, Any]:
    """Return a phrase of a document as JSON values, with its places in the documents that were joined into it."""
    places = [origin_of(document, start, end) for start, end in phrase.spans]
    fields = {"text": phrase.text, "forms": list(phrase.forms), "score": phrase.score}
    return {**fields, "places": [origin_to_json(place) for place in places]}


def _summary_of(written: _Written, document: Document) -> Summary:
    """Return a summary from its JSON.

    Raises:
        ValueError: If it names places that the sources do not have.
        InputError: If it is of another document.
    """
    sizes = [part.end - part.start for part in document.parts]
    if [source.characters for source in written.sources] != sizes:
        raise InputError("This summary was made of another document: its sources have other lengths.")
    for where, place in _places(written):
        if not 0 <= place.source < len(sizes) or not 0 <= place.start <= place.end <= sizes[place.source]:
            raise ValueError(f"{where} is a place that the sources do not have")
    asked, starts = written.budget, [part.start for part in document.parts]
    words = asked.words if asked.share is None else None
    phrases = [
        Phrase(
            one.text,
            one.score,
            tuple((starts[at.source] + at.start, starts[at.source] + at.end) for at in one.places),
            one.forms,
        )
        for one in written.phrases
    ]
    return Summary(
        sentences=written.sentences,
        document=document,
        budget=Budget.of(words, asked.sentences, asked.share, asked.characters),
        signature=written.signature,
        limit=asked.words,
        find_phrases=partial(tuple, phrases),
        cut=written.cut,
        find_excluded=partial(dict, written.excluded),
        notices=written.notices,
        genre=written.genre,
        highlights=written.highlights,
        prompt=written.prompt,
        effect=written.effect,
        desired_length=written.desired_length,
        answer=written.answer,
    )


def _places(written: _Written) -> Iterator[tuple[str, Origin | Cut]]:
    """Yield all places that the JSON of a summary names, and where it names them."""
    for number, sentence in enumerate(written.sentences):
        for at, place in enumerate(sentence.origins):
            yield f"sentences[{number}].origins[{at}]", place
        for at, one in enumerate(sentence.left_out):
            yield f"sentences[{number}].left_out[{at}].origin", one.origin
        for at, word in enumerate(sentence.words):
            if word.origin is not None:
                yield f"sentences[{number}].words[{at}].origin", word.origin
    for number, phrase in enumerate(written.phrases):
        for at, place in enumerate(phrase.places):
            yield f"phrases[{number}].places[{at}]", place
    for number, cut in enumerate(written.cut):
        yield f"cut[{number}]", cut
    for at, place in enumerate(written.answer.origins if written.answer else ()):
        yield f"answer.origins[{at}]", place


def _spaced(text: str) -> str:
    return f" {' '.join(tokens(text.lower()))} "


def origin_to_json(origin: Origin) -> dict[str, Any]:
    """Return a place as JSON values, without page and time where it has none."""
    return {name: value for name, value in asdict(origin).items() if value is not None}


def sentence_to_json(sentence: SummarySentence, phrases: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a sentence of a summary as JSON values, with the key phrases in it."""
    return {
        "text": sentence.text,
        "operation": sentence.operation,
        "expands": sentence.expands,
        "origins": [origin_to_json(origin) for origin in sentence.origins],
        "rating": sentence.rating,
        "shares": dict(sentence.shares),
        "phrases": list(phrases),
        "words": [_word_to_json(word) for word in sentence.words],
        "speaker": sentence.speaker,
        "connective": sentence.connective,
        "left_out": [{**asdict(one), "origin": origin_to_json(one.origin)} for one in sentence.left_out],
        "reasons": list(sentence.reasons),
        "flags": [asdict(flag) for flag in sentence.flags],
    }


def _word_to_json(word: SummaryWord) -> dict[str, Any]:
    return {
        "text": word.text,
        "start": word.start,
        "operation": word.operation,
        "origin": None if word.origin is None else origin_to_json(word.origin),
        "probability": word.probability,
        "p_copy": word.p_copy,
    }
