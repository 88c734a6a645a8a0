"""Published summarizers become systems that give what their authors' formulas give with the same weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import published_checkpoints as made  # noqa: E402
from typer.testing import CliRunner  # noqa: E402

from nutgraf.checkpoint import load  # noqa: E402
from nutgraf.cli.app import app  # noqa: E402
from nutgraf.conversion import convert  # noqa: E402
from nutgraf.conversion._tensor_bundle import read_tensors  # noqa: E402
from nutgraf.errors import InputError  # noqa: E402
from nutgraf.model.records import BOS, EOS, UNK, Batch, Phrases  # noqa: E402
from nutgraf.systems import sections_of  # noqa: E402

SOURCE = ["the", "ferry", "zebra", "left", "the", "bridge", "."]
WRITTEN = ["ferry", "zebra", "left"]
SENTENCES = [["the", "ferry", "left", "."], ["agnes", "left", "."], ["the", "bridge", "of", "agnes", "."]]


def probabilities(folder: Path, written: list[str]) -> list[dict[str, float]]:
    """The probability of each word after each of the words written, by our network; "zebra" is in the source alone."""
    trained = load(folder, sections_of)
    tokens = list(trained.tokenizer.tokens)
    known = [tokens.index(word) if word in tokens else UNK for word in SOURCE]
    extended = [len(tokens) if word == "zebra" else number for word, number in zip(SOURCE, known, strict=True)]
    nothing = torch.zeros(1, len(SOURCE), dtype=torch.bool)
    batch = Batch(torch.tensor([known]), torch.tensor([extended]), nothing, Phrases.none(), num_oov=1)
    found = []
    with torch.inference_mode():
        encoded = trained.network.encode(batch)
        state = trained.network.decoder.start(encoded, 1)
        ids = [[*tokens, "zebra"].index(word) for word in written]
        for length in range(len(ids) + 1):
            so_far = torch.tensor(ids[:length], dtype=torch.long).reshape(1, 1, -1)
            log_probs = trained.network.step(so_far, encoded, state).log_probs[0, 0]
            found.append(dict(zip([*tokens, "zebra"], log_probs.exp().tolist(), strict=True)))
    return found


def same(ours: list[dict[str, float]], theirs: list[dict[str, float]], names: dict[str, str], within: float) -> None:
    """The same words have the same probability; `names` are their names of our special tokens."""
    for mine, other in zip(ours, theirs, strict=True):
        for word, value in mine.items():
            expected = other.get(names.get(word, word), 0.0)
            assert value == pytest.approx(expected, abs=within), word


class TestOpenNMT:
    @pytest.mark.parametrize(("layout", "within"), [("0", 3e-3), ("2", 1e-6), ("3", 1e-6)])
    def test_words_have_the_same_probability(self, layout: str, within: float, tmp_path: Path) -> None:
        checkpoint = made.opennmt(tmp_path / "sum.pt", layout)
        done = convert(tmp_path / "sum.pt", tmp_path / "out", sections_of)
        assert done.new == done.unused == ()
        assert bool(done.notes) == (layout == "0")
        names = {"<pad>": "<blank>", "<sep>": "</t>"}
        theirs = made.opennmt_probabilities(checkpoint, SOURCE, WRITTEN)
        same(probabilities(tmp_path / "out", WRITTEN), theirs, names, within)

    def test_without_copying_with_gelu_and_two_matrices_of_embeddings(self, tmp_path: Path) -> None:
        options = {"copies": False, "shared": False, "pos_ffn_activation_fn": "gelu"}
        checkpoint = made.opennmt(tmp_path / "sum.pt", "2", **options)
        convert(tmp_path, tmp_path / "out", sections_of)
        written = ["ferry", "left"]
        theirs = made.opennmt_probabilities(checkpoint, SOURCE, written)
        padding = [one.pop("<blank>") for one in theirs]
        theirs = [{word: one / (1 - share) for word, one in each.items()} for each, share in zip(theirs, padding)]  # noqa: B905
        same(probabilities(tmp_path / "out", written), theirs, {"<sep>": "</t>"}, 1e-6)

    def test_the_marks_of_sentences_are_not_printed(self, tmp_path: Path) -> None:
        made.opennmt(tmp_path / "sum.pt", "3")
        convert(tmp_path / "sum.pt", tmp_path / "out", sections_of)
        tokenizer = load(tmp_path / "out", sections_of).tokenizer
        assert list(tokenizer.tokens) == ["<pad>", "<unk>", "<s>", "</s>", "<sep>", "<t>", *made.WORDS]
        assert tokenizer.decode(["<t>", "the", "ferry", "left", ".", "<sep>"]) == "the ferry left ."

    def test_the_recipe_is_that_of_its_options(self, tmp_path: Path) -> None:
        made.opennmt(tmp_path / "sum.pt", "2", src_seq_length_trunc=90, tgt_seq_length_trunc=None)
        convert(tmp_path / "sum.pt", tmp_path / "out", sections_of)
        preset = load(tmp_path / "out", sections_of).preset
        assert (preset.options("truncation").source, preset.options("truncation").target) == (90, 100)
        assert preset.options("decoding").beam_size == 10
        assert preset.options("model").dropout == 0.2


class TestPreSumm:
    def test_sentences_have_the_same_scores(self, tmp_path: Path) -> None:
        checkpoint = made.presumm(tmp_path / "ext" / "model_step_50000.pt", extractive=True)
        done = convert(tmp_path / "ext", tmp_path / "out", sections_of)
        assert done.new == done.unused == done.notes == ()
        batch, starts = marked(tmp_path / "out")
        with torch.inference_mode():
            ours = load(tmp_path / "out", sections_of).network.probabilities(batch)[0, starts]
        theirs = made.presumm_scores(checkpoint["model"], SENTENCES)
        assert theirs.max() - theirs.min() > 0.1
        torch.testing.assert_close(ours.logit(), theirs, rtol=0, atol=1e-4)

    def test_without_interval_segments(self, tmp_path: Path) -> None:
        checkpoint = made.presumm(tmp_path / "ext.pt", extractive=True, use_interval=False)
        texts = "bert.model.embeddings.token_type_embeddings.weight"
        convert(tmp_path / "ext.pt", tmp_path / "out", sections_of)
        batch, starts = marked(tmp_path / "out")
        with torch.inference_mode():
            ours = load(tmp_path / "out", sections_of).network.probabilities(batch)[0, starts]
        weights = {**checkpoint["model"], texts: checkpoint["model"][texts][[0, 0]]}
        torch.testing.assert_close(ours.logit(), made.presumm_scores(weights, SENTENCES), rtol=0, atol=1e-4)

    def test_pieces_have_the_same_logits(self, tmp_path: Path) -> None:
        checkpoint = made.presumm(tmp_path / "abs" / "model_step_148000.pt", extractive=False)
        done = convert(tmp_path / "abs" / "model_step_148000.pt", tmp_path / "out", sections_of)
        assert done.new == done.unused == done.notes == ()
        trained = load(tmp_path / "out", sections_of)
        tokens = list(trained.tokenizer.tokens)
        batch, _ = marked(tmp_path / "out")
        written = torch.tensor([[BOS, tokens.index("agnes"), tokens.index("<sep>"), tokens.index("the"), EOS]])
        network = trained.network
        with torch.inference_mode():
            encoded = network.encode(batch)
            decoded = network.decoder(network.target_embedding(written[:, :-1]), encoded, False)
            ours = network.head.vocab_proj(decoded.hidden_states)[0]
        theirs = made.presumm_logits(checkpoint["model"], SENTENCES, ["[unused0]", "agnes", "[unused2]", "the"])
        special = ["[PAD]", "[UNK]", "[unused0]", "[unused1]", "[unused2]"]
        named = [*special, *("[MASK]" if token == "<mask>" else token for token in tokens[5:])]
        torch.testing.assert_close(ours, theirs[:, [made.PIECES.index(one) for one in named]], rtol=0, atol=1e-4)


def marked(folder: Path) -> tuple[Batch, list[int]]:
    """Three sentences between BOS and EOS, and where they begin."""
    tokens = list(load(folder, sections_of).tokenizer.tokens)
    ids = [[BOS, *map(tokens.index, sentence), EOS] for sentence in SENTENCES]
    starts = [sum(map(len, ids[:number])) for number in range(len(ids))]
    source = torch.tensor([[one for sentence in ids for one in sentence]])
    return Batch(source, source, torch.zeros_like(source, dtype=torch.bool), Phrases.none()), starts


class TestPointerGenerator:
    @pytest.mark.parametrize(("covers", "copies"), [(True, True), (False, True), (False, False)])
    def test_words_have_the_same_probability(self, covers: bool, copies: bool, tmp_path: Path) -> None:
        weights = made.see_weights(covers, copies)
        made.see(tmp_path / "see", weights)
        done = convert(tmp_path / "see", tmp_path / "out", sections_of)
        assert done.new == done.unused == done.notes == ()
        written = WRITTEN if copies else ["ferry", "left"]
        theirs = made.see_probabilities(weights, SOURCE, written)
        names = {"<pad>": "[PAD]", "<unk>": "[UNK]", "<s>": "[START]", "</s>": "[STOP]"}
        same(probabilities(tmp_path / "out", written), theirs, names, 1e-6)

    def test_the_names_of_tensorflow_1_0(self, tmp_path: Path) -> None:
        weights = made.see_weights()
        older = {
            name.replace("lstm_cell/kernel", "lstm_cell/weights").replace("lstm_cell/bias", "lstm_cell/biases"): one
            for name, one in weights.items()
        }
        made.see(tmp_path / "see", older)
        convert(
            tmp_path / "see" / "model-238410", tmp_path / "old", sections_of
        )  # as TensorFlow's own programs name it
        made.see(tmp_path / "see", weights)
        convert(tmp_path / "see" / "model-238410.index", tmp_path / "new", sections_of)
        content = [(tmp_path / name / "weights.safetensors").read_bytes() for name in ("old", "new")]
        assert content[0] == content[1]


def test_a_checkpoint_that_tensorflow_wrote() -> None:
    """TensorFlow 2.21 saved these 22 variables with `tf.compat.v1.train.Saver`; part_K/bias is one number, K."""
    found = read_tensors(Path(__file__).parent / "tensorflow" / "model-1")
    assert len(found) == 22
    assert found["seq2seq/a"].tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    assert found["global_step"].item() == 238_410
    assert [found[f"seq2seq/part_{number:03}/bias"].tolist() for number in range(20)] == [[one] for one in range(20)]


@pytest.fixture(params=["opennmt", "bert_ext", "bert_abs", "see"])
def checkpoint(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder with one checkpoint of each kind."""
    folder = tmp_path / "given"
    folder.mkdir()
    if request.param == "see":
        made.see(folder, made.see_weights())
    elif request.param == "opennmt":
        made.opennmt(folder / "sum.pt", "2")
    else:
        made.presumm(folder / "model_step_1.pt", extractive=request.param == "bert_ext")
    return folder


