"""BERT (Devlin et al. 2019) in Hugging Face's format: an encoder and its embeddings.

BERT's embedding of the first of two texts is added to every position: there is only one text here. That of the second
minus that of the first is kept beside it, for a tagger that tells every second sentence. The decoder embeds words as
the encoder does. Its layers have no counterpart in BERT; on request their self-attention and feed-forward
begin with the encoder's weights, and only the cross-attention is new.
"""

from __future__ import annotations

from pathlib import Path

from torch import Tensor

from nutgraf.conversion import Converter, ForeignWeights
from nutgraf.conversion._bert import SPECIAL, embeddings, layers
from nutgraf.conversion._foreign import CONFIG, model_type, need, read_config, read_folder
from nutgraf.conversion._tokenizers import read_word_pieces
from nutgraf.errors import InputError

ACTIVATIONS = ("gelu", "relu")


class Bert(Converter):
    """A folder of a BERT."""

    name = "BERT"
    needs = "a Hugging Face folder of a BERT (config.json, model.safetensors, tokenizer.json or vocab.txt)"

    def recognizes(self, source: Path) -> bool:
        """See `Converter`."""
        return model_type(source) == "bert"

    def read(self, source: Path, decoder: bool) -> ForeignWeights:
        """See `Converter`."""
        config = read_config(source)
        activation = config.get("hidden_act", "gelu")
        if activation not in ACTIVATIONS or config.get("position_embedding_type", "absolute") != "absolute":
            raise InputError(
                f"{source / CONFIG} says {activation!r} and {config.get('position_embedding_type', 'absolute')!r} "
                "positions; gelu or relu and absolute ones can be converted."
            )
        count = need(config, "num_hidden_layers", source / CONFIG)
        tokenizer, order = read_word_pieces(source, SPECIAL)
        theirs = read_folder(source)
        top = "bert." if "bert.embeddings.word_embeddings.weight" in theirs else ""
        embedded = embeddings(theirs, top, order)
        beside = {name: embedded.pop(name) for name in ("second_segment",) if name in embedded}
        tensors = {**embedded, **_as_target(embedded), **layers(theirs, top, count)}
        if decoder:
            tensors |= _decoder(tensors)
        stack = {"num_layers": count, "ffn_dim": need(config, "intermediate_size", source / CONFIG)}
        settings = {
            "tokenizer.kind": "wordpiece",
            "tokenizer.lower": tokenizer.config.lower,
            "model.d_model": need(config, "hidden_size", source / CONFIG),
            "model.num_heads": need(config, "num_attention_heads", source / CONFIG),
            "model.dropout": float(config.get("hidden_dropout_prob", 0.1)),
            "model.max_positions": len(tensors["source_embedding.position_embeddings"]),
            "model.layer_norm_eps": float(config.get("layer_norm_eps", 1e-12)),
            "model.embedding.scale": False,
            **{f"model.{part}.{key}": value for part in ("encoder", "decoder") for key, value in stack.items()},
            **{f"model.{part}.activation": activation for part in ("encoder", "decoder")},
        }
        return ForeignWeights("BERT", settings, tokenizer, tensors, theirs.unused, beside=beside)


def _as_target(embedded: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return the embeddings of the target, which begin as the source's; the words' matrix is shared."""
    return {
        name.replace("source_", "target_"): tensor.clone()
        for name, tensor in embedded.items()
        if "word_embeddings" not in name
    }


def _decoder(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return the encoder's layers as the decoder's, as far as both have the same parts."""
    return {
        name.replace("encoder.", "decoder.").replace("self_attention.multi_head.", "self_attention."): tensor.clone()
        for name, tensor in tensors.items()
        if name.startswith("encoder.")
    }
