"""A tiny language model as a GGUF file, as llama.cpp's converter writes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

NAMES = {
    "embed_tokens": "token_embd", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output", "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down", "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm", "norm": "output_norm", "lm_head": "output",
}  # fmt: skip
"""Names of llama.cpp by those of transformers."""


def write_gguf(folder: Path, file: Path, quantization: str = "F32", left_out: str = "", **numbers: int) -> Path:
    """Write the Llama of a folder as a GGUF file.

    Args:
        folder: The folder.
        file: The file.
        quantization: Type of matrices.
        left_out: Name of a tensor that is missing.
        numbers: What the file says of the model, where that is not so.
    """
    from gguf import GGMLQuantizationType, GGUFWriter, quantize
    from safetensors.numpy import load_file

    config = json.loads((folder / "config.json").read_text())
    words = json.loads((folder / "tokenizer.json").read_text())["model"]
    heads = config["num_attention_heads"]
    writer: Any = GGUFWriter(file, "llama")
    writer.add_name("tiny")
    writer.add_block_count(numbers.get("layers", config["num_hidden_layers"]))
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(numbers.get("width", config["hidden_size"]))
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(heads)
    writer.add_head_count_kv(heads)
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_rope_freq_base(10000.0)
    writer.add_vocab_size(numbers.get("words", len(words["vocab"])))
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(sorted(words["vocab"], key=words["vocab"].get))
    writer.add_token_types([3 if id_ < 4 else 1 for id_ in range(len(words["vocab"]))])
    writer.add_token_merges([" ".join(merge) for merge in words["merges"]])
    writer.add_bos_token_id(0)
    writer.add_pad_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(3)
    writer.add_add_bos_token(True)
    writer.add_add_space_prefix(False)
    for name, values in load_file(folder / "model.safetensors").items():
        named = _renamed(name)
        if named == left_out:
            continue
        rotated = _in_pairs(values, heads) if ".attn_q." in named or ".attn_k." in named else values
        kind = GGMLQuantizationType[quantization if values.ndim > 1 else "F32"]
        writer.add_tensor(named, quantize(rotated.astype(np.float32), kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return file


def _renamed(name: str) -> str:
    name, end = name.removeprefix("model.").rsplit(".", 1)
    if name.startswith("layers."):
        _, number, part = name.split(".", 2)
        return f"blk.{number}.{NAMES[part]}.{end}"
    return f"{NAMES[name]}.{end}"


def _in_pairs(matrix: Any, heads: int) -> Any:
    """Return rows in the order in which llama.cpp rotates them: neighbors, where transformers takes halves."""
    half = len(matrix) // heads // 2
    return matrix.reshape(heads, 2, half, -1).swapaxes(1, 2).reshape(matrix.shape)
