"""Networks and sources small enough to be read, or to be searched completely."""

from __future__ import annotations

from typing import Any

import torch

from nutgraf.model.records import PAD, UNK, Batch, Phrases
from nutgraf.model.seq2seq import Config, Seq2Seq
from nutgraf.presets import configure


def random_network(vocabulary: int, seed: int, head: str = "pointer", norm: str = "pre", sharp: float = 2.0) -> Seq2Seq:
    """Not trained, but with opinions: large weights make some words much likelier than others. In double precision, so
    that rounding does not decide between hypotheses of nearly the same score."""
    torch.manual_seed(seed)
    part: dict[str, Any] = {"kind": "transformer", "num_layers": 2, "ffn_dim": 17, "norm": norm}
    network = Seq2Seq(
        configure(
            Config,
            {
                "d_model": 14,
                "num_heads": 2,
                "max_positions": 32,
                "encoder": part,
                "decoder": part,
                "head": {"kind": head},
            },
            "model",
        ),
        vocabulary,
    )
    with torch.no_grad():
        for weight in network.parameters():
            weight.add_(torch.randn_like(weight) * 0.1).mul_(sharp)
    return network.double().eval()


def random_sources(vocabulary: int, lengths: tuple[int, ...], seed: int) -> Batch:
    """Sources of different lengths; the second and the last word of each are unknown."""
    generator = torch.Generator().manual_seed(seed)
    shape = (len(lengths), max(lengths))
    source = torch.randint(4, vocabulary, shape, generator=generator)
    extended = source.clone()
    mask = torch.arange(shape[1])[None] >= torch.tensor(lengths)[:, None]
    for row, length in enumerate(lengths):
        for number, place in enumerate((1, length - 1)):
            source[row, place], extended[row, place] = UNK, vocabulary + number
    return Batch(source.masked_fill(mask, PAD), extended.masked_fill(mask, PAD), mask, Phrases.none(), 2)
