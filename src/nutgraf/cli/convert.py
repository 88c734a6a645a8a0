"""`nutgraf convert`: published summarizers become systems, pretrained networks what a training begins with."""

from __future__ import annotations

from typing import Annotated

import typer

from nutgraf.cli._say import put, working
from nutgraf.errors import requires


def convert(
    source: Annotated[
        str,
        typer.Argument(
            help="Hugging Face folder of a BERT or BART; checkpoint of a MASS, of OpenNMT-py, PreSumm or See et al.; "
            "GGUF file of a language model.",
            show_default=False,
        ),
    ],
    out: Annotated[str, typer.Argument(help="Folder to write.", show_default=False)],
    decoder: Annotated[
        bool, typer.Option("--decoder", help="The encoder's layers as the decoder's, if the source has no decoder.")
    ] = False,
    safetensors: Annotated[
        bool,
        typer.Option(
            "--safetensors", help="A Hugging Face folder as it is, with safetensors in place of pickled weights."
        ),
    ] = False,
) -> None:
    """Turn another program's weights into a model folder: a system, or weights that training can start from.

    Example: nutgraf convert bert-base-uncased begun

    Then nutgraf train sagcopy_indegree_1 --data DATA --init-from begun --out trained. The table says, part by part, how
    many tensors were taken and how many are new; where none is new, as of published summarizers, nutgraf summarize
    --system begun works at once. With --safetensors the folder stays one of transformers, for nutgraf summarize
    --system hf:FOLDER, and so does that of a GGUF file. Nothing of the source is run: of a pickled file only plain
    weights are read.
    """
    import shlex
    from pathlib import Path

    with requires("neural", "Networks need"):
        from nutgraf.conversion import convert, copy_safely
        from nutgraf.model.gguf_folder import is_gguf, unpack
        from nutgraf.systems import sections_of
    if safetensors:
        put(f"{copy_safely(source, out)} tensors; nutgraf summarize --system hf:{out} uses them.")
        return
    if is_gguf(Path(source)):
        with working("Converting …", quiet=False):
            count = unpack(Path(source), out)
        put(f"{count:,} weights; nutgraf summarize --system {shlex.quote(f'hf:{out}')} uses them.")
        return
    command = shlex.join(["nutgraf", "convert", source, out, *(["--decoder"] if decoder else [])])
    put(convert(source, out, sections_of, decoder=decoder, command=command).table())
