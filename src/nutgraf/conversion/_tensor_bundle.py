"""Checkpoints of TensorFlow (format V2, "tensor bundle") without TensorFlow.

A checkpoint NAME is a file NAME.index and one or more NAME.data-00000-of-00001. The index is a table in LevelDB's
format: blocks of entries in the order of their keys, then a block of the blocks' places, then a footer with the place
of that one. A key is the name of a variable, its value a message of protocol buffers: type, shape, and where its
numbers lie in the data. No library but TensorFlow itself, of some 600 MB, was found to read it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from nutgraf.errors import InputError
from nutgraf.runtime.files import read_bytes
from nutgraf.runtime.metadata import LARGEST_FILE

INDEX = ".index"
MAGIC = bytes.fromhex("57fb808b247547db")
FOOTER, TRAILER = 48, 5
"""Bytes of the table's footer, and of what follows each block: a byte for its compression, and a checksum."""

TYPES: dict[int, np.dtype[Any]] = {1: np.dtype("<f4"), 2: np.dtype("<f8"), 3: np.dtype("<i4"), 9: np.dtype("<i8")}
"""Types of numbers by TensorFlow's DataType."""

TYPE, SHAPE, SHARD, OFFSET, SIZE, SLICES = 1, 2, 3, 4, 5, 7
"""Fields of BundleEntryProto."""


@dataclass(frozen=True)
class _Entry:
    """Where a variable's numbers lie."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    shard: int
    offset: int
    size: int


def read_tensors(prefix: Path) -> dict[str, Tensor]:
    """Return the variables of a checkpoint, whose path is given without `.index`, by their names.

    Raises InputError if a file is missing, cut or damaged, or holds other than plain numbers.
    """
    index = prefix.with_name(prefix.name + INDEX)
    try:
        content = read_bytes(index, LARGEST_FILE)
        shards, entries = _entries(content)
        files = [prefix.with_name(f"{prefix.name}.data-{shard:05}-of-{shards:05}") for shard in range(shards)]
        data = [np.memmap(file, np.uint8, "r") for file in files]
        return {name: _tensor(entry, data[entry.shard]) for name, entry in entries.items()}
    except (OSError, ValueError, IndexError, KeyError) as error:
        raise InputError(f"{index} and the data beside it are no whole checkpoint of TensorFlow ({error}).") from error


def _tensor(entry: _Entry, data: np.ndarray) -> Tensor:
    """Return the numbers of a variable. Raises ValueError if they are not all there."""
    count = int(np.prod(entry.shape, dtype=np.int64))
    if entry.size != count * entry.dtype.itemsize or entry.offset + entry.size > len(data):
        raise ValueError(f"{entry.size} bytes from {entry.offset} on, where the data has {len(data)}")
    numbers = np.frombuffer(data[entry.offset : entry.offset + entry.size].tobytes(), entry.dtype)
    return torch.from_numpy(numbers.reshape(entry.shape).copy())


def _entries(content: bytes) -> tuple[int, dict[str, _Entry]]:
    """Return the number of files with data, and the entries of a checkpoint's index."""
    if content[-len(MAGIC) :] != MAGIC:
        raise ValueError("the index does not end as one does")
    place = content[-FOOTER:]
    _, place = _handle(place)  # of a block that is empty here
    (offset, size), _ = _handle(place)
    found: dict[bytes, bytes] = {}
    for _, value in _block(content, offset, size):
        found.update(_block(content, *_handle(value)[0]))
    header = dict(_fields(found.pop(b"")))
    if header.get(2, 0):
        raise ValueError("its numbers were written by a big-endian machine")
    return int(header.get(1, 1)), {name.decode("utf-8"): _entry(value) for name, value in found.items()}


def _entry(message: bytes) -> _Entry:
    fields = dict(_fields(message))
    if SLICES in fields:
        raise ValueError("a variable is in several parts")
    if fields.get(TYPE) not in TYPES:
        raise ValueError(f"a variable has the type {fields.get(TYPE)}")
    dimensions = [dict(_fields(value)) for number, value in _fields(fields.get(SHAPE, b"")) if number == 2]
    return _Entry(
        dtype=TYPES[fields[TYPE]],
        shape=tuple(one.get(1, 0) for one in dimensions),
        shard=fields.get(SHARD, 0),
        offset=fields.get(OFFSET, 0),
        size=fields.get(SIZE, 0),
    )


def _handle(content: bytes) -> tuple[tuple[int, int], bytes]:
    """Return place and size of a block, and what follows in `content`."""
    offset, at = _varint(content, 0)
    size, at = _varint(content, at)
    return (offset, size), content[at:]


def _block(content: bytes, offset: int, size: int) -> Iterator[tuple[bytes, bytes]]:
    """Yield keys and values of a block. A key says how many bytes it has in common with the one before."""
    block, compression = content[offset : offset + size], content[offset + size]
    if len(block) < size or len(content) < offset + size + TRAILER:
        raise ValueError("the index was cut")
    if compression:
        raise ValueError("its index is compressed, as TensorFlow's own never is")
    restarts = int.from_bytes(block[-4:], "little")
    end, at, key = len(block) - 4 * (restarts + 1), 0, b""
    while at < end:
        common, at = _varint(block, at)
        rest, at = _varint(block, at)
        length, at = _varint(block, at)
        key = key[:common] + block[at : at + rest]
        yield key, block[at + rest : at + rest + length]
        at += rest + length


def _fields(message: bytes) -> Iterator[tuple[int, Any]]:
    """Yield numbers and values of the fields of a message: whole numbers, bytes, or the bytes of a fixed width."""
    at = 0
    while at < len(message):
        tag, at = _varint(message, at)
        kind = tag & 7
        if kind == 0:
            value, at = _varint(message, at)
            yield tag >> 3, value
            continue
        if kind == 2:
            width, at = _varint(message, at)
        else:
            width = {1: 8, 5: 4}[kind]
        if at + width > len(message):
            raise ValueError("an entry was cut")
        yield tag >> 3, message[at : at + width]
        at += width


def _varint(content: bytes, at: int) -> tuple[int, int]:
    """Return a whole number of seven bits a byte, the lowest first, and the position after it."""
    value = shift = 0
    while True:
        byte = content[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at
