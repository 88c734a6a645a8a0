"""Settings with which the files of a model want it to write: those that are followed, and what each may be."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nutgraf.errors import InputError
from nutgraf.runtime.metadata import read_json

CONFIG, GENERATION = "config.json", "generation_config.json"

LARGEST_BEAM = 64
"""Hypotheses kept at most; memory grows with each."""

MOST_BAD_TOKENS = 10_000
"""Tokens of all sequences that a model must not write: each is compared at every step."""

LEAST_TEMPERATURE, GREATEST_TEMPERATURE = 0.01, 100.0

WHOLE = {
    "num_beams": (1, LARGEST_BEAM),
    "max_length": (0, math.inf),
    "max_new_tokens": (1, math.inf),
    "min_length": (0, math.inf),
    "min_new_tokens": (0, math.inf),
    "no_repeat_ngram_size": (0, math.inf),
    "encoder_no_repeat_ngram_size": (0, math.inf),
    "top_k": (0, math.inf),
}
"""Whole numbers, with the least and the greatest."""

REAL = {
    "length_penalty": (-1e3, 1e3),
    "repetition_penalty": (1e-3, 1e3),
    "encoder_repetition_penalty": (1e-3, 1e3),
    "temperature": (0.0, GREATEST_TEMPERATURE),
    "top_p": (0.0, 1.0),
    "min_p": (0.0, 1.0),
    "typical_p": (0.0, 1.0),
    "epsilon_cutoff": (0.0, 1.0),
    "eta_cutoff": (0.0, 1.0),
}
"""Numbers, with the least and the greatest."""

TOKEN = ("bos_token_id", "pad_token_id", "decoder_start_token_id", "forced_bos_token_id")
TOKENS = ("eos_token_id", "forced_eos_token_id", "suppress_tokens", "begin_suppress_tokens")
FLAGS = ("renormalize_logits", "remove_invalid_values", "do_sample")

FOLLOWED = frozenset({*WHOLE, *REAL, *TOKEN, *TOKENS, *FLAGS, "early_stopping", "bad_words_ids"})

LEFT_OUT = frozenset(
    {
        *("sequence_bias", "exponential_decay_length_penalty", "max_time", "stop_strings", "guidance_scale"),
        *("num_beam_groups", "diversity_penalty", "penalty_alpha", "dola_layers", "constraints", "force_words_ids"),
        *("watermarking_config", "custom_generate"),
    }
)
"""Settings that would change what is written and are left out: they need code or a clock that is not ours."""


def check_file(path: Path) -> None:
    """Raise InputError if a generation_config.json is damaged; transformers would do without it and say nothing."""
    if path.is_file() and not isinstance(read_json(path, "settings of a search"), dict):
        raise InputError(f"{path} holds no object with settings of a search; fetch it anew, or remove it.")


def settings_of(network: Any, folder: Path) -> dict[str, Any]:
    """Return the settings that are followed of those that the files of a model give its network.

    Args:
        network: The network, of transformers.
        folder: Its folder, for messages.

    Raises:
        InputError: If one is not what it may be.
    """
    file = next((one for one in (GENERATION, CONFIG) if (folder / one).is_file()), CONFIG)
    vocabulary = network.get_input_embeddings().weight.shape[0]
    return followed(network.generation_config.to_dict(), vocabulary, str(folder / file))


def followed(settings: Mapping[str, Any], vocabulary: int, where: str) -> dict[str, Any]:
    """Return the settings that are followed.

    Args:
        settings: What a file says.
        vocabulary: Number of tokens of the model.
        where: The file, for messages.

    Raises:
        InputError: If one is not what it may be.
    """
    found = {name: value for name, value in settings.items() if name in FOLLOWED and value is not None}
    if found.get("pad_token_id") == -1:  # how some models say that there is none
        del found["pad_token_id"]
    for name, value in found.items():
        for would_do in _wrong(name, value, vocabulary):
            raise InputError(f"{where} says {name} = {repr(value)[:60]}; {would_do} would do, or to remove it.")
    return found


def _wrong(name: str, value: Any, vocabulary: int) -> Iterator[str]:
    """Yield what would do for a setting that is something else."""
    if name in WHOLE:
        least, most = WHOLE[name]
        if not _whole(value) or not least <= value <= most:
            yield f"a whole number from {least}" + (f" to {most}" if most < math.inf else "")
    elif name in REAL:
        low, high = REAL[name]
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            yield f"a number from {low:g} to {high:g}"
    elif name in FLAGS:
        if not isinstance(value, bool):
            yield "true or false"
    elif name == "early_stopping":
        if not isinstance(value, bool) and value != "never":
            yield 'true, false or "never"'
    elif name == "bad_words_ids":
        if not isinstance(value, list) or not all(one and _tokens(one, vocabulary) for one in value):
            yield "a list of lists of tokens of the model"
        elif sum(map(len, value)) > MOST_BAD_TOKENS:
            yield f"at most {MOST_BAD_TOKENS:,} tokens in all"
    elif name in TOKENS:
        if not _tokens(value if isinstance(value, list) else [value], vocabulary):
            yield f"a whole number below {vocabulary:,}, or a list of such numbers,"
    elif not _tokens([value], vocabulary):
        yield f"a whole number below {vocabulary:,}, the tokens of the model,"


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _tokens(value: Any, vocabulary: int) -> bool:
    return isinstance(value, list) and all(_whole(one) and 0 <= one < vocabulary for one in value)


def check_temperature(temperature: float) -> None:
    """Raise ValueError for a temperature at which probabilities cannot be computed."""
    if temperature and not LEAST_TEMPERATURE <= temperature <= GREATEST_TEMPERATURE:
        raise ValueError(
            f"temperature must be 0, or from {LEAST_TEMPERATURE} to {GREATEST_TEMPERATURE:g}, not {temperature}."
        )
