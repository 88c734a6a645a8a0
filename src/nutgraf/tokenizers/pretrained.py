"""The tokenizer of a pretrained model: its `tokenizer.json`, as the package tokenizers reads it.

The model's own token i has the id len(`SPECIAL_TOKENS`) + i. A text is encoded as if it stood amid another one, after a
space, since sources are encoded sentence by sentence. It learns nothing: the model knows these tokens and no others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nutgraf.errors import InputError, PresetError
from nutgraf.runtime.files import read_bytes, write_text
from nutgraf.tokenizers import SPECIAL_TOKENS, Encoding, Frame, Tokenizer
from nutgraf.tokenizers._saved import library

FILE = "tokenizer.json"

LARGEST = 1 << 28
"""Bytes of such a file; those of models with a million tokens have a tenth of it."""

WORD_MARKS = ("Ġ", "▁")
"""First character of a token that begins a word, in byte-pair encodings and in SentencePiece."""

INSIDE = "##"
"""Prefix of a token that does not begin a word, in WordPiece."""

_SPECIAL = len(SPECIAL_TOKENS)


@dataclass(frozen=True)
class Config:
    """The tokenizer of a pretrained model."""

    prefix: str = ""
    """Text before every source that tells the model what to do, such as "summarize:" for T5."""

    suffix: str = ""
    """Text behind every source, at whose end the summary begins: what a decoder alone needs, such as "\\n\\nSummary:"
    or the marks of a conversation."""


EXAMPLES = ()
"""It cannot be trained, so the contract of those that can leaves it out."""


class Pretrained(Tokenizer):
    """The tokenizer of a pretrained model."""

    file = FILE

    def __init__(self, config: Config | None = None) -> None:
        self.config = config or Config()
        self._text = ""

    @cached_property
    def backend(self) -> Any:
        """The tokenizer of the package tokenizers. Raises InputError before anything was loaded."""
        if not self._text:
            raise InputError("A pretrained model's tokenizer is loaded from its folder: --set model.folder=FOLDER.")
        found = library("The tokenizer of a pretrained model").Tokenizer.from_str(self._text)
        found.no_truncation()
        found.no_padding()
        found.encode_special_tokens = True  # who writes "</s>" gets the tokens of its characters
        return found

    @cached_property
    def tokens(self) -> Sequence[str]:
        """All tokens, by id. The model's own special tokens may be spelled as nutgraf's."""
        if not self._text:
            return SPECIAL_TOKENS
        known = {number: text for text, number in self.backend.get_vocab(with_added_tokens=True).items()}
        return (*SPECIAL_TOKENS, *(known.get(number, "") for number in range(max(known) + 1)))

    @cached_property
    def begins_word(self) -> npt.NDArray[np.bool_]:
        """True for tokens that begin a word."""
        own = self.tokens[_SPECIAL:]
        marked = any(text.startswith(WORD_MARKS) for text in own)
        begins = (text.startswith(WORD_MARKS) if marked else not text.startswith(INSIDE) for text in own)
        return np.array([*(True for _ in SPECIAL_TOKENS), *begins], dtype=np.bool_)

    @cached_property
    def frame(self) -> Frame:
        """Tokens that the model expects around a source and before a target. Raises InputError if it has several ends.

        A target ends with one token, EOS, so a tokenizer that adds several behind a text is refused. In `prefix` and
        `suffix`, unlike in texts, the model's own special tokens may be written.
        """
        with_frame, alone = (self.backend.encode("a", add_special_tokens=one).ids for one in (True, False))
        before = next(at for at in range(len(with_frame) + 1) if with_frame[at : at + len(alone)] == alone)
        behind = with_frame[before + len(alone) :]
        if len(behind) > 1:
            raise InputError(
                "This model's tokenizer ends a text with several tokens, as those of several languages do; models of "
                "one language alone can be trained further."
            )
        begin, prefix, suffix = (
            _numbered(with_frame[:before]),
            self._with_marks(self.config.prefix),
            self._with_marks(self.config.suffix),
        )
        return Frame((*begin, *prefix), (*suffix, *_numbered(behind)), () if suffix else begin)

    @property
    def framing(self) -> Any:
        """A post-processor of the package tokenizers that puts the frame around a text."""
        before, behind, _ = self.frame
        around = {"before": before, "behind": behind}
        special = [
            {
                "id": name,
                "ids": [number - _SPECIAL for number in ids],
                "tokens": [self.tokens[number] for number in ids],
            }
            for name, ids in around.items()
        ]
        single = [*(["before"] if before else []), "$A", *(["behind"] if behind else [])]
        processors = library("The tokenizer of a pretrained model").processors
        return processors.TemplateProcessing(single=single, special_tokens=[one for one in special if one["ids"]])

    def _with_marks(self, text: str) -> tuple[int, ...]:
        """Return the ids of a text in which special tokens are what they are."""
        self.backend.encode_special_tokens = False
        try:
            return _numbered(self.backend.encode(text, add_special_tokens=False).ids)
        finally:
            self.backend.encode_special_tokens = True

    def train(self, texts: Iterable[str]) -> None:
        """Refuse to learn. Raises PresetError."""
        raise PresetError(
            "The tokenizer of a pretrained model is not trained, but taken from its folder: --set model.folder=FOLDER."
        )

    def encode(self, text: str) -> Encoding:
        """Split a text into tokens; see `Tokenizer`. A token of white space alone has an empty span."""
        found = self.backend.encode(f" {text}", add_special_tokens=False)
        spans = [_trimmed(text, max(0, start - 1), max(0, end - 1)) for start, end in found.offsets]
        ids = _numbered(found.ids)
        return Encoding(tuple(self.tokens[number] for number in ids), ids, tuple(spans))

    def decode(self, tokens: Sequence[str]) -> str:
        """Join tokens; see `Tokenizer`."""
        numbers = [self._numbers[text] for text in tokens if text in self._numbers]
        return str(self.backend.decode(numbers, skip_special_tokens=True)).strip()

    def save(self, folder: str | Path) -> None:
        """Write the file; see `Tokenizer`."""
        write_text(Path(folder) / FILE, self._text)

    def load(self, folder: str | Path) -> None:
        """Load the file; see `Tokenizer`."""
        path = Path(folder) / FILE
        package = library("The tokenizer of a pretrained model")
        try:
            text = read_bytes(path, LARGEST).decode("utf-8")
            package.Tokenizer.from_str(text)
        except OSError as error:
            raise InputError(f"{path} cannot be read: a model that is trained further needs this file.") from error
        except Exception as error:  # whatever the library makes of a damaged file
            raise InputError(f"{path} holds no tokenizer: {error}.") from error
        self._text = text
        for name in ("backend", "tokens", "begins_word", "frame", "_numbers"):
            self.__dict__.pop(name, None)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """The model's own ids of all tokens but nutgraf's."""
        return {
            text: number for number, text in enumerate(self.tokens[_SPECIAL:]) if text and text not in SPECIAL_TOKENS
        }

    def __getstate__(self) -> dict[str, Any]:
        return {"config": self.config, "_text": self._text}


def _numbered(ids: Sequence[int]) -> tuple[int, ...]:
    return tuple(_SPECIAL + number for number in ids)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span without the white space at its beginning."""
    while start < end and text[start].isspace():
        start += 1
    return start, end
