"""Data that was written elsewhere, compared with the types that are needed: JSON files, and the options of presets.

pydantic compares. It is imported when there is something to compare, since that takes as long as all else at a start.
"""

from __future__ import annotations

import json
import operator
import sys
from collections.abc import Callable, Hashable, Iterable
from dataclasses import is_dataclass
from functools import cache
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, cast, get_args, get_origin

from nutgraf.errors import InputError
from nutgraf.runtime.files import read_bytes

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError
    from pydantic_core import ErrorDetails

T = TypeVar("T")

LARGEST_FILE = 1 << 28
"""Maximum size of a file in bytes; the largest hold vocabularies of some million words."""

LARGEST_COUNT = 2**53
"""Beyond it a whole number has no exact counterpart among floating ones, and no option has a meaning."""

_QUOTED = 60
"""Number of characters of a wrong value that a message quotes."""

_BOUNDS = {"ge": "at least", "gt": "above", "le": "at most", "lt": "below"}

_NEEDED = {
    "bool_type": "true or false",
    "dataclass_type": "an object",
    "dict_type": "an object",
    "finite_number": "a number",
    "float_type": "a number",
    "greater_than": "a number above {gt:,.16g}",
    "greater_than_equal": "a number from {ge:,.16g}",
    "int_type": "a whole number",
    "less_than": "a number below {lt:,.16g}",
    "less_than_equal": "a number up to {le:,.16g}",
    "literal_error": "{expected}",
    "mapping_type": "an object",
    "string_type": "text",
    "tuple_type": "a list in brackets",
}
"""What would do, by the kind of pydantic's error."""


_MEMBERS = {"bool", "constrained-int", "float", "int", "str"}
"""Names of the members of unions, which pydantic appends to the place of a value."""


class Range:
    """Range of a number, in the annotation of its type: `Annotated[int, Range(ge=1)]`.

    Args:
        bounds: Bounds by the comparison that holds: `ge`, `gt`, `le`, `lt`.
    """

    def __init__(self, **bounds: float) -> None:
        self.bounds = bounds

    def has(self, value: float) -> bool:
        """Return True if a number is in the range."""
        return all(getattr(operator, name)(value, bound) for name, bound in self.bounds.items())

    def __str__(self) -> str:
        return " and ".join(f"{_BOUNDS[name]} {bound:,}" for name, bound in self.bounds.items())

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        """Return pydantic's schema of the number with the bounds."""
        return {**handler(source), **self.bounds}


Count = Annotated[int, Range(ge=0, le=LARGEST_COUNT)]
"""A whole number from 0, as files have it."""


@cache
def adapter(kind: Any) -> TypeAdapter[Any]:
    """Return what compares values with a type, without guessing: "1" is no number, and neither are true and NaN."""
    from pydantic import ConfigDict, TypeAdapter, with_config

    # A field `from_` is the key "from", which is no name in Python.
    strict = ConfigDict(strict=True, allow_inf_nan=False, alias_generator=lambda name: name.rstrip("_"))
    if isinstance(kind, type) and is_dataclass(kind):
        return TypeAdapter(with_config(strict)(kind))
    return TypeAdapter(kind, config=strict)


def fits(value: Any, kind: Any) -> bool:
    """Return True if a value is surely of a type, so that `adapter` need not be asked, and pydantic not be imported."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        ranges = [one for one in arguments[1:] if isinstance(one, Range)]
        return len(ranges) == len(arguments) - 1 and fits(value, arguments[0]) and all(one.has(value) for one in ranges)
    if origin is Literal:
        return any(value == one and type(value) is type(one) for one in arguments)
    if origin is tuple and Ellipsis not in arguments:
        its = value if isinstance(value, tuple) and len(value) == len(arguments) else None
        return its is not None and all(map(fits, its, arguments))
    return (kind in (bool, int, str) and type(value) is kind) or (kind is type(value) is float and isfinite(value))


def needed(errors: Iterable[ErrorDetails]) -> str:
    """Return in words what would be valid, from pydantic's errors about one value: one for each type of a union."""
    words = (_NEEDED.get(one["type"], one["msg"]).format(**one.get("ctx", {})) for one in errors)
    return " or ".join(dict.fromkeys(words))


def load(text: str, kind: type[T]) -> T:
    """Return a JSON text as a record; keys that the record does not have are ignored.

    Args:
        text: The text.
        kind: A dataclass, or any other type that pydantic knows.

    Raises:
        ValueError: If the text is not JSON, or does not fit; the message names the key and what would do.
    """
    from pydantic import ValidationError

    try:
        record: T = adapter(cast(Hashable, kind)).validate_json(text)
    except ValidationError as error:
        raise ValueError(_reason(error)) from error
    return record


def _reason(error: ValidationError) -> str:
    errors = error.errors(include_url=False)
    place, given = errors[0]["loc"], errors[0]["input"]
    if errors[0]["type"] == "json_invalid":
        why = errors[0]["ctx"]["error"]
        return "it is nested too deeply" if why.startswith("recursion limit") else f"it is no JSON ({why})"
    same = errors[:1]
    if place and place[-1] in _MEMBERS:
        same, place = [one for one in errors if one["loc"][:-1] == place[:-1]], place[:-1]
    where = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place).lstrip(".") or "it"
    if errors[0]["type"] == "missing":
        return f"{where} is missing"
    shown = "an object" if isinstance(given, dict) else "a list" if isinstance(given, list) else repr(given)
    quoted = shown if len(shown) <= _QUOTED else f"{shown[:_QUOTED]}…"
    return f"{where} is {quoted}, where {needed(same)} is needed"


def read_record(path: str | Path, kind: type[T], what: str) -> T:
    """Read a JSON file of limited size as a record; keys that the record does not have are ignored.

    Args:
        path: The file.
        kind: A dataclass, or any other type that pydantic knows.
        what: A description of a valid file, for messages: "a card of a trained model".

    Raises:
        InputError: If the file cannot be read, is not JSON, or does not fit.
    """
    return _read(path, what, lambda text: load(text, kind))


def read_object(path: str | Path, kind: type[Any], what: str) -> dict[str, Any]:
    """Read a JSON file that holds an object with the keys of a dataclass, and return all that it holds.

    See `read_record` for arguments and errors.
    """

    def known(text: str) -> dict[str, Any]:
        load(text, kind)
        return dict(parse(text))

    return _read(path, what, known)


def read_json(path: str | Path, what: str) -> Any:
    """Read a JSON file of limited size, whatever it holds; see `read_record` for arguments and errors."""
    return _read(path, what, parse)


def _read(path: str | Path, what: str, parsed: Callable[[str], T]) -> T:
    try:
        return parsed(read_bytes(path, LARGEST_FILE).decode("utf-8-sig"))
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


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")
