"""Tiny models of transformers that learned one text by heart, in folders as people have them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

SAID = "The ferry sails on Mondays. Nobody lives on the island in winter. The lighthouse has 112 steps and a keeper."
"""What the models write: sentences of 5, 7 and 8 words, 19 pieces or more."""

ISLAND = """The island lies two miles from the coast. A ferry sails there on Mondays, and it carries the post.

In winter nobody lives on the island, because the wells freeze. The lighthouse has 112 steps. Its keeper comes by boat.

In summer forty families rent the houses above the harbour. They fish, they mend nets, and they watch the seals."""

SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"]

CHAT = "{% for one in messages %}<s>{{ one['role'] }}: {{ one['content'] }}\n{% endfor %}assistant:"


def tokenizer(context: int = 160, around: str = "<s> $A </s>", chats: bool = False) -> Any:
    """Return a tokenizer, which adds what stands `around` a text."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    made = Tokenizer(models.BPE(unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=400, special_tokens=SPECIAL, show_progress=False)
    made.train_from_iterator([SAID, ISLAND] * 4, trainer)
    ends = [("<s>", 0), ("</s>", 2)]
    made.post_processor = processors.TemplateProcessing(single=around, special_tokens=ends)
    found = PreTrainedTokenizerFast(
        tokenizer_object=made, bos_token="<s>", eos_token="</s>", pad_token="<pad>", unk_token="<unk>"
    )
    found.model_max_length = context
    found.chat_template = CHAT if chats else None
    return found


def bart(folder: Path, context: int = 160) -> Path:
    """Make a BART that writes `SAID` whatever it reads."""
    import torch
    from transformers import BartConfig, BartForConditionalGeneration

    words = tokenizer(context)
    config = BartConfig(
        vocab_size=len(words),
        d_model=32,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=32,
        decoder_ffn_dim=64,
        max_position_embeddings=context,
        dropout=0.0,
        bos_token_id=0,
        pad_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=2,
        forced_eos_token_id=2,
    )
    torch.manual_seed(0)
    network = BartForConditionalGeneration(config)
    read, said = (words(text, return_tensors="pt")["input_ids"] for text in (ISLAND[:200], SAID))
    _learn(network, 40, input_ids=read, labels=said)
    return _saved(network, words, folder)


def llama(folder: Path, context: int = 400, chats: bool = True) -> Path:
    """Make a language model that answers any prompt with `SAID`."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    words = tokenizer(context, "<s> $A", chats)
    config = LlamaConfig(
        vocab_size=len(words),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=1,
        num_attention_heads=2,
        max_position_embeddings=context,
        bos_token_id=0,
        pad_token_id=1,
        eos_token_id=2,
    )
    torch.manual_seed(0)
    network = LlamaForCausalLM(config)
    ends = (
        ["\nassistant:"]
        if chats
        else [f"\n\nSummary{how}:" for how in ("", " in at most 12 words", " in at most 2 sentences")]
    )
    said = words(SAID, add_special_tokens=False)["input_ids"]
    prompts = [words(ISLAND + end)["input_ids"] for end in ends]
    rows = [[*prompt[-length:], *said, 2] for prompt in prompts for length in (3, 40, 1000)]
    longest = max(map(len, rows))
    ids = torch.tensor([[1] * (longest - len(row)) + row for row in rows])
    labels = ids.clone()
    labels[:, : longest - len(said) - 1] = -100
    _learn(network, 70, input_ids=ids, labels=labels, attention_mask=(ids != 1).long())
    return _saved(network, words, folder)


BART = {
    "d_model": 16,
    "encoder_layers": 1,
    "decoder_layers": 1,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 2,
    "encoder_ffn_dim": 16,
    "decoder_ffn_dim": 16,
    "decoder_start_token_id": 2,
}
T5 = {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1, "num_heads": 2, "decoder_start_token_id": 1}
GPT = {"n_embd": 16, "n_layer": 1, "n_head": 2, "n_positions": 400}
LLAMA = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}

UNTRAINED = {
    "BartForConditionalGeneration": BART,
    "MBartForConditionalGeneration": BART,
    "PegasusForConditionalGeneration": BART,
    "T5ForConditionalGeneration": T5,
    "LongT5ForConditionalGeneration": {**T5, "local_radius": 8},
    "LEDForConditionalGeneration": {**BART, "max_encoder_position_embeddings": 256, "attention_window": [8]},
    "GPT2LMHeadModel": GPT,
    "Gemma3ForCausalLM": {**LLAMA, "head_dim": 8, "num_key_value_heads": 1, "sliding_window": 16},
}
"""Options of tiny models by their classes."""


def untrained(folder: Path, name: str) -> Path:
    """Make a model that knows nothing; a multilingual one knows that there are English and German."""
    import torch
    import transformers

    kind = getattr(transformers, name)
    words = tokenizer(200, "<s> $A" if name.endswith(("CausalLM", "LMHeadModel")) else "<s> $A </s>")
    if name.startswith("MBart"):
        words.add_special_tokens({"additional_special_tokens": ["de_DE", "en_XX"]})
    torch.manual_seed(0)
    ids = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2}
    return _saved(kind(kind.config_class(vocab_size=len(words), **ids, **UNTRAINED[name])), words, folder)


def _learn(network: Any, steps: int, **batch: Any) -> None:
    import torch

    optimizer = torch.optim.AdamW(network.parameters(), lr=1e-2)
    network.train()
    for _ in range(steps):
        optimizer.zero_grad()
        network(**batch).loss.backward()
        optimizer.step()


def _saved(network: Any, words: Any, folder: Path) -> Path:
    network.eval().save_pretrained(folder)
    words.save_pretrained(folder)
    return folder
