"""A network in a batch: documents of like length share its batches, and each gets the summary that it gets alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lanes_here import Pools
from test_batch import files, results

from nutgraf.batch.named import sources_of
from nutgraf.batch.run import run
from nutgraf.batch.settings import Settings
from nutgraf.runtime.workers import local_lanes
from nutgraf.text.document import Document

pytest.importorskip("torch")


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Three short documents, three long ones, and one without a sentence, in turn."""
    from tiny_network import NOTICES

    texts = [text for text, _ in NOTICES]
    long = [f"{text} {other}" for text, other in zip(texts, [*texts[1:], texts[0]], strict=True)]
    both = [one for pair in zip(texts, long, strict=True) for one in pair]
    return {f"d{number}": text for number, text in enumerate([*both[:3], "", *both[3:]])}


def test_a_network_summarizes_the_documents_of_a_task_together(
    trained: Path, documents: dict[str, str], tmp_path: Path
) -> None:
    from nutgraf.runtime.hardware import Compute
    from nutgraf.systems import load_with

    data = tmp_path / "data.jsonl"
    data.write_text("\n".join(json.dumps({"id": key, "text": text}) for key, text in documents.items()))
    settings, here = Settings(system=str(trained), compute=Compute(deterministic=True, device="cpu")), Pools()
    made = run(sources_of([str(data)]), tmp_path / "here", settings, workers=1, pool=here)
    assert (made.summaries, made.dead_letters) == (6, 1)
    assert [len(task) for task in here.tasks] == [7]
    alone: Any = load_with(str(trained), (), False, settings.compute)
    assert {one["id"]: one["summary"] for one in results(tmp_path / "here")} == {
        key: alone(Document.of(text)).text for key, text in documents.items() if text
    }
    run(sources_of([str(data)]), tmp_path / "processes", settings, workers=2, pool=local_lanes)
    assert files(tmp_path / "processes") == files(tmp_path / "here")
