"""The CopyTransformer (Gehrmann, Deng and Rush 2018) in OpenNMT-py's format: one file `.pt`, its vocabulary inside.

Versions 0.1 to 3 name the weights alike; they differ in how they keep the vocabulary, in the first version's layer
normalization, and in biases that version 3 leaves out. A transformer that does not copy is read, too. Target and source
must share one vocabulary, as in the published recipe. Of its words, </t>, which ends a sentence of a summary there, is
our <sep>; the padding, which their softmax leaves out, gets a bias that does the same.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from nutgraf.conversion import Converter, ForeignWeights
from nutgraf.conversion._foreign import ForeignObject, ForeignTensors, checkpoint_in, names_in, read_checkpoint
from nutgraf.conversion._opennmt import decoder_layer, encoder_layer, norm
from nutgraf.conversion._tokenizers import Order, rows, whole_words
from nutgraf.errors import InputError
from nutgraf.tokenizers import SEP_ID
from nutgraf.tokenizers.words import Words

EMBEDDING = "embeddings.make_embedding.emb_luts.0.weight"
POSITIONS = "embeddings.make_embedding.pe.pe"
SENTENCE_END = "</t>"

NEVER = -1e4
"""Bias of `<sep>` where no word stands for it: its probability is zero in single precision."""

PLAIN: Mapping[str, tuple[Any, ...]] = {
    "encoder_type": ("transformer",),
    "decoder_type": ("transformer",),
    "position_encoding": (True,),
    "position_encoding_type": ("SinusoidalInterleaved",),
    "max_relative_positions": (0,),
    "self_attn_type": ("scaled-dot", "scaled-dot-flash"),
    "coverage_attn": (False,),
    "layer_norm": ("standard",),
    "parallel_residual": (False,),
    "num_kv": (0,),
    "pos_ffn_activation_fn": ("relu", "gelu"),
}
"""Values of its options that our network has; an option that a version does not know has one of them."""

EPS_OLD = (
    "Its layer normalization adds 0.001 to a standard deviation, ours 0.000001 to a variance: where numbers spread by "
    "1, states differ by a thousandth."
)


class OpenNMT(Converter):
    """A checkpoint of OpenNMT-py."""

    name = "OpenNMT-py checkpoint"
    needs = "a checkpoint of OpenNMT-py with a transformer (NAME.pt)"

    def recognizes(self, source: Path) -> bool:
        """See `Converter`."""
        path = checkpoint_in(source)
        return path is not None and {"generator", "vocab", "opt"} <= names_in(path).strings

    def read(self, source: Path, decoder: bool) -> ForeignWeights:
        """See `Converter`."""
        path = checkpoint_in(source)
        assert path is not None
        found = read_checkpoint(path)
        options = _options(found.get("opt"), path)
        tokenizer, order = _tokenizer(found.get("vocab"), path)
        theirs = ForeignTensors({**_with_biases(found["model"]), **_generator(found["generator"])}, path)
        old = "encoder.layer_norm.a_2" in theirs
        tensors, shared = _embeddings(theirs, order)
        counts = {
            "encoder": theirs.count(r"encoder\.transformer\.(\d+)\."),
            "decoder": theirs.count(r"decoder\.transformer_layers\.(\d+)\."),
        }
        for number in range(counts["encoder"]):
            name, ours = f"encoder.transformer.{number}", f"encoder.layers.{number}"
            tensors |= norm(theirs, f"{name}.layer_norm", f"{ours}.self_attention_residual.norm")
            tensors |= encoder_layer(theirs, name, ours)
        for number in range(counts["decoder"]):
            tensors |= decoder_layer(theirs, f"decoder.transformer_layers.{number}", f"decoder.layers.{number}")
        for part in counts:
            tensors |= norm(theirs, f"{part}.layer_norm", f"{part}.norm")
        copies = "generator.linear_copy.weight" in theirs
        tensors |= _head(theirs, order, copies)
        theirs.drop("decoder.copy_attn.linear_in.weight", "decoder.copy_attn.linear_out.weight")  # never called there
        theirs.refuse_unused()
        dropout = options.get("dropout", 0.0)  # versions from 1 on keep one for each stage of the training
        settings = {
            **_recipe(options),
            "tokenizer.lower": tokenizer.config.lower,
            "model.d_model": tensors["source_embedding.word_embeddings.weight"].shape[1],
            "model.num_heads": int(options.get("heads", 8)),
            "model.dropout": float(dropout[-1] if isinstance(dropout, list) else dropout),
            "model.share_embeddings": shared,
            **{f"model.{part}.num_layers": count for part, count in counts.items()},
            **{
                f"model.{part}.ffn_dim": len(tensors[f"{part}.layers.0.feed_forward.linear1.weight"]) for part in counts
            },
            **{f"model.{part}.activation": options.get("pos_ffn_activation_fn", "relu") for part in counts},
        }
        title, preset = ("CopyTransformer", "copy_transformer") if copies else ("Transformer", "transformer")
        notes = (EPS_OLD,) if old else ()
        return ForeignWeights(f"{title} (OpenNMT-py)", settings, tokenizer, tensors, (), notes, preset=preset)


def _options(found: Any, path: Path) -> Mapping[str, Any]:
    """Return the options of the training. Raises InputError if they are of a network that ours is not."""
    options = vars(found) if isinstance(found, argparse.Namespace) else {}
    for name, values in PLAIN.items():
        if options.get(name, values[0]) not in values:
            expected = " or ".join(map(repr, values))
            raise InputError(f"{path} has {name} = {options[name]!r}; only {expected} can be converted.")
    return options


def _recipe(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return truncation and search of the published recipe for CNN/Daily Mail."""
    lengths = {side: int(options.get(f"{side}_seq_length_trunc") or 0) for side in ("src", "tgt")}
    return {
        "dataset.kind": "cnn_dailymail",
        "truncation.kind": "head",
        "truncation.source": lengths["src"] if lengths["src"] > 0 else 400,
        "truncation.target": lengths["tgt"] if lengths["tgt"] > 0 else 100,
        "decoding.beam_size": 10,
        "decoding.min_length": 35,
        "decoding.max_length": 100,
    }


