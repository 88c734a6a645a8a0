"""Tiny random models of many architectures, made from their configurations: 2 layers of 4 heads, 97 words."""

from __future__ import annotations

from functools import cache
from typing import Any

import torch

IDS = {"vocab_size": 97, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
BART = {
    **IDS,
    "d_model": 32,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 24,
    "decoder_ffn_dim": 24,
    "max_position_embeddings": 64,
    "decoder_start_token_id": 1,
    "forced_eos_token_id": None,
}
T5 = {**IDS, "d_model": 32, "d_kv": 8, "d_ff": 24, "num_layers": 2, "num_heads": 4, "decoder_start_token_id": 0}
LLAMA = {
    **IDS,
    "hidden_size": 32,
    "intermediate_size": 24,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 64,
}
GPT2 = {**IDS, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 64}
WINDOW = 6
SLIDING = {"head_dim": 8, "sliding_window": WINDOW, "layer_types": ["sliding_attention", "full_attention"]}

ENCODER_DECODERS = {
    "Bart": BART,
    "MBart": BART,
    "Pegasus": BART,
    "M2M100": BART,
    "Marian": BART,
    "Blenderbot": BART,
    "T5": T5,
    "MT5": T5,
    "UMT5": T5,
}
"""Those of which both the encoder and cross-attention can be steered."""

DECODERS = {
    "Llama": LLAMA,
    "Mistral": {**LLAMA, "sliding_window": WINDOW},
    "Qwen2": {**LLAMA, "use_sliding_window": True, "sliding_window": WINDOW, "max_window_layers": 1},
    "Qwen3": {**LLAMA, "head_dim": 8},
    "Gemma": {**LLAMA, "head_dim": 8},
    "Gemma2": {**LLAMA, **SLIDING},
    "Gemma3": {**LLAMA, **SLIDING},
    "GPT2": GPT2,
    "GPTNeoX": LLAMA,
    "Phi": LLAMA,
    "Olmo2": LLAMA,
    "SmolLM3": LLAMA,
}

CROSS_ONLY = {"PegasusX": {**BART, "block_size": 4}, "LongT5": T5, "BigBirdPegasus": BART}
"""Those of which cross-attention alone can be steered."""

UNREACHABLE = {
    "LED": {**BART, "attention_window": 8},
    "Falcon": LLAMA,
    "Bloom": {**IDS, "hidden_size": 32, "n_layer": 2, "n_head": 4},
}
"""Those that leave no attention to a function."""

ALL = {**ENCODER_DECODERS, **DECODERS, **CROSS_ONLY, **UNREACHABLE}

CONFIGURATIONS = {"Gemma3": "Gemma3TextConfig"}
ATTENTION = {"Gemma2": "eager"}
"""Older versions of transformers 5 take fused attention for it by themselves, which knows no cap on scores."""
MODELS = {"Marian": "MarianMTModel", "GPT2": "GPT2LMHeadModel"}


def tiny(name: str, attention: str | None = None) -> Any:
    """Return a model, the same one each time; its weights are large enough for attention to matter."""
    return _made(name, attention or ATTENTION.get(name))


@cache
def _made(name: str, attention: str | None) -> Any:
    import transformers

    config = getattr(transformers, CONFIGURATIONS.get(name, f"{name}Config"))(**ALL[name])
    head = "ForCausalLM" if name in DECODERS or name in ("Falcon", "Bloom") else "ForConditionalGeneration"
    torch.manual_seed(5)
    model = getattr(transformers, MODELS.get(name, name + head))._from_config(config, attn_implementation=attention)
    with torch.no_grad():
        for weight in model.parameters():
            if weight.dim() == 2:
                weight.normal_(std=0.25)
    return model.eval()
