"""Sources as detectors see them, and the sentences of the sources that support a sentence of a summary."""

from __future__ import annotations

import bisect
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from nutgraf.faithfulness.dates import Date, dates
from nutgraf.faithfulness.quantities import quantities
from nutgraf.faithfulness.quantity import Quantity
from nutgraf.faithfulness.quantity_index import QuantityIndex
from nutgraf.faithfulness.records import CheckedWord, Evidence
from nutgraf.faithfulness.words import HYPHEN, POSSESSIVE, acronyms, forms, is_made_of, is_ordinary, letters, plain
from nutgraf.text.clean import with_plain_apostrophes
from nutgraf.text.document import Document
from nutgraf.text.tokenize import Span, is_word, token_spans, words

MOST_EVIDENCE = 3
"""Maximum number of sentences of the sources that support one of the summary."""

LEAST_GAIN = 0.1
"""Share of a sentence's weight that each of them must add."""

UNENDED = 0.7
"""Factor for the weight of a sentence that does not end as one, such as a title, when support is chosen."""

_ENDS = frozenset(".!?…。！？\"'”’»)]")

PREFIX = 4
"""Letters that a name shares with the word for what belongs to it: Turkey, Turkish."""

LEAST_KNOWN = 2 / 3
"""Share of the words of a known acronym, with the first, that must stand in the sources."""

SHARED_PREFIX = 5
"""Letters with which two words of one family begin: "confirmed", "confirmation"."""


@dataclass(frozen=True)
class Claim:
    """A sentence of a summary that is checked.

    Attributes:
        text: The whole summary.
        start: First character of the sentence.
        end: Character after the last one.
        tokens: Spans of its words, without marks.
        terms: Stems of its content words; figures are none, whether 1998 or 1,998.
        cased: True if the summary is written in upper and lower case.
        evidence: Indices of the source sentences that support it, best first.
        support: Share of its weight that they bear out.
        shares: Share that each of them adds.
    """

    text: str
    start: int
    end: int
    tokens: tuple[Span, ...]
    terms: tuple[str, ...]
    cased: bool
    evidence: tuple[int, ...]
    support: float
    shares: tuple[float, ...]

    @cached_property
    def sentence(self) -> str:
        """Text of the sentence."""
        return self.text[self.start : self.end]

    @cached_property
    def headline(self) -> bool:
        """True for a headline: its last word and four of five longer ones behind the first one have capitals."""
        if not self.tokens or self.text[self.tokens[-1][0]].islower():
            return False
        longer = [start for start, end in self.tokens[1:] if end - start > 3]
        return len(longer) > 2 and 5 * sum(self.text[start].isupper() for start in longer) >= 4 * len(longer)


