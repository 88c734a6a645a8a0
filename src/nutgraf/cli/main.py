"""The command `nutgraf`: binds the commands, prints mistakes as sentences, leaves with status 2 for them."""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer

from nutgraf.cli.convert import convert
from nutgraf.cli.evaluate import evaluate
from nutgraf.cli.info import info
from nutgraf.cli.phrases import phrases
from nutgraf.cli.prepare import prepare
from nutgraf.cli.presets import presets
from nutgraf.cli.score import score
from nutgraf.cli.summarize import summarize
from nutgraf.cli.train import train
from nutgraf.cli.tune import tune
from nutgraf.errors import NutgrafError

app = typer.Typer(
    name="nutgraf",
    help="Summaries that you can steer, budget and check.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for command in (summarize, phrases, presets, score, evaluate, tune, prepare, train, convert, info):
    app.command()(command)


@app.callback(invoke_without_command=True)
def _version(
    version: Annotated[bool, typer.Option("--version", help="Print the version.", is_eager=True)] = False,
) -> None:
    if version:
        from nutgraf.version import __version__

        print(f"nutgraf {__version__}")
        raise typer.Exit()


def main() -> None:
    """Run the command line."""
    # A stream that was closed is None, and what is printed to None goes to stdout.
    sys.stdout, sys.stderr = sys.stdout or io.StringIO(), sys.stderr or io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        app()
    except NutgrafError as error:
        print(f"nutgraf: {error}", file=sys.stderr)
        raise SystemExit(2) from None
