"""YAKE. Campos et al., *YAKE! Keyword Extraction from Single Documents Using Multiple Local Features*, 2020.

Statistics of the document alone score each term: how often it is written with capitals, how early, how often and in how
many sentences it stands, and how many different neighbours it has. A low score S is good; `Phrase.score` is 1/S,
scaled. Candidates are n-grams that neither begin nor end with a stop word:

    S(t) = T_rel · T_pos / (T_case + T_tf / T_rel + T_sent / T_rel)
    S(kw) = Π S(t) / (KF(kw) · (1 + Σ S(t)))

A stop word inside a candidate has no score of its own: p being the share of the word before that it follows, times the
share of the word after that it precedes, the product gains the factor 2 - p and the sum loses 1 - p. The paper drops
candidates that are spelled nearly like a better one; we merge variants (`merge_variants`). Sentences, tokens and stop
words are the Document's. As in the authors' program, words of fewer than three characters count as stop words, and no
candidate contains a number.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nutgraf.keyphrases._candidates import (
    ExtractorConfig,
    Normalization,
    TaggedExtractor,
    form_ids,
    normal_forms,
    select,
)
from nutgraf.presets.ranges import PositiveInt
from nutgraf.text.document import Phrase
from nutgraf.text.graph import Floats, Integers
from nutgraf.text.tagging import Tagged
from nutgraf.text.tokenize import Span

SHORTEST = 3
"""Fewest characters of a word that is no stop word, in scripts with spaces."""

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Tokens:
    """Tokens of a document as arrays.

    Attributes:
        terms: Term of each token, from 0.
        sentences: Sentence of each token, from 0.
        chunks: Stretch between marks that each token stands in.
        plain: True for words of letters; marks, and words with digits in them, are False.
        stop: True for stop words.
        acronyms: True for words in capitals.
        names: True for capitalized words that are not the first of a sentence.
    """

    terms: Integers
    sentences: Integers
    chunks: Integers
    plain: Flags
    stop: Flags
    acronyms: Flags
    names: Flags


class Yake(TaggedExtractor):
    """N-grams, ranked by statistics of their words in the document alone."""

    @dataclass(frozen=True)
    class Config(ExtractorConfig):
        """YAKE."""

        window: PositiveInt = 1
        """Number of words on each side that count as neighbours of a word."""

        normalization: Normalization = "lower"
        """Form in which words are compared: "lower" case or "stem"."""

    config: Config
    tagger = "content"

    def rank(self, tagged: Tagged) -> list[Phrase]:
        """Extract phrases from tokens that are already tagged."""
        forms = normal_forms(tagged, self.config.normalization)
        tokens = as_tokens(tagged, forms)
        if not (tokens.plain & ~tokens.stop).any():
            return []
        spans, scores = self._candidates(tokens, term_scores(tokens, self.config.window))
        firsts = {tuple(forms[start:end]): (start, end) for start, end in spans}
        return select(tagged, forms, firsts, scores, self.config)

    def _candidates(self, tokens: Tokens, scores: Floats) -> tuple[list[Span], Floats]:
        """First token span of each candidate in order of the text, and 1/S(kw) of each."""
        usual = scores[tokens.terms]
        lacking = 1 - _bridge(tokens)
        factors = np.where(tokens.stop, 1 + lacking, usual)
        summands = np.where(tokens.stop, -lacking, usual)
        found = []
        shortest, longest = self.config.ngram_range
        for length in range(shortest, min(longest, len(usual)) + 1):
            first = _starts(tokens, length)
            if not first.size:
                break
            cells = first[:, None] + np.arange(length)
            sums = 1 + summands[cells].sum(axis=1)
            first, cells, sums = first[sums > 0], cells[sums > 0], sums[sums > 0]
            _, where, counts = np.unique(tokens.terms[cells], axis=0, return_index=True, return_counts=True)
            inverse = counts * sums[where] / factors[cells[where]].prod(axis=1)
            found.append(np.stack((first[where], first[where] + length, inverse)))
        begins, ends, values = np.concatenate(found, axis=1) if found else np.zeros((3, 0))
        order = np.lexsort((ends, begins))
        spans = zip(begins[order].astype(int).tolist(), ends[order].astype(int).tolist(), strict=True)
        return list(spans), values[order]


def as_tokens(tagged: Tagged, forms: list[str]) -> Tokens:
    """Return the tokens of a document as arrays; `forms` are their normal forms."""
    words = tagged.words
    plain = np.array([word.replace("-", "").isalpha() for word in words], dtype=bool)
    barred = [not _is_content(word, part) for word, part in zip(words, tagged.tags, strict=True)]
    starts = np.zeros(len(words), dtype=bool)
    starts[tagged.starts] = True
    marks = np.array([part == "PUNCT" for part in tagged.tags], dtype=bool)
    return Tokens(
        terms=form_ids(forms),
        sentences=np.cumsum(starts) - 1,
        chunks=np.cumsum(starts | marks),
        plain=plain,
        stop=np.array(barred, dtype=bool),
        acronyms=plain & np.array([word.isupper() for word in words], dtype=bool),
        names=plain & ~starts & np.array([word.istitle() for word in words], dtype=bool),
    )


def term_scores(tokens: Tokens, window: int) -> Floats:
    """S(t) of each term: low for terms that matter."""
    size = int(tokens.terms.max()) + 1
    frequencies = np.bincount(tokens.terms, minlength=size)
    counted = np.zeros(size, dtype=bool)
    counted[tokens.terms[tokens.plain & ~tokens.stop]] = True
    usual = frequencies[counted]
    relatedness = _relatedness(tokens, window, frequencies / frequencies[tokens.terms[tokens.plain]].max())
    acronyms = np.bincount(tokens.terms, tokens.acronyms, minlength=size)
    names = np.bincount(tokens.terms, tokens.names, minlength=size)
    case = np.maximum(acronyms, names) / (1 + np.log(frequencies))
    common = frequencies / (usual.mean() + usual.std())
    medians, sentences = _sentences(tokens, size)
    position = np.log(np.log(3 + medians))
    spread = sentences / (tokens.sentences[-1] + 1)
    return np.asarray(relatedness * position / (case + (common + spread) / relatedness), dtype=np.float64)


def _relatedness(tokens: Tokens, window: int, relative: Floats) -> Floats:
    """T_rel: 1 + (DL + DR) · TF / max TF; DL and DR are the shares of different neighbours on the left and right."""
    size = len(relative)
    lefts, rights = [], []
    for distance in range(1, min(window, len(tokens.terms) - 1) + 1):
        near = tokens.chunks[distance:] == tokens.chunks[:-distance]
        near &= tokens.plain[distance:] & tokens.plain[:-distance]
        lefts.append(tokens.terms[:-distance][near])
        rights.append(tokens.terms[distance:][near])
    if not lefts:
        return np.ones(size)
    left, right = np.concatenate(lefts), np.concatenate(rights)
    pairs = np.unique(left * size + right)
    shares = np.zeros(size)
    for every, different in ((left, pairs // size), (right, pairs % size)):
        total = np.bincount(every, minlength=size)
        shares += np.bincount(different, minlength=size) / np.maximum(total, 1)
    return 1 + shares * relative


def _sentences(tokens: Tokens, size: int) -> tuple[Floats, Integers]:
    """Median of the sentences of each term, and their number."""
    count = int(tokens.sentences[-1]) + 1
    pairs = np.unique(tokens.terms * count + tokens.sentences)
    where, numbers = pairs % count, np.bincount(pairs // count, minlength=size)
    starts = np.cumsum(numbers) - numbers
    return (where[starts + (numbers - 1) // 2] + where[starts + numbers // 2]) / 2, numbers


def _bridge(tokens: Tokens) -> Floats:
    """Share of the token before that a token follows, times the share of the token after that it precedes.

    0 where a chunk begins or ends.
    """
    terms = tokens.terms
    bridges = np.zeros(len(terms))
    if len(terms) < 3:
        return bridges
    size = int(terms.max()) + 1
    frequencies = np.bincount(terms)
    near = (tokens.chunks[1:] == tokens.chunks[:-1]) & tokens.plain[1:] & tokens.plain[:-1]
    codes, inverse = np.unique(terms[:-1] * size + terms[1:], return_inverse=True)
    counts = np.bincount(inverse, near, minlength=len(codes))[inverse] * near
    bridges[1:-1] = counts[:-1] / frequencies[terms[:-2]] * counts[1:] / frequencies[terms[2:]]
    return bridges


def _starts(tokens: Tokens, length: int) -> Integers:
    """Starts of the n-grams that may be candidates."""
    first = np.arange(len(tokens.terms) - length + 1)
    last = first + length - 1
    barred = np.concatenate(([0], np.cumsum(~tokens.plain)))
    fit = (barred[first + length] == barred[first]) & (tokens.chunks[first] == tokens.chunks[last])
    return np.asarray(first[fit & ~tokens.stop[first] & ~tokens.stop[last]])


def _is_content(word: str, part: str) -> bool:
    """Return True unless a word is a stop word, or as short as one."""
    return part == "NOUN" and (len(word) >= SHORTEST or word > "\u02ff")
