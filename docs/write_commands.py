"""Writes the pages that are read off the code: `commands.md`, `presets.md` and `options.md`.

    python docs/write_commands.py

A test asserts that the pages beside this file are what it gives now. What it writes depends on the code alone, not on
the terminal.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import itertools
import re
import sys
import textwrap
import types
import typing
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeGuard

from nutgraf import presets
from nutgraf.cli.app import commands
from nutgraf.presets import Choice, Family, table_of
from nutgraf.presets.family import ABSENT, NoOptions, family_of, field_type
from nutgraf.runtime.files import write_text
from nutgraf.runtime.metadata import Range
from nutgraf.systems import read_preset, systems

HERE = Path(__file__).parent

WRITTEN = "<!-- Written by docs/write_commands.py (`make docs`); change the code, not this page. -->"

EXAMPLE = re.compile(r"^Example: (?P<line>nutgraf .+)$", re.MULTILINE)

SOURCE = re.compile(r"\b(?:19|20)\d\d\b|\bet al\.")
"""What tells a paragraph that names a paper."""

NAMES = r"(?:[a-z]\w*, )*[a-z]\w*"
"""The options that an entry of a docstring is about."""

ELSEWHERE = {
    "nutgraf.metrics": "`--metrics NAME,NAME`; their options are set as `--set NAME.option=value`.",
    "nutgraf.readers": "Found by content; `--reader NAME` chooses one. In Python: `nutgraf.read(path, kind=NAME)`.",
    "nutgraf.conversion": "Found by content: `nutgraf convert`.",
    "nutgraf.faithfulness.detectors": "All of them take part in `nutgraf check`, with the options that stand here.",
    "nutgraf.judging.protocols": "`nutgraf judge sheet --kind NAME`; their options are set as `--set option=value`.",
}
"""Families that no section of a preset chooses from."""

STATUSES = """\
| Exit status | Meaning |
| --- | --- |
| 0 | Done. |
| 1 | `check --fail-on` found what it names. Otherwise a mistake of nutgraf's own; please report it. |
| 2 | A mistake that you can mend, told in a sentence; with `--each`, a document without a result beside others. |
| 129, 130, 143 | Ended by SIGHUP, by Ctrl-C, by SIGTERM. |
| 141 | Nobody reads what is printed, as `head` when it has its lines. |"""
"""What the command's exit status says; see `nutgraf.cli.main`."""

ALWAYS = {
    "nutgraf.training.callbacks": "A section adds a callback of your own. Those below take part in every training "
    "without one.",
}
"""What is to be known of the members of a family together."""


def examples() -> dict[str, list[str]]:
    """The lines "Example: nutgraf …" of each command's help."""
    return {name: [match["line"] for match in EXAMPLE.finditer(command.help)] for name, command in commands().items()}


def commands_page() -> str:
    """All commands, their arguments and options."""
    found = commands()
    contents = [
        f"* [`nutgraf {name}`](#{_anchor(name)}): {_first_line(command.help)}" for name, command in found.items()
    ]
    return _page(
        "Commands",
        "Only the result goes to stdout; notices go to stderr. `nutgraf --version` prints the version; `-h` or "
        "`--help` explains a command.",
        STATUSES,
        "\n".join(contents),
        *(block for name, command in found.items() for block in _command(name, command)),
    )


def presets_page() -> str:
    """The presets that ship."""
    rows = [
        (f"`{name}`", *(preset.table.get(key, "") for key in ("title", "about", "paper", "published")))
        for name in presets.names()
        for preset in [read_preset(name)]
    ]
    return _page(
        "Presets",
        'A preset is a system that summarizes: `nutgraf summarize --system NAME`, or `nutgraf.load("NAME")` in '
        "Python. `nutgraf presets NAME` prints what it and the presets that it extends set, `--set section.key=value` "
        'changes it, and a `.toml` file of your own that says `extends = "NAME"` is one too. [options.md](options.md) '
        "has all keys with their defaults. The published scores are their papers', not ours; those on CNN/Daily Mail "
        "are of the corpus with names in it, unless it is called anonymized.",
        _table(("Name", "System", "What it does", "Paper", "Published"), rows),
    )


