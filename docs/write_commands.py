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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from nutgraf import presets
from nutgraf.cli.app import app
from nutgraf.datasets import datasets
from nutgraf.decoding import search
from nutgraf.extractive import _select, sentence_rankers
from nutgraf.files import write_text
from nutgraf.keyphrases import extractors
from nutgraf.magnifier import magnifier
from nutgraf.magnifier.kernels import kernels
from nutgraf.metrics import metrics
from nutgraf.model import seq2seq
from nutgraf.model.attention import attentions
from nutgraf.model.decoder import decoders
from nutgraf.model.encoder import encoders
from nutgraf.model.head import heads
from nutgraf.preparation import Truncation
from nutgraf.presets import Family
from nutgraf.readers import readers
from nutgraf.tokenizers import tokenizers
from nutgraf.training import config as training
from nutgraf.training.objectives import objectives
from nutgraf.training.schedules import schedules

HERE = Path(__file__).parent

WRITTEN = "<!-- Written by docs/write_commands.py (`make docs`); change the code, not this page. -->"

EXAMPLE = re.compile(r"^Example: (?P<line>nutgraf .+)$", re.MULTILINE)

NAMES = r"(?:[a-z]\w*, )*[a-z]\w*"
"""The options that an entry of a docstring is about."""

FAMILIES: Mapping[str, tuple[Family[Any], str]] = {
    "Key phrases": (
        extractors,
        "`[keyphrases] kind = …` in a preset; `nutgraf phrases --extractor …`. In Python: "
        '`from nutgraf.keyphrases import extractors; extractors.make("rake", top=5)`.',
    ),
    "Extractive methods": (sentence_rankers, '`[extractive] kind = …` in a preset with `system = "extractive"`.'),
    "Kernels of the magnifier": (
        kernels,
        '`[magnifier.kernels.NAME]` in a preset with `system = "two_stage"`; several may stand there.',
    ),
    "Metrics": (metrics, "`--metrics NAME,NAME`; their options are set as `--set NAME.option=value`."),
    "Readers": (readers, "Found by content. In Python: `nutgraf.read(path)`; `kind=` chooses one."),
    "Data sets": (
        datasets,
        "`nutgraf evaluate … --kind NAME`, `nutgraf tune … --kind NAME`; `[dataset] kind = …` in the preset of a "
        "network, or `--set dataset.kind=NAME`. [Preparing a corpus](preparation.md) says which files they read.",
    ),
    "Tokenizers": (tokenizers, "`[tokenizer] kind = …` in the preset of a network."),
    "Encoders": (encoders, "`[model.encoder] kind = …` in the preset of a network."),
    "Attention in the encoder": (attentions, "`[model.encoder.attention] kind = …`."),
    "Decoders": (decoders, "`[model.decoder] kind = …`."),
    "Heads": (heads, "`[model.head] kind = …`."),
    "Objectives": (objectives, "`[training.objectives.NAME]`; several may stand there."),
    "Schedules of the learning rate": (schedules, "`[training.schedule] kind = …`."),
}

SECTIONS: Mapping[str, tuple[type[Any], str]] = {
    "Selection": (_select.Config, '`[selection]` in a preset with `system = "extractive"`.'),
    "Magnifier": (magnifier.Config, '`[magnifier]` in a preset with `system = "two_stage"`.'),
    "Network": (seq2seq.Config, '`[model]` in a preset with `system = "neural"`.'),
    "Truncation": (Truncation, "`[truncation]` in the preset of a network."),
    "Training": (training.Config, "`[training]` in the preset of a network."),
    "Decoding": (search.Config, "`[decoding]` in the preset of a network."),
}


def commands() -> dict[str, Any]:
    """The commands by name, as the command line library sees them."""
    found: dict[str, Any] = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    return found


def examples() -> dict[str, list[str]]:
    """The lines "Example: nutgraf …" of each command's help."""
    return {name: [match["line"] for match in EXAMPLE.finditer(command.help)] for name, command in commands().items()}


