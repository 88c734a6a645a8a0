"""Weights of other programs in our networks say what they say in theirs."""

from __future__ import annotations

import json
import pickle
import zipfile
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from foreign import OTHER, POSITIONS, TEXT, bart, bert, mass  # noqa: E402
from safetensors.torch import load_file, save_file  # noqa: E402
from typer.testing import CliRunner  # noqa: E402

from nutgraf.checkpoint import build, load_matching_weights, read_preset, read_tensors  # noqa: E402
from nutgraf.cli.app import app  # noqa: E402
from nutgraf.conversion import convert  # noqa: E402
from nutgraf.errors import InputError, NutgrafError, OutputError  # noqa: E402
from nutgraf.model.records import BOS, EOS, Batch, Phrases  # noqa: E402
from nutgraf.model.seq2seq import Seq2Seq  # noqa: E402
from nutgraf.preparation.shards import read_tokenizer  # noqa: E402
from nutgraf.systems import sections_of  # noqa: E402
from nutgraf.tokenizers import Tokenizer  # noqa: E402
from tiny_bert import PIECES, WORDS, plain_bert  # noqa: E402


def begun(folder: Path) -> tuple[Seq2Seq, Tokenizer]:
    """The network that a converted folder makes, and its tokenizer."""
    preset = read_preset(folder, sections_of)
    tokenizer = read_tokenizer(preset.options("tokenizer"), folder / "tokenizer")
    network = build(preset, len(tokenizer))
    load_matching_weights(network, read_tensors(folder / "weights.safetensors"))
    return network.eval(), tokenizer


def padded(rows: list[list[int]], padding: int) -> Any:
    longest = max(map(len, rows))
    return torch.tensor([row + [padding] * (longest - len(row)) for row in rows])


def batch(sources: list[list[int]], targets: list[list[int]] | None = None) -> Batch:
    source = padded(sources, 0)
    mask = torch.arange(source.shape[1]) >= torch.tensor([[len(row)] for row in sources])
    target = None if targets is None else padded(targets, 0)
    return Batch(source, source, mask, Phrases.none(), 0, target, target)


def same(ours: Any, theirs: Any, lengths: list[int]) -> None:
    """Equal where there is no padding."""
    for one, other, length in zip(ours, theirs, lengths, strict=True):
        torch.testing.assert_close(one[:length], other[:length], rtol=0, atol=1e-5)


class TestBert:
    @pytest.fixture
    def source(self, tmp_path: Path) -> Path:
        pytest.importorskip("transformers")
        return tmp_path / "bert"

    @pytest.mark.parametrize("changes", [{}, {"hidden_act": "relu", "layer_norm_eps": 1e-3}])
    def test_the_encoders_states_are_the_same(self, changes: dict[str, Any], source: Path, tmp_path: Path) -> None:
        model = bert(source, **changes)
        convert(source, tmp_path / "out", sections_of)
        network, tokenizer = begun(tmp_path / "out")
        ours = [list(tokenizer.encode(text).ids) for text in (TEXT, OTHER)]
        named = ["[UNK]" if text == "<unk>" else text for text in tokenizer.tokens]
        theirs = [[PIECES.index(named[one]) for one in ids] for ids in ours]
        with torch.no_grad():
            states = network.encode(batch(ours)).encoder_hidden_states
            given = padded(theirs, 0)
            expected = model(given, attention_mask=(given != 0).long()).last_hidden_state
        same(states, expected, [len(ids) for ids in ours])

    def test_the_vocabulary_is_brought_into_our_order(self, source: Path, tmp_path: Path) -> None:
        bert(source)
        convert(source, tmp_path / "out", sections_of)
        _, tokenizer = begun(tmp_path / "out")
        assert list(tokenizer.tokens) == ["<pad>", "<unk>", "<s>", "</s>", "<sep>", "<mask>", *WORDS]
        assert tokenizer.tokens[tokenizer.mask_id] == "<mask>"
        assert tokenizer.encode("The ferrys").tokens == ("the", "ferry", "##s")

    def test_what_bert_has_not_is_new_and_its_pooler_is_left(self, source: Path, tmp_path: Path) -> None:
        bert(source)
        done = convert(source, tmp_path / "out", sections_of)
        assert all(name.startswith(("decoder.", "head.")) for name in done.new)
        assert sorted(done.unused) == ["pooler.dense.bias", "pooler.dense.weight"]
        assert "decoder.layers.*.cross_attention.qkv_proj.weight (3)" in done.table()

    def test_the_decoder_may_begin_with_the_encoders_layers(self, source: Path, tmp_path: Path) -> None:
        bert(source)
        done = convert(source, tmp_path / "out", sections_of, decoder=True)
        network, _ = begun(tmp_path / "out")
        tensors = dict(network.named_parameters())
        for ours, theirs in (
            ("self_attention.qkv_proj", "self_attention.multi_head.qkv_proj"),
            ("self_attention_residual.norm", "self_attention_residual.norm"),
        ):
            assert torch.equal(tensors[f"decoder.layers.1.{ours}.weight"], tensors[f"encoder.layers.1.{theirs}.weight"])
        new = {name.split(".")[3] for name in done.new if name.startswith("decoder")}
        assert new == {
            "cross_attention",
            "cross_attention_residual",
        }

    def test_a_training_begins_with_it(self, tmp_path: Path) -> None:
        from nutgraf.training.run import train
        from tiny_network import tiny

        plain_bert(tmp_path / "bert")
        convert(tmp_path / "bert", tmp_path / "begun", sections_of)
        lines = [{"text": f"The ferry left. {OTHER} {at}.", "summary": "The ferry left."} for at in range(60)]
        (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, lines)))
        small = {
            "tokenizer.kind": "wordpiece",
            "model.d_model": 4,
            "model.num_heads": 2,
            "model.max_positions": 64,
            "truncation.source": 60,
            "training.init_from": str(tmp_path / "begun"),
            "training.max_steps": 1,
            "training.validate_every": 0,
            "training.precision": "fp32",
        }
        done = train(tiny("mass_copy", **small), tmp_path / "corpus.jsonl", tmp_path / "out")
        warm = done.card["init_from"]
        assert warm["matched"] >= 6
        assert any(name.startswith("encoder.layers.1.") for name in warm["new"])
        assert all("feed_forward" in name for name in warm["other_shape"])


