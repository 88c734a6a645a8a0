"""A section is a folder, its kind is a file: shown on a family made for the test."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest

from nutgraf.errors import PresetError, UnknownName
from nutgraf.presets import Family, configure
from nutgraf.presets.family import OPTIONS_OF, PERMANENT, NoOptions

FACE = """
from abc import ABC, abstractmethod
class Bread(ABC):
    def __init__(self, config):
        self.config = config
    @abstractmethod
    def bake(self): ...
"""
RYE = """
from dataclasses import dataclass, field
from bakery import Bread
@dataclass(frozen=True)
class Config:
    hours: int = 3
    flours: tuple[str, ...] = ("rye",)
    def __post_init__(self):
        if self.hours < 1:
            raise ValueError(f"hours = {self.hours}: bread takes an hour at least")
class Rye(Bread):
    def bake(self):
        return f"rye, {self.config.hours} h"
"""
FLAT = """
from bakery import Bread
class _Helper(Bread):
    def bake(self): ...
class Flat(Bread):
    def bake(self):
        return "flat"
"""
RAW = "from bakery import Bread\nclass Raw(Bread): ...\n"
TWINS = "from bakery import Bread\n" + "".join(f"class {name}(Bread):\n    def bake(self): ...\n" for name in "AB")


@pytest.fixture
def breads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Family[Any]]:
    """The family `bakery`: rye, flat, twins (two classes in one file), and a helper that is no kind."""
    folder = tmp_path / "bakery"
    folder.mkdir()
    files = {"__init__": FACE, "rye": RYE, "flat": FLAT, "twins": TWINS, "_dough": "", "empty": ""}
    for name, code in files.items():
        (folder / f"{name}.py").write_text(code)
    monkeypatch.syspath_prepend(str(tmp_path))
    import bakery  # type: ignore[import-not-found]

    yield Family("bakery", bakery.Bread)
    for name in [name for name in sys.modules if name.split(".")[0] == "bakery"]:
        del sys.modules[name]


def test_the_kinds_are_the_files(breads: Family[Any]) -> None:
    assert breads.names() == ["empty", "flat", "rye", "twins"]


def test_a_kind_is_made_with_its_defaults_or_with_options(breads: Family[Any]) -> None:
    assert breads.make("rye").bake() == "rye, 3 h"
    assert breads.make("rye", hours=9).bake() == "rye, 9 h"
    assert breads.make("flat").config == NoOptions()


def test_a_section_names_its_kind(breads: Family[Any]) -> None:
    section = {"kind": "rye", "hours": 5}
    assert breads.build(breads.choice(section)).bake() == "rye, 5 h"
    assert section == {"kind": "rye", "hours": 5}
    with pytest.raises(PresetError, match=r"\[bakery\].*'kind'"):
        breads.choice({"hours": 5})
    with pytest.raises(PresetError, match="needs a 'kind'"):
        breads.choice({"kind": 7})


def test_only_what_is_asked_for_is_imported(breads: Family[Any]) -> None:
    breads.make("rye")
    assert "bakery.flat" not in sys.modules


def test_an_unknown_kind_is_told_with_the_valid_ones(breads: Family[Any]) -> None:
    with pytest.raises(UnknownName, match=r"'wry'.*'rye'"):
        breads.make("wry")
    for name in ("_dough", "", ".", "..rye", "rye."):
        with pytest.raises(UnknownName, match="No bread"):
            breads.make(name)


def test_an_unknown_option_is_told_with_the_nearest(breads: Family[Any]) -> None:
    with pytest.raises(PresetError, match=r"bakery\.rye.*'hour'.*'hours'"):
        breads.make("rye", hour=2)
    with pytest.raises(PresetError, match=r"bakery\.flat.*'hours'"):
        breads.make("flat", hours=2)


def test_a_value_of_the_wrong_type_is_told_with_the_right_one(breads: Family[Any]) -> None:
    for value in ("three", 2.5, True, None):
        with pytest.raises(PresetError, match=r"bakery\.rye\.hours"):
            breads.make("rye", hours=value)


def test_what_the_options_themselves_refuse_is_told(breads: Family[Any]) -> None:
    with pytest.raises(PresetError, match=r"bakery\.rye.*hours = 0"):
        breads.make("rye", hours=0)


def test_lists_of_a_preset_become_tuples(breads: Family[Any]) -> None:
    assert breads.make("rye", flours=["rye", "wheat"]).config.flours == ("rye", "wheat")
    with pytest.raises(PresetError, match=r"bakery\.rye\.flours = 'rye' .* a list"):
        breads.make("rye", flours="rye")


def test_a_field_may_hold_some_options_of_another_part(breads: Family[Any]) -> None:
    """Of rye's two options one is given; the rule for both together is not asked, since the other one is unknown."""

    @dataclass(frozen=True)
    class Counter:
        rye: dict[str, Any] = field(default_factory=dict, metadata={OPTIONS_OF: "bakery.rye"})
        other: dict[str, Any] = field(default_factory=dict, metadata={OPTIONS_OF: "bakery.not_installed"})

    assert configure(Counter, {}, "").rye == {}
    assert configure(Counter, {"rye": {"flours": ["oats"]}}, "").rye == {"flours": ("oats",)}
    assert configure(Counter, {"other": {"flours": ["oats"]}}, "").other == {"flours": ["oats"]}
    for wrong, message in (
        ({"hour": 3}, r"rye has no option 'hour'; it has hours, flours\. Did you mean 'hours'"),
        ({"hours": "three"}, r"rye\.hours = 'three' does not fit"),
        (7, r"a section \[rye\] is needed"),
    ):
        with pytest.raises(PresetError, match=message):
            configure(Counter, {"rye": wrong}, "")


