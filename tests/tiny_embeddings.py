"""Tiny encoders of transformers for embeddings: one whose vectors are set by hand, and random ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]


def by_hand(folder: Path, vectors: Mapping[str, Sequence[float]], context: int = 32) -> Path:
    """Make a BERT of one layer whose vectors before it (layer 0) are those given, normalized.

    Args:
        folder: The folder.
        vectors: Four numbers for each word, with a mean of 0.
        context: Tokens that it reads.
    """
    import torch
    from transformers import BertModel

    network = BertModel(_config(len(MARKS) + len(vectors), 4, 1, context), add_pooling_layer=False)
    with torch.no_grad():
        for name, weight in network.named_parameters():
            weight.fill_(1.0 if name.endswith("LayerNorm.weight") else 0.0)
        table = network.embeddings.word_embeddings.weight
        for number, vector in enumerate(vectors.values(), len(MARKS)):
            table[number] = torch.tensor(vector)
    return _saved(network, vectors, folder, context)


def random(folder: Path, words: Iterable[str], context: int = 32, layers: int = 2) -> Path:
    """Make a BERT whose vectors depend on a word, its place and its neighbors."""
    import torch
    from transformers import BertModel

    listed = sorted(set(words))
    torch.manual_seed(0)
    network = BertModel(_config(len(MARKS) + len(listed), 8, layers, context), add_pooling_layer=False)
    with torch.no_grad():
        for weight in network.parameters():
            weight.normal_()
    return _saved(network, listed, folder, context)


def _config(vocab_size: int, width: int, layers: int, context: int) -> Any:
    from transformers import BertConfig

    return BertConfig(
        vocab_size=vocab_size,
        hidden_size=width,
        num_hidden_layers=layers,
        num_attention_heads=2,
        intermediate_size=8,
        max_position_embeddings=context,
    )


def _saved(network: Any, words: Iterable[str], folder: Path, context: int) -> Path:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    vocabulary = {word: number for number, word in enumerate([*MARKS, *words])}
    made = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    named = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    found = PreTrainedTokenizerFast(tokenizer_object=made, **named)
    found.model_max_length = context
    network.eval().save_pretrained(folder)
    found.save_pretrained(folder)
    return folder
