"""Bounds on the files of a folder of transformers: what they say is compared before time or memory is spent on it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nutgraf.errors import InputError
from nutgraf.metadata import parse, read_json

LONGEST_HEADER = 100_000_000
"""Bytes of a header of a safetensors file; the library safetensors reads none that is longer."""

COUNTED = re.compile(r"(^|_)(n_)?(layers?|blocks?|experts?|depths?|labels)$")
"""Names in configurations of how many modules are built, or labels made."""

SPANS = re.compile(r"(window|radius|block|bucket|stride|types)")
"""Names in configurations of how far attention reaches, or which layers have which; lists are made of them."""

LARGEST_SPAN = 1 << 20
"""The largest number that one of these may have."""

FEWEST = 1024
"""Modules of a kind that a model may have whatever its weights are: layers can share them."""

SPARE = 1 << 26
"""Numbers that a network may have beyond those of its files, for parts that nobody needs."""

PACKED = 8
"""Numbers that a byte of quantized weights can hold at most."""

LARGEST_BUFFERS = 1 << 33
"""Bytes of what a network computes once and keeps, such as masks and places."""

LARGEST_TEXT, LARGEST_VOCABULARY = 1 << 24, 1 << 28
"""Bytes of a file of text beside the weights, and of one that may hold a vocabulary."""

VOCABULARIES = ("tokenizer.json", "vocab*", "merges*", "added_tokens.json", "*.model", "*.spm", "*.index.json")

TEXTS = ("*.json", "*.jinja", "*.txt", "*.model", "*.spm")
"""Files of text that the library reads."""

SETTINGS = ("tokenizer_config.json", "special_tokens_map.json", "adapter_config.json")
"""Files of settings beside the configuration of a model."""

INDEX = "model.safetensors.index.json"
"""File that names the files in which the weights are."""

LONGEST_REPLACEMENT = 100
"""Characters that a tokenizer may make of one, all of its replacements together."""


def weight_files(folder: Path) -> list[Path]:
    """Return the safetensors files of a folder; what is no plain file is left aside, as transformers does."""
    return [path for path in sorted(folder.glob("*.safetensors")) if path.is_file()]


def check_texts(folder: Path) -> None:
    """Raise InputError if a file of text, which is read as a whole, is too large."""
    places = (folder, folder / "additional_chat_templates")
    for path in sorted({path for place in places for pattern in TEXTS for path in place.glob(pattern)}):
        if not path.is_file():
            continue
        most = LARGEST_VOCABULARY if any(map(path.match, VOCABULARIES)) else LARGEST_TEXT
        size = path.stat().st_size
        if size > most:
            raise InputError(f"{path} has {size:,} bytes, where {most:,} are enough for any model; fetch it anew.")


def check_index(folder: Path) -> None:
    """Check that the index of the weights names files of safetensors in the folder, and nothing else.

    Raises:
        InputError: If it does not.
    """
    path = folder / INDEX
    if not path.is_file():
        return
    content = read_json(path, "an index of weights")
    names = content.get("weight_map") if isinstance(content, dict) else None
    if not isinstance(names, dict) or not isinstance(content.get("metadata", {}), dict):
        raise InputError(f"{path} is no index of weights: it has no table weight_map; fetch it anew.")
    known = {one.name for one in weight_files(folder)}
    wrong = [name for name in names.values() if not isinstance(name, str) or name not in known]
    if wrong:
        raise InputError(
            f"{path} says that weights are in {str(wrong[0])[:99]!r}, and no safetensors file beside it has that name; "
            "fetch the folder anew."
        )


def header_size(path: Path) -> int:
    """Return the size of the header of a safetensors file. Raises InputError if it cannot be one."""
    size = path.stat().st_size
    with path.open("rb") as file:
        first = file.read(8)
    head = int.from_bytes(first, "little")
    if len(first) < 8 or not 2 <= head <= min(size - 8, LONGEST_HEADER):
        raise InputError(
            f"{path} cannot be loaded: it is no safetensors file, or was cut; fetch it anew, or remove it if the model "
            "does without."
        )
    return head


def sizes_of(folder: Path) -> list[tuple[int, int]]:
    """Return the numbers and the bytes of each tensor in a folder, from the headers alone.

    Raises:
        InputError: If a file is none of safetensors.
    """
    return [one for path in weight_files(folder) for one in _sizes(path)]


def _sizes(path: Path) -> Iterator[tuple[int, int]]:
    head = header_size(path)
    try:
        with path.open("rb") as file:
            file.seek(8)
            tensors = parse(file.read(head).decode())
        for name, one in dict(tensors).items():
            if name != "__metadata__":
                start, end = one["data_offsets"]
                yield math.prod(map(int, one["shape"])), int(end) - int(start)
    except (ValueError, TypeError, KeyError) as error:
        raise InputError(f"{path} cannot be loaded: its header is damaged; fetch it anew.") from error


def check_counts(config: Mapping[str, Any], where: Path) -> None:
    """Check how many modules a configuration asks for: each has weights of its own, or shares those of few others.

    Args:
        config: The configuration.
        where: The file of the configuration, beside the weights.

    Raises:
        InputError: If they are more than the weights can be for.
    """
    for name, value in config.items():
        if isinstance(value, dict):
            check_counts(value, where)
        elif SPANS.search(name) and (largest := max(_numbers(value), default=0)) > LARGEST_SPAN:
            raise InputError(f"{where} says {largest:,} in {name}, where {LARGEST_SPAN:,} is much; fetch it anew.")
        elif isinstance(value, int) and value > FEWEST and COUNTED.search(name):
            tensors = len(sizes_of(where.parent))
            if value > tensors:
                raise InputError(
                    f"{where} says {name} = {value:,}, and the files beside it hold {tensors:,} tensors; fetch it anew."
                )


def _numbers(value: Any) -> Iterator[int]:
    if isinstance(value, list):
        for one in value:
            yield from _numbers(one)
    elif isinstance(value, int):
        yield value


def check_sizes(network: Any, sizes: list[tuple[int, int]], quantized: bool, folder: Path) -> None:
    """Check a network without memory against the files of its weights.

    Args:
        network: The network, on the meta device.
        sizes: Numbers and bytes of the tensors in its files, from `sizes_of`.
        quantized: True if several numbers may be packed into one.
        folder: The folder, for the message.

    Raises:
        InputError: If the network is much larger.
    """
    needed = sum(one.numel() for one in network.parameters())
    there = sum(size * PACKED for _, size in sizes) if quantized else sum(numbers for numbers, _ in sizes)
    kept = sum(one.nbytes for one in network.buffers())
    if needed > there + SPARE or kept > LARGEST_BUFFERS:
        raise InputError(
            f"{folder} lacks weights: the model that its config.json describes has {needed:,} numbers in its weights "
            f"and {kept:,} bytes beside them, and its files hold {sum(numbers for numbers, _ in sizes):,} numbers; "
            "fetch it anew."
        )


def check_tokenizer(folder: Path) -> None:
    """Check how long a text a tokenizer makes of a short one.

    Raises:
        InputError: If tokenizer.json is damaged, or replaces single characters by long texts.
    """
    path = folder / "tokenizer.json"
    if not path.is_file():
        return
    content = read_json(path, "a tokenizer")
    if not isinstance(content, dict):
        raise InputError(f"{path} is not a tokenizer: it holds no object; fetch it anew.")
    for part in ("normalizer", "pre_tokenizer", "decoder"):
        if '"pattern": {"String": ""}' in json.dumps(content.get(part)):  # the library breaks off in it
            raise InputError(f"The {part} in {path} replaces an empty text; remove that replacement.")
        longest = math.prod(max(1, len(text)) for text in _replacements(content.get(part)))
        if longest > LONGEST_REPLACEMENT:
            raise InputError(
                f"The {part} in {path} makes up to {longest:,} characters of one; no more than {LONGEST_REPLACEMENT} "
                "would do."
            )


def _replacements(part: Any) -> Iterator[str]:
    """Yield the texts that a part of a tokenizer puts in the place of others."""
    if isinstance(part, list):
        for one in part:
            yield from _replacements(one)
    elif isinstance(part, dict):
        for name, value in part.items():
            if name in ("content", "prepend", "replacement") and isinstance(value, str):
                yield value
            elif name != "precompiled_charsmap":
                yield from _replacements(value)


def check_limits(folder: Path) -> None:
    """Raise InputError if a table of settings is none, or tokenizer_config.json does not give a length as a number."""
    tables = {name: _settings(folder / name) for name in SETTINGS if (folder / name).is_file()}
    path = folder / SETTINGS[0]
    longest = tables.get(SETTINGS[0], {}).get("model_max_length")
    if isinstance(longest, bool) or not isinstance(longest, int | float | None) or longest != longest:
        raise InputError(f"{path} says model_max_length = {longest!r}, which is no number of tokens; remove it.")


def _settings(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text("utf-8-sig"))  # Infinity, which some tokenizers say, is no error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is no table of settings: {error}.") from error
    if not isinstance(found, dict):
        raise InputError(f"{path} is no table of settings: it holds {str(found)[:20]}; fetch it anew, or remove it.")
    return found
