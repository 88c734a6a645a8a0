"""Encoders and decoders as fairseq calls their parts, and after it Hugging Face's BART."""

from __future__ import annotations

from torch import Tensor

from nutgraf.conversion._theirs import Theirs
from nutgraf.conversion._tokenizers import Order, rows
from nutgraf.text.vocabulary import BOS
from nutgraf.tokenizers import SPECIAL_TOKENS

PARTS = ("q_proj", "k_proj", "v_proj", "out_proj")

NEVER = -10.0
"""The bias of BOS, which is what they call EOS: it must not take EOS's probability."""


def embeddings(theirs: Theirs, norm: str, before: int, order: Order, words: str) -> dict[str, Tensor]:
    """Words, and positions and norms of both sides. norm: what it is called; before: how many positions are kept for
    other things; words: what the table is called."""
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


def layers(theirs: Theirs, encoder: int, decoder: int) -> dict[str, Tensor]:
    """So many layers of each."""
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


def _feed_forward(theirs: Theirs, name: str, ours: str) -> dict[str, Tensor]:
    return {
        **theirs.pair(f"{name}.fc1", f"{ours}.feed_forward.linear1"),
        **theirs.pair(f"{name}.fc2", f"{ours}.feed_forward.linear2"),
        **theirs.pair(f"{name}.final_layer_norm", f"{ours}.feed_forward_residual.norm"),
    }
