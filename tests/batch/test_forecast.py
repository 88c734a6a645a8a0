"""What a batch will cost: its documents are counted, or estimated where the files are large."""

from __future__ import annotations

import gzip
import json
from importlib import import_module
from pathlib import Path

import pytest
from lanes_here import Pools

from nutgraf.batch.forecast import forecast, spread
from nutgraf.batch.named import sources_of
from nutgraf.batch.settings import Settings
from nutgraf.batch.sources import Item, Sources
from nutgraf.runtime import lines
from nutgraf.text.request import Request
from nutgraf.text.summary import Budget

LEAD = Settings(system="lead", request=Request(Budget(sentences=1)))
ROWS = 1009


def growing(folder: Path) -> list[Path]:
    """Files with the same rows, which grow: the first ones tell little of all."""
    texts = [f"The ferry {number} left. " + "It rained all day. " * (number // 10) for number in range(ROWS)]
    rows = "".join(json.dumps({"id": number, "text": text}) + "\n" for number, text in enumerate(texts))
    (folder / "a.jsonl").write_text(rows)
    (folder / "b.jsonl.gz").write_bytes(gzip.compress(rows.encode()))
    cells = "".join(f'{number},"{text}\n\n{text}"\n' for number, text in enumerate(texts))
    (folder / "c.csv").write_text(f"id,text\n{cells}")
    return sorted(folder.iterdir())


def one(path: Path) -> Sources:
    return sources_of([str(path)])


def test_a_forecast_counts_the_documents_and_tries_a_few(tmp_path: Path) -> None:
    for path in growing(tmp_path):
        found = forecast(one(path), LEAD, 2, pool=Pools())
        assert (found.documents, found.tried, found.failed, found.workers) == (ROWS, 64, 0, 2)
        assert str(found).startswith("documents  1,009 (64 were tried)\n")
        assert f"{found.documents * found.seconds / 3600:.3g} core hours" in str(found)


def test_documents_of_large_files_are_estimated_from_several_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("nutgraf.batch.forecast"), "MOST_COUNTED", 0)
    monkeypatch.setattr(lines, "_BLOCK", 1 << 12)
    for path in growing(tmp_path):
        found = forecast(one(path), LEAD, 2, pool=Pools())
        assert found.documents == pytest.approx(ROWS, rel=0.1)
        assert str(found).startswith("documents  about ")
    sizes = [item.size for item in one(tmp_path / "a.jsonl").sample(61)]
    assert (len(sizes), sizes) == (61, sorted(sizes))


def test_a_few_are_spread_evenly_over_all() -> None:
    items = [Item(number, str(number), "", "", 1) for number in range(103)]
    for most, places in [(1, [0]), (3, [0, 32, 64]), (7, [0, 8, 24, 40, 56, 72, 88]), (200, list(range(103)))]:
        count, kept = spread(items, most)
        assert (count, [item.position for item in kept]) == (103, places)
    assert spread([], 3) == (0, [])
