"""Models of the library transformers, from a folder or from the cache of huggingface_hub.

Only safetensors are read, and no code that lies beside a model is ever run.
"""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

from nutgraf.errors import InputError
from nutgraf.model.adapters import fingerprint_of_adapter, with_adapter
from nutgraf.model.library_errors import quiet, told
from nutgraf.model.pretrained_folder import MULTILINGUAL, UNLIMITED, checked_config, read_network, read_tokenizer
from nutgraf.model.pretrained_generation import (
    CONFIG,
    GENERATION,
    LARGEST_BEAM,
    LEFT_OUT,
    check_file,
    check_temperature,
    followed,
    settings_of,
)
from nutgraf.presets.family import PRESET_SEED
from nutgraf.presets.ranges import NonNegativeFloat, NonNegativeInt, PositiveInt, Range
from nutgraf.runtime.hardware import Compute
from nutgraf.systems._prompt import Prompt, around, without_thoughts
from nutgraf.systems._reading_model import CANNOT_READ, LoadedModel
from nutgraf.systems._trained import device_of
from nutgraf.systems._writing import Asked, Place

if TYPE_CHECKING:
    from nutgraf.steering import Span
    from nutgraf.steering.learned import LearnedSteering
    from nutgraf.steering.steered import Steering

SLACK = 1.3
"""Tokens that are allowed for a summary, for each that its words have on average."""

COUNTED = 4000
"""Characters of a document in which tokens are counted for each word."""

MARGIN = 16
"""Tokens that are kept free of the source, for what its pieces may take more together."""

USUAL = 256
"""Tokens of a text at most, where nobody said otherwise; a quarter of what the model reads if that is less."""

MOST_WANTED = 4096
"""Tokens of a text at most where only the files of a model say how many."""

LONGEST_PREFIX = 10_000
"""Characters that the configuration may put before each input."""

INSTEAD = "‹"
"""Character in place of the first one of what a document spells like a special token."""

_SPELLED_AS_MARK = re.compile(r"<\S+>|\[\S+\]")

OLD_DEFAULT = 20
"""Length in tokens that `generate` takes where nobody said one."""


@dataclass(frozen=True)
class Search:
    """Options of a search, whether a model was trained here or not."""

    beam_size: Annotated[int, Range(ge=1, le=LARGEST_BEAM)] | None = None
    """Hypotheses kept; none for as many as the model's own files say."""

    max_length: PositiveInt | None = None
    """Longest text that is written of a window, in tokens, where words are not limited; none for the model's own."""

    no_repeat_ngram_size: NonNegativeInt | None = None
    """No sequence of so many tokens comes twice; none for the model's own."""

    temperature: NonNegativeFloat = 0.0
    """Above 0, words are drawn at random, the more freely the higher it is."""

    def __post_init__(self) -> None:
        check_temperature(self.temperature)


@dataclass(frozen=True)
class Settings(Search):
    """Search for a text."""

    seed: int = field(default=0, metadata=PRESET_SEED)
    """Seed of what is drawn; that of the preset by default."""


