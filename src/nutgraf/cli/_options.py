"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

Reader = Annotated[
    str | None,
    typer.Option(
        help="Reader of the files, such as plain or html, or a module of your own: my_lab.odt.",
        show_default="found by content",
    ),
]
Trust = Annotated[
    bool,
    typer.Option(
        "--trust",
        help="Let preset files and model folders name modules outside nutgraf (kind = 'my_lab.x'), which are then "
        "imported and run.",
    ),
]
