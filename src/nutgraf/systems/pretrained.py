"""Pretrained models of transformers as systems: `--system hf:FOLDER`, `hf:FILE.gguf` or `hf:NAME`.

Encoders with a decoder (BART, PEGASUS, T5, mBART, LED …) read the text, decoders alone (Llama, Qwen, Gemma …) a prompt
with the text in it. They write; windows, lengths, origins and checks are ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Annotated, Any, Literal, Self

from nutgraf.errors import InputError, requires
from nutgraf.presets import Preset
from nutgraf.presets.ranges import Range
from nutgraf.runtime.hardware import Compute
from nutgraf.systems._model_writer import ModelWriter
from nutgraf.systems._prompt import INSTRUCTION, Prompt, check_prompt, literally, prompted, with_marks, without_marks
from nutgraf.systems._transformers import MARGIN, PretrainedModel, Search, Settings
from nutgraf.systems._windows import Window
from nutgraf.systems._writing import Asked, WritingConfig, Written
from nutgraf.systems.steering import Steering
from nutgraf.text.document import Document
from nutgraf.text.summary import Budget

COMPLETION = "{text}\n\nSummary{length}:"
"""Prompt of a language model without a template for conversations, which goes on writing."""


@dataclass(frozen=True)
class Model(Search):
    """A model of transformers."""

    folder: str = ""
    """Folder of the model, its GGUF file, or its name on huggingface.co; `--system hf:FOLDER` sets it."""

    adapter: str = ""
    """Folder of an adapter of peft (LoRA) that is added to the weights; "" for none."""

    prompt: str | None = None
    """Words around the source, which stands in place of {text}; {length} and {highlights} say what is asked for. None
    takes what the model's configuration says (T5), an instruction for a model with a template for conversations, and
    for other decoders "Summary:" behind the text."""

    language_token: str = ""
    """Language of source and summary as a multilingual model names it: en_XX (mBART), en (M2M100), eng_Latn (NLLB). ""
    looks for that of the document's language."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.prompt is not None:
            check_prompt(self.prompt)


STRENGTHS: Mapping[str, float] = {"column": 1.0, "block": 1.5, "share": 0.2, "contrast": 1.0}
"""Strength of each form where none is set. That of "column" is the greatest that lost less than half a point of ROUGE-1
in a small network at two stages (docs/results.md), where "share" at 0.2 lost more than two points and "block" brought
nothing; "contrast" at 1 lost less than half a point at both stages, too."""


LARGEST_STRENGTH = 10_000
"""Strength at most; attention lies on marked words alone from some hundred on."""


@dataclass(frozen=True)
class Highlights:
    """Steering by highlights inside the model; see `nutgraf.steering`."""

    form: Literal["auto", "column", "block", "share", "contrast", "prompt"] = "auto"
    """Form: "column" raises the attention on what is marked for everyone who looks there, "block" within a phrase,
    "share" up to a share of the attention; "contrast" prefers words that the marked ones make likelier, at twice the
    time; "prompt" only marks them in the prompt of a language model. "auto" is "column", and "contrast" where a model's
    attention cannot be reached."""

    strength: Annotated[float, Range(ge=0, le=LARGEST_STRENGTH)] | None = None
    """Strength, 0 for no steering. Of "column" (none: 1) and "block" (none: 1.5) the natural logarithm of the factor by
    which the odds of a word with weight 1 rise; of "share" the share, below 1 (none: 0.2); of "contrast" the weight of
    what marked words add (none: 1)."""

    highlighted_layers: tuple[int, ...] | None = None
    """Layers that are steered, from 0, or from -1 back; none for all."""

    highlighted_heads: tuple[int, ...] | None = None
    """Heads that are steered, from 0, or from -1 back; none for all."""

    def __post_init__(self) -> None:
        if self.strength is not None and self.form == "share" and self.strength >= 1:
            raise ValueError(f"strength: {self.strength:g} is given; of the form 'share' a number below 1 would do.")
        for name in ("highlighted_layers", "highlighted_heads"):
            if getattr(self, name) == ():
                raise ValueError(f"{name}: an empty list is given, so highlights would do nothing; none takes all.")
        chosen = self.highlighted_layers is not None or self.highlighted_heads is not None
        if chosen and self.form in ("contrast", "prompt"):
            raise ValueError(f"the form {self.form!r} acts in no layer or head, so none can be chosen.")

    def of_form(self, form: str) -> dict[str, Any]:
        """Return the options of a form of `nutgraf.steering`."""
        strength = STRENGTHS[form] if self.strength is None else self.strength
        where = {"highlighted_layers": self.highlighted_layers, "highlighted_heads": self.highlighted_heads}
        return {"share" if form == "share" else "strength": strength, **where}


