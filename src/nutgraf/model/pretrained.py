"""A pretrained model of transformers that is trained further.

It is an encoder and decoder (BART, PEGASUS, T5 …), or a decoder alone (Llama, Qwen, GPT-2 …), for which a target stands
behind its source.

LoRA (Hu et al. 2022) adds a product of two small matrices to some of the model's linear layers, by the package peft.

Where phrases are steered by, `checkpoint.py` puts that above the model's attention: this package does not know it.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from nutgraf.errors import InputError, MissingPackage, PresetError, requires
from nutgraf.model.layers import Embedding
from nutgraf.model.library_errors import quiet, told
from nutgraf.model.network import Network
from nutgraf.model.pretrained_folder import (
    MULTILINGUAL,
    check_network,
    checked_config,
    configuration_of,
    context_of,
    read_network,
)
from nutgraf.model.pretrained_generation import CONFIG, GENERATION, check_file, followed
from nutgraf.model.pretrained_place import folder_of
from nutgraf.model.records import Batch, Phrases, Trace, at_least_single
from nutgraf.presets.family import CHANGEABLE
from nutgraf.presets.ranges import PositiveFloat, PositiveInt, ShareBelowOne
from nutgraf.runtime.metadata import parse

SPECIAL = 5
"""Number of nutgraf's special tokens, before the model's own."""

ADAPTED = ".base_layer"
"""Part of the name of a weight that has an adapter beside it."""


@dataclass(frozen=True)
class Lora:
    """Adapters of low rank, where `model.trains` is "lora"."""

    rank: PositiveInt = 8
    """Rank of the product that is added to a matrix."""

    alpha: PositiveFloat = 16.0
    """The product is multiplied by `alpha / rank`."""

    dropout: ShareBelowOne = 0.0
    """Dropout rate of what an adapter is given."""

    target_modules: tuple[str, ...] | None = None
    """Names of the layers that have adapters, as in ["q_proj", "v_proj"]; none for those that peft takes for this kind
    of model, as a rule queries and values."""


@dataclass(frozen=True)
class Config:
    """A pretrained model, where `system = "fine_tuned"`."""

    folder: str = field(default="", metadata=CHANGEABLE)
    """Folder of the model with which training begins, or its name in the cache of huggingface_hub."""

    trains: Literal["steering", "lora", "all"] = "steering"
    """Parameters that change: "steering" for its strengths alone, "lora" for adapters too, "all" for all weights."""

    lora: Lora = field(default_factory=Lora)
    """The section `[model.lora]`."""

    configuration: str = ""
    """The model's config.json, which a model folder keeps here; "" reads it from `folder`."""

    generation: str = ""
    """The model's generation_config.json, likewise; "" where there is none."""

    def __post_init__(self) -> None:
        if self.folder and not self.configuration:
            try:
                with requires("pretrained", "Pretrained models need"):
                    self._read(folder_of(self.folder))
            except InputError as error:
                raise PresetError(f"model.folder: {error}") from error
        if self.configuration:
            _refuse_unfit(self.settings)

    def _read(self, folder: Path) -> None:
        """Take over what the files of a folder say, before memory or time is spent on it. Raises InputError."""
        config = checked_config(folder)
        _refuse_unfit(config)
        check_network(folder, config, _kind(config))
        check_file(folder / GENERATION)
        object.__setattr__(self, "configuration", json.dumps(config))
        object.__setattr__(self, "generation", _text(folder / GENERATION))
        followed(self.generation_settings(), _configuration(config).vocab_size, str(folder / GENERATION))

    @property
    def settings(self) -> dict[str, Any]:
        """The model's configuration. Raises PresetError if there is none."""
        if not self.configuration:
            raise PresetError(
                "The preset names no model to train further: --set model.folder=FOLDER names one of transformers."
            )
        return _object(self.configuration, "configuration")

    @property
    def context(self) -> int | None:
        """Number of tokens that the model reads; None for any number, or as long as no model is named."""
        return context_of(self.settings) if self.configuration else None

    @property
    def encodes(self) -> bool:
        """True for an encoder and a decoder; as long as no model is named, too."""
        return not self.configuration or bool(self.settings.get("is_encoder_decoder"))

    @property
    def segments(self) -> tuple[str, ...]:
        """Segments that the network needs of a source: none."""
        return ()

    @property
    def d_model(self) -> int:
        """Width of the model, for schedules of the learning rate."""
        return int(_configuration(self.settings).hidden_size)

    def generation_settings(self) -> dict[str, Any]:
        """Return how the model writes by its own files; {} where these do not say."""
        return _object(self.generation, "generation") if self.generation else {}