def options_page() -> str:
    """The sections of presets and the members of every family, with their options."""
    blocks = ["## The top of a preset", _table(("Key", "What it is"), TOP), *_of_systems()]
    shown: set[str] = set()
    under: dict[str, list[str]] = {}  # a section of the same name may have other options in another system
    for path, section in sections():
        under.setdefault(path, [f"## [{path}]"]).extend(_section(path, section))
        shown |= {section.package} if isinstance(section, Family) else set()
    blocks += itertools.chain.from_iterable(under.values())
    for family in presets.families():
        if family.package in ELSEWHERE:
            blocks += [f"## {family.title}", ELSEWHERE[family.package], *_family(family)]
    return _page(
        "Options",
        "A section of a preset has options; where it has a `kind`, that is a file in its family's folder, with options "
        "of its own. These are all of them, with their defaults. A preset sets them in its sections, or "
        "`--set section.key=value` on top of it, as `--set magnifier.fill=false`. `none` takes a section out, as "
        "`--set keyphrases=none`. What is *changeable* may have another value when a training is resumed, and so may "
        f"all of {', '.join(f'[{path}]' for path in _changeable_sections())}.",
        *blocks,
    )


TOP = (
    (
        "`system`",
        "The kind of system: `extractive`, `neural`, `tagger`, `two_stage`. It says which sections there are.",
    ),
    ("`extends`", "The preset that this one begins with: its name, or the path of a `.toml` file."),
    ("`seed`", "Seed of all that is drawn at random, in training too; 0 by default: `--set seed=1`."),
    ("`title`, `about`, `paper`, `published`", "What `nutgraf presets` shows; they change nothing."),
)
"""The keys above all sections."""


def _of_systems() -> Iterator[str]:
    """The options of systems that are no sections."""
    for kind in systems.names():
        config = systems.config(kind)
        sentences = _sentences(config)
        for field in dataclasses.fields(config):
            if field_type(config, field.name) in (str, int, float, bool):
                option = f"`{field.name} = {_value(_default_of(field))}`: {sentences[field.name]}"
                yield f'With `system = "{kind}"`:\n\n* {option}'


def sections() -> Iterator[tuple[str, Family[Any] | type[Any]]]:
    """Walk through the options of all systems: every section once, with the family or the options that it holds."""
    seen: set[object] = set()
    for kind in systems.names():
        yield from _sections(systems.config(kind), "", seen)


def _sections(config: type[Any], above: str, seen: set[object]) -> Iterator[tuple[str, Family[Any] | type[Any]]]:
    for field in dataclasses.fields(config):
        hint = field_type(config, field.name)
        for one in (hint, *typing.get_args(hint)):
            origin, arguments = typing.get_origin(one), typing.get_args(one)
            path = f"{above}{field.name}"
            if origin is Choice:
                family = family_of(arguments[0])
                path += "" if one in (hint, *_alternatives(hint)) else ".NAME"
                if family not in seen:
                    seen.add(family)
                    yield path, family
                    for name in family.names():
                        yield from _sections(family.config(name), f"{path}.", seen)
            elif dataclasses.is_dataclass(one) and isinstance(one, type) and one not in seen:
                seen.add(one)
                yield path, one
                yield from _sections(one, f"{path}.", seen)


def _changeable_sections() -> Iterator[str]:
    """The sections whose options may all have another value when a training is resumed."""
    configs = {"": systems.config("neural"), "training.": field_type(systems.config("neural"), "training")}
    for above, config in configs.items():
        for field in dataclasses.fields(config):
            if field.metadata.get("changeable") and not _is_option(config, field):
                yield f"{above}{field.name}"


def _is_option(config: type[Any], field: dataclasses.Field[Any]) -> bool:
    """Whether a field is an option, and no section."""
    hint = field_type(config, field.name)
    kinds = [typing.get_origin(one) or one for one in (hint, *typing.get_args(hint))]
    return not any(one is Choice or dataclasses.is_dataclass(one) for one in kinds)


def _alternatives(hint: Any) -> tuple[Any, ...]:
    """The arms of a union."""
    return typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else ()


PAGES = {"commands.md": commands_page, "presets.md": presets_page, "options.md": options_page}


