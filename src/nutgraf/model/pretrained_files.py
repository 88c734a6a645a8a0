"""Bounds on the files of a folder of transformers: what they say is compared before time or memory is spent on it."""

from __future__ import annotations

import base64
import json
import math
import re
import struct
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from nutgraf.errors import InputError
from nutgraf.limits import Ended, run
from nutgraf.metadata import parse, read_json
from nutgraf.model import _tokenizer_trial
from nutgraf.model._tokenizer_trial import PARTS

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
"""Numbers that a network may have beyond those of its files where some of its parts are not needed."""

LARGEST_TABLES = 1 << 22
"""Numbers that a network may compute beside those of its files, as sines of positions; each takes microseconds."""

PACKED = 8
"""Numbers that a byte of quantized weights can hold at most."""

LARGEST_BUFFERS = 1 << 30
"""Bytes of what a network computes once and keeps, such as masks and places."""

LARGEST_CONFIG, LARGEST_TEXT, LARGEST_VOCABULARY = 1 << 20, 1 << 24, 1 << 26
"""Bytes of a configuration, of another file of text beside the weights, and of one that may hold a vocabulary."""

MOST_IN_CONFIG, MOST_IN_TEXT, MOST_IN_VOCABULARY = 10_000, 150_000, 1 << 21
"""Lists and objects in each of them: memory and time that libraries take grow with these, and not with bytes."""

CONFIGS = ("config.json", "generation_config.json", "adapter_config.json")

VOCABULARIES = ("tokenizer.json", "vocab*", "merges*", "added_tokens.json", "*.model", "*.spm", "*.index.json")

TEXTS = ("*.json", "*.jinja", "*.txt", "*.model", "*.spm")
"""Files of text that the library reads."""

SETTINGS = ("tokenizer_config.json", "special_tokens_map.json", "adapter_config.json", "added_tokens.json")
"""Files of settings beside the configuration of a model."""

INDEX = "model.safetensors.index.json"
"""File that names the files in which the weights are."""

TOKENIZERS = ("tokenizer.json", "tokenizer.*.json")
"""Files of tokenizers; the library takes one that names its version before one that names none."""

LONGEST_REPLACEMENT = 100
"""Characters that a tokenizer may make of one, all of its replacements together."""

MOST_ADDED = 100_000
"""Tokens added to a vocabulary; the library takes some 60 microseconds for each."""

GENERATED = ("extra_ids", "offset", "num_madeup_words")
"""Names in the settings of a tokenizer of how many tokens are made beside those of its files."""

RANKS, LARGEST_RANK = ("r", "rank_pattern", "init_r", "target_r", "num_virtual_tokens"), 4096
"""Names in the configuration of an adapter of how large it is, and the largest number that one of these may have."""

LONGEST_PIECE = 4096
"""Characters of an entry of a vocabulary; the longest ones known have some hundred."""


def weight_files(folder: Path) -> list[Path]:
    """Return the safetensors files of a folder."""
    return [path for path in sorted(folder.glob("*.safetensors")) if path.is_file()]


def check_texts(folder: Path) -> None:
    """Raise InputError if a file is none, such as a pipe, or one of text is too large to be read, or is not UTF-8."""
    places = (folder, folder / "additional_chat_templates")
    texts = {path for place in places for pattern in TEXTS for path in place.glob(pattern)}
    for path in sorted({*texts, *folder.glob("*.safetensors")}):
        if not path.is_file():
            raise InputError(f"{path} is no plain file, but {_kind_of(path)}; fetch it anew, or remove it.")
        size, (most, most_within) = path.stat().st_size, _limits(path)
        if path in texts and size > most:
            raise InputError(f"{path} has {size:,} bytes, where {most:,} are enough for any model; fetch it anew.")
        if path.suffix == ".jinja":
            _check_characters(path)
        if path.suffix == ".json" and _begins_with_a_mark(path):
            raise InputError(f"{path} begins with a byte-order mark; save it in UTF-8 without one, or fetch it anew.")
        if path.suffix == ".json" and size > most_within and (within := _brackets(path)) > most_within:
            raise InputError(
                f"{path} has {within:,} lists and objects, where {most_within:,} are enough for any model; fetch it "
                "anew."
            )


def _check_characters(path: Path) -> None:
    try:
        path.read_text("utf-8")
    except ValueError as error:
        raise InputError(f"{path} is damaged: it is no text in UTF-8; fetch it anew.") from error


