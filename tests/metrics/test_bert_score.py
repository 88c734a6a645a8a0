"""BERTScore by hand, with vectors of four words, and against a plain formula."""

from __future__ import annotations

import math
import pickle

import pytest

pytest.importorskip("transformers")

import numpy as np
import torch
import transformers
from typer.testing import CliRunner

import tiny_embeddings
from nutgraf.cli.app import app
from nutgraf.errors import InputError, PresetError
from nutgraf.metrics import Example, metrics
from nutgraf.metrics.bert_score import matched
from nutgraf.systems._embedding_layers import layer_for
from nutgraf.systems.embedding import read_embedder

VECTORS = {
    "ferry": (1, -1, 0, 0),
    "boat": (3, -3, 4, -4),
    "left": (0, 0, 1, -1),
    "sank": (0, 0, -1, 1),
    "gulls": (1, 1, -1, -1),
}
"""Cosines: ferry and boat 3/5, boat and left 4/5, ferry and left 0, left and sank -1, gulls with ferry 0."""

WORDS = "a b c d e f g h i j".split()


@pytest.fixture(scope="module")
def by_hand(tmp_path_factory):
    return tiny_embeddings.by_hand(tmp_path_factory.mktemp("hand") / "four", VECTORS)


@pytest.fixture(scope="module")
def random(tmp_path_factory):
    return tiny_embeddings.random(tmp_path_factory.mktemp("random") / "eight", WORDS, context=12)


def scores(folder, hypothesis, *references, **options):
    metric = metrics.make("bert_score", read_embedder, folder=str(folder), **options)
    return list(metric(Example([hypothesis], tuple([one] for one in references))).values())


class TestByHand:
    def test_each_token_is_matched_with_the_most_similar_one(self, by_hand):
        """P: boat has ferry (3/5) and left (4/5), left has left. R: ferry has boat (3/5), left has left."""
        precision, recall = (4 / 5 + 1) / 2, (3 / 5 + 1) / 2
        found = scores(by_hand, "boat left", "ferry left", layer=0)
        assert found == pytest.approx([precision, recall, 2 * precision * recall / (precision + recall)], abs=1e-6)

    def test_the_same_text_scores_1(self, by_hand):
        assert scores(by_hand, "gulls left boat", "gulls left boat", layer=0) == pytest.approx([1, 1, 1])

    def test_a_mean_below_0_counts_as_0(self, by_hand):
        assert scores(by_hand, "left", "sank", layer=0) == [0, 0, 0]

    def test_of_several_references_the_one_with_the_highest_f1_counts(self, by_hand):
        """Against "ferry" alone, precision is 3/5 and recall 3/5; against "boat gulls" they are 1 and 1/2."""
        found = scores(by_hand, "boat", "ferry", "boat gulls", layer=0)
        assert found == pytest.approx([1, 1 / 2, 2 / 3], abs=1e-6)

    def test_tokens_weigh_by_their_inverse_frequency(self, by_hand, tmp_path):
        """Of three texts, two have left and none boat: left weighs ln(4/3), boat ln 4."""
        (tmp_path / "references.txt").write_text("ferry left\nleft\n\ngulls\n")
        left, boat = math.log(4 / 3), math.log(4)
        found = scores(by_hand, "boat left", "left left", layer=0, idf=str(tmp_path / "references.txt"))
        assert found[:2] == pytest.approx([(4 / 5 * boat + left) / (boat + left), 1], abs=1e-6)

    def test_where_nothing_weighs_all_weigh_alike(self, by_hand, tmp_path):
        (tmp_path / "one.txt").write_text("boat left\n")
        found = scores(by_hand, "boat left", "left", layer=0, idf=str(tmp_path / "one.txt"))
        assert found[:2] == pytest.approx([(4 / 5 + 1) / 2, 1], abs=1e-6)

    @pytest.mark.parametrize(("hypothesis", "reference"), [("", "ferry"), ("ferry", " "), ("", "")])
    def test_a_text_without_tokens_scores_0(self, by_hand, hypothesis, reference):
        assert scores(by_hand, hypothesis, reference) == [0, 0, 0]

    def test_without_a_reference_there_is_no_score(self, by_hand):
        assert scores(by_hand, "ferry") == [None, None, None]


