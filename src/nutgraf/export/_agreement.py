"""Does an engine write what the model writes? Both continue a few texts greedily, and their tokens are compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nutgraf.export._format import Original, Writer

TEXTS = (
    "The ferry left the harbour at noon, and it came back at dusk with nobody on it.",
    "A storm broke eleven windows of the school. Lessons go on in the village hall until the glazier has been.",
    "In 1998 the town bought 4,060 street lights; the last of them was lit in March.",
)
"""Texts on which they are tried."""

LONGEST = 32
"""Tokens of a trial text."""


Trial = tuple[Sequence[int], list[int]]
"""The tokens of a text, and those that the model writes after it."""


def trials(original: Original) -> list[Trial]:
    """Return what a model writes; to be called before it is converted, which can take it apart."""
    texts = [original.tokenizer(text)["input_ids"] for text in TEXTS]
    return [(ids, _greedy(original, ids)) for ids in texts]


def agreement(engine: Writer, wanted: Sequence[Trial]) -> float:
    """Return the share of tokens, place by place, at which an engine writes what the model wrote."""
    pairs = [(said, engine(ids, LONGEST)) for ids, said in wanted]
    equal = sum(one == other for said, written in pairs for one, other in zip(said, written, strict=False))
    length = sum(max(len(said), len(written)) for said, written in pairs)
    return equal / length if length else 1.0


def _greedy(original: Original, ids: Sequence[int]) -> list[int]:
    """Return what the model writes, the likeliest token at each step, as the engines are asked to."""
    import torch

    network, row = original.network, torch.tensor([ids])
    written = [original.start] if original.encodes else list(ids)
    begin = len(written)
    with torch.no_grad():
        encoded: Any = network.get_encoder()(row) if original.encodes else None
        for _ in range(LONGEST):
            given = torch.tensor([written])
            found = network(encoder_outputs=encoded, decoder_input_ids=given) if original.encodes else network(given)
            written.append(int(found.logits[0, -1].argmax()))
            if written[-1] in original.ends:
                return written[begin:-1]
    return written[begin:]
