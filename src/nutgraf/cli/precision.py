"""`nutgraf precision`: in which precisions a trained model writes equally good summaries."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from nutgraf.cli._say import advancing, put

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from nutgraf.decoding.precision import Precision
    from nutgraf.evaluation.precision import Verdict


def precision(
    model: Annotated[str, typer.Argument(help="Trained model.", show_default=False)],
    data: Annotated[str, typer.Option(help="Its prepared data.", show_default=False)],
    split: Annotated[str, typer.Option(help="Part of the data to summarize.")] = "validation",
    examples: Annotated[int, typer.Option(min=1, max=10**6, help="Number of examples.")] = 200,
    json_: Annotated[bool, typer.Option("--json", help="Verdicts as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")] = False,
) -> None:
    """Check which lower precisions give equally good summaries.

    Example: nutgraf precision trained --data trained.data

    Summarizes the same examples in single precision, bfloat16 and int8, as far as this machine is quicker in them, and
    compares ROUGE. The verdicts are kept on the model's card; from then on decoding.precision = "auto" takes the
    fastest precision that passed. `nutgraf train` does this at its end.
    """
    from nutgraf.errors import requires

    with requires("neural", "Networks need"):
        found = measured(model, data, quiet, split=split, examples=examples)
    if not found:
        put("This machine is not quicker in any lower precision than single.")
    elif json_:
        put(json.dumps({name: one.to_json() for name, one in found.items()}, indent=2))
    else:
        put("\n".join(f"{name}: {one}" for name, one in found.items()))


def measured(
    model: str | Path, data: str | Path, quiet: bool, split: str = "validation", examples: int | None = None
) -> Mapping[Precision, Verdict]:
    """The verdicts, with a progress bar at a terminal."""
    from nutgraf.evaluation.precision import EXAMPLES, gate

    with advancing("Comparing precisions", None, quiet) as advance:
        return gate(model, data, split=split, examples=examples or EXAMPLES, progress=advance)
