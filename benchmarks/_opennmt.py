"""OpenNMT-py 3.5.1 as a peer: installed without its dependencies, its copy loss put together as its trainer does."""

from __future__ import annotations

import argparse
import sys
import types
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from _peers import Library

OPENNMT = Library(
    "opennmt",
    ("OpenNMT-py==3.5.1", "configargparse"),
    "import _opennmt; _opennmt.leave_out(); from onmt.modules import CopyGeneratorLoss; from onmt.models import model",
)
UNUSED = (
    "fasttext spacy sacrebleu waitress tensorboard pyonmttok ahocorasick ctranslate2 rapidfuzz flask torchtext".split()
)
UNK, PAD = 0, 1


def leave_out() -> None:
    """What it imports and has no use for here is empty, unless it is loaded."""
    warnings.simplefilter("ignore", FutureWarning)
    for name in UNUSED:
        sys.modules.setdefault(name, Empty(name))


def copy_loss(
    network: Any, words: int, source: Any, lengths: Any, target: Any, statistics: bool = True
) -> Callable[[], Any]:
    """The loss of a word, by its `CopyGeneratorLoss`; every word of a source [examples, length] is one of its own.
    statistics: also those that it makes of every batch."""
    import torch
    from onmt.modules import CopyGeneratorLoss
    from onmt.utils.loss import LossCompute

    examples, length = source.shape
    places = torch.arange(4, 4 + length)
    one_hot = torch.zeros(examples, length, 4 + length)
    one_hot[:, torch.arange(length), places] = 1
    same = (target[:, :, None] == source[:, None, :]).long()
    alignment = same.amax(-1) * places[same.argmax(-1)]
    criterion = CopyGeneratorLoss(words, False, unk_index=UNK, ignore_index=PAD)
    compute = LossCompute(criterion, network.generator, copy_attn=True, vocab=Words(words))
    batch = {"src_map": one_hot, "tgt": target[:, :, None], "alignment": alignment, "srclen": lengths}
    batch["src_ex_vocab"] = [Words(4 + length, [0, 1, 2, 3, *row.tolist()]) for row in source]
    wanted = target[:, 1:].numel()

    def loss() -> Any:
        output, attention = network(source[:, :, None], target[:, :, None], lengths)
        if statistics:
            return compute(batch, output, attention)[0] / wanted
        flat, align = (one[:, 1:].contiguous().view(-1) for one in (target, alignment))
        return compute._compute_copy_loss(batch, output, flat, align, attention)[0] / wanted

    return loss


def adam(rate: float) -> argparse.Namespace:
    """Options of its Adam."""
    return argparse.Namespace(optim="adam", learning_rate=rate, adam_beta1=0.9, adam_beta2=0.998)


def adagrad(rate: float, accumulator: float) -> argparse.Namespace:
    """Options of its Adagrad."""
    return argparse.Namespace(
        optim="adagrad", learning_rate=rate, adagrad_accumulator_init=accumulator, adam_beta1=0.9, adam_beta2=0.999
    )


class Words:
    """A vocabulary as it asks for it, whose words are numbers: those of `ids`, or its own."""

    def __init__(self, size: int, ids: Sequence[int] = ()) -> None:
        self.size, self.ids_to_tokens = size, ids

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, word: int) -> int:
        return word


class Empty(types.ModuleType):
    """A module in which everything is found and nothing is."""

    __path__ = ()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        full = f"{self.__name__}.{name}"
        return sys.modules.setdefault(full, Empty(full))