def _page(title: str, *blocks: str) -> str:
    return "\n\n".join([f"# {title}", WRITTEN, *filter(None, blocks)]) + "\n"


def _anchor(name: str) -> str:
    return f"nutgraf-{name}".replace(" ", "-")


def _command(name: str, command: Any) -> Iterator[str]:
    arguments = [param for param in command.params if _is_argument(param)]
    options = [param for param in command.params if not _is_argument(param)]
    yield f"## nutgraf {name}"
    yield f"```text\n{' '.join(['nutgraf', name, *map(_usage, arguments), '[OPTIONS]'])}\n```"
    for paragraph in command.help.split("\n\n"):
        match = EXAMPLE.fullmatch(paragraph)
        yield f"Example:\n\n```sh\n{match['line']}\n```" if match else " ".join(paragraph.split())
    if arguments:
        rows = [(f"`{param.name.upper()}`", param.help) for param in arguments]
        yield _table(("Argument", "What it is"), rows)
    yield _table(("Option", "What it does", "Default"), [_option(param) for param in options])


def _is_argument(param: Any) -> bool:
    return not param.opts[0].startswith("-")


def _usage(argument: Any) -> str:
    shown = f"{argument.name.upper()}{'…' if argument.nargs == -1 else ''}"
    return shown if argument.required else f"[{shown}]"


def _option(param: Any) -> tuple[str, str, str]:
    names = ", ".join(f"`{name}`" for name in sorted(param.opts, key=len))
    if param.secondary_opts:
        names += " / " + ", ".join(f"`{name}`" for name in param.secondary_opts)
    return names, param.help, _default(param)


def _default(param: Any) -> str:
    if param.required:
        return "must be given"
    if isinstance(param.show_default, str):
        return param.show_default
    if param.is_flag:
        held = param.opts if param.default else param.secondary_opts
        return f"`{held[0]}`" if held and param.secondary_opts and param.default is not None else ""
    return "" if param.default is None else f"`{param.default}`"


def _section(path: str, section: Family[Any] | type[Any]) -> Iterator[str]:
    if isinstance(section, Family):
        several = "; several may stand there" if path.endswith(".NAME") else ""
        yield f"{_first_sentence(sys.modules[section.package].__doc__)} `{section.title}/`{several}."
        yield ALWAYS.get(section.package, "")
        yield from _family(section)
    else:
        yield _docstring(section)
        yield from _origin(section)
        yield from _options(section)


def _family(family: Family[Any]) -> Iterator[str]:
    for name in family.names():
        yield f"### {name}"
        member = family.find(name)
        yield _prose(inspect.getdoc(member))
        yield from _origin(member)
        config = family.config(name)
        docstring = _docstring(config)
        if docstring != _first_sentence(docstring) and config is not NoOptions and not _lacks_sentences(config):
            yield docstring  # more than the name
        yield from _options(config)


def _origin(part: type[Any]) -> Iterator[str]:
    """Where a part comes from: the paragraphs at the head of its file that name a source, up to the first formula."""
    paragraphs = (inspect.getdoc(sys.modules[part.__module__]) or "").split("\n\n")
    paragraphs_before = itertools.takewhile(lambda paragraph: not paragraph.startswith(" "), paragraphs)
    for paragraph in itertools.islice(paragraphs_before, 2):
        if SOURCE.search(paragraph):
            yield f"{_prose(paragraph).rpartition('.')[0]}."  # what leads to a list or a formula is left out


def _options(config: type[Any]) -> Iterator[str]:
    """The options of a section, each with its default and its sentence.

    Where a field has none, the docstring of the class stands for it.
    """
    fields = [field for field in dataclasses.fields(config) if field.init]
    sentences = {name: sentence for kind in reversed(config.__mro__) for name, sentence in _sentences(kind).items()}
    lines = [f"* {_default_and_others(config, field)}: {sentences.get(field.name, '')}" for field in fields]
    if lines:
        yield "\n".join(line.removesuffix(": ") for line in lines)
    if _lacks_sentences(config):
        yield " ".join(entry for kind in reversed(config.__mro__) for entry in _entries(_docstring(kind)))


