"""Origins, key phrases and notices of a summary: what is odd about its documents, and what was left out."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from nutgraf.extractive.selection import Selection
from nutgraf.keyphrases import KeyphraseExtractor
from nutgraf.prose import judgements, qualities
from nutgraf.prose.quality import JUNK
from nutgraf.prose.reasons import counted_reasons
from nutgraf.systems.steering import Steering, tell_unshown
from nutgraf.text.document import Document, Phrase, Sentence
from nutgraf.text.language import recognize
from nutgraf.text.summary import Budget, OmittedPiece, Origin, Summary, SummarySentence, origin_of
from nutgraf.text.tokenize import Span, flatten
from nutgraf.text.vectors import count_terms, normalize_rows

NAMED = 4
"""Number of kinds of junk that a notice names."""

MIN_WORDS_TOLD = 50
"""Words of a text from which a summary that is the whole text says so; a reader sees that a shorter one is whole."""

LEAST_LIKENESS = 0.1
"""Mean cosine of the content words of documents below which they are of several subjects: so have 90 % of unrelated
pairs of news articles, and 7 % of the clusters of Multi-News."""

FEWEST_TERMS = 30
"""Number of content words from which documents are compared."""


def key_phrases(extractor: KeyphraseExtractor | None, document: Document, steering: Steering) -> tuple[Phrase, ...]:
    """The highlights, then the phrases that the preset's extractor finds beside them."""
    own = {phrase.text.lower() for phrase in steering.phrases}
    found = extractor(document) if extractor else []
    return (*steering.phrases, *(phrase for phrase in found if own.isdisjoint(map(str.lower, phrase.wordings))))


def origin(document: Document, index: int) -> Origin:
    """Where the document's sentence `index` stands."""
    sentence = document.sentences[index]
    return origin_of(document, sentence.start, sentence.end)


def copied(document: Document, index: int, cut: int = 0) -> SummarySentence:
    """Return the document's sentence `index` as it stands in a summary.

    Args:
        document: The input.
        index: Index of the sentence.
        cut: Number of characters to leave out at the beginning of the printed sentence; what follows is capitalized.
    """
    printed, sentence = document.printed[index], document.sentences[index]
    before, rest = printed[:cut], printed[cut:]
    stretches = _behind(document, sentence, before) if cut else sentence.stretches
    return SummarySentence(
        text=rest[:1].upper() + rest[1:] if cut else printed,
        operation="copied",
        origins=tuple(origin_of(document, start, end) for start, end in _trimmed(document, stretches)),
        speaker=document.speakers[index] or None,
        connective=before.strip(),
        left_out=tuple(_left_out(document, sentence, rest)),
    )


def _left_out(document: Document, sentence: Sentence, printed: str) -> Iterator[OmittedPiece]:
    """Yield what is left out of a sentence, with its place in what is printed of it."""
    text = document.text
    for one in sentence.left_out:
        behind = "".join(text[start:end] for start, end in sentence.stretches if start >= one.end)
        place = len(printed) - len(flatten(behind)) - behind[:1].isspace()
        origin = origin_of(document, *_trim(document, one.start, one.end))
        yield OmittedPiece(flatten(text[one.start : one.end]), one.kind, max(0, place), origin)


def _behind(document: Document, sentence: Sentence, printed: str) -> list[Span]:
    """Return the stretches of a sentence without its beginning, as that is printed; white space may be another."""
    rest, left = list(sentence.stretches), "".join(printed.split())
    start, end = rest[0]
    for character in left:
        place = document.text.find(character, start, end)
        while place < 0 and len(rest) > 1:
            rest.pop(0)
            start, end = rest[0]
            place = document.text.find(character, start, end)
        start = max(start, place + 1)
    return [(start, end), *rest[1:]]


def _trimmed(document: Document, stretches: Iterable[Span]) -> list[Span]:
    """Return stretches without white space around them, and without those that have nothing else."""
    found = (_trim(document, start, end) for start, end in stretches)
    return [(start, end) for start, end in found if start < end]


def _trim(document: Document, start: int, end: int) -> Span:
    text = document.text[start:end]
    return start + len(text) - len(text.lstrip()), end - len(text) + len(text.rstrip())


