"""Train the networks of this distribution from the open corpora, and put them in its folders.

    python models/make.py --data ../shared/data [--work runs/models]

Whatever is finished in --work is not made again, and a training that was stopped goes on. The title network takes about
an hour and a half of one core. Of the training part of acl_titles, every example whose id has a SHA-256 digest that 24
divides is for validation; the published validation part is not read.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import shutil
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent / "src" / "nutgraf_models"
LICENCE = "Apache-2.0; learned from abstracts and titles of the ACL Anthology (CC BY 4.0)"
VALIDATION = 24
"""One of so many examples is for validation."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of the corpora")
    parser.add_argument("--work", type=Path, default=Path("runs/models"), help="folder for what is made on the way")
    options = parser.parse_args()
    corpus = options.data / "acl_titles" / "train.jsonl.xz"
    if not corpus.is_file():
        parser.error(f"there is no {corpus}; --data names the folder of the corpora")
    texts, prepared, trained, small = (options.work / name for name in ("texts", "prepared", "title", "title-int8"))
    split(corpus, texts)
    nutgraf("prepare", "title_small", texts, prepared)
    if not (trained / "card.json").is_file() or not (trained / "weights.safetensors").is_file():
        resumed = ["--resume"] if (trained / "checkpoints" / "last").is_dir() else []
        nutgraf("train", "title_small", "--data", prepared, "--out", trained, "--set", "training.threads=1", *resumed)
    if not small.is_dir():
        nutgraf("export", trained, "--to", "nutgraf", "--quantization", "int8", "--out", small)
    shutil.copytree(small, PACKAGE / "title", dirs_exist_ok=True)
    state_licence(PACKAGE / "title" / "card.json")


def state_licence(card: Path) -> None:
    """Say in the card of a model whose texts it learned from, which the corpus does not."""
    told = json.loads(card.read_text(encoding="utf-8")) | {"licence": LICENCE}
    card.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def split(corpus: Path, folder: Path) -> None:
    """Write the examples as `nutgraf prepare` reads them, in two parts."""
    folder.mkdir(parents=True, exist_ok=True)
    with (
        lzma.open(corpus, "rt", encoding="utf-8") as lines,
        (folder / "train.jsonl").open("w", encoding="utf-8") as train,
        (folder / "validation.jsonl").open("w", encoding="utf-8") as validation,
    ):
        for row in map(json.loads, lines):
            kept = int(hashlib.sha256(row["id"].encode()).hexdigest(), 16) % VALIDATION == 0
            example = {"id": row["id"], "text": "\n\n".join(row["documents"]), "summary": row["summary"]}
            print(json.dumps(example, ensure_ascii=False), file=validation if kept else train)


def nutgraf(*arguments: object) -> None:
    subprocess.run([sys.executable, "-m", "nutgraf", *map(str, arguments)], check=True)


if __name__ == "__main__":
    main()
