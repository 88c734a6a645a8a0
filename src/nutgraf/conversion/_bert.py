"""A BERT's embeddings and layers by Hugging Face's names, as the converters that read one share them."""

from __future__ import annotations

from torch import Tensor

from nutgraf.conversion._foreign import ForeignTensors
from nutgraf.conversion._tokenizers import Order, rows

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[SEP]")
"""BERT's names of our special tokens."""

PARTS = ("self.query", "self.key", "self.value", "output.dense")

HEAD_WIDTH = 64
"""Width of a head in every BERT that was released."""


def embeddings(theirs: ForeignTensors, top: str, order: Order) -> dict[str, Tensor]:
    """Return the source's embeddings, and `second_segment` where the BERT tells two texts apart.

    Its vector of a first text is added to every position; `second_segment` is that of a second minus it.
    """
    texts = theirs.take(f"{top}embeddings.token_type_embeddings.weight")
    words = rows(theirs.take(f"{top}embeddings.word_embeddings.weight"), order, theirs.where)
    positions = theirs.take(f"{top}embeddings.position_embeddings.weight") + texts[0]
    theirs.drop(f"{top}embeddings.position_ids")
    return {
        "source_embedding.word_embeddings.weight": words,
        "source_embedding.position_embeddings": positions,
        **theirs.pair(f"{top}embeddings.LayerNorm", "source_embedding.norm"),
        **({"second_segment": texts[1] - texts[0]} if len(texts) > 1 else {}),
    }


def layers(theirs: ForeignTensors, top: str, count: int) -> dict[str, Tensor]:
    """Return the encoder's layers."""
    found: dict[str, Tensor] = {}
    for number in range(count):
        name, ours = f"{top}encoder.layer.{number}", f"encoder.layers.{number}"
        found |= theirs.attention(f"{name}.attention", PARTS, f"{ours}.self_attention.multi_head")
        found |= theirs.pair(f"{name}.attention.output.LayerNorm", f"{ours}.self_attention_residual.norm")
        found |= theirs.pair(f"{name}.intermediate.dense", f"{ours}.feed_forward.linear1")
        found |= theirs.pair(f"{name}.output.dense", f"{ours}.feed_forward.linear2")
        found |= theirs.pair(f"{name}.output.LayerNorm", f"{ours}.feed_forward_residual.norm")
    return found
