"""Prepared examples on disk: plain arrays that are mapped into memory, and a manifest that says what they are.

    OUT/manifest.json          what was prepared, from what, with which configuration; written last
    OUT/tokenizer/             the tokenizer, and what else was learned from the training part
    OUT/train/source.npy       all sources in a row; source.ends.npy says where each ends. Likewise:
              …                source_unknown (the extended ids of unknown words), target, target_unknown, places (of
                               phrases), texts (unknown words, name and references, and of hidden
                               spans their positions, as JSON)
    OUT/validation/  OUT/test/ the same

Nothing is pickled.
"""

from __future__ import annotations

import io
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt

from nutgraf.errors import InputError
from nutgraf.preparation.source import PAD, UNK, EncodedSource, EncodedTarget, Ids, Place, has_interval_segments
from nutgraf.preparation.tensors import batch
from nutgraf.presets import Choice, Preset, table_of
from nutgraf.presets.read import refuse_modules
from nutgraf.runtime.files import atomic_write
from nutgraf.runtime.metadata import Count, load, read_object
from nutgraf.tokenizers import Tokenizer, tokenizers

if TYPE_CHECKING:
    from nutgraf.model.records import Batch

SCHEMA = "nutgraf.shards/1"
MANIFEST = "manifest.json"
TOKENIZER = "tokenizer"

MUST_MATCH = ("tokenizer", "truncation", "keyphrases", "labels", "candidates", "interval_segments", "task")
"""Parts of a configuration in which a preset must agree with the shards."""

Array = npt.NDArray[Any]
Row = dict[str, Array]
"""One example: a stretch of each column."""

Table = dict[str, Any]


@dataclass(frozen=True)
class _Kind:
    kind: str


@dataclass(frozen=True)
class _Configuration:
    dataset: _Kind
    tokenizer: _Kind
    keyphrases: Table | None = None
    truncation: Table | None = None
    labels: Table | None = None
    candidates: Table | None = None
    interval_segments: bool = False
    task: Table | None = None


@dataclass(frozen=True)
class _Counts:
    """Counts of a split."""

    examples: Count
    source: Count
    target: Count
    places: Count
    cut: Count | bool
    unknown: Count
    dropped: dict[str, Count]
    sections: dict[str, Count] = field(default_factory=dict)
    origins: dict[str, Count] = field(default_factory=dict)
    written: Count = 0
    unknown_written: Count = 0
    new_written: Count = 0


@dataclass(frozen=True)
class _Manifest:
    """The manifest, as far as it is compared."""

    schema: Literal["nutgraf.shards/1"]
    configuration: _Configuration
    files: Table
    splits: dict[str, _Counts]
    limit: Count | None = None
    dealt: dict[str, str] = field(default_factory=dict)
    tokenizer_of: str = ""
    oracle: bool = False
    spans: Count = 0
    segments: tuple[str, ...] = ()
    licence: str = ""


@dataclass(frozen=True)
class _Texts:
    """Texts of one example."""

    id: str | int
    unknown: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    runs: tuple[tuple[Count, ...], ...] = ()
    starts: dict[str, tuple[Count, ...]] = field(default_factory=dict)


_ID = np.dtype("<u4")
_PLACE = np.dtype([("start", "<u4"), ("end", "<u4"), ("score", "<f4")])

Columns = Mapping[str, np.dtype[Any]]
"""Columns of a prepared corpus, with the types of their values."""

COLUMNS: Columns = {
    "source": _ID,
    "source_unknown": _ID,
    "target": _ID,
    "target_unknown": _ID,
    "places": _PLACE,
    "texts": np.dtype("u1"),
}


