"""Models that are at hand, as `nutgraf models` lists them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nutgraf.cli.app import app
from nutgraf.errors import InputError
from nutgraf.inventory import models
from nutgraf.model.gguf_folder import gguf_file

LLAMA = {"architectures": ["LlamaForCausalLM"], "model_type": "llama"}


def _folder(place: Path, **files: object) -> Path:
    place.mkdir(parents=True)
    for name, content in files.items():
        text = content if isinstance(content, str) else json.dumps(content)
        (place / name.replace("__", ".")).write_text(text)
    return place


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with models of every kind but networks, and with other files."""
    here = tmp_path / "here"
    readme = "---\nlicense: mit\n---\nA model."
    _folder(here / "writer", config__json=LLAMA, README__md=readme, model__safetensors="x" * 1000)
    _folder(here / "reader", config__json={"architectures": ["BertModel"]})
    _folder(here / "adapter", adapter_config__json={"base_model_name_or_path": "llama"})
    card = {"schema": "nutgraf.trained/1", "preset": "abs", "title": "Titles", "licence": "MIT"}
    _folder(here / "trained", card__json=card, preset__toml='system = "neural"\n')
    _folder(here / "tagger", card__json={**card, "title": "Checks"}, preset__toml='system = "span_classifier"\n')
    _folder(here / "broken", card__json="{", preset__toml="")
    (here / "small.GGUF").write_bytes(b"GGUF" + bytes(96))
    (here / "torn.gguf").write_bytes(b"no")
    (here / "notes.txt").write_text("no model")
    return here


def test_each_has_its_size_its_licence_and_the_command_that_uses_it(folder: Path) -> None:
    found, problems = models([folder])
    by_name = {model.place.name: model for model in found}
    assert {name: (one.size, one.licence) for name, one in by_name.items() if name in ("writer", "small.GGUF")} == {
        "writer": (1000 + len(json.dumps(LLAMA)) + len("---\nlicense: mit\n---\nA model."), "mit"),
        "small.GGUF": (100, ""),
    }
    assert {name: one.command.replace(str(folder), "HERE") for name, one in by_name.items()} == {
        "adapter": "nutgraf summarize FILE --system hf:MODEL --set pretrained.adapter=HERE/adapter",
        "reader": "",
        "small.GGUF": "nutgraf summarize FILE --system hf:HERE/small.GGUF",
        "tagger": "nutgraf export HERE/tagger --to onnx --out FOLDER",
        "trained": "nutgraf summarize FILE --system HERE/trained",
        "writer": "nutgraf summarize FILE --system hf:HERE/writer",
    }
    [broken, torn] = problems
    assert str(folder / "broken") in broken
    assert str(folder / "torn.gguf") in torn


def test_a_model_may_be_named_itself_and_a_folder_without_one_is_refused(folder: Path, tmp_path: Path) -> None:
    assert [one.name for one in models([folder / "writer"])[0]] == [f"hf:{folder / 'writer'}"]
    deep = _folder(tmp_path / "deep" / "er" / "still", config__json=LLAMA)
    found, [problem] = models([tmp_path / "deep", _folder(tmp_path / "none")])
    assert [one.place for one in found] == [deep]
    assert str(tmp_path / "none") in problem
    for place in (tmp_path / "nowhere", folder / "notes.txt", _folder(tmp_path / "empty")):
        with pytest.raises(InputError, match=place.name):
            models([place])


def test_the_files_of_installed_packages_are_found_without_an_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site"), *sys.path])
    package = _folder(tmp_path / "site" / "small_model", __init____py="raise RuntimeError")
    (package / "small.gguf").write_bytes(b"GGUF" + bytes(1_999_996))
    record = "small_model/__init__.py,,\nsmall_model/small.gguf,,\n"
    metadata = "Metadata-Version: 2.1\nName: small-model\nVersion: 1.5\nLicense: Apache-2.0\n"
    _folder(tmp_path / "site" / "small_model-1.5.dist-info", RECORD=record, METADATA=metadata)
    ran = CliRunner().invoke(app, ["models"])
    assert ran.exit_code == 0, ran.exception
    assert "nutgraf summarize FILE --system hf:small-model" in ran.output
    assert gguf_file("small-model") == package / "small.gguf"
    assert gguf_file("no-such-model") is None
    assert "2.0 MB, licence: Apache-2.0\n    from small-model 1.5\n" in ran.output


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("config.json", "[]"),
        ("config.json", '{"architectures": {"a": 1}}'),
        ("config.json", '{"architectures": 5}'),
        ("adapter_config.json", '"x"'),
        ("adapter_config.json", '{"base_model_name_or_path": 1}'),
    ],
)
def test_a_model_that_cannot_be_read_hides_no_other(folder: Path, name: str, content: str) -> None:
    torn = _folder(folder / "aaa", **{name.replace(".", "__"): content})
    found, problems = models([folder])
    assert len(found) == 6
    assert any(str(torn) in problem for problem in problems)
    assert any(str(torn) in problem for problem in models([torn])[1])


def test_what_a_file_says_stays_in_its_line(tmp_path: Path) -> None:
    said = "x\n\nhf:fake\n    1.0 MB\u001b[31m"
    folder = _folder(tmp_path / "adapter", adapter_config__json={"base_model_name_or_path": said})
    printed = CliRunner().invoke(app, ["models", str(folder)]).output
    assert "\u001b" not in printed
    assert [line for line in printed.splitlines() if line.startswith("hf:")] == []


def test_a_folder_of_nothing_that_can_be_read_is_told_with_status_2(tmp_path: Path) -> None:
    torn = _folder(tmp_path / "torn", config__json="[]")
    ran = CliRunner().invoke(app, ["models", str(torn)])
    assert ran.exit_code == 2
    assert not ran.stdout
    assert str(torn) in ran.stderr


def test_as_json(folder: Path) -> None:
    ran = CliRunner().invoke(app, ["models", str(folder / "trained"), "--json"])
    [told] = json.loads(ran.stdout)
    assert (told["about"], told["licence"], told["place"]) == ("Titles", "MIT", str(folder / "trained"))
