"""TextRank for phrases. Mihalcea and Tarau, *TextRank: Bringing Order into Texts*, EMNLP 2004, Sec. 3.

Nouns and adjectives that stand near each other recommend each other; the best third are keywords, and keywords that
stand side by side in the text become one phrase. The paper is silent on two things: distances are counted among the
words that pass the filter (as its Figure 2 suggests, and as pke does), and a phrase scores the sum of its words.

A document in a language without a tagger has runs of content words for candidates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nutgraf.keyphrases import Extractor
from nutgraf.keyphrases._candidates import (
    NAMES,
    RUN,
    Normalization,
    Overlong,
    Walk,
    as_phrases,
    everywhere,
    find_candidates,
    letters,
    limit,
    normal_forms,
    strongest,
)
from nutgraf.text.document import Document, Phrase
from nutgraf.text.graph import co_occurrences, pagerank
from nutgraf.text.tagging import Tagged, tag


class TextRank(Extractor):
    """Runs of keywords, by the sum of their words' shares in a random walk."""

    @dataclass(frozen=True)
    class Config(Walk):
        """
        window: words are neighbours if they stand less than this many filtered words apart (2 to 10 in the paper, 2 the
            best).
        keywords: the share of words that may form phrases; 1 lets all.
        overlong: what becomes of a phrase of more than `longest` words: "drop" it, or "trim" it to its last ones.
        """

        window: int = 2
        keywords: float = 1 / 3
        normalization: Normalization = "lower"
        overlong: Overlong = "drop"

        def __post_init__(self) -> None:
            super().__post_init__()
            if self.window < 2:
                raise ValueError(f"window must be 2 or more, not {self.window}.")
            if not 0 < self.keywords <= 1:
                raise ValueError(f"keywords must lie above 0 and be at most 1, not {self.keywords}.")

    def __init__(self, config: Config | None = None) -> None:
        self.config = config or self.Config()

    def __call__(self, document: Document) -> list[Phrase]:
        """See Extractor."""
        return self.rank(tag(document, self.config.tagger))

    def rank(self, tagged: Tagged) -> list[Phrase]:
        """The same, from tokens that are tagged already."""
        forms = normal_forms(tagged, self.config.normalization)
        spelled = letters(tagged, NAMES)
        keywords = self._keywords(forms, spelled)
        kept = "".join([letter if form in keywords else "." for letter, form in zip(spelled, forms, strict=True)])
        candidates = limit(find_candidates(RUN, kept, forms), self.config, self.config.overlong)
        scores = [sum([keywords[word] for word in form]) for form in candidates]
        chosen = strongest(candidates, scores, self.config.top)
        return as_phrases(tagged, chosen, everywhere(tagged, forms, chosen))

    def _keywords(self, forms: list[str], spelled: str) -> dict[str, float]:
        """The words that score best, with their scores."""
        words: dict[str, int] = {}
        nodes = [words.setdefault(form, len(words)) for form, tag in zip(forms, spelled, strict=True) if tag != "."]
        near = co_occurrences(np.array(nodes, dtype=int), np.arange(len(nodes)), self.config.window, len(words))
        near.data[:] = 1.0
        shares = pagerank(near, None, self.config.damping, self.config.tolerance)
        best = np.argsort(-np.round(shares, 12), kind="stable")[: max(1, int(self.config.keywords * len(words)))]
        names = list(words)
        return {names[index]: float(shares[index]) for index in best}
