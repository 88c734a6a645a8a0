"""A campaign of damaged folders: what training, preparing or converting needs, with one thing in it mutated.

    python tests/hostile/folders.py [--count N] [--seed S] [--only I] [--kinds KIND …] [--report FILE]

A small network is trained, a corpus prepared, and tiny models of transformers are written once. Then each case copies
one of them, damages one file of it in a way that follows from the seed and the case's number, and runs a command that
reads it. Whatever was damaged, the command ends with status 0 or 2, says what is wrong in one sentence, and prints no
traceback.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import struct
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))

from sandbox import GIB, PRELOADED, Ran, Sandbox, absent

NEURAL = (
    "torch", "torch._dynamo", "nutgraf.checkpoint", "nutgraf.training.run", "nutgraf.systems.neural",
    "nutgraf.conversion", "nutgraf.conversion.*", "nutgraf.decoding.*", "nutgraf.model.*", "tokenizers",
    "matplotlib.figure",
)  # fmt: skip

WORDS: list[Any] = [
    None, True, "", "x", "\x1b[31m\nnutgraf: done", -1, 0, 1.5, 10**6, 2**63, 10**40, -(10**400), 1e308, [], {}, [[]],
    [None], {"a": {"b": 1}}, "../..", "a" * 5000, "model.evil", "nan", [1, 2, 3], "\ud800",
]  # fmt: skip
"""Values that take the place of others."""

RAW = ["NaN", "Infinity", "1e999", "[" * 100_000, '{"a":' * 20_000, "9" * 10_000, '"\\ud800"', "", "\x00"]
"""The same, as no program writes them."""

TOML = ["nan", "inf", "1e999", "0x" + "f" * 5000, "[[[[]]]]", "2020-01-01", "'model.evil'", "'\x1b'", "-5", "{}", "''"]

Damage = Callable[[random.Random, Path], str]


def damage_json(draw: random.Random, path: Path) -> str:
    """One value of a JSON file becomes another, a key goes, or the file says something that is not JSON."""
    content = json.loads(path.read_text(encoding="utf-8"))
    places = list(_places(content))
    where = draw.choice(places) if places else ()
    parent = content
    for key in where[:-1]:
        parent = parent[key]
    how = draw.choice(["value", "value", "value", "gone", "raw"])
    if not where:
        path.write_text(json.dumps(draw.choice(WORDS)))
        return "all of it"
    if how == "gone":
        if isinstance(parent, dict):
            del parent[where[-1]]
        else:
            parent.pop(where[-1])
        path.write_text(json.dumps(content))
    elif how == "raw":
        raw = draw.choice(RAW)
        parent[where[-1]] = "@@HERE@@"
        path.write_text(json.dumps(content).replace('"@@HERE@@"', raw))
        return f"{where} = {raw[:12]!r}"
    else:
        word = draw.choice(WORDS)
        parent[where[-1]] = word
        path.write_text(json.dumps(content))
        return f"{where} = {repr(word)[:30] if not isinstance(word, int) else hex(word)[:30]}"
    return f"{where} {how}"


def damage_toml(draw: random.Random, path: Path) -> str:
    """One line's value becomes another, a line goes or comes twice, or a section does."""
    lines = path.read_text(encoding="utf-8").splitlines()
    at = draw.randrange(len(lines))
    key, sign, _ = lines[at].partition(" = ")
    if not sign or draw.random() < 0.2:
        lines[at : at + 1] = draw.choice([[], [lines[at]] * 2, ["[" * 50_000], [f"[{'a.' * 3000}a]"], ["extends = 5"]])
    else:
        lines[at] = f"{key} = {draw.choice([*TOML, *(json.dumps(one) for one in (10**6, 10**12, -1, 'x', True, []))])}"
    path.write_text("\n".join(lines), encoding="utf-8")
    return lines[at][:60] if at < len(lines) else "a line gone"


def damage_bytes(draw: random.Random, path: Path) -> str:
    """Bytes change, go, come, or all of them do."""
    data = bytearray(path.read_bytes())
    how = draw.choice(["cut", "flip", "flip", "empty", "random", "more", "folder", "gone", "zero"])
    if how == "cut":
        data = data[: draw.randrange(len(data) + 1)]
    elif how == "flip":
        for _ in range(draw.choice([1, 4, 64])):
            if data:
                data[draw.randrange(min(len(data), draw.choice([64, 1 << 30])))] = draw.randrange(256)
    elif how == "empty":
        data = bytearray()
    elif how == "random":
        data = bytearray(draw.randbytes(draw.choice([1, 100, 5000])))
    elif how == "more":
        data += draw.randbytes(100)
    elif how == "zero":
        data = bytearray(len(data))
    path.unlink()
    if how == "folder":
        path.mkdir()
    elif how != "gone":
        path.write_bytes(data)
    return how


