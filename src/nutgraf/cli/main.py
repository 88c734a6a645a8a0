"""The command `nutgraf`: binds the commands, prints mistakes as sentences, leaves with status 2 for them."""

from __future__ import annotations

import sys

import typer

from nutgraf.errors import NutgrafError

app = typer.Typer(
    name="nutgraf",
    help="Summaries that you can steer, budget and check.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """Run the command line."""
    try:
        app()
    except NutgrafError as error:
        print(f"nutgraf: {error}", file=sys.stderr)
        raise SystemExit(2) from None
    except BrokenPipeError:
        sys.stderr.close()
        raise SystemExit(141) from None


if __name__ == "__main__":
    main()
