"""Spans of texts are hidden, and a network learns to write them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpus import preset

from json_lines import write_lines
from nutgraf.datasets import Masking, datasets
from nutgraf.errors import PresetError
from nutgraf.preparation import EncodedSource, EncodedTarget, Shards, overview, prepare
from nutgraf.preparation.masking import Masker
from nutgraf.text.document import Document
from nutgraf.tokenizers import SPECIAL_TOKENS, Tokenizer, tokenizers

WORDS = "one two three four five six seven eight nine ten eleven twelve"
"""Twelve words; the tokenizer of these tests knows all but the last."""


def tokenizer(size: int = len(SPECIAL_TOKENS) + 11) -> Tokenizer:
    made = tokenizers.make("words", vocab_size=size)
    made.train([" ".join(WORDS.split()[: at + 1]) for at in range(12)])
    return made


def masked(text: str = WORDS, length: int = 12, **masking: Any) -> list[tuple[EncodedSource, EncodedTarget]]:
    options = {"block_size": 5, "masked_share": 0.5, "keep_share": 0.0, "random_share": 0.0, **masking}
    return list(Masker(Masking(**options), tokenizer(), length)(Document.of(text, language="en")))


def restored(source: EncodedSource, target: EncodedTarget) -> list[int]:
    """Return the text with the target put back into its hidden spans."""
    assert target.places is not None
    ids = source.extended.copy()
    wanted = target.extended != 0
    ids[target.places[wanted]] = target.extended[wanted]
    return [int(one) for one in ids]


class TestSpans:
    def test_a_span_of_each_block_is_hidden_and_written_at_its_own_places(self) -> None:
        ((source, target),) = masked()
        whole = tokenizer().encode(WORDS).ids
        assert target.places is not None
        # Behind the first word: five, five and one words. Half of five is two; of one, none.
        assert len(target.ids) == 2 * (1 + 2)
        first, second = target.places.reshape(2, 3).tolist()
        assert 0 <= first[0] < first[2] <= 5 <= second[0] < second[2] <= 10
        for places in (first, second):
            assert places == list(range(places[0], places[0] + 3))
        assert [whole[place] for place in target.places] == target.ids.tolist()
        hidden = [*first[1:], *second[1:]]
        assert [at for at, number in enumerate(source.ids[:11]) if number == 1] == hidden
        assert np.flatnonzero(target.extended == 0).tolist() == [0, 3]
        assert target.length == 4

    def test_where_a_span_begins_is_drawn_from_all_places(self) -> None:
        found = [masked(f"{WORDS} {number}", length=6)[0][1].places for number in range(60)]
        assert {int(places[1]) for places in found if places is not None} == {1, 2, 3, 4}

    @pytest.mark.parametrize("keep", [0.0, 0.3])
    def test_the_text_can_be_had_back(self, keep: float) -> None:
        for source, target in masked(WORDS * 3, passes=5, keep_share=keep, random_share=0.3):
            known = [one if one < len(tokenizer()) else 1 for one in restored(source, target)]
            assert known in [list(tokenizer().encode(WORDS * 3).ids[at : at + 12]) for at in (0, 12, 24)]

    def test_an_unknown_word_keeps_its_id_where_it_is_seen_and_none_where_it_is_hidden(self) -> None:
        for source, target in masked("twelve one twelve", block_size=2, passes=9):
            assert source.unknown == ("twelve",)
            above = len(tokenizer())
            assert restored(source, target) == [above, source_id("one"), above]
            assert {1, above} >= set(source.extended.tolist()) - {source_id("one")}

    def test_eight_in_ten_are_masked_one_is_seen_and_one_is_another(self) -> None:
        hidden: list[int] = []
        for number in range(300):
            for source, target in masked(
                f"{number} {WORDS}", length=13, block_size=64, keep_share=0.1, random_share=0.1, masked_share=1.0
            ):
                assert target.places is not None
                whole, seen = target.ids[1:-1], source.ids[target.places[1:-1]]  # the last word is unknown
                hidden += np.where(seen == 1, 0, np.where(seen == whole, 1, 2)).tolist()
        shares = np.bincount(hidden) / len(hidden)
        # One in eleven of those that are drawn is the same by chance.
        assert shares == pytest.approx([0.8, 0.1 + 0.1 / 11, 0.1 - 0.1 / 11], abs=0.03)

    def test_a_long_text_makes_several_and_a_short_one_none(self) -> None:
        assert [len(source.ids) for source, _ in masked(WORDS, length=5)] == [5, 5]
        assert masked("one") == []

    def test_documents_of_one_input_are_texts_of_their_own(self) -> None:
        from nutgraf.text.document import join

        both = join([Document.of("one two three four", language="en"), Document.of("five six seven", language="en")])
        found = list(Masker(Masking(block_size=5), tokenizer(), 12)(both))
        assert [len(source.ids) for source, _ in found] == [4, 3]

    def test_passes_hide_other_spans_and_the_seed_decides_which(self) -> None:
        once, twice = masked(WORDS * 2, 24, passes=4), masked(WORDS * 2, 24, passes=4)
        assert [one.ids.tolist() for one, _ in once] == [one.ids.tolist() for one, _ in twice]
        assert len({tuple(one.ids) for one, _ in once}) > 1
        other = masked(WORDS * 2, 24, passes=4, seed=1)
        assert [one.ids.tolist() for one, _ in once] != [one.ids.tolist() for one, _ in other]

    def test_a_vocabulary_with_a_mask_of_its_own_uses_it(self) -> None:
        known = tokenizer()
        assert known.mask_id == 1
        known.train(["<mask> and <mask>"])
        assert known.tokens[known.mask_id] == "<mask>"

    @pytest.mark.parametrize(
        "options", [{"block_size": 1}, {"masked_share": 0.0}, {"keep_share": 0.6, "random_share": 0.5}, {"passes": 0}]
    )
    def test_what_makes_no_sense_is_refused(self, options: dict[str, Any]) -> None:
        with pytest.raises(PresetError, match=next(iter(options))):
            datasets.make("masked_spans", **options)


def source_id(word: str) -> int:
    return tokenizer().encode(word).ids[0]


STORIES = [
    "The ferry Agnes left Tremouth at noon on Monday. It carried forty passengers and a piano.",
    "The swing bridge of Ossington is closed until May. Rust was found in two bearings. Walkers can cross by boat.",
    "Blackbirds in Lindow sing earlier than those in the forest. Dr. Harrow counted them for six years.",
]


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    folder = tmp_path / "texts"
    folder.mkdir()
    for number, story in enumerate(STORIES * 2):
        (folder / f"story{number}.txt").write_text(f"{story} It was day {number}.\n")
    return folder


def spans(**sections: Any) -> Any:
    dataset = {"kind": "masked_spans", "block_size": 8, "passes": 2}
    return preset(dataset=dataset, keyphrases=None, truncation={"source": 20}, **sections)


class TestCorpus:
    def test_text_files_are_dealt_out(self, texts: Path, tmp_path: Path) -> None:
        manifest = prepare(spans(), texts, tmp_path / "out", workers=1)
        counted = {split: of["examples"] for split, of in manifest["splits"].items()}
        assert set(counted) == {"train", "validation", "test"}
        assert manifest["configuration"]["dataset"]["passes"] == 2
        shards = Shards.open(tmp_path / "out")
        made = Masker(datasets.build(spans().options("dataset")).masking, shards.tokenizer(), 20)  # type: ignore
        story = next(one for one in texts.iterdir() if one.read_text().startswith(STORIES[0][:9]))
        expected = [t.ids.tolist() for _, t in made(Document.of(story.read_text().strip(), language="en"))]
        kept = [shards.target(index).ids.tolist() for index in range(len(shards))]
        assert all(one in kept for one in expected) or "train" not in story.name

    def test_what_is_kept_is_what_was_made(self, texts: Path, tmp_path: Path) -> None:
        prepare(spans(), texts, tmp_path / "out", workers=1)
        shards = Shards.open(tmp_path / "out")
        for index in range(len(shards)):
            source, target = shards.source(index), shards.target(index)
            assert target.places is not None
            starts = np.flatnonzero(target.extended == 0)
            assert starts[0] == 0
            assert (np.diff(target.places)[np.setdiff1d(np.arange(len(target.ids) - 1), starts[1:] - 1)] == 1).all()
            assert (source.ids[target.places[starts]] == target.ids[starts]).mean() > 0.5
        assert sum(shards.target(index).length for index in range(len(shards))) == pytest.approx(
            0.5 * sum(len(shards.source(index).ids) for index in range(len(shards))), rel=0.2
        )

    def test_other_corpora_give_their_texts(self, tmp_path: Path) -> None:
        entries = [{"id": str(at), "article": story, "highlights": "A story."} for at, story in enumerate(STORIES)]
        write_lines(tmp_path / "corpus.jsonl", entries)
        dataset = {"kind": "masked_spans", "block_size": 8, "of": {"kind": "cnn_dailymail"}}
        manifest = prepare(
            preset(dataset=dataset, keyphrases=None), tmp_path / "corpus.jsonl", tmp_path / "out", workers=1
        )
        assert manifest["splits"]["train"]["examples"] == 1
        assert "1 dropped" not in overview(manifest)

    def test_phrases_and_hidden_spans_do_not_go_together(self, texts: Path, tmp_path: Path) -> None:
        with pytest.raises(PresetError, match=r"leave \[keyphrases\] out"):
            prepare(preset(dataset={"kind": "masked_spans"}), texts, tmp_path / "out")

    def test_a_text_file_is_taken_in_pieces_of_whole_paragraphs(self, tmp_path: Path) -> None:
        long = "\n\n".join(f"Paragraph {number} " + "goes on " * 150 for number in range(7))
        (tmp_path / "book.txt").write_text(long)
        rows = list(datasets.make("texts").rows(tmp_path / "book.txt"))
        assert [len(row.entry["text"].split()) for row in rows] == [4 * 302, 3 * 302]
        assert "".join(row.entry["text"] for row in rows).split() == long.split()

    def test_it_is_not_made_of_itself(self) -> None:
        with pytest.raises(PresetError, match="data set"):
            datasets.make("masked_spans", of={"kind": "masked_spans"})


class TestLearning:
    def test_positions_are_those_of_the_text(self, texts: Path, tmp_path: Path) -> None:
        torch = pytest.importorskip("torch")
        from nutgraf.model.layers import Embedding, EmbeddingConfig, Size

        prepare(spans(), texts, tmp_path / "out", workers=1)
        shards = Shards.open(tmp_path / "out")
        batch = shards.batch([0, 1])
        assert batch.target_positions is not None
        assert batch.decoder_positions is not None
        assert batch.decoder_input.shape == batch.decoder_positions.shape == batch.labels.shape
        assert batch.labels_mask[:, shards.target(0).extended[1:].tolist().index(0)].any()
        embedding = Embedding(EmbeddingConfig(position_embedding="learned"), Size(70, 6, 2, 0.0), 23)
        torch.nn.init.zeros_(embedding.word_embeddings.weight)
        placed = embedding.with_positions(embedding.word_embeddings(batch.decoder_input), batch.decoder_positions)
        assert torch.equal(placed, embedding.position_embeddings[batch.decoder_positions])

    def test_a_network_learns_them_and_a_stopped_training_goes_on_alike(self, texts: Path, tmp_path: Path) -> None:
        pytest.importorskip("torch")
        from nutgraf.checkpoint import digest_of, read_tensors
        from nutgraf.training.run import train
        from tiny_network import tiny

        small = {
            "dataset.kind": "masked_spans",
            "dataset.block_size": 8,
            "dataset.of": {"kind": "texts"},
            "truncation.source": 24,
            "training.max_steps": 6,
            "training.batch_size": 2,
            "training.validate_every": 3,
            "training.precision": "fp32",
            "training.schedule.kind": "constant",
            "training.schedule.learning_rate": 0.01,
        }
        train(tiny("mass_pretraining_small", **small), texts, tmp_path / "whole")
        train(tiny("mass_pretraining_small", **{**small, "training.max_steps": 3}), texts, tmp_path / "parts")
        done = train(tiny("mass_pretraining_small", **small), texts, tmp_path / "parts", resume=True)
        assert done.step == 6
        last = Path("checkpoints") / "last" / "weights.safetensors"
        assert digest_of(read_tensors(tmp_path / "whole" / last)) == digest_of(read_tensors(tmp_path / "parts" / last))
        assert done.card["scores"]["loss"] < 5.7

    def test_scores_of_summaries_need_summaries(self, texts: Path, tmp_path: Path) -> None:
        pytest.importorskip("torch")
        from nutgraf.training.run import train
        from tiny_network import tiny

        given = {"dataset.kind": "masked_spans", "dataset.of": {"kind": "texts"}, "training.rouge_examples": 2}
        with pytest.raises(PresetError, match="rouge_examples"):
            train(tiny("mass_pretraining_small", **given), texts, tmp_path / "out")