class Pretrained(Network):
    """A pretrained model, which reads a source and writes a summary token by token.

    Ids are those of `tokenizers/pretrained.py`: nutgraf's special tokens come first, and the model's own token i has
    the id `SPECIAL` + i.

    Attributes:
        backbone: The model of transformers.
        steering: Steers its attention by the phrases of a source; None: nothing does. A module with a method `marking`
            that takes rows of spans; see `nutgraf.steering.learned`.
    """

    config: Config

    def __init__(self, config: Config, vocab_size: int) -> None:
        super().__init__()
        self.config, self.steering = config, None
        own = _configuration(config.settings)
        if not SPECIAL < vocab_size <= own.vocab_size + SPECIAL:
            raise PresetError(
                f"The tokenizer has {vocab_size - SPECIAL:,} tokens, but the model embeds {own.vocab_size:,}: they do "
                "not belong together."
            )
        with requires("pretrained", "Pretrained models need"):
            self.backbone: Any = _empty(own, config)
        if config.trains != "all":
            self.backbone.requires_grad_(False)
        if config.trains == "lora":
            _add_adapters(self.backbone, config.lora)
        table = [*_special_ids(own), *range(vocab_size - SPECIAL)]
        self.register_buffer("ids", torch.tensor(table), persistent=False)

    ids: Int[Tensor, " entries"]
    """The model's own id of each id."""

    steering: Any

    @property
    def embeddings(self) -> tuple[Embedding, ...]:
        """None: words begin with the model's own vectors."""
        return ()

    @property
    def encoder_parameters(self) -> tuple[nn.Parameter, ...]:
        """Parameters of the encoder, the embedding that it shares with the decoder among them; none without one."""
        return tuple(self.backbone.get_encoder().parameters()) if self.config.encodes else ()

    def forward(self, batch: Batch) -> Trace:
        """Return the log probabilities of the labels, and the mean over the vocabulary; 0 where the label is PAD."""
        logits = self._logits(batch) if self.config.encodes else self._logits_behind(batch)
        logits = at_least_single(logits)
        norm, wanted = logits.logsumexp(-1), self.ids[batch.labels]
        chosen: Float[Tensor, "batch steps"] = logits.gather(-1, wanted[..., None]).squeeze(-1)
        return Trace(
            target_log_probs=(chosen - norm).masked_fill(batch.labels_mask, 0.0),
            mean_log_probs=(logits.mean(-1) - norm).masked_fill(batch.labels_mask, 0.0),
        )

    def _logits(self, batch: Batch) -> Float[Tensor, "batch steps vocabulary"]:
        """Return the logits of an encoder and a decoder."""
        with self._marking(batch.phrases, [0] * len(batch.source)):
            found: Tensor = self.backbone(
                input_ids=self.ids[batch.source],
                attention_mask=(~batch.key_padding_mask).long(),
                decoder_input_ids=self.ids[batch.decoder_input],
            ).logits
        return found

    def _logits_behind(self, batch: Batch) -> Float[Tensor, "batch steps vocabulary"]:
        """Return the logits of a decoder alone, which reads a target behind its source.

        Sources end in one column, so that the same columns of all rows are predicted; others have no logits.
        """
        given = batch.decoder_input[:, 1:]
        shifts = batch.key_padding_mask.sum(-1)
        places = torch.arange(batch.source.shape[1], device=batch.source.device) - shifts[:, None]
        ids = torch.cat([batch.source.gather(1, places.clamp(min=0)), given], 1)
        reads = torch.cat([places >= 0, torch.ones_like(given, dtype=torch.bool)], 1)
        positions = (reads.cumsum(-1) - 1).clamp(min=0)
        told = {"position_ids": positions} if self._counts else {}
        with self._marking(batch.phrases, shifts.tolist()):
            found: Tensor = self.backbone(
                input_ids=self.ids[ids],
                attention_mask=reads.long(),
                logits_to_keep=given.shape[1] + 1,
                use_cache=False,
                **told,
            ).logits
        return found

    @cached_property
    def _counts(self) -> bool:
        """True if the model is told the positions of words, which others count by the mask."""
        return "position_ids" in inspect.signature(self.backbone.forward).parameters

    @torch.no_grad()
    def begin_with_folder(self) -> Path:
        """Take the weights of the model's folder, which is returned. Raises InputError if they do not fit."""
        folder = folder_of(self.config.folder)
        given = read_network(folder, checked_config(folder), torch.float32).network.state_dict()
        for name, weight in self.backbone.state_dict().items():
            own = given.get(name.replace(ADAPTED, ""))
            if own is not None:
                weight.copy_(own)
        if self.steering is not None:
            self.steering.prove()
        return folder

    def _marking(self, phrases: Phrases, shifts: Sequence[int]) -> AbstractContextManager[None]:
        """Steer towards the phrases of a batch, whose sources begin at these columns."""
        if self.steering is None or not len(phrases):
            return nullcontext()
        rows: list[list[tuple[int, int, float]]] = [[] for _ in shifts]
        parts = (phrases.example, phrases.start, phrases.end, phrases.score)
        for example, *span in zip(*(part.tolist() for part in parts), strict=True):
            rows[example].append((span[0] + shifts[example], span[1] + shifts[example], span[2]))
        marking: AbstractContextManager[None] = self.steering.marking(rows)
        return marking