def damage_safetensors(draw: random.Random, path: Path) -> str:
    """The head says something else, or the numbers are others; the digest is made to fit as an attacker would."""
    if draw.random() < 0.3:
        return damage_bytes(draw, path)
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    if draw.random() < 0.5:
        head = Path(f"{path}.head")
        head.write_bytes(data[8 : 8 + length])
        damage = damage_json(draw, head)
        made = head.read_bytes()
        path.unlink()
        path.write_bytes(struct.pack("<Q", len(made)) + made + data[8 + length :])
        head.unlink()
        return f"its head: {damage}"
    from safetensors.torch import load_file

    from nutgraf.checkpoint import write_tensors

    tensors = dict(load_file(path))
    name = draw.choice(sorted(tensors))
    how = draw.choice(["nan", "inf", "gone", "more", "shape", "type", "scalar"])
    if how in ("nan", "inf"):
        tensors[name].reshape(-1)[0] = float(how)
    elif how == "gone":
        del tensors[name]
    elif how == "more":
        tensors["more"] = tensors[name].clone()
    elif how == "shape":
        tensors[name] = tensors[name].unsqueeze(0).clone()
    elif how == "type":
        tensors[name] = tensors[name].half()
    else:
        tensors[name] = tensors[name].reshape(-1)[:1].clone().reshape(())
    path.unlink()
    write_tensors(path, tensors)
    return f"{name} {how}"


