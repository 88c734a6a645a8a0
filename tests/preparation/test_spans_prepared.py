"""What networks that classify spans read: pairs, pieces of a sentence, windows of sentences; and their shards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from json_lines import write_lines
from nutgraf.datasets import Row, datasets
from nutgraf.errors import InputError, OutputError
from nutgraf.extractive.traits import WIDTH, traits
from nutgraf.preparation import overview, prepare
from nutgraf.preparation.source import BOS, EOS
from nutgraf.preparation.span_shards import SpanShards, open_shards
from nutgraf.preparation.tasks import SpanExample, tasks
from nutgraf.preparation.tasks.deletions import spans_of_piece
from nutgraf.preparation.tasks.selection import labels_of
from nutgraf.text.document import Document
from nutgraf.tokenizers.wordpiece import Config, WordPiece
from tiny_spans import tiny_spans, write_deletions, write_documents, write_pairs

WORDS = ["the", "ferry", "left", "at", "noon", ".", ",", "late"]


def tokenizer() -> WordPiece:
    made = WordPiece(Config(vocab_size=30))
    made.set_vocabulary([*made.tokens, *WORDS])
    return made


def ids(text: str) -> list[int]:
    return list(tokenizer().encode(text).ids)


def examples(kind: str, entry: dict[str, Any], **options: Any) -> tuple[list[SpanExample], list[str]]:
    task, dropped = tasks.make(kind, **options), list[str]()
    dataset = datasets.make(task.dataset or "jsonl")
    return list(task.examples(Row(Path("a.jsonl"), 1, entry), dataset, tokenizer(), dropped.append)), dropped


def pair(premise: str, hypothesis: str, **more: Any) -> dict[str, Any]:
    return {"premise": premise, "hypothesis": hypothesis, "label": "contradiction", **more}


def test_a_pair_is_a_row_of_two_texts() -> None:
    (made,), _ = examples("pairs", pair("The ferry left.", "Noon."), class_weights=[1.0, 1.0, 3.0])
    assert made.rows == [[BOS, *ids("The ferry left."), EOS, *ids("Noon."), EOS]]
    assert made.spans == [[[(0, 0, 1)], [(0, 6, 8)]]]
    assert (list(made.labels), list(made.weights), made.cut) == ([2], [3.0], False)


def test_evidence_is_cut_and_a_sentence_never() -> None:
    (made,), _ = examples("pairs", pair("The ferry left at noon.", "Noon."), longest=8)
    assert made.rows == [[BOS, *ids("The ferry left"), EOS, *ids("Noon."), EOS]]
    assert made.cut
    found, dropped = examples("pairs", pair("The ferry left at noon.", "The ferry left at noon."), longest=10)
    assert (found, len(dropped)) == ([], 1)
    (short,), _ = examples("pairs", pair("Late.", "The ferry left at noon."), longest=11)
    assert not short.cut, "a short premise has room beside a long sentence"


def test_a_piece_stands_beside_the_rest_of_its_sentence() -> None:
    """The ferry | , late | , left: tokens 1 to 7, the piece tokens 3 and 4."""
    tokens = tokenizer().encode("The ferry, late, left.").spans
    assert spans_of_piece(tokens, (9, 15)) == [[(0, 3, 5)], [(0, 1, 3), (0, 5, 8)], [(0, 0, 1)]]
    assert spans_of_piece(tokens, (0, 3)) == [[(0, 1, 2)], [(0, 2, 8)], [(0, 0, 1)]]
    assert spans_of_piece(tokens, (10, 11)) is None


def test_a_sentence_without_a_piece_or_longer_than_a_row_is_left_out() -> None:
    entry = {"sentence": "The ferry, late, left.", "spans": [[9, 15], [10, 11]], "labels": [1, 0]}
    (made,), _ = examples("deletions", entry)
    assert list(made.labels) == [1]
    assert examples("deletions", {**entry, "spans": [], "labels": []}) == ([], ["no piece with a word"])
    assert examples("deletions", entry, longest=8)[0] == []


def test_labels_are_shares_of_the_references_whose_oracle_takes_a_sentence() -> None:
    document = Document.of("The ferry left. Gulls watched. It was noon.", language="en")
    taken, gains = labels_of(document, [["The ferry left."], ["The ferry left at noon."]], 3)
    assert taken[0] == 1.0
    assert taken[1] == 0.0
    assert gains == pytest.approx([3.0, 0.0, (0 + 1 / 3) / 2])


def test_traits_say_where_a_sentence_stands_and_how_it_is_rated() -> None:
    text = "The ferry left at noon on Monday. Who saw it? Two gulls watched the ferry. It was late."
    document = Document.of(text, language="en")
    found = traits(document, np.array([1.0, 0.0, 3.0, 2.0]), "article")
    assert found.shape == (4, WIDTH)
    assert found[:, :4].tolist() == np.eye(4).tolist(), "the first sentences have a trait each"
    assert np.abs(found).max() <= 4.0
    other = traits(document, np.array([1.0, 0.0, 3.0, 2.0]) * 10 + 5, "article")
    np.testing.assert_allclose(found, other, atol=1e-6)
    alone = traits(Document.of("The ferry left.", language="en"), np.array([1.0]), "article")
    assert np.isfinite(alone).all()


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    pytest.importorskip("tokenizers")
    pytest.importorskip("torch")
    folder = tmp_path_factory.mktemp("prepared")
    for name, write in (("checker", write_pairs), ("editor", write_deletions), ("selector", write_documents)):
        prepare(tiny_spans(name), write(folder / name), folder / f"{name}.data", workers=1)
    return {name: folder / f"{name}.data" for name in ("checker", "editor", "selector")}


@pytest.mark.parametrize("name", ["checker", "editor", "selector"])
def test_shards_give_back_what_was_prepared(prepared: dict[str, Path], name: str) -> None:
    shards = open_shards(prepared[name], "train", tiny_spans(name))
    assert isinstance(shards, SpanShards)
    assert len(shards) == {"checker": 6, "editor": 2, "selector": 3}[name]
    batch = shards.batch(range(len(shards)))
    assert batch.counts.sum() == sum(len(shards.example(at).labels) for at in range(len(shards)))
    assert batch.source[:, 0].tolist() == [BOS] * len(batch.source)
    assert overview(shards.manifest)


def test_the_best_rated_sentences_are_scored_up_to_the_length_of_the_reference(prepared: dict[str, Path]) -> None:
    """The reference has 12 words; the ferry's first sentence has 8, and with the third, of 8, it is long enough."""
    from nutgraf.metrics import Example, metrics
    from nutgraf.preparation.scoring import SelectionScorer

    shards = SpanShards.open(prepared["selector"], "train", tiny_spans("selector"))
    sentences, (reference,) = shards.item_texts(0), shards.references(0)
    found = SelectionScorer(shards)(0, [0.9, 0.1, 0.5, 0.2])
    rouge = metrics.make("rouge", variants=("1", "2"))
    assert found == rouge(Example([sentences[0], sentences[2]], [reference]))


