"""Folders of models of the library transformers: what may be read of them, and the reasons why not.

Only safetensors are read, and no code that lies beside a model is ever run.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from nutgraf.errors import InputError
from nutgraf.model.library_errors import quiet, told
from nutgraf.model.pretrained_files import (
    ADAPTER,
    COMPUTED,
    LARGEST_BUFFERS,
    SPARE,
    building,
    check_texts,
    held,
    indexed,
    weight_files,
)
from nutgraf.model.pretrained_generation import CONFIG
from nutgraf.runtime.metadata import read_object

TOKENIZERS = ("tokenizer.json", "*.model", "vocab.json", "vocab.txt")
PICKLED = ("pytorch_model*.bin", "*.pt", "*.pth", "*.ckpt")

CONTEXTS = (
    "max_position_embeddings",
    "n_positions",
    "max_encoder_position_embeddings",
    "max_source_positions",
    "seq_length",
    "n_ctx",
)
"""Names in configurations of how many tokens a model reads."""


@dataclass(frozen=True)
class _Configuration:
    model_type: str
    architectures: tuple[str, ...] | None = None


LARGEST_NUMBER = 1 << 24
"""Greatest whole number in a configuration: positions are the most that models have of anything."""

ROTARY = ("theta", "base")
"""Parts of names of numbers that may be larger: frequencies of rotary positions begin with them."""

MULTILINGUAL = ("mbart", "m2m_100", "nllb-moe")
"""Models that are told in which language they read and write."""

SAMPLES, SAMPLE = 64, 4096
"""Number and size, in bytes, of the places of the weights that a fingerprint looks at."""

UNLIMITED = 10**6
"""A number of tokens from which on a limit is none, as tokenizers write it."""

NOT_READ = re.compile(r"attn\.(masked_)?bias$|inv_freq$|position_ids$")
"""Names of tensors that older versions of transformers wrote and that are computed now."""


class Loaded(NamedTuple):
    """A network that was read from a folder."""

    network: Any
    """The network with its weights."""

    unused: Sequence[str]
    """Names of tensors in the folder that the network has no place for."""


def read_config(folder: Path) -> dict[str, Any]:
    """Return the configuration of a model of any kind that transformers knows.

    Raises:
        InputError: If the folder holds none, or one that brings code of its own.
    """
    from transformers import CONFIG_MAPPING
    from transformers import __version__ as version

    check_texts(folder)
    if not (folder / CONFIG).is_file():
        raise InputError(f"{folder} holds no model: there is no {CONFIG} in it. A model of transformers has one.")
    if (folder / ADAPTER).exists():
        raise InputError(
            f"{folder} has an adapter beside its model, which transformers would add unasked: move {ADAPTER} and its "
            "weights into a folder of their own; --set pretrained.adapter=FOLDER names it."
        )
    config = read_object(folder / CONFIG, _Configuration, "a configuration of a model")
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
    for name, number in _whole_numbers(config):
        if number > LARGEST_NUMBER and not any(part in name for part in ROTARY):
            raise InputError(
                f"{folder / CONFIG} says {name[:60]} = {str(number)[:30]}, where {LARGEST_NUMBER:,} is much; fetch it "
                "anew."
            )
    return config


def _whole_numbers(value: Any, name: str = "") -> Iterator[tuple[str, int]]:
    """Yield all whole numbers in a configuration, with the names of their keys."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _whole_numbers(one, key)
    elif isinstance(value, list):
        for one in value:
            yield from _whole_numbers(one, name)
    elif isinstance(value, int):
        yield name, value


def checked_config(folder: Path) -> dict[str, Any]:
    """Return the configuration of a model that writes texts.

    Raises:
        InputError: If the folder holds none, or has its weights in a pickled file, or code of its own.
    """
    from transformers.models.auto import modeling_auto

    config = read_config(folder)
    kind = config["model_type"]
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
    check_files(folder)
    return config


def check_files(folder: Path) -> None:
    """Raise InputError if a folder has no weights that can be read safely, or no tokenizer."""
    if not weight_files(folder):
        pickled = sorted(path.name for pattern in PICKLED for path in folder.glob(pattern))
        if pickled:
            raise InputError(
                f"{folder} has its weights in {pickled[0]}, a pickled file, which can hold code. "
                f"nutgraf convert {folder} FOLDER --safetensors reads the weights alone; then name that FOLDER instead."
            )
        raise InputError(f"{folder} has no weights: no file in it ends in .safetensors.")
    if not any(path for pattern in TOKENIZERS for path in folder.glob(pattern)):
        raise InputError(f"{folder} has no tokenizer: put the model's tokenizer.json beside its weights.")
    indexed(folder)


def context_of(config: Mapping[str, Any]) -> int | None:
    """Return the number of tokens that a model reads, as its configuration says it; None for any number."""
    nested = [config.get(name) for name in ("encoder", "text_config")]
    tables = [config, *(one for one in nested if isinstance(one, dict))]
    limits = [table[name] for table in tables for name in CONTEXTS if isinstance(table.get(name), int)]
    return min((one for one in limits if 0 < one < UNLIMITED), default=None)


def configuration_of(config: Mapping[str, Any]) -> Any:
    """Return a configuration as transformers keeps it.

    Kernels that it names are left out: they are this machine's matter, and transformers would download and run some.

    Args:
        config: The content of a config.json.
    """
    from transformers import CONFIG_MAPPING

    return CONFIG_MAPPING[config["model_type"]].from_dict(_without_kernels(config))