@dataclass(frozen=True, kw_only=True)
class Config(WritingConfig):
    """A pretrained model, which writes."""

    pretrained: Model
    """The model."""

    highlights: Highlights
    """Attention that highlights raise."""


class Pretrained(ModelWriter):
    """A preset with `system = "pretrained"`."""

    def __init__(self, preset: Preset, compute: Compute = Compute()) -> None:
        with requires("pretrained", "Pretrained models need"):
            from nutgraf.model.pretrained_place import folder_of

            options: Model = preset.config.pretrained
            adapter = Path(options.adapter) if options.adapter else None
            model = PretrainedModel.read(folder_of(options.folder), compute, adapter)
        self._begin(preset, compute, model)

    def _begin(self, preset: Preset, compute: Compute, model: PretrainedModel) -> None:
        super().__init__(preset, compute)
        self._options: Model = preset.config.pretrained
        self._model = model
        options = self._options
        self._settings = Settings(
            options.beam_size, options.max_length, options.no_repeat_ngram_size, options.temperature, preset.seed
        )
        self._lock = Lock()

    def sharing(self, preset: Preset) -> Self:
        """Return the system of another preset of this model, which is not loaded again; they must take turns."""
        made = type(self).__new__(type(self))
        made._begin(preset, self.compute, self._model.sharing())
        return made

    @property
    def steers(self) -> bool:
        """True if highlights reach the model in the form of the preset."""
        try:
            return bool(self._means)
        except InputError:
            return False

    @property
    def layers_and_heads(self) -> tuple[int, int] | None:
        """Number of layers and heads in which highlights can act; None if they do not act on attention."""
        return self._model.layers_and_heads if self.steers else None

    @cached_property
    def _means(self) -> tuple[Literal["attention", "contrast", "prompt"], str]:
        """Means by which highlights steer, and why it is no better one. Raises InputError if none can."""
        from nutgraf.steering.reach import OTHERWISE, Unreachable

        config: Highlights = self.preset.config.highlights
        if config.form == "prompt":
            if self._model.encodes:
                raise InputError("An encoder has no prompt to mark highlights in; leave out highlights.form=prompt.")
            return "prompt", ""
        weight = 1 + config.of_form("contrast")["strength"]
        if config.form == "contrast":
            self._model.contrast(weight)
            return "contrast", ""
        form = "column" if config.form == "auto" else config.form
        try:
            self._model.steer(form, config.of_form(form))
        except Unreachable as error:
            if config.form != "auto":
                raise
            self._model.contrast(weight)
            return "contrast", str(error).removesuffix(OTHERWISE).rstrip()
        return "attention", ""

    def _marks_prompt(self, steering: Steering) -> bool:
        """Return True if highlights are marked in the prompt; finds out how they steer if there are any."""
        return bool(steering.phrases) and self._means[0] == "prompt"

    @classmethod
    def lacking(cls, preset: Preset) -> str | None:
        """Return that no model is named, or that it is not here."""
        folder = preset.options("pretrained").folder
        if not folder:
            return (
                f"The preset {preset.name!r} names no model: write --system hf:FOLDER for one in a folder, "
                "hf:FILE.gguf for one in a file, or hf:NAME for one in the cache of huggingface_hub."
            )
        try:
            with requires("pretrained", "Pretrained models need"):
                from nutgraf.model.pretrained_place import folder_of

                folder_of(folder)
        except InputError as error:
            return str(error)
        return None

    def _computed(self) -> list[str]:
        return [f"weights:{self._model.fingerprint}", *super()._computed()]

    @cached_property
    def prompt(self) -> str:
        """The prompt, with its fields; of an encoder, what stands before and behind the text."""
        if self._options.prompt is not None:
            return self._options.prompt
        if self._model.encodes:
            return f"{literally(self._model.prefix)}{{text}}"
        return INSTRUCTION if self._model.chats else COMPLETION

    def _shown(self, document: Document, budget: Budget, steering: Steering) -> str:
        if self.prompt == "{text}":
            return ""
        asked = Asked(document, budget.words_of(document), budget.sentences, steering)
        return self._prompted("{text}", asked, self._marks_prompt(steering)).said

    def _speak(self, language: str) -> None:
        self._model.speak(language, self._options.language_token)

    def room(self, asked: Asked) -> int:
        """Return how many tokens of a text fit beside the prompt and, in a decoder alone, the summary."""
        context = self._model.context
        if context is None:
            return 1 << 30
        beside = self._model.count(self._prompted("", asked, self._marks_prompt(asked.steering)).said) + MARGIN
        if not self._model.encodes:
            beside += self._model.length_limits(self._model.tokens_for(asked), self._settings)[1]
        if context - beside < MARGIN:
            length = "a smaller max_length" if asked.words is None else "fewer words"
            raise InputError(
                f"The model reads {context:,} tokens at a time, and {beside:,} of them are needed beside the text: "
                f"take a shorter prompt, {length}, or a model that reads more."
            )
        return context - beside

    def write(self, window: Window, asked: Asked) -> list[Written]:
        """Return what the model writes about a window, best first."""
        steering, text = asked.steering, self._model.harmless(window.text)
        places, measured = (asked.places(window, some) for some in (steering.phrases, steering.measured))
        means = self._means[0] if places or measured else None
        marked = means == "prompt" and bool(places)
        prompt = self._prompted(with_marks(text, places) if marked else text, asked, marked)
        reached, measured = ([], []) if means == "prompt" else (prompt.places(places), prompt.places(measured))
        self._speak(asked.document.language)
        found = self._model.write(
            prompt.said, self._model.tokens_for(asked), self._settings, asked.words is not None, reached, measured
        )
        return [Written(without_marks(text), complete) for text, complete in found]

    def _prompted(self, text: str, asked: Asked, marked: bool) -> Prompt:
        prompt = prompted(self.prompt, text, asked.words, asked.sentences, marked)
        return self._model.conversation(prompt) if self._model.chats and not self._model.encodes else prompt

    def strength(self, steering: Steering) -> str | None:
        """Return the strength of the highlights; None where they do not act, or are marked in a prompt alone."""
        config: Highlights = self.preset.config.highlights
        if not steering.phrases or config.strength == 0 or self._means[0] == "prompt":
            return None
        form = "contrast" if self._means[0] == "contrast" else "column" if config.form == "auto" else config.form
        return f"highlights.strength is {STRENGTHS[form] if config.strength is None else config.strength:g}"

    def notices(self, steering: Steering) -> Iterator[str]:
        """Say what is odd in the model's files, and that highlights steer by contrast, what that costs, and why."""
        yield from self._model.notices()
        config: Highlights = self.preset.config.highlights
        if steering.phrases and config.strength == 0 and config.form != "prompt":
            yield "Highlights do nothing, since highlights.strength is 0."
            return
        yield from self._model.notices_of_highlights()
        means, why = self._means if steering.phrases else ("attention", "")
        if means == "contrast":
            yield (
                "Highlights steer by contrast at the logits: the model runs twice, on the text with and without them, "
                f"which takes about twice as long.{' ' if why else ''}{why}"
            )
