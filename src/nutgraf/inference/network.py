"""A network: reads rows of word pieces, and returns logits of items."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nutgraf.errors import InputError, MissingPackage, UnknownName
from nutgraf.inference.card import ENCODER_GRAPH, HEAD_GRAPH, TOKENIZER, NetworkCard, read_card
from nutgraf.inference.files import whole
from nutgraf.inference.graphs import check_graph, session
from nutgraf.inference.installed import ENCODER, INSTALL, installed_networks
from nutgraf.inference.words import WordPieces, read_words

Floats = npt.NDArray[np.float32]

WORD_VECTORS, SEGMENTS, KEPT, STATES = "words", "segments", "kept", "states"
VECTORS, FEATURES, LOGITS = "vectors", "features", "logits"
"""Inputs and outputs of the graphs."""

Stretch = tuple[int, int, int]
"""Row, first position, and position behind the last one."""


@dataclass(frozen=True, eq=False)
class Reading:
    """Rows and items that a network reads of one document, or of one pair of texts.

    Attributes:
        rows: Rows of word pieces, [CLS] and [SEP] included.
        items: Items by their spans, each span by its stretches of rows.
        features: Numbers of each item, [items, features]; None where the network takes none.
    """

    rows: Sequence[Sequence[int]]
    items: Sequence[Sequence[Sequence[Stretch]]]
    features: Floats | None = None


class Network:
    """A network that is ready for use. Threads may share it.

    Attributes:
        card: What it is.
        words: Its word pieces.
    """

    def __init__(self, card: NetworkCard, words: WordPieces, encoder: Any, head: Any | None, threads: int = 1) -> None:
        self.card, self.words = card, words
        self._encoder, self._head = encoder, head
        self._threads = ThreadPoolExecutor(threads) if threads > 1 else None

    def logits(self, reading: Reading) -> Floats:
        """Return the logits of items, [items, logits of an item]; of two classes one, of the second.

        Args:
            reading: What it reads. Items may look at each other, so those of one document belong into one reading.

        Raises:
            InputError: If the network cannot compute.
            ValueError: If a row is longer than the card allows, or items do not have its spans and features.
        """
        return self.judged(self.vectors(reading), reading.features)

    def judged(self, vectors: Floats, features: Floats | None = None) -> Floats:
        """Return the logits of items whose vectors were computed before; see `logits`."""
        count = len(vectors)
        if self._head is None:
            raise ValueError(f"the network {self.card.title!r} has no head")
        if not count:
            return np.zeros((0, self.card.outputs), dtype=np.float32)
        given = {VECTORS: vectors}
        if self.card.features:
            given[FEATURES] = np.asarray(features, dtype=np.float32)
            if given[FEATURES].shape != (count, self.card.features):
                raise ValueError(f"features of shape {given[FEATURES].shape} for {count} items")
        return _run(self._head, given, (count, self.card.outputs), self.card.title)

    def vectors(self, reading: Reading) -> Floats:
        """Return the mean state of each span, those of an item side by side; zeros for a span without word pieces.

        See `logits` for arguments and errors.
        """
        spans = [span for item in reading.items for span in item]
        count = self.card.spans or 1
        if any(len(item) != count for item in reading.items):
            raise ValueError(f"an item of this network has {count} spans")
        by_row: list[list[tuple[int, int, int]]] = [[] for _ in reading.rows]
        for number, span in enumerate(spans):
            for row, first, last in span:
                if not 0 <= first < last <= len(reading.rows[row]):
                    raise ValueError(f"no stretch from {first} to {last} in a row of {len(reading.rows[row])}")
                by_row[row].append((number, first, last))
        asked = [(row, stretches) for row, stretches in zip(reading.rows, by_row, strict=True) if stretches]
        done = map(self._sums, asked) if self._threads is None else self._threads.map(self._sums, asked)
        sums = np.zeros((len(spans), self.card.width), dtype=np.float32)
        lengths = np.zeros(len(spans), dtype=np.float32)
        for (_, stretches), found in zip(asked, done, strict=True):
            for (number, first, last), added in zip(stretches, found, strict=True):
                sums[number] += added
                lengths[number] += last - first
        means = (sums / np.maximum(lengths, 1)[:, None]).astype(np.float32, copy=False)
        return means.reshape(len(reading.items), count * self.card.width)

    def _sums(self, asked: tuple[Sequence[int], Sequence[tuple[int, int, int]]]) -> list[Floats]:
        """Return the sum of the states of each stretch of a row."""
        row, stretches = asked
        if len(row) > self.card.longest:
            raise ValueError(f"a row of {len(row)} word pieces, where {self.card.longest} are the most")
        ids = np.asarray(row, dtype=np.int64)
        wanted = np.zeros(len(ids), dtype=np.bool_)
        for _, first, last in stretches:
            wanted[first:last] = True
        kept = np.flatnonzero(wanted)
        given = {
            WORD_VECTORS: self.words.vectors(ids)[None],
            SEGMENTS: self.words.segments(ids)[None],
            KEPT: kept,
        }
        [states] = _run(self._encoder, given, (1, len(kept), self.card.width), self.card.title)
        place = np.cumsum(wanted) - 1
        return [states[place[first] : place[first] + last - first].sum(0) for _, first, last in stretches]


def open_network(name: str | Path, threads: int = 1) -> Network:
    """Open a network.

    Args:
        name: A folder, or the name of an installed network: "encoder", "selector", "editor", "checker".
        threads: Rows that are computed at once; results are the same with any number.

    Raises:
        InputError: If a file is missing, changed, or not what a network needs.
        MissingPackage: If onnxruntime or tokenizers is not installed.
        UnknownName: If there is no such network.
    """
    folder = _folder_of(name)
    card = read_card(folder)
    beside = _shared(folder)
    words = read_words(beside, card.files)
    if words.width != card.width:
        raise InputError(f"{folder} does not fit {beside}: vectors of {card.width} and of {words.width} numbers.")
    encoder = _graph(folder / ENCODER_GRAPH, card, [WORD_VECTORS, SEGMENTS, KEPT], [STATES])
    head = None
    if card.spans:
        inputs = [VECTORS, FEATURES] if card.features else [VECTORS]
        head = _graph(folder / HEAD_GRAPH, card, inputs, [LOGITS])
    network = Network(card, words, encoder, head, threads)
    _try(network)
    return network


def _folder_of(name: str | Path) -> Path:
    found = installed_networks()
    if isinstance(name, str) and name in found:
        return found[name]
    if Path(name).is_dir():
        return Path(name)
    if not found:
        raise MissingPackage(f"There is no network {str(name)!r}: neither a folder nor installed; run {INSTALL}.")
    raise UnknownName("network", str(name), found)


def _shared(folder: Path) -> Path:
    """Return where the files lie that networks share: its own folder, the encoder's beside it, or the installed one."""
    places = [folder, folder.parent / ENCODER, installed_networks().get(ENCODER)]
    return next((place for place in places if place is not None and (place / TOKENIZER).is_file()), folder)


