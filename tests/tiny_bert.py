"""A BERT of one layer with random weights, as a Hugging Face folder has it, made without their library."""

from __future__ import annotations

import json
from pathlib import Path

WORDS = ["the", "ferry", "##s", "left", "at", "noon", ",", ".", "bridge", "agnes", "##ington"]
PIECES = ["[PAD]", "[unused0]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
"""A BERT's vocabulary; its special pieces are not where ours are."""


def plain_bert(folder: Path) -> None:
    """Write it into a folder."""
    import numpy as np
    from safetensors.numpy import save_file

    draw = np.random.default_rng(1)

    def drawn(*shape: int) -> np.ndarray:
        return draw.standard_normal(shape, np.float32)

    names = {"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"}
    linears = {**dict.fromkeys(names, (4, 4)), "intermediate.dense": (6, 4), "output.dense": (4, 6)}
    norms = ["embeddings.LayerNorm", "encoder.layer.0.attention.output.LayerNorm", "encoder.layer.0.output.LayerNorm"]
    tensors = {f"encoder.layer.0.{name}.weight": drawn(*shape) for name, shape in linears.items()}
    tensors |= {f"encoder.layer.0.{name}.bias": drawn(shape[0]) for name, shape in linears.items()}
    tensors |= {f"{name}.{kind}": drawn(4) for name in norms for kind in ("weight", "bias")}
    for name, count in (("word", len(PIECES)), ("position", 64), ("token_type", 2)):
        tensors[f"embeddings.{name}_embeddings.weight"] = drawn(count, 4)
    folder.mkdir(parents=True, exist_ok=True)
    save_file(tensors, folder / "model.safetensors")
    config = {"model_type": "bert", "hidden_size": 4, "num_hidden_layers": 1, "num_attention_heads": 2}
    (folder / "config.json").write_text(json.dumps({**config, "intermediate_size": 6}))
    (folder / "vocab.txt").write_text("\n".join(PIECES))
