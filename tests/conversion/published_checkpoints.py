"""Tiny checkpoints in the layouts of published summarizers, and what their authors' formulas make of the weights.

The formulas are written down from the papers and the authors' descriptions, one text at a time and step by step; they
know nothing of our networks.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

Weights = dict[str, Tensor]

WORDS = ["the", "ferry", "left", "at", "noon", ".", "bridge", "agnes", "of"]
VOCABULARY = ["<unk>", "<blank>", "<s>", "</s>", "<t>", "</t>", *WORDS]
"""A vocabulary of OpenNMT-py."""

PIECES = ["[PAD]", "[unused0]", "[unused1]", "[unused2]", "[unused3]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
"""A vocabulary of BERT."""

SEE_WORDS = ["[UNK]", "[PAD]", "[START]", "[STOP]", *WORDS]
"""A vocabulary of See et al.; its file begins with the first of WORDS."""


def drawn(*shape: int, spread: float = 0.7) -> Tensor:
    return torch.randn(*shape) * spread


def linear(weights: Weights, name: str, inputs: int, outputs: int) -> None:
    weights[f"{name}.weight"], weights[f"{name}.bias"] = drawn(outputs, inputs), drawn(outputs)


def normalization(weights: Weights, name: str, width: int, kinds: Sequence[str] = ("weight", "bias")) -> None:
    weights[f"{name}.{kinds[0]}"], weights[f"{name}.{kinds[1]}"] = 1 + drawn(width, spread=0.3), drawn(width)


def affine(weights: Weights, name: str, states: Tensor) -> Tensor:
    return states @ weights[f"{name}.weight"].T + weights.get(f"{name}.bias", torch.zeros(()))


def sinusoid(position: int, width: int) -> Tensor:
    """sin and cos by turns, each pair slower than the one before."""
    angles = [position / 10_000 ** (2 * (column // 2) / width) for column in range(width)]
    return torch.tensor([math.cos(one) if column % 2 else math.sin(one) for column, one in enumerate(angles)])


def attend(query: Tensor, keys: Tensor, values: Tensor, heads: int, causal: bool = False) -> tuple[Tensor, Tensor]:
    """Contexts, and the weights of the first head."""
    width = query.shape[1] // heads
    contexts, first = [], None
    for head in range(heads):
        part = slice(head * width, (head + 1) * width)
        scores = query[:, part] @ keys[:, part].T / math.sqrt(width)
        if causal:
            scores = scores + torch.full_like(scores, -math.inf).triu(1)
        weights = scores.softmax(-1)
        first = weights if first is None else first
        contexts.append(weights @ values[:, part])
    assert first is not None
    return torch.cat(contexts, 1), first


# OpenNMT-py, whose layers PreSumm took over


def opennmt_norm(weights: Weights, name: str, states: Tensor) -> Tensor:
    if f"{name}.a_2" in weights:
        spread = states.std(-1, keepdim=True) + 1e-3
        return (states - states.mean(-1, keepdim=True)) / spread * weights[f"{name}.a_2"] + weights[f"{name}.b_2"]
    return F.layer_norm(states, states.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"], 1e-6)


def opennmt_attention(
    weights: Weights, name: str, asks: Tensor, has: Tensor, heads: int, causal: bool = False
) -> tuple[Tensor, Tensor]:
    query, keys, values = (
        affine(weights, f"{name}.linear_{part}", states)
        for part, states in (("query", asks), ("keys", has), ("values", has))
    )
    context, first = attend(query, keys, values, heads, causal)
    return affine(weights, f"{name}.final_linear", context), first


def opennmt_feed_forward(weights: Weights, name: str, states: Tensor, activation: Any) -> Tensor:
    inner = activation(affine(weights, f"{name}.w_1", opennmt_norm(weights, f"{name}.layer_norm", states)))
    return states + affine(weights, f"{name}.w_2", inner)


def opennmt_encoder_layer(
    weights: Weights, name: str, states: Tensor, heads: int, activation: Any, norm: bool = True
) -> Tensor:
    given = opennmt_norm(weights, f"{name}.layer_norm", states) if norm else states
    states = states + opennmt_attention(weights, f"{name}.self_attn", given, given, heads)[0]
    return opennmt_feed_forward(weights, f"{name}.feed_forward", states, activation)


def opennmt_decoder_layer(
    weights: Weights, name: str, states: Tensor, memory: Tensor, heads: int, activation: Any
) -> tuple[Tensor, Tensor]:
    given = opennmt_norm(weights, f"{name}.layer_norm_1", states)
    states = states + opennmt_attention(weights, f"{name}.self_attn", given, given, heads, causal=True)[0]
    given = opennmt_norm(weights, f"{name}.layer_norm_2", states)
    context, first = opennmt_attention(weights, f"{name}.context_attn", given, memory, heads)
    return opennmt_feed_forward(weights, f"{name}.feed_forward", states + context, activation), first


def opennmt_layer_weights(weights: Weights, name: str, width: int, inner: int, norms: Sequence[str], old: bool) -> None:
    kinds = ("a_2", "b_2") if old else ("weight", "bias")
    for attention in ("self_attn", "context_attn") if len(norms) == 2 else ("self_attn",):
        for part in ("linear_keys", "linear_values", "linear_query", "final_linear"):
            linear(weights, f"{name}.{attention}.{part}", width, width)
    linear(weights, f"{name}.feed_forward.w_1", width, inner)
    linear(weights, f"{name}.feed_forward.w_2", inner, width)
    for norm in (*norms, "feed_forward.layer_norm"):
        normalization(weights, f"{name}.{norm}", width, kinds)


def opennmt(path: Path, layout: str, copies: bool = True, shared: bool = True, **options: Any) -> dict[str, Any]:
    """Write a transformer of OpenNMT-py 0.1 ("0"), 2 ("2") or 3 ("3"); return what is in the file."""
    torch.manual_seed(11)
    width, inner, old = 6, 7, layout == "0"
    weights: Weights = {}
    table = "embeddings.make_embedding.emb_luts.0.weight"
    for side, count in (("encoder", 2), ("decoder", 1)):
        weights[f"{side}.{table}"] = drawn(len(VOCABULARY), width)
        weights[f"{side}.embeddings.make_embedding.pe.pe"] = torch.zeros(50, 1, width)
        layers = "transformer" if side == "encoder" else "transformer_layers"
        norms = ["layer_norm"] if side == "encoder" else ["layer_norm_1", "layer_norm_2"]
        for number in range(count):
            opennmt_layer_weights(weights, f"{side}.{layers}.{number}", width, inner, norms, old)
        normalization(weights, f"{side}.layer_norm", width, ("a_2", "b_2") if old else ("weight", "bias"))
    if shared:
        weights[f"decoder.{table}"] = weights[f"encoder.{table}"]
    if old:
        weights["decoder.transformer_layers.0.mask"] = torch.zeros(1, 9, 9, dtype=torch.uint8)
        weights["decoder.copy_attn.linear_in.weight"] = drawn(width, width)
        weights["decoder.copy_attn.linear_out.weight"] = drawn(width, 2 * width)
    if layout == "3":
        weights = {name: one for name, one in weights.items() if not name.endswith(("y.bias", "s.bias", "r.bias"))}
    head: Weights = {}
    if copies:
        linear(head, "linear", width, len(VOCABULARY))
        linear(head, "linear_copy", width, 1)
    else:
        linear(head, "0", width, len(VOCABULARY))
    given = {"heads": 2, "dropout": 0.2 if old else [0.2], "encoder_type": "transformer", **options}
    with foreign_classes() as classes:
        checkpoint = {
            "model": weights,
            "generator": head,
            "vocab": opennmt_vocabulary(layout, classes),
            "opt": argparse.Namespace(**given),
            "optim": trained_optimizer(classes["onmt.Optim.Optim"]),
        }
        torch.save(checkpoint, path, _use_new_zipfile_serialization=not old)
    return checkpoint


def opennmt_vocabulary(layout: str, classes: dict[str, type]) -> Any:
    if layout == "3":
        return {"src": VOCABULARY, "tgt": VOCABULARY, "decoder_start_token": "<s>"}
    vocabulary = classes["torchtext.vocab.Vocab"]()
    vocabulary.itos, vocabulary.freqs = VOCABULARY, Counter(WORDS)
    vocabulary.stoi = defaultdict(int, {word: at for at, word in enumerate(VOCABULARY)})
    if layout == "0":
        return [("src", vocabulary), ("tgt", vocabulary), ("indices", vocabulary)]
    fields = {}
    for side in ("src", "tgt"):
        field = classes["torchtext.data.field.Field"]()
        field.vocab, field.dtype = vocabulary, torch.long
        several = classes["onmt.inputters.text_dataset.TextMultiField"]()
        several.fields = [(side, field)]
        fields[side] = several
    return fields


def trained_optimizer(kind: type) -> Any:
    """An object of a program's own that holds one of torch's, with the state of a step."""
    parameter = torch.nn.Parameter(drawn(3))
    adam = torch.optim.Adam([parameter])
    parameter.sum().backward()
    adam.step()
    outer = kind()
    outer.optimizer, outer.method = adam, "adam"
    return outer


@contextmanager
def foreign_classes() -> Iterator[dict[str, type]]:
    """Classes of programs that are not installed, for as long as their objects are pickled."""
    names = [
        "torchtext.vocab.Vocab",
        "torchtext.data.field.Field",
        "onmt.inputters.text_dataset.TextMultiField",
        "onmt.Optim.Optim",
        "models.optimizers.Optimizer",
    ]
    made, classes = [], {}
    for name in names:
        module, _, kind = name.rpartition(".")
        parents = [module.rsplit(".", depth)[0] for depth in range(module.count(".") + 1)]
        for one in [parent for parent in parents if parent not in sys.modules]:
            sys.modules[one] = ModuleType(one)
            made.append(one)
        classes[name] = type(kind, (), {"__module__": module})
        setattr(sys.modules[module], kind, classes[name])
    try:
        yield classes
    finally:
        for one in made:
            del sys.modules[one]


def opennmt_probabilities(checkpoint: dict[str, Any], source: list[str], written: list[str]) -> list[dict[str, float]]:
    """The probability of each word after each of the words written, the beginning among them."""
    weights, head = checkpoint["model"], {f"head.{name}": one for name, one in checkpoint["generator"].items()}
    activation = F.relu if getattr(checkpoint["opt"], "pos_ffn_activation_fn", "relu") == "relu" else F.gelu
    width = weights["encoder.layer_norm.a_2" if "encoder.layer_norm.a_2" in weights else "encoder.layer_norm.weight"]

    def embedded(side: str, words: list[str]) -> Tensor:
        table = weights[f"{side}.embeddings.make_embedding.emb_luts.0.weight"]
        rows = [table[VOCABULARY.index(word) if word in VOCABULARY else 0] for word in words]
        scaled = [row * math.sqrt(len(width)) + sinusoid(at, len(width)) for at, row in enumerate(rows)]
        return torch.stack(scaled)

    states = embedded("encoder", source)
    for number in range(2):
        states = opennmt_encoder_layer(weights, f"encoder.transformer.{number}", states, 2, activation)
    memory = opennmt_norm(weights, "encoder.layer_norm", states)
    states = embedded("decoder", ["<s>", *written])
    states, attention = opennmt_decoder_layer(weights, "decoder.transformer_layers.0", states, memory, 2, activation)
    states = opennmt_norm(weights, "decoder.layer_norm", states)
    logits = affine(head, "head.linear" if "head.linear.weight" in head else "head.0", states)
    if "head.linear_copy.weight" not in head:
        return [dict(zip(VOCABULARY, row.softmax(-1).tolist(), strict=True)) for row in logits]
    logits[:, VOCABULARY.index("<blank>")] = -math.inf
    gate = affine(head, "head.linear_copy", states).sigmoid()
    found = []
    for step in range(len(states)):
        generated = (1 - gate[step]) * logits[step].softmax(-1)
        each = dict(zip(VOCABULARY, generated.tolist(), strict=True))
        for word, share in zip(source, (gate[step] * attention[step]).tolist(), strict=True):
            each[word] = each.get(word, 0.0) + share
        found.append(each)
    return found


# PreSumm


def presumm(path: Path, extractive: bool, **options: Any) -> dict[str, Any]:
    """Write a BertExt or a BertAbs, its vocabulary beside it; return what is in the file."""
    torch.manual_seed(13)
    width, positions = 128, 40
    weights: Weights = {}
    top = "bert.model"
    for name, count in (("word", len(PIECES)), ("position", positions), ("token_type", 2)):
        weights[f"{top}.embeddings.{name}_embeddings.weight"] = drawn(count, width)
    normalization(weights, f"{top}.embeddings.LayerNorm", width)
    layer = f"{top}.encoder.layer.0"
    for name in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
        linear(weights, f"{layer}.{name}", width, width)
        weights[f"{layer}.{name}.weight"] *= 0.2
    linear(weights, f"{layer}.intermediate.dense", width, 7)
    linear(weights, f"{layer}.output.dense", 7, width)
    for name in ("attention.output.LayerNorm", "output.LayerNorm"):
        normalization(weights, f"{layer}.{name}", width)
    linear(weights, f"{top}.pooler.dense", width, width)
    if extractive:
        weights["ext_layer.pos_emb.pe"] = torch.zeros(1, 50, width)
        for number in range(2):
            opennmt_layer_weights(weights, f"ext_layer.transformer_inter.{number}", width, 5, ["layer_norm"], False)
        normalization(weights, "ext_layer.layer_norm", width)
        linear(weights, "ext_layer.wo", width, 1)
    else:
        weights["decoder.embeddings.weight"] = drawn(len(PIECES), width, spread=0.2)
        weights["decoder.pos_emb.pe"] = torch.zeros(1, 50, width)
        weights["decoder.transformer_layers.0.mask"] = torch.zeros(1, 9, 9, dtype=torch.uint8)
        norms = ["layer_norm_1", "layer_norm_2"]
        opennmt_layer_weights(weights, "decoder.transformer_layers.0", width, 5, norms, False)
        normalization(weights, "decoder.layer_norm", width)
        weights["generator.0.weight"] = weights["decoder.embeddings.weight"]
        weights["generator.0.bias"] = drawn(len(PIECES))
    path.parent.mkdir(parents=True, exist_ok=True)
    with foreign_classes() as classes:
        optimizers = [trained_optimizer(classes["models.optimizers.Optimizer"])]
        given = {"encoder": "bert", "ext_heads": 4, "dec_heads": 4, "use_interval": True, **options}
        checkpoint = {"model": weights, "opt": argparse.Namespace(**given), "optims": optimizers}
        torch.save(checkpoint, path, _use_new_zipfile_serialization=False)
    path.with_name("vocab.txt").write_text("\n".join(PIECES) + "\n")
    return checkpoint


def presumm_states(weights: Weights, sentences: list[list[str]]) -> tuple[Tensor, list[int]]:
    """States of the BERT, and where the sentences begin."""
    top, layer = "bert.model.embeddings", "bert.model.encoder.layer.0"
    pieces = [["[CLS]", *sentence, "[SEP]"] for sentence in sentences]
    flat = [piece for sentence in pieces for piece in sentence]
    segments = [number % 2 for number, sentence in enumerate(pieces) for _ in sentence]
    starts = [sum(map(len, pieces[:number])) for number in range(len(pieces))]
    words, places, texts = (weights[f"{top}.{one}_embeddings.weight"] for one in ("word", "position", "token_type"))

    def norm(name: str, states: Tensor) -> Tensor:
        return F.layer_norm(states, states.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"], 1e-12)

    ids = [PIECES.index(piece) for piece in flat]
    states = norm(f"{top}.LayerNorm", words[ids] + places[: len(ids)] + texts[segments])
    mapped = (affine(weights, f"{layer}.attention.self.{part}", states) for part in ("query", "key", "value"))
    context, _ = attend(*mapped, heads=2)
    attended = states + affine(weights, f"{layer}.attention.output.dense", context)
    states = norm(f"{layer}.attention.output.LayerNorm", attended)
    inner = F.gelu(affine(weights, f"{layer}.intermediate.dense", states))
    return norm(f"{layer}.output.LayerNorm", states + affine(weights, f"{layer}.output.dense", inner)), starts


def gelu_by_tanh(values: Tensor) -> Tensor:
    return 0.5 * values * (1 + torch.tanh(math.sqrt(2 / math.pi) * (values + 0.044715 * values**3)))


def presumm_scores(weights: Weights, sentences: list[list[str]]) -> Tensor:
    """BertExt's logit of each sentence."""
    states, starts = presumm_states(weights, sentences)
    states = states[starts] + torch.stack([sinusoid(at, states.shape[1]) for at in range(len(starts))])
    for number in range(2):
        name = f"ext_layer.transformer_inter.{number}"
        states = opennmt_encoder_layer(weights, name, states, 4, gelu_by_tanh, norm=number > 0)
    return affine(weights, "ext_layer.wo", opennmt_norm(weights, "ext_layer.layer_norm", states)).squeeze(-1)