def damage_array(draw: random.Random, path: Path) -> str:
    """The numbers of an array are others, or its form is."""
    import numpy as np

    if draw.random() < 0.4:
        return damage_bytes(draw, path)
    values = np.load(path)
    how = draw.choice(["large", "negative", "shuffled", "short", "square", "type", "objects"])
    if how == "large" and len(values):
        values.reshape(-1).view("u1")[-1] = 127
    elif how == "negative" and len(values):
        values.reshape(-1).view("u1")[:] = 255
    elif how == "shuffled":
        values = values[::-1]
    elif how == "short":
        values = values[: len(values) // 2]
    elif how == "square":
        values = values[None]
    elif how == "type":
        values = values.astype("f8") if values.dtype.names is None else values[["start"]]
    elif how == "objects":
        values = np.array([{}, []], dtype=object)
    np.save(path, values)
    return how


KINDS = {"trained": 5, "prepared": 3, "bert": 2, "writer": 3, "chat": 2, "checker": 2}
"""Folders that are damaged, with how often."""

TEXT = "The ferry left at noon. It carried a piano. A storm broke its mast. Nobody was hurt.\n"

QUICK = """
--set model.folder=given --set truncation.source=60 --set truncation.target=40 --set keyphrases.tagger=content
--set training.max_steps=2 --set training.validate_every=2 --set training.gradient_accumulation_steps=1
--set training.precision=fp32 --set training.threads=1
""".split()
"""Options of a training that has begun as soon as it can be over."""

DAMAGES: dict[str, Sequence[Damage]] = {
    ".json": [damage_json, damage_json, damage_json, damage_bytes],
    ".jsonl": [damage_bytes],
    ".toml": [damage_toml, damage_toml, damage_bytes],
    ".safetensors": [damage_safetensors],
    ".npy": [damage_array],
    ".txt": [damage_bytes],
    ".jinja": [damage_bytes],
    ".bin": [damage_bytes],
    ".pt": [damage_bytes],
}


def _places(value: Any, above: tuple[Any, ...] = ()) -> Any:
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in below:
        yield (*above, key)
        if len(above) < 5:
            yield from list(_places(one, (*above, key)))[:200]


def make_sources(folder: Path | str) -> None:
    """Write a trained model, a prepared corpus and models of transformers, all whole, and the corpus as it was."""
    from nutgraf.model.library_errors import quiet
    from nutgraf.preparation import prepare
    from nutgraf.training.run import train
    from tiny_bert import plain_bert
    from tiny_checkers import pairs
    from tiny_network import NOTICES, tiny
    from tiny_pretrained import llama, untrained

    folder = Path(folder)
    corpus = folder / "notices.jsonl"
    corpus.write_text("".join(json.dumps({"text": text, "summary": summary}) + "\n" for text, summary in NOTICES))
    small = {
        "training.max_steps": 4,
        "training.validate_every": 2,
        "training.checkpoint_every": 2,
        "training.precision": "fp32",
        "training.threads": 1,
        "decoding.max_length": 12,
        "keyphrases.tagger": "content",
    }
    preset = tiny(**small)
    prepare(preset, corpus, folder / "prepared", workers=1)
    with absent(["matplotlib.figure"]):  # a picture takes as long as all the rest
        train(preset, folder / "prepared", folder / "trained")
    plain_bert(folder / "bert")
    with quiet():  # a bar of progress has a thread
        untrained(folder / "writer", "BartForConditionalGeneration")
        llama(folder / "chat", learns=False)
        pairs(folder / "checker", [TEXT], "noon", ("contradiction", "entailment", "neutral"), 1)


def commands(kind: str, draw: random.Random) -> list[str]:
    """Commands that read such a folder, which is called `given`."""
    text = ["text.txt", "--words", "12"]
    choices: dict[str, list[list[str]]] = {
        "trained": [
            ["summarize", *text, "--system", "given"],
            ["summarize", *text, "--system", "given", "--json", "--explain"],
            ["info", "given"],
            ["info", "given", "--json"],
            ["summarize", *text, "--system", "mls", "--set", "prototype=given"],
            ["evaluate", "given", "--data", "notices.jsonl", "--sentences", "1"],
            ["prepare", "given/preset.toml", "notices.jsonl", "out", "--tokenizer", "given", "--workers", "1"],
            ["presets", "given/preset.toml"],
            ["presets", "given/preset.toml", "--json"],
            ["train", "given/preset.toml", "--data", "whole", "--out", "given", "--resume", "-q"],
            ["train", "whole.toml", "--data", "whole", "--out", "out", "--init-from", "given", "-q"],
        ],
        "prepared": [
            ["train", "whole.toml", "--data", "given", "--out", "out", "-q"],
            ["prepare", "whole.toml", "notices.jsonl", "given", "--workers", "1"],
            ["prepare", "whole.toml", "notices.jsonl", "out", "--tokenizer", "given", "--workers", "1"],
        ],
        "writer": [
            ["summarize", *text, "--system", "hf:given"],
            ["export", "given", "--to", "ctranslate2", "--out", "out"],
            [
                "train",
                "bart_kpat",
                "--data",
                "notices.jsonl",
                "--out",
                "out",
                "-q",
                "--set",
                "model.folder=given",
                *QUICK,
            ],
        ],
        "chat": [
            ["summarize", *text, "--system", "hf:given"],
            ["export", "given", "--to", "ctranslate2", "--out", "out"],
        ],
        "checker": [["check", "text.txt", "text.txt", "--checker", "given"]],
        "bert": [["convert", "given", "out"], ["convert", "given", "out", "--decoder"]],
    }
    return draw.choice(choices[kind])


def build(
    number: int, seed: int, sources: Path, folder: Path, kinds: Sequence[str] = tuple(KINDS)
) -> tuple[str, list[str]]:
    """Make case `number` in a folder, of one of some kinds: what was done, and the command line."""
    draw = random.Random(f"{seed}/{number}")
    kind = draw.choices(kinds, [KINDS[one] for one in kinds])[0]
    shutil.copytree(sources / kind, folder / "given")
    shutil.copytree(sources / "prepared", folder / "whole")
    shutil.copyfile(sources / "trained" / "preset.toml", folder / "whole.toml")
    shutil.copyfile(sources / "notices.jsonl", folder / "notices.jsonl")
    (folder / "text.txt").write_text(TEXT)
    files = [path for path in sorted((folder / "given").rglob("*")) if path.suffix in DAMAGES and path.is_file()]
    small = [path for path in files if path.suffix in (".json", ".toml")]
    path = draw.choice(small if draw.random() < 0.6 else files)
    damage = draw.choice(DAMAGES[path.suffix])(draw, path)
    return f"{kind}/{path.relative_to(folder / 'given')}: {damage}", commands(kind, draw)


def violation(ran: Ran) -> str:
    """What is wrong with how a command ended; "" if nothing is."""
    if ran.timed_out:
        return "timed out"
    if ran.crashed:
        last = [line for line in ran.stderr.splitlines() if line.strip()]
        return f"crashed: {last[-1][:150] if last else ran.status}"
    if ran.status not in (0, 2):
        return f"status {ran.status}: {ran.stderr.strip()[-200:]}"
    odd = [line for line in ran.stderr.splitlines() if not line.startswith(("nutgraf: ", "Usage: "))]
    if odd:
        return f"a line that is not ours: {odd[0][:150]!r}"
    return "" if ran.status == 0 or ran.stderr.strip() else "refused without a word"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--count", type=int, default=335)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", type=int)
    options.add_argument("--kinds", nargs="+", default=list(KINDS), choices=KINDS, help="folders that are damaged")
    options.add_argument("--report", type=Path)
    given = options.parse_args()
    os.environ["OMP_NUM_THREADS"] = "1"
    numbers = range(given.count) if given.only is None else [given.only]
    with tempfile.TemporaryDirectory() as place, Sandbox([*PRELOADED, *NEURAL]) as sandbox:
        make_sources(place)
        found: list[dict[str, Any]] = []
        ends: Counter[int] = Counter()
        for number in numbers:
            with tempfile.TemporaryDirectory() as folder:
                what, argv = build(number, given.seed, Path(place), Path(folder), given.kinds)
                ran = sandbox.run(argv, Path(folder), seconds=60, memory=8 * GIB)
            ends[ran.status] += 1
            wrong = violation(ran)
            if given.only is not None:
                print(what, argv, ran, sep="\n")
            if wrong:
                found.append({"case": number, "what": what, "argv": argv, "wrong": wrong})
                print(f"{number}: {what}\n   {' '.join(argv)}\n   {wrong}", flush=True)
    outcome = {"cases": len(numbers), "seed": given.seed, "statuses": dict(ends), "violations": found}
    print(f"{len(numbers)} cases, statuses {dict(ends)}, {len(found)} violations")
    if given.report:
        given.report.parent.mkdir(parents=True, exist_ok=True)
        given.report.write_text(json.dumps(outcome, indent=2) + "\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
