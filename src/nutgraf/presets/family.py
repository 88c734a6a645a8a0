"""A section is a folder, its kind is a file.

A family is a package whose modules each hold one class that keeps the family's contract. Nothing is registered: the
name in a preset is the name of the file, and a dotted name is a module of the user's own.
"""

from __future__ import annotations

import dataclasses
import difflib
import importlib
import inspect
import pkgutil
import re
import sys
import types
import typing
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

from nutgraf.errors import PresetError, UnknownName

T = TypeVar("T")

LARGEST_COUNT = 2**53
"""Beyond it a whole number has no exact counterpart among floating ones, and no option has a meaning."""

LARGEST_NUMBER = sys.float_info.max


@dataclasses.dataclass(frozen=True)
class NoOptions:
    """The `Config` of a part that has nothing to set."""


class Family(Generic[T]):
    """The members of the package `package` that keep `contract`.

    >>> extractors = Family("nutgraf.keyphrases", KeyphraseExtractor)
    >>> extractors.make("position_rank", top=20)
    """

    def __init__(self, package: str, contract: type[T]) -> None:
        self.package = package
        self.contract = contract

    @property
    def title(self) -> str:
        """The family's name for a person: its folder."""
        return self.package.rsplit(".", 1)[-1]

    @property
    def noun(self) -> str:
        """One member, in words: "keyphrase extractor" for the contract `KeyphraseExtractor`."""
        return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", self.contract.__name__).lower()

    def names(self) -> list[str]:
        """The kinds there are: the files of the folder, without those that begin with an underscore."""
        folder = importlib.import_module(self.package).__path__
        return sorted(module.name for module in pkgutil.iter_modules(folder) if not module.name.startswith("_"))

    def find(self, kind: str) -> type[T]:
        """The class in the file `kind`.

        Raises UnknownName if there is no such file, PresetError if it does not hold exactly one class of the contract.
        """
        parts = kind.split(".")
        if len(parts) > 1 and all(part.isidentifier() for part in parts) and parts[-1] != "__main__":
            module = _import_foreign(kind)
        elif kind in self.names():
            module = importlib.import_module(f"{self.package}.{kind}")
        else:
            raise UnknownName(self.noun, kind, self.names())
        members = [
            member
            for member in vars(module).values()
            if inspect.isclass(member)
            and issubclass(member, self.contract)
            and member.__module__ == module.__name__
            and not inspect.isabstract(member)
            and not member.__name__.startswith("_")
        ]
        if len(members) != 1:
            raise PresetError(
                f"{module.__name__} should hold one class that keeps {self.contract.__name__}, not {len(members)}."
            )
        return members[0]

    def config(self, kind: str) -> type[Any]:
        """The options of the member `kind`: the `Config` in its class or, as a rule, beside it in its file."""
        member = self.find(kind)
        beside = getattr(sys.modules[member.__module__], "Config", NoOptions)
        found: type[Any] = getattr(member, "Config", beside)
        return found

    def make(self, kind: str, /, *given: Any, **options: Any) -> T:
        """Build the member `kind`; `options` are the fields of its `Config`, `given` is what the place it is built for
        adds (sizes, say).

        Raises UnknownName for a kind that is not there, PresetError for an option that does not fit.
        """
        member = self.find(kind)
        return member(configure(self.config(kind), options, f"{self.title}.{kind}"), *given)  # type: ignore[call-arg]

    def from_section(self, section: Mapping[str, Any], *given: Any) -> T:
        """Build from a preset's section: `kind` says which, the other keys are its options."""
        options = dict(section)
        if not isinstance(options.get("kind"), str):
            raise PresetError(f"[{self.title}] needs a 'kind': one of {', '.join(self.names())}.")
        return self.make(options.pop("kind"), *given, **options)


def configure(config_class: type[Any], options: Mapping[str, Any], where: str) -> Any:
    """`config_class(**options)`, with the user's mistakes told in the user's terms."""
    fields = {field.name: field for field in dataclasses.fields(config_class) if field.init}
    hints = typing.get_type_hints(config_class)
    for key, value in options.items():
        if key not in fields:
            near = difflib.get_close_matches(key, fields, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise PresetError(f"{where} has no option {key!r}; it has {', '.join(fields) or 'none'}.{hint}")
        if isinstance(value, int) and abs(value) > LARGEST_COUNT:
            raise PresetError(
                f"{where}.{key} is a number of {len(f'{abs(value):x}')} hexadecimal digits; it is too large."
            )
        if not _fits(value, hints[key]):
            raise PresetError(f"{where}.{key} = {value!r} does not fit: {_say(hints[key])} is needed.")
    plain = {key: tuple(value) if isinstance(value, list) else value for key, value in options.items()}
    try:
        return config_class(**plain)
    except (ValueError, TypeError) as error:
        raise PresetError(f"{where}: {error}") from error


def _import_foreign(kind: str) -> types.ModuleType:
    try:
        return importlib.import_module(kind)
    except Exception as error:  # whatever somebody's module does
        raise PresetError(f"The module {kind!r} cannot be imported: {type(error).__name__}: {error}.") from error


def _fits(value: object, hint: Any) -> bool:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        return any(value == one and type(value) is type(one) for one in arguments)
    if origin in (typing.Union, types.UnionType):
        return any(_fits(value, one) for one in arguments)
    if origin in (tuple, list):
        return isinstance(value, (tuple, list)) and all(_fits(item, arguments[0]) for item in value)
    if hint is Any:
        return True
    if hint is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= LARGEST_NUMBER
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST_COUNT
    return isinstance(value, origin or hint)


def _say(hint: Any) -> str:
    arguments = typing.get_args(hint)
    if typing.get_origin(hint) is typing.Literal:
        return "one of " + ", ".join(repr(one) for one in arguments)
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return " or ".join(_say(one) for one in arguments)
    names = {str: "text", int: "a whole number", float: "a number", bool: "true or false", type(None): "nothing"}
    if typing.get_origin(hint) in (tuple, list):
        return "a list"
    return names.get(hint, getattr(hint, "__name__", str(hint)))