def _lacks_sentences(config: type[Any]) -> bool:
    """Whether an option has no sentence of its own, so that the docstring of the class speaks for it."""
    documented = {name for kind in config.__mro__ for name in _sentences(kind)}
    return any(field.init and field.name not in documented for field in dataclasses.fields(config))


def _default_and_others(config: type[Any], field: dataclasses.Field[Any]) -> str:
    """An option with its default, the other words that it may have, and the range of its numbers."""
    default = _default_of(field)
    words = [word for word in _words(field_type(config, field.name)) if word != default]
    others = f", or {', '.join(f'`{_value(word)}`' for word in words)}" if words else ""
    exact = f" ({Fraction(default).limit_denominator(12)})" if _is_rounded(default) else ""
    changeable = ", *changeable*" if field.metadata.get("changeable") and _is_option(config, field) else ""
    numbers = "".join(f", {allowed}" for allowed in _ranges(field_type(config, field.name)))
    return f"`{field.name} = {_value(default)}`{exact}{others}{numbers}{changeable}"


def _ranges(hint: Any) -> Iterator[Range]:
    """The range of the numbers of an option, also where they are an alternative."""
    for one in (hint, *_alternatives(hint)):
        yield from (allowed for allowed in getattr(one, "__metadata__", ()) if isinstance(allowed, Range))


def _words(hint: Any) -> Iterator[str]:
    """The words of a `Literal`, also where numbers are possible."""
    for one in (hint, *_alternatives(hint)):
        if typing.get_origin(one) is typing.Literal:
            yield from (word for word in typing.get_args(one) if isinstance(word, str))


def _is_rounded(value: object) -> TypeGuard[float]:
    return isinstance(value, float) and float(_value(value)) != value


def _sentences(config: type[Any]) -> dict[str, str]:
    """The sentence under each field, read from the source."""
    if not dataclasses.is_dataclass(config):
        return {}
    [tree] = ast.parse(textwrap.dedent(inspect.getsource(config))).body
    assert isinstance(tree, ast.ClassDef)
    return {
        field.target.id: _prose(text.value.value)
        for field, text in itertools.pairwise(tree.body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant) and isinstance(text.value.value, str)
    }


def _default_of(field: dataclasses.Field[Any]) -> object:
    if field.default_factory is not dataclasses.MISSING:
        made = field.default_factory()
        return _choice(made) if isinstance(made, Choice) else table_of(made)
    return "…" if field.default is dataclasses.MISSING else table_of(field.default)


def _choice(made: Choice[Any]) -> dict[str, object]:
    """A member by its kind, with the options that are not its own defaults."""
    own = {} if made.config == NoOptions() else table_of(type(made.config)())
    return {"kind": made.kind, **{key: value for key, value in table_of(made.config).items() if value != own[key]}}


def _docstring(config: type[Any]) -> str:
    """What its author wrote: a dataclass without a docstring gets its signature for one."""
    written = config.__dict__.get("__doc__") or ""
    return "" if config is object or written.startswith(f"{config.__name__}(") else _prose(written)


def _entries(text: str) -> Iterable[str]:
    """A docstring's entries "name: what it is", each by itself; the text before the first is one too."""
    parts = re.split(rf"(?:^|(?<=\.)\s+)(?={NAMES}: )", text)
    return [re.sub(rf"^({NAMES}): ", r"`\1`: ", part) for part in parts if part]


def _first_sentence(text: str | None) -> str:
    return f"{_prose(text).split('. ')[0].removesuffix('.')}."


def _value(value: object) -> str:
    """As TOML has it; nothing is set by leaving the key out."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return value if value in (ABSENT, "…") else f'"{value}"'
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(one)}" for key, one in value.items()) + " }" if value else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _first_line(text: str) -> str:
    return text.split("\n", 1)[0]


def _prose(text: str | None) -> str:
    return " ".join((text or "").split())


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", r"\|") for cell in line) + " |" for line in lines)


def main() -> None:
    """Write the pages."""
    for name, page in PAGES.items():
        write_text(HERE / name, page())
        print(f"wrote docs/{name}", file=sys.stderr)


if __name__ == "__main__":
    main()