def _configuration(settings: Mapping[str, Any]) -> Any:
    """Return a configuration of transformers. Raises PresetError."""
    try:
        with requires("pretrained", "Pretrained models need"):
            return configuration_of(settings)
    except MissingPackage:
        raise
    except Exception as error:  # whatever the library makes of values that do not fit
        reason = " ".join(str(error).split()).removesuffix(".")
        raise PresetError(f"model.configuration describes no model of transformers: {reason}.") from error


def _empty(own: Any, config: Config) -> Any:
    """Return a model whose weights were drawn at random."""
    from transformers import GenerationConfig

    with told(Path(config.folder or CONFIG)), quiet():
        made = _kind(config.settings).from_config(own, dtype=torch.float32, trust_remote_code=False)
        if config.generation:
            made.generation_config = GenerationConfig.from_dict(config.generation_settings())
    return made


def _kind(settings: Mapping[str, Any]) -> Any:
    """Return the automatic class of transformers for a model."""
    from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM

    return AutoModelForSeq2SeqLM if settings.get("is_encoder_decoder") else AutoModelForCausalLM


def _add_adapters(backbone: nn.Module, lora: Lora) -> None:
    with requires("pretrained", "Adapters need"):
        from peft import LoraConfig, inject_adapter_in_model
    modules = None if lora.target_modules is None else list(lora.target_modules)
    asked = LoraConfig(r=lora.rank, lora_alpha=lora.alpha, lora_dropout=lora.dropout, target_modules=modules)
    try:
        inject_adapter_in_model(asked, backbone)
    except ValueError as error:
        reason = str(error).splitlines()[0].removesuffix(".")
        raise PresetError(
            f"model.lora: {reason}. model.lora.target_modules names layers of this model, such as ['q_proj', 'v_proj']."
        ) from error


def _special_ids(own: Any) -> list[int]:
    """Return the model's ids for PAD, UNK, BOS, EOS and the separator of documents.

    BOS is what the decoder begins with. No text has UNK. The model has no separator, so the end of a text is one.
    """
    ends = own.eos_token_id
    end = ends[0] if isinstance(ends, list) else ends
    begin = own.decoder_start_token_id if own.is_encoder_decoder else end  # which a decoder alone is not given
    begin = own.bos_token_id if begin is None else begin
    pad = end if own.pad_token_id is None else own.pad_token_id
    if end is None or begin is None:
        raise PresetError(
            "The model's config.json does not say with which token a text ends (eos_token_id) or the decoder begins "
            "(decoder_start_token_id)."
        )
    return [pad, end, begin, end, end]


def _refuse_unfit(settings: Mapping[str, Any]) -> None:
    """Raise PresetError for a model that cannot be trained further here."""
    kind = settings.get("model_type")
    if kind in MULTILINGUAL:
        raise PresetError(
            f"A {kind!r} is told which languages it reads and writes, and training has no place for that; take a model "
            "of one language."
        )


def _object(text: str, name: str) -> dict[str, Any]:
    """Return a JSON object that a preset holds. Raises PresetError."""
    try:
        found = parse(text)
    except ValueError as error:
        raise PresetError(f"model.{name} is no JSON: {error}.") from error
    if not isinstance(found, dict):
        raise PresetError(f"model.{name} is no JSON object.")
    return found


def _text(path: Path) -> str:
    """Return a JSON file in one line; "" where there is none."""
    return json.dumps(parse(path.read_text(encoding="utf-8"))) if path.is_file() else ""
