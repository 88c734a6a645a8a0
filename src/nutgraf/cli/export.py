"""`nutgraf export`: a model without its training, or as other engines read it."""

from __future__ import annotations

import shlex
from enum import StrEnum
from typing import Annotated

import typer

from nutgraf.cli._options import Trust
from nutgraf.cli._say import notice, put, working
from nutgraf.errors import requires
from nutgraf.model_folder import is_trained

NEARLY_ALL = 0.9
"""Share of equal tokens below which an export is told to be another model."""


class Engine(StrEnum):
    """Formats."""

    nutgraf = "nutgraf"
    ctranslate2 = "ctranslate2"
    onnx = "onnx"
    adapter = "adapter"


def export(
    model: Annotated[
        str,
        typer.Argument(
            help="Folder of a model of transformers, as --system hf:FOLDER takes it; for --to nutgraf and adapter a "
            "trained model, and for --to onnx also one that classifies spans.",
            show_default=False,
        ),
    ],
    to: Annotated[Engine, typer.Option(help="Format.", show_default=False)],
    out: Annotated[str, typer.Option(help="Folder to write.", show_default=False)],
    quantization: Annotated[
        str,
        typer.Option(
            help="Type of the weights: float32 or int8; for networks that classify spans also float16, for adapters "
            "float32 or float16; for CTranslate2 also float16, bfloat16, int8_float16 and int8_bfloat16."
        ),
    ] = "float32",
    trust: Trust = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No notices on stderr.")] = False,
) -> None:
    """Write a pretrained model as CTranslate2 or ONNX Runtime reads it, or a trained model without its training.

    Example: nutgraf export bart-large-cnn --to ctranslate2 --quantization int8 --out bart-large-cnn-int8

    A network of nutgraf: nutgraf export trained --to nutgraf --quantization int8 --out small

    Before the folder is kept, the engine writes a few texts with it. In float32 they must be those of the model, token
    by token; with another type of weights the share of equal tokens is told. The folder has the model's tokenizer, and
    a card (export.json) with the versions that took part and with what is lost: an engine does not know what nutgraf
    adds. With --to nutgraf nothing is lost but the training: the folder has no checkpoints, optimizer and log, and is
    named like any other model; nutgraf evaluate tells what int8 costs.

    With --to adapter a pretrained model that was trained with adapters (LoRA) leaves these alone, as peft keeps them:
    --set pretrained.adapter=FOLDER adds them to the model that the training began with.

    A network that classifies spans, and what nutgraf convert makes of a BERT, become ONNX with --to onnx: nutgraf runs
    that folder without PyTorch. A few texts are read with both, and the cosines of what comes out are told.
    """
    if to is Engine.nutgraf:
        _put_slim(model, out, quantization, trust, quiet)
        return
    if to is Engine.adapter:
        _put_adapter(model, out, quantization, trust, quiet)
        return
    if to is Engine.onnx and is_trained(model):
        _put_network(model, out, quantization, trust, quiet)
        return
    with requires("pretrained", "Exports need"):
        from nutgraf.export import export as write
    with working("Exporting …", quiet):
        found = write(model, out, to.value, quantization)
    notice([f"What is lost there: {'; '.join(found.lost)}."], quiet)
    if found.agreement < NEARLY_ALL:
        notice(
            [
                f"With {found.quantization} weights the model writes other text than without: only "
                f"{found.agreement:.0%} of the trial's tokens are equal. Compare its summaries with the model's before "
                "you use it, or leave --quantization out."
            ],
            quiet,
        )
    equal = f"{found.agreement:.0%} of the trial's tokens are equal"
    put(f"{out} has the model as {found.format} in {found.quantization}; {equal}.")


def _put_slim(model: str, out: str, quantization: str, trust: bool, quiet: bool) -> None:
    """Write a trained model without its training, and say what it takes."""
    with requires("neural", "Networks need"):
        from nutgraf.export.slim import write_slim
        from nutgraf.systems import sections_of
    words = ["nutgraf", "export", model, "--to", "nutgraf", "--quantization", quantization, "--out", out]
    with working("Exporting …", quiet):
        found = write_slim(model, out, sections_of, quantization, shlex.join(words), trust)
    after, before = found.bytes_after / 1e6, found.bytes_before / 1e6
    put(f"{out} has the model in {found.quantization}; its weights take {after:,.2f} MB, and took {before:,.2f} MB.")


def _put_adapter(model: str, out: str, quantization: str, trust: bool, quiet: bool) -> None:
    """Write the adapters of a trained model alone."""
    with requires("pretrained", "Adapters need"):
        from nutgraf.export.adapter import write_adapter
        from nutgraf.systems import sections_of
    with working("Exporting …", quiet):
        count = write_adapter(model, out, sections_of, quantization, trust)
    put(f"{out} has {count:,} weights; --set pretrained.adapter={out} adds them to the model that training began with.")


def _put_network(model: str, out: str, quantization: str, trust: bool, quiet: bool) -> None:
    """Write a network that runs without torch, and say how near it is to the one with."""
    with requires("export", "Exports need"):
        from nutgraf.export.networks import write_network
        from nutgraf.systems import sections_of
    words = ["nutgraf", "export", model, "--to", "onnx", "--quantization", quantization, "--out", out]
    with working("Exporting …", quiet):
        found = write_network(model, out, sections_of, quantization, shlex.join(words), trust)
    put(
        f"{out} has the network in {found.quantization}, {found.size / 1e6:,.1f} MB; the smallest cosine with torch's "
        f"vectors is {found.cosine:.4f}."
    )