@dataclass(frozen=True)
class Ragged:
    """Rows of different lengths, one after the other; `ends` says where each ends."""

    values: Array
    ends: npt.NDArray[np.int64]

    def __getitem__(self, index: int) -> Array:
        return self.values[self.ends[index - 1] if index else 0 : self.ends[index]]

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Lengths of the rows."""
        return np.diff(self.ends, prepend=0)


def row_of(
    source: EncodedSource,
    target: EncodedTarget,
    name: str,
    references: Sequence[Sequence[str]],
    segments: Sequence[str] = (),
) -> Row:
    """Return an example as rows of the columns, with where its `segments` begin: "sentences" or "sections"."""
    starts = {"starts": {one: source.starts[one].tolist() for one in segments}} if segments else {}
    texts = {"id": name, "unknown": source.unknown, "references": references, **_runs(target), **starts}
    return {
        "source": source.ids.astype(_ID),
        "source_unknown": source.extended[source.ids == UNK].astype(_ID),
        "target": target.ids.astype(_ID),
        "target_unknown": target.extended[target.ids == UNK].astype(_ID),
        "places": np.array([tuple(place) for place in source.places], dtype=_PLACE),
        "texts": np.frombuffer(json.dumps(texts, ensure_ascii=False).encode(), dtype="u1"),
    }


def _runs(target: EncodedTarget) -> Table:
    """Return where each hidden span begins in the target, and the position of its first token."""
    if target.places is None:
        return {}
    starts = np.flatnonzero(target.extended == PAD)
    return {"runs": np.stack([starts, target.places[starts]], axis=1).tolist()}


def stack(rows: Sequence[Row], kinds: Columns = COLUMNS) -> Row:
    """Return examples as columns with their ends, under the names of the files."""
    columns: Row = {}
    for name, kind in kinds.items():
        columns[name] = np.concatenate([np.zeros(0, kind), *(row[name] for row in rows)])
        columns[f"{name}.ends"] = np.cumsum([len(row[name]) for row in rows], dtype=np.int64)
    return columns


def write_stacked(parts: Sequence[Path], folder: Path, kinds: Columns = COLUMNS) -> None:
    """Concatenate parts, each an .npz of columns. Raises OutputError."""
    for name, kind in kinds.items():
        ends = [_read_part(part, f"{name}.ends") for part in parts]
        bases = np.cumsum([0, *(int(one[-1]) if len(one) else 0 for one in ends)])
        shifted = [one + base for one, base in zip(ends, bases[:-1], strict=True)]
        with atomic_write(folder / f"{name}.npy") as path, path.open("wb") as file:
            header = {"descr": np.lib.format.dtype_to_descr(kind), "fortran_order": False, "shape": (int(bases[-1]),)}
            np.lib.format.write_array_header_1_0(file, header)
            for part in parts:
                file.write(_read_part(part, name).tobytes())
        with atomic_write(folder / f"{name}.ends.npy") as path, path.open("wb") as file:
            buffer = io.BytesIO()  # written straight to a file, an array does not say why a disk takes no more
            np.save(buffer, np.concatenate([np.zeros(0, np.int64), *shifted]), allow_pickle=False)
            file.write(buffer.getvalue())


class Shards:
    """One split of a prepared corpus; reads only what is asked for."""

    columns: ClassVar[Columns] = COLUMNS

    def __init__(self, folder: Path, split: str, manifest: Table) -> None:
        self.folder = folder
        self.split = split
        self.manifest = manifest
        self._columns = {name: _open_column(folder / split, name, kind) for name, kind in self.columns.items()}
        if len({len(column.ends) for column in self._columns.values()}) > 1:
            raise InputError(f"The files in {folder / split} do not belong together; prepare the corpus anew.")

    @classmethod
    def open(cls, folder: str | Path, split: str = "train", preset: Preset | None = None) -> Self:
        """Open a split of a prepared corpus.

        Args:
            folder: A folder that `prepare` wrote.
            split: Name of the split.
            preset: The preset that is trained on it, if any; the data must agree with it. Modules outside nutgraf that
                the manifest names are then the preset's own, which is trusted or was typed.

        Raises:
            InputError: If it is missing, damaged, or was prepared for another preset.
            PresetError: If the manifest names a module outside nutgraf and no preset answers for it.
        """
        shards = cls(Path(folder), split, read_manifest(folder, split))
        if preset is not None:
            shards.check(preset)
        sections = shards.manifest["configuration"]
        answered = () if preset is None else MUST_MATCH
        if preset is None or not preset.trust:
            refuse_modules({key: one for key, one in sections.items() if key not in answered}, shards.folder / MANIFEST)
        return shards

    def __len__(self) -> int:
        return len(self._columns["source"].ends)

    def __reduce__(self) -> tuple[type[Self], tuple[Path, str, Table]]:
        """A process to which they are sent opens the files itself."""
        return type(self), (self.folder, self.split, self.manifest)

    @cached_property
    def lengths(self) -> tuple[Ids, Ids]:
        """Lengths of sources and of targets, with BOS and EOS."""
        return self._columns["source"].lengths, self._columns["target"].lengths

    @property
    def target_length(self) -> float:
        """Mean length of the targets, without BOS and EOS."""
        return float(self.lengths[1].mean()) - 2

    @property
    def origins(self) -> Sequence[str]:
        """Names of the sets that examples are from, where a task keeps them apart."""
        return ()

    @property
    def segments(self) -> Sequence[str]:
        """Segments whose beginnings the examples keep: "sentences", "sections", both or none."""
        return tuple(self.manifest.get("segments", ()))

    @cached_property
    def entries(self) -> int:
        """Number of entries of the tokenizer."""
        return len(self.tokenizer())

    def source(self, index: int) -> EncodedSource:
        """Return an example's source, without its places in the text. Raises InputError if it is damaged."""
        texts = self._texts(index)
        unknown = texts.unknown
        ids, extended = self._ids("source", index, len(unknown))
        places = tuple(Place(*place) for place in self._columns["places"][index].tolist())
        if any(not place.start < place.end <= len(ids) or not math.isfinite(place.score) for place in places):
            raise self._damaged(index, "a phrase stands outside of it")
        starts = {one: np.array(texts.starts.get(one, ()), dtype=np.int64) for one in self.segments}
        if any(not len(one) or one[0] != 0 or (np.diff(one) < 0).any() for one in starts.values()):
            raise self._damaged(index, "its sentences or sections do not follow one another")
        return EncodedSource(ids=ids, extended=extended, unknown=unknown, places=places, starts=starts)

    def target(self, index: int) -> EncodedTarget:
        """Return an example's summary, or the hidden spans of its text. Raises InputError if it is damaged."""
        texts = self._texts(index)
        ids, extended = self._ids("target", index, len(texts.unknown))
        if not texts.runs:
            return EncodedTarget(ids, extended)
        starts, places = np.array(texts.runs, dtype=np.int64).T
        if starts[0] != 0 or (np.diff(starts) < 1).any() or starts[-1] >= len(ids):
            raise self._damaged(index, "its hidden spans do not follow one another")
        extended[starts] = PAD
        lengths = np.diff(starts, append=len(ids))
        return EncodedTarget(ids, extended, np.arange(len(ids)) + np.repeat(places - starts, lengths))

    def batch(self, indices: Sequence[int]) -> Batch:
        """Return some examples with their targets as a batch."""
        sources, targets = [self.source(index) for index in indices], [self.target(index) for index in indices]
        return batch(sources, targets, segments=self.segments)

    def references(self, index: int) -> tuple[tuple[str, ...], ...]:
        """Return the references of an example: one or several summaries, each as its sentences, whole."""
        return self._texts(index).references

    def name(self, index: int) -> str:
        """Return an example's id in its corpus."""
        return str(self._texts(index).id)

    def check(self, preset: Preset) -> None:
        """Raise InputError if a preset needs other data than these, naming the keys in which they differ.

        A preset without phrases takes data with phrases; which corpus it is, the data decide.
        """
        configuration = configuration_of(preset)
        asked = {name: configuration.get(name) for name in MUST_MATCH}
        keys = differing(asked, self.manifest["configuration"])
        if keys:
            raise InputError(
                f"{self.folder} was prepared for another preset than {preset.name!r}: {'; '.join(keys)}. Prepare the "
                "corpus anew, or change the preset with --set."
            )
        lacking = [one for one in segments_of(preset) if one not in self.segments]
        if lacking:
            raise InputError(
                f"{self.folder} was prepared without {' and '.join(lacking)}, which the network of {preset.name!r} "
                "looks at. Prepare the corpus anew with this preset."
            )

    def tokenizer(self) -> Tokenizer:
        """Return the tokenizer of the examples."""
        return read_tokenizer(tokenizers.choice(self.manifest["configuration"]["tokenizer"]), self.folder / TOKENIZER)

    def _ids(self, column: str, index: int, unknown: int) -> tuple[Ids, Ids]:
        """Return the ids of a row, within the vocabulary and with the source's unknown words."""
        ids = np.array(self._columns[column][index], dtype=np.int64)
        above = self._columns[f"{column}_unknown"][index]
        fits = len(above) == np.count_nonzero(ids == UNK) and ids.max(initial=0) < self.entries
        if not fits or above.max(initial=0) >= self.entries + unknown:
            raise self._damaged(index, f"its {column} has words that neither it nor the vocabulary has")
        extended = ids.copy()
        extended[ids == UNK] = above
        return ids, extended

    def _texts(self, index: int) -> _Texts:
        try:
            return load(self._columns["texts"][index].tobytes().decode("utf-8"), _Texts)
        except ValueError as error:
            raise self._damaged(index, str(error)) from error

    def _damaged(self, index: int, why: str) -> InputError:
        return InputError(
            f"Example {index} in {self.folder / self.split} was damaged: {why}. Remove {self.folder} and prepare the "
            "corpus anew."
        )


