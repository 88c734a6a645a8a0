"""Cautions about an evaluation: there are few examples, or a network has seen them before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

FEW = 30
"""Number of examples below which a bootstrap says little."""

USES = {"train": "was trained on", "validation": "has weights that were chosen by"}
"""What a training did with the examples of a part."""


def of_few(examples: int) -> Iterator[str]:
    """Yield a caution where there are few examples."""
    if 0 < examples < FEW:
        only = f"is only {examples} example" if examples == 1 else f"are only {examples} examples"
        yield f"There {only}: intervals are wide, and differences say little. Take {FEW} or more."


def of_training(label: str, card: Mapping[str, Any], digests: Mapping[str, str], part: str | None) -> Iterator[str]:
    """Yield a caution where a network was trained on the files that it is evaluated on, or was chosen by them."""
    data = card.get("data", {})
    by_part: dict[str, dict[str, str]] = data.get("files", {})

    def shared(split: str | None) -> list[str]:
        known = set(by_part.get(split or "", {}).values())
        return [name for name, digest in digests.items() if digest in known]

    # A file that stands under several parts was split; then only the examples of the same part were seen.
    seen = [split for split in USES if shared(split) and (part in (None, split) or not shared(part))]
    if not seen:
        return
    unseen = ", ".join(by_part.get("test", {}))
    if shared("test"):
        way = f"--kind {data.get('dataset')} --part test takes those of them that it has not seen"
    elif unseen:
        way = f"it has not seen {unseen}"
    else:
        way = "its card names no test data; take another file"
    uses = " and ".join(USES[split] for split in seen)
    yield f"{label} {uses} examples of {', '.join(shared(seen[0]))}, so its figures here say little; {way}."