def test_a_converted_folder_is_a_system(checkpoint: Path, tmp_path: Path) -> None:
    runner = CliRunner()
    out = tmp_path / "out"
    assert runner.invoke(app, ["convert", str(checkpoint), str(out)]).exit_code == 0
    text = " ".join(" ".join(sentence) for sentence in SENTENCES)
    (tmp_path / "text.txt").write_text(f"{text.capitalize()}\n")
    done = runner.invoke(app, ["summarize", "--system", str(out), str(tmp_path / "text.txt"), "--words", "9"])
    assert done.exit_code == 0, done.output
    assert f"made of  {checkpoint}" in runner.invoke(app, ["info", str(out)]).stdout


def refused(source: Path, out: Path) -> str:
    with pytest.raises(InputError) as error:
        convert(source, out, sections_of)
    assert not out.exists()
    assert "\n" not in str(error.value)
    return str(error.value)


class TestMistakes:
    """A weight that is missing, left over or of another shape is named, and nothing is written."""

    def changed(self, folder: Path, change: Any) -> None:
        path = folder / "sum.pt"
        content = made.opennmt(path, "3")
        change(content)
        torch.save({name: one for name, one in content.items() if name != "optim"}, path)

    def test_weights_that_do_not_fit(self, tmp_path: Path) -> None:
        out = tmp_path / "out"
        name = "encoder.transformer.1.feed_forward.w_2.weight"
        self.changed(tmp_path, lambda one: one["model"].pop(name))
        assert f"lacks '{name}'" in refused(tmp_path / "sum.pt", out)
        self.changed(tmp_path, lambda one: one["model"].update({"decoder.gate.weight": torch.ones(2)}))
        assert "holds 'decoder.gate.weight', for which such a network has no place" in refused(tmp_path / "sum.pt", out)
        self.changed(tmp_path, lambda one: one["model"].update({name: torch.ones(6, 8)}))
        message = refused(tmp_path / "sum.pt", out)
        assert "encoder.layers.1.feed_forward.linear2.weight" in message

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"encoder_type": "brnn"}, "has encoder_type = 'brnn'; only 'transformer' can be converted"),
            ({"max_relative_positions": 20}, "has max_relative_positions = 20; only 0 can be converted"),
        ],
    )
    def test_networks_that_ours_are_not(self, options: dict[str, Any], message: str, tmp_path: Path) -> None:
        made.opennmt(tmp_path / "sum.pt", "2", **options)
        assert message in refused(tmp_path / "sum.pt", tmp_path / "out")

    def test_two_vocabularies(self, tmp_path: Path) -> None:
        self.changed(tmp_path, lambda one: one["vocab"].update({"tgt": made.VOCABULARY[:-1]}))
        message = refused(tmp_path / "sum.pt", tmp_path / "out")
        assert "14 words" in message

    def test_objects_of_other_programs_are_no_weights(self, tmp_path: Path) -> None:
        class Trap:
            def __reduce__(self) -> Any:
                return (Path.touch, (tmp_path / "sprung",))

        self.changed(tmp_path, lambda one: one.update({"trap": Trap()}))
        assert "code in it would have to be run" in refused(tmp_path / "sum.pt", tmp_path / "out")
        assert not (tmp_path / "sprung").exists()

    def test_presumm(self, tmp_path: Path) -> None:
        path, out = tmp_path / "model_step_1.pt", tmp_path / "out"
        made.presumm(path, extractive=False, encoder="baseline")
        assert "has the encoder 'baseline'; only 'bert' can be converted" in refused(path, out)
        content = made.presumm(path, extractive=False)
        content["model"]["generator.0.weight"] = torch.ones(len(made.PIECES), 128)
        torch.save({"model": content["model"], "opt": content["opt"]}, path)
        assert "in generator.0.weight other numbers than in decoder.embeddings.weight" in refused(path, out)
        (tmp_path / "vocab.txt").unlink()
        assert f"needs the vocabulary of its BERT beside it, {tmp_path / 'vocab.txt'}" in refused(path, out)

    def test_see_et_al(self, tmp_path: Path) -> None:
        folder, out = tmp_path / "see", tmp_path / "out"
        weights = made.see_weights()
        made.see(folder, {**weights, "seq2seq/decoder/more": torch.ones(2)})
        assert "holds 'decoder/more', for which such a network has no place" in refused(folder, out)
        made.see(folder, {name: one for name, one in weights.items() if not name.endswith("w_reduce_c")})
        assert "lacks 'reduce_final_st/w_reduce_c'" in refused(folder, out)
        made.see(folder, weights)
        for name in ("model-238410.index", "model-238410.data-00000-of-00001"):
            content = (folder / name).read_bytes()
            for cut in (len(content) // 2, len(content) - 1, 0):
                (folder / name).write_bytes(content[:cut])
                assert "are no whole checkpoint of TensorFlow" in refused(folder, out)
            (folder / name).write_bytes(content)
        (folder / "vocab").unlink()
        assert f"needs its vocabulary beside it, {folder / 'vocab'}" in refused(folder, out)
