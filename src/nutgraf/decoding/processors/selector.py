"""Copying is confined to what a content selector takes for likely (Bottom-Up; Gehrmann, Deng and Rush 2018, Sec. 4.2).

    ãᵢ ∝ aᵢ if qᵢ > ε, else 0          aᵢ the copying attention, qᵢ the probability that the selector gives a word

A network attends to its source as before; only copying is confined. Where the selector takes no word of a source for
likely, all may be copied; the paper leaves this case open.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from jaxtyping import Float
from torch import Tensor

from nutgraf.checkpoint import Trained, load
from nutgraf.decoding.processors import Hypotheses, LogitsProcessor, SearchContext
from nutgraf.errors import InputError, PresetError
from nutgraf.model.records import UNK, Batch, EncoderOutput, Phrases
from nutgraf.model.tagger import Config as TaggerConfig
from nutgraf.model.tagger import Tagger
from nutgraf.model_folder import WEIGHTS, read_card
from nutgraf.presets import Choice
from nutgraf.presets.ranges import ShareBelowOne
from nutgraf.tokenizers import Tokenizer

HOW = "--set decoding.processors.selector.folder=FOLDER, where `nutgraf train bottom_up_selector` makes FOLDER"


@dataclass(frozen=True)
class Config:
    """A content selector confines copying."""

    folder: str | None = None
    """Model folder of the selector, a tagger of tokens with the tokenizer of the network that writes."""

    threshold: ShareBelowOne = 0.15
    """Probability ε above which a word may be copied; in the paper 0.1 to 0.2 works, and 0.15 is reported."""


EXAMPLES: tuple[Config, ...] = ()
"""None: a selector has to be trained before."""


class Selector(LogitsProcessor):
    """Confines copying to the words that a trained selector takes for likely."""

    config: Config

    def __init__(self, config: Config, context: SearchContext) -> None:
        """Load the selector, or take it from the search before.

        Raises:
            PresetError: If there is no selector, or the network does not copy.
            InputError: If the folder holds no selector, or one with another tokenizer.
        """
        super().__init__(config, context)
        if config.folder is None:
            raise PresetError(f"The processor 'selector' needs a trained content selector: {HOW}.")
        if not context.copies:
            raise PresetError(
                "The processor 'selector' confines copying, and this network does not copy: "
                "--set decoding.processors.selector=none."
            )
        self._selector = _read(config.folder, str(context.source.device))
        own, tokens = self._selector.tokenizer, context.limits.tokens
        if len(own) != context.vocab_size or (tokens is not None and list(own.tokens) != list(tokens)):
            raise InputError(
                f"{config.folder} has another tokenizer than the network that writes, so that their ids mean other "
                "words. Prepare its corpus with the tokenizer of that network: nutgraf prepare … --tokenizer FOLDER."
            )

    def begin(self, encoder_output: EncoderOutput) -> EncoderOutput:
        """Tell heads that copy which words may be copied."""
        words, missing = self.context.source, encoder_output.key_padding_mask
        known = words.masked_fill(words >= self.context.vocab_size, UNK)
        likely = self._selector.network.probabilities(Batch(known, words, missing, Phrases.none()))
        copyable = (likely > self.config.threshold) & ~missing
        return replace(encoder_output, copyable=copyable | ~copyable.any(1, keepdim=True))

    def __call__(self, log_probs: Float[Tensor, "batch beams extended"], hypotheses: Hypotheses) -> None:
        """Change nothing: only copying is confined."""


@dataclass(frozen=True)
class _Tagger:
    """Sections of a tagger's preset that its network is read with."""

    tokenizer: Choice[Tokenizer]
    model: TaggerConfig


def _read(folder: str, device: str) -> Trained[Tagger]:
    """Load a selector; the same weights are read once."""
    weights = Path(folder) / WEIGHTS
    return _kept(folder, device, weights.stat().st_mtime_ns if weights.is_file() else 0)


@lru_cache(maxsize=2)
def _kept(folder: str, device: str, changed: int) -> Trained[Tagger]:
    def sections(system: str) -> type[_Tagger]:
        if system != "tagger":
            raise _no_selector(folder)
        return _Tagger

    found: Trained[Tagger] = load(folder, sections, device)
    if found.preset.section("labels").get("unit") != "tokens":
        raise _no_selector(folder)
    return found


def _no_selector(folder: str) -> InputError:
    return InputError(f"{folder} holds no content selector, but a {read_card(folder)['preset']!r}: {HOW}.")
