"""Models of the library transformers, from a folder or from the cache of huggingface_hub.

Only safetensors are read, and no code that lies beside a model is ever run.
"""

from __future__ import annotations

import copy
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nutgraf.errors import InputError, MissingPackage
from nutgraf.hardware import Compute
from nutgraf.metadata import read_json
from nutgraf.systems._prompt import without_thoughts
from nutgraf.systems._trained import device_of
from nutgraf.systems._writing import Place

if TYPE_CHECKING:
    from nutgraf.steering.steered import Steering

CONFIG = "config.json"
TOKENIZERS = ("tokenizer.json", "*.model", "vocab.json", "vocab.txt")
PICKLED = ("pytorch_model*.bin", "*.pt", "*.pth", "*.ckpt")
SAMPLES, SAMPLE = 64, 4096
"""Number and size, in bytes, of the places of the weights that a fingerprint looks at."""

CONTEXTS = (
    "max_position_embeddings",
    "n_positions",
    "max_encoder_position_embeddings",
    "max_source_positions",
    "seq_length",
    "n_ctx",
)
"""Names in configurations of how many tokens a model reads."""

MULTILINGUAL = ("mbart", "m2m_100", "nllb-moe")
"""Models that are told in which language they read and write."""

UNLIMITED = 10**6
"""A number of tokens from which on a limit is none, as tokenizers write it."""

USUAL = 256
"""Tokens of a text at most, where nobody said otherwise; a quarter of what the model reads if that is less."""

OLD_DEFAULT = 20
"""Length in tokens that `generate` takes where nobody said one."""


def folder_of(name: str) -> Path:
    """Return the folder of a model: a folder of that name, or else the one in the cache of huggingface_hub.

    Args:
        name: A folder, or the name of a model on huggingface.co.

    Raises:
        InputError: If there is no such folder, and no model of that name in the cache.
    """
    if Path(name).is_dir():
        return Path(name)
    from huggingface_hub import snapshot_download
    from huggingface_hub.constants import HF_HUB_CACHE
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except HFValidationError as error:
        raise InputError(f"There is no folder {name!r} with a model.") from error
    except LocalEntryNotFoundError as error:
        raise InputError(
            f"{name!r} is neither a folder nor a model in the cache ({HF_HUB_CACHE}), and nutgraf downloads nothing: "
            f"run hf download {name}; or, on a machine with a network, hf download {name} --local-dir FOLDER, bring "
            "FOLDER here, and name hf:FOLDER."
        ) from error


@dataclass(frozen=True)
class Settings:
    """Settings of the search for a text; None leaves one as the model's own files have it."""

    beam_size: int | None
    max_length: int | None
    no_repeat_ngram_size: int | None
    temperature: float
    seed: int


