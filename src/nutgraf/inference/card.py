"""The card of a network: what it is, what it learned from, and the digest of every file that belongs to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from nutgraf.errors import InputError
from nutgraf.runtime.metadata import Count, Range, read_record

CARD = "card.json"

ENCODER_GRAPH, HEAD_GRAPH = "encoder.onnx", "head.onnx"

WORDS, SCALES, TOKENIZER = "words.npy", "word_scales.npy", "tokenizer.json"
SHARED = (WORDS, SCALES, TOKENIZER)
"""Files that networks of one origin share."""

Small = Annotated[int, Range(ge=1, le=4096)]


@dataclass(frozen=True)
class Source:
    """Something that a network begins with or learned from.

    Attributes:
        name: Its name.
        licence: Its licence.
        examples: Number of examples that were learned from; 0 where it is a model.
    """

    name: str
    licence: str
    examples: Count = 0


@dataclass(frozen=True)
class NetworkCard:
    """A card.

    Attributes:
        schema: Version of the format.
        task: What it is for: "vectors", or the task that it was trained for.
        title: What it does, in a few words.
        layers: Layers of its encoder.
        width: Numbers of a word's vector and of a state.
        longest: Word pieces of the longest row, special ones included.
        files: SHA-256 of every file.
        spans: Spans of an item; 0 where there is no head.
        features: Numbers that are known of an item besides.
        classes: Names of the classes. Two have one logit between them, of the second.
        quantization: Type of the weights.
        licence: Licence of the network.
        sources: What it begins with and learned from.
        settings: Numbers that go with the weights, such as thresholds.
        figures: What was measured.
        commands: Commands that made it.
        version: Version of nutgraf that wrote it.
    """

    schema: Literal["nutgraf.network/1"]
    task: str
    title: str
    layers: Small
    width: Small
    longest: Small
    files: dict[str, str]
    spans: Annotated[int, Range(ge=0, le=64)] = 0
    features: Annotated[int, Range(ge=0, le=4096)] = 0
    classes: tuple[str, ...] = ()
    quantization: str = "int8"
    licence: str = ""
    sources: tuple[Source, ...] = ()
    settings: dict[str, float] = field(default_factory=dict)
    figures: dict[str, float] = field(default_factory=dict)
    commands: tuple[str, ...] = ()
    version: str = ""

    @property
    def outputs(self) -> int:
        """Logits of an item; 0 where there is no head."""
        return 1 if len(self.classes) == 2 else len(self.classes)

    @property
    def purpose(self) -> str:
        """Task and inputs in words, for the message that refuses the network where another one is needed."""
        return (
            f"it is for {self.task}, with {self.spans} spans, {self.features} features, the classes "
            f"{', '.join(self.classes) or 'none'} and rows of up to {self.longest} word pieces"
        )


def read_card(folder: Path) -> NetworkCard:
    """Read the card of a network. Raises InputError if the folder has none, or it is damaged."""
    path = folder / CARD
    if not path.is_file():
        raise InputError(f"{folder} is no network: {CARD} is missing. `nutgraf export --to onnx` writes such folders.")
    card = read_record(path, NetworkCard, "the card of a network")
    needed = {ENCODER_GRAPH, *SHARED, *([HEAD_GRAPH] if card.spans else [])}
    if set(card.files) != needed or bool(card.spans) != bool(card.outputs):
        raise InputError(
            f"{path} does not fit: it names {', '.join(sorted(card.files)) or 'no files'}, for {card.spans} spans and "
            f"{len(card.classes)} classes; {', '.join(sorted(needed))} are needed."
        )
    return card