class TestBart:
    @pytest.mark.parametrize(
        "changes",
        [{}, {"headed": True, "scale_embedding": True}, {"activation_function": "relu"}],
        ids=["plain", "under a head", "relu"],
    )
    def test_the_states_of_both_sides_are_the_same(self, changes: dict[str, Any], tmp_path: Path) -> None:
        pytest.importorskip("transformers")
        model = bart(tmp_path / "bart", **changes)
        done = convert(tmp_path / "bart", tmp_path / "out", sections_of)
        assert not done.new
        assert not done.unused
        network, tokenizer = begun(tmp_path / "out")
        numbers = json.loads((tmp_path / "bart" / "vocab.json").read_text())

        def foreign(ids: list[int]) -> list[int]:
            return [numbers[{BOS: "</s>", EOS: "</s>"}.get(one, tokenizer.tokens[one])] for one in ids]

        ours = [list(tokenizer.encode(text).ids)[:POSITIONS] for text in (TEXT, OTHER)]
        written = [[BOS, *ids[:4], EOS] for ids in ours]
        given, asked = padded([foreign(ids) for ids in ours], 1), torch.tensor([foreign(ids) for ids in written])
        made = batch(ours, written)
        with torch.no_grad():
            inner = model.model if changes.get("headed") else model
            expected = inner(given, attention_mask=(given != 1).long(), decoder_input_ids=asked[:, :-1])
            memory = network.encode(made)
            decoded = network.decoder(network.target_embedding(made.decoder_input), memory, False)
            assert made.target is not None
            same(memory.encoder_hidden_states, expected.encoder_last_hidden_state, [len(ids) for ids in ours])
            same(decoded.hidden_states, expected.last_hidden_state, [5, 5])

    def test_words_are_what_theirs_are(self, tmp_path: Path) -> None:
        pytest.importorskip("transformers")
        import tokenizers

        bart(tmp_path / "bart")
        convert(tmp_path / "bart", tmp_path / "out", sections_of)
        _, tokenizer = begun(tmp_path / "out")
        theirs = tokenizers.ByteLevelBPETokenizer(
            str(tmp_path / "bart" / "vocab.json"), str(tmp_path / "bart" / "merges.txt"), add_prefix_space=True
        )
        assert list(tokenizer.encode(TEXT).tokens) == theirs.encode(TEXT).tokens
        assert tokenizer.decode(tokenizer.encode(TEXT).tokens) == TEXT
        assert tokenizer.tokens[tokenizer.mask_id] == "<mask>"

    def test_start_takes_nothing_of_what_end_has(self, tmp_path: Path) -> None:
        pytest.importorskip("transformers")
        bart(tmp_path / "bart")
        convert(tmp_path / "bart", tmp_path / "out", sections_of)
        network, _ = begun(tmp_path / "out")
        logits = network.head.vocab_proj(torch.randn(7, network.config.d_model))
        torch.testing.assert_close(logits[:, BOS], logits[:, EOS] - 10)


