"""A Summary as its readers see it: the records that the components of a page show."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from nutgraf.collation.records import Agreement
from nutgraf.errors import check_type
from nutgraf.faithfulness.ablation import AblatedSentence, Ablation
from nutgraf.report.agreement import AgreementView, agreement_view, quoted_origins
from nutgraf.report.heat import Heat, heat_of
from nutgraf.report.links import Link, Links
from nutgraf.report.marks import Mark, PhraseFinder, split
from nutgraf.report.signals import Measure, measures_of
from nutgraf.report.sources import LeftOut, Run, Source, lay_out, left_out, numbered
from nutgraf.report.whys import carried, places_in_words, reasons_of
from nutgraf.text.difference import Difference
from nutgraf.text.document import Phrase
from nutgraf.text.formats import formatted, referenced
from nutgraf.text.outline import Outline
from nutgraf.text.summary import (
    Attention,
    Cut,
    OmittedPiece,
    Operation,
    SourceSignals,
    Summary,
    SummarySentence,
    SummaryWord,
)
from nutgraf.text.tokenize import flatten

OPERATIONS: Mapping[Operation, str] = {
    "copied": "word for word",
    "expanded": "grown from a sentence of the draft",
    "filled": "added because it still fitted",
    "generated": "written word by word",
}
"""Operations of sentences, in the words of the page."""

MOST_RESTS = 8
"""Sentences of the sources that are shown, at most, of those that one of the summary rests on by ablation."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A number and its bar, in hundredths of the width."""

    name: str
    value: float
    start: float
    width: float

    @property
    def shown(self) -> str:
        """The number to three figures, with a true minus sign."""
        return f"{self.value:#.3g}".rstrip(".").replace("-", "\N{MINUS SIGN}")


@dataclass(frozen=True, slots=True)
class Rests:
    """Sentences that one of the summary rests on, and how much; `r2` says how far they explain the network."""

    sentences: tuple[tuple[Link, Bar], ...]
    r2: float | None


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of the summary and why it is there.

    Attributes:
        reasons: Why it was chosen, in plain words.
        asked: Phrases in it that the user asked for.
        carries: Other key phrases in it.
        rests: What it rests on by ablation, if that was measured.
        label: The speaker's name and a colon, where others than in the sentence before speak.
        time: When it is said, where that or the speaker changes.
        breaks: True if a line begins with it.
        marks: What the sources say to it, in words: "said by 3 of 4".
    """

    number: int
    runs: tuple[Run, ...]
    sentence: SummarySentence
    operation: str
    links: tuple[Link, ...]
    bars: tuple[Bar, ...]
    reasons: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    carries: tuple[str, ...] = ()
    words: tuple[Word, ...] = ()
    rests: Rests | None = None
    label: str = ""
    breaks: bool = False
    marks: tuple[str, ...] = ()
    time: str = ""


@dataclass(frozen=True, slots=True)
class Word:
    """A word that a network wrote.

    Attributes:
        joined: True if it touches the word before it.
        anchor: Id of the place that it was copied from.
    """

    number: int
    word: SummaryWord
    joined: bool
    anchor: str

    @property
    def title(self) -> str:
        """Origin of the word, in a few words."""
        numbers = {"probability": self.word.probability, "p_copy": self.word.p_copy}
        return ", ".join([self.word.operation, *(f"{name} {of:.2f}" for name, of in numbers.items() if of is not None)])


@dataclass(frozen=True, slots=True)
class Row:
    """A part of an outline: its title, its level, the sentences in it, and the parts that were joined with it."""

    title: str
    level: int
    lines: tuple[Line, ...]
    joined: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence in a list, with what stands before it, such as who does it, and behind it, such as by when."""

    line: Line
    lead: str = ""
    remarks: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """An item of a list: sentences that belong together, and a title; "" for none."""

    title: str
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """A list.

    Attributes:
        count: Number of its items in words: "2 open questions".
        none: Words in the place of an empty list.
        about: How to read it; "" if that is plain.
        more: Number of items that are not shown.
    """

    title: str
    count: str
    entries: tuple[Entry, ...]
    none: str
    about: str = ""
    more: int = 0


@dataclass(frozen=True, slots=True)
class KeyPhrase:
    """A key phrase of the sources.

    Attributes:
        forms: Its other wordings.
        places: Number of places where it stands.
        asked: True if the user asked for it.
    """

    text: str
    forms: tuple[str, ...]
    score: float
    places: int
    asked: bool


