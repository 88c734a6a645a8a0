"""Why a sentence was selected, in words for the reader of a summary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nutgraf.extractive._coverage import Coverage
from nutgraf.text.cues import cue_phrases
from nutgraf.text.document import Document
from nutgraf.text.pronouns import is_third_person
from nutgraf.text.tokenize import Span, is_word, token_spans

NAMED = 2
"""Number of concepts that a reason names."""


Named = Sequence[tuple[tuple[str, ...], int]]
"""Content words, lowercased, and number of each concept of a sentence."""


def coverage_reason(
    coverage: Coverage, index: int, shared: Named, text: str, language: str, units: str
) -> Iterator[str]:
    """Yield the reason that a sentence shares concepts with others, if it does."""
    quoted = _weightiest(coverage, index, shared, text, language)
    if quoted:
        yield f"shares {quoted} with other {units}"


def other_reason(coverage: Coverage, index: int, concepts: Named, text: str, language: str) -> str:
    """The reason of a sentence that has no other one: the concepts that it adds, or that there is room for it."""
    quoted = _weightiest(coverage, index, concepts, text, language)
    return f"adds {quoted}" if quoted else "fills the remaining length"


def _weightiest(coverage: Coverage, index: int, concepts: Named, text: str, language: str) -> str:
    """The weightiest concepts of a sentence that are not covered, quoted; "" if there are none."""
    weights = dict(zip(coverage.concepts(index).tolist(), coverage.weights_in(index).tolist(), strict=True))
    ranked = sorted((-weights[number] * len(words), number, words) for words, number in concepts if weights[number] > 0)
    named: list[tuple[str, ...]] = []
    for _, _, words in ranked:
        if len(named) < NAMED and words and not any(set(words) & set(other) for other in named):
            named.append(words)
    spans = [(start, end) for start, end in token_spans(text, language=language) if is_word(text[start:end])]
    return " and ".join(f"“{_printed(words, text, spans)}”" for words in named)


def position_reason(document: Document, index: int) -> Iterator[str]:
    """Yield the reason that a sentence opens or ends its section or document, if it does."""
    sentences, start = document.sentences, document.sentences[index].start
    for span, name in (
        *((section, f"section “{section.name}”") for section in document.sections if section.name),
        *((part, "document" if len(document.parts) > 1 else "text") for part in document.parts),
    ):
        if not span.start <= start < span.end:
            continue
        if index == 0 or sentences[index - 1].start < span.start:
            yield f"opens the {name}"
            return
        if index + 1 == len(sentences) or sentences[index + 1].start >= span.end:
            yield f"ends the {name}"
            return


def cue_reason(text: str, language: str) -> Iterator[str]:
    """Yield the reason that a sentence has a cue phrase, if it has one."""
    found = cue_phrases(text, language)
    if found:
        yield f"announces something: “{found[0]}”"


def narration_reason(words: Sequence[str], language: str) -> Iterator[str]:
    """Yield the reason that a sentence is told in the third person, if it is."""
    if is_third_person(words, language):
        yield "told in the third person"


def _printed(words: tuple[str, ...], text: str, spans: Sequence[Span]) -> str:
    """The passage of a text that consists of these words, lowercased here; the words themselves if there is none.

    spans: the words of the text.
    """
    found = [text[start:end].lower() for start, end in spans]
    for first, word in enumerate(found):
        if word == words[0] and tuple(found[first : first + len(words)]) == words:
            return text[spans[first][0] : spans[first + len(words) - 1][1]]
    return " ".join(words)
