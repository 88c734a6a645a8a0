"""Liu and Lapata 2019, Text Summarization with Pretrained Encoders (BertAbs, BertExtAbs), on a tiny BERT.

The schedules and the decoder by plain formulas; two optimizers beside our one with two groups of parameters.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from safetensors.torch import load_file  # noqa: E402
from torch import Tensor  # noqa: E402
from torch.nn import functional as F  # noqa: E402

import nutgraf  # noqa: E402
from nutgraf.checkpoint import build, digest_of, weights  # noqa: E402
from nutgraf.conversion import convert  # noqa: E402
from nutgraf.errors import InputError, PresetError  # noqa: E402
from nutgraf.model.layers import sinusoids  # noqa: E402
from nutgraf.model.records import BOS, EOS, PAD  # noqa: E402
from nutgraf.model.seq2seq import Seq2Seq  # noqa: E402
from nutgraf.preparation import Preparation, batch, prepare  # noqa: E402
from nutgraf.preparation.shards import read_tokenizer  # noqa: E402
from nutgraf.presets import Preset, configure  # noqa: E402
from nutgraf.systems import read_preset as read  # noqa: E402
from nutgraf.systems import sections_of  # noqa: E402
from nutgraf.text.document import Document  # noqa: E402
from nutgraf.training.config import Config  # noqa: E402
from nutgraf.training.initial import initialize  # noqa: E402
from nutgraf.training.loop import Loop  # noqa: E402
from nutgraf.training.optimizers import optimizers  # noqa: E402
from nutgraf.training.run import train  # noqa: E402
from nutgraf.training.schedules import schedules  # noqa: E402
from nutgraf.training.setup import assemble  # noqa: E402
from tiny_bert import PIECES, WORDS, plain_bert, plain_states  # noqa: E402
from toy_examples import Toy, network  # noqa: E402

TEXT = "The ferrys left at noon. Agnesington left. The bridge left at noon, the ferry."
IDS = (
    "[CLS] the ferry ##s left at noon . [SEP] [CLS] agnes ##ington left . [SEP] "
    "[CLS] the bridge left at noon , the ferry . [SEP]"
)
SEGMENTS = [0] * 9 + [1] * 6 + [0] * 11
SUMMARY = "The bridge left at noon."

TINY = {
    "dataset.kind": "jsonl",
    "tokenizer.vocab_size": 300,
    "truncation.kind": "head",
    "truncation.source": 64,
    "truncation.target": 20,
    "model.d_model": 4,
    "model.num_heads": 2,
    "model.dropout": 0.0,
    "model.max_positions": 70,
    "model.encoder.num_layers": 1,
    "model.encoder.ffn_dim": 6,
}
"""What makes bert_ext and bert_abs as small as the tiny BERT."""

TINY_DECODER = {
    "model.target.num_heads": 4,
    "model.target.dropout": 0.0,
    "model.decoder.num_layers": 1,
    "model.decoder.ffn_dim": 5,
}


TINY_SENTENCES = {"model.sentence_encoder.num_heads": 2, "model.sentence_encoder.ffn_dim": 6}


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A converted BERT of 64 positions; beside it, what it was made of."""
    folder = tmp_path_factory.mktemp("bert")
    plain_bert(folder / "plain")
    convert(folder / "plain", folder / "begun", sections_of)
    return folder / "begun"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    lines = [json.dumps({"text": TEXT, "summary": SUMMARY})] * 2
    for split in ("train", "validation"):
        (folder / f"{split}.jsonl").write_text("\n".join(lines))
    return folder


def small(begun: Path, name: str = "bert_abs", **changes: Any) -> Preset:
    decoder = TINY_DECODER if name != "bert_ext" else {}
    return read(name, {**TINY, **decoder, "training.init_from": str(begun), **changes})


def initialized(preset: Preset, begun: Path) -> tuple[Seq2Seq, Preparation, list[str], dict[str, Any]]:
    """An untrained network with the weights that its training begins with."""
    tokenizer = read_tokenizer(preset.options("tokenizer"), begun / "tokenizer")
    made = build(preset, len(tokenizer))
    notices, record = initialize(preset, made, tokenizer, None)
    assert isinstance(made, Seq2Seq)
    return made.eval(), Preparation.of(preset, tokenizer), notices, record["init_from"]


