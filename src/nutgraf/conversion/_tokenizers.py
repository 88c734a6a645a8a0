"""Foreign vocabularies in our order, which begins with `SPECIAL_TOKENS`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch import Tensor

from nutgraf.conversion._foreign import read_json
from nutgraf.errors import InputError
from nutgraf.runtime.files import read_bytes
from nutgraf.runtime.metadata import LARGEST_FILE
from nutgraf.tokenizers import MASK, SPECIAL_TOKENS
from nutgraf.tokenizers.subwords import Config as SubwordsConfig
from nutgraf.tokenizers.subwords import Subwords
from nutgraf.tokenizers.wordpiece import Config, WordPiece
from nutgraf.tokenizers.words import Config as WordsConfig
from nutgraf.tokenizers.words import Words

TOKENIZER = "tokenizer.json"

LEAST = 300
"""Room for pieces that every vocabulary has: those of the bytes and the special ones."""

_IN_NO_TEXT = re.compile(r"\[unused\d+\]|\[CLS\]")
"""Pieces of BERT's vocabulary that stand for nothing, or for what is no text here."""

Order = list[int]
"""For each of our tokens, its number in the foreign vocabulary."""


def read_word_pieces(folder: Path, special: Sequence[str]) -> tuple[WordPiece, Order]:
    """Return the tokenizer of a BERT, whose special tokens are `special`. Raises InputError."""
    lower = True
    if (folder / "tokenizer_config.json").is_file():
        lower = bool(read_json(folder / "tokenizer_config.json").get("do_lower_case", True))
    if (folder / "vocab.txt").is_file():
        return word_pieces(read_lines(folder / "vocab.txt"), special, lower, folder / "vocab.txt")
    model = _model(folder, "WordPiece", "vocab.txt")
    lower = bool((read_json(folder / TOKENIZER).get("normalizer") or {}).get("lowercase", lower))
    return word_pieces(_in_order(model["vocab"], folder / TOKENIZER), special, lower, folder / TOKENIZER)


def word_pieces(pieces: Sequence[str], special: Sequence[str], lower: bool, where: Path) -> tuple[WordPiece, Order]:
    """Return a tokenizer of these pieces. Raises InputError."""
    texts, order = _arranged(pieces, special, "[MASK]", where)
    tokenizer = WordPiece(Config(vocab_size=len(texts), lower=lower))
    tokenizer.set_vocabulary(texts)
    return tokenizer, order


def whole_words(words: Sequence[str], special: Sequence[str], where: Path) -> tuple[Words, Order]:
    """Return a tokenizer of these words. Raises InputError."""
    texts, order = _arranged(words, special, MASK, where)
    tokenizer = Words(WordsConfig(vocab_size=len(texts), lower=all(text == text.lower() for text in texts)))
    tokenizer.set_vocabulary(texts)
    return tokenizer, order


def read_byte_pairs(folder: Path, special: Sequence[str]) -> tuple[Subwords, Order]:
    """Return the tokenizer of a BART: pairs of bytes, with case. Raises InputError."""
    if (folder / "vocab.json").is_file() and (folder / "merges.txt").is_file():
        where, numbers = folder / "vocab.json", read_json(folder / "vocab.json")
        lines = [line for line in read_lines(folder / "merges.txt") if line and not line.startswith("#version")]
        merges = [tuple(line.split(" ")) for line in lines]
    else:
        where, model = folder / TOKENIZER, _model(folder, "BPE", "vocab.json with merges.txt")
        numbers = model["vocab"]
        merges = [tuple(one.split(" ") if isinstance(one, str) else one) for one in model["merges"]]
    texts, order = _arranged(_in_order(numbers, where), special, MASK, where)
    tokenizer = Subwords(SubwordsConfig(vocab_size=max(len(texts), LEAST), lower=False))
    try:
        tokenizer.set_vocabulary(texts, [(one, other) for one, other in merges])
    except Exception as error:  # whatever the library makes of merges that do not fit the pieces
        raise InputError(f"{where}: its merges do not fit its pieces ({error}).") from error
    return tokenizer, order


def read_lines(path: Path) -> list[str]:
    """Return the lines of a text file. Raises InputError."""
    try:
        return read_bytes(path, LARGEST_FILE).decode("utf-8").rstrip("\n").replace("\r\n", "\n").split("\n")
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read ({error}).") from error


def rows(table: Tensor, order: Order, where: Path) -> Tensor:
    """Return the rows of an embedding matrix in our order. Raises InputError if it has too few."""
    if len(table) <= max(order):
        raise InputError(f"{where} has vectors for {len(table)} pieces, but its vocabulary has {max(order) + 1}.")
    return table[torch.tensor(order)]


def _model(folder: Path, kind: str, older: str) -> Mapping[str, dict[str, int]]:
    """Return the model of a folder's tokenizer.json. Raises InputError."""
    if not (folder / TOKENIZER).is_file():
        raise InputError(f"{folder} has no tokenizer: neither {older} nor {TOKENIZER} is in it.")
    content = read_json(folder / TOKENIZER)
    model = content.get("model") if isinstance(content, dict) else None
    if not isinstance(model, dict) or model.get("type") != kind:
        raise InputError(f"{folder / TOKENIZER} holds no pieces of the kind {kind}, which such a network has.")
    return model


def _in_order(numbers: Mapping[str, int], where: Path) -> list[str]:
    """Return the pieces by their numbers. Raises InputError if numbers are missing."""
    pieces = sorted(numbers, key=numbers.__getitem__)
    if [numbers[piece] for piece in pieces] != list(range(len(pieces))):
        raise InputError(f"{where} does not number its pieces 0, 1, 2, …; it is no vocabulary of such a network.")
    return pieces


def _arranged(pieces: Sequence[str], special: Sequence[str], mask: str, where: Path) -> tuple[list[str], Order]:
    """Return the pieces in our order, without those that no text has, and their foreign numbers.

    `special` are their names of `SPECIAL_TOKENS`, `mask` that of `<mask>`; a vocabulary without it leaves ours without,
    too. Raises InputError if a special piece is missing.
    """
    number = {piece: at for at, piece in enumerate(pieces)}
    missing = [piece for piece in special if piece not in number]
    if missing:
        raise InputError(f"{where} has a vocabulary without {missing[0]!r}, which such a network needs.")
    gone = {*special, *SPECIAL_TOKENS}
    others = [piece for piece in number if piece not in gone and not _IN_NO_TEXT.fullmatch(piece)]
    texts = [*SPECIAL_TOKENS, *(MASK if piece == mask else piece for piece in others)]
    return texts, [number[piece] for piece in [*special, *others]]