def commands_page() -> str:
    """All commands, their arguments and options."""
    found = commands()
    contents = [
        f"* [`nutgraf {name}`](#nutgraf-{name}): {_first_line(command.help)}" for name, command in found.items()
    ]
    return _page(
        "Commands",
        "Only the result goes to stdout; what was odd or cut is said on stderr. A mistake is told in a sentence, and "
        "the exit status is 2. `nutgraf --version` prints the version; `-h` or `--help` explains a command.",
        "\n".join(contents),
        *(block for name, command in found.items() for block in _command(name, command)),
    )


def presets_page() -> str:
    """The presets that ship."""
    rows = [
        (f"`{name}`", *(preset.table.get(key, "") for key in ("title", "about", "paper", "published")))
        for name in presets.names()
        for preset in [presets.read(name)]
    ]
    return _page(
        "Presets",
        'A preset is a system that summarizes: `nutgraf summarize --system NAME`, or `nutgraf.load("NAME")` in '
        "Python. `nutgraf presets NAME` prints one whole, `--set section.key=value` changes it, and a `.toml` file of "
        'your own that says `extends = "NAME"` is one too. [options.md](options.md) has all keys. The published '
        "scores are their papers', not ours.",
        _table(("Name", "System", "What it does", "Paper", "Published"), rows),
    )


def options_page() -> str:
    """The members of every family, with their options."""
    return _page(
        "Parts and their options",
        "A part is a file in its family's folder; its options are the fields of the `Config` in that file, and these "
        "are their defaults. A preset or `--set` changes them, as `--set magnifier.fill=false`.",
        *(block for title, (family, how) in FAMILIES.items() for block in _family(title, family, how)),
        *(block for title, (config, where) in SECTIONS.items() for block in (f"## {title}", where, *_options(config))),
    )


PAGES = {"commands.md": commands_page, "presets.md": presets_page, "options.md": options_page}


def _page(title: str, *blocks: str) -> str:
    return "\n\n".join([f"# {title}", WRITTEN, *blocks]) + "\n"


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
    return "" if param.is_flag or param.default is None else f"`{param.default}`"


def _family(title: str, family: Family[Any], how: str) -> Iterator[str]:
    yield f"## {title}"
    yield how
    for name in family.names():
        yield f"### {name}"
        yield _prose(inspect.getdoc(family.find(name)))
        yield from _options(family.config(name))


def _options(config: type[Any]) -> Iterator[str]:
    fields = dataclasses.fields(config)
    if not fields:
        return
    yield ", ".join(f"`{field.name} = {_value(_default_of(field))}`" for field in fields) + "."
    said = [entry for kind in reversed(config.__mro__) for entry in _field_docs(kind) or _entries(_docstring(kind))]
    yield "\n".join(f"* {entry}" for entry in said)


def _field_docs(config: type[Any]) -> list[str]:
    """The strings below the fields of a `Config`, each as "`name`: sentence"."""
    if "__dataclass_fields__" not in config.__dict__:
        return []
    body = ast.parse(textwrap.dedent(inspect.getsource(config))).body[0].body  # type: ignore[attr-defined]
    return [
        f"`{field.target.id}`: {_prose(below.value.value)}"
        for field, below in itertools.pairwise(body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
    ]


def _default_of(field: dataclasses.Field[Any]) -> object:
    made = field.default_factory
    return field.default if made is dataclasses.MISSING else made()


def _docstring(config: type[Any]) -> str:
    """What its author wrote: a dataclass without a docstring gets its signature for one."""
    written = config.__dict__.get("__doc__") or ""
    return "" if config is object or written.startswith(f"{config.__name__}(") else _prose(written)


def _entries(text: str) -> Iterable[str]:
    """A docstring's entries "name: what it is", each by itself; the text before the first is one too."""
    parts = re.split(rf"(?:^|(?<=\.)\s+)(?={NAMES}: )", text)
    return [re.sub(rf"^({NAMES}): ", r"`\1`: ", part) for part in parts if part]


def _value(value: object) -> str:
    """As TOML has it; nothing is set by leaving the key out."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if value is None:
        return "unset"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(one)}" for key, one in value.items()) + " }" if value else "{}"
    if isinstance(value, tuple):
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
