"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

Files = Annotated[
    list[str],
    typer.Argument(
        help="Text, Markdown, HTML, PDF, DOCX, EPUB, captions or JSONL; a folder; a web address, with --fetch; - is "
        "standard input.",
        show_default=False,
    ),
]
Language = Annotated[
    str | None,
    typer.Option(help="Language of the documents: en, de, fr …; name it for short texts.", show_default="recognize it"),
]
Fetch = Annotated[
    bool,
    typer.Option("--fetch", help="Read web addresses (http://, https://), too; nothing is fetched without this."),
]
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
