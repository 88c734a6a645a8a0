"""Pretrained models that were trained further: `nutgraf train` makes a model folder of one.

They write as those of `--system hf:FOLDER` do, in windows and with origins. The phrases that steered them in training,
an extractor's, steer them while they write, and highlights are phrases like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from nutgraf.errors import InputError, PresetError, requires
from nutgraf.magnifier.kernels import Kernel
from nutgraf.presets import Choice, Preset
from nutgraf.presets.family import CHANGEABLE
from nutgraf.runtime.hardware import Compute
from nutgraf.systems._model_writer import ModelWriter
from nutgraf.systems._trained import TrainedConfig, TrainedSystem, refuse_samples
from nutgraf.systems._transformers import MARGIN, PretrainedModel, Settings
from nutgraf.systems._windows import Window
from nutgraf.systems._writing import Asked, Place, Reading, Written
from nutgraf.systems.steering import Steering
from nutgraf.text.document import Document
from nutgraf.text.summary import Budget
from nutgraf.tokenizers.pretrained import Pretrained

if TYPE_CHECKING:
    import nutgraf.model.pretrained
    import nutgraf.steering
    import nutgraf.training.config
    from nutgraf.checkpoint import Trained


@dataclass(frozen=True, kw_only=True)
class Config(TrainedConfig):
    """A pretrained model that is trained further, its training, and how it writes."""

    model: nutgraf.model.pretrained.Config
    """The model."""

    steering: Choice[nutgraf.steering.Form] | None = None
    """Form of the bias that phrases add to its attention, whose strength is learned; absent: phrases add nothing."""

    training: nutgraf.training.config.Config
    """Training of the model."""

    writing: Settings = field(metadata=CHANGEABLE)
    """Search for a text."""

    reading: Reading = field(metadata=CHANGEABLE)
    """Windows of a long document."""

    kernels: Mapping[str, Choice[Kernel]] = field(default_factory=dict, metadata=CHANGEABLE)
    """Kernels of the magnifier, which rate the model's sentences where they are too many, each a section of its own."""

    def __post_init__(self) -> None:
        if self.model.trains == "steering" and self.steering is None:
            raise ValueError('model.trains = "steering" needs a section [steering]; "lora" and "all" do without')
        refuse_samples(self.training, "a pretrained model is neither sampled from nor asked for summaries in training")
        if not self.model.encodes and not self.tokenizer.config.suffix:
            raise PresetError(
                f"The model in {self.model.folder} is a decoder alone, which writes behind what it reads: "
                "tokenizer.suffix says what stands between the two, such as --set 'tokenizer.suffix=Summary:'."
            )
        if self.model.context is not None:
            self._check_room(self.model.context)

    def _check_room(self, context: int) -> None:
        most = context - MARGIN
        together = self.truncation.source + self.truncation.target
        if not self.model.encodes and together > most:
            raise PresetError(
                f"A source of {self.truncation.source:,} tokens (truncation.source) with a summary of "
                f"{self.truncation.target:,} behind it (truncation.target) is too long for the model in "
                f"{self.model.folder}: it has room for {context:,}, up to {MARGIN} of them for what stands around."
            )
        given = {"source": ("a source", self.truncation.source), "target": ("a summary", self.truncation.target)}
        longer = {name: one for name, one in given.items() if one[1] > most}
        told = " and ".join(f"{what} of {size:,} tokens (truncation.{name})" for name, (what, size) in longer.items())
        would_do = " ".join(f"--set truncation.{name}={most}" for name in longer)
        if longer:
            raise PresetError(
                f"A{told[1:]} {'is' if len(longer) == 1 else 'are'} too long for the model in {self.model.folder}: it "
                f"has room for {context:,}, up to {MARGIN} of them for what stands around a text. {would_do} would do."
            )


class FineTuned(TrainedSystem, ModelWriter):
    """A preset with `system = "fine_tuned"` in a model folder."""

    _trained: Trained[nutgraf.model.pretrained.Pretrained]

    def __init__(self, preset: Preset, compute: Compute = Compute()) -> None:
        with requires("pretrained", "Pretrained models need"):
            super().__init__(preset, compute)
            self._model = _model_of(self._trained, compute)
        self._extractor = self._preparation.extractor
        self._settings: Settings = preset.config.writing

    def _shown(self, document: Document, budget: Budget, steering: Steering) -> str:
        options = self.preset.config.tokenizer.config
        return f"{options.prefix} {{text}}{options.suffix}".strip() if options.prefix or options.suffix else ""

    def room(self, asked: Asked) -> int:
        """Return how many tokens of a text fit beside the prefix."""
        context = self._model.context
        if context is None:
            return 1 << 30
        frame = self._trained.tokenizer.frame
        left = context - len(frame.before_source) - len(frame.behind_source) - MARGIN
        if not self._model.encodes:
            left -= self._model.length_limits(self._model.tokens_for(asked), self._settings)[1]
        if left < MARGIN:
            raise InputError(
                f"The model reads {context:,} tokens at a time, and what stands around the text leaves no room: take "
                "fewer words."
            )
        return left

    def write(self, window: Window, asked: Asked) -> list[Written]:
        """Return what the model writes about a window, best first."""
        phrases, measured = [], []
        if self._steers:
            phrases, measured = self._phrases(window, asked), asked.places(window, asked.steering.measured)
        reached = [[(first + 1, last + 1, weight) for first, last, weight in one] for one in (phrases, measured)]
        tokens = self._model.tokens_for(asked)
        amid = f" {window.text}"  # a source is encoded as if it stood amid another text
        found = self._model.write(amid, tokens, self._settings, asked.words is not None, *reached)
        return [Written(text, complete) for text, complete in found]

    def strength(self, steering: Steering) -> str | None:
        """Return nothing beside the weights, since the strength is learned; None where highlights do not act."""
        return "" if steering.phrases and self._steers else None

    def notices(self, steering: Steering) -> Iterator[str]:
        """Say that highlights steer nothing: where the model learned without phrases, or does not see them."""
        yield from self._model.notices_of_highlights()
        if steering.phrases and not self._steers:
            yield "Highlights only help to choose among its sentences: this model was trained without [steering]."

    @property
    def _steers(self) -> bool:
        return self._trained.network.steering is not None

    def _phrases(self, window: Window, asked: Asked) -> list[Place]:
        """Return where phrases stand in a window, with their weights; a highlight's is the one that it was given."""
        text, oracle = Document.of(window.text, language=asked.document.language), asked.steering.oracle
        own = self._extractor(text) if self._extractor else []
        found = own if oracle is None else self._preparation.oracle(text, oracle)
        scores = {span: phrase.score for phrase in found for span in phrase.spans}
        scores |= {(first, last): weight for first, last, weight in asked.places(window, asked.steering.phrases)}
        return [(first, last, weight) for (first, last), weight in sorted(scores.items())]


def _model_of(trained: Trained[Any], compute: Compute) -> PretrainedModel:
    """Return a model in a model folder, with its tokenizer as transformers calls it."""
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerFast

    network, own = trained.network, cast(Pretrained, trained.tokenizer)
    backend = Tokenizer.from_str(own.backend.to_str())
    backend.post_processor = own.framing
    settings = network.config.settings
    named = {name: backend.id_to_token(network.ids[at].item()) for name, at in (("pad_token", 0), ("eos_token", 3))}
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend, split_special_tokens=True, **named)
    model = PretrainedModel(trained.folder, settings, tokenizer, network.backbone, compute)
    if network.steering is not None:
        model.steer_by(network.steering)
    return model
