"""JSON files with metadata, read up to a size limit and validated against a shape.

A shape says what a value must be:

    str, bool, dict, list     a value of this type
    int                       a whole number from 0
    float                     a finite number
    None, "text"              exactly this value
    [shape]                   a list whose items have this shape
    {"key": shape}            an object with this key; "key?" is optional; other keys are ignored
    {str: shape}              an object whose values have this shape
    (shape, other)            one of these

`shape_of` makes the shape of a dataclass, and `record_of` makes such a record of what has this shape.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from nutgraf.errors import InputError
from nutgraf.files import read_bytes

Shape = Any

Record = TypeVar("Record")

LARGEST_FILE = 1 << 28
"""Maximum size of a file in bytes; the largest hold vocabularies of some million words."""

LARGEST_COUNT = 2**53

_QUOTED = 60
"""Number of characters of a wrong value that a message quotes."""

_NEEDED = {
    str: "text",
    bool: "true or false",
    dict: "an object",
    list: "a list",
    int: "a whole number from 0",
    float: "a number",
    None: "null",
}


def shape_of(record: type[Any]) -> dict[str, Shape]:
    """Return the shape of a dataclass as `asdict` writes it; fields with a default are optional."""
    hints = get_type_hints(record)
    shape: dict[str, Shape] = {}
    for one in fields(record):
        needed = one.default is MISSING and one.default_factory is MISSING
        shape[one.name if needed else f"{one.name}?"] = _shape_of_hint(hints[one.name])
    return shape


def record_of(record: type[Record], table: Mapping[str, Any]) -> Record:
    """Return a dataclass from a table that has its shape; keys of the table that it does not have are ignored."""
    hints = get_type_hints(record)
    return record(**{name: _value_of_hint(table[name], hint) for name, hint in hints.items() if name in table})


def _shape_of_hint(hint: Any) -> Shape:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return tuple(_shape_of_hint(one) for one in arguments)
    if origin is Literal:
        return arguments
    if origin is tuple:
        return [_shape_of_hint(arguments[0])]
    if origin in (dict, Mapping):
        return {str: _shape_of_hint(arguments[1])}
    if is_dataclass(hint) and isinstance(hint, type):
        return shape_of(hint)
    return None if hint is type(None) else hint


def _value_of_hint(value: Any, hint: Any) -> Any:
    arguments = get_args(hint)
    if isinstance(value, list):
        return tuple(_value_of_hint(item, arguments[0]) for item in value)
    found = next((one for one in (hint, *arguments) if is_dataclass(one)), None)
    return record_of(found, value) if isinstance(found, type) and isinstance(value, dict) else value


def read_object(path: str | Path, shape: Mapping[Any, Shape], what: str) -> dict[str, Any]:
    """Read a JSON file that holds an object.

    Args:
        path: The file.
        shape: The shape of the object.
        what: A description of a valid file, for messages: "a card of a trained model".

    Returns:
        The object.

    Raises:
        InputError: If the file cannot be read, is not JSON, or has another shape.
    """
    found = read_json(path, what)
    wrong = mismatch(found, shape)
    if wrong:
        raise InputError(f"{path} is not {what}: {wrong}.")
    return dict(found)


def read_json(path: str | Path, what: str) -> Any:
    """Read a JSON file of limited size; see `read_object` for arguments and errors."""
    try:
        return parse(read_bytes(path, LARGEST_FILE).decode("utf-8-sig"))
    except OSError as error:
        raise InputError(f"{path} cannot be read as {what}: {error.strerror or error}.") from error
    except ValueError as error:
        raise InputError(f"{path} is not {what}: {error}.") from error


def parse(text: str) -> Any:
    """Parse a JSON text.

    Raises:
        ValueError: If the text is not JSON, holds NaN or infinity, or is nested too deeply.
    """
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except (RecursionError, ValueError) as error:
        raise ValueError(json_reason(error)) from error


def json_reason(error: Exception) -> str:
    """Return why a text cannot be read as JSON, in words for its user."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if "set_int_max_str_digits" in str(error):
        return f"a number in it has more than {sys.get_int_max_str_digits():,} digits"
    return str(error)


def mismatch(value: Any, shape: Shape, where: str = "") -> str:
    """Describe the first place where a value does not have a shape; "" if it has."""
    if isinstance(shape, tuple):
        alike = [one for one in shape if isinstance(one, list | Mapping) and isinstance(value, _container(one))]
        return mismatch(value, alike[0], where) if alike else _wrong(value, shape, where)
    if isinstance(shape, list):
        items = value if isinstance(value, list) else []
        return _first(mismatch(item, shape[0], f"{where}[{at}]") for at, item in enumerate(items)) or _wrong(
            value, list, where
        )
    if isinstance(shape, Mapping):
        return _wrong(value, dict, where) or _mismatch_in_object(value, shape, f"{where}." if where else "")
    return _wrong(value, shape, where)


def _container(shape: list[Shape] | Mapping[Any, Shape]) -> type[Any]:
    return list if isinstance(shape, list) else dict


def _mismatch_in_object(value: Mapping[str, Any], shape: Mapping[Any, Shape], above: str) -> str:
    for key, below in shape.items():
        if key is str:
            found = _first(mismatch(one, below, f"{above}{name}") for name, one in value.items())
        elif key.endswith("?"):
            found = mismatch(value[key[:-1]], below, f"{above}{key[:-1]}") if key[:-1] in value else ""
        else:
            found = mismatch(value[key], below, f"{above}{key}") if key in value else f"{above}{key} is missing"
        if found:
            return found
    return ""


def _wrong(value: Any, needed: Any, where: str) -> str:
    if _fits(value, needed):
        return ""
    shown = "an object" if isinstance(value, dict) else "a list" if isinstance(value, list) else repr(value)
    quoted = shown if len(shown) <= _QUOTED else f"{shown[:_QUOTED]}…"
    return f"{where or 'it'} is {quoted}, where {_in_words(needed)} is needed"


def _in_words(needed: Shape) -> str:
    if isinstance(needed, tuple):
        *others, last = map(_in_words, needed)
        return f"{', '.join(others)} or {last}" if others else last
    if isinstance(needed, str):
        return repr(needed)
    return _NEEDED[_container(needed) if isinstance(needed, list | Mapping) else needed]


def _fits(value: Any, needed: Any) -> bool:
    if isinstance(needed, tuple):
        return any(_fits(value, one) for one in needed)
    if isinstance(needed, list | Mapping):
        return False  # lists and objects are compared with these before
    if needed is None or isinstance(needed, str):
        return bool(value == needed)
    if needed is int:
        return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST_COUNT
    if needed is float:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return is_number and abs(value) <= sys.float_info.max
    return isinstance(value, needed)


def _first(found: Any) -> str:
    return next(filter(None, found), "")


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")