def test_a_file_holds_one_class_of_the_contract(breads: Family[Any], tmp_path: Path) -> None:
    for kind, count in (("twins", "2"), ("empty", "none")):
        wanted = (
            rf"bakery\.{kind} is no bread: .* one class that inherits from bakery\.Bread, and this one has {count}\."
        )
        with pytest.raises(PresetError, match=wanted):
            breads.find(kind)
    with pytest.raises(PresetError, match=r"os\.path"):
        breads.find("os.path")
    (tmp_path / "bakery" / "raw.py").write_text(RAW)
    with pytest.raises(PresetError, match=r"bakery\.raw"):
        breads.find("raw")


def test_a_section_that_is_always_there_cannot_be_taken_out(breads: Family[Any]) -> None:
    @dataclass(frozen=True)
    class Shop:
        loaves: dict[str, Any] = field(default_factory=dict, metadata={PERMANENT: ("rye",)})

    assert configure(Shop, {"loaves": {"rye": {}}}, "").loaves.keys() == {"rye"}
    with pytest.raises(PresetError, match=r"loaves\.rye.*'none'"):
        configure(Shop, {"loaves": {"rye": "none"}}, "")


def test_a_dotted_kind_is_a_module_of_ones_own(breads: Family[Any], tmp_path: Path) -> None:
    (tmp_path / "my_oven").mkdir()
    (tmp_path / "my_oven" / "__init__.py").touch()
    (tmp_path / "my_oven" / "oat.py").write_text(RYE.replace("Rye", "Oat").replace("rye", "oat"))
    assert breads.make("my_oven.oat").bake() == "oat, 3 h"
    (tmp_path / "my_oven" / "lost.py").write_text("import no_such_flour\n")
    for missing in ("my_oven.spelt", "no_oven.spelt"):
        with pytest.raises(PresetError, match=rf"'{missing}'.*PYTHONPATH.*`python -m nutgraf`"):
            breads.make(missing)
    with pytest.raises(PresetError, match=r"'my_oven\.lost'.*'no_such_flour'"):
        breads.make("my_oven.lost")


@dataclass(frozen=True)
class Options:
    """One field of each type that a preset may set."""

    share: float = 0.5
    fast: bool = False
    form: Literal["round", "long"] = "round"
    name: str | None = None
    layers: float | tuple[int, ...] = 1.0


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("share", 1),
        ("fast", True),
        ("form", "long"),
        ("name", None),
        ("name", "a"),
        ("layers", [0, 1]),
        ("layers", 2.5),
    ],
)
def test_values_that_fit(key: str, value: Any) -> None:
    assert getattr(configure(Options, {key: value}, "x"), key) == (tuple(value) if isinstance(value, list) else value)


@pytest.mark.parametrize(
    ("key", "value", "needed"),
    [
        ("share", True, "a number"),
        ("share", "1", "a number"),
        ("share", float("nan"), "a number"),
        ("fast", 1, "true or false"),
        ("form", "flat", "'round' or 'long'"),
        ("name", 7, "text or 'none'"),
        ("layers", ["a"], "a number or a whole number"),
    ],
)
def test_values_that_do_not_fit(key: str, value: Any, needed: str) -> None:
    with pytest.raises(PresetError, match=rf"x\.{key}.*{needed}"):
        configure(Options, {key: value}, "x")


@pytest.mark.parametrize(
    ("package", "name", "noun"),
    [
        ("nutgraf.keyphrases", "extractors", "keyphrase extractor"),
        ("nutgraf.training.optimizers", "optimizers", "optimizer"),
        ("nutgraf.decoding.processors", "processors", "processor"),
    ],
)
def test_a_member_is_called_what_a_person_calls_it(package: str, name: str, noun: str) -> None:
    pytest.importorskip("torch")
    with pytest.raises(UnknownName, match=f"^No {noun} 'adamm'"):
        getattr(importlib.import_module(package), name).find("adamm")
