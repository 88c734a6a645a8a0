"""`nutgraf convert`: weights of other programs as initial weights of a training."""

from __future__ import annotations

from typing import Annotated

import typer

from nutgraf.cli._say import put


def convert(
    source: Annotated[
        str,
        typer.Argument(
            help="Hugging Face folder of a BERT or BART, or fairseq file of a MASS (.pt, with dict.txt beside it).",
            show_default=False,
        ),
    ],
    out: Annotated[str, typer.Argument(help="Folder to write.", show_default=False)],
    decoder: Annotated[
        bool,
        typer.Option("--decoder", help="The encoder's layers as the decoder's, if the source has no decoder."),
    ] = False,
) -> None:
    """Turn another program's weights into a folder that training can start from.

    Example: nutgraf convert bert-base-uncased begun

    Then nutgraf train sagcopy_indegree_1 --data DATA --init-from begun --out trained. The table says, part by part, how
    many tensors were taken and how many are new. Nothing of the source is run: of a pickled file only plain weights are
    read.
    """
    import shlex

    from nutgraf.errors import needs_neural

    with needs_neural():
        from nutgraf.conversion import convert
    command = shlex.join(["nutgraf", "convert", source, out, *(["--decoder"] if decoder else [])])
    put(convert(source, out, decoder=decoder, command=command).table())