def _tokenizer(given: Any, path: Path) -> tuple[Words, Order]:
    """Return our tokenizer of their words. Raises InputError."""
    source, target = (_words_of(given, side) for side in ("src", "tgt"))
    if not source or not target:
        raise InputError(f"{path} has no vocabulary as OpenNMT-py keeps one.")
    if source != target:
        raise InputError(
            f"{path} has two vocabularies, of {len(source)} and {len(target)} words; a network of ours reads and "
            "writes the same words, as OpenNMT-py's do with -share_vocab."
        )
    end = SENTENCE_END if SENTENCE_END in source else "</s>"
    return whole_words(source, ("<blank>", "<unk>", "<s>", "</s>", end), path)


def _words_of(given: Any, side: str) -> list[str]:
    """Return the words of one side.

    The vocabulary is a dictionary of lists (version 3) or of fields, or pairs of names and vocabularies (0.1); a field
    may be one of several under the same name.
    """
    if isinstance(given, list) and all(isinstance(pair, tuple) and len(pair) == 2 for pair in given):
        given = dict(given)
    found = given.get(side) if isinstance(given, dict) else None
    found = vars(found).get("fields", found) if isinstance(found, ForeignObject) else found
    if isinstance(found, list) and found and isinstance(found[0], tuple):
        found = found[0][-1]
    for name in ("vocab", "itos"):
        found = vars(found).get(name, found) if isinstance(found, ForeignObject) else found
    return [str(word) for word in found] if isinstance(found, list) else []


def _with_biases(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Add biases of zero to the projections of attention if none of them has one, as in version 3."""
    found = dict(tensors)
    if not any(name.endswith("linear_query.bias") for name in found):
        for name in tensors:
            if re.search(r"\.(self|context)_attn\.(linear_\w+|final_linear)\.weight$", name):
                found[f"{name.removesuffix('weight')}bias"] = torch.zeros(len(tensors[name]))
    return found


def _generator(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the head's weights by the names of a head that copies; without copying, these are `0` or nothing."""
    named = {f"generator.{name}": tensor for name, tensor in tensors.items()}
    for kind in ("weight", "bias"):
        for name in (f"generator.0.{kind}", f"generator.{kind}"):
            if name in named:
                named[f"generator.linear.{kind}"] = named.pop(name)
    if "generator.linear.weight" in named:
        named.setdefault("generator.linear.bias", torch.zeros(len(named["generator.linear.weight"])))
    return named


def _embeddings(theirs: ForeignTensors, order: Order) -> tuple[dict[str, Tensor], bool]:
    """Return the embeddings, and True if both sides share them."""
    theirs.drop(f"encoder.{POSITIONS}", f"decoder.{POSITIONS}")  # sinusoids, as ours
    source, target = (rows(theirs.take(f"{part}.{EMBEDDING}"), order, theirs.where) for part in ("encoder", "decoder"))
    found = {"source_embedding.word_embeddings.weight": source}
    if shared := torch.equal(source, target):
        return found, shared
    return {**found, "target_embedding.word_embeddings.weight": target}, shared


def _head(theirs: ForeignTensors, order: Order, copies: bool) -> dict[str, Tensor]:
    weight, bias = (theirs.take(f"generator.linear.{kind}") for kind in ("weight", "bias"))
    found = {
        "head.vocab_proj.weight": rows(weight, order, theirs.where).clone(),
        "head.vocab_proj.bias": rows(bias, order, theirs.where).clone(),
    }
    if order[SEP_ID] in order[:SEP_ID]:
        found["head.vocab_proj.weight"][SEP_ID], found["head.vocab_proj.bias"][SEP_ID] = 0.0, NEVER
    return {**found, **theirs.pair("generator.linear_copy", "head.p_copy_proj")} if copies else found
