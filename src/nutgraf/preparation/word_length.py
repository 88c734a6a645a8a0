"""Tokens per word of prepared summaries, by which a budget in words becomes a length that a network is told."""

from __future__ import annotations

from nutgraf.preparation.shards import Shards
from nutgraf.text.language import recognize
from nutgraf.text.tokenize import count_words

SAMPLED = 1000
"""Summaries that are counted, evenly chosen."""


def tokens_per_word(shards: Shards) -> float | None:
    """Return the number of tokens of the targets for each word that a budget counts; None if they have no words."""
    tokenizer, count = shards.tokenizer(), min(SAMPLED, len(shards))
    targets = [shards.target(at * len(shards) // count) for at in range(count)]
    texts = [tokenizer.text_of(target.ids.tolist()) for target in targets]
    language = recognize("\n".join(texts)) or "en"
    words = sum(count_words(text, language) for text in texts)
    return sum(target.length for target in targets) / words if words else None