class Sources:
    """The sources of a summary, joined, with what detectors look up in them."""

    def __init__(self, document: Document) -> None:
        self.document = document

    @cached_property
    def spans(self) -> Sequence[Span]:
        """Characters of all words and marks, in order."""
        return list(token_spans(self.document.text, language=self.document.language))

    @cached_property
    def sequence(self) -> list[str]:
        """All words in lower case, in order, those of headings included."""
        return [with_plain_apostrophes(word) for word in words(self.document.text, self.document.language)]

    @cached_property
    def cased(self) -> bool:
        """True if the sources are written in upper and lower case."""
        return self.document.text not in (self.document.text.lower(), self.document.text.upper())

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Words in lower case, and the parts of words with hyphens, without possessive endings."""
        return frozenset(chain.from_iterable(map(forms, set(self.sequence))))

    @cached_property
    def _names(self) -> Mapping[str, Set[str]]:
        text, found = self.document.text, defaultdict[str, set[str]](set)
        written = (text[start:end].lower() for start, end in self.spans if not self.cased or text[start].isupper())
        for word in chain.from_iterable(map(forms, written)):
            found[word[:PREFIX]].add(word)
        return found

    def names_like(self, word: str) -> Set[str]:
        """Return the names, in sources without capitals all words, that begin with the same letters as a word."""
        return self._names.get(word[:PREFIX], frozenset()) if len(word) >= PREFIX else frozenset()

    @cached_property
    def plain_words(self) -> frozenset[str]:
        """Plain forms of the words, of the parts of those with hyphens, and of neighbors as one: "auto encoders"."""
        parts = [part for word in self.sequence for part in HYPHEN.split(word) if part]
        neighbors = (first + second for words in (self.sequence, parts) for first, second in pairwise(words))
        return frozenset(map(plain, chain(self.vocabulary, neighbors)))

    def has_as_one(self, words: Sequence[str]) -> bool:
        """Return True if the sources have words as one that no dictionary has, as addresses do, perhaps cut."""
        begun = (word for word in self.vocabulary if word[:1] == words[0][0])
        return any(is_made_of(word, words) and not is_ordinary(word) for word in begun)

    @cached_property
    def _initials(self) -> tuple[str, str]:
        """First letters of all words, and of all but small ones, with blanks in their place."""
        parts = [part for word in self.sequence for part in HYPHEN.split(word) if part]
        small = self.document.stop_words
        return "".join(part[0] for part in parts), "".join(" " if part in small else part[0] for part in parts)

    def spells_out(self, acronym: str) -> bool:
        """Return True if words in a row begin with the letters of an acronym: "state of the art", SOTA."""
        of_all, of_large = self._initials
        if len(acronym) > 2:
            of_large = of_large.replace(" ", "")
        if known := acronyms().get(acronym):
            if "".join(known) in self.letters:  # "autoencoder" for "auto encoder"
                return True
            if self.knows(known[0]) and sum(map(self.knows, known)) >= LEAST_KNOWN * len(known):
                return True
        return acronym in of_large or (len(acronym) > 3 and acronym in of_all)

    @cached_property
    def acronyms(self) -> frozenset[str]:
        """Words in capitals, in lower case and without full stops; in sources without capitals, all but small words."""
        document = self.document
        if not self.cased:
            return self.vocabulary - document.stop_words
        spans = self.spans
        written = (POSSESSIVE.sub("", document.text[start:end]) for start, end in spans)
        return frozenset(word.replace(".", "").lower() for word in written if word.removesuffix("s").isupper())

    @cached_property
    def prefixes(self) -> frozenset[str]:
        """Beginnings of the words."""
        return frozenset(word[:SHARED_PREFIX] for word in self.vocabulary if len(word) >= SHARED_PREFIX)

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of the words."""
        stem = self.document.stem
        return frozenset(map(stem, self.vocabulary))

    @cached_property
    def letters(self) -> str:
        """All letters and figures, in lower case."""
        return letters(self.document.text)

    @cached_property
    def quantities(self) -> list[Quantity]:
        """All quantities in order, as they are written: "more than 600" does not bear out 646."""
        found = quantities(self.document.text, self.document.language, hedged=False)
        return sorted(found, key=lambda one: one.start)

    @cached_property
    def quantity_index(self) -> QuantityIndex:
        """The quantities, to be found by their values."""
        return QuantityIndex(self.quantities)

    def quantities_in(self, start: int, end: int) -> list[Quantity]:
        """Return the quantities that begin within a span."""
        first, last = (bisect.bisect_left(self.quantities, at, key=lambda one: one.start) for at in (start, end))
        return self.quantities[first:last]

    @cached_property
    def dates(self) -> frozenset[Date]:
        """All dates."""
        return frozenset(date for date, _ in dates(self.document.text))

    @cached_property
    def _holders(self) -> dict[str, NDArray[np.intp]]:
        """Indices of the sentences in which each term stands."""
        found: dict[str, list[int]] = defaultdict(list)
        for index, terms in enumerate(self.document.terms):
            for term in dict.fromkeys(terms):
                found[term].append(index)
        return {term: np.array(indices) for term, indices in found.items()}

    def _sums(self, weights: Mapping[str, float]) -> NDArray[np.float64]:
        """Return for each sentence the sum of the weights of the terms that stand in it."""
        sums = np.zeros(len(self.document.sentences))
        for term, weight in weights.items():
            if (holders := self._holders.get(term)) is not None:
                sums[holders] += weight
        return sums

    @cached_property
    def _wholeness(self) -> NDArray[np.float64]:
        """1 for what ends as a sentence does, `UNENDED` for a title, a line of a list or the head of a message."""
        text = self.document.text
        ended = (text[one.end - 1 : one.end] in _ENDS for one in self.document.sentences)
        return np.array([1.0 if whole else UNENDED for whole in ended])

    def weight(self, term: str) -> float:
        """Return how much a term tells: its inverse frequency among the sentences; most for one that is not there."""
        return math.log(1 + len(self.document.sentences) / (0.5 + len(self._holders.get(term, ()))))

    def support(self, terms: Sequence[str]) -> tuple[tuple[int, ...], tuple[float, ...]]:
        """Find the sentences that support one of a summary, greedily by the weight that each adds.

        Args:
            terms: Stems of the content words of the summary's sentence.

        Returns:
            Indices of the sentences, and the share from 0 to 1 of the weight that each adds.
        """
        weights = {term: self.weight(term) * count for term, count in Counter(terms).items()}
        total = sum(weights.values())
        chosen: list[int] = []
        shares: list[float] = []
        while weights and self.document.sentences and len(chosen) < MOST_EVIDENCE:
            gains = self._sums(weights)
            best = int((gains * self._wholeness).argmax())
            if gains[best] < max(LEAST_GAIN * total, sys.float_info.min):
                break
            chosen.append(best)
            shares.append(float(gains[best]) / total)
            found = set(self.document.terms[best])
            weights = {term: weight for term, weight in weights.items() if term not in found}
        return tuple(chosen), tuple(shares)

    def likeness(self, terms: Sequence[str], offset: int) -> float:
        """Return the share of the weight of stems that stands in the sentence at an offset or in the two around it.

        Stems that no source has do not count.
        """
        index = bisect.bisect_right(self.document.sentences, offset, key=lambda sentence: sentence.start) - 1
        near = chain(*self.document.terms[max(0, index - 1) : index + 2])
        wanted = self.stems.intersection(terms)
        total = sum(map(self.weight, wanted))
        return sum(map(self.weight, wanted.intersection(near))) / total if total else 1.0

    def evidence(self, claim: Claim) -> Iterator[Evidence]:
        """The supporting sentences of a claim, with their places in the single sources."""
        for index, share in zip(claim.evidence, claim.shares, strict=True):
            sentence = self.document.sentences[index]
            part = self.document.part_of(sentence.start)
            base = self.document.parts[part].start
            yield Evidence(part, sentence.start - base, sentence.end - base, self.document.show(sentence), share)

    def knows(self, word: str) -> bool:
        """Return True if a word in lower case, a part of it or another form of it stands in the sources."""
        stem = self.document.stem
        known = any(form in self.vocabulary or stem(form) in self.stems for form in forms(word))
        return known or word[:SHARED_PREFIX] in self.prefixes

    def labels(self, claim: Claim) -> Iterator[CheckedWord]:
        """The words of a claim with their labels."""
        near = {with_plain_apostrophes(word) for index in claim.evidence for word in self.document.words[index]}
        for start, end in claim.tokens:
            word = with_plain_apostrophes(claim.text[start:end].lower())
            known = self.knows(word) or word in self.document.stop_words
            yield CheckedWord(start, end, "copied" if word in near else "paraphrased" if known else "novel")


def claims(summary: Document, sources: Sources) -> Iterator[Claim]:
    """Yield the sentences of a summary with what supports them."""
    text = summary.text
    cased = text != text.lower() and text != text.upper()
    terms = sources.document.terms_of(summary.words)
    for sentence, found in zip(summary.sentences, terms, strict=True):
        stems = [stem for stem in found if any(map(str.isalpha, stem))]
        spans = token_spans(text, sentence.start, sentence.end, summary.language)
        evidence, shares = sources.support(stems)
        yield Claim(
            text=text,
            start=sentence.start,
            end=sentence.end,
            tokens=tuple((start, end) for start, end in spans if is_word(text[start:end])),
            terms=tuple(stems),
            cased=cased,
            evidence=evidence,
            support=sum(shares) if stems else 1.0,
            shares=shares,
        )