class PretrainedModel:
    """A model with its tokenizer.

    Attributes:
        encodes: True for an encoder and a decoder, False for a decoder alone, which reads a prompt.
    """

    def __init__(self, folder: Path, compute: Compute) -> None:
        """Load a model.

        Args:
            folder: The folder.
            compute: How it computes.

        Raises:
            InputError: If the folder holds no model that writes texts, or one that cannot be read.
            MissingPackage: If a package is missing that this model needs.
        """
        import torch
        import transformers

        self.folder = folder
        self._config = _checked_config(folder)
        self.encodes = bool(self._config.get("is_encoder_decoder"))
        kind: Any = transformers.AutoModelForSeq2SeqLM if self.encodes else transformers.AutoModelForCausalLM
        given: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
        with _told(folder), _quiet():
            self.tokenizer: Any = transformers.AutoTokenizer.from_pretrained(folder, **given)
            self.network, found = kind.from_pretrained(
                folder,
                **given,
                use_safetensors=True,
                dtype=torch.float32 if compute.deterministic else "auto",
                output_loading_info=True,
            )
        lost = sorted({*found["missing_keys"], *(one[0] for one in found["mismatched_keys"])})
        if lost:
            raise InputError(f"{folder} lacks {len(lost)} of the weights of its model, such as {lost[0]!r}.")
        self._first_token: int | None = None
        self._steering: Steering | None = None
        self.network.eval().to(device_of(compute.device))
        if compute.threads or compute.deterministic:
            torch.set_num_threads(compute.threads or 1)

    @cached_property
    def fingerprint(self) -> str:
        """Hash of the names, shapes and sizes of all weights, and of samples of their values."""
        found = hashlib.sha256((self.folder / CONFIG).read_bytes())
        for path in sorted(self.folder.glob("*.safetensors")):
            size = path.stat().st_size
            with path.open("rb") as file:
                head = int.from_bytes(file.read(8), "little")
                found.update(file.read(head))
                for place in range(SAMPLES):
                    file.seek(8 + head + (size - 8 - head) * place // SAMPLES)
                    found.update(file.read(SAMPLE))
        return found.hexdigest()[:8]

    @property
    def task(self) -> Mapping[str, Any]:
        """Settings for summarization in the configuration, as T5 has them."""
        tasks = self._config.get("task_specific_params")
        found = tasks.get("summarization") if isinstance(tasks, dict) else None
        return found if isinstance(found, dict) else {}

    @property
    def chats(self) -> bool:
        """True if the tokenizer has a template for conversations."""
        return bool(self.tokenizer.chat_template)

    @property
    def context(self) -> int | None:
        """Number of tokens that the model reads, with what it writes if it is a decoder alone; None for any number."""
        nested = [self._config.get(name) for name in ("encoder", "text_config")]
        tables = [self._config, *(one for one in nested if isinstance(one, dict))]
        limits = [table[name] for table in tables for name in CONTEXTS if isinstance(table.get(name), int)]
        limits = [one for one in [*limits, int(min(self.tokenizer.model_max_length, UNLIMITED))] if 0 < one < UNLIMITED]
        return min(limits, default=None)

    @property
    def _longest(self) -> int:
        """Number of tokens that the model can write beside those around them."""
        own = self._config.get("max_decoder_position_embeddings") if self.encodes else None
        return (own or self.context or UNLIMITED) - 2

    def count(self, text: str) -> int:
        """Return the number of tokens of a text, without those around it."""
        with _quiet():
            return len(self.tokenizer(text, add_special_tokens=False)["input_ids"])

    def conversation(self, prompt: str) -> str:
        """Return a prompt in the template of the model's conversations, before its answer.

        Args:
            prompt: What the user says.
        """
        said = [{"role": "user", "content": prompt}]
        return str(
            self.tokenizer.apply_chat_template(said, tokenize=False, add_generation_prompt=True, enable_thinking=False)
        )

    def speak(self, language: str, token: str) -> None:
        """Make a multilingual model read and write a language.

        Args:
            language: ISO 639-1 code of the source.
            token: The model's own name of the language; "" looks for it.

        Raises:
            InputError: If the model does not know the language.
        """
        if self._config["model_type"] not in MULTILINGUAL:
            return
        known = self.tokenizer.get_vocab()
        named = [token, f"__{token}__"] if token else [f"__{language}__", *sorted(known)]
        pattern = re.compile(rf"__{language}__|{language}_[A-Z]{{2}}") if not token else re.compile(".*")
        found = next((one for one in named if one in known and pattern.fullmatch(one)), None)
        if found is None:
            raise InputError(
                f"The model in {self.folder} has no token for the language {token or language!r}: name its own, as in "
                "--set pretrained.language_token=eng_Latn."
            )
        self.tokenizer.src_lang = found.strip("_")
        if token or self.network.generation_config.forced_bos_token_id is None:
            self._first_token = known[found]

    def length_limits(self, tokens: int | None, settings: Settings) -> tuple[int, int]:
        """Return the least and the greatest number of tokens of a text.

        Args:
            tokens: The greatest number that is of use; None for the model's own.
            settings: How it writes.
        """
        own = {**self.network.generation_config.to_dict(), **self.task}
        usual = own.get("max_new_tokens") or own.get("max_length") or 0
        if usual <= OLD_DEFAULT:
            usual = min(USUAL, (self.context or UNLIMITED) // 4)
        most = min(tokens or settings.max_length or usual, self._longest)
        least = own.get("min_new_tokens") or own.get("min_length") or 0
        return min(least, most // 2) if self.encodes or own.get("min_new_tokens") else 0, most

    def steer(self, form: str, options: Mapping[str, Any]) -> None:
        """Let highlights raise the attention of the model.

        Args:
            form: A form of `nutgraf.steering`.
            options: Its options.

        Raises:
            InputError: If the attention of this model cannot be reached.
            PresetError: If the form lacks an option, or the model a layer or head.
        """
        from nutgraf.steering import forms
        from nutgraf.steering.steered import Steering

        self._steering = Steering(self.network, forms.make(form, **options))

    def write(
        self, text: str, tokens: int | None, settings: Settings, several: bool, places: Sequence[Place] = ()
    ) -> list[tuple[str, bool]]:
        """Return texts, best first, each with True if the model ended it by itself.

        Args:
            text: What the encoder reads, or the prompt.
            tokens: The greatest number of tokens that is of use; None for the model's own.
            settings: How it writes.
            several: Return all that the search found.
            places: Characters of the text that get more attention, with their weights; see `steer`.
        """
        import torch

        special = self.encodes or not self.chats
        with _quiet():
            read = self.tokenizer(text, return_tensors="pt", add_special_tokens=special)
        marking = self._marking(read, places)
        read = read.to(self.network.device)
        known = {name: read[name] for name in ("input_ids", "attention_mask")}
        if self._config["model_type"] == "led":  # its first piece sees and is seen by all others, as it was trained
            known["global_attention_mask"] = torch.zeros_like(known["input_ids"]).index_fill_(1, torch.tensor(0), 1)
        config = self._generation(tokens, settings, several)
        with _quiet(), torch.inference_mode(), torch.random.fork_rng(self._devices()), marking:
            torch.manual_seed(settings.seed)
            found = self.network.generate(**known, generation_config=config)
        written = found if self.encodes else found[:, known["input_ids"].shape[1] :]
        return [self._text(row.tolist(), config) for row in written]

    def _marking(self, read: Any, places: Sequence[Place]) -> AbstractContextManager[None]:
        """Steer towards the pieces of highlights, as long as a text is written."""
        if self._steering is None or not places:
            return nullcontext()
        from nutgraf.steering import Span

        pieces = [
            [place for place in range(len(read["input_ids"][0])) if _touches(read.token_to_chars(place), start, end)]
            for start, end, _ in places
        ]
        spans = [Span(one[0], one[-1] + 1, weight) for one, (*_, weight) in zip(pieces, places, strict=True) if one]
        return self._steering.marking([spans]) if spans else nullcontext()

    def _devices(self) -> list[Any]:
        return [self.network.device] if self.network.device.type == "cuda" else []

    def _generation(self, tokens: int | None, settings: Settings, several: bool) -> Any:
        """Return how the model writes: as its files say, but for what is set."""
        config = copy.deepcopy(self.network.generation_config)
        known = {key: value for key, value in self.task.items() if key in config.to_dict()}
        least, most = self.length_limits(tokens, settings)
        config.update(**known)
        set_ = {"num_beams": settings.beam_size, "no_repeat_ngram_size": settings.no_repeat_ngram_size}
        config.update(**{key: value for key, value in set_.items() if value is not None})
        config.update(
            max_length=None, min_length=None, max_new_tokens=most, min_new_tokens=least, return_dict_in_generate=False
        )
        config.update(
            do_sample=settings.temperature > 0,
            **({"temperature": settings.temperature} if settings.temperature else {}),
        )
        config.update(num_return_sequences=config.num_beams if several and (config.num_beams or 1) > 1 else 1)
        if self._first_token is not None:
            config.update(forced_bos_token_id=self._first_token)
        if config.pad_token_id is None:
            config.update(pad_token_id=self.tokenizer.pad_token_id or _ids(config.eos_token_id)[0])
        return config

    def _text(self, ids: list[int], config: Any) -> tuple[str, bool]:
        """Return a text, and True if its end was not forced by its length."""
        ends = set(_ids(config.eos_token_id))
        length = next((place for place, one in enumerate(ids) if place >= self.encodes and one in ends), len(ids))
        text = self.tokenizer.decode(ids, skip_special_tokens=True).replace("<n>", "\n")
        return without_thoughts(text), length + (not self.encodes) < config.max_new_tokens


def _touches(piece: tuple[int, int] | None, start: int, end: int) -> bool:
    """Return True if a piece has characters between two places; white space before a word belongs to its piece."""
    return piece is not None and piece[0] < end and start < piece[1]


def _ids(number: int | list[int] | None) -> list[int]:
    return [number] if isinstance(number, int) else number or [0]


def _checked_config(folder: Path) -> dict[str, Any]:
    """Return the configuration of a model that writes texts. Raises InputError."""
    from transformers import CONFIG_MAPPING
    from transformers import __version__ as version
    from transformers.models.auto import modeling_auto

    if not (folder / CONFIG).is_file():
        raise InputError(f"{folder} holds no model: there is no {CONFIG} in it. A model of transformers has one.")
    config = read_json(folder / CONFIG, "a configuration of a model")
    if not isinstance(config, dict) or not isinstance(config.get("model_type"), str):
        raise InputError(f"{folder / CONFIG} does not say which model it is of: 'model_type' is missing.")
    kind = config["model_type"]
    if kind not in CONFIG_MAPPING:
        own = "auto_map" in config
        raise InputError(
            f"{folder} holds a {kind!r}, which "
            + (
                "brings code of its own; nutgraf runs no code that comes with a model."
                if own
                else f"transformers {version} does not know."
            )
        )
    encodes = bool(config.get("is_encoder_decoder"))
    names = (
        modeling_auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES
        if encodes
        else modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES
    )
    writers = {one for name in names.values() for one in ([name] if isinstance(name, str) else name)}
    built = config.get("architectures") or [None]
    if kind not in names or (built[0] is not None and built[0] not in writers):
        raise InputError(
            f"{folder} holds {built[0] or kind}, which writes no text; names of models that do end in "
            "ForConditionalGeneration or ForCausalLM."
        )
    if not any(folder.glob("*.safetensors")):
        pickled = sorted(path.name for pattern in PICKLED for path in folder.glob(pattern))
        if pickled:
            raise InputError(
                f"{folder} has its weights in {pickled[0]}, a pickled file, which can hold code. "
                f"nutgraf convert {folder} FOLDER --safetensors reads the weights alone; then name hf:FOLDER."
            )
        raise InputError(f"{folder} has no weights: no file in it ends in .safetensors.")
    if not any(path for pattern in TOKENIZERS for path in folder.glob(pattern)):
        raise InputError(f"{folder} has no tokenizer: put the model's tokenizer.json beside its weights.")
    return config


@contextmanager
def _told(folder: Path) -> Iterator[None]:
    """Tell in a sentence why a model cannot be loaded."""
    try:
        yield
    except ImportError as error:
        raise MissingPackage(f"The model in {folder} needs another package: {_first_line(error)}") from error
    except Exception as error:  # whatever the library makes of files that do not fit together
        if "trust_remote_code" in str(error):
            raise InputError(
                f"{folder} brings code of its own; nutgraf runs no code that comes with a model."
            ) from error
        raise InputError(f"{folder} cannot be loaded: {_first_line(error)} ({type(error).__name__}).") from error


def _first_line(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), "no reason was given").removesuffix(".")


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep transformers from writing to stderr, where notices stand."""
    from transformers.utils import logging as their_logging

    logging: Any = their_logging
    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()