@pytest.fixture(scope="module")
def bert_abs(begun: Path) -> tuple[Seq2Seq, Preparation, list[str], dict[str, Any]]:
    return initialized(small(begun), begun)


def test_the_rates_of_encoder_and_decoder_are_those_of_the_paper() -> None:
    """Sec. 4.2: 2e-3 · min(s^-0.5, s · 20000^-1.5) and 0.2 · min(s^-0.5, s · 10000^-1.5).

    √20000 = 141.42, so the encoder's is 1.4142e-5 at its highest, a quarter of that at step 5,000 and a half at 80,000.
    The decoder's is 0.2 / 100 at its highest, half of that at 5,000 and at 40,000.
    """
    training = read("bert_abs").config.training
    encoder, decoder = (schedules.build(one, 768) for one in (training.encoder_schedule, training.schedule))
    assert [encoder(step) for step in (5_000, 20_000, 80_000)] == pytest.approx(
        [3.5355e-6, 1.41421e-5, 7.0711e-6], 1e-4
    )
    assert [decoder(step) for step in (1, 5_000, 10_000, 40_000)] == pytest.approx([2e-7, 1e-3, 2e-3, 1e-3])


def test_sentences_are_read_between_cls_and_sep_with_interval_segments(bert_abs: Any, begun: Path) -> None:
    made, preparation, _, _ = bert_abs
    given = batch([preparation.source(Document.of(TEXT, language="en"))])
    theirs = load_file(begun.parent / "plain" / "model.safetensors")
    expected = plain_states(theirs, [PIECES.index(piece) for piece in IDS.split()], SEGMENTS)
    assert torch.allclose(made.encode(given).encoder_hidden_states[0], expected, atol=1e-5)


def test_the_decoder_by_its_formula(bert_abs: Any) -> None:
    """Layers that normalize before each part, four heads of one number, GELU, sinusoids, scores by tied embeddings."""
    made, preparation, _, _ = bert_abs
    source = preparation.source(Document.of(TEXT, language="en"))
    given = batch([source], [preparation.target([SUMMARY], source)])
    assert given.target is not None
    assert given.target[0, 0] == BOS
    assert given.target[0, -1] == EOS
    states = made.encode(given).encoder_hidden_states[0]
    logits = plain_decoder(weights(made), given.target[0, :-1], states)
    logits[:, PAD] = -torch.inf
    expected = logits.log_softmax(-1).gather(1, given.target[0, 1:, None])[:, 0]
    assert torch.allclose(made(given).target_log_probs[0], expected, atol=1e-5)


def plain_decoder(tensors: dict[str, Tensor], ids: Tensor, source: Tensor) -> Tensor:
    """The scores of the next words, from words so far and the encoder's states."""

    def linear(name: str, states: Tensor) -> Tensor:
        return states @ tensors[f"{name}.weight"].T + tensors[f"{name}.bias"]

    def norm(name: str, states: Tensor) -> Tensor:
        return F.layer_norm(states, (4,), tensors[f"{name}.weight"], tensors[f"{name}.bias"], 1e-6)

    def attention(name: str, states: Tensor, keys: Tensor, allowed: Tensor) -> Tensor:
        weight, bias = tensors[f"{name}.qkv_proj.weight"], tensors[f"{name}.qkv_proj.bias"]
        parts = zip(weight.chunk(3), bias.chunk(3), (states, keys, keys), strict=True)
        query, key, value = (given @ matrix.T + added for matrix, added, given in parts)
        scores = [(query[:, [head]] @ key[:, [head]].T).masked_fill(~allowed, -torch.inf) for head in range(4)]
        mixed = [one.softmax(-1) @ value[:, [head]] for head, one in enumerate(scores)]
        return linear(f"{name}.out_proj", torch.cat(mixed, -1))

    table, layer, steps = tensors["target_embedding.word_embeddings.weight"], "decoder.layers.0", len(ids)
    states = 2 * table[ids] + sinusoids(steps, 4)
    before = torch.ones(steps, steps, dtype=torch.bool).tril()
    normed = norm(f"{layer}.self_attention_residual.norm", states)
    states = states + attention(f"{layer}.self_attention", normed, normed, before)
    normed = norm(f"{layer}.cross_attention_residual.norm", states)
    everywhere = torch.ones(steps, len(source), dtype=torch.bool)
    states = states + attention(f"{layer}.cross_attention", normed, source, everywhere)
    normed = norm(f"{layer}.feed_forward_residual.norm", states)
    states = states + linear(f"{layer}.feed_forward.linear2", F.gelu(linear(f"{layer}.feed_forward.linear1", normed)))
    return norm("decoder.norm", states) @ table.T + tensors["head.vocab_proj.bias"]


