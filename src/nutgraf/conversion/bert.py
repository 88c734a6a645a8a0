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
from nutgraf.conversion._foreign import CONFIG, ForeignTensors, model_type, need, read_config, read_folder
from nutgraf.conversion._tokenizers import read_word_pieces, rows
from nutgraf.errors import InputError

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[SEP]")
PARTS = ("self.query", "self.key", "self.value", "output.dense")
ACTIVATIONS = ("gelu", "relu")


class Bert(Converter):
    """A folder of a BERT."""

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
        layers = need(config, "num_hidden_layers", source / CONFIG)
        tokenizer, order = read_word_pieces(source, SPECIAL)
        theirs = read_folder(source)
        top = "bert." if "bert.embeddings.word_embeddings.weight" in theirs else ""
        texts = theirs.take(f"{top}embeddings.token_type_embeddings.weight")
        tensors = self._embeddings(theirs, f"{top}embeddings", order, texts[0])
        for layer in range(layers):
            tensors |= self._layer(theirs, f"{top}encoder.layer.{layer}", f"encoder.layers.{layer}")
        if decoder:
            tensors |= _decoder(tensors)
        stack = {"num_layers": layers, "ffn_dim": need(config, "intermediate_size", source / CONFIG)}
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
        beside = {"second_segment": texts[1] - texts[0]} if len(texts) > 1 else {}
        return ForeignWeights("BERT", settings, tokenizer, tensors, theirs.unused, beside=beside)

    def _embeddings(self, theirs: ForeignTensors, name: str, order: list[int], first: Tensor) -> dict[str, Tensor]:
        positions = theirs.take(f"{name}.position_embeddings.weight") + first
        theirs.drop(f"{name}.position_ids")
        words = rows(theirs.take(f"{name}.word_embeddings.weight"), order, theirs.where)
        norm = theirs.pair(f"{name}.LayerNorm", "norm")
        return {
            "source_embedding.word_embeddings.weight": words,
            **{f"{side}_embedding.position_embeddings": positions.clone() for side in ("source", "target")},
            **{f"{side}_embedding.{key}": one.clone() for side in ("source", "target") for key, one in norm.items()},
        }

    def _layer(self, theirs: ForeignTensors, name: str, ours: str) -> dict[str, Tensor]:
        return {
            **theirs.attention(f"{name}.attention", PARTS, f"{ours}.self_attention.multi_head"),
            **theirs.pair(f"{name}.attention.output.LayerNorm", f"{ours}.self_attention_residual.norm"),
            **theirs.pair(f"{name}.intermediate.dense", f"{ours}.feed_forward.linear1"),
            **theirs.pair(f"{name}.output.dense", f"{ours}.feed_forward.linear2"),
            **theirs.pair(f"{name}.output.LayerNorm", f"{ours}.feed_forward_residual.norm"),
        }


def _decoder(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return the encoder's layers as the decoder's, as far as both have the same parts."""
    return {
        name.replace("encoder.", "decoder.").replace("self_attention.multi_head.", "self_attention."): tensor.clone()
        for name, tensor in tensors.items()
        if name.startswith("encoder.")
    }