def read_tokenizer(chosen: Choice[Tokenizer], folder: str | Path) -> Tokenizer:
    """Return the tokenizer of a preset's section [tokenizer] from a folder. Raises InputError, PresetError."""
    tokenizer = tokenizers.build(chosen)
    tokenizer.load(folder)
    return tokenizer


def find_tokenizer(chosen: Choice[Tokenizer], folder: str | Path) -> Path:
    """Return the folder of the tokenizer in a prepared corpus or model folder, which may be given itself.

    Raises:
        InputError: If there is none of the kind that the preset asks for.
        UnknownName: If there is no such kind.
    """
    folder = Path(folder)
    place = folder / TOKENIZER if (folder / TOKENIZER).is_dir() else folder
    kind = chosen.kind
    kinds = dict.fromkeys([*tokenizers.names(), kind])
    there = [name for name in kinds if (place / tokenizers.find(name).file).is_file()]
    if kind in there:
        return place
    if there:
        raise InputError(
            f"{folder} has a tokenizer of the kind {there[0]}, but the preset wants {kind}: "
            f"--set tokenizer.kind={there[0]}."
        )
    raise InputError(f"{folder} has no tokenizer; a folder that nutgraf prepare or nutgraf train left would have one.")


def read_manifest(folder: str | Path, split: str | None = None) -> Table:
    """Return the manifest of a prepared corpus. Raises InputError if there is none, or no such split."""
    path = Path(folder) / MANIFEST
    how = "nutgraf prepare PRESET SOURCE OUT makes such a folder"
    if not path.is_file():
        raise InputError(f"{folder} holds no prepared corpus (there is no {MANIFEST} in it); {how}.")
    manifest: Table = read_object(path, _Manifest, f"a manifest of a prepared corpus ({how})")
    splits = manifest["splits"]
    if split is not None and split not in splits:
        raise InputError(f"{folder} has no split {split!r}; it has {', '.join(splits)}.")
    return manifest


