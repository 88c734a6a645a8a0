"""Presets: what extends what, and what is set on top."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from nutgraf.errors import MissingPackage, NutgrafError, PresetError, UnknownName
from nutgraf.extractive import sentence_rankers
from nutgraf.presets import Choice, Preset, names
from nutgraf.presets.read import merge
from nutgraf.systems import read_preset as read
from nutgraf.systems import sections_of

BASE = """
title = "Bread"
system = "bakery"
seed = 0
[dough]
kind = "rye"
hours = 3
salt = 2
[oven.heat]
degrees = 240
"""


@pytest.fixture
def bread(tmp_path: Path) -> Path:
    path = tmp_path / "bread.toml"
    path.write_text(BASE)
    return path


def extending(path: Path, text: str, name: str = "mine.toml") -> Path:
    """A preset beside `path` that extends it."""
    other = path.with_name(name)
    other.write_text(f'extends = "{path.name}"\n{text}')
    return other


def test_a_file_is_read_and_named_after_itself(bread: Path) -> None:
    preset = read(bread)
    assert (preset.name, preset.system, preset.origin) == ("bread", "bakery", str(bread))
    assert preset.section("dough") == {"kind": "rye", "hours": 3, "salt": 2}
    assert preset.section("oven.heat") == {"degrees": 240}
    assert preset.section("oven.door") == preset.section("seed") == {}


def test_a_section_is_a_copy(bread: Path) -> None:
    preset = read(bread)
    preset.section("dough")["hours"] = 99
    assert preset.section("dough")["hours"] == 3


def test_the_figures_of_a_paper_are_not_inherited(tmp_path: Path) -> None:
    """They are of the preset that is extended; what it is about may well be the same."""
    (tmp_path / "below.toml").write_text('title = "Rye"\nabout = "Bread."\npaper = "Ko 2020"\npublished = "R-1 40"')
    (tmp_path / "mine.toml").write_text('extends = "below.toml"\ntitle = "Mine"')
    assert read(tmp_path / "mine.toml").table == {"title": "Mine", "about": "Bread."}


def test_what_extends_lies_over_what_is_extended(bread: Path) -> None:
    preset = read(extending(bread, "seed = 7\n[dough]\nhours = 5\n[oven]\nsteam = true"))
    assert preset.table["seed"] == 7
    assert preset.section("dough") == {"kind": "rye", "hours": 5, "salt": 2}
    assert preset.section("oven") == {"heat": {"degrees": 240}, "steam": True}
    assert "extends" not in preset.table


def test_a_section_whose_kind_changes_starts_anew(bread: Path) -> None:
    assert read(extending(bread, '[dough]\nkind = "oat"\nhours = 1')).section("dough") == {"kind": "oat", "hours": 1}
    assert read(extending(bread, '[dough]\nkind = "rye"')).section("dough") == {"kind": "rye", "hours": 3, "salt": 2}


def test_a_chain_is_followed_to_its_end(bread: Path) -> None:
    middle = extending(bread, "[dough]\nhours = 5", "middle.toml")
    assert read(extending(middle, "[dough]\nsalt = 1")).section("dough") == {"kind": "rye", "hours": 5, "salt": 1}


@pytest.mark.parametrize(
    ("line", "section", "key", "value"),
    [
        ("dough.hours=5", "dough", "hours", 5),
        ("dough.hours = 5.5", "dough", "hours", 5.5),
        ("dough.fresh=true", "dough", "fresh", True),
        ("dough.flour=spelt", "dough", "flour", "spelt"),
        ('dough.flour="7"', "dough", "flour", "7"),
        ("dough.steps=[1, 2]", "dough", "steps", [1, 2]),
        ("oven.heat.degrees=200", "oven.heat", "degrees", 200),
        ("oven.door.width=3", "oven.door", "width", 3),
        ("dough.note=a=b", "dough", "note", "a=b"),
    ],
)
def test_what_is_set_lies_on_top(bread: Path, line: str, section: str, key: str, value: object) -> None:
    assert read(bread, [line]).section(section)[key] == value


def test_setting_a_kind_starts_the_section_anew(bread: Path) -> None:
    assert read(bread, ["dough.kind=oat"]).section("dough") == {"kind": "oat"}
    assert read(bread, ["dough.kind=oat", "dough.hours=1"]).section("dough") == {"kind": "oat", "hours": 1}
    assert read(bread, ["dough.hours=1", "dough.kind=oat"]).section("dough") == {"kind": "oat", "hours": 1}
    assert read(bread, ["dough.kind=rye"]).section("dough") == {"kind": "rye", "hours": 3, "salt": 2}


def test_an_option_without_a_kind_lies_over_the_default_of_its_section(tmp_path: Path) -> None:
    default = read("adaptive").config.extractive.config.story
    changed = Choice(default.kind, dataclasses.replace(default.config, weight_exponent=2.0))
    assert read("adaptive", ["extractive.story.weight_exponent=2"]).config.extractive.config.story == changed
    (tmp_path / "own.toml").write_text('extends = "adaptive"\n[extractive.story]\nweight_exponent = 2\n')
    assert read(tmp_path / "own.toml").config.extractive.config.story == changed
    lead = read("adaptive", ["extractive.story.kind=lead"]).config.extractive.config.story
    assert lead == sentence_rankers.choose("lead")
    with pytest.raises(PresetError, match=r"extractive\.story.*'weighted_coverage'.*'weight'"):
        read("adaptive", ["extractive.story.weight=2"]).check()


def test_python_sets_with_a_mapping(bread: Path) -> None:
    preset = read(bread, {"dough.hours": 5, "seed": 7})
    assert (preset.section("dough")["hours"], preset.table["seed"]) == (5, 7)


@pytest.mark.parametrize("line", ["dough.hours", "=5", " = 5", "", ".=5", "dough.=5", ".hours=5", "dough..hours=5"])
def test_a_line_without_a_whole_key_and_a_value_is_refused(bread: Path, line: str) -> None:
    with pytest.raises(PresetError, match=r"section\.key"):
        read(bread, [line])


def test_a_value_holds_no_values(bread: Path) -> None:
    with pytest.raises(PresetError, match="'seed' is a value"):
        read(bread, ["seed.hours=5"])


def test_a_preset_that_extends_itself_is_refused(bread: Path) -> None:
    bread.write_text('extends = "mine.toml"')
    mine = extending(bread, "")
    with pytest.raises(PresetError, match="extends"):
        read(mine)


def test_a_circle_is_seen_however_its_paths_are_written(bread: Path) -> None:
    bread.write_text(f'extends = "../{bread.parent.name}/bread.toml"')
    with pytest.raises(PresetError, match="extends"):
        read(bread)


@pytest.mark.parametrize("text", ["[dough", "a = ", "extends = 7", "extends = []"])
def test_what_is_no_preset_is_refused(bread: Path, text: str) -> None:
    bread.write_text(text)
    with pytest.raises(NutgrafError):
        read(bread)


def test_a_file_that_cannot_be_read_is_refused(bread: Path) -> None:
    with pytest.raises(PresetError, match=r"missing\.toml"):
        read(bread.with_name("missing.toml"))
    with pytest.raises(PresetError, match="bread"):
        read("bread\0.toml")
    bread.write_bytes(b"a = '\xe9'")
    with pytest.raises(PresetError, match=r"bread\.toml"):
        read(bread)


def test_an_unknown_name_is_told_with_the_valid_ones() -> None:
    with pytest.raises(UnknownName, match=r"'mls_minus'.*'mls_plus'"):
        read("mls_minus")


def test_a_network_of_the_other_distribution_is_told_with_how_to_install_it() -> None:
    with pytest.raises(MissingPackage, match=r"'tldr'.*/models"):
        read("tldr")


def test_a_preset_says_which_system_it_makes() -> None:
    with pytest.raises(PresetError, match="which 'system'"):
        _ = Preset("bread", {}, sections_of).system


@pytest.mark.parametrize("name", names())
def test_presets_that_ship_are_complete(name: str) -> None:
    preset = read(name)
    assert (preset.name, preset.origin) == (name, "")
    assert preset.system
    assert preset.table["title"]
    assert preset.table["about"]


def test_merging_leaves_both_as_they_were() -> None:
    below, above = {"a": {"b": 1}}, {"a": {"c": [2]}}
    merged = merge(below, above)
    merged["a"]["c"].append(3)
    assert (below, above) == ({"a": {"b": 1}}, {"a": {"c": [2]}})


def test_presets_that_ship_fit_their_options_as_they_are() -> None:
    """They are not compared with the types of their options when they are read: here they are, to the last digit."""
    pytest.importorskip("torch")
    for name in names():
        preset = read(name)
        assert not preset.checked
        assert json.dumps(preset.complete()) == json.dumps(dataclasses.replace(preset, checked=True).complete()), name
    assert read("salience", ["selection.shortest=1"]).checked


@pytest.mark.parametrize("line", ["title = 3", "about = [1]", "published = {a = 1}", "paper = 1979-05-27"])
def test_what_describes_a_preset_is_text(tmp_path: Path, line: str) -> None:
    (tmp_path / "mine.toml").write_text(f'{line}\nsystem = "extractive"\n')
    with pytest.raises(PresetError, match=line.partition(" ")[0]):
        read(tmp_path / "mine.toml")
