"""Negations: what the sources deny the summary does not claim, and what they claim it does not deny.

Nor does it state as certain what they say only may be so.

Denials in half of a source sentence ("but not pain") are looked for in any words (`contrasts.py`). Otherwise a sentence
is compared with the source sentence that supports most of it, and only where it follows that one nearly word for word.
Then both must deny the same words, or neither, where the word beside them is the same, too. Where both deny as often,
a negation has only moved, unless from one place of a repeated word to another.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import Match, SequenceMatcher
from itertools import chain

from nutgraf.faithfulness.contrasts import denied
from nutgraf.faithfulness.detectors import Detector, Finding
from nutgraf.faithfulness.negators import NEGATORS_BEFORE_TO, denies, is_negator
from nutgraf.faithfulness.opposites import base_stem
from nutgraf.faithfulness.quantities import quantities_of
from nutgraf.faithfulness.shares import is_rest
from nutgraf.faithfulness.sources import Claim, Sources, letters
from nutgraf.presets.ranges import Share
from nutgraf.text.tokenize import Span, token_spans, words

_AUXILIARIES = frozenset(
    "a an the do does did is are was were be been being am has have had will would can could should may might must any "
    "to of in ever yet that he she it they we i you his her its their him them".split()
)
_ADVERBS = frozenset(
    "actually clearly completely currently directly entirely even finally formally fully immediately initially "
    "necessarily officially previously publicly quite really ultimately very".split()
)
"""What may stand between a negator and the word that it denies."""

_HEDGES = frozenset("may might could".split())
_HEDGED = re.compile(
    r"\b(?:may|might|can|could|would|should|will|if|whether|perhaps|maybe|possibl[ye]|potential(?:ly)?|probabl[ye]|"
    r"(?:un)?likely|chances?|risks?|fears?|feared|hopes?|hoped|plans?|planned|expect\w*|suggest\w*|seem\w*|appear\w*|"
    r"alleged(?:ly)?|reported(?:ly)?|suspect\w*|threat\w*|propos\w*|set to|able)\b",
    re.IGNORECASE,
)
"""Words with which a sentence itself leaves open whether something is so."""

_CONTRASTED = frozenset({"but", "rather", "instead", "however", "although", "though", "than", "place", "versus"})
"""Words of a claim that may itself tell what is not so."""

LEAST_WHOLE = 0.8
"""Share of a claim's weight that a statement has which the source denies as a whole."""

LEAST_REST = 0.3
"""Share of the other words of a claim that the sentence has of which a part is denied."""

_PAUSES = frozenset(",;:")
"""Marks beyond which a negator denies nothing: "They did nothing, Ms Vane said."."""

_UNTIL = re.compile(r"\b(?:until|till)\b", re.IGNORECASE)
_NUMBERED = re.compile(r"\.?\s?\d")
"""What follows "no" where it stands for a number: "No. 10"."""


@dataclass(frozen=True)
class Config:
    """Negations."""

    least_shared: Share = 0.7
    """Share of the words that must stand in the source sentence in the same order."""


class Negations(Detector):
    """Flags a sentence that says the opposite of the source sentence that it follows."""

    config: Config

    def lacks(self, language: str) -> str:
        """Return "negations" for other languages than English; see `Detector`."""
        return "" if language == "en" else "negations"

    def __call__(self, claim: Claim, sources: Sources) -> Iterator[Finding]:
        """Yield negations, or words whose negation is missing; see `Detector`."""
        document = sources.document
        if document.language != "en" or not claim.evidence or letters(claim.sentence) in sources.sentences:
            return
        if (stated := _stated(claim, sources)) is not None:
            span, index = stated
            yield span, f"The source denies this: “{document.show(document.sentences[index])}”"
            return
        if _is_excused(claim, sources):
            return
        best = document.sentences[claim.evidence[0]]
        own = _read(claim.text, claim.start, claim.end)
        source = _read(document.text, best.start, best.end)
        blocks = _shared(own, source)
        if _is_about_an_end(claim.sentence) != _is_about_an_end(document.show(best)):
            return
        if not own or sum(block.size for block in blocks) < self.config.least_shared * len(own):
            return
        if sum(word.negated for word in own) == sum(word.negated for word in _between(source, blocks)):
            moved = _moved(own, source, blocks)
            if moved is not None:
                yield moved.span, _reason(moved, document.show(best))
            elif (sure := _sure(own, source, blocks, claim.sentence)) is not None:
                yield sure.span, f"The source says only that this may be so: “{document.show(best)}”"
            return
        theirs, ours = _polarities(source), _polarities(own)
        in_company = (block for block in blocks if block.size > 1)
        for word in (own[at] for block in in_company for at in range(block.a, block.a + block.size)):
            if theirs.get(word.stem) == {not word.negated} and ours[word.stem] == {word.negated}:
                yield word.span, _reason(word, document.show(best))
                return