def plain(folder, hypothesis: str, reference: str, layer: int) -> list[float]:
    """The formula of the paper, token by token, on what transformers gives."""
    network = transformers.AutoModel.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    sides = []
    for text in (hypothesis, reference):
        with torch.no_grad():
            states = network(**tokenizer(text, return_tensors="pt"), output_hidden_states=True).hidden_states[layer]
        sides.append([vector.double() for vector in states[0, 1:-1]])
    ours, theirs = sides

    def mean(some, others):
        return sum(max(float(torch.cosine_similarity(x, y, dim=0)) for y in others) for x in some) / len(some)

    precision, recall = mean(ours, theirs), mean(theirs, ours)
    return [precision, recall, 2 * precision * recall / (precision + recall)]


class TestAgainstAPlainFormula:
    @pytest.mark.parametrize("layer", [0, 1, 2])
    @pytest.mark.parametrize(("hypothesis", "reference"), [("a b c d", "b a e"), ("j i h", "j i h g f e d c b a")])
    def test_scores_are_equal(self, random, hypothesis, reference, layer):
        expected = plain(random, hypothesis, reference, layer)
        assert scores(random, hypothesis, reference, layer=layer) == pytest.approx(expected, abs=1e-5)

    def test_sentences_are_read_as_one_text(self, random):
        metric = metrics.make("bert_score", read_embedder, folder=str(random))
        parted = metric(Example(["a b", "c d"], (["b a", "e"],)))
        assert parted == metric(Example(["a b c d"], (["b a e"],)))


class TestLongTexts:
    def test_a_token_has_its_vector_from_the_window_in_which_it_is_farthest_from_the_ends(self, random):
        """The model reads 10 tokens beside two marks; windows of 17 tokens begin at 0, 5 and 10.

        Tokens 7 and 12 are as far from the ends of two windows, and have the vectors of the first.
        """
        text = [WORDS[place * 3 % 10] for place in range(17)]
        embed = read_embedder(random, 2)
        ids, vectors = embed(" ".join(text))
        assert len(ids) == len(vectors) == 17
        for start, end, first, last in ((0, 10, 0, 8), (5, 15, 8, 13), (10, 17, 13, 17)):
            _, alone = embed(" ".join(text[start:end]))
            assert vectors[first:last] == pytest.approx(alone[first - start : last - start], abs=1e-4)

    def test_the_end_of_a_long_text_counts(self, random):
        same = " ".join(WORDS * 3)
        assert scores(random, same, same) == pytest.approx([1, 1, 1])
        assert scores(random, f"{same} a", f"{same} j")[2] < 1

    def test_tokens_are_those_of_the_whole_text(self, random):
        embed = read_embedder(random)
        text = " ".join(WORDS * 5)
        assert embed.tokens(text) == [*range(4, 14)] * 5
        assert embed(text)[0] == embed.tokens(text)


class TestLayers:
    @pytest.mark.parametrize(
        ("architecture", "layers", "width", "vocab_size", "layer"),
        [
            ("roberta", 24, 1024, 50265, 17),
            ("bert", 12, 768, 30522, 9),
            ("bert", 12, 768, 21128, 8),
            ("distilbert", 6, 768, 30522, 5),
            ("bert", 10, 512, 30522, 8),
            ("bert", 2, 128, 30522, 2),
            ("modernbert", 22, 768, 50368, 17),
        ],
    )
    def test_are_the_package_s_or_at_three_quarters(self, architecture, layers, width, vocab_size, layer):
        assert layer_for(architecture, layers, width, vocab_size) == layer

    def test_one_that_is_not_there_is_named(self, random):
        with pytest.raises(InputError, match=r"2 layers.*layer 3"):
            metrics.make("bert_score", read_embedder, folder=str(random), layer=3)

    def test_an_encoder_with_a_decoder_is_read_by_its_encoder(self, tmp_path):
        from tiny_pretrained import untrained

        embed = read_embedder(untrained(tmp_path / "bart", "MBartForConditionalGeneration"))
        assert embed.layer == 1
        assert embed("The ferry sails.")[1].shape[1] == 16


