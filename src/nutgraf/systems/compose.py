"""Turns the words of a network into sentences that read as normal text and know their origins."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from nutgraf.systems.explain import origin
from nutgraf.text.detokenize import gaps, printed
from nutgraf.text.document import Document
from nutgraf.text.summary import SummarySentence, SummaryWord, origin_of
from nutgraf.text.tokenize import Span, count_words, is_word, joined, sentence_spans, words
from nutgraf.text.truecasing import Truecaser, capitalize

MOST_ORIGINS = 3
"""Sentences of the source that a sentence is said to come from."""

FORCED = 0.01
"""A word with less probability than this was not meant: the budget left nothing else."""

END_MARKS = tuple(".!?…\"'”’)»")
"""Marks that end a sentence."""


_PARTED = re.compile(r"\w [,.] ")
"""Pattern of a text whose tokens are separated by spaces."""


@dataclass(frozen=True, slots=True)
class Written:
    """A word or mark that a network wrote.

    Attributes:
        span: Characters of the Document that it was copied from; None if it was generated.
        joined: True if no white space was written before it.
    """

    text: str
    span: Span | None
    probability: float
    p_copy: float | None
    joined: bool = False


def compose(written: Sequence[Written], document: Document, casing: Truecaser | None) -> list[SummarySentence]:
    """Return sentences with their words and origins.

    A straight quotation mark that has no partner is left out. A network that writes capitals itself needs no `casing`.
    """
    written = _paired(written)
    shown = [printed(one.text) if casing is None else casing(printed(one.text), one.span) for one in written]
    spaces = _spaces(written, document)
    starts, text = [], ""
    for gap, word in zip(spaces, shown, strict=True):
        text += gap
        starts.append(len(text))
        text += word
    sentences = []
    for start, end in sentence_spans(text, document.language):
        inside = [place for place, at in enumerate(starts) if start <= at < end]
        made = [_word(written[place], shown[place], starts[place] - start, document) for place in inside]
        sentences.append(_sentence(_capital(made), [written[place] for place in inside], document))
    return sentences


def words_in(document: Document, characters: int) -> int:
    """Return the number of words that so many characters of a document hold, for a model that counts words."""
    return max(1, characters * sum(document.lengths) // max(1, sum(document.extents)))


def within(
    sentences: Sequence[SummarySentence],
    limit: int | None = None,
    most: int | None = None,
    length_of: Callable[[str], int] = count_words,
) -> list[SummarySentence]:
    """The first sentences: `most` at most, whose text has a length of `limit` at most, by default in words."""
    kept: list[SummarySentence] = []
    for sentence in sentences[:most]:
        longer = [*kept, sentence]
        if limit is not None and length_of(joined(one.text for one in longer)) > limit:
            break
        kept = longer
    return kept


def whole(sentences: Sequence[SummarySentence], complete: bool) -> list[SummarySentence]:
    """Return the first sentences, up to where the network was stopped.

    If it came to its end by itself (`complete`), its last sentence may lack an end mark, as a headline does.
    """
    kept = list(takewhile(is_whole, sentences))
    rest = sentences[len(kept) :]
    return [*kept, *rest] if complete and len(rest) == 1 and not _forced(rest[0]) else kept


def is_whole(sentence: SummarySentence) -> bool:
    """Return True if the sentence has an end mark that the network meant."""
    return sentence.text.endswith(END_MARKS) and not _forced(sentence)


def _forced(sentence: SummarySentence) -> bool:
    """Return True if the sentence ends in marks that were set because nothing else was allowed."""
    marks = list(takewhile(lambda word: not is_word(word.text), reversed(sentence.words)))
    return any(mark.probability is not None and mark.probability < FORCED for mark in marks)


def trail_off(sentence: SummarySentence) -> SummarySentence:
    """A sentence that its length cut short says so."""
    return replace(sentence, text=f"{sentence.text}…")


def _paired(written: Sequence[Written]) -> Sequence[Written]:
    """Without the last straight quotation mark if their number is odd; the white space before it stays."""
    marks = [place for place, one in enumerate(written) if printed(one.text) == '"']
    if len(marks) % 2 == 0:
        return written
    before, mark, after = written[: marks[-1]], written[marks[-1]], written[marks[-1] + 1 :]
    return [*before, *(replace(one, joined=one.joined and mark.joined) for one in after[:1]), *after[1:]]


def _spaces(written: Sequence[Written], document: Document) -> list[str]:
    """Return the white space before each word; what was copied together is joined, and hyphens within parted words."""
    found = gaps([one.text for one in written])
    for place, (before, one) in enumerate(pairwise(written), 1):
        touching = before.span is not None and one.span is not None and before.span[1] == one.span[0]
        if one.joined or touching:
            found[place] = ""
    if _PARTED.search(document.text):
        for place, (before, one, after) in enumerate(zip(written, written[1:], written[2:], strict=False), 1):
            if one.text == "-" and is_word(before.text) and is_word(after.text):
                found[place] = found[place + 1] = ""
    return found


def _word(written: Written, shown: str, start: int, document: Document) -> SummaryWord:
    return SummaryWord(
        text=shown,
        start=start,
        operation="generated" if written.span is None else "copied",
        origin=None if written.span is None else origin_of(document, *written.span),
        probability=written.probability,
        p_copy=written.p_copy,
    )


def _capital(made: list[SummaryWord]) -> list[SummaryWord]:
    """The first word, which may stand after a mark, begins with a capital."""
    first = next((place for place, word in enumerate(made) if is_word(word.text)), None)
    if first is not None:
        made[first] = replace(made[first], text=capitalize(made[first].text))
    return made


def _sentence(made: list[SummaryWord], written: Sequence[Written], document: Document) -> SummarySentence:
    text = ""
    for word in made:
        text = text.ljust(word.start) + word.text
    return SummarySentence(
        text=text,
        operation="generated",
        origins=tuple(origin(document, index) for index in _most_copied_from(written, document)),
        rating=math.exp(sum(math.log(max(one.probability, 1e-20)) for one in written) / max(1, len(written))),
        words=tuple(made),
    )


def _most_copied_from(written: Sequence[Written], document: Document) -> list[int]:
    """Return the sentences that gave at least half as many words as the first, content words if there are any."""
    copied = list(_copied(written, document))
    counts = Counter(index for index, is_content in copied if is_content) or Counter(index for index, _ in copied)
    if not counts:
        return []
    ranked = sorted(counts, key=lambda index: (-counts[index], index))
    return [index for index in ranked if 2 * counts[index] >= counts[ranked[0]]][:MOST_ORIGINS]


def _copied(written: Sequence[Written], document: Document) -> Iterator[tuple[int, bool]]:
    """Yield the sentence of each copied word, and True if it is a content word."""
    starts = [sentence.start for sentence in document.sentences]
    for one in written:
        if one.span is not None and is_word(one.text):
            carries = any(word not in document.stop_words for word in words(one.text))
            yield max(0, bisect_right(starts, one.span[0]) - 1), carries
