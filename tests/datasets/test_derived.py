"""Data sets made of the texts of others: gap sentences, permuted sentences, nonsense, oracle sentences."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from json_lines import write_lines
from nutgraf.datasets import Part, Record, datasets
from nutgraf.datasets.gap_sentences import principal
from nutgraf.datasets.nonsense import TASKS, copy, count, join, largest, order, quote, shorten
from nutgraf.errors import PresetError

STORY = [
    "The keeper closed the bridge.",
    "It rained.",
    "A boat came with salt.",
    "The keeper of the old bridge opened the bridge again.",
    "Nobody had paid.",
]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    write_lines(tmp_path / "train.jsonl", [{"id": "a", "text": " ".join(STORY)}, {"id": "b", "text": "It rained."}])
    return tmp_path / "train.jsonl"


def read(corpus: Path, kind: str, **options: Any) -> list[Record]:
    dataset = datasets.make(kind, **options)
    return list(dataset.examples(Part((corpus,))))


def test_the_principal_sentence_shares_most_with_the_rest() -> None:
    # words 5, 2, 5, 10, 3: beside the rest of 20, the first shares "the", "keeper", "the", "bridge"
    first, rain, *_ = scores = principal(STORY)
    assert first == pytest.approx(2 * 4 / (5 + 20))
    assert rain == 0
    assert scores.index(max(scores)) in (0, 3)
    assert scores[3] == pytest.approx(2 * 4 / (10 + 15))


def test_a_gap_is_masked_and_is_the_summary(corpus: Path) -> None:
    (record,) = read(corpus, "gap_sentences", gap_share=0.2, keep_share=0.0)
    assert record.document.printed == ["…", *STORY[1:]]
    assert record.references == ((STORY[0],),)


def test_a_gap_sentence_that_is_kept_can_be_copied(corpus: Path) -> None:
    (record,) = read(corpus, "gap_sentences", gap_share=0.4, keep_share=0.999)
    assert record.document.printed == STORY
    assert record.references == ((STORY[0], STORY[3]),)


def test_gap_sentences_may_be_those_of_the_lead(corpus: Path) -> None:
    (record,) = read(corpus, "gap_sentences", gap_share=0.4, keep_share=0.0, choice="lead", mask="")
    assert record.document.printed == STORY[2:]
    assert record.references == ((STORY[0], STORY[1]),)


def test_permuted_sentences_are_to_be_put_in_order(corpus: Path) -> None:
    (record,) = read(corpus, "permuted_sentences", seed=1)
    assert record.references == (tuple(STORY),)
    assert record.document.printed != STORY
    assert sorted(record.document.printed) == sorted(STORY)


def test_of_a_long_text_consecutive_sentences_are_drawn(corpus: Path) -> None:
    found = {read(corpus, "permuted_sentences", sentences=3, seed=seed)[0].references[0] for seed in range(20)}
    assert found == {tuple(STORY[begin : begin + 3]) for begin in range(3)}


@pytest.mark.parametrize("kind", ["gap_sentences", "permuted_sentences", "nonsense"])
def test_passes_draw_other_examples_and_a_seed_the_same(corpus: Path, kind: str) -> None:
    options = {"gap_share": 0.4, "choice": "random"} if kind == "gap_sentences" else {}
    first, again = (read(corpus, kind, passes=4, **options) for _ in range(2))
    assert first == again
    assert [record.id for record in first] == ["a", "a-1", "a-2", "a-3"]
    assert len({record.document.text for record in first}) > 1


def test_short_texts_are_counted_as_skipped(corpus: Path) -> None:
    why: list[str] = []
    list(datasets.make("gap_sentences").examples(Part((corpus,)), why.append))
    assert why == ["a text of too few sentences"]


def test_nonsense_has_the_words_of_the_text_and_none_of_its_sentences(corpus: Path) -> None:
    (record,) = read(corpus, "nonsense", seed=3)
    known = {word.strip(".").lower() for sentence in STORY for word in sentence.split()}
    cues = {"copy", "shorten", "number", "join", "count", "amount", ":", ",", '"', "."}
    written = {word for sentence in record.document.printed for word in sentence.split()}
    assert {word for word in written - cues if not word.isdigit()} <= known
    assert len(record.document.printed) == 16
    assert 1 <= len(record.references[0]) <= 3


def told(corpus: Path, *references: str) -> Path:
    row = {"id": "a", "text": " ".join(STORY), "summaries": [*references]}
    write_lines(corpus, [row if references else {"id": "a", "text": " ".join(STORY)}])
    return corpus


def test_oracle_sentences_are_the_sources_own_in_its_order(corpus: Path) -> None:
    """The last sentence is in the reference as a whole; then the first one adds "the keeper"."""
    (record,) = read(told(corpus, "Nobody had paid the keeper.", "It rained."), "oracle_sentences", sentences=2)
    assert record.references == ((STORY[0], STORY[4]),)
    assert record.document.printed == STORY
    (record,) = read(corpus, "oracle_sentences", sentences=1)
    assert record.references == ((STORY[4],),)


def test_oracle_sentences_end_within_the_words_that_are_read(corpus: Path) -> None:
    """The sentences end at words 5, 7, 12, 22 and 25."""
    told(corpus, "Nobody had paid the keeper.")
    found = {words: read(corpus, "oracle_sentences", source_words=words)[0].references[0] for words in (1, 21, 24, 25)}
    assert found[1] == found[21] == found[24] == (STORY[0],)
    assert found[25] == (STORY[0], STORY[4])


def test_without_a_reference_or_a_shared_word_there_is_no_oracle(corpus: Path) -> None:
    why: list[str] = []
    for references in ((), ("Quite otherwise",)):
        part = Part((told(corpus, *references),))
        assert list(datasets.make("oracle_sentences").examples(part, why.append)) == []
    assert why == ["an example without a reference", "a source that shares no word with its reference"]


def body() -> list[list[str]]:
    return [[f"{name}{number}" for number in range(6)] for name in "abcd"]


def test_each_task_asks_for_what_its_cues_say() -> None:
    draw = np.random.default_rng(0)
    made = body()
    assert copy(made, [1], draw) == body()[1]
    assert made[1] == ["copy", ":", *body()[1]]

    made = body()
    kept = shorten(made, [0], draw)
    assert made[0] == ["shorten", ":", *kept, ",", *body()[0][len(kept) :]]
    assert 2 <= len(kept) < 6

    made = body()
    quoted = quote(made, [2], draw)
    begin, end = (index for index, word in enumerate(made[2]) if word == '"')
    assert quoted == made[2][begin + 1 : end] != []

    made = body()
    ordered = order(made, [0, 1, 2, 3], draw)
    numbered = sorted(made, key=lambda sentence: int(sentence[1]))
    assert ordered == [word for sentence in numbered for word in sentence[3:6]]

    made = body()
    assert join(made, [1, 3], draw) == ["b0", "b1", "b2", "b3", "and", "d0", "d1", "d2", "d3"]
    assert [sentence[:2] == ["join", ":"] for sentence in made] == [False, True, False, True]

    made = body()
    word, times = count(made, [0, 1, 2, 3], draw)
    assert Counter(word for sentence in made for word in sentence)[word] == int(times) > 0

    made = body()
    name, most = largest(made, [0, 1, 2, 3], draw)
    assert int(most) == max(int(sentence[-1]) for sentence in made)
    assert next(sentence for sentence in made if sentence[-1] == most)[-3] == name
    assert len(TASKS) == 7


def test_a_data_set_is_not_made_of_one_that_is_made_of_another() -> None:
    with pytest.raises((PresetError, ValueError), match="texts"):
        datasets.make("gap_sentences", of={"kind": "nonsense"})
    with pytest.raises((PresetError, ValueError), match="4 times"):
        datasets.make("nonsense", sentences=8, tasks=3)
