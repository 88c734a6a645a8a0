"""Checks a summary against its sources: for each sentence the evidence, and what the sources do not bear out."""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from functools import cache
from pathlib import PurePath
from typing import Protocol, TypeVar

from nutgraf.errors import InputError, check_type, items_of, type_name
from nutgraf.faithfulness.ablation import Track
from nutgraf.faithfulness.detectors import Detector, detectors
from nutgraf.faithfulness.records import (
    CheckedSentence,
    CheckedWord,
    CheckerVerdict,
    Doubt,
    Faithfulness,
    Unjudged,
)
from nutgraf.faithfulness.risk import RULES, risk
from nutgraf.faithfulness.sources import Claim, Sources, claims
from nutgraf.runtime.files import names_file
from nutgraf.text.clean import with_plain_apostrophes
from nutgraf.text.document import Document, Sentence, join
from nutgraf.text.flag import Flag
from nutgraf.text.language import UNDETERMINED, called
from nutgraf.text.markdown import Unmarked, unmarked
from nutgraf.text.summary import Summary
from nutgraf.text.tokenize import ngrams
from nutgraf.version import __version__

Place = TypeVar("Place", CheckedWord, Flag, Doubt)


class Checker(Protocol):
    """A model that says of sentences whether sources entail them, do not tell them, or contradict them.

    `nutgraf.systems.verify.read_checker` and `nutgraf.entailment.checker.open_checker` load one; a checker may have
    `risk_weights`, weights of `nutgraf.faithfulness.risk` for its probabilities. `CheckerVerdict.combined` makes a
    verdict of what it says beside several windows of the sources.
    """

    @property
    def name(self) -> str:
        """Name of the model."""

    @property
    def signature(self) -> str:
        """Name and fingerprint of the model."""

    def __call__(self, claims: Sequence[Claim], sources: Sources) -> Sequence[CheckerVerdict | None]:
        """Return a verdict on each sentence of a summary; None for one that the model cannot read at once."""


def check(
    summary: Summary | Document | str,
    sources: Document | str | Iterable[Document | str] | None = None,
    checker: Checker | None = None,
    track: Track | None = None,
) -> Faithfulness:
    """Check a summary, whoever wrote it, against its sources.

    >>> import nutgraf
    >>> checked = nutgraf.check("Five boats left the harbour.", "Four boats left the harbour at noon.")
    >>> checked.verdict, [flag.reason for flag in checked.flags]
    ('flagged', ['No source has the number Five.'])

    Args:
        summary: The summary.
        sources: The documents that it summarizes; a `Summary` brings its own.
        checker: A model whose verdicts stand beside those of the rules, from `nutgraf.systems.verify.read_checker`.
        track: Yields the items of an iterator while it shows progress; called with the sentences and their number.

    Returns:
        A `Faithfulness` record.

    Raises:
        InputError: If there is no summary or no source, or one has another type.
    """
    check_type(track, (Callable, type(None)), "track is a function or None")
    _check_given(summary, (Summary, Document, str), "A summary is a Summary, a Document or a str")
    if checker is not None and not (callable(checker) and isinstance(getattr(checker, "signature", None), str)):
        raise InputError(f"A checker is what nutgraf.systems.verify.read_checker loads, not {type_name(checker)}.")
    document, written = _joined(summary, sources), _document(summary)
    for text, what in ((written, "summary"), (document, "source")):
        if not text.sentences:
            raise InputError(f"The {what} is empty: a summary is checked against its sources, and both have text.")
    checked, names = _checked(written, Sources(document), checker, track)
    if not any(sentence.words for sentence in checked):
        raise InputError("The summary has no word, and so nothing to check.")
    named = "" if checker is None else f"|checker:{checker.signature}"
    signature = f"faithfulness|rules:{'+'.join(rules())}{named}|v{__version__}"
    notices = (*_lacking(document.language), *_unread(checked, checker))
    weights = getattr(checker, "risk_weights", None) or RULES
    scored = tuple(replace(one, risk=risk([one], weights)) for one in checked)
    return Faithfulness(scored, signature, notices, names, risk(scored, weights))


@cache
def rules() -> Mapping[str, Detector]:
    """All detectors with their default options, by name."""
    return {kind: detectors.build(detectors.choose(kind)) for kind in detectors.names()}


def _lacking(language: str) -> tuple[str, ...]:
    """Return what the rules do not look for in sources of a language, in a sentence."""
    lacking = [what for rule in rules().values() if (what := rule.lacks(language))]
    if language == UNDETERMINED:
        return (f"The language of the sources was not recognized, so these are not checked: {', '.join(lacking)}.",)
    return (f"In {called(language)}, these are not checked: {', '.join(lacking)}.",) if lacking else ()


def _unread(checked: Sequence[CheckedSentence], checker: Checker | None) -> tuple[str, ...]:
    """Return which sentences were too long for a checker, in a sentence."""
    numbers = [str(number) for number, one in enumerate(checked, 1) if one.checker is None]
    if checker is None or not numbers:
        return ()
    named = f"Sentence {numbers[0]} is" if len(numbers) == 1 else f"Sentences {', '.join(numbers)} are"
    return (f"{named} too long for the checker {checker.name}, and only the rules looked at what the sources say.",)


