"""Phrases that the user wants to highlight: `--highlight "phrase[:weight]"`."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from nutgraf.errors import InputError
from nutgraf.text.clean import encodable
from nutgraf.text.document import Document, Phrase
from nutgraf.text.tagging import Tagged, tag
from nutgraf.text.tokenize import Span

LIGHTEST, HEAVIEST = 1e-6, 1_000_000
"""Least and greatest weight of a phrase."""

MOST_NOTICES = 10
"""Phrases that do not occur, each of which has a notice of its own."""

NormalForm = tuple[str, ...]
"""A phrase as it is compared: the normal form of each token."""

NO_WORDS = "The highlight {!r} has no words; write 'phrase' or 'phrase:2'."


def parse(highlight: str) -> tuple[str, float]:
    """Split "phrase[:weight]" into the phrase and its weight, which is 1 by default.

    Raises:
        InputError: If the phrase has no words, or the weight is not a number between `LIGHTEST` and `HEAVIEST`.
    """
    text, colon, weight = highlight.rpartition(":")
    text, value = (text.strip(), _number(weight)) if colon else (highlight.strip(), 1.0)
    if value is None:
        raise InputError(
            f"The highlight {highlight!r} needs a number above 0 after its last colon, as in 'phrase:2'. "
            "If the colon belongs to the phrase, end the highlight with ':1'."
        )
    if not LIGHTEST <= value <= HEAVIEST:
        raise InputError(
            f"The highlight {highlight!r} weighs too {'much' if value > HEAVIEST else 'little'}; a weight between "
            f"{LIGHTEST:f} and {HEAVIEST:,} would do."
        )
    if not any(character.isalnum() for character in text):
        raise InputError(NO_WORDS.format(highlight))
    return text, value


def find_phrases(
    document: Document, highlights: Iterable[str], *, stems: bool = False
) -> tuple[list[Phrase], list[str]]:
    """Find the occurrences of the user's phrases.

    Tokens are compared without case, or by their stems; a phrase does not cross the end of a sentence.

    Args:
        document: The text.
        highlights: Phrases as "phrase[:weight]".
        stems: Compare stems.

    Returns:
        The phrases that occur, in the order given, with their weights as scores; and notices of the other phrases.

    Raises:
        InputError: If a highlight cannot be parsed, or is given twice with different weights.
    """
    # Characters, not words: where a phrase stands must not depend on how its neighbours are segmented.
    tagged = tag(document, "content", segmented=False)
    stem = document.stem
    normal = (lambda word: stem(word.lower())) if stems else str.lower
    wanted: dict[NormalForm, tuple[str, float]] = {}
    for highlight in highlights:
        text, weight = parse(encodable(highlight))
        own = Document.of(text, language=document.language, sentences=[(0, len(text))])
        words = tag(own, "content", segmented=False).words
        form = tuple(map(normal, words))
        if not form:  # what is left out of texts, such as codes of a terminal
            raise InputError(NO_WORDS.format(highlight))
        _, before = wanted.setdefault(form, (text, weight))
        if before != weight:
            raise InputError(
                f"The highlight {text!r} is given twice, with the weights {before:g} and {weight:g}; give it once."
            )
    places = find_forms([normal(word) for word in tagged.words], tagged.starts, wanted)
    phrases = [
        Phrase(text, weight, tuple(characters(tagged, start, end) for start, end in places[form]))
        for form, (text, weight) in wanted.items()
        if places[form]
    ]
    missing = [text for form, (text, _) in wanted.items() if not places[form]]
    return phrases, list(_notices(missing, document, stems))


def _notices(missing: Sequence[str], document: Document, stems: bool) -> Iterator[str]:
    """Say that phrases do not occur in a document: of each of the first, and of all others together."""
    called = document.name or "the document"
    first = missing[:MOST_NOTICES]
    forms = {} if stems else _other_forms(first, document)
    for text in first:
        other = f", and {forms[text]!r} does" if text in forms else ""
        yield f"The highlight {text!r} does not occur in {called}{other}."
    others = len(missing) - MOST_NOTICES
    if others > 0:
        yield f"{others:,} other {'highlight does' if others == 1 else 'highlights do'} not occur in {called}."


def _other_forms(texts: Sequence[str], document: Document) -> dict[str, str]:
    """Return other forms of phrases that occur in a document: "kitchens" for "kitchen"."""
    found = find_phrases(document, [f"{text}:1" for text in texts], stems=True)[0] if texts else []
    return {one.text: " ".join(document.text[slice(*one.spans[0])].split()) for one in found}


def find_forms(
    forms: Sequence[str], starts: Sequence[int], wanted: Collection[NormalForm]
) -> dict[NormalForm, list[Span]]:
    """Find all occurrences of phrases within sentences, as token spans.

    Args:
        forms: Normal form of each token.
        starts: Index of the first token of each sentence.
        wanted: The phrases.
    """
    lengths: defaultdict[str, set[int]] = defaultdict(set)
    for form in wanted:
        lengths[form[0]].add(len(form))
    places: dict[NormalForm, list[Span]] = {form: [] for form in wanted}
    for start in [index for index, form in enumerate(forms) if form in lengths]:
        sentence = bisect_right(starts, start)
        limit = starts[sentence] if sentence < len(starts) else len(forms)
        for end in [start + length for length in lengths[forms[start]] if start + length <= limit]:
            form = tuple(forms[start:end])
            if form in places:
                places[form].append((start, end))
    return places


def characters(tagged: Tagged, start: int, end: int) -> Span:
    """Convert a token span to a character span."""
    return tagged.spans[start][0], tagged.spans[end - 1][1]


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if value > 0 and math.isfinite(value) else None
