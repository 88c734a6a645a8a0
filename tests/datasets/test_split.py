"""Splits that neither the file's order nor the machine changes."""

from __future__ import annotations

from collections import Counter

from nutgraf.datasets._splits import deal_as_mls

NAMES = [f"story-{number}" for number in range(100)]


def test_mls_splits_25_10_65() -> None:
    assert Counter(deal_as_mls(NAMES).values()) == {"train": 25, "validation": 10, "test": 65}


def test_the_split_belongs_to_the_names() -> None:
    parts = deal_as_mls(NAMES)
    assert deal_as_mls([*NAMES[::-1], *NAMES[:7]]) == parts
    # Figures are published with this very split: it must never change.
    kept = [name for name in NAMES if parts[name] == "validation"]
    assert kept == [f"story-{number}" for number in (7, 11, 17, 47, 50, 55, 57, 76, 78, 82)]