def configuration_of(preset: Preset) -> Table:
    """Return what decides the content of shards: sections with defaults, and whether sentences are marked."""
    asked = [name for name in ("keyphrases", "truncation", "labels", "candidates", "task") if preset.reads(name)]
    names = ["dataset", "tokenizer", *asked]
    found = {name: preset.options(name) for name in names}
    sections = {name: {} if options is None else table_of(options) for name, options in found.items()}
    return {**sections, **({"interval_segments": True} if has_interval_segments(preset) else {})}


def segments_of(preset: Preset) -> tuple[str, ...]:
    """Return the segments that the network of a preset needs: "sentences", "sections", both or none."""
    if not preset.reads("model"):
        return ()
    segments: tuple[str, ...] = preset.options("model").segments
    return segments


def differing(wanted: Mapping[str, Any], found: Mapping[str, Any], where: str = "") -> list[str]:
    """Return the keys of `wanted`, with dots, in which `found` differs, and how."""
    keys: list[str] = []
    for key, value in wanted.items():
        name, other = f"{where}{key}", found.get(key)
        if isinstance(value, Mapping) and isinstance(other, Mapping) and (other or not value):
            keys += differing(value, other, f"{name}.")
        elif value != other:
            keys.append(f"{name} is {_shown(other)} there, {_shown(value)} here")
    return keys


def _shown(value: Any) -> str:
    """Return a value of a configuration for a message."""
    if isinstance(value, Mapping):
        return repr(value["kind"]) if "kind" in value else ", ".join(value) or "absent"
    return "absent" if value is None else repr(value)


def _open_column(folder: Path, name: str, kind: np.dtype[Any]) -> Ragged:
    try:
        values = np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)
        ends = np.load(folder / f"{name}.ends.npy", mmap_mode="r", allow_pickle=False)
    except Exception as error:  # NumPy's reader of headers raises whatever Python's parser does
        raise InputError(f"{folder / name}.npy cannot be read: {error}. Prepare the corpus anew.") from error
    if not _are_whole(values, ends, kind):
        raise InputError(f"{folder / name}.npy is not whole; prepare the corpus anew.")
    return Ragged(values, np.array(ends))


def _are_whole(values: Any, ends: Any, kind: np.dtype[Any]) -> bool:
    """Return True if these are rows of a kind with valid ends."""
    if not isinstance(values, np.ndarray) or values.dtype != kind or values.ndim != 1:
        return False
    if not isinstance(ends, np.ndarray) or ends.dtype != np.int64 or ends.ndim != 1:
        return False
    rising = not len(ends) or (ends[0] >= 0 and bool((np.diff(ends) >= 0).all()))
    return rising and (int(ends[-1]) if len(ends) else 0) == len(values)


def _read_part(part: Path, name: str) -> Array:
    try:
        with np.load(part, allow_pickle=False) as arrays:
            return arrays[name]
    except Exception as error:  # whatever becomes of a damaged archive
        raise InputError(f"{part} was damaged ({error}); remove it and what lies beside it, and begin anew.") from error


def chunks(items: Iterator[Any], size: int) -> Iterator[list[Any]]:
    """Yield lists of `size` items, the last one perhaps shorter."""
    while chunk := list(islice(items, size)):
        yield chunk
