"""Nearness of sentences to a question, by vectors of a network, where the distribution nutgraf-minilm is installed.

Words that are not those of the question can mean what it asks for: "How was it paid?", "The money came from tickets."
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from nutgraf.inference import ENCODER, TextEncoder, find_network, open_encoder
from nutgraf.inference.network import Floats

LANGUAGES = frozenset({"en"})
"""Languages that the network has read."""


def nearness(language: str, question: str, sentences: Sequence[str]) -> list[float] | None:
    """Return the cosine of each sentence with a question.

    Args:
        language: ISO 639-1 code of the texts.
        question: The question.
        sentences: The sentences.

    Returns:
        None where the network is not installed, or does not know the language.

    Raises:
        InputError: If the installed network is damaged.
    """
    if language not in LANGUAGES or not sentences or find_network(ENCODER) is None:
        return None
    asked = _vector(question)
    return [float(asked @ _vector(one)) for one in sentences]


@lru_cache(maxsize=1 << 12)
def _vector(text: str) -> Floats:
    """Return the vector of a text, which the next question about it needs, too."""
    found: Floats = _encoder().vectors([text])[0]
    return found


@lru_cache(maxsize=1)
def _encoder() -> TextEncoder:
    return open_encoder()
