"""Documents whose sentences are shortened, by the network that is installed for it, or else by the odds of each kind.

`nutgraf.prose.shortening` finds the pieces that a sentence can do without. Which of them may go is what a network that
has read tells from the whole sentence; where it is not installed, the kind of a piece, its length and its place do. In
both cases a checker that is installed must find that the sentence says what is left of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate
from pathlib import Path

import numpy as np

from nutgraf.entailment.installed import installed_checker
from nutgraf.faithfulness.check import Checker
from nutgraf.faithfulness.sources import Sources, claims
from nutgraf.inference import Network, Reading, find_network, open_network
from nutgraf.prose.shortening import odds
from nutgraf.prose.shortening.features import features_of
from nutgraf.prose.shortening.pieces import Piece
from nutgraf.prose.shortening.shorten import Rate, shorten
from nutgraf.systems.steering import steer
from nutgraf.text.document import Document
from nutgraf.text.request import Request
from nutgraf.text.tokenize import Span, flatten

EDITOR = "editor"
"""Network that rates pieces."""


def edited(document: Document, request: Request) -> Document:
    """Return a document whose sentences are shortened as a request says; its highlights and question are kept."""
    asked = replace(request, compare=False, by=None, depth=None)
    steering = steer(document, asked)
    kept = [span for phrase in steering.phrases for span in phrase.spans]
    if steering.answering is not None:
        answer = document.sentences[steering.answering]
        kept.append((answer.start, answer.end))
    folder = find_network(EDITOR)
    rate: Rate = odds.rate if folder is None else _rater(folder)
    short = shorten(document, rate, request.edit, kept)
    checker = installed_checker(document.language)
    return short if checker is None else entailed(short, checker)


def entailed(document: Document, checker: Checker) -> Document:
    """Return a document in which those sentences are whole again of which a checker does not find the rest entailed."""
    places = [index for index, sentence in enumerate(document.sentences) if sentence.left_out]
    if not places:
        return document
    sentences = list(document.sentences)
    whole = _of_sentences((flatten(document.show(sentences[index])) for index in places), document.language)
    short = _of_sentences((document.printed[index] for index in places), document.language)
    sources = Sources(whole)
    for index, verdict in zip(places, checker(list(claims(short, sources)), sources), strict=True):
        if verdict is not None and verdict.verdict != "supported":
            sentences[index] = replace(sentences[index], left_out=())
    return replace(document, sentences=tuple(sentences))


def _of_sentences(texts: Iterable[str], language: str) -> Document:
    """Return a document of sentences, each a line."""
    lines = list(texts)
    ends = list(accumulate((len(line) + 1 for line in lines), initial=0))
    spans = [(start, start + len(line)) for start, line in zip(ends, lines, strict=False)]
    return Document.of("\n".join(lines), language=language, sentences=spans)


@lru_cache(maxsize=1)
def _rater(folder: Path) -> NetworkRater:
    return NetworkRater(open_network(folder))


class NetworkRater:
    """Rates pieces by a network and by the odds of their kinds: the mean of both in log odds.

    Each knows what the other does not; the labels that a network learns from are few.
    """

    def __init__(self, network: Network) -> None:
        self._network = network

    def __call__(self, sentences: Sequence[tuple[str, Sequence[Piece]]]) -> list[list[float]]:
        """Return the probability that each piece of each sentence may go; see `nutgraf.prose.shortening.shorten`."""
        return [self._rated(text, some) for text, some in sentences]

    def _rated(self, text: str, some: Sequence[Piece]) -> list[float]:
        words, card = self._network.words, self._network.card
        read = words.encode(text)
        row = words.row(read.ids)
        if len(row) > card.longest:
            return odds.rate([(text, some)])[0]
        items = [_item(read.spans, (one.start, one.end)) for one in some]
        features = np.array(features_of(text, some), dtype=np.float32) if card.features else None
        logits = self._network.logits(Reading([row], items, features))[:, 0]
        return [float(one) for one in 1 / (1 + np.exp(-(logits + odds.log_odds(text, some)) / 2))]


def _item(pieces: Sequence[Span], span: Span) -> list[list[tuple[int, int, int]]]:
    """Return the spans that the network rates a piece by: the piece, the rest of the sentence, and [CLS]."""
    inside = [place for place, (start, end) in enumerate(pieces, 1) if start < span[1] and end > span[0]]
    first, last = (inside[0], inside[-1] + 1) if inside else (1, 1)
    own = [(0, first, last)] if inside else []
    rest = [(0, start, end) for start, end in ((1, first), (last, len(pieces) + 1)) if start < end]
    return [own, rest, [(0, 0, 1)]]
