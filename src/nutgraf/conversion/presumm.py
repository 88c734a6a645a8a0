"""BertExt, BertAbs and BertExtAbs (Liu and Lapata 2019) in PreSumm's format: a file `.pt`, and a BERT's vocab.txt.

Their decoder begins with [unused0] and ends with [unused1]; [unused2] stands between sentences. These are our <s>, </s>
and <sep> of the target; of the source, they are [CLS] and [SEP]. Pieces that no text has are left out of the softmax.
Their feed-forward sub-layers approximate GELU, those of the BERT below do not.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from nutgraf.conversion import Converter, ForeignWeights
from nutgraf.conversion._bert import HEAD_WIDTH, SPECIAL, embeddings, layers
from nutgraf.conversion._foreign import ForeignTensors, checkpoint_in, names_in, read_checkpoint
from nutgraf.conversion._opennmt import decoder_layer, encoder_layer, norm
from nutgraf.conversion._tokenizers import Order, read_lines, rows, word_pieces
from nutgraf.errors import InputError

VOCABULARY = "vocab.txt"
BERT = "bert.model."
WRITTEN = ("[PAD]", "[UNK]", "[unused0]", "[unused1]", "[unused2]")
"""Names of our special tokens in its targets."""


class PreSumm(Converter):
    """A checkpoint of PreSumm."""

    name = "PreSumm checkpoint"
    needs = "a checkpoint of PreSumm (model_step_N.pt) with the vocab.txt of its BERT beside it, or a folder with both"

    def recognizes(self, source: Path) -> bool:
        """See `Converter`."""
        path = checkpoint_in(source)
        return path is not None and any(name.startswith(BERT) for name in names_in(path).strings)

    def read(self, source: Path, decoder: bool) -> ForeignWeights:
        """See `Converter`."""
        path = checkpoint_in(source)
        assert path is not None
        vocabulary = path.with_name(VOCABULARY)
        if not vocabulary.is_file():
            raise InputError(f"{path} needs the vocabulary of its BERT beside it, {vocabulary}.")
        found = read_checkpoint(path)
        options = vars(found["opt"]) if isinstance(found.get("opt"), argparse.Namespace) else {}
        if options.get("encoder", "bert") != "bert":
            raise InputError(f"{path} has the encoder {options['encoder']!r}; only 'bert' can be converted.")
        pieces = read_lines(vocabulary)
        tokenizer, order = word_pieces(pieces, SPECIAL, True, vocabulary)
        theirs = ForeignTensors(found["model"], path)
        tensors = embeddings(theirs, BERT, order)
        count = theirs.count(r"bert\.model\.encoder\.layer\.(\d+)\.")
        tensors |= layers(theirs, BERT, count)
        theirs.drop(f"{BERT}pooler.dense.weight", f"{BERT}pooler.dense.bias")
        positions, width = tensors["source_embedding.position_embeddings"].shape
        settings = {
            "dataset.kind": "cnn_dailymail",
            "model.d_model": width,
            "model.num_heads": max(1, width // HEAD_WIDTH),
            "model.max_positions": positions,
            "truncation.source": positions,
            "model.interval_segments": bool(options.get("use_interval", True)),
            "model.encoder.num_layers": count,
            "model.encoder.ffn_dim": len(tensors["encoder.layers.0.feed_forward.linear1.weight"]),
        }
        if not settings["model.interval_segments"]:
            tensors.pop("second_segment", None)
        if "ext_layer.wo.weight" in theirs:
            title, preset = "BertExt", "bert_ext"
            added = _sentence_encoder(theirs, options)
        else:
            title, preset = "BertAbs", "bert_abs"
            added = _decoder(theirs, options, _target_order(pieces, order, vocabulary), positions)
        theirs.refuse_unused()
        made, own = added
        return ForeignWeights(f"{title} (PreSumm)", {**settings, **own}, tokenizer, {**tensors, **made}, preset=preset)


def _sentence_encoder(theirs: ForeignTensors, options: Mapping[str, Any]) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Return the layers over sentences and the scores of BertExt, and its settings."""
    theirs.drop("ext_layer.pos_emb.pe")  # sinusoids, as ours
    theirs.drop(*(f"ext_layer.transformer_inter.0.layer_norm.{kind}" for kind in ("weight", "bias")))  # never called
    count = theirs.count(r"ext_layer\.transformer_inter\.(\d+)\.")
    tensors = {
        **norm(theirs, "ext_layer.layer_norm", "sentence_encoder.norm"),
        **theirs.pair("ext_layer.wo", "score_proj"),
    }
    for number in range(count):
        name, ours = f"ext_layer.transformer_inter.{number}", f"sentence_encoder.layers.{number}"
        if number:
            tensors |= norm(theirs, f"{name}.layer_norm", f"{ours}.self_attention_residual.norm")
        tensors |= encoder_layer(theirs, name, ours)
    return tensors, {
        "labels.num_sentences": 3,
        "selection.num_sentences": 3,
        "model.sentence_encoder.num_layers": count,
        "model.sentence_encoder.num_heads": int(options.get("ext_heads", 8)),
        "model.sentence_encoder.ffn_dim": len(tensors["sentence_encoder.layers.0.feed_forward.linear1.weight"]),
        "model.sentence_encoder.activation": "gelu_tanh",
    }


def _target_order(pieces: list[str], order: Order, where: Path) -> Order:
    """Return the order of the target's pieces; the special ones are not those of the source. Raises InputError."""
    missing = [piece for piece in WRITTEN if piece not in pieces]
    if missing:
        raise InputError(f"{where} has a vocabulary without {missing[0]!r}, which such a network needs.")
    return [*map(pieces.index, WRITTEN), *order[len(WRITTEN) :]]


def _decoder(
    theirs: ForeignTensors, options: Mapping[str, Any], order: Order, positions: int
) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Return the decoder and the head of BertAbs, and its settings."""
    theirs.drop("decoder.pos_emb.pe")  # sinusoids, as ours
    words, projection = theirs.take("decoder.embeddings.weight"), theirs.take("generator.0.weight")
    if not torch.equal(words, projection):
        raise InputError(
            f"{theirs.where} has in generator.0.weight other numbers than in decoder.embeddings.weight; in such a "
            "network they are one matrix."
        )
    tensors = {
        "target_embedding.word_embeddings.weight": rows(words, order, theirs.where),
        "head.vocab_proj.bias": rows(theirs.take("generator.0.bias"), order, theirs.where),
        **norm(theirs, "decoder.layer_norm", "decoder.norm"),
    }
    count = theirs.count(r"decoder\.transformer_layers\.(\d+)\.")
    for number in range(count):
        tensors |= decoder_layer(theirs, f"decoder.transformer_layers.{number}", f"decoder.layers.{number}")
    return tensors, {
        "truncation.target": 140,
        "decoding.min_length": min(50, positions - 1),
        "decoding.max_length": min(200, positions - 1),
        "model.target.num_heads": int(options.get("dec_heads", 8)),
        "model.decoder.num_layers": count,
        "model.decoder.ffn_dim": len(tensors["decoder.layers.0.feed_forward.linear1.weight"]),
        "model.decoder.activation": "gelu_tanh",
    }
