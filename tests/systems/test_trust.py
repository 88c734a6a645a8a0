"""Files of somebody else run no code: modules that they name are refused unless they are trusted."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

import nutgraf
from nutgraf.cli.app import app
from nutgraf.errors import NutgrafError, PresetError
from nutgraf.systems import read_preset as read

TEXT = "The ferry left at noon. It carried a piano. A storm broke its mast near the rock. Nobody was hurt.\n"

MODULE = """from pathlib import Path
from nutgraf.extractive.lead import Lead
Path(__file__).with_name("ran").touch()
class Mine(Lead): pass
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a module `theirs.evil` that leaves a file when it is imported; it can be imported from here."""
    folder = tmp_path / "theirs"
    folder.mkdir()
    (folder / "evil.py").write_text(MODULE)
    (tmp_path / "given.txt").write_text(TEXT)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    yield folder
    for name in [name for name in sys.modules if name.split(".")[0] == "theirs"]:
        del sys.modules[name]


def refused(run: Callable[[], object], module: Path) -> str:
    """It is refused before anything is imported, and the message says what would do."""
    with pytest.raises(PresetError) as error:
        run()
    assert not (module / "ran").exists()
    assert "--trust" in str(error.value)
    assert "trust=True" in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ('extends = "lead"\n[extractive]\nkind = "theirs.evil"', "extractive.kind = 'theirs.evil'"),
        ('extends = "lead"\n[extractive]\nkind = "unittest.__main__"', "extractive.kind = 'unittest.__main__'"),
        ('extends = "lead"\n[extractive]\nkind = "nutgraf.__main__"', "extractive.kind = 'nutgraf.__main__'"),
        ('system = "theirs.evil"', "system = 'theirs.evil'"),
        ('extends = "mls_plus"\n[magnifier.kernels."theirs.evil"]\nweight = 1.0', "magnifier.kernels.kind"),
        ('extends = "mls_plus"\n[magnifier.kernels.topics]\nkind = "theirs.evil"', "magnifier.kernels.topics.kind"),
        ('extends = "mls_plus"\n[[keyphrases.list]]\nkind = "theirs.evil"', "keyphrases.list.kind"),
    ],
)
def test_a_preset_file_names_no_module(module: Path, written: str, named: str) -> None:
    path = module / "preset.toml"
    path.write_text(written)
    assert named in refused(lambda: nutgraf.load(path), module)


def test_neither_does_one_that_it_extends(module: Path) -> None:
    (module / "base.toml").write_text('extends = "lead"\n[extractive]\nkind = "theirs.evil"')
    (module / "preset.toml").write_text('extends = "base.toml"\n[extractive]\nkind = "lead"')
    refused(lambda: nutgraf.load(module / "preset.toml"), module)


def test_nor_one_that_it_takes_its_prototype_from(module: Path) -> None:
    (module / "preset.toml").write_text('extends = "lead"\n[extractive]\nkind = "theirs.evil"')
    (module / "two.toml").write_text(f'extends = "mls_plus"\nprototype = "{module / "preset.toml"}"')
    refused(lambda: nutgraf.load(module / "two.toml"), module)
    assert nutgraf.load(module / "two.toml", trust=True)(TEXT, words=8).words <= 8


def test_whoever_is_trusted_may(module: Path) -> None:
    (module / "preset.toml").write_text('extends = "lead"\n[extractive]\nkind = "theirs.evil"')
    assert nutgraf.load(module / "preset.toml", trust=True)(TEXT, sentences=1).text == "The ferry left at noon."
    assert (module / "ran").exists()


def test_what_is_typed_or_passed_may(module: Path) -> None:
    assert nutgraf.load("lead", ["extractive.kind=theirs.evil"])(TEXT, sentences=1)
    assert nutgraf.load("lead", {"extractive.kind": "theirs.evil"})(TEXT, sentences=1)


@pytest.mark.parametrize(
    "command",
    [
        ["summarize", "given.txt", "--system", "theirs/preset.toml"],
        ["evaluate", "theirs/preset.toml", "--data", "given.jsonl"],
        ["tune", "theirs/preset.toml", "--data", "given.jsonl", "-o", "tuned.toml"],
        ["prepare", "theirs/preset.toml", "given.jsonl", "prepared"],
        ["train", "theirs/preset.toml", "--data", "given.jsonl", "--out", "trained"],
        ["presets", "theirs/preset.toml"],
    ],
)
def test_every_command_refuses(module: Path, command: list[str]) -> None:
    Path("given.jsonl").write_text(json.dumps({"text": TEXT, "summary": "A ferry broke its mast."}) + "\n")
    (module / "preset.toml").write_text('extends = "lead"\n[extractive]\nkind = "theirs.evil"')
    done = CliRunner().invoke(app, command)
    assert isinstance(done.exception, PresetError), done.output
    assert "--trust" in str(done.exception)
    assert not (module / "ran").exists()


def test_the_command_trusts_when_told(module: Path) -> None:
    (module / "preset.toml").write_text('extends = "lead"\n[extractive]\nkind = "theirs.evil"')
    done = CliRunner().invoke(
        app, ["summarize", "given.txt", "--system", "theirs/preset.toml", "--trust", "--sentences", "1"]
    )
    assert "The ferry left at noon." in done.output


def test_a_module_in_the_working_directory_stands_for_no_library(module: Path) -> None:
    (module / "numpy.py").write_text(f"open({str(module / 'ran')!r}, 'w')\nraise SystemExit(70)")
    (module / "preset.toml").write_text('extends = "lead"\n[extractive]\nkind = "evil.evil"')
    for command in (["../given.txt", "--sentences", "1"], ["../given.txt", "--system", "preset.toml"]):
        done = subprocess.run(
            [sys.executable, "-m", "nutgraf", "summarize", *command], cwd=module, capture_output=True, text=True
        )
        assert done.returncode in (0, 2), done.stderr
        assert not (module / "ran").exists()


class TestATrainedFolder:
    @pytest.fixture
    def theirs(self, module: Path, trained: Path) -> Path:
        """A model folder of which one section's kind is a module."""
        folder = module / "model"
        shutil.copytree(trained, folder)
        return folder

    @staticmethod
    def _change(folder: Path, section: str) -> None:
        import tomli_w

        table = read(folder / "preset.toml").table
        place = table
        for part in section.split("."):
            place = place.setdefault(part, {})
        place["kind"] = "theirs.evil"
        (folder / "preset.toml").write_text(tomli_w.dumps(table))

    @pytest.mark.parametrize("section", ["tokenizer", "model.encoder", "keyphrases", "dataset", "training.schedule"])
    def test_names_no_module(self, module: Path, theirs: Path, section: str) -> None:
        self._change(theirs, section)
        assert f"{section}.kind" in refused(lambda: nutgraf.load(theirs), module)

    def test_nor_as_what_another_begins_with(self, module: Path, theirs: Path) -> None:
        self._change(theirs, "tokenizer")
        Path("given.jsonl").write_text(json.dumps({"text": TEXT, "summary": "A ferry broke its mast."}) + "\n")
        arguments = ["train", "kpat", "--data", "given.jsonl", "--out", "trained", "--init-from", str(theirs)]
        done = CliRunner().invoke(app, arguments)
        assert isinstance(done.exception, PresetError)
        assert "tokenizer.kind" in str(done.exception)
        assert not (module / "ran").exists()

    def test_nor_where_it_is_only_shown(self, module: Path, theirs: Path) -> None:
        self._change(theirs, "tokenizer")
        for flags in ([], ["--json"]):
            assert isinstance(CliRunner().invoke(app, ["info", str(theirs), *flags]).exception, PresetError)
            assert CliRunner().invoke(app, ["info", str(theirs), *flags, "--trust"]).exit_code == 0
        assert not (module / "ran").exists()

    def test_its_tokenizer_is_read_as_the_preset_says(self, module: Path, theirs: Path) -> None:
        self._change(theirs, "tokenizer")
        lines = [json.dumps({"text": f"{TEXT} {n}", "summary": "A ferry broke its mast."}) for n in range(5)]
        Path("given.jsonl").write_text("\n".join(lines))
        arguments = ["prepare", "kpat", "given.jsonl", "out", "--set", "dataset.kind=jsonl", "--tokenizer", str(theirs)]
        done = CliRunner().invoke(app, arguments)
        assert done.exit_code == 0 or isinstance(done.exception, NutgrafError)
        assert not (module / "ran").exists()
