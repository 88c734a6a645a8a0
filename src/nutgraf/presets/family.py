"""A section is a folder, its kind is a file.

A family is a package whose modules each hold one class that keeps the family's contract. Nothing is registered: the
name in a preset is the name of the file, and a dotted name is a module of the user's own. The options of a member are
the fields of its `Config`; `configure` turns a table into such a record, and the tables inside it into theirs.
"""

from __future__ import annotations

import dataclasses
import difflib
import functools
import importlib
import importlib.util
import inspect
import pkgutil
import re
import sys
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

from nutgraf.errors import PresetError, UnknownName, check_type
from nutgraf.runtime.metadata import LARGEST_COUNT, adapter, fits, needed

T = TypeVar("T")

ABSENT = "none"
"""The word for no value and no section; TOML has none."""

CHANGEABLE = {"changeable": True}
"""Metadata of a field that may have another value when a training is resumed."""

PRESET_SEED = {"seed": True}
"""Metadata of a field that takes the seed of the preset where its section gives none."""

PERMANENT = "permanent"
"""Key of the metadata of a field that holds sections by name; the value has the names of those that are always there,
which "none" cannot take out."""

NAMES_PRESET = {"names_preset": True}
"""Metadata of a field that names another preset, whose options stand there."""

OPTIONS_OF = "options_of"
"""Key of the metadata of a field that holds some options of another part, which keeps its own for the others; the value
is the module of that part's `Config`."""


@dataclasses.dataclass(frozen=True)
class NoOptions:
    """The `Config` of a part that has no options."""


class Member:
    """A part that keeps its options; those of a member of a family are declared as `config: Config`."""

    def __init__(self, config: Any) -> None:
        """Keep the options."""
        self.config = config


@dataclasses.dataclass(frozen=True)
class Choice(Generic[T]):
    """A member of a family with its options: a section of a preset that has a `kind`.

    Attributes:
        kind: The name of the member.
        config: The record of its options.
    """

    kind: str
    config: Any


@dataclasses.dataclass(frozen=True)
class Context:
    """The preset in which a section stands.

    Attributes:
        seed: Its seed, for members that draw at random.
        checked: Compare values with the types of their options; the tests do that for presets that ship, which load
            faster without.
    """

    seed: int | None = None
    checked: bool = True


ALONE, SHIPPED = Context(), Context(checked=False)
"""A section that stands in no preset, and one that the tests have checked."""


