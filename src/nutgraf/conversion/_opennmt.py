"""Transformer layers by the names of OpenNMT-py, which PreSumm took over."""

from __future__ import annotations

import math

from torch import Tensor

from nutgraf.conversion._foreign import ForeignTensors

PARTS = ("linear_query", "linear_keys", "linear_values", "final_linear")


def norm(theirs: ForeignTensors, name: str, ours: str) -> dict[str, Tensor]:
    """Take a normalization by our names.

    OpenNMT-py before 0.2 divided by the sample's standard deviation: with n numbers by √(n/(n−1)) more than ours does,
    which the gain makes up for.
    """
    if f"{name}.a_2" not in theirs:
        return theirs.pair(name, ours)
    gain = theirs.take(f"{name}.a_2")
    return {
        f"{ours}.weight": gain * math.sqrt((len(gain) - 1) / len(gain)),
        f"{ours}.bias": theirs.take(f"{name}.b_2"),
    }


def encoder_layer(theirs: ForeignTensors, name: str, ours: str) -> dict[str, Tensor]:
    """Return self-attention and feed-forward of an encoder's layer, without the norm before its self-attention."""
    return {
        **theirs.attention(f"{name}.self_attn", PARTS, f"{ours}.self_attention.multi_head"),
        **_feed_forward(theirs, name, ours),
    }


def decoder_layer(theirs: ForeignTensors, name: str, ours: str) -> dict[str, Tensor]:
    """Return a decoder's layer."""
    theirs.drop(f"{name}.mask")
    return {
        **theirs.attention(f"{name}.self_attn", PARTS, f"{ours}.self_attention"),
        **norm(theirs, f"{name}.layer_norm_1", f"{ours}.self_attention_residual.norm"),
        **theirs.attention(f"{name}.context_attn", PARTS, f"{ours}.cross_attention"),
        **norm(theirs, f"{name}.layer_norm_2", f"{ours}.cross_attention_residual.norm"),
        **_feed_forward(theirs, name, ours),
    }


def _feed_forward(theirs: ForeignTensors, name: str, ours: str) -> dict[str, Tensor]:
    return {
        **norm(theirs, f"{name}.feed_forward.layer_norm", f"{ours}.feed_forward_residual.norm"),
        **theirs.pair(f"{name}.feed_forward.w_1", f"{ours}.feed_forward.linear1"),
        **theirs.pair(f"{name}.feed_forward.w_2", f"{ours}.feed_forward.linear2"),
    }