def _without_kernels(config: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: _without_kernels(value) if isinstance(value, dict) else value
        for name, value in config.items()
        if "_implementation" not in name
    }


def read_network(folder: Path, config: Mapping[str, Any], dtype: Any) -> Loaded:
    """Return the network of a folder with its weights.

    Args:
        folder: The folder.
        config: Its configuration, from `checked_config`.
        dtype: Type of the weights, as transformers takes it.

    Raises:
        InputError: If a weight is missing or the network cannot be loaded.
        MissingPackage: If a package is missing that this model needs.
    """
    import transformers

    encodes = bool(config.get("is_encoder_decoder"))
    kind = transformers.AutoModelForSeq2SeqLM if encodes else transformers.AutoModelForCausalLM
    return load_network(folder, config, kind, dtype)


def load_network(folder: Path, config: Mapping[str, Any], kind: Any, dtype: Any, spare: Sequence[str] = ()) -> Loaded:
    """Return a network of one of the automatic classes of transformers with its weights.

    Args:
        folder: A folder that was checked.
        config: Its configuration, from `read_config`.
        kind: The class, as `transformers.AutoModel`.
        dtype: Type of the weights, as transformers takes it.
        spare: Parts of names of weights that nobody needs, and that may be missing.

    Raises:
        InputError: If a weight is missing or no finite number, or the network cannot be loaded.
        MissingPackage: If a package is missing that this model needs.
    """
    check_network(folder, config, kind, SPARE if spare else COMPUTED)
    with told(folder), quiet():
        network, found = kind.from_pretrained(
            folder,
            config=configuration_of(config),
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=True,
            dtype=dtype,
            output_loading_info=True,
        )
    lost = sorted({*found["missing_keys"], *(one[0] for one in found["mismatched_keys"])})
    lost = [name for name in lost if not any(part in name for part in spare)]
    if lost:
        raise InputError(f"{folder} lacks {len(lost)} of the weights of its model, such as {lost[0]!r}.")
    tensors = [*network.named_parameters(), *network.named_buffers()]  # of which masks may have infinite numbers
    damaged = (name for name, one in tensors if bool((~one.isfinite() if one.requires_grad else one.isnan()).any()))
    if (name := next(damaged, None)) is not None:
        raise InputError(f"{folder} has weights that are not finite numbers, such as in {name!r}; fetch it anew.")
    return Loaded(network, sorted(name for name in found["unexpected_keys"] if not NOT_READ.search(name)))


def check_network(folder: Path, config: Mapping[str, Any], kind: Any, spare: int = COMPUTED) -> None:
    """Raise InputError if the weights of a folder cannot be those of the network that its configuration describes."""
    tensors, numbers = held(folder, "quantization_config" in config)
    refusal = InputError(
        f"{folder} lacks weights: the model that its {CONFIG} describes is larger than the {numbers:,} numbers in its "
        "files; fetch it anew."
    )
    with told(folder, files=CONFIG), quiet(), building(tensors, numbers + spare, refusal):
        network = _on_meta(kind, config)
    needed = sum(one.numel() for one in network.parameters())
    if needed > numbers + spare or sum(one.nbytes for one in network.buffers()) > LARGEST_BUFFERS:
        raise refusal


def _on_meta(kind: Any, config: Mapping[str, Any]) -> Any:
    """Return a network with shapes alone, without memory for its weights."""
    import torch
    from transformers.initialization import meta_device_safe_creation_ops, no_init_weights

    plain = {name: value for name, value in config.items() if name != "quantization_config"}
    with no_init_weights(), torch.device("meta"), meta_device_safe_creation_ops():
        network = kind.from_config(configuration_of(plain), trust_remote_code=False)
        network.tie_weights()  # which its constructor leaves out where nothing is initialized
        return network


def read_tokenizer(folder: Path) -> Any:
    """Return the tokenizer of a folder. Raises InputError if it cannot be loaded."""
    import transformers

    with told(folder, files="tokenizer.json and tokenizer_config.json"), quiet():
        found = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
        if not isinstance(found, transformers.PreTrainedTokenizerBase):
            raise InputError(
                f"The tokenizer in {folder} is a {type(found).__name__}, which stands for several; name the folder of "
                "one model."
            )
        longest = found.model_max_length
        if not isinstance(longest, int | float) or not longest >= 1:
            raise InputError(f"The tokenizer in {folder} says model_max_length = {longest!r}; remove it.")
        read = found.decode(found("a b", add_special_tokens=False)["input_ids"])
    if not BLANKS.isdisjoint(read):
        raise InputError(
            f"The tokenizer in {folder} turns tokens into a text with {min(BLANKS & set(read))} for blanks: the "
            "decoder of its tokenizer.json is missing or of another kind; fetch it anew."
        )
    return found


def fingerprint_of(folder: Path) -> str:
    """Return a hash of the names, shapes and sizes of all weights, and of samples of their values."""
    found = hashlib.sha256((folder / CONFIG).read_bytes())
    for path in weight_files(folder):
        size = path.stat().st_size - 8
        with path.open("rb") as file:
            head = int.from_bytes(file.read(8), "little")
            found.update(file.read(head))
            for place in range(SAMPLES):
                file.seek(8 + head + (size - head) * place // SAMPLES)
                found.update(file.read(SAMPLE))
    return found.hexdigest()[:8]


BLANKS = frozenset("Ġ▁")
"""What stands for a blank within tokenizers."""