def _stated(claim: Claim, sources: Sources) -> tuple[Span, int] | None:
    """Return where a claim states what half of a source sentence denies, and the index of that sentence; or None."""
    document = sources.document
    own = [claim.text[start:end].lower() for start, end in claim.tokens]
    if denies(own) or not _CONTRASTED.isdisjoint(own) or _HEDGED.search(claim.sentence):
        return None
    for index in claim.evidence:
        sentence = document.sentences[index]
        for part in denied(document.text[sentence.start : sentence.end]):
            terms = set(chain(*document.terms_of([words(part.text)])))
            rest = [term for term in claim.terms if term not in terms]
            enough = sources.share(claim.terms, terms) >= LEAST_WHOLE if part.whole else bool(rest)
            shared = part.whole or sources.share(rest, document.terms[index]) >= LEAST_REST
            if terms and terms <= set(claim.terms) and enough and shared and not _is_told(terms, rest, index, sources):
                places = [span for span, word in zip(claim.tokens, own, strict=True) if document.stem(word) in terms]
                if places:
                    return places[0], index
    return None


def _is_excused(claim: Claim, sources: Sources) -> bool:
    """Return True for what the source does not believe, and for the rest of those who did not: "51 of the 60 left"."""
    document = sources.document
    best = document.sentences[claim.evidence[0]]
    text = document.text[best.start : best.end]
    disbelieved = any(
        sources.share(claim.terms, chain(*document.terms_of([words(part.text)]))) >= LEAST_WHOLE
        for part in denied(text)
        if part.whole
    )
    return disbelieved or any(is_rest(one, claim, text, sources) for one in quantities_of(claim.sentence, "en"))


def _is_told(terms: set[str], rest: Sequence[str], place: int, sources: Sources) -> bool:
    """Return True if another sentence of the sources has these terms, and some of the rest, and denies nothing."""
    return any(
        index != place
        and terms <= set(sources.document.terms[index])
        and not sources.denied[index]
        and sources.share(rest, sources.document.terms[index]) >= LEAST_REST
        for index in sources.sentences_with(terms)
    )


def _reason(word: _Word, shown: str) -> str:
    return f"The source {'does not deny' if word.negated else 'denies'} this: “{shown}”"


def _sure(own: Sequence[_Word], source: Sequence[_Word], blocks: Sequence[Match], sentence: str) -> _Word | None:
    """Return a word that the source says may be so, in a sentence that leaves nothing open; or None."""
    if _HEDGED.search(sentence):
        return None
    in_company = [block for block in blocks if block.size > 1]
    pairs = ((own[block.a + at], source[block.b + at]) for block in in_company for at in range(block.size))
    return next((ours for ours, theirs in pairs if theirs.hedged), None)


def _moved(own: Sequence[_Word], source: Sequence[_Word], blocks: Sequence[Match]) -> _Word | None:
    """Return a repeated word that is denied in one place in the source and in another one here, or None.

    "It did not cut costs but cut jobs" is not "it cut costs but did not cut jobs".
    """
    pairs = [(own[block.a + at], source[block.b + at]) for block in blocks for at in range(block.size)]
    turned: dict[str, list[_Word]] = defaultdict(list)
    for ours, theirs in pairs:
        if ours.negated != theirs.negated:
            turned[ours.stem].append(ours)
    for repeated in turned.values():
        if len({word.negated for word in repeated}) > 1:
            return repeated[0]
    return None


@dataclass(frozen=True, slots=True)
class _Word:
    """A word that is no negator: its stem, its place, and whether it follows a negator or "may"."""

    stem: str
    span: Span
    negated: bool
    hedged: bool


def _read(text: str, start: int, end: int) -> list[_Word]:
    found: list[_Word] = []
    negated = hedged = False
    for span in token_spans(text, start, end):
        word = text[slice(*span)].lower()
        refusal = word in NEGATORS_BEFORE_TO and text.startswith(" to ", span[1])
        if word == "no" and _NUMBERED.match(text, span[1]):
            continue
        if refusal or is_negator(word):
            negated = True
        elif word in _HEDGES:
            hedged = text[slice(*span)].islower()  # not the month
        elif word[0].isalnum() and word not in _AUXILIARIES and not (negated and word in _ADVERBS):
            found.append(_Word(base_stem(word), span, negated, hedged))
            negated = hedged = False
        elif word in _PAUSES:
            negated = hedged = False
    return found


def _polarities(read: Sequence[_Word]) -> dict[str, set[bool]]:
    """For each stem whether it is negated, both where it stands twice and says both."""
    found: dict[str, set[bool]] = defaultdict(set)
    for word in read:
        found[word.stem].add(word.negated)
    return dict(found)


def _shared(own: Sequence[_Word], source: Sequence[_Word]) -> list[Match]:
    """Runs of words that both have in the same order."""
    matcher = SequenceMatcher(None, [word.stem for word in own], [word.stem for word in source], autojunk=False)
    return [block for block in matcher.get_matching_blocks() if block.size]


def _between(source: Sequence[_Word], blocks: Sequence[Match]) -> Sequence[_Word]:
    """Words of the source from the first to the last one that both have."""
    return source[blocks[0].b : blocks[-1].b + blocks[-1].size] if blocks else []


def _is_about_an_end(sentence: str) -> bool:
    """Return True for what is not so until something: "did not pay until May" says that it was paid."""
    return bool(_UNTIL.search(sentence))
