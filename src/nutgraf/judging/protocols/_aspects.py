"""Aspects of summaries, shared by the protocols that ask about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nutgraf.errors import InputError
from nutgraf.judging.design import balanced_orders, judges_of_items
from nutgraf.judging.records import Item

MEANINGS: Mapping[str, str] = {
    "coherence": "Its sentences follow from each other.",
    "consistency": "It says nothing that the document does not say.",
    "fluency": "It is well written, without mistakes of grammar.",
    "importance": "It tells the most important facts of the document.",
    "informativeness": "It tells what matters in the document.",
    "non-redundancy": "It says nothing twice.",
    "overall": "It is the summary that you would rather have.",
    "readability": "It is easy to read and to understand.",
}
"""Known aspects, each with a sentence that is true of a good summary; others are shown by their names alone."""

NOISE = 0.5**0.5
"""Standard deviation of one perception of a simulated judge; that of a difference is one."""


def check_aspects(aspects: Sequence[str]) -> None:
    """Raise ValueError if there is no aspect, or one is named twice or holds what separates columns."""
    odd = [one for one in aspects if not one.strip() or any(sign in one for sign in "(),\n")]
    if not aspects or odd or len(set(aspects)) < len(aspects):
        raise ValueError(f"aspects must be different words, one or more, not {list(aspects)}.")


def prompt(aspect: str) -> str:
    """Return the text that judges read about an aspect."""
    meaning = MEANINGS.get(aspect, "")
    return f"{aspect[:1].upper()}{aspect[1:]}{f': {meaning}' if meaning else ''}"


def orders_for(
    items: Sequence[Item], systems: Sequence[str], judges: int, per_item: int, generator: np.random.Generator
) -> list[tuple[int, str, tuple[str, ...]]]:
    """Return a task for each document and each of its judges, with the systems in balanced order.

    Raises:
        InputError: If a document cannot have as many judges.
    """
    try:
        chosen = judges_of_items(len(items), judges, per_item or judges, generator)
    except ValueError as error:
        raise InputError(f"{error} Name more with --judges, or set judges_per_item=0 for all.") from None
    orders = balanced_orders(len(items), judges, len(systems), generator)
    return [
        (judge, item.id, tuple(systems[one] for one in orders[judge, place]))
        for place, item in enumerate(items)
        for judge in chosen[place]
    ]


def perceived(
    order: Sequence[str], quality: Mapping[str, float], generator: np.random.Generator
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the qualities of summaries as a simulated judge perceives them once, in the order shown."""
    return np.array([quality[name] for name in order]) + NOISE * generator.standard_normal(len(order))