class PretrainedModel(LoadedModel):
    """A model with its tokenizer.

    Attributes:
        encodes: True for an encoder and a decoder, False for a decoder alone, which reads a prompt.
        left_out: Names of settings in its files that would change what it writes, and are left out.
        unused: Names of tensors in its files that the network has no place for.
        capped: True if a text was ended at `MOST_WANTED` tokens, where its files allow more.
        shares: Share of attention on the places that were measured, for each text that was written.
        unseen: Highlights of which the tokenizer gives no token.
    """

    def __init__(self, folder: Path, config: Mapping[str, Any], tokenizer: Any, network: Any, compute: Compute) -> None:
        """Hold a model that was loaded."""
        import torch

        super().__init__(folder, config, tokenizer, network)
        self.encodes = bool(config.get("is_encoder_decoder"))
        self._first_token: int | None = None
        self._steering: Steering | LearnedSteering | None = None
        self._contrast: float | None = None
        self.shares: list[float] = []
        self.unseen: list[str] = []
        self.unused: Sequence[str] = ()
        self.capped = False
        self._unread = 0
        self._settle()
        self.network.to(device_of(compute.device))
        if compute.threads or compute.deterministic:
            torch.set_num_threads(compute.threads or 1)

    @classmethod
    def read(cls, folder: Path, compute: Compute, adapter: Path | None = None) -> Self:
        """Load a model.

        Args:
            folder: Its folder.
            compute: How it computes.
            adapter: Folder of an adapter, which is added to its weights.

        Raises:
            InputError: If the folder holds no model that writes texts, or one that cannot be read; or the adapter does
                not fit.
            MissingPackage: If a package is missing that this model needs.
        """
        import torch

        config = checked_config(folder)
        check_file(folder / GENERATION)
        loaded = read_network(folder, config, torch.float32 if compute.deterministic else "auto")
        network = loaded.network if adapter is None else with_adapter(loaded.network, adapter)
        made = cls(folder, config, read_tokenizer(folder), network, compute)
        made.unused = loaded.unused
        if adapter is not None:
            made.fingerprint = f"{made.fingerprint}+{fingerprint_of_adapter(adapter)}"
        return made

    @property
    def task(self) -> Mapping[str, Any]:
        """Settings for summarization in the configuration, as T5 has them."""
        tasks = self.config.get("task_specific_params")
        found = tasks.get("summarization") if isinstance(tasks, dict) else None
        return found if isinstance(found, dict) else {}

    def _settle(self) -> None:
        """Let the network follow what may be followed of its own settings. Raises InputError if one is out of range."""
        from transformers import GenerationConfig

        said = self.network.generation_config.to_dict()
        own = settings_of(self.network, self.folder)
        vocabulary = self.network.get_input_embeddings().weight.shape[0]
        where = f"task_specific_params.summarization in {self.folder / CONFIG}"
        self._own = {**own, **followed(self.task, vocabulary, where)}
        self.left_out = sorted(name for name in LEFT_OUT if said.get(name) not in (None, False, 1, 0))
        self.network.generation_config = GenerationConfig(**own)

    @property
    def prefix(self) -> str:
        """Text that the configuration puts before each input. Raises InputError if it is no text."""
        found = self.task.get("prefix") or ""
        if not isinstance(found, str):
            raise InputError(
                f"{self.folder / CONFIG} says task_specific_params.summarization.prefix = {str(found)[:60]}; a text "
                "would do."
            )
        if len(found) > LONGEST_PREFIX:
            raise InputError(
                f"{self.folder / CONFIG} has a task_specific_params.summarization.prefix of {len(found):,} characters, "
                f"where {LONGEST_PREFIX:,} would do: remove it, or set another (pretrained.prompt)."
            )
        return found

    @property
    def chats(self) -> bool:
        """True if the tokenizer has a template for conversations."""
        return bool(self.tokenizer.chat_template)

    @property
    def longest(self) -> int:
        """Number of tokens that the model can write beside those around them."""
        own = self.config.get("max_decoder_position_embeddings") if self.encodes else None
        return ((own if isinstance(own, int) and own > 2 else None) or self.context or UNLIMITED) - 2

    def tokens_for(self, asked: Asked) -> int | None:
        """Return the greatest number of tokens that is of use, with some slack; None where words are not limited."""
        if asked.words is None:
            return None
        sample = asked.document.text[:COUNTED]
        each = self.count(sample) / max(1, asked.document.length_of(sample))
        return math.ceil(SLACK * max(1.0, each) * asked.words) + MARGIN

    def harmless(self, text: str) -> str:
        """Return a text in which nothing is a special token: the first character of its spelling is another one.

        What a document says is read and not obeyed: "<|im_end|>" in it does not end what the user says. Places stay.
        """
        return text if self._marks is None else self._marks.sub(lambda found: INSTEAD + found[0][1:], text)

    def count(self, text: str) -> int:
        """Return the number of tokens of a text as it is read, without those around it."""
        return super().count(self.harmless(text))

    @cached_property
    def _marks(self) -> re.Pattern[str] | None:
        """Pattern of the spellings of special tokens; None if there are none."""
        added = {str(token) for token in self.tokenizer.get_added_vocab()}
        marks = {*self.tokenizer.all_special_tokens, *(one for one in added if _SPELLED_AS_MARK.fullmatch(one))}
        spelled = sorted((one for one in marks if len(one) > 1), key=len, reverse=True)
        return re.compile("|".join(map(re.escape, spelled))) if spelled else None

    def conversation(self, prompt: Prompt) -> Prompt:
        """Return a prompt in the template of the model's conversations, before its answer."""
        before, after = self._around
        said = prompt.said.lstrip()
        start = prompt.start - (len(prompt.said) - len(said))
        return Prompt(f"{before}{said.rstrip()}{after}", len(before) + start)

    @cached_property
    def _around(self) -> tuple[str, str]:
        return around(self.tokenizer, self.folder)

    def speak(self, language: str, token: str) -> None:
        """Make a multilingual model read and write a language.

        Raises:
            InputError: If the model does not know the language.
        """
        if self.config["model_type"] not in MULTILINGUAL:
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

    @property
    def _usual(self) -> int:
        """Number of tokens of a text at most where nobody but the files of the model said otherwise."""
        found = int(self._own.get("max_new_tokens") or self._own.get("max_length") or 0)
        return found if found > OLD_DEFAULT else min(USUAL, (self.context or UNLIMITED) // 4)

    def length_limits(self, tokens: int | None, settings: Settings) -> tuple[int, int]:
        """Return the least and the greatest number of tokens of a text.

        Args:
            tokens: The greatest number that is of use; None for the model's own.
            settings: How it writes.
        """
        own = self._own
        most = min(tokens or settings.max_length or min(self._usual, MOST_WANTED), self.longest)
        least = own.get("min_new_tokens") or own.get("min_length") or 0
        return min(least, most // 2) if self.encodes or own.get("min_new_tokens") else 0, most

    def notices(self) -> Iterator[str]:
        """Say what is odd in the files of the model, and what of them is not followed."""
        if self.left_out:
            yield f"The files of the model set {', '.join(self.left_out)}, which nutgraf leaves out."
        if self.unused:
            yield (
                f"The weights in {self.folder} have {len(self.unused)} tensors that the model of its {CONFIG} has no "
                f"place for, such as {self.unused[0]!r}: if the model writes badly, fetch {CONFIG} anew."
            )
        if self._unread:
            yield (
                f"The tokenizer in {self.folder} leaves out up to {self._unread:,} letters and figures of what the "
                "model reads."
            )
        if self.capped:
            yield (
                f"The files of the model let a text have {self._usual:,} tokens, of which it wrote {MOST_WANTED:,}; "
                "--words, or --set pretrained.max_length=N, sets another limit."
            )

    def begin(self) -> None:
        """Begin a summary: what was noted of the one before is forgotten."""
        self.shares, self.unseen, self.capped = [], [], False

    def notices_of_highlights(self) -> Iterator[str]:
        """Name the highlights that the model did not see, and say if it looked at none."""
        for text in dict.fromkeys(self.unseen):
            yield f"The tokenizer in {self.folder} gives no token of the highlight {text!r}, so it steers nothing."
        if self.shares and not any(self.shares):
            yield (
                "None of the model's attention fell on the highlights while it wrote, so they changed nothing: it may "
                "look only at words nearby."
            )

    def steer(self, form: str, options: Mapping[str, Any]) -> None:
        """Let highlights raise the attention of the model.

        Raises:
            InputError: If the attention of this model cannot be reached.
            PresetError: If the form lacks an option, or the model a layer or head.
        """
        from nutgraf.steering import forms
        from nutgraf.steering.steered import Steering

        with quiet():
            self.steer_by(Steering(self.network, forms.make(form, **options)))

    def sharing(self) -> Self:
        """Return a model that shares network and tokenizer, and that nothing steers yet."""
        made = copy.copy(self)
        made._steering, made._contrast, made._unread = None, None, 0
        made.begin()
        return made

    @property
    def layers_and_heads(self) -> tuple[int, int] | None:
        """Least number of layers and heads in the places whose attention is steered; None if none is."""
        sites = [] if self._steering is None else self._steering.reached.values()
        layers = [
            max(site.layer for site in sites if site.place == place) + 1 for place in {one.place for one in sites}
        ]
        return (min(layers), min(site.heads for site in sites)) if layers else None

    def steer_by(self, steering: Steering | LearnedSteering) -> None:
        """Let highlights raise the attention of the model in a way that is attached to it already."""
        self._steering = steering

    def contrast(self, weight: float) -> None:
        """Let highlights steer by contrast at the logits.

        Raises:
            InputError: If the output of this model does not depend on its input.
        """
        from nutgraf.steering.reach import prove_contrast

        with quiet():
            prove_contrast(self.network)
        self._contrast = weight

    def write(
        self,
        text: str,
        tokens: int | None,
        settings: Settings,
        several: bool,
        places: Sequence[Place] = (),
        measured: Sequence[Place] = (),
    ) -> list[tuple[str, bool]]:
        """Return texts, best first, each with True if the model ended it by itself.

        Args:
            text: What the encoder reads, or the prompt.
            tokens: The greatest number of tokens that is of use; None for the model's own.
            settings: How it writes.
            several: Return all that the search found.
            places: Characters of the text that get more attention, with their weights; see `steer`.
            measured: Characters of the text on which attention is measured; see `shares`.
        """
        import torch

        special = self.encodes or not self.chats
        with told(self.folder, CANNOT_READ), quiet():
            read = self.tokenizer(text, return_tensors="pt", add_special_tokens=special)
        self._check_covered(text, read)
        spans, gauged = self._spans(text, read, places), self._spans(text, read, measured)
        read = read.to(self.network.device)
        self._check_pieces(read)
        known = self.inputs_of(read)
        config = self._generation(tokens, settings, several, int(known["input_ids"].shape[1]))
        steered = self._steered(spans, gauged, known)
        writing = told(self.folder, "writes no text")
        devices = [self.network.device] if self.network.device.type == "cuda" else []
        with writing, quiet(), torch.inference_mode(), torch.random.fork_rng(devices), steered as processors:
            torch.manual_seed(settings.seed)
            found = self.network.generate(**known, generation_config=config, logits_processor=processors)
        written = found if self.encodes else found[:, known["input_ids"].shape[1] :]
        texts = [self._text(row.tolist(), config) for row in written]
        if not any(text.strip() for text, _ in texts):
            self._check_finite(known)
        own = tokens is None and settings.max_length is None
        if own and config.max_new_tokens == MOST_WANTED < self._usual and not all(complete for _, complete in texts):
            self.capped = True
        return texts

    def _spans(self, text: str, read: Any, places: Sequence[Place]) -> list[Span]:
        """Return the pieces of a text that was read in which highlights stand, and note those that have none."""
        from nutgraf.steering import Span

        if places and not read.is_fast:
            raise InputError(f"The tokenizer in {self.folder} does not say where tokens stand, which highlights need.")
        found = []
        for start, end, weight in places:
            # White space before a word belongs to its piece.
            within = [read.token_to_chars(piece) for piece in range(len(read["input_ids"][0]))]
            pieces = [piece for piece, at in enumerate(within) if at is not None and at[0] < end and start < at[1]]
            if pieces:
                found.append(Span(pieces[0], pieces[-1] + 1, weight))
            else:
                self.unseen.append(text[start:end])
        return found

    def _check_pieces(self, read: Any) -> None:
        """Raise InputError if a text has pieces that the network has no place for."""
        if "attention_mask" not in read:
            raise InputError(
                f"The tokenizer in {self.folder} gives no attention_mask; model_input_names of its "
                "tokenizer_config.json are input_ids and attention_mask."
            )
        if not read["input_ids"].numel():
            raise InputError(f"The tokenizer in {self.folder} gives no token of the text; fetch tokenizer.json anew.")
        most, highest = self.network.get_input_embeddings().weight.shape[0], int(read["input_ids"].max())
        if highest >= most:
            raise InputError(
                f"The tokenizer in {self.folder} gives the token {highest:,}, and the model has {most:,} tokens from "
                "0: tokenizer.json is of another model."
            )

    def _check_covered(self, text: str, read: Any) -> None:
        """Raise InputError if most of a text gives no token, and note how much of it does not."""
        if not getattr(read, "encodings", None):
            return
        asked, end = sum(letter.isalnum() for letter in text), 0
        covered = 0
        for start, last in read.encodings[0].offsets:
            covered += sum(letter.isalnum() for letter in text[max(start, end) : last])
            end = max(end, last)
        if 2 * covered < asked:
            raise InputError(
                f"The tokenizer in {self.folder} reads {covered:,} of {asked:,} letters and figures of the text, and "
                "the model would not see the others: fetch tokenizer.json anew."
            )
        self._unread = max(self._unread, asked - covered)

    def _check_finite(self, known: Mapping[str, Any]) -> None:
        """Raise InputError if what the network computes is no number."""
        import torch

        begun = {"decoder_input_ids": known["input_ids"][:, :1]} if self.encodes else {}
        with told(self.folder, "computes nothing"), quiet(), torch.inference_mode():
            logits = self.network(**known, **begun).logits
        if not torch.isfinite(logits).any():
            raise InputError(
                f"The weights in {self.folder} make the model compute infinite numbers; fetch its files of weights "
                "(.safetensors) anew."
            )

    def inputs_of(self, read: Any) -> dict[str, Any]:
        """Return what the network takes of texts in tokens."""
        known = {name: read[name] for name in ("input_ids", "attention_mask")}
        if self.config["model_type"] == "led":  # its first piece sees and is seen by all others, as it was trained
            ids = known["input_ids"]
            known["global_attention_mask"] = ids.new_zeros(ids.shape).index_fill_(1, ids.new_zeros(1), 1)
        return known

    @contextmanager
    def _steered(
        self, spans: Sequence[Span], measured: Sequence[Span], known: Mapping[str, Any]
    ) -> Iterator[list[Any] | None]:
        """Steer towards the pieces of highlights, as long as a text is written; yields what changes the logits."""
        if self._contrast is not None and spans:
            from nutgraf.steering.contrast import Contrast

            yield [Contrast(self.network, [spans], known, self._contrast)]
        elif self._steering is not None and (spans or measured):
            gauge = self._steering.gauge([measured])
            with self._steering.marking([spans], gauge) if spans else gauge.measuring():
                yield None
            if measured and gauge.mean is not None:
                self.shares.append(gauge.mean)
        else:
            yield None

    def _generation(self, tokens: int | None, settings: Settings, several: bool, read: int) -> Any:
        """Return how the model writes: as its files say, but for what is set."""
        from transformers import GenerationConfig

        config = GenerationConfig(**self._own)
        least, most = self.length_limits(tokens, settings)
        if not self.encodes and self.context is not None:  # the text stands behind the prompt
            most = max(1, min(most, self.context - read))
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
        with quiet():
            text = self.tokenizer.decode(ids, skip_special_tokens=True).replace("<n>", "\n")
        return without_thoughts(text), length + (not self.encodes) < config.max_new_tokens


def _ids(number: int | list[int] | None) -> list[int]:
    return [number] if isinstance(number, int) else number or [0]