def test_the_report_says_how_many_are_from_each_set(prepared: dict[str, Path]) -> None:
    manifest = SpanShards.open(prepared["checker"], "train", tiny_spans("checker")).manifest
    assert manifest["splits"]["train"]["origins"] == {"set 0": 3, "set 1": 3}
    assert "set 0 3" in overview(manifest)


def test_a_set_has_no_more_examples_than_was_asked_for(tmp_path: Path) -> None:
    pytest.importorskip("tokenizers")
    pytest.importorskip("torch")
    made = prepare(tiny_spans("checker", **{"task.most": 2}), write_pairs(tmp_path / "in"), tmp_path / "out", workers=1)
    assert made["splits"]["train"]["origins"] == {"set 0": 2, "set 1": 2}
    with pytest.raises(OutputError, match="most"):
        prepare(tiny_spans("checker"), tmp_path / "in", tmp_path / "out", workers=1)


def test_files_without_a_split_are_split_together_and_a_premise_is_on_one_side(tmp_path: Path) -> None:
    for name in ("snli_dev", "mnli_test"):
        write_lines(tmp_path / f"{name}.jsonl", [pair(f"Ferry {at // 3} left.", f"{name} {at}") for at in range(120)])
    dataset = datasets.make("pairs")
    parts = dataset.splits(tmp_path)
    found = {split: {one.document.text for one in dataset.examples(part)} for split, part in parts.items()}
    assert sorted(found) == ["test", "train", "validation"]
    assert sum(map(len, found.values())) == 40
    assert sum(len(list(dataset.examples(part))) for part in parts.values()) == 240


@pytest.mark.parametrize(
    "column", [{"source": [2] * 3}, {"stretches": "span"}, {"labels": []}, {"weights": [float("nan")] * 6}]
)
def test_damaged_columns_are_refused(prepared: dict[str, Path], tmp_path: Path, column: dict[str, Any]) -> None:
    import shutil

    folder = tmp_path / "data"
    shutil.copytree(prepared["checker"], folder)
    (name, values), place = next(iter(column.items())), folder / "train"
    array, ends = np.load(place / f"{name}.npy"), np.load(place / f"{name}.ends.npy")
    if name == "stretches":
        array["last"] += 99
    else:
        array, ends = np.array(values, dtype=array.dtype), np.minimum(ends, len(values))
        ends[-1] = len(values)
    np.save(place / f"{name}.npy", array)
    np.save(place / f"{name}.ends.npy", ends)
    with pytest.raises(InputError, match="damaged"):
        open_shards(folder, "train", tiny_spans("checker")).batch(range(6))