class TestMass:
    @pytest.mark.parametrize("together", [True, False])
    def test_every_tensor_finds_its_place(self, together: bool, tmp_path: Path) -> None:
        theirs = mass(tmp_path / "mass", together)
        done = convert(tmp_path / "mass" / "mass.pt", tmp_path / "out", sections_of)
        assert done.new == done.unused == ()
        assert done.notes == ("The file does not say how many heads there are; 2 are.",)
        network, tokenizer = begun(tmp_path / "out")
        assert network.config.num_heads == 2
        own = dict(network.state_dict())
        key = "decoder.layers.0.encoder_attn"
        whole = (
            theirs[f"{key}.in_proj_weight"]
            if together
            else torch.cat([theirs[f"{key}.{part}_proj.weight"] for part in "qkv"])
        )
        assert torch.equal(own["decoder.layers.0.cross_attention.qkv_proj.weight"], whole)
        assert torch.equal(own["encoder.layers.1.feed_forward.linear1.bias"], theirs["encoder.layers.1.fc1.bias"])
        assert torch.equal(own["target_embedding.position_embeddings"], theirs["decoder.embed_positions.weight"][1:])
        words = theirs["encoder.embed_tokens.weight"]
        assert torch.equal(
            own["source_embedding.word_embeddings.weight"][[0, 1, 2, 3, 4, 5, 6]], words[[0, 1, 3, 3, 3, 4, 5]]
        )
        assert tokenizer.tokens[5:7] == ("<mask>", "the")

    def test_states_are_those_of_a_bart_with_the_same_weights(self, tmp_path: Path) -> None:
        transformers = pytest.importorskip("transformers")
        theirs = mass(tmp_path / "mass", together=False)
        convert(tmp_path / "mass", tmp_path / "out", sections_of)
        network, tokenizer = begun(tmp_path / "out")
        config = transformers.BartConfig(
            vocab_size=len(theirs["encoder.embed_tokens.weight"]),
            d_model=128,
            encoder_layers=2,
            decoder_layers=1,
            encoder_attention_heads=2,
            decoder_attention_heads=2,
            encoder_ffn_dim=17,
            decoder_ffn_dim=17,
            max_position_embeddings=POSITIONS,
            scale_embedding=True,
            pad_token_id=0,
        )
        model = transformers.BartModel(config).eval()
        renamed = {name.replace("emb_layer_norm", "layernorm_embedding"): one for name, one in theirs.items()}
        renamed["shared.weight"] = renamed["encoder.embed_tokens.weight"]
        for side in ("encoder", "decoder"):  # BART reserves one position more
            name = f"{side}.embed_positions.weight"
            renamed[name] = torch.cat([torch.zeros(1, 128), renamed[name]])
        lost = model.load_state_dict(renamed, strict=False)
        assert not lost.missing_keys
        ids = list(tokenizer.encode("the ferry left").ids)
        with torch.no_grad():
            states = network.encode(batch([ids])).encoder_hidden_states
            expected = model.encoder(torch.tensor([[one - 1 for one in ids]])).last_hidden_state
        torch.testing.assert_close(states, expected, rtol=0, atol=1e-4)

    def test_options_of_a_training_are_heard(self, tmp_path: Path) -> None:
        import argparse

        theirs = mass(tmp_path / "mass")
        checkpoint = {"model": theirs, "args": argparse.Namespace(encoder_attention_heads=4, dropout=0.3)}
        torch.save(checkpoint, tmp_path / "mass" / "mass.pt")
        done = convert(tmp_path / "mass", tmp_path / "out", sections_of)
        assert done.notes == ()
        assert begun(tmp_path / "out")[0].config.num_heads == 4


