"""`nutgraf train` and `nutgraf info` on a corpus of a minute's work."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import tomli_w
from typer.testing import CliRunner, Result

pytest.importorskip("torch")

from nutgraf.checkpoint import digest_of, load, read_tensors
from nutgraf.cli.app import app
from nutgraf.errors import NutgrafError
from nutgraf.model_folder import read_preset
from nutgraf.systems import read_preset as read
from nutgraf.systems import sections_of

PRESET = """
extends = "kpat"
[dataset]
kind = "jsonl"
[tokenizer]
vocab_size = 60
[truncation]
kind = "head"
source = 40
target = 20
[model]
d_model = 16
num_heads = 4
max_positions = 64
[model.encoder]
num_layers = 2
ffn_dim = 32
[model.decoder]
num_layers = 1
ffn_dim = 32
[decoding]
min_length = 0
max_length = 12
[training]
max_steps = 24
batch_size = 8
batch_type = "examples"
gradient_accumulation_steps = 1
validate_every = 8
rouge_examples = 3
checkpoint_every = 5
log_every = 4
device = "cpu"
[training.schedule]
kind = "constant"
learning_rate = 0.01
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A preset, a corpus, and the folder that training leaves."""
    folder = tmp_path_factory.mktemp("train")
    (folder / "tiny.toml").write_text(PRESET)
    draw = random.Random(3)
    (folder / "corpus").mkdir()
    for split, count in (("train", 40), ("validation", 7), ("test", 3)):
        lines = []
        for number in range(count):
            name, port = (
                draw.choice(["Agnes", "Berta", "Dora", "Edda"]),
                draw.choice(["Tremouth", "Lindow", "Skarholm"]),
            )
            text = f"The ferry {name} left {port} at noon. It rained all day. Nobody was hurt."
            lines.append(json.dumps({"id": f"{number}", "text": text, "summary": f"The {name} left {port}."}))
        (folder / "corpus" / f"{split}.jsonl").write_text("\n".join(lines))
    done = nutgraf(folder, "train", "tiny.toml", "--data", "corpus", "--out", "out")
    assert done.exit_code == 0, done.output
    return folder


def nutgraf(folder: Path, *arguments: str) -> Result:
    before = Path.cwd()
    os.chdir(folder)
    try:
        return CliRunner().invoke(app, arguments)
    finally:
        os.chdir(before)


def stderr_of(folder: Path, *arguments: str) -> str:
    """The sentence that a command ends with."""
    result = nutgraf(folder, *arguments)
    assert isinstance(result.exception, NutgrafError), result.output
    return str(result.exception)


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "nutgraf", *arguments]


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.run(command(*arguments), cwd=folder, capture_output=True, text=True, env=environment)


def digest(folder: Path, place: str = "") -> str:
    return digest_of(read_tensors(folder / place / "weights.safetensors"))


def steps(folder: Path) -> list[int]:
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    return [line["step"] for line in lines if line["kind"] == "progress"]


def test_a_folder_that_rebuilds_itself(place):
    trained = load(place / "out", sections_of)
    assert trained.preset.name == "tiny"
    assert trained.preset.section("dataset")["kind"] == "jsonl"
    assert len(trained.tokenizer) == trained.card["vocab_size"]
    assert not trained.network.training
    assert sum(one.numel() for one in trained.network.parameters()) == trained.card["parameters"]
    rouge = {"ROUGE-1", "ROUGE-2", "ROUGE-L"}
    assert {"loss", "perplexity", *rouge, "repetition", "repetition_references"} == set(trained.card["scores"])
    assert (place / "out" / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert steps(place / "out") == [4, 8, 12, 16, 20, 24]


def test_it_is_a_system(place):
    (place / "note.txt").write_text("The ferry Berta left Lindow at noon. It rained all day. Nobody was hurt.")
    done = nutgraf(place, "summarize", "note.txt", "--system", "out")
    assert done.exit_code == 0, done.output
    assert done.stdout.strip()


def test_info_shows_what_it_is(place):
    shown = nutgraf(place, "info", "out").stdout
    for part in (
        "tiny: KPAT, weighted",
        "parameters, a vocabulary of",
        "24 steps, 4.8 epochs",
        "jsonl, train 40, validation 7, test 3; manifest",
        "ROUGE-2",
        "licence",
        "nutgraf train tiny.toml --data corpus --out out",
    ):
        assert part in shown
    whole = json.loads(nutgraf(place, "info", "out", "--json").stdout)
    assert whole["table"]["model"]["encoder"]["attention"]["kind"] == "highlight"
    assert whole["training"]["step"] == 24


def test_info_of_what_is_no_trained_folder(place):
    assert "card.json" in stderr_of(place, "info", "corpus")


def test_a_killed_run_loses_at_most_one_interval_and_goes_on_as_if_nothing_had_been(place):
    asked = ("train", "tiny.toml", "--data", "out.data", "--out", "killed", "--quiet")
    last = place / "killed" / "checkpoints" / "last"
    process = subprocess.Popen(command(*asked), cwd=place, env={**os.environ, "OMP_NUM_THREADS": "1"})
    while not last.exists() and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = json.loads((last / "state.json").read_text())["state"]["step"]
    assert kept >= 5
    done = nutgraf(place, *asked, "--resume")
    assert done.exit_code == 0, done.output
    assert digest(place / "killed", "checkpoints/last") == digest(place / "out", "checkpoints/last")
    assert steps(place / "killed") == steps(place / "out")


def test_a_stopped_run_says_how_it_goes_on(place):
    asked = ("train", "tiny.toml", "--data", "out.data", "--out", "stopped", "--set", "training.max_steps=100000")
    process = subprocess.Popen(
        command(*asked), cwd=place, env={**os.environ, "OMP_NUM_THREADS": "1"}, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("nutgraf: step 4 "):
            process.send_signal(signal.SIGTERM)
            break
    message = process.stderr.read()
    assert process.wait() == 130
    stopped = re.search(r"Stopped at step (\d+) and saved; the same command with --resume goes on\.", message)
    assert stopped is not None
    chosen = json.loads((place / "stopped" / "card.json").read_text())["weights"]["step"]
    assert (f"step {chosen}," in message) == (chosen != int(stopped[1]))
    assert (place / "stopped" / "checkpoints" / "last" / "state.json").is_file()
    assert nutgraf(place, "info", "stopped").exit_code == 0


def test_two_processes_learn_together_and_one_writes(place):
    launch = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2", "-m", "nutgraf"]
    asked = ["train", "tiny.toml", "--data", "out.data", "--out", "two", "--set", "training.average_checkpoints=2"]
    asked += ["--set", "training.device=auto"]  # as in every preset
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
    done = subprocess.run([*launch, *asked], cwd=place, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stderr
    card = json.loads((place / "two" / "card.json").read_text())
    assert card["training"]["processes"] == 2
    assert card["training"]["epochs"] == pytest.approx(8.0)
    assert card["scores"]["loss"] < 2
    assert done.stderr.count("Training ends") == 1


def test_init_from_takes_the_weights_that_fit(place):
    plain = ("--set", "model.encoder.attention.kind=dot_product", "--set", "training.max_steps=4")
    assert nutgraf(place, "train", "tiny.toml", "--data", "out.data", "--out", "trunk", *plain).exit_code == 0
    asked = ("train", "tiny.toml", "--data", "out.data", "--out", "branch", "--set", "training.max_steps=1")
    done = nutgraf(place, *asked, "--init-from", "trunk", "--set", "training.init_optimizer=true")
    assert done.exit_code == 0, done.output
    warm = json.loads((place / "branch" / "card.json").read_text())["init_from"]
    assert {name.rpartition(".")[2] for name in warm["new"]} == {"weight", "bias"}
    assert all("self_attention.scale" in name for name in warm["new"])
    assert (warm["unused"], warm["other_shape"], warm["optimizer"]) == ([], [], True)
    assert "encoder.layers.0.self_attention.scale" in done.stderr


def test_a_file_of_ones_own_is_prepared_first(place):
    (place / "mine.jsonl").write_text((place / "corpus" / "train.jsonl").read_text())
    preset = (place / "tiny.toml").read_text().replace('kind = "jsonl"', 'kind = "multi_news"')
    (place / "mine.toml").write_text(preset)
    done = nutgraf(
        place, "train", "mine.toml", "--data", "mine.jsonl", "--out", "mine", "--set", "training.max_steps=2"
    )
    assert done.exit_code == 0, done.output
    assert json.loads((place / "mine" / "card.json").read_text())["data"]["dataset"] == "jsonl"
    manifest = json.loads((place / "mine.data" / "manifest.json").read_text())
    assert read_preset(place / "mine", sections_of).complete()["dataset"] == manifest["configuration"]["dataset"]


def test_a_preset_of_ones_own_may_leave_the_data_set_to_the_file(place):
    (place / "file.jsonl").write_text((place / "corpus" / "train.jsonl").read_text())
    preset = (place / "tiny.toml").read_text().replace('extends = "kpat"', 'extends = "bare.toml"')
    (place / "file.toml").write_text(preset.replace('[dataset]\nkind = "jsonl"\n', ""))
    whole = {key: value for key, value in read("kpat").table.items() if key != "dataset"}
    (place / "bare.toml").write_text(tomli_w.dumps(whole))
    asked = ("train", "file.toml", "--data", "file.jsonl", "--out", "file", "--set", "training.max_steps=1")
    done = nutgraf(place, *asked)
    assert done.exit_code == 0, done.output
    assert read_preset(place / "file", sections_of).options("dataset").kind == "jsonl"


def test_mistakes_are_told_before_anything_is_written(place):
    asked = ("train", "tiny.toml", "--data", "out.data", "--out")
    mistakes = {
        "holds a training already: --resume": (*asked, "out"),
        "model.dropout is 0.2 there, 0.3 here": (*asked, "out", "--resume", "--set", "model.dropout=0.3"),
        "truncation.source is 40 there, 41 here": (*asked, "none", "--set", "truncation.source=41"),
        "'extractive'; it has no network": ("train", "lead", "--data", "out.data", "--out", "none"),
        "There is no nowhere": ("train", "tiny.toml", "--data", "nowhere", "--out", "none"),
        "training has no option 'bach'": (*asked, "none", "--set", "training.bach=3"),
        "corpus is not empty": (*asked, "corpus"),
        "tiny.toml is a file": (*asked, "tiny.toml"),
        "nowhere is not a trained model": (*asked, "none", "--init-from", "nowhere"),
    }
    for message, arguments in mistakes.items():
        assert message in stderr_of(place, *arguments)
        assert not (place / "none").exists()


def test_a_mistake_leaves_with_status_2(place):
    done = run(place, "train", "tiny.toml", "--data", "nowhere", "--out", "none")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("nutgraf: There is no nowhere; --data is a corpus, or")


def test_init_from_refuses_another_tokenizer(place):
    other = (place / "tiny.toml").read_text().replace("size = 60", "size = 12")
    (place / "other.toml").write_text(other)
    assert nutgraf(place, "prepare", "other.toml", "corpus", "other.data").exit_code == 0
    asked = ("train", "other.toml", "--out", "other", "--init-from", "out")
    message = stderr_of(place, *asked, "--data", "other.data")
    assert "25 entries" in message
    assert "--tokenizer" in message
    assert "12 words at most" in stderr_of(place, *asked, "--data", "corpus")


def test_a_corpus_is_prepared_with_the_tokenizer_of_the_trunk(place):
    (place / "corpus2").mkdir()
    for split in ("train", "validation"):
        line = {"text": "The swing bridge of Ossington is closed until May.", "summary": "The bridge is closed."}
        (place / "corpus2" / f"{split}.jsonl").write_text(json.dumps(line))
    asked = ("train", "tiny.toml", "--data", "corpus2", "--out", "tuned", "--set", "training.max_steps=1")
    done = nutgraf(place, *asked, "--init-from", "out")
    assert done.exit_code == 0, done.output
    assert load(place / "tuned", sections_of).tokenizer.tokens == load(place / "out", sections_of).tokenizer.tokens
    assert json.loads((place / "tuned.data" / "manifest.json").read_text())["tokenizer_of"] == "out"


def test_a_tampered_folder_is_no_system(place):
    shutil.copytree(place / "out", place / "bad")
    weights = place / "bad" / "weights.safetensors"
    content = bytearray(weights.read_bytes())
    content[-9] ^= 1
    weights.unlink()
    weights.write_bytes(content)
    (place / "note.txt").write_text("The ferry Berta left Lindow at noon.")
    assert "changed" in stderr_of(place, "summarize", "note.txt", "--system", "bad")
    shutil.rmtree(place / "bad" / "tokenizer")
    shutil.copytree(place / "out" / "tokenizer", place / "bad" / "tokenizer")
    shutil.copyfile(place / "out" / "weights.safetensors", weights)
    tokenizer = place / "bad" / "tokenizer" / "words.json"
    known = json.loads(tokenizer.read_text())
    known["words"] = known["words"][:-1]
    tokenizer.write_text(json.dumps(known))
    message = stderr_of(place, "summarize", "note.txt", "--system", "bad")
    assert "vocabulary" in message