def _graph(path: Path, card: NetworkCard, inputs: Sequence[str], outputs: Sequence[str]) -> Any:
    data = whole(path, card.files[path.name])
    try:
        check_graph(data, inputs, outputs)
        return session(data, path.name)
    except ValueError as error:
        raise InputError(f"{path} is no graph of a network: {error}.") from error


def _try(network: Network) -> None:
    """Run a network once, so that one whose sizes do not fit is refused when it is opened."""
    row = network.words.row([])
    count = network.card.spans or 1
    item = [[(0, 0, len(row))]] * count
    reading = Reading([row], [item], np.zeros((1, network.card.features), dtype=np.float32))
    network.logits(reading) if network.card.spans else network.vectors(reading)


def _run(graph: Any, given: dict[str, Any], shape: tuple[int, ...], title: str) -> Floats:
    """Run a graph of one output. Raises InputError if it fails, or returns something else."""
    try:
        [found] = graph.run(None, given)
    except Exception as error:  # of many types, none of them public
        reason = str(error).strip().partition("\n")[0][:200]
        raise InputError(f"The network {title!r} cannot compute: {reason}.") from error
    if found.shape != shape or found.dtype != np.float32 or not np.isfinite(found).all():
        raise InputError(f"The network {title!r} computes {found.shape} of {found.dtype}; finite {shape} are needed.")
    result: Floats = found
    return result
