"""Pretrained models for other engines: CTranslate2 and ONNX; `slim.py` writes models of ours without their training.

An engine reads what is written here without nutgraf, and without what nutgraf adds to a model; `LOST` names it. Before
a folder is kept, the engine itself writes a few texts with it, and the tokens are compared with those of the original.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from nutgraf.errors import InputError, UnknownName
from nutgraf.export import _ctranslate2, _onnx
from nutgraf.export._agreement import agreement, trials
from nutgraf.export._format import Format, Original
from nutgraf.model.library_errors import told
from nutgraf.model.pretrained_folder import checked_config, fingerprint_of, read_network, read_tokenizer
from nutgraf.model.pretrained_generation import settings_of
from nutgraf.model.pretrained_place import folder_of
from nutgraf.model_folder import CARD as OUR_CARD
from nutgraf.model_folder import PRESET
from nutgraf.runtime.files import atomic_folder, lock_new
from nutgraf.version import __version__

CARD = "export.json"
"""File of the card in a folder that was exported."""

FULL = "float32"
"""Type of the weights as they are; with any other one a model may write other words."""

BESIDE = ("tokenizer*", "*.model", "vocab.*", "merges.txt", "special_tokens_map.json", "added_tokens.json", "*.jinja")
"""Files that are copied: the tokenizer and its chat template."""

LOST = (
    "highlights and questions, and what they changed",
    "lengths that hold to the word",
    "windows over long texts, and several documents",
    "where each sentence comes from: copied words, attention, --ablate",
    "constraints of the search, such as grounding",
    "checks of what was written",
)
"""What nutgraf adds to a model, and an engine that reads its folder does not have."""

FORMATS: Mapping[str, Format] = {"ctranslate2": _ctranslate2.FORMAT, "onnx": _onnx.FORMAT}


@dataclass(frozen=True)
class Exported:
    """The result of an export.

    Attributes:
        format: Name of the format.
        source: Folder of the model.
        fingerprint: Hash of its configuration and samples of its weights.
        quantization: Type of the weights.
        agreement: Share of the tokens of the trial texts at which both wrote the same, from 0 to 1.
        lost: What nutgraf adds to a model and the engine does not have.
        versions: Versions of the packages that took part.
    """

    format: str
    source: str
    fingerprint: str
    quantization: str
    agreement: float
    lost: tuple[str, ...]
    versions: Mapping[str, str]


def export(model: str, out: str | Path, to: str, quantization: str = FULL) -> Exported:
    """Write a pretrained model as another engine reads it.

    Args:
        model: A folder of transformers, or a name in the cache of huggingface_hub; "hf:" may stand before it.
        out: Folder to write.
        to: Format: "ctranslate2" or "onnx".
        quantization: Type of the weights; see `FORMATS[to].quantizations`.

    Raises:
        InputError: If there is no such model, it cannot be exported, or the engine does not write what it writes.
        MissingPackage: If a package of the extra `export` is not installed.
        OutputError: If the folder is there already, or cannot be written.
        UnknownName: If there is no such format or quantization.
    """
    if to not in FORMATS:
        raise UnknownName("export format", to, FORMATS)
    chosen = FORMATS[to]
    if quantization not in chosen.quantizations:
        raise UnknownName(f"quantization of {to}", quantization, chosen.quantizations)
    with lock_new(out) as target, atomic_folder(target) as made:
        folder, shared = _write(model, to, made, quantization)
        packages = ("torch", "transformers", *chosen.packages)
        versions = {"nutgraf": __version__, **{name: version(name) for name in packages}}
        found = Exported(to, str(folder), fingerprint_of(folder), quantization, shared, LOST, versions)
        _copy_beside(folder, made)
        (made / CARD).write_text(json.dumps(asdict(found), indent=1) + "\n", encoding="utf-8")
    return found


def _write(model: str, to: str, made: Path, quantization: str) -> tuple[Path, float]:
    """Write a model; return its folder, and the share of tokens at which the engine writes what it writes.

    Raises InputError if the engine, with weights of full precision, writes anything else.
    """
    if quantization != FULL:
        with TemporaryDirectory() as trial:  # otherwise nobody could tell a wrong conversion from rounding
            _write(model, to, Path(trial), FULL)
    original, chosen = _read(model), FORMATS[to]
    with told(original.folder, "writes no text"):
        wanted = trials(original)
    chosen.write(original, made, quantization)
    try:
        shared = agreement(chosen.read(made, original), wanted)
    except (RuntimeError, ValueError, TypeError) as error:  # as where the tokenizer lacks a special token
        raise InputError(
            f"{original.folder} cannot be exported: {to} does not run what was made of it ({error})."
        ) from error
    if shared < 1 and quantization == FULL:
        raise InputError(
            f"{original.folder} cannot be exported: as {to} it wrote {shared:.0%} of the tokens that it writes itself, "
            "and at the same precision they should all be the same."
        )
    return original.folder, shared


def _read(model: str) -> Original:
    folder = folder_of(model.removeprefix("hf:"))
    if (folder / PRESET).is_file() and (folder / OUR_CARD).is_file():
        raise InputError(
            f"{folder} is a model folder of nutgraf: no other engine has its guided attention, its copying and its "
            "coverage. --to nutgraf writes it without its training, and in 8 bits where asked; folders of transformers "
            "can be exported, such as those that --system hf:FOLDER takes."
        )
    config = checked_config(folder)
    network = read_network(folder, config, "float32").network.eval()
    settings_of(network, folder)  # which raises for those with which nothing can be written
    return Original(folder, config, network, read_tokenizer(folder))


def _copy_beside(folder: Path, made: Path) -> None:
    for path in sorted({one for pattern in BESIDE for one in folder.glob(pattern)}):
        if path.is_file() and not (made / path.name).exists():
            shutil.copyfile(path, made / path.name)
