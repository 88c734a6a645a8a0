"""`nutgraf compare`: evaluations that were made one by one, as one table."""

from __future__ import annotations

from typing import Annotated

import typer

from nutgraf.cli._options import Output
from nutgraf.cli._say import check_output, notice, put_result


def compare(
    runs: Annotated[
        list[str],
        typer.Argument(
            help="Folders that `nutgraf evaluate --out` wrote; the other systems are compared with the first.",
            show_default=False,
        ),
    ],
    json_: Annotated[bool, typer.Option("--json", help="Table as JSON.")] = False,
    output: Output = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No notices on stderr.")] = False,
) -> None:
    """Put evaluations side by side.

    Example: nutgraf compare runs/notices

    All systems of all RUNS stand in one table, as `nutgraf evaluate` prints it: means with 95 % intervals, and the
    paired differences from the first system. Nothing is summarized or scored again. Evaluations of other examples, or
    by metrics with another signature, are refused.
    """
    from nutgraf.evaluation.compare import compare

    check_output(output)
    table = compare(runs)
    notice(table.notices, quiet)
    put_result(table, json_, output)
