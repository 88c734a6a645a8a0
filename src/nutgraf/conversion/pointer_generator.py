"""The pointer-generator (See, Liu and Manning 2017) in TensorFlow's format, as its authors' code saves it.

Files are NAME.index and NAME.data-…, and beside them the word counts that their preparation calls `vocab`. TensorFlow's
LSTM has its gates in the order input, new, forget, output and adds 1 to the forget gate when it runs; torch's order is
input, forget, new, output. Their gate is the probability of generating, ours of copying: 1 − σ(x) = σ(−x).

Their search looks at the source once more before its first word and begins with that context and, so, coverage; ours
begins as training does, with neither. Their softmax has a place for the padding, which no target has; ours has none.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from nutgraf.conversion import Converter, ForeignWeights
from nutgraf.conversion._foreign import ForeignTensors
from nutgraf.conversion._tensor_bundle import INDEX, read_tensors
from nutgraf.conversion._tokenizers import Order, read_lines, rows, whole_words
from nutgraf.errors import InputError
from nutgraf.tokenizers import SEP_ID

VOCABULARY = "vocab"
FIRST = ["[UNK]", "[PAD]", "[START]", "[STOP]"]
"""Words that their vocabulary has before those of the file."""

SPECIAL = ("[PAD]", "[UNK]", "[START]", "[STOP]", "[STOP]")
NEVER = -1e4
"""Bias of `<sep>`, which they do not know: its probability is zero in single precision."""

TRAINING = re.compile(r"global_step|.*/Adagrad")
ATTENTION = "decoder/attention_decoder"


class PointerGenerator(Converter):
    """A checkpoint of See et al."""

    name = "TensorFlow checkpoint of a pointer-generator"
    needs = "a TensorFlow checkpoint of See et al.'s pointer-generator (NAME.index, NAME.data-…) with `vocab` beside it"

    def recognizes(self, source: Path) -> bool:
        """See `Converter`."""
        return _prefix(source) is not None

    def read(self, source: Path, decoder: bool) -> ForeignWeights:
        """See `Converter`."""
        prefix = _prefix(source)
        assert prefix is not None
        vocabulary = prefix.with_name(VOCABULARY)
        if not vocabulary.is_file():
            raise InputError(f"{prefix} needs its vocabulary beside it, {vocabulary}.")
        found = {name: one for name, one in read_tensors(prefix).items() if not TRAINING.fullmatch(name)}
        renamed = {_plain(name): one for name, one in found.items()}
        theirs = ForeignTensors(renamed, prefix)
        table = theirs.take("embedding/embedding")
        words = [line.split(" ")[0] for line in read_lines(vocabulary) if len(line.split(" ")) == 2]
        tokenizer, order = whole_words([*FIRST, *words][: len(table)], SPECIAL, vocabulary)
        copies, covers = f"{ATTENTION}/calculate_pgen/Linear/Matrix" in theirs, f"{ATTENTION}/coverage/w_c" in theirs
        tensors = {"source_embedding.word_embeddings.weight": rows(table, order, prefix)}
        for direction, suffix in (("fw", "_l0"), ("bw", "_l0_reverse")):
            tensors |= _lstm(theirs, f"encoder/bidirectional_rnn/{direction}", "encoder.layers.0", suffix)
        tensors |= _decoder(theirs, covers) | _head(theirs, order, copies)
        theirs.refuse_unused()
        hidden = tensors["encoder.layers.0.weight_hh_l0"].shape[1]
        settings: dict[str, Any] = {
            "tokenizer.lower": tokenizer.config.lower,
            "model.d_model": table.shape[1],
            "model.encoder.hidden_size": hidden,
            "model.decoder.hidden_size": hidden,
            "model.decoder.attention_dim": len(tensors["decoder.cross_attention.score_weight"]),
        }
        preset = "pointer_generator_coverage" if covers else "pointer_generator"
        if not copies:
            settings["model.head.kind"] = "generator"
        title = "Pointer-generator" if copies else "Sequence-to-sequence with attention"
        return ForeignWeights(f"{title} (See et al.)", settings, tokenizer, tensors, preset=preset)


def _prefix(source: Path) -> Path | None:
    """Return the path of a checkpoint without `.index`: given with or without it, or the only one in a folder."""
    if source.is_dir():
        found = [*source.glob(f"*{INDEX}")]
        return found[0].with_suffix("") if len(found) == 1 else None
    if source.suffix == INDEX and source.is_file():
        return source.with_suffix("")
    return source if source.with_name(source.name + INDEX).is_file() else None


def _plain(name: str) -> str:
    """Return a variable's name without its scope, by TensorFlow 1.2's names of an LSTM's parts."""
    name = name.removeprefix("seq2seq/")
    return re.sub(r"(?<=lstm_cell/)(weights|biases)$", lambda old: "kernel" if old[0] == "weights" else "bias", name)