@dataclass(frozen=True, slots=True)
class View:
    """Everything that the components show.

    Attributes:
        title: Names of the sources.
        removed: Stretches that were cut before summarizing.
        left_out: Sentences that were left out because they are not prose.
        notices: Sentences for the user, each once.
        heat: Attention of a network's encoder.
        measures: What a network made of each source word.
        difference: Words that differ from the summary without highlights; None if that was not made.
        referenced: The summary as it is copied with them.
        plain: The summary as it is copied.
        words_used: Number of its words.
        rows: Parts of an outline; () for a summary of the whole.
        agreement: What the sources agree on and where they differ; None if they were not compared.
        kicker: Words before the title.
        called: What is shown beside the sources, in words.
        lists: Lists in place of a summary, whose sentences are the lines; () for none.
    """

    summary: Summary
    title: str
    lines: tuple[Line, ...]
    sources: tuple[Source, ...]
    words: int
    removed: tuple[tuple[Link, Cut], ...]
    left_out: tuple[tuple[Link, LeftOut], ...]
    notices: tuple[str, ...]
    phrases: tuple[KeyPhrase, ...]
    heat: Heat | None
    measures: tuple[Measure, ...]
    difference: Difference | None
    referenced: str
    plain: str
    words_used: int
    rows: tuple[Row, ...] = ()
    agreement: AgreementView | None = None
    kicker: str = "Summary of"
    called: str = "the summary"
    lists: tuple[Listing, ...] = ()


def view_of(
    made: Summary | Outline,
    attention: Attention | None = None,
    signals: SourceSignals | None = None,
    ablation: Ablation | None = None,
    agreement: Agreement | None = None,
) -> View:
    """Return what the components show of a summary.

    Args:
        made: The summary, or an outline.
        attention: Self-attention of the encoder of the summary's system.
        signals: What its network made of each source word.
        ablation: What its sentences rest on, found by leaving sentences out.
        agreement: What its documents agree on and where they differ.

    Raises:
        InputError: If an argument is of another type, or the agreement is that of other documents.
    """
    check_type(made, (Summary, Outline), "A page is made of a Summary or an Outline")
    outline = made if isinstance(made, Outline) and made.parts else None
    summary = made.summary if isinstance(made, Outline) else made
    check_type(attention, (Attention, type(None)), "Attention is an Attention record or None")
    check_type(signals, (SourceSignals, type(None)), "Signals are a SourceSignals record or None")
    check_type(ablation, (Ablation, type(None)), "Ablation is an Ablation record or None")
    check_type(agreement, (Agreement, type(None)), "Agreement is an Agreement record or None")
    ablated = () if ablation is None else ablation.sentences
    rested_on = (one.origin for found in ablated for one in found.weights[:MOST_RESTS])
    quoted = () if agreement is None else tuple(quoted_origins(agreement, summary.document))
    sources, anchors = lay_out(summary, dict.fromkeys([*rested_on, *quoted]))
    links = Links(summary, sources, anchors)
    lines = tuple(_lines(summary, links, ablated, agreement))
    named = ", ".join(source.name for source in sources[:3]) + (" …" if len(sources) > 3 else "")
    return View(
        summary=summary,
        title=(outline.title if outline else "") or named,
        lines=lines,
        sources=tuple(sources),
        words=sum(source.words for source in sources),
        removed=tuple((links(cut), cut) for cut in summary.cut),
        left_out=tuple((links(one), one) for one in left_out(summary)),
        notices=tuple(dict.fromkeys([*summary.document.notices, *summary.notices])),
        phrases=tuple(_phrases(summary)),
        heat=None if attention is None else heat_of(attention),
        measures=() if signals is None else tuple(measures_of(signals, summary.document)),
        difference=None if summary.effect is None else summary.effect.difference(summary.said),
        referenced=formatted(outline, "markdown") if outline else referenced(summary, places_in_words(summary)),
        plain=made.text,
        words_used=made.words,
        rows=tuple(_rows(outline, lines)) if outline else (),
        agreement=None if agreement is None else agreement_view(agreement, summary.document, links),
    )


def _rows(outline: Outline, lines: Sequence[Line]) -> Iterator[Row]:
    """Yield the parts of an outline with their lines; who is named by a title is not named again."""
    rest = iter(lines)
    for part in outline:
        own = zip(islice(rest, len(part.sentences)), part.labelled, strict=True)
        lined = tuple(
            replace(line, label=label, breaks=bool(label) and at > 0) for at, (line, (label, _)) in enumerate(own)
        )
        yield Row(part.title, part.level, lined, part.joined)


def _phrases(summary: Summary) -> Iterator[KeyPhrase]:
    for phrase in summary.phrases:
        forms = tuple(map(flatten, phrase.forms))
        yield KeyPhrase(flatten(phrase.text), forms, phrase.score, len(phrase.spans), phrase.text in summary.highlights)


