"""JSON files that say what a folder holds: what is read, and what is refused in which words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest

from nutgraf import metadata
from nutgraf.errors import InputError
from nutgraf.metadata import mismatch, read_object, record_of, shape_of

SHAPE = {"name": str, "steps": int, "scores?": {str: float}, "of?": [int], "limit?": (int, None)}


@pytest.mark.parametrize(
    ("value", "shape", "message"),
    [
        ({"name": "a", "steps": 3, "other": []}, SHAPE, ""),
        ({"name": "a", "steps": 3, "limit": None, "of": [1, 2], "scores": {"loss": 1}}, SHAPE, ""),
        ({"name": "a"}, SHAPE, "steps is missing"),
        ({"name": 5, "steps": 3}, SHAPE, "name is 5, where text is needed"),
        ({"name": "a", "steps": -3}, SHAPE, "steps is -3, where a whole number from 0 is needed"),
        ({"name": "a", "steps": True}, SHAPE, "steps is True, where a whole number from 0 is needed"),
        ({"name": "a", "steps": 2**60}, SHAPE, "steps is 1152921504606846976, where a whole number from 0 is needed"),
        ({"name": "a", "steps": 3, "scores": {"loss": "x"}}, SHAPE, "scores.loss is 'x', where a number is needed"),
        ({"name": "a", "steps": 3, "of": [1, {}]}, SHAPE, "of[1] is an object, where a whole number from 0 is needed"),
        ({"name": "a", "steps": 3, "of": "12"}, SHAPE, "of is '12', where a list is needed"),
        ({"name": "a", "steps": 3, "limit": "x"}, SHAPE, "limit is 'x', where a whole number from 0 or null is needed"),
        (
            {"name": "a", "steps": 3, "limit": []},
            SHAPE,
            "limit is a list, where a whole number from 0 or null is needed",
        ),
        ({"a": 2}, ({"a": str}, [int], None), "a is 2, where text is needed"),
        (["a"], ({"a": str}, [int], None), "[0] is 'a', where a whole number from 0 is needed"),
        (7, ({"a": str}, [int], None), "it is 7, where an object, a list or null is needed"),
        ("c", ("a", "b"), "it is 'c', where 'a' or 'b' is needed"),
        ([], SHAPE, "it is a list, where an object is needed"),
        (float("inf"), float, "it is inf, where a number is needed"),
        (10**400, float, f"it is 1{'0' * 59}…, where a number is needed"),
        ("nutgraf/2", "nutgraf/1", "it is 'nutgraf/2', where 'nutgraf/1' is needed"),
        (False, bool, ""),
    ],
)
def test_the_first_point_that_does_not_fit(value: Any, shape: Any, message: str) -> None:
    assert mismatch(value, shape) == message


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (b'{"name": "a", "steps": 3', "is not a card: Expecting"),
        (b"", "is not a card: Expecting value"),
        (b"[3]", "is not a card: it is a list, where an object is needed"),
        (b'{"name": "\xff"}', "is not a card: 'utf-8' codec can't decode"),
        (b'{"name": "a", "steps": NaN}', "is not a card: NaN is not a number"),
        (b'{"name": "a", "steps": 1e999}', "steps is inf, where a whole number from 0 is needed"),
        (b'{"name": ' * 100_000, "is not a card: it is nested too deeply"),
        (b'{"name": "a", "steps": ' + b"9" * 10_000 + b"}", "is not a card: a number in it has more than 4,300 digits"),
        (b" " * 2000, "is not a card: it has more than 1,000 bytes"),
    ],
)
def test_damage_is_named(written: bytes, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if message.endswith("1,000 bytes"):
        monkeypatch.setattr(metadata, "LARGEST_FILE", 1000)
    (tmp_path / "card.json").write_bytes(written)
    with pytest.raises(InputError) as error:
        read_object(tmp_path / "card.json", SHAPE, "a card")
    assert message in str(error.value)


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
def test_a_record_is_read_from_its_own_shape(line: Line) -> None:
    table = json.loads(json.dumps(asdict(line)))
    assert mismatch(table, shape_of(Line)) == ""
    assert record_of(Line, {**table, "unknown": 5}) == line


def test_a_record_inside_another_has_its_shape() -> None:
    assert mismatch({"words": [{"text": "a", "kind": "name"}]}, shape_of(Line)) == (
        "words[0].kind is 'name', where 'noun' or 'verb' is needed"
    )


def test_what_is_no_file_is_named(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(InputError, match="read"):
            read_object(path, SHAPE, "a card")
    with pytest.raises(InputError, match="more than"):
        read_object("/dev/zero", SHAPE, "a card")
