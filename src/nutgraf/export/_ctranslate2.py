"""CTranslate2: an engine in C++, quick on processors, for many models with and without an encoder."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nutgraf.errors import InputError, requires
from nutgraf.export._format import Format, Original, Writer

FORGOTTEN = {
    "bart": {"normalize_before": False, "normalize_embedding": True},
    "mbart": {"normalize_before": True, "normalize_embedding": True},
    "pegasus": {"normalize_before": True, "normalize_embedding": False},
}
"""Settings that the converter reads from the configuration, and transformers 5 does not keep there, as each of these
models was published: where layers are normalized."""


def write(original: Original, folder: Path, quantization: str) -> None:
    """Write a model into a folder. Raises InputError if CTranslate2 cannot convert it."""
    with requires("export", "Exports need"):
        from ctranslate2.converters.transformers import _MODEL_LOADERS, TransformersConverter

    kind = type(original.network.config).__name__
    if kind not in _MODEL_LOADERS:
        known = ", ".join(sorted(name.removesuffix("Config") for name in _MODEL_LOADERS))
        raise InputError(f"CTranslate2 does not know models such as {kind.removesuffix('Config')}; it knows {known}.")

    class Converter(TransformersConverter):  # type: ignore[misc]
        """Takes the model that was read already, from safetensors and without any code that lies beside it."""

        def load_model(self, *_: Any, **__: Any) -> Any:
            for name, value in FORGOTTEN.get(original.config["model_type"], {}).items():
                setattr(original.network.config, name, original.config.get(name, value))
            return original.network

        def load_tokenizer(self, *_: Any, **__: Any) -> Any:
            return original.tokenizer

    try:
        Converter(str(original.folder)).convert(str(folder), quantization=quantization, force=True)
    except Exception as error:  # whatever the converter makes of a model that is not as it expects
        raise InputError(f"CTranslate2 cannot convert {original.folder}: {error} ({type(error).__name__}).") from error


def read(folder: Path, original: Original) -> Writer:
    """Return what writes with the folder."""
    import ctranslate2

    words, ends = original.tokenizer, sorted(original.ends)
    search: dict[str, Any] = {"beam_size": 1, "end_token": ends}
    machine: dict[str, Any] = {"device": "cpu", "compute_type": "default", "intra_threads": 1}
    ctranslate2.set_log_level(logging.ERROR)  # that this processor computes in another type is no news
    if original.encodes:
        translator = ctranslate2.Translator(str(folder), **machine)
        named = json.loads((folder / "config.json").read_text(encoding="utf-8")).get("decoder_start_token")
        first = [] if named else [words.convert_ids_to_tokens(original.start)]  # multilingual models are told each time

        def translate(ids: Sequence[int], longest: int) -> list[int]:
            source = [words.convert_ids_to_tokens(list(ids))]
            prefix = [first] if first else None
            [found] = translator.translate_batch(source, prefix, max_decoding_length=longest, **search)
            return list(words.convert_tokens_to_ids(found.hypotheses[0][len(first) :]))

        return translate
    generator = ctranslate2.Generator(str(folder), **machine)

    def generate(ids: Sequence[int], longest: int) -> list[int]:
        prompt = [words.convert_ids_to_tokens(list(ids))]
        [found] = generator.generate_batch(prompt, max_length=longest, include_prompt_in_result=False, **search)
        return list(found.sequences_ids[0])

    return generate


FORMAT = Format(
    packages=("ctranslate2",),
    quantizations=("float32", "float16", "bfloat16", "int8", "int8_float16", "int8_bfloat16"),
    write=write,
    read=read,
)
