"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

Trust = Annotated[
    bool,
    typer.Option(
        "--trust",
        help="Let preset files and model folders name modules outside nutgraf (kind = 'my_lab.x'), which are then "
        "imported and run.",
    ),
]
