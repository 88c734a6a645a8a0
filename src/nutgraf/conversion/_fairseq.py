"""Encoders and decoders by the names of fairseq and of Hugging Face's BART."""

from __future__ import annotations

from torch import Tensor

from nutgraf.conversion._foreign import ForeignTensors
from nutgraf.conversion._tokenizers import Order, rows
from nutgraf.text.vocabulary import BOS
from nutgraf.tokenizers import SPECIAL_TOKENS

PARTS = ("q_proj", "k_proj", "v_proj", "out_proj")

NEVER = -10.0
"""Bias of BOS, which begins with the vector of EOS and must not take its probability."""


def embeddings(theirs: ForeignTensors, norm: str, before: int, order: Order, words: str) -> dict[str, Tensor]:
    """Return the embeddings of words, and positions and norms of both sides."""
    table = theirs.take(words)
    theirs.drop("encoder.embed_tokens.weight", "decoder.embed_tokens.weight")
    found = {"source_embedding.word_embeddings.weight": rows(table, order, theirs.where)}
    for theirs_side, side in (("encoder", "source"), ("decoder", "target")):
        found[f"{side}_embedding.position_embeddings"] = theirs.take(f"{theirs_side}.embed_positions.weight")[
            before:
        ].clone()
        found |= theirs.pair(f"{theirs_side}.{norm}", f"{side}_embedding.norm")
    bias = found["source_embedding.word_embeddings.weight"].new_zeros(len(order))
    bias[SPECIAL_TOKENS.index(BOS)] = NEVER
    return {**found, "head.vocab_proj.bias": bias}


def layers(theirs: ForeignTensors, encoder: int, decoder: int) -> dict[str, Tensor]:
    """Return the layers of encoder and decoder."""
    found: dict[str, Tensor] = {}
    for number in range(encoder):
        name, ours = f"encoder.layers.{number}", f"encoder.layers.{number}"
        found |= theirs.attention(f"{name}.self_attn", PARTS, f"{ours}.self_attention.multi_head")
        found |= theirs.pair(f"{name}.self_attn_layer_norm", f"{ours}.self_attention_residual.norm")
        found |= _feed_forward(theirs, name, ours)
    for number in range(decoder):
        name, ours = f"decoder.layers.{number}", f"decoder.layers.{number}"
        for what, part in (("self_attn", "self_attention"), ("encoder_attn", "cross_attention")):
            found |= theirs.attention(f"{name}.{what}", PARTS, f"{ours}.{part}")
            found |= theirs.pair(f"{name}.{what}_layer_norm", f"{ours}.{part}_residual.norm")
        found |= _feed_forward(theirs, name, ours)
    return found


def _feed_forward(theirs: ForeignTensors, name: str, ours: str) -> dict[str, Tensor]:
    return {
        **theirs.pair(f"{name}.fc1", f"{ours}.feed_forward.linear1"),
        **theirs.pair(f"{name}.fc2", f"{ours}.feed_forward.linear2"),
        **theirs.pair(f"{name}.final_layer_norm", f"{ours}.feed_forward_residual.norm"),
    }
