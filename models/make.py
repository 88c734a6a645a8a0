"""Train the networks of this distribution from the open corpora, and put them in its folders.

    python models/make.py --data ../shared/data [--work runs/models] [--network tldr]

Whatever is finished in --work is not made again, and a training that was stopped goes on. The title network takes about
an hour and a half of one core. `tldr`, which writes a sentence, takes as long: it begins with the weights of the title
network in the package, learns which sentence of an abstract is the most like its title or its summary, and then the
summaries of SciTLDR.
Examples of the training parts whose ids have a SHA-256 digest that 24 (of abstracts with titles) or 12 (of SciTLDR)
divides are for validation; the published validation parts are not read.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent / "src" / "nutgraf_models"
LICENCES = {
    "title": "Apache-2.0; learned from abstracts and titles of the ACL Anthology (CC BY 4.0)",
    "tldr": "Apache-2.0; learned from abstracts and titles of the ACL Anthology (CC BY 4.0), and SciTLDR (Apache-2.0)",
}
"""Networks, and what their cards say of their licence."""

TITLES, SENTENCES = "acl_titles", "scitldr"
VALIDATION = {TITLES: 24, SENTENCES: 12}
"""One of so many examples is for validation."""

REPEATED = 3
"""How often the abstracts of SciTLDR are among those from which a sentence is selected."""

VALIDATION_TITLES = 200
"""Abstracts with titles that validate the selection of a sentence, beside those of SciTLDR."""

SELECTION = {
    "dataset.kind": "oracle_sentences",
    "dataset.of.kind": "jsonl",
    "dataset.sentences": 1,
    "truncation.target": 70,
}
"""What `tldr_small` reads while it learns to select a sentence."""

SELECTING = {
    "training.batch_size": 32,
    "training.max_steps": 800,
    "training.schedule.learning_rate": 6e-4,
    "training.schedule.warmup_steps": 60,
    "training.schedule.end_step": 800,
    "training.validate_every": 200,
    "training.rouge_examples": 0,
    "training.patience": 0,
    "training.ema_decay": 0.99,
}

Rows = list[dict[str, str]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of the corpora")
    parser.add_argument("--work", type=Path, default=Path("runs/models"), help="folder for what is made on the way")
    parser.add_argument("--network", choices=LICENCES, default="title", help="network that is made")
    options = parser.parse_args()
    for name in (TITLES, SENTENCES):
        if not (options.data / name / "train.jsonl.xz").is_file():
            parser.error(
                f"there is no {options.data / name / 'train.jsonl.xz'}; --data names the folder of the corpora"
            )
    make = {"title": title, "tldr": tldr}[options.network]
    pack(make(options.data, options.work), options.network)


def title(data: Path, work: Path) -> Path:
    """Train the network that writes titles, and return its folder."""
    write(work / "texts", *split(data, TITLES))
    return train("title_small", work / "texts", work / "title", {}, {})


def tldr(data: Path, work: Path) -> Path:
    """Train the network that writes a sentence, beginning with the one in the package that writes titles."""
    titles, validation_titles = split(data, TITLES)
    sentences, validation = split(data, SENTENCES)
    again = [{**row, "id": f"{row['id']}-{time}"} for time in range(REPEATED) for row in sentences]
    write(work / "select-texts", titles + again, validation + validation_titles[:VALIDATION_TITLES])
    write(work / "sentences", sentences, validation)
    first = PACKAGE / "title"
    selecting = train("tldr_small", work / "select-texts", work / "select", SELECTION, SELECTING, first)
    return train("tldr_small", work / "sentences", work / "tldr", {}, {}, selecting)


def pack(trained: Path, name: str) -> None:
    """Convert a network to 8 bits, and put it in its place with the licence of what it learned from in its card."""
    small, place = trained.with_name(f"{trained.name}-int8"), PACKAGE / name
    if not small.is_dir():
        nutgraf("export", trained, "--to", "nutgraf", "--quantization", "int8", "--out", small)
    shutil.copytree(small, place, dirs_exist_ok=True)
    card = place / "card.json"
    told = json.loads(card.read_text(encoding="utf-8")) | {"licence": LICENCES[name]}
    card.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def split(data: Path, name: str) -> tuple[Rows, Rows]:
    """Return the training part of a corpus as `nutgraf prepare` reads it: what is learned, and what validates."""
    parts: tuple[Rows, Rows] = [], []
    with lzma.open(data / name / "train.jsonl.xz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            kept = int(hashlib.sha256(row["id"].encode()).hexdigest(), 16) % VALIDATION[name] == 0
            parts[kept].append({"id": row["id"], "text": "\n\n".join(row["documents"]), "summary": row["summary"]})
    return parts


def write(folder: Path, train: Rows, validation: Rows) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in (("train", train), ("validation", validation)):
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")


def train(
    preset: str, texts: Path, out: Path, reads: dict[str, Any], learns: dict[str, Any], first: Path | None = None
) -> Path:
    """Prepare texts and train a network, unless that was done, and return its folder.

    Args:
        preset: Preset of the network.
        texts: Folder of the texts.
        out: Folder of the network; the prepared texts lie beside it.
        reads: Changes of the preset for both.
        learns: Further ones for the training.
        first: Network whose tokenizer and weights are taken.
    """
    prepared = out.with_name(f"{out.name}-prepared")
    nutgraf("prepare", preset, texts, prepared, *(["--tokenizer", first] if first else []), *changes(reads))
    if not (out / "card.json").is_file() or not (out / "weights.safetensors").is_file():
        resumed = ["--resume"] if (out / "checkpoints" / "last").is_dir() else []
        start = ["--init-from", first] if first else []
        asked = changes(reads | learns | {"training.threads": 1})
        nutgraf("train", preset, "--data", prepared, "--out", out, *start, *asked, *resumed)
    return out


def changes(options: dict[str, Any]) -> Iterable[str]:
    return [part for name, value in options.items() for part in ("--set", f"{name}={value}")]


def nutgraf(*arguments: object) -> None:
    subprocess.run([sys.executable, "-m", "nutgraf", *map(str, arguments)], check=True)


if __name__ == "__main__":
    main()
