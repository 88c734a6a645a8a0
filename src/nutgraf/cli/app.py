"""Binds the commands and runs one."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from nutgraf.cli._options import Command, plainly
from nutgraf.cli._say import say
from nutgraf.text.clean import visible

Misuse: type[Exception] = typer.BadParameter.__mro__[1]
"""An option or argument that is not there, or does not fit."""

MAX_WIDTH = 100
"""Columns of a help page on a wide terminal."""

PURPOSES = {
    "summarize": "Summarize documents.",
    "batch": "Summarize each of any number of documents into a folder.",
    "phrases": "Find the key phrases of documents.",
    "check": "Check a summary against its sources.",
    "changes": "Show what changed between two versions of a document, sentence by sentence.",
    "presets": "List the systems, with their papers and published scores.",
    "models": "List the models that are at hand, with size, licence, what each does and the command that uses it.",
    "score": "Score summaries against references.",
    "evaluate": "Evaluate systems on a data set.",
    "compare": "Put evaluations side by side.",
    "reproduce": "Reproduce a table of a paper.",
    "tune": "Tune weights, lengths or highlights of a system on examples.",
    "candidates": "Write the candidate summaries of every example of a corpus.",
    "prepare": "Prepare a corpus for training.",
    "train": "Train a network.",
    "precision": "Check which lower precisions give equally good summaries.",
    "convert": "Turn another program's weights into a model folder: a system, or weights that training can start from.",
    "export": "Write a pretrained model as CTranslate2 or ONNX Runtime reads it, or a trained model without its "
    "training.",
    "info": "Show what a trained model is: preset, data, scores, licence, and the commands that made it.",
    "serve": "Serve summaries over HTTP, for programs, for chat clients and for browsers.",
    "judge": "Have people judge summaries: plan, sheet, serve, collect, report, export.",
}
"""What each command does, as the first sentence of its own help says it, in the order of --help.

The file of a command has its name, and is imported when the command is run or explained."""


class Made(Mapping[str, Any]):
    """The commands by name, each made of what its file has under its name when it is asked for."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            if name not in PURPOSES:
                raise KeyError(name)
            source = getattr(import_module(f"nutgraf.cli.{name}"), name)
            if not isinstance(source, typer.Typer):
                alone = typer.Typer(add_completion=False, rich_markup_mode=None)
                alone.command(cls=Command)(source)
                source = alone
            self._made[name] = typer.main.get_command(source)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(PURPOSES)

    def __len__(self) -> int:
        return len(PURPOSES)


class Group(TyperGroup):
    """All commands; its help gives the first sentence of each."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{**settings, "commands": Made()})

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, which take what is given as it is."""
        return plainly(super().get_params(ctx))

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the names of the commands and what they do."""
        with formatter.section("Commands"):
            formatter.write_dl([*PURPOSES.items()])


app = typer.Typer(
    name="nutgraf",
    cls=Group,
    help="Summaries that you can steer, budget and check.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # to import rich takes longer than all the rest of --help
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": MAX_WIDTH},
)


@app.callback(invoke_without_command=True)
def _version(
    version: Annotated[bool, typer.Option("--version", help="Print the version.", is_eager=True)] = False,
    debug: Annotated[
        bool,
        typer.Option("--debug", help="Print the traceback of what went wrong, after any command; or NUTGRAF_DEBUG=1."),
    ] = False,
) -> None:
    if version:
        from nutgraf.version import __version__

        print(f"nutgraf {__version__}")
        raise typer.Exit()


@cache
def command_group() -> Any:
    """The group of all commands, with the parameters that their signatures declare."""
    return typer.main.get_command(app)


def commands() -> dict[str, Any]:
    """Return all commands by what is typed for them, such as "summarize" and "judge plan"."""
    found = {}
    for name, command in command_group().commands.items():
        for inner, one in getattr(command, "commands", {"": command}).items():
            found[f"{name} {inner}".rstrip()] = one
    return found


def run(arguments: Sequence[str]) -> int:
    """Run one command line.

    Args:
        arguments: Arguments of the command line, without `nutgraf`.

    Returns:
        The exit status.

    Raises:
        BaseException: Whatever the command raises; `main` makes a sentence of it.
    """
    group = command_group()
    try:
        with group.make_context("nutgraf", list(arguments)) as context:
            group.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    except typer.Abort:
        raise KeyboardInterrupt from None
    except Misuse as error:
        _explain(error)
        return 2
    return 0


def _explain(error: Any) -> None:
    """Print the usage of the command and the mistake that was made."""
    if type(error).__name__ == "NoArgsIsHelpError":
        print(error.format_message())  # the help
        return
    context, message = error.ctx, _quoting(error).rstrip(".")
    if context is None:
        say(message)
        return
    with suppress(OSError):
        print(visible(context.get_usage()), file=sys.stderr)
    say(f"{message}{'' if message.endswith('?') else '.'} {context.command_path} --help tells more.")


def _quoting(error: Any) -> str:
    """Return the message of a mistake; where pydantic made it, "Input should be …", with what was given."""
    message = str(error.format_message()).replace("\n\t", " ")  # before each choice
    for wrong in getattr(error.__cause__, "errors", list)():
        if wrong["type"] == "value_error":
            message = message.replace(wrong["msg"], wrong["msg"].partition(", ")[2])  # names the choices
            continue
        said = wrong["msg"].partition(",")[0].replace("Input", repr(wrong["input"]), 1)
        said = "a number of so many digits is too large" if wrong["type"] == "int_parsing_size" else said
        message = message.replace(wrong["msg"], said)
    return message
