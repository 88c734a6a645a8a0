"""Tiny classifiers of transformers whose weights are set by hand, so that their verdicts are known.

Each is a BERT of one layer and four numbers a word. A word is (s, −s, c, −c): s is positive for a doubtful word, c for
a telling one. Attention is uniform and adds a thousand times the mean of c to every word, positive as soon as a telling
word is there. So a pair of texts is borne out if a telling word stands in either, and a word is hallucinated if it is
doubtful and no telling one is there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]

FAINT = 1e-4
"""How far below zero c is for a word that tells nothing."""


def pairs(
    folder: Path,
    texts: Iterable[str],
    telling: str,
    labels: Sequence[str],
    entails: int,
    context: int = 64,
    otherwise: int = 0,
) -> Path:
    """Make a classifier of pairs that is sure of label number `entails` where `telling` stands, else of `otherwise`."""
    import torch
    from transformers import BertForSequenceClassification

    network = _network(BertForSequenceClassification, texts, (), (telling,), labels, context)
    with torch.no_grad():
        network.bert.pooler.dense.weight.copy_(torch.eye(4))
        network.bert.pooler.dense.bias.zero_()
        network.classifier.weight[entails, 2] = 50.0
        network.classifier.bias[otherwise] = 10.0
    return _saved(network, texts, folder, context)


def tokens(
    folder: Path,
    texts: Iterable[str],
    doubtful: Sequence[str],
    telling: str,
    labels: Sequence[str],
    hallucinated: int = 1,
    context: int = 200,
) -> Path:
    """Make a classifier of tokens that marks `doubtful` words where `telling` does not stand."""
    import torch
    from transformers import BertForTokenClassification

    network = _network(BertForTokenClassification, texts, doubtful, (telling,), labels, context)
    with torch.no_grad():
        network.classifier.weight[hallucinated] = 50 * torch.tensor([1.0, 0.0, -1.0, 0.0])
    return _saved(network, texts, folder, context)


def _words(texts: Iterable[str]) -> list[str]:
    from tokenizers.pre_tokenizers import Whitespace

    splitter = Whitespace()
    return sorted({word for text in texts for word, _ in splitter.pre_tokenize_str(text)})


def _network(
    kind: Any,
    texts: Iterable[str],
    doubtful: Sequence[str],
    telling: Sequence[str],
    labels: Sequence[str],
    context: int,
) -> Any:
    import torch
    from transformers import BertConfig

    words = [*MARKS, *_words(texts)]
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=4,
        num_hidden_layers=1,
        num_attention_heads=1,
        intermediate_size=4,
        max_position_embeddings=context,
        id2label=dict(enumerate(labels)),
        label2id={name: number for number, name in enumerate(labels)},
    )
    network = kind(config).eval()
    with torch.no_grad():
        for name, weight in network.named_parameters():
            weight.fill_(1.0 if name.endswith("LayerNorm.weight") else 0.0)
        table = network.bert.embeddings.word_embeddings.weight
        for number, word in enumerate(words):
            if word in telling:
                table[number] = torch.tensor([0.0, 0.0, 1.0, -1.0])
            else:
                own = 1.0 if word in doubtful else -1.0
                table[number] = torch.tensor([own, -own, -FAINT, FAINT])
        attention = network.bert.encoder.layer[0].attention
        attention.self.value.weight.copy_(1000 * torch.diag(torch.tensor([0.0, 0.0, 1.0, 1.0])))
        attention.output.dense.weight.copy_(torch.eye(4))
    return network


def _saved(network: Any, texts: Iterable[str], folder: Path, context: int) -> Path:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    vocabulary = {word: number for number, word in enumerate([*MARKS, *_words(texts)])}
    made = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    named: Mapping[str, str] = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    found = PreTrainedTokenizerFast(tokenizer_object=made, **named)
    found.model_max_length = context
    network.save_pretrained(folder)
    found.save_pretrained(folder)
    return folder


def relabel(folder: Path, **change: Any) -> Path:
    """Change the configuration of a folder."""
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    return folder