def presumm_logits(weights: Weights, sentences: list[list[str]], written: list[str]) -> Tensor:
    """BertAbs' logits after each of the pieces written."""
    memory, _ = presumm_states(weights, sentences)
    table = weights["decoder.embeddings.weight"]
    states = torch.stack(
        [
            table[PIECES.index(piece)] * math.sqrt(table.shape[1]) + sinusoid(at, table.shape[1])
            for at, piece in enumerate(written)
        ]
    )
    states, _ = opennmt_decoder_layer(weights, "decoder.transformer_layers.0", states, memory, 4, gelu_by_tanh)
    states = opennmt_norm(weights, "decoder.layer_norm", states)
    return affine({"0.weight": table, "0.bias": weights["generator.0.bias"]}, "0", states)


# See et al.


def see_weights(covers: bool = True, copies: bool = True) -> Weights:
    """Variables by the names of TensorFlow 1.2, with the leftovers of a training."""
    torch.manual_seed(17)
    width, hidden, count = 3, 2, len(SEE_WORDS)
    attention = "decoder/attention_decoder"
    shapes: dict[str, tuple[int, ...]] = {
        "embedding/embedding": (count, width),
        **{f"encoder/bidirectional_rnn/{side}/lstm_cell/kernel": (width + hidden, 4 * hidden) for side in ("fw", "bw")},
        **{f"encoder/bidirectional_rnn/{side}/lstm_cell/bias": (4 * hidden,) for side in ("fw", "bw")},
        **{f"reduce_final_st/w_reduce_{one}": (2 * hidden, hidden) for one in "ch"},
        **{f"reduce_final_st/bias_reduce_{one}": (hidden,) for one in "ch"},
        f"{attention}/W_h": (1, 1, 2 * hidden, 2 * hidden),
        f"{attention}/v": (2 * hidden,),
        f"{attention}/lstm_cell/kernel": (width + hidden, 4 * hidden),
        f"{attention}/lstm_cell/bias": (4 * hidden,),
        "output_projection/w": (hidden, count),
        "output_projection/v": (count,),
    }
    linears = {
        "Attention/Linear": (2 * hidden, 2 * hidden),
        "Linear": (width + 2 * hidden, width),
        "AttnOutputProjection/Linear": (3 * hidden, hidden),
    }
    if copies:
        linears["calculate_pgen/Linear"] = (4 * hidden + width, 1)
    if covers:
        shapes[f"{attention}/coverage/w_c"] = (1, 1, 1, 2 * hidden)
    for name, shape in linears.items():
        shapes[f"{attention}/{name}/Matrix"], shapes[f"{attention}/{name}/Bias"] = shape, shape[1:]
    weights = {f"seq2seq/{name}": drawn(*shape) for name, shape in shapes.items()}
    weights["seq2seq/output_projection/v"][
        SEE_WORDS.index("[PAD]")
    ] = -50.0  # no target wants it, so training drives it down
    slots = {f"{name}/Adagrad": torch.ones_like(one) for name, one in weights.items()}
    return {**weights, **slots, "global_step": torch.tensor(238_410)}