def test_words_of_the_summary_begin_as_berts_and_are_tied_to_the_output(bert_abs: Any, begun: Path) -> None:
    made, preparation, notices, record = bert_abs
    target, source = made.target_embedding.word_embeddings.weight, made.source_embedding.word_embeddings.weight
    assert made.head.vocab_proj.weight is target
    assert target is not source
    theirs = load_file(begun.parent / "plain" / "model.safetensors")["embeddings.word_embeddings.weight"]
    for table in (source, target):
        for word in WORDS:
            assert torch.equal(table[list(preparation.tokenizer.tokens).index(word)], theirs[PIECES.index(word)])
    assert record["copied_from_source"] == ["target_embedding.word_embeddings.weight"]
    assert "embeddings" in notices[0]
    assert {name.split(".")[0] for name in record["new"]} == {"decoder", "head"}


def two_rates(folder: Path, seed: int = 7, **changes: Any) -> Loop:
    """A training of a small network whose encoder has a rate of its own."""
    options = {
        "max_steps": 9,
        "batch_size": 3,
        "batch_type": "examples",
        "gradient_accumulation_steps": 1,
        "validate_every": 4,
        "patience": 0,
        "device": "cpu",
        "precision": "fp32",
        "threads": 1,
        "optimizer": {"kind": "adam", "betas": [0.9, 0.999]},
        "schedule": {"kind": "constant", "learning_rate": 0.01, "warmup_steps": 2},
        "encoder_schedule": {"kind": "constant", "learning_rate": 0.001},
        **changes,
    }
    made = network(seed=seed, head={"kind": "generator"}, share_embeddings=False, tie_word_embeddings=True)
    return assemble(configure(Config, options, "training"), made, Toy(20), Toy(7, seed=1), folder, seed=5)


def test_the_encoder_and_what_embeds_the_source_learn_by_their_own_schedule(tmp_path: Path) -> None:
    made = two_rates(tmp_path)
    first, second = ({id(one) for one in group["params"]} for group in made.update.optimizer.param_groups)
    names = {id(one): name.split(".")[0] for name, one in made.network.named_parameters()}
    assert len(first) + len(second) == len(names)
    assert {names[one] for one in first} == {"target_embedding", "decoder", "head"}
    assert {names[one] for one in second} == {"source_embedding", "encoder"}


def test_segments_belong_to_the_encoder_of_either_network(begun: Path) -> None:
    for name, changes in (("bert_abs", {}), ("bert_ext", TINY_SENTENCES)):
        made = build(small(begun, name, **changes), 300)
        names = {id(one): key for key, one in made.named_parameters()}
        found = {names[id(one)] for one in made.encoder_parameters}
        assert "second_segment" in found
        assert {key.split(".")[0] for key in found} == {"source_embedding", "second_segment", "encoder"}


@pytest.mark.parametrize("kind", ["adam", "adagrad"])
def test_two_groups_learn_as_two_optimizers(kind: str, tmp_path: Path) -> None:
    """The decoder's rate is 0.005, then 0.01; the encoder's always 0.001."""
    made, other = (two_rates(tmp_path / name, optimizer={"kind": kind}) for name in ("one", "other"))
    chosen = {id(one) for one in other.network.encoder_parameters}
    parts = [[one for one in other.network.parameters() if (id(one) in chosen) == inside] for inside in (False, True)]
    plain = [optimizers.build(made.config.optimizer).create(part) for part in parts]
    given = Toy(6).batch(range(6))
    words = int((~given.labels_mask).sum())
    for step, rates in enumerate([(0.005, 0.001), (0.01, 0.001), (0.01, 0.001)], 1):
        made.update([given], words, step, step)
        (other.update.loss(given) / words).backward()
        for optimizer, rate in zip(plain, rates, strict=True):
            optimizer.param_groups[0]["lr"] = rate
            optimizer.step()
            optimizer.zero_grad()
    for one, same in zip(made.network.parameters(), other.network.parameters(), strict=True):
        assert torch.equal(one, same)