def _lines(
    summary: Summary, links: Links, ablated: Sequence[AblatedSentence], agreement: Agreement | None
) -> Iterator[Line]:
    marks = [] if agreement is None else [agreement.marked(mark) for mark in agreement.marks_of(summary)]
    find = PhraseFinder(_forms(summary, summary.phrases))
    find_asked = PhraseFinder(_forms(summary, [one for one in summary.phrases if one.text in summary.highlights]))
    bars = _Bars(summary.sentences)
    words = numbered(summary)
    opens = [(label, place == 0) for line in summary.lines for place, (label, _) in enumerate(line)]
    for number, (sentence, (label, first)) in enumerate(zip(summary.sentences, opens, strict=True), 1):
        written = list(islice(words, len(sentence.words)))
        asked, others = carried(summary, sentence)
        time = summary.document.time_in_words(sentence.time) if label else ""
        yield Line(
            number=number,
            runs=tuple(_runs(sentence, find, find_asked, written)),
            sentence=sentence,
            operation=OPERATIONS[sentence.operation],
            links=tuple(links(origin) for origin in sentence.origins),
            bars=tuple(bars(sentence)),
            reasons=reasons_of(sentence),
            asked=asked,
            carries=others,
            words=tuple(_words(written, links)),
            rests=_rests(ablated[number - 1], links) if number <= len(ablated) else None,
            label=label.removeprefix(f"{time} ") if time else label,
            breaks=first and number > 1,
            marks=marks[number - 1] if marks else (),
            time=time,
        )


def _rests(sentence: AblatedSentence, links: Links) -> Rests:
    scale = _Scale(one.weight for one in sentence.weights)
    found = [(links(one.origin), scale.bar("weight", one.weight)) for one in sentence.weights[:MOST_RESTS]]
    return Rests(tuple(found), sentence.r2)


def _words(written: Sequence[tuple[int, SummaryWord]], links: Links) -> Iterator[Word]:
    end = -1
    for number, word in written:
        yield Word(number, word, word.start == end, links.anchor(word.origin))
        end = word.start + len(word.text)


def _forms(summary: Summary, phrases: Iterable[Phrase]) -> set[str]:
    """Every form in which phrases stand in the sources, and those that the sentences name."""
    text, found = summary.document.text, list(phrases)
    forms = {flatten(text[start:end]) for phrase in found for start, end in phrase.spans}
    forms.update(phrase.text for phrase in found)
    return forms


def _runs(
    sentence: SummarySentence,
    find: PhraseFinder,
    find_asked: PhraseFinder,
    written: Sequence[tuple[int, SummaryWord]],
) -> Iterator[Run]:
    """Yield the text of a sentence by its marks, and between them what was left out of it."""
    text, left_out = sentence.text, list(sentence.left_out)
    operations = {number: word.operation for number, word in written}
    words = [Mark(word.start, word.start + len(word.text), "word", number) for number, word in written]
    phrases = [*(Mark(*span, "phrase") for span in find(text)), *(Mark(*span, "asked") for span in find_asked(text))]
    places = [Mark(start, end, "side") for one in left_out for start, end in ((0, one.place), (one.place, len(text)))]
    for piece in split(0, len(text), [*words, *phrases, *places]):
        while left_out and left_out[0].place <= piece.start:
            yield _omitted(left_out.pop(0))
        numbers = piece.keys("word")
        operation = operations[numbers[0]] if numbers else ""
        is_phrase, asked = bool(piece.keys("phrase")), bool(piece.keys("asked"))
        yield Run(text[piece.start : piece.end], is_phrase, numbers, operation, asked=asked)
    yield from map(_omitted, left_out)


def _omitted(one: OmittedPiece) -> Run:
    """Return what was left out of a sentence; a blank parts it from the word before, as its marks do."""
    gap = "" if one.text[:1] in ",;:—" or not one.place else " "
    behind = "" if one.place else " "
    return Run(f"{gap}{one.text}{behind}", left_out=one.kind)


class _Bars:
    """Bars of one summary: all shares on one scale, so that they can be compared; ratings on their own."""

    def __init__(self, sentences: Sequence[SummarySentence]) -> None:
        self._ratings = _Scale(sentence.rating for sentence in sentences)
        self._shares = _Scale(share for sentence in sentences for share in sentence.shares.values())

    def __call__(self, sentence: SummarySentence) -> Iterator[Bar]:
        if self._ratings.extent:
            yield self._ratings.bar("rating", sentence.rating)
        for name, share in sentence.shares.items():
            yield self._shares.bar(name, share)


class _Scale:
    """Scales numbers to hundredths of a width that spans the least, the greatest and zero."""

    def __init__(self, values: Iterable[float]) -> None:
        finite = [value for value in values if math.isfinite(value)]
        self._least = min([0.0, *finite])
        self.extent = max([0.0, *finite]) - self._least

    def bar(self, name: str, value: float) -> Bar:
        extent = self.extent or 1.0
        width = abs(value) / extent * 100 if math.isfinite(value) else 0.0
        zero = abs(self._least) / extent * 100
        return Bar(name, value, zero - width if value < 0 else zero, width)