class TestSignature:
    def test_names_the_model_its_weights_the_layer_and_the_settings(self, random):
        metric = metrics.make("bert_score", read_embedder, folder=str(random))
        name, model, *others, _ = metric.signature.split("|")
        assert (name, model[:12], len(model)) == ("bert_score", "model:eight@", 20)
        assert others == ["layer:2", "idf:no", "window:12", "rescaled:no", "refs:best"]

    def test_knows_the_texts_of_the_weights(self, random, tmp_path):
        path = tmp_path / "references.txt"
        signatures = set()
        for text in ("a b", "a b c"):
            path.write_text(text)
            signatures.add(metrics.make("bert_score", read_embedder, folder=str(random), idf=str(path)).signature)
        assert len(signatures) == 2
        assert all("|idf:no|" not in one for one in signatures)

    def test_other_weights_have_another_signature(self, random, tmp_path):
        other = tiny_embeddings.random(tmp_path / "eight", WORDS, context=12, layers=3)
        made = [metrics.make("bert_score", read_embedder, folder=str(folder)).signature for folder in (random, other)]
        assert made[0].split("|")[1] != made[1].split("|")[1]


class TestWhatIsRefused:
    def test_no_folder(self):
        with pytest.raises(PresetError, match=r"--set.*bert_score\.folder.*FOLDER"):
            metrics.make("bert_score", read_embedder)

    def test_a_folder_that_is_not_there(self):
        with pytest.raises(InputError, match=r"'\./nowhere'"):
            metrics.make("bert_score", read_embedder, folder="./nowhere")

    def test_pickled_weights(self, tmp_path):
        folder = tiny_embeddings.random(tmp_path / "eight", WORDS)
        (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
        with pytest.raises(InputError, match="pickled file"):
            metrics.make("bert_score", read_embedder, folder=str(folder))

    @pytest.mark.parametrize(
        ("content", "told"),
        [(None, "such file"), (b"\n \n", "text to count"), (b"\xff", "is no text in UTF-8")],
    )
    def test_a_file_of_texts_without_any(self, random, tmp_path, content, told):
        if content is not None:
            (tmp_path / "idf.txt").write_bytes(content)
        with pytest.raises(InputError, match=told):
            metrics.make("bert_score", read_embedder, folder=str(random), idf=str(tmp_path / "idf.txt"))


def test_the_metric_can_be_sent_to_another_process(random):
    metric = metrics.make("bert_score", read_embedder, folder=str(random))
    example = Example(["a b c"], (["b d"],))
    assert pickle.loads(pickle.dumps(metric))(example) == metric(example)


def test_nutgraf_score_prints_it_with_its_signature(by_hand, tmp_path):
    (tmp_path / "ours.txt").write_text("boat left\n")
    (tmp_path / "theirs.txt").write_text("ferry left\n")
    files = ["-H", str(tmp_path / "ours.txt"), "-R", str(tmp_path / "theirs.txt")]
    options = ["--metrics", "bert_score", "--set", f"bert_score.folder={by_hand}", "--set", "bert_score.layer=0"]
    said = CliRunner().invoke(app, ["score", *files, *options]).stdout
    rows = {line.split("  ")[0].strip(" ↑"): line for line in said.splitlines()}
    assert "90.00" in rows["BERTScore P"]
    assert "80.00" in rows["BERTScore R"]
    assert "F1 = bert_score|model" in said


def test_matching_by_the_formula_alone():
    """Cosines [[1, 0], [3/5, 4/5]] and weights 1, 3 and 2, 1: P = (1 + 3·4/5)/4, R = (2 + 4/5)/3."""
    found = matched(np.array([[2.0, 0], [3, 4]]), np.array([[5.0, 0], [0, 7]]), np.array([1, 3]), np.array([2, 1]))
    assert found[:2] == pytest.approx((3.4 / 4, 2.8 / 3))
