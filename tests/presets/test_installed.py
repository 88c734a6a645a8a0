"""Models that installed packages announce: they are found and named, and none of the packages' code runs."""

from __future__ import annotations

import importlib
import json
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner

pytest.importorskip("torch")

import nutgraf
from nutgraf.cli.app import app
from nutgraf.errors import InputError, PresetError, UnknownName
from nutgraf.presets.installed import installed, installed_model
from nutgraf.service.systems import parse_folders, served_systems
from tiny_network import NOTICES

RAN = "from pathlib import Path\nPath(__file__).with_name('ran').touch()\n"

TEXT = NOTICES[0][0]


class Site:
    """A folder of installed packages."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def install(self, name: str, points: Mapping[str, str], package: str = "theirs_models") -> Path:
        """Install a distribution whose package leaves a file where it is imported; return the package's folder."""
        place = self.folder / package
        place.mkdir(exist_ok=True)
        (place / "__init__.py").write_text(RAN)
        info = self.folder / f"{name.replace('-', '_')}-1.2.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
        lines = [f"{key} = {value}" for key, value in points.items()]
        (info / "entry_points.txt").write_text("\n".join(["[nutgraf.presets]", *lines, ""]))
        importlib.invalidate_caches()
        return place

    @property
    def ran(self) -> bool:
        """True if any package was imported."""
        return any(self.folder.rglob("ran")) or "theirs_models" in sys.modules


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    Path("given.txt").write_text(TEXT)
    made = Site(folder)
    yield made
    assert not made.ran


@pytest.fixture
def announced(site: Site, trained: Path) -> Path:
    """The folder of a model that a distribution announces as `title`."""
    return shutil.copytree(trained, site.install("theirs-models", {"title": "theirs_models:title"}) / "title")


def run(*arguments: str) -> str:
    ran = CliRunner().invoke(app, arguments, env={"COLUMNS": "400"})
    assert ran.exit_code == 0, (ran.output, ran.exception)
    return ran.output


def test_the_name_stands_where_that_of_a_system_stands(announced: Path, trained: Path) -> None:
    assert nutgraf.load("title")(TEXT).text == nutgraf.load(trained)(TEXT).text
    assert run("summarize", "given.txt", "--system", "title").split() == nutgraf.load(trained)(TEXT).text.split()


def test_an_evaluation_calls_it_by_its_name(announced: Path) -> None:
    lines = [json.dumps({"text": text, "summary": " ".join(summary)}) for text, summary in NOTICES]
    Path("test.jsonl").write_text("\n".join(lines))
    table = run("evaluate", "lead", "title", "--data", "test.jsonl")
    assert any(line.split()[:1] == ["title"] for line in table.splitlines())


def test_presets_lists_it_with_what_brought_it(announced: Path) -> None:
    listed = run("presets")
    assert "Trained models of installed packages" in listed
    assert f"theirs-models 1.2, {announced}" in listed
    assert json.loads(run("presets", "--json"))["title"]["system"] == "neural"
    assert 'system = "neural"' in run("presets", "title")


def test_info_shows_its_card(announced: Path) -> None:
    assert run("info", "title").startswith(f"{announced}\npreset")


def test_a_service_takes_its_name(announced: Path) -> None:
    folders = parse_folders(["title", f"news={announced}"])
    assert folders == {"title": str(announced), "news": str(announced)}
    assert served_systems(folders)["title"].folder == str(announced.resolve())
    with pytest.raises(InputError, match="NAME=FOLDER"):
        parse_folders(["titel"])


def test_a_name_with_a_mistake_finds_it(announced: Path) -> None:
    with pytest.raises(UnknownName, match="Did you mean 'title'"):
        nutgraf.load("titel")


def test_somebody_elses_preset_runs_no_module(announced: Path) -> None:
    preset = announced / "preset.toml"
    preset.write_text(preset.read_text().replace('kind = "dot_product"', 'kind = "theirs_models.evil"'))
    preset.write_text(preset.read_text().replace('kind = "highlight"', 'kind = "theirs_models.evil"'))
    with pytest.raises(PresetError, match="--trust"):
        nutgraf.load("title")
    assert "cannot be read: " in run("presets")


@pytest.mark.parametrize(
    "value",
    [
        "theirs_models",
        "theirs_models:nothing",
        "theirs_models:..",
        "theirs_models.title:title",
        "theirs.models:title",
        "__main__:title",
        "os:path",
        "nowhere_at_all:title",
    ],
)
def test_what_names_no_folder_of_a_package_is_told_and_not_imported(site: Site, value: str) -> None:
    site.install("theirs-models", {"title": value})
    found, problems = installed()
    assert "title" not in found
    assert any(value in problem and "theirs-models 1.2" in problem for problem in problems)
    assert "package:folder would do." in run("presets")


def test_a_preset_keeps_its_name(site: Site, trained: Path) -> None:
    shutil.copytree(trained, site.install("theirs-models", {"lead": "theirs_models:lead"}) / "lead")
    assert nutgraf.load("lead").preset.system == "extractive"
    assert "announces the model 'lead', which is the name of a preset and stays it" in run("presets")


def test_a_folder_of_ones_own_keeps_its_name(announced: Path, trained: Path) -> None:
    shutil.copytree(trained, "title")
    assert Path(nutgraf.load("title").preset.origin) == Path("title/preset.toml")
    shutil.rmtree("title")
    assert Path(nutgraf.load("title").preset.origin) == announced / "preset.toml"


def test_of_two_distributions_the_first_has_the_name(site: Site, announced: Path, trained: Path) -> None:
    other = site.install("another", {"title": "other_models:title"}, "other_models")
    shutil.copytree(trained, other / "title")
    found, problems = installed()
    assert found["title"].folder == other / "title"
    assert f"{announced} names the other one." in problems[0]


def test_an_editable_package_is_found_where_python_would_import_it(
    site: Site, trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = site.install("theirs-models", {"title": "theirs_models:title"})
    source = tmp_path / "source"
    shutil.move(place, source / "theirs_models")
    shutil.copytree(trained, source / "theirs_models" / "title")
    monkeypatch.syspath_prepend(source)
    model = installed_model("title")
    assert model is not None
    assert model.folder == source / "theirs_models" / "title"
    assert not any(source.rglob("ran"))