def _joined(summary: Summary | Document | str, sources: Document | str | Iterable[Document | str] | None) -> Document:
    if sources is None:
        if not isinstance(summary, Summary):
            raise InputError("A summary is checked against its sources; none was given.")
        return summary.document
    several = [sources] if isinstance(sources, (str, Document, PurePath)) else items_of(sources)
    if several is None:
        raise InputError(f"Sources are a Document, a str or an iterable of them, not {type_name(sources)}.")
    given = list(several)
    for source in given:
        _check_given(source, (Document, str), "A source is a Document or a str")
    return join([source if isinstance(source, Document) else Document.of(source) for source in given])


def _check_given(given: object, kinds: tuple[type, ...], what: str) -> None:
    """Raise InputError for another type. This module stands below the readers of files, so it cannot read a path."""
    if isinstance(given, PurePath) or (isinstance(given, str) and names_file(given)):
        raise InputError(
            f"The file {given} has not been read: nutgraf.check takes nutgraf.read(source) for sources, and "
            "nutgraf.read(summary, marked=True)[0] for a summary."
        )
    check_type(given, kinds, what)


def _document(summary: Summary | Document | str) -> Document:
    if isinstance(summary, Document):
        return summary
    return Document.of(summary if isinstance(summary, str) else summary.text)


def checked_sentences(
    summary: Document, sources: Sources, checker: Checker | None = None
) -> tuple[CheckedSentence, ...]:
    """Check the sentences of a summary; what only names others is none."""
    return _checked(summary, sources, checker)[0]


def _checked(
    summary: Document, sources: Sources, checker: Checker | None, track: Track | None = None
) -> tuple[tuple[CheckedSentence, ...], tuple[Unjudged, ...]]:
    """Return the sentences of a summary, checked, and its headings and labels."""
    marked = unmarked(summary.text)
    if marked is None or not (said := _said(marked, summary.language)).sentences:
        return _judged(summary, sources, checker, track), ()
    checked = (_placed(one, marked) for one in _judged(said, sources, checker, track))
    names = (Unjudged(start, end, summary.text[start:end]) for start, end in marked.names)
    return tuple(checked), tuple(names)


def _said(marked: Unmarked, language: str) -> Document:
    """Return what a summary says without marks; the row of a table is one sentence."""
    document = Document.of(marked.text, language=language)
    starts = [start for start, _ in marked.rows]
    sentences: dict[int, Sentence] = {}
    for sentence in document.sentences:
        row = bisect.bisect_right(starts, sentence.start) - 1
        inside = row >= 0 and sentence.start < marked.rows[row][1]
        one = Sentence(*marked.rows[row]) if inside else sentence
        sentences.setdefault(one.start, one)
    return replace(document, sentences=tuple(sentences.values()))


def _placed(checked: CheckedSentence, marked: Unmarked) -> CheckedSentence:
    """Return a sentence with its places in the summary as it was given, where marks stand around words and in them."""
    start, end = marked.with_emphasis(checked.start, checked.end)
    verdict = checked.checker
    return replace(
        checked,
        start=start,
        end=end,
        text=marked.given[start:end],
        words=tuple(_moved(one, marked) for one in checked.words),
        flags=tuple(_moved(one, marked) for one in checked.flags),
        checker=verdict and replace(verdict, doubts=tuple(_moved(one, marked) for one in verdict.doubts)),
    )


def _moved(one: Place, marked: Unmarked) -> Place:
    start, end = marked.place(one.start, one.end)
    if isinstance(one, CheckedWord):
        return replace(one, start=start, end=end)
    return replace(one, start=start, end=end, text=marked.given[start:end])


def _judged(
    summary: Document, sources: Sources, checker: Checker | None, track: Track | None
) -> tuple[CheckedSentence, ...]:
    """Return the sentences of a text, checked; those without a word only where there are no others."""
    found = list(claims(summary, sources))
    found = [claim for claim in found if claim.tokens] or found
    known = frozenset(ngrams(sources.sequence, 2))
    verdicts = [None for _ in found] if checker is None else checker(found, sources)
    pairs = zip(found, verdicts, strict=True)
    return tuple(
        CheckedSentence(
            claim.start,
            claim.end,
            claim.sentence,
            tuple(sources.evidence(claim)),
            claim.support if claim.terms else None,
            _novel_bigrams(claim, known),
            tuple(sources.labels(claim)),
            tuple(_flags(claim, sources)),
            verdict,
        )
        for claim, verdict in (track(pairs, len(found)) if track else pairs)
    )


def _novel_bigrams(claim: Claim, known: Set[tuple[str, ...]]) -> float | None:
    """Return the share of a sentence's bigrams that the sources do not have."""
    words = [with_plain_apostrophes(claim.text[start:end].lower()) for start, end in claim.tokens]
    bigrams = ngrams(words, 2)
    return sum(one not in known for one in bigrams) / len(bigrams) if bigrams else None


def _flags(claim: Claim, sources: Sources) -> list[Flag]:
    """Return the flags of a claim in order; what lies within longer ones is not flagged again."""
    told = [
        Flag(kind, start, end, claim.text[start:end], reason)
        for kind, rule in rules().items()
        for (start, end), reason in rule(claim, sources)
    ]
    found: list[Flag] = []
    flagged: set[int] = set()
    for flag in sorted(told, key=lambda flag: flag.start - flag.end):
        if not flagged.issuperset(range(flag.start, flag.end)):
            flagged.update(range(flag.start, flag.end))
            found.append(flag)
    return sorted(found, key=lambda flag: (flag.start, flag.end))