class Family(Generic[T]):
    """The members of the package `package` that keep `contract`.

    Args:
        package: The name of the package.
        contract: The class that all members inherit from.
        shared: Public modules of the package that hold no member, but what members share.
        noun: One member, in words, for messages; None takes the contract's name: "keyphrase extractor" for
            `KeyphraseExtractor`.
    """

    def __init__(self, package: str, contract: type[T], shared: Sequence[str] = (), noun: str | None = None) -> None:
        self.package = package
        self.contract = contract
        self.shared = frozenset(shared)
        self.noun = noun or re.sub(r"(?<=[a-z])(?=[A-Z])", " ", contract.__name__).lower()

    @property
    def title(self) -> str:
        """The family's name for a person: its folder."""
        return self.package.rsplit(".", 1)[-1]

    def names(self) -> list[str]:
        """Return the kinds: the files of the folder whose names do not begin with an underscore."""
        folder = importlib.import_module(self.package).__path__
        files = {module.name for module in pkgutil.iter_modules(folder) if not module.name.startswith("_")}
        return sorted(files - self.shared)

    def _has(self, kind: str) -> bool:
        """Return True if `names` has a kind, without a look at all files of the folder."""
        if not kind.isidentifier() or kind.startswith("_") or kind in self.shared:
            return False
        return importlib.util.find_spec(f"{self.package}.{kind}") is not None

    def find(self, kind: str) -> type[T]:
        """Return the class in the file `kind`.

        Raises:
            UnknownName: If there is no such file.
            PresetError: If the file does not hold exactly one class that keeps the whole contract.
        """
        check_type(kind, str, f"The name of a {self.noun} is a text (str)")
        parts = kind.split(".")
        if len(parts) > 1 and all(part.isidentifier() for part in parts) and parts[-1] != "__main__":
            module = _import_foreign(kind)
        elif self._has(kind):
            module = importlib.import_module(f"{self.package}.{kind}")
        else:
            raise UnknownName(self.noun, kind, self.names())
        classes = [
            member
            for member in vars(module).values()
            if inspect.isclass(member)
            and issubclass(member, self.contract)
            and member.__module__ == module.__name__
            and not member.__name__.startswith("_")
        ]
        members = [member for member in classes if not inspect.isabstract(member)]
        if classes and not members:
            lacks = ", ".join(sorted(vars(classes[-1])["__abstractmethods__"]))
            raise PresetError(
                f"{module.__name__}: the class {classes[-1].__name__} lacks {lacks}, which every "
                f"{self.contract.__name__} has."
            )
        if len(members) != 1:
            named = kind if "." in kind else module.__name__
            raise PresetError(
                f"{named} is no {self.noun}: such a module holds one class that inherits from "
                f"{self.contract.__module__}.{self.contract.__name__}, and this one has {len(members) or 'none'}. "
                f"There are {', '.join(self.names())}."
            )
        return members[0]

    def config(self, kind: str) -> type[Any]:
        """Return the options of the member `kind`: the `Config` in its class or, as a rule, beside it in its file."""
        member = self.find(kind)
        beside = getattr(sys.modules[member.__module__], "Config", NoOptions)
        return getattr(member, "Config", beside)

    def examples(self, kind: str) -> tuple[Choice[T], ...]:
        """Return the member `kind` with the options that its contract is tested with.

        These are the records in `EXAMPLES` beside its `Config`; a file without them is tested with its defaults.
        """
        found = vars(sys.modules[self.find(kind).__module__]).get("EXAMPLES")
        return (self.choose(kind),) if found is None else tuple(Choice(kind, config) for config in found)

    def choose(self, kind: str, /, **options: Any) -> Choice[T]:
        """Return the member `kind` with these options, checked but not built.

        Raises:
            UnknownName: If there is no such kind.
            PresetError: If an option does not fit.
        """
        values = {name: plain(value) for name, value in options.items()}
        return Choice(kind, configure(self.config(kind), values, f"{self.title}.{kind}"))

    def choice(self, section: Any, where: str = "", context: Context = ALONE) -> Choice[T]:
        """Return a section of a preset, checked: `kind` names the member, the other keys are its options.

        Args:
            section: The table, or a choice that was checked already.
            where: Place of the section in the preset, for messages.
            context: The preset.

        Raises:
            UnknownName: If there is no such kind.
            PresetError: If the section does not fit.
        """
        where = where or self.title
        if isinstance(section, Choice):
            return section
        if not isinstance(section, Mapping) or not isinstance(section.get("kind"), str):
            raise PresetError(f"[{where}] needs a 'kind': one of {', '.join(self.names())}.")
        kind = section["kind"]
        options = {key: value for key, value in section.items() if key != "kind"}
        return Choice(kind, configure(self.config(kind), options, where, kind, context))

    def build(self, choice: Choice[T], *given: Any) -> T:
        """Build a member.

        Args:
            choice: The member and its options.
            given: Further arguments of its constructor, as its contract says.
        """
        member: Callable[..., T] = self.find(choice.kind)
        return member(choice.config, *given)

    def make(self, kind: str, /, *given: Any, **options: Any) -> T:
        """Build the member `kind` with these options; see `choose` and `build`."""
        return self.build(self.choose(kind, **options), *given)


def family_of(contract: type[T]) -> Family[T]:
    """Return the family of a contract, which stands in the same file."""
    module = sys.modules[contract.__module__]
    return next(one for one in list(vars(module).values()) if isinstance(one, Family) and one.contract is contract)


def families(package: str = "nutgraf") -> Iterator[Family[Any]]:
    """Walk through a package and yield all families in it, by the names of their packages."""
    root = importlib.import_module(package)
    for module in sorted(pkgutil.walk_packages(root.__path__, f"{package}."), key=lambda one: one.name):
        if module.ispkg:
            face = list(vars(importlib.import_module(module.name)).values())
            yield from (one for one in face if isinstance(one, Family) and one.package == module.name)