def _begins_with_a_mark(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(3) == b"\xef\xbb\xbf"


def _brackets(path: Path) -> int:
    content = path.read_bytes()
    return content.count(b"{") + content.count(b"[")


def _kind_of(path: Path) -> str:
    if path.is_symlink():
        return f"a link to {str(path.readlink())[:99]!r}"
    return "a folder" if path.is_dir() else "a pipe or a device"


def _limits(path: Path) -> tuple[int, int]:
    """Return how many bytes, and how many lists and objects, a file of text may have."""
    if path.name in CONFIGS:
        return LARGEST_CONFIG, MOST_IN_CONFIG
    if any(map(path.match, VOCABULARIES)):
        return LARGEST_VOCABULARY, MOST_IN_VOCABULARY
    return LARGEST_TEXT, MOST_IN_TEXT


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


_WIDTHS = {
    **dict.fromkeys(("BOOL", "I8", "U8", "F8_E4M3", "F8_E5M2"), 1), **dict.fromkeys(("I16", "U16", "F16", "BF16"), 2),
    **dict.fromkeys(("I32", "U32", "F32"), 4), **dict.fromkeys(("I64", "U64", "F64"), 8),
}  # fmt: skip
"""Bytes of the numbers of tensors, by type."""


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
        InputError: If a file is none of safetensors, or was cut.
    """
    return [one for path in weight_files(folder) for one in _sizes(path)]


def _sizes(path: Path) -> list[tuple[int, int]]:
    head = header_size(path)
    try:
        with path.open("rb") as file:
            file.seek(8)
            tensors = dict(parse(file.read(head).decode()))
        tensors.pop("__metadata__", None)
        places = [tuple(map(int, one["data_offsets"])) for one in tensors.values()]
        numbers = [math.prod(map(int, one["shape"])) for one in tensors.values()]
        sizes = [end - start for start, end in places]
        widths = [_WIDTHS.get(str(one["dtype"])) for one in tensors.values()]
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        raise InputError(f"{path} cannot be loaded: its header is damaged; fetch it anew.") from error
    if not tensors:
        raise InputError(f"{path} holds no weights; fetch it anew.")
    if any(width and width * count != size for width, count, size in zip(widths, numbers, sizes, strict=True)):
        raise InputError(f"{path} is damaged: its header says other sizes than it has; fetch it anew.")
    if not any(str(one.get("dtype")).lstrip("B").startswith("F") for one in tensors.values()):
        raise InputError(f"{path} holds whole numbers alone, where weights are fractions; fetch it anew.")
    needed, there = 8 + head + max((end for _, end in places), default=0), path.stat().st_size
    if there < needed:
        raise InputError(f"{path} was cut: it has {there:,} bytes of {needed:,}; fetch it anew.")
    return list(zip(numbers, sizes, strict=True))


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
    if isinstance(value, list | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _numbers(one)
    elif isinstance(value, int):
        yield value


def check_sizes(network: Any, sizes: list[tuple[int, int]], quantized: bool, folder: Path, spare: int) -> None:
    """Check a network without memory against the files of its weights.

    Args:
        network: The network, on the meta device.
        sizes: Numbers and bytes of the tensors in its files, from `sizes_of`.
        quantized: True if several numbers may be packed into one.
        folder: The folder, for the message.
        spare: Numbers that it may have beyond those of its files.

    Raises:
        InputError: If the network is much larger.
    """
    needed = sum(one.numel() for one in network.parameters())
    there = sum(size * PACKED for _, size in sizes) if quantized else sum(numbers for numbers, _ in sizes)
    kept = sum(one.nbytes for one in network.buffers())
    computed = sum(one.numel() for one in network.parameters() if not one.requires_grad)
    if computed > LARGEST_TABLES:
        raise InputError(
            f"The model that config.json in {folder} describes computes tables of {computed:,} numbers before it "
            f"begins, where {LARGEST_TABLES:,} are much: its max_position_embeddings are too many; fetch it anew."
        )
    if needed > there + spare or kept > LARGEST_BUFFERS:
        raise InputError(
            f"{folder} lacks weights: the model that its config.json describes has {needed:,} numbers in its weights "
            f"and {kept:,} bytes beside them, and its files hold {sum(numbers for numbers, _ in sizes):,} numbers; "
            "fetch it anew."
        )


def check_tokenizer(folder: Path) -> None:
    """Check how long a text a tokenizer makes of a short one.

    Raises:
        InputError: If tokenizer.json is damaged, makes far more of a text than it has, or takes too long.
    """
    for path in sorted({path for pattern in TOKENIZERS for path in folder.glob(pattern)}):
        content = read_json(path, "a tokenizer")
        if not isinstance(content, dict):
            raise InputError(f"{path} is not a tokenizer: it holds no object; fetch it anew.")
        _check_added(path, content.get("added_tokens"))
        longest = max(map(len, _pieces(content)), default=0)
        if longest > LONGEST_PIECE:
            raise InputError(
                f"{path} has a piece of {longest:,} characters, where {LONGEST_PIECE:,} are much; fetch it anew."
            )
        check_parts(content, str(path))


def check_parts(content: Mapping[str, Any], where: str) -> None:
    """Check the parts of a tokenizer that change and split texts: by what they say, and on texts of growing length.

    Args:
        content: The parts, as tokenizer.json has them.
        where: The file, for messages.

    Raises:
        InputError: If they make far more of a text than it has, or take too long.
    """
    parts = {name: content.get(name) for name in PARTS}
    for name, part in parts.items():
        if '"pattern": {"String": ""}' in json.dumps(part):  # the library breaks off in it
            raise InputError(f"The {name} in {where} replaces an empty text; remove that replacement.")
        longest = math.prod(max(1, size) for size in _replacements(part))
        if longest > LONGEST_REPLACEMENT:
            raise InputError(
                f"The {name} in {where} makes up to {longest:,} characters of one; no more than {LONGEST_REPLACEMENT} "
                "would do."
            )
    if wrong := _tried(json.dumps(parts, sort_keys=True)):
        raise InputError(f"The tokenizer in {where}, tried on short texts, {wrong}; fetch it anew.")


@lru_cache(maxsize=64)
def _tried(parts: str) -> str | None:
    """Return what is wrong with the parts of a tokenizer when they are tried out."""
    try:
        return run(_tokenizer_trial.__file__, json.loads(parts), _tokenizer_trial.SECONDS).get("wrong")
    except Ended as error:
        return str(error)


def _pieces(content: Mapping[str, Any]) -> Iterator[str]:
    """Yield the pieces of a vocabulary, and what is put around pieces."""
    model, added = content.get("model"), content.get("added_tokens")
    model = model if isinstance(model, dict) else {}
    vocabulary = model.get("vocab")
    for one in (
        *(vocabulary if isinstance(vocabulary, list | dict) else ()),
        *(added if isinstance(added, list) else ()),
    ):
        piece = one.get("content") if isinstance(one, dict) else one[0] if isinstance(one, list) and one else one
        if isinstance(piece, str):
            yield piece
    yield from (value for name, value in model.items() if isinstance(value, str))


def _replacements(part: Any) -> Iterator[int]:
    """Yield how many characters a part of a tokenizer may make of one, for each of its replacements."""
    if isinstance(part, list):
        for one in part:
            yield from _replacements(one)
    elif isinstance(part, dict):
        matches_nothing = isinstance(part.get("pattern"), dict) and "Regex" in part["pattern"]  # before each character
        for name, value in part.items():
            if name in ("content", "prepend", "replacement") and isinstance(value, str):
                yield len(value) + matches_nothing
            elif name == "precompiled_charsmap":
                yield _longest_of_map(value)
            else:
                yield from _replacements(value)


def _longest_of_map(encoded: Any) -> int:
    """Return the length of the longest text that a map of characters has; they stand one after the other at its end."""
    try:
        content = base64.b64decode(encoded)
        (size,) = struct.unpack_from("<I", content)
    except (TypeError, ValueError, struct.error):  # which the library does not read, either
        return 0
    return max(map(len, content[4 + size :].split(b"\0")))


def check_limits(folder: Path) -> None:
    """Raise InputError if a table of settings is none, or tokenizer_config.json does not give a length as a number."""
    tables = {name: _settings(folder / name) for name in SETTINGS if (folder / name).is_file()}
    for name, table in tables.items():
        _check_added(folder / name, table, *table.values())
    adapter = tables.get("adapter_config.json", {})
    for name in RANKS:
        if (largest := max(_numbers(adapter.get(name)), default=0)) > LARGEST_RANK:
            raise InputError(
                f"{folder / 'adapter_config.json'} says {largest:,} in {name}, where {LARGEST_RANK:,} is much."
            )
    path, table = folder / SETTINGS[0], tables.get(SETTINGS[0], {})
    longest = table.get("model_max_length")
    if longest is not None and (type(longest) not in (int, float) or not longest >= 1):
        raise InputError(f"{path} says model_max_length = {longest!r}, which is no number of tokens; remove it.")
    for name in GENERATED:
        if (largest := max(_numbers(table.get(name)), default=0)) > MOST_ADDED:
            raise InputError(f"{path} says {name} = {largest:,}, where {MOST_ADDED:,} are much; fetch it anew.")
    inputs = table.get("model_input_names", [])
    if not isinstance(inputs, list) or not all(isinstance(one, str) for one in inputs):
        raise InputError(
            f"{path} says model_input_names = {str(inputs)[:60]}; ['input_ids', 'attention_mask'] would do."
        )


def _check_added(path: Path, *tables: Any) -> None:
    """Raise InputError if one of some lists and tables in a file adds more tokens than a model has."""
    most = max((len(one) for one in tables if isinstance(one, list | dict)), default=0)
    if most > MOST_ADDED:
        raise InputError(f"{path} has a list of {most:,} tokens, where {MOST_ADDED:,} are much; fetch it anew.")


def _settings(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text("utf-8-sig"))  # Infinity, which some tokenizers say, is no error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is no table of settings: {error}.") from error
    if not isinstance(found, dict):
        raise InputError(f"{path} is no table of settings: it holds {str(found)[:20]}; fetch it anew, or remove it.")
    return found
