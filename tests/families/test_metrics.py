"""The contract of metrics, over every file of the folder."""

from __future__ import annotations

import pytest
from members import members

from nutgraf.metrics import Example, Metric, metrics
from nutgraf.text.document import Document
from nutgraf.version import __version__

TEXT = Document.of(
    "The ferry left the island at noon in thick fog. Nobody on the pier could see its lights. "
    "The captain knew the rocks and steered by the sound of the bell. Everyone was happy when the harbour appeared.",
    language="en",
)
OTHERS = [
    ["The captain steered by the bell.", "Nobody was happy."],
    ["Bread is baked at dawn.", "Terrible, awful bread."],
    TEXT.printed[1:3],
    TEXT.printed[:3],
]


@pytest.fixture(params=members(metrics))
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A tiny model, for a metric that compares by one."""
    pytest.importorskip("transformers")
    import tiny_embeddings

    words = {word for sentences in (*OTHERS, TEXT.printed) for sentence in sentences for word in sentence.split()}
    return str(tiny_embeddings.random(tmp_path_factory.mktemp("metrics") / "tiny", words))


@pytest.fixture
def metric(kind: str, request: pytest.FixtureRequest) -> Metric:
    return made(kind, request)


def made(kind: str, request: pytest.FixtureRequest) -> Metric:
    """A metric with its defaults; one that compares embeddings has a tiny model."""
    if not metrics.find(kind).embeds:
        return metrics.make(kind)
    from nutgraf.systems.embedding import read_embedder

    return metrics.make(kind, read_embedder, folder=request.getfixturevalue("folder"))


def example(hypothesis: list[str]) -> Example:
    return Example(hypothesis, (TEXT.printed,), TEXT)


def test_each_column_has_a_direction(metric: Metric) -> None:
    assert metric.directions
    assert set(metric.directions.values()) <= {"higher", "lower", "descriptive"}
    assert list(metric(example(OTHERS[0]))) == list(metric.directions)


def test_columns_belong_to_one_metric_only(request: pytest.FixtureRequest) -> None:
    columns = [column for name in members(metrics) for column in made(name, request).directions]
    assert len(columns) == len(set(columns))


def test_a_text_against_itself_scores_best(metric: Metric) -> None:
    best = metric(example(TEXT.printed))
    for other in (metric(example(hypothesis)) for hypothesis in OTHERS):
        for column, direction in metric.directions.items():
            ours, theirs = best[column], other[column]
            if ours is None or theirs is None or direction == "descriptive":
                continue
            assert ours >= theirs if direction == "higher" else ours <= theirs, column


def test_shares_lie_between_0_and_1(metric: Metric) -> None:
    for hypothesis in (*OTHERS, TEXT.printed):
        for value in metric(example(hypothesis)).values():
            assert value is None or 0 <= value <= (1 if metric.scale == 100 else float("inf"))


def test_the_signature_names_the_version_and_the_settings(metric: Metric) -> None:
    assert metric.signature.endswith(f"|v{__version__}")
    assert "\n" not in metric.signature


@pytest.mark.parametrize("hypothesis", [[], [""], ["  "], ["…", "!"], ["\u200b"]])
def test_an_empty_hypothesis_does_not_raise(metric: Metric, hypothesis: list[str]) -> None:
    assert list(metric(example(hypothesis))) == list(metric.directions)


def test_empty_references_and_sources_do_not_raise(metric: Metric) -> None:
    empty = Document.of("", language="en")
    for one in (Example(["A text."], ((),), empty), Example([], (("",),), empty), Example([], ((), ("A.",)), empty)):
        assert list(metric(one)) == list(metric.directions)


def test_twice_gives_the_same(metric: Metric, kind: str, request: pytest.FixtureRequest) -> None:
    again = made(kind, request)
    assert metric(example(OTHERS[0])) == metric(example(OTHERS[0])) == again(example(OTHERS[0]))