def configure(
    config_class: type[Any], options: Mapping[str, Any], where: str, kind: str = "", context: Context = ALONE
) -> Any:
    """Return `config_class(**options)`, with the tables inside turned into records, too.

    Args:
        config_class: A dataclass.
        options: Values of its fields, as a preset gives them.
        where: Place in the preset, for messages.
        kind: The kind that the section there has, for messages.
        context: The preset.

    Raises:
        PresetError: If a name or a value does not fit.
        UnknownName: If a section inside has an unknown kind.
        ModuleNotFoundError: If a package is not installed; mistakes that can be found without it are named first.
    """
    given, missing = {}, None
    refuse_unknown(options, config_class, f"{where or 'The preset'}{f' of kind {kind!r}' if kind else ''}")
    for name in names_of(config_class):
        try:
            given[name] = configure_field(config_class, name, options, where, context)
        except ModuleNotFoundError as error:
            missing = missing or error
    if missing:
        raise missing
    try:
        return config_class(**given)
    except (ValueError, TypeError) as error:
        raise PresetError(f"{where or 'The preset'}: {error}") from error


def names_of(config_class: type[Any]) -> list[str]:
    """Return the names of all options."""
    return [field.name for field in dataclasses.fields(config_class) if field.init]


def refuse_unknown(options: Iterable[str], config_class: type[Any], owner: str, besides: Sequence[str] = ()) -> None:
    """Raise PresetError if an option is given that its owner has neither in its record nor `besides`."""
    names = [*names_of(config_class), *besides]
    for key in options:
        if key not in names:
            near = difflib.get_close_matches(key, names, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            for other in (field.name for field in dataclasses.fields(config_class) if "names_preset" in field.metadata):
                hint += (
                    f" The preset that {other!r} names has options of its own: write a .toml file that extends that "
                    f"preset, and set {other} to the file."
                )
            raise PresetError(f"{owner} has no option {key!r}; it has {', '.join(names) or 'none'}.{hint}")


def _some_options(options: Any, module: str, where: str, context: Context) -> dict[str, Any]:
    """Return some options of a module's `Config`, each as its field has it.

    They are left as they are where the module lacks a package: then nothing can use them.
    """
    if not isinstance(options, Mapping):
        raise PresetError(f"{where} = {options!r} does not fit: a section [{where}] is needed.")
    try:
        config_class = importlib.import_module(module).Config
    except ModuleNotFoundError:
        return dict(options)
    refuse_unknown(options, config_class, where)
    return {name: configure_field(config_class, name, options, where, context) for name in options}


def configure_field(
    config_class: Any, name: str, options: Mapping[str, Any], where: str = "", context: Context = ALONE
) -> Any:
    """Return one field as `configure` does."""
    field = next(field for field in dataclasses.fields(config_class) if field.name == name)
    place = f"{where}.{name}" if where else name
    if name in options and OPTIONS_OF in field.metadata:
        return _some_options(options[name], field.metadata[OPTIONS_OF], place, context)
    if name in options:
        _refuse_taking_out(field.metadata.get(PERMANENT, ()), options[name], place)
        return _converted(_on_default(options[name], field), field_type(config_class, name), place, context)
    if context.seed is not None and field.metadata.get("seed"):
        return context.seed
    if field.default is not dataclasses.MISSING:
        return field.default
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    hint = field_type(config_class, name)
    if not _is_section(hint):
        raise PresetError(f"{f'[{where}]' if where else 'The preset'} needs {name!r}.")
    return _converted({}, hint, place, context)  # a section that is not there changes no option


def _on_default(value: Any, field: dataclasses.Field[Any]) -> Any:
    """Return a section of a member laid over the default of its field, if it does not say which kind it is."""
    if not isinstance(value, Mapping) or "kind" in value or field.default_factory is dataclasses.MISSING:
        return value
    default = field.default_factory()
    return {**table_of(default), **value} if isinstance(default, Choice) else value


def _refuse_taking_out(permanent: Sequence[str], sections: Any, where: str) -> None:
    """Raise PresetError if a section that is always there is set to "none"."""
    for name in permanent:
        if isinstance(sections, Mapping) and sections.get(name) == ABSENT:
            raise PresetError(f"{where}.{name} = {ABSENT!r} does not fit: {name} cannot be taken out.")


@functools.cache
def field_type(config_class: Any, name: str) -> Any:
    """Return the type of a field of a `Config`.

    A dotted name of a module of ours in its annotation is imported first, so that a file may name the options of what
    it has no need to load.
    """
    owner = next(one for one in config_class.__mro__ if name in inspect.get_annotations(one))
    annotation = inspect.get_annotations(owner)[name]
    for module in re.findall(r"\bnutgraf(?:\.[a-z_]\w*)+", annotation) if isinstance(annotation, str) else ():
        importlib.import_module(module)
    names = {"nutgraf": sys.modules["nutgraf"], **vars(sys.modules[owner.__module__])}
    fields = types.SimpleNamespace(__annotations__={name: annotation})
    return typing.get_type_hints(fields, names, include_extras=True)[name]


def plain(value: Any) -> Any:
    """Return a number or an array of NumPy as one of Python, and anything else as it is."""
    return value.tolist() if hasattr(value, "dtype") and hasattr(value, "tolist") else value


def table_of(record: Any, *, compared: bool = False) -> Any:
    """Return a `Config` or `Choice` as a table of plain values, complete with its defaults.

    Args:
        record: The record, or a value in one.
        compared: Leave out what may change when a training is resumed.
    """
    if isinstance(record, Choice):
        return {"kind": record.kind, **table_of(record.config, compared=compared)}
    if dataclasses.is_dataclass(record):
        return {
            field.name: table_of(getattr(record, field.name), compared=compared)
            for field in dataclasses.fields(record)
            if field.init and not (compared and field.metadata.get("changeable"))
        }
    if isinstance(record, Mapping):
        return {key: table_of(value, compared=compared) for key, value in record.items()}
    if isinstance(record, tuple | list):
        return [table_of(value, compared=compared) for value in record]
    return ABSENT if record is None else record


def _import_foreign(kind: str) -> types.ModuleType:
    try:
        return importlib.import_module(kind)
    except Exception as error:  # whatever somebody's module does
        hint = ""
        if isinstance(error, ModuleNotFoundError) and f"{kind}.".startswith(f"{error.name}."):
            hint = (
                " It has to be installed, or to lie in a folder of PYTHONPATH; `python -m nutgraf` looks in the "
                "working directory, too."
            )
        reason = f"{type(error).__name__}: {error}."
        raise PresetError(f"The module {kind!r} cannot be imported: {reason}{hint}") from error


def _converted(value: Any, hint: Any, where: str, context: Context) -> Any:
    """Return a value of a preset as the type of its field has it. Raises PresetError if it does not fit."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        if value == ABSENT and type(None) in arguments:
            return None
        sections = [one for one in arguments if _is_section(one)]
        if sections and value is not None:
            return _converted(value, sections[0], where, context)
    elif origin is Choice:
        return family_of(arguments[0]).choice(value, where, context)
    elif dataclasses.is_dataclass(hint) and isinstance(hint, type):
        if isinstance(value, hint):
            return value
        if not isinstance(value, Mapping):
            raise PresetError(f"{where} = {value!r} does not fit: a section [{where}] is needed.")
        return configure(hint, value, where, context=context)
    elif len(arguments) == 2 and typing.get_origin(arguments[1]) is Choice:
        return _named_choices(value, family_of(typing.get_args(arguments[1])[0]), where, context)
    if context.checked:
        return _compared(value, hint, where)
    return tuple(value) if isinstance(value, list) else value


def _is_section(hint: Any) -> bool:
    return typing.get_origin(hint) is Choice or dataclasses.is_dataclass(hint)


def _named_choices(value: Any, family: Family[T], where: str, context: Context) -> dict[str, Choice[T]]:
    """Return several members of a family, each in a section that is named after its kind."""
    sections = isinstance(value, Mapping) and all(
        one == ABSENT or isinstance(one, Mapping | Choice) for one in value.values()
    )
    if not sections:
        raise PresetError(f"[{where}] holds sections, as [{where}.{family.names()[0]}].")
    return {
        name: family.choice(one if isinstance(one, Choice) else {"kind": name, **one}, f"{where}.{name}", context)
        for name, one in value.items()
        if one != ABSENT
    }


def _compared(value: Any, hint: Any, where: str) -> Any:
    """Return a value after it was compared with its type, as a float where that is one. Raises PresetError."""
    if any(isinstance(one, int) and abs(one) > LARGEST_COUNT for one in (value if type(value) is list else [value])):
        raise PresetError(f"{where} is too large; the most is {LARGEST_COUNT:,}.")
    given = tuple(value) if isinstance(value, list) else value
    if fits(given, hint):
        return given
    from pydantic import ValidationError

    try:
        return adapter(hint).validate_python(given)
    except ValidationError as error:
        words = needed(error.errors(include_url=False)) + (
            f" or {ABSENT!r}" if type(None) in typing.get_args(hint) else ""
        )
        raise PresetError(f"{where} = {value!r} does not fit: {words} is needed.") from error