def _linear(theirs: ForeignTensors, name: str, ours: str) -> dict[str, Tensor]:
    return {
        f"{ours}.weight": theirs.take(f"{name}/Linear/Matrix").T.contiguous(),
        f"{ours}.bias": theirs.take(f"{name}/Linear/Bias"),
    }


def _lstm(theirs: ForeignTensors, name: str, ours: str, suffix: str = "") -> dict[str, Tensor]:
    """Return an LSTM's weights. Theirs are one matrix, the rows of the input above those of the hidden state."""
    kernel, bias = theirs.take(f"{name}/lstm_cell/kernel"), theirs.take(f"{name}/lstm_cell/bias")
    hidden = len(bias) // 4
    gates = [slice(gate * hidden, (gate + 1) * hidden) for gate in (0, 2, 1, 3)]
    weight, added = torch.cat([kernel[:, gate] for gate in gates], 1).T, torch.cat([bias[gate] for gate in gates])
    added[hidden : 2 * hidden] += 1.0
    return {
        f"{ours}.weight_ih{suffix}": weight[:, :-hidden].contiguous(),
        f"{ours}.weight_hh{suffix}": weight[:, -hidden:].contiguous(),
        f"{ours}.bias_ih{suffix}": added,
        f"{ours}.bias_hh{suffix}": torch.zeros_like(added),
    }


def _decoder(theirs: ForeignTensors, covers: bool) -> dict[str, Tensor]:
    found = {}
    for letter, ours in (("c", "cell"), ("h", "hidden")):
        found[f"decoder.{ours}_init.weight"] = theirs.take(f"reduce_final_st/w_reduce_{letter}").T.contiguous()
        found[f"decoder.{ours}_init.bias"] = theirs.take(f"reduce_final_st/bias_reduce_{letter}")
    found |= _linear(theirs, ATTENTION, "decoder.in_proj")
    found |= _lstm(theirs, ATTENTION, "decoder.lstm")
    found |= _linear(theirs, f"{ATTENTION}/AttnOutputProjection", "decoder.out_proj")
    query = _linear(theirs, f"{ATTENTION}/Attention", "query")
    found["decoder.cross_attention.key_proj.weight"] = theirs.take(f"{ATTENTION}/W_h").squeeze(0, 1).T.contiguous()
    found["decoder.cross_attention.key_proj.bias"] = query["query.bias"]
    found["decoder.cross_attention.query_proj.weight"] = query["query.weight"]
    found["decoder.cross_attention.score_weight"] = theirs.take(f"{ATTENTION}/v")
    if covers:
        found["decoder.cross_attention.coverage_weight"] = theirs.take(f"{ATTENTION}/coverage/w_c").flatten()
    return found


def _head(theirs: ForeignTensors, order: Order, copies: bool) -> dict[str, Tensor]:
    weight, bias = theirs.take("output_projection/w").T, theirs.take("output_projection/v")
    found = {
        "head.vocab_proj.weight": rows(weight, order, theirs.where).contiguous(),
        "head.vocab_proj.bias": rows(bias, order, theirs.where),
    }
    found["head.vocab_proj.weight"][SEP_ID], found["head.vocab_proj.bias"][SEP_ID] = 0.0, NEVER
    if copies:
        gate = _linear(theirs, f"{ATTENTION}/calculate_pgen", "head.p_copy_proj")
        found |= {name: -tensor for name, tensor in gate.items()}
    return found