def summary_of(
    selection: Selection,
    document: Document,
    budget: Budget,
    steering: Steering,
    extractor: KeyphraseExtractor | None,
    signature: str,
    notices: Iterable[str] = (),
    steerable: bool = True,
) -> Summary:
    """Return the summary of the selected sentences, as they stand."""
    picked, ranking, made, cuts = selection
    summary = Summary(
        sentences=tuple(
            replace(
                copied(document, index, cuts.get(index, 0)),
                rating=float(ranking.ratings[index]),
                reasons=made.reasons.get(index, ()),
            )
            for index in picked
        ),
        document=document,
        budget=budget,
        limit=budget.words_of(document),
        find_phrases=partial(key_phrases, extractor, document, steering),
        notices=(*document.notices, *notices_together(document), *steering.notices, *notices, *made.notices),
        signature=signature,
        genre=made.genre,
        ratings=ranking.ratings,
    )
    return tell_left_out(tell_unshown(summary, steering) if steerable else summary)


def tell_left_out(summary: Summary) -> Summary:
    """Return a summary of copied sentences with what was left out, by kind, and a notice where it matters.

    The notice is given where more of the length asked for than `nutgraf.text.summary.UNUSED` stays empty, though no
    prose that fits is left, and where the summary is the whole text, unless that was asked for. Only for the first are
    all sentences judged at once; what was left out is counted when somebody asks for it.
    """
    told = _tell_whole(replace(summary, find_excluded=partial(kinds_of_junk, summary.document)))
    if not told.underused or not told.excluded:
        return told
    rest = _prose_left(told)
    lengths = summary.document.lengths_in(summary.budget.unit)
    room = told.asked - told.used
    if any(summary.budget.sentences is not None or lengths[index] <= room for index in rest):
        return told
    unit = "sentences" if summary.budget.sentences is not None else summary.budget.unit
    kinds = list(told.excluded.items())
    said = counted_reasons(kinds[:NAMED])
    more = ", …" if len(kinds) > NAMED else ""
    long = " or too long" if rest else ""
    return _with_notice(
        told,
        f"The summary has {told.used} of {told.asked} {unit}: the rest of the text is not prose ({said}{more}){long}.",
    )


def kinds_of_junk(document: Document) -> dict[str, int]:
    """Number of sentences of each kind of junk, the most frequent first; all sentences are judged for it."""
    return dict(Counter(one.reason for one in judgements(document) if one.quality == JUNK).most_common())


def _tell_whole(summary: Summary) -> Summary:
    document = summary.document
    number = len(document.sentences)
    if not number or summary.budget.share == 1 or len(_taken(summary)) < number or document.num_words < MIN_WORDS_TOLD:
        return summary
    size = "one sentence" if number == 1 else f"{number:,} sentences"
    return _with_notice(summary, f"The summary is the whole text, which has {size}.")


def _with_notice(summary: Summary, notice: str) -> Summary:
    return replace(summary, notices=tuple(dict.fromkeys((*summary.notices, notice))))


def _prose_left(summary: Summary) -> list[int]:
    """Indices of the sentences that are prose and not in the summary."""
    document, taken = summary.document, _taken(summary)
    return [index for index, quality in enumerate(qualities(document)) if quality > JUNK and index not in taken]


def _taken(summary: Summary) -> set[int]:
    """Indices of the sentences that are in the summary."""
    document = summary.document
    starts = [sentence.start for sentence in document.sentences]
    origins = (origin for one in summary.sentences for origin in one.origins)
    return {bisect_right(starts, document.parts[one.source].start + one.start) - 1 for one in origins}


def notices_together(document: Document) -> Iterator[str]:
    """Yield what is odd about several documents that are summarized as one."""
    if len(document.parts) < 2:
        return
    languages = Counter(recognize(document.text[part.start : part.end]) for part in document.parts)
    del languages[None]
    if len(languages) > 1:
        told = ", ".join(f"{count} in {language!r}" for language, count in languages.most_common())
        known = document.language in languages
        advice = f"only those in {document.language!r} are read well" if known else "summarize each by itself (--each)"
        yield f"The documents are in several languages ({told}); {advice}."
    elif (likeness(document) or 1.0) < LEAST_LIKENESS:
        yield (
            f"The {len(document.parts)} documents share few words. If they are not about one subject, summarize each "
            "by itself (--each)."
        )


def likeness(document: Document) -> float | None:
    """Mean cosine of the counts of content words in each pair of documents; None for documents too short to tell."""
    terms: list[list[str]] = [[] for _ in document.parts]
    for sentence, said in zip(document.sentences, document.terms, strict=True):
        terms[document.part_of(sentence.start)].extend(said)
    if min(map(len, terms)) < FEWEST_TERMS:
        return None
    total, count = normalize_rows(count_terms(terms)).column_sums(), len(terms)
    return float(total @ total - count) / (count * (count - 1))
