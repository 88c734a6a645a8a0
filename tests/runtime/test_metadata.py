"""JSON files that say what a folder holds: what is read, and what is refused, with the key and what would do."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest

from nutgraf.errors import InputError
from nutgraf.runtime import metadata
from nutgraf.runtime.metadata import Count, Range, load, read_object, read_record


@dataclass(frozen=True)
class Card:
    """What a file should hold; `from_` is its key "from"."""

    name: str
    steps: Count
    scores: dict[str, float] = field(default_factory=dict)
    of: tuple[Count, ...] = ()
    limit: Count | None = None
    schema: Literal["card/1"] = "card/1"
    cut: Count | bool = 0
    from_: str = ""


@pytest.mark.parametrize(
    ("changes", "named", "needed"),
    [
        ({"steps": None}, "steps", "a whole number"),
        ({"name": 5}, "name is 5", "text"),
        ({"steps": -3}, "steps is -3", "from 0"),
        ({"steps": True}, "steps is True", "a whole number"),
        ({"steps": 1.5}, "steps is 1.5", "a whole number"),
        ({"steps": 2**60}, "steps is 1152921504606846976", "up to 9,007,199,254,740,992"),
        ({"scores": {"loss": "x"}}, "scores.loss is 'x'", "a number"),
        ({"of": [1, {}]}, "of[1] is an object", "a whole number"),
        ({"of": "12"}, "of is '12'", "a list"),
        ({"limit": "x"}, "limit is 'x'", "a whole number"),
        ({"cut": "x"}, "cut is 'x'", "a whole number or true or false"),
        ({"schema": "card/2"}, "schema is 'card/2'", "'card/1'"),
        ({"from": 3}, "from is 3", "text"),
        ({"limit": "x", "steps": "x"}, "steps is 'x'", "where a whole number is needed"),
        ({"name": {"x": 1}}, "name is an object", "text"),
        ({"name": ["x"] * 100}, "name is a list", "text"),
    ],
)
def test_the_first_value_that_does_not_fit_is_named(changes: dict[str, Any], named: str, needed: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011
        load(json.dumps({"name": "a", "steps": 3, **changes}), Card)
    assert named in str(error.value)
    assert needed in str(error.value)


def test_what_fits_becomes_a_record_and_unknown_keys_are_ignored() -> None:
    written = {"name": "a", "steps": 3, "limit": None, "of": [1, 2], "scores": {"loss": 1}, "from": "b", "other": []}
    assert load(json.dumps(written), Card) == Card("a", 3, {"loss": 1.0}, (1, 2), from_="b")


def test_a_missing_key_is_named() -> None:
    with pytest.raises(ValueError, match="steps"):
        load('{"name": "a"}', Card)


@pytest.mark.parametrize(
    "written",
    [
        b'{"name": "a", "steps": 3',
        b"",
        b"[3]",
        b'{"name": "\xff"}',
        b'{"name": "a", "steps": NaN}',
        b'{"name": "a", "steps": 3, "scores": {"loss": NaN}}',
        b'{"name": "a", "steps": 3, "scores": {"loss": 1e999}}',
        b'{"name": "a", "steps": 3, "other": NaN}',
        b'{"name": "a", "steps": 1e999}',
        b'{"name": ' * 100_000,
        b'{"name": "a", "steps": ' + b"9" * 10_000 + b"}",
        b" " * 2000,
    ],
)
def test_damage_is_refused(written: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not written.strip(b" "):
        monkeypatch.setattr(metadata, "LARGEST_FILE", 1000)
    (tmp_path / "card.json").write_bytes(written)
    with pytest.raises(InputError) as error:
        read_object(tmp_path / "card.json", Card, "a card")
    assert f"{tmp_path / 'card.json'} is not a card: " in str(error.value)
    assert len(str(error.value)) < 400


def test_an_object_is_returned_with_all_its_keys(tmp_path: Path) -> None:
    written = {"name": "a", "steps": 3, "other": [1]}
    (tmp_path / "card.json").write_text("\ufeff" + json.dumps(written), encoding="utf-8")
    assert read_object(tmp_path / "card.json", Card, "a card") == written
    assert read_record(tmp_path / "card.json", Card, "a card") == Card("a", 3)


@dataclass(frozen=True)
class Word:
    """A record inside another."""

    text: str
    kind: Literal["noun", "verb"] = "noun"


@dataclass(frozen=True)
class Line:
    """A record with others in it."""

    words: tuple[Word, ...]
    last: Word | None = None
    shares: Mapping[str, float] = field(default_factory=dict)


@pytest.mark.parametrize("line", [Line(()), Line((Word("a"), Word("goes", "verb")), Word("a"), {"noun": 0.5})])
def test_a_record_is_read_as_it_was_written(line: Line) -> None:
    assert load(json.dumps({**asdict(line), "unknown": 5}), Line) == line


def test_a_record_inside_another_is_compared_too() -> None:
    with pytest.raises(ValueError, match=r"'name'.*'noun'.*'verb'"):
        load('{"words": [{"text": "a", "kind": "name"}]}', Line)


def test_what_is_no_file_is_named(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(InputError, match="read"):
            read_object(path, Card, "a card")
    os.mkfifo(tmp_path / "pipe")  # nobody writes into it, so a reader would wait for ever
    for path in (tmp_path / "pipe", "/dev/zero"):
        with pytest.raises(InputError, match="regular"):
            read_object(path, Card, "a card")


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (value, kind)
        for kind in (
            int, float, str, bool, int | None, Count, tuple[int, float], tuple[int, ...], tuple[Count, Count],
            Literal["lower", "stem"], Literal[1, "two"], dict[str, int], Annotated[float, Range(gt=0, le=1)],
            Annotated[int, Range(ge=2)] | None,
        )
        for value in (0, 1, -1, True, 1.0, 0.5, float("nan"), "lower", "two", "1", None, (1, 0.5), (1, 2), (1, -2), ())
    ],
)  # fmt: skip
def test_what_fits_is_what_pydantic_takes_as_it_is(value: Any, kind: Any) -> None:
    if metadata.fits(value, kind):
        assert metadata.adapter(kind).validate_python(value) is value or isinstance(value, tuple)
        assert metadata.adapter(kind).validate_python(value) == value


def test_what_fits_is_told_without_pydantic() -> None:
    fitting = [(3, Count), (0.5, Annotated[float, Range(ge=0, le=1)]), ("stem", Literal["lower", "stem"])]
    assert all(metadata.fits(value, kind) for value, kind in [*fitting, ((1, 3), tuple[Count, Count])])
    assert not any(metadata.fits(value, kind) for value, kind in [(-1, Count), (True, int), ("3", int), (2, float)])