class TestMistakes:
    def refused(self, source: Path, tmp_path: Path) -> str:
        with pytest.raises(InputError) as error:
            convert(source, tmp_path / "out", sections_of)
        assert not (tmp_path / "out").exists()
        return str(error.value)

    def test_what_is_nothing_known(self, tmp_path: Path) -> None:
        (tmp_path / "folder").mkdir()
        assert "What can: a Hugging Face folder of a BART" in self.refused(tmp_path / "folder", tmp_path)
        (tmp_path / "folder" / "config.json").write_text('{"model_type": "gpt2"}')
        assert "holds nothing that can be converted" in self.refused(tmp_path / "folder", tmp_path)
        assert "There is no" in self.refused(tmp_path / "nowhere", tmp_path)

    def test_a_pickle_that_would_run_something(self, tmp_path: Path) -> None:
        mass(tmp_path / "mass")

        class Trap:
            def __reduce__(self) -> Any:
                return (Path.touch, (tmp_path / "sprung",))

        torch.save({"model": Trap()}, tmp_path / "mass" / "mass.pt")
        assert "code in it would have to be run" in self.refused(tmp_path / "mass", tmp_path)
        (tmp_path / "mass" / "mass.pt").write_bytes(pickle.dumps(Trap()))
        assert "code in it would have to be run" in self.refused(tmp_path / "mass", tmp_path)
        assert not (tmp_path / "sprung").exists()

    def test_a_pickle_that_unpacks_without_end(self, tmp_path: Path) -> None:
        mass(tmp_path / "mass")
        with zipfile.ZipFile(tmp_path / "mass" / "mass.pt", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("archive/data.pkl", b"N0" * 1_000_000 + b".")
        assert "compressed" in self.refused(tmp_path / "mass", tmp_path)

    def test_no_tokenizer_no_weights_no_dictionary(self, tmp_path: Path) -> None:
        plain_bert(tmp_path / "bert")
        (tmp_path / "bert" / "vocab.txt").unlink()
        assert "has no tokenizer: neither vocab.txt nor tokenizer.json" in self.refused(tmp_path / "bert", tmp_path)
        plain_bert(tmp_path / "bert")
        (tmp_path / "bert" / "model.safetensors").unlink()
        assert "has no weights" in self.refused(tmp_path / "bert", tmp_path)
        mass(tmp_path / "mass")
        (tmp_path / "mass" / "dict.txt").unlink()
        assert "needs its vocabulary beside it" in self.refused(tmp_path / "mass", tmp_path)

    def test_wrong_shapes_and_missing_tensors(self, tmp_path: Path) -> None:
        plain_bert(tmp_path / "bert")
        path = tmp_path / "bert" / "model.safetensors"
        tensors = load_file(path)
        save_file({**tensors, "encoder.layer.0.output.dense.weight": torch.zeros(4, 5)}, path)
        message = self.refused(tmp_path / "bert", tmp_path)
        assert "encoder.layers.0.feed_forward.linear2.weight" in message
        save_file({name: one for name, one in tensors.items() if "query" not in name}, path)
        assert "lacks 'encoder.layer.0.attention.self.query.weight'" in self.refused(tmp_path / "bert", tmp_path)
        save_file({**tensors, "embeddings.word_embeddings.weight": torch.zeros(5, 4)}, path)
        assert "has vectors for 5 pieces, but its vocabulary has 17" in self.refused(tmp_path / "bert", tmp_path)
        path.write_bytes(path.read_bytes()[:99])
        assert "was cut" in self.refused(tmp_path / "bert", tmp_path)

    def test_what_our_networks_do_not_have(self, tmp_path: Path) -> None:
        plain_bert(tmp_path / "bert")
        config = tmp_path / "bert" / "config.json"
        config.write_text(json.dumps({**json.loads(config.read_text()), "hidden_act": "silu"}))
        assert "says 'silu'" in self.refused(tmp_path / "bert", tmp_path)
        config.write_text('{"model_type": "bert", "num_hidden_layers": "many"}')
        assert "should say 'num_hidden_layers'" in self.refused(tmp_path / "bert", tmp_path)

    def test_a_folder_that_is_there_stays(self, tmp_path: Path) -> None:
        plain_bert(tmp_path / "bert")
        with pytest.raises(OutputError, match="already"):
            convert(tmp_path / "bert", tmp_path / "bert", sections_of)

    def test_a_network_without_a_decoder_is_no_system(self, tmp_path: Path) -> None:
        from nutgraf.checkpoint import load

        plain_bert(tmp_path / "bert")
        convert(tmp_path / "bert", tmp_path / "out", sections_of)
        with pytest.raises(InputError, match="decoder"):
            load(tmp_path / "out", sections_of)


def test_the_command_shows_what_was_taken(tmp_path: Path) -> None:
    plain_bert(tmp_path / "bert")
    done = CliRunner().invoke(app, ["convert", str(tmp_path / "bert"), str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    head, embedded, *_ = done.stdout.splitlines()
    assert head.split() == ["taken", "new"]
    assert embedded.split() == ["source_embedding", "4", "0"]
    shown = CliRunner().invoke(app, ["info", str(tmp_path / "out")]).stdout
    assert f"made of  {tmp_path / 'bert'}" in shown
    again = CliRunner().invoke(app, ["convert", str(tmp_path / "bert"), str(tmp_path / "out")])
    assert isinstance(again.exception, NutgrafError)
