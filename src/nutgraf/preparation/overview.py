"""A manifest as a table for people."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from nutgraf.datasets import SPLITS

HEAD = ("", "examples", "in", "out", "phrases", "cut", "unknown", "dropped")

WIDTH = 100

LEGEND = (
    "in, out: mean length of what the network reads and writes, in {unit}. phrases: mean number of highlighted places. "
    "cut: share of the documents that were longer. unknown: share of the source that the vocabulary does not know. "
    "dropped: examples that were passed over."
)

SPANS_LEGEND = (
    "in: mean length of what the network reads, in {unit}; out: mean number of what it classifies. cut: share of the "
    "examples that were longer. unknown: share of what is read that the vocabulary does not know. dropped: examples "
    "that were passed over."
)

SECTIONS = "Share of the examples that have a section of a class, counted in what is kept of them, before truncation."


def overview(manifest: Mapping[str, Any]) -> str:
    """Return the splits with their examples and lengths, why examples were dropped, and what else should be known."""
    splits: dict[str, Mapping[str, Any]] = manifest["splits"]
    unit = "words" if manifest["configuration"]["tokenizer"]["kind"] == "words" else "pieces"
    lines = _aligned([HEAD, *(_row(split, counts) for split, counts in splits.items())])
    legend = SPANS_LEGEND if "spans" in manifest else LEGEND
    lines += ["", *textwrap.wrap(legend.format(unit=unit), WIDTH), ""]
    lines += [_origins(split, counts) for split, counts in splits.items() if counts.get("origins")]
    if any("sections" in counts for counts in splits.values()):
        lines += [*_aligned(_sections(splits)), "", *textwrap.wrap(SECTIONS, WIDTH), ""]
    lines += [_written(split, counts, unit) for split, counts in splits.items() if counts.get("written")]
    for split, counts in splits.items():
        lines += [f"{split}: {count:,} dropped, {why}" for why, count in sorted(counts["dropped"].items())]
    lines += [f"There is no {split} data." for split in SPLITS if split not in splits]
    lines += [f"The splits were {how}." for how in dict.fromkeys(manifest.get("dealt", {}).values())]
    if "tokenizer_of" in manifest:
        lines.append(f"The tokenizer is that of {manifest['tokenizer_of']}; none was trained.")
    if "labels" in manifest["configuration"]:
        lines.append("The network writes nothing: what goes out are its labels.")
    if "candidates" in manifest["configuration"]:
        lines.append("The network writes nothing: what goes out are the summary and all candidates.")
    if manifest.get("oracle"):
        lines.append("The phrases are an oracle's: they were taken from the summaries, which nobody has beforehand.")
    return "\n".join(lines).rstrip()


def _row(split: str, counts: Mapping[str, Any]) -> tuple[str, ...]:
    examples, source = max(1, counts["examples"]), max(1, counts["source"])
    return (
        split,
        f"{counts['examples']:,}",
        f"{source / examples:.1f}",
        f"{counts['target'] / examples - 2:.1f}",  # without BOS and EOS
        f"{counts['places'] / examples:.1f}",
        f"{counts['cut'] / examples:.0%}",
        f"{counts['unknown'] / source:.1%}",
        f"{sum(counts['dropped'].values()):,}",
    )


def _written(split: str, counts: Mapping[str, Any], unit: str) -> str:
    """Return the shares of the summaries that the vocabulary and the sources lack."""
    unknown, new = (counts[name] / counts["written"] for name in ("unknown_written", "new_written"))
    return (
        f"{split}: of the {unit} of the summaries {unknown:.2%} are outside the vocabulary, and {new:.2%} are not in "
        "their source as it is read."
    )


def _origins(split: str, counts: Mapping[str, Any]) -> str:
    """Return how many examples are from each set, the largest first."""
    found = sorted(counts["origins"].items(), key=lambda pair: (-pair[1], pair[0]))
    return f"{split}: {', '.join(f'{name} {count:,}' for name, count in found)}."


def _sections(splits: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """Return the share of the examples with a section of each class; the class most have in training comes first."""
    tables = [counts.get("sections", {}) for counts in splits.values()]
    names = sorted({name for table in tables for name in table}, key=lambda name: (-tables[0].get(name, 0), name))
    examples = [max(1, counts["examples"]) for counts in splits.values()]
    shares = ((f"{table.get(name, 0) / of:.1%}" for table, of in zip(tables, examples, strict=True)) for name in names)
    return [("sections", *splits), *((name, *row) for name, row in zip(names, shares, strict=True))]


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    first, *others = (max(map(len, column)) for column in zip(*rows, strict=True))
    form = "  ".join([f"{{:<{first}}}", *(f"{{:>{width}}}" for width in others)])
    return [form.format(*row).rstrip() for row in rows]
