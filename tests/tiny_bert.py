"""A BERT of one layer with random weights, as a Hugging Face folder has it, made without their library."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

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


def plain_states(tensors: dict[str, Any], ids: list[int], segments: list[int]) -> Any:
    """One layer of BERT (Devlin et al. 2019) by its own formula, head by head."""
    import torch
    from torch.nn import functional as F

    def linear(name: str, states: Any) -> Any:
        return states @ tensors[f"{name}.weight"].T + tensors[f"{name}.bias"]

    def norm(name: str, states: Any) -> Any:
        return F.layer_norm(states, (4,), tensors[f"{name}.weight"], tensors[f"{name}.bias"], 1e-12)

    named = ("word", "position", "token_type")
    words, places, types = (tensors[f"embeddings.{one}_embeddings.weight"] for one in named)
    states = norm("embeddings.LayerNorm", words[ids] + places[: len(ids)] + types[segments])
    layer = "encoder.layer.0"
    query, key, value = (linear(f"{layer}.attention.self.{one}", states) for one in ("query", "key", "value"))
    heads = [slice(0, 2), slice(2, 4)]
    mixed = [(query[:, at] @ key[:, at].T / 2**0.5).softmax(-1) @ value[:, at] for at in heads]
    attended = linear(f"{layer}.attention.output.dense", torch.cat(mixed, -1))
    states = norm(f"{layer}.attention.output.LayerNorm", states + attended)
    inner = F.gelu(linear(f"{layer}.intermediate.dense", states))
    return norm(f"{layer}.output.LayerNorm", states + linear(f"{layer}.output.dense", inner))