def test_a_resumed_training_equals_an_unbroken_one(tmp_path: Path) -> None:
    whole = two_rates(tmp_path / "whole")
    whole.run()
    two_rates(tmp_path / "parts", max_steps=5).run()
    again = two_rates(tmp_path / "parts", seed=99)
    again.resume()
    assert again.state.step == 5
    again.run()
    assert digest_of(weights(again.network)) == digest_of(weights(whole.network))


def test_a_plateau_lowers_both_rates(tmp_path: Path) -> None:
    falling = {"kind": "reduce_on_plateau", "learning_rate": 1e-20, "factor": 0.5, "bad_validations": 1}
    made = two_rates(tmp_path, schedule=falling, encoder_schedule={**falling, "learning_rate": 1e-21})
    made.run()
    assert [group["lr"] for group in made.update.optimizer.param_groups] == pytest.approx([5e-21, 5e-22])


def test_bert_ext_abs_begins_with_the_encoder_of_a_trained_bert_ext(begun: Path, corpus: Path, tmp_path: Path) -> None:
    once = {"training.max_steps": 1, "training.validate_every": 0, "training.precision": "fp32"}
    once |= {"training.schedule.kind": "constant", "training.schedule.learning_rate": 0.1}
    train(small(begun, "bert_ext", **TINY_SENTENCES, **once), corpus, tmp_path / "selector")
    learned = load_file(tmp_path / "selector" / "weights.safetensors")
    made, _, _, record = initialized(small(tmp_path / "selector", "bert_ext_abs"), begun)
    own, bert = weights(made), load_file(begun / "weights.safetensors")
    taken = [name for name in learned if name.startswith(("source_embedding.", "encoder.", "second_segment"))]
    assert len(taken) == 17
    assert all(torch.equal(own[name], learned[name]) for name in taken)
    inner = "encoder.layers.0.feed_forward.linear1.weight"
    assert not torch.equal(learned[inner], bert[inner])
    words = "_embedding.word_embeddings.weight"
    assert torch.equal(own[f"target{words}"], learned[f"source{words}"])
    assert {name.split(".")[0] for name in record["unused"]} == {"sentence_encoder", "score_proj"}


def test_a_training_begins_with_a_bert_and_leaves_a_system(begun: Path, corpus: Path, tmp_path: Path) -> None:
    changes = {
        "training.max_steps": 40,
        "training.validate_every": 0,
        "training.precision": "fp32",
        "training.schedule.kind": "constant",
        "training.schedule.learning_rate": 0.03,
        "training.encoder_schedule.kind": "constant",
        "training.encoder_schedule.learning_rate": 0.01,
        "decoding.min_length": 1,
        "decoding.max_length": 20,
    }
    train(small(begun, **changes), corpus, tmp_path / "out")
    assert nutgraf.load(tmp_path / "out")(TEXT).text == SUMMARY


def test_data_with_marks_and_data_without_are_told_apart(begun: Path, corpus: Path, tmp_path: Path) -> None:
    plain = {"model.interval_segments": False}
    for name, changes, others in (("marked", {}, plain), ("plain", plain, {})):
        prepare(small(begun, **changes), corpus, tmp_path / name, tokenizer=begun, workers=1)
        with pytest.raises(InputError, match="interval_segments"):
            train(small(begun, **others), tmp_path / name, tmp_path / f"{name}.out")


def test_what_does_not_fit_is_refused(begun: Path) -> None:
    with pytest.raises(PresetError, match="marks"):
        small(begun, **{"model.head.kind": "pointer"}).check()
    with pytest.raises(PresetError, match=r"a multiple of target\.num_heads = 3"):
        small(begun, **{"model.target.num_heads": 3}).check()
    masked = {"dataset.kind": "masked_spans", "dataset.of": {"kind": "jsonl"}}
    with pytest.raises(PresetError, match="hidden spans"):
        prepare(small(begun, **masked), begun, begun.parent / "never")