def see_cell(kernel: Tensor, bias: Tensor, given: Tensor, state: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    """TensorFlow's LSTM: cell and hidden state after an input."""
    cell, hidden = state
    entered, new, kept, shown = (torch.cat([given, hidden]) @ kernel + bias).chunk(4)
    cell = cell * torch.sigmoid(kept + 1) + torch.sigmoid(entered) * torch.tanh(new)
    return cell, torch.sigmoid(shown) * torch.tanh(cell)


def see_probabilities(weights: Weights, source: list[str], written: list[str]) -> list[dict[str, float]]:
    """The probability of each word after each of the words written, as in training."""
    plain = {name.removeprefix("seq2seq/"): one for name, one in weights.items()}
    top = "decoder/attention_decoder"

    def mapped(name: str, *parts: Tensor) -> Tensor:
        return torch.cat(parts) @ plain[f"{top}/{name}/Matrix"] + plain[f"{top}/{name}/Bias"]

    def embedded(word: str) -> Tensor:
        return plain["embedding/embedding"][SEE_WORDS.index(word) if word in SEE_WORDS else 0]

    nothing = torch.zeros(2)
    ends, read = [], []
    for side, words in (("fw", source), ("bw", source[::-1])):
        name, state, states = f"encoder/bidirectional_rnn/{side}/lstm_cell", (nothing, nothing), []
        for word in words:
            state = see_cell(plain[f"{name}/kernel"], plain[f"{name}/bias"], embedded(word), state)
            states.append(state[1])
        ends.append(state)
        read.append(states if side == "fw" else states[::-1])
    memory = torch.cat([torch.stack(states) for states in read], 1)
    cell, hidden = (
        F.relu(torch.cat([end[part] for end in ends]) @ plain[f"reduce_final_st/w_reduce_{one}"]
               + plain[f"reduce_final_st/bias_reduce_{one}"])
        for part, one in enumerate("ch")
    )  # fmt: skip
    context, covered, found = torch.zeros(4), torch.zeros(len(source)), []
    for word in ["[START]", *written]:
        given = mapped("Linear", embedded(word), context)
        cell, hidden = see_cell(plain[f"{top}/lstm_cell/kernel"], plain[f"{top}/lstm_cell/bias"], given, (cell, hidden))
        compared = memory @ plain[f"{top}/W_h"][0, 0] + mapped("Attention/Linear", cell, hidden)
        if f"{top}/coverage/w_c" in plain:
            compared = compared + covered[:, None] * plain[f"{top}/coverage/w_c"].flatten()
        attention = (torch.tanh(compared) @ plain[f"{top}/v"]).softmax(0)
        covered, context = covered + attention, attention @ memory
        shown = mapped("AttnOutputProjection/Linear", hidden, context)
        generated = (shown @ plain["output_projection/w"] + plain["output_projection/v"]).softmax(0)
        gate = torch.ones(1)
        if f"{top}/calculate_pgen/Linear/Matrix" in plain:
            gate = torch.sigmoid(mapped("calculate_pgen/Linear", context, cell, hidden, given))
        each = dict(zip(SEE_WORDS, (gate * generated).tolist(), strict=True))
        for copied, share in zip(source, ((1 - gate) * attention).tolist(), strict=True):
            each[copied] = each.get(copied, 0.0) + share
        found.append(each)
    return found


def see(folder: Path, weights: Weights) -> None:
    """Write a checkpoint as TensorFlow does, its vocabulary beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    tensor_bundle(folder / "model-238410", weights)
    lines = [f"{word} {99 - at}" for at, word in enumerate(WORDS)]
    (folder / "vocab").write_text("\n".join([*lines, "rare 1"]) + "\n")


def tensor_bundle(prefix: Path, tensors: Weights) -> None:
    """Write tensors as TensorFlow does: data side by side, and an index as a table with one block of entries."""
    entries, data = {b"": field(1, 1) + field(3, field(1, 1))}, b""
    for name, tensor in sorted(tensors.items()):
        content = tensor.numpy().tobytes()
        shape = b"".join(field(2, field(1, size)) for size in tensor.shape)
        kind = {torch.float32: 1, torch.int64: 9}[tensor.dtype]
        where = (field(4, len(data)) if data else b"") + field(5, len(content))
        entries[name.encode()] = field(1, kind) + field(2, shape) + where + varint(6 << 3 | 5) + bytes(4)
        data += content
    table, place = b"", b""
    for number, block in enumerate([block_of(entries), block_of({})]):
        handle = varint(len(table)) + varint(len(block))
        table += block + bytes(5)
        place = handle if number == 0 else place
        empty = handle
    index = block_of({b"\xff": place})
    handle = varint(len(table)) + varint(len(index))
    footer = (empty + handle).ljust(40, b"\0") + bytes.fromhex("57fb808b247547db")
    prefix.with_name(f"{prefix.name}.index").write_bytes(table + index + bytes(5) + footer)
    prefix.with_name(f"{prefix.name}.data-00000-of-00001").write_bytes(data)


def block_of(entries: dict[bytes, bytes]) -> bytes:
    """A block whose keys leave out what they share with the one before."""
    block, before = b"", b""
    for key, value in sorted(entries.items()):
        common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, key, strict=False)))
        block += varint(common) + varint(len(key) - common) + varint(len(value)) + key[common:] + value
        before = key
    return block + bytes(4) + (1).to_bytes(4, "little")


def field(number: int, value: int | bytes) -> bytes:
    """A field of a protocol buffer."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def varint(value: int) -> bytes:
    found = b""
    while value >= 128:
        found += bytes([value & 127 | 128])
        value >>= 7
    return found + bytes([value])
