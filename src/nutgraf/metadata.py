"""The JSON files that say what a folder holds: read up to a limit, and checked against a shape before they are used.

A shape says what a value must be:

    str, bool, dict, list     a value of this type
    int                       a whole number from 0
    float                     a finite number
    None, "text"              exactly this
    [shape]                   a list, each item of this shape
    {"key": shape}            an object that has this key; "key?" may be absent; other keys do not matter
    {str: shape}              an object, each value of this shape
    (shape, other)            one of these
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from nutgraf.errors import InputError
from nutgraf.files import read_bytes

Shape = Any

LARGEST_FILE = 1 << 28
"""Bytes. The largest there are hold vocabularies of some million words."""

LARGEST_COUNT = 2**53

_QUOTED = 60
"""Characters of a wrong value that a message quotes."""

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
    """The shape of a dataclass as `asdict` leaves it; what a file does not say has the field's default."""
    hints = get_type_hints(record)
    shape: dict[str, Shape] = {}
    for one in fields(record):
        needed = one.default is MISSING and one.default_factory is MISSING
        shape[one.name if needed else f"{one.name}?"] = _shape_of_hint(hints[one.name])
    return shape


def _shape_of_hint(hint: Any) -> Shape:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return tuple(_shape_of_hint(one) for one in arguments)
    if origin is dict:
        return {str: _shape_of_hint(arguments[1])}
    return None if hint is type(None) else hint


def read_object(path: str | Path, shape: Mapping[Any, Shape], what: str) -> dict[str, Any]:
    """Read a JSON file that holds an object.

    Args:
        path: The file.
        shape: What the object must be.
        what: What the file is when it is whole, for messages: "a card of a trained model".

    Returns:
        The object, of that shape.

    Raises:
        InputError: If it cannot be read, is not JSON, or is of another shape.
    """
    found = read_json(path, what)
    wrong = misfit(found, shape)
    if wrong:
        raise InputError(f"{path} is not {what}: {wrong}.")
    return dict(found)


def read_json(path: str | Path, what: str) -> Any:
    """Read a JSON file of a limited size. Arguments and errors are those of `read_object`."""
    try:
        return parse(read_bytes(path, LARGEST_FILE).decode("utf-8"))
    except OSError as error:
        raise InputError(f"{path} cannot be read as {what}: {error.strerror or error}.") from error
    except ValueError as error:
        raise InputError(f"{path} is not {what}: {error}.") from error


def parse(text: str) -> Any:
    """What a JSON text says. Raises ValueError for what is not JSON, as NaN, or is nested too deeply."""
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def misfit(value: Any, shape: Shape, where: str = "") -> str:
    """The first point in which a value is not of a shape, in words; "" if it is."""
    if isinstance(shape, tuple):
        found = [misfit(value, one, where) for one in shape]
        return "" if "" in found else found[-1]
    if isinstance(shape, list):
        items = value if isinstance(value, list) else []
        return _first(misfit(item, shape[0], f"{where}[{at}]") for at, item in enumerate(items)) or _wrong(
            value, list, where
        )
    if isinstance(shape, Mapping):
        return _wrong(value, dict, where) or _misfit_object(value, shape, f"{where}." if where else "")
    return _wrong(value, shape, where)


def _misfit_object(value: Mapping[str, Any], shape: Mapping[Any, Shape], above: str) -> str:
    for key, below in shape.items():
        if key is str:
            found = _first(misfit(one, below, f"{above}{name}") for name, one in value.items())
        elif key.endswith("?"):
            found = misfit(value[key[:-1]], below, f"{above}{key[:-1]}") if key[:-1] in value else ""
        else:
            found = misfit(value[key], below, f"{above}{key}") if key in value else f"{above}{key} is missing"
        if found:
            return found
    return ""


def _wrong(value: Any, needed: Any, where: str) -> str:
    if _fits(value, needed):
        return ""
    said = "an object" if isinstance(value, dict) else "a list" if isinstance(value, list) else repr(value)
    quoted = said if len(said) <= _QUOTED else f"{said[:_QUOTED]}…"
    words = repr(needed) if isinstance(needed, str) else _NEEDED[needed]
    return f"{where or 'it'} is {quoted}, where {words} is needed"


def _fits(value: Any, needed: Any) -> bool:
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
    raise ValueError(f"{name} is no number")
