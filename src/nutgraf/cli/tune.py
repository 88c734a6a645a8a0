"""`nutgraf tune`: options of a system that are found on examples: weights, a length, a number of sentences."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nutgraf.cli._options import Asking, Kind, Limit, Part, Trust
from nutgraf.cli._say import advancing, check_output, notice, put
from nutgraf.errors import InputError, OutputError

if TYPE_CHECKING:
    from nutgraf.datasets import Record
    from nutgraf.presets import Preset
    from nutgraf.systems import System
    from nutgraf.systems.neural import Neural
    from nutgraf.systems.pretrained import Pretrained


def tune(
    system: Annotated[
        str,
        typer.Argument(
            help="Two-stage preset or .toml file, such as mls_plus; model folder, such as one of pg_mmr, abs_plus or "
            "bert_ext; or hf:FOLDER."
        ),
    ],
    data: Annotated[str, typer.Option(help="Validation data; with --part, the whole data set.", show_default=False)],
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            help="File to write: NAME.toml, or NAME.json of a network; without it, what is found is kept in a model "
            "folder.",
            show_default=False,
        ),
    ] = None,
    kind: Kind = "jsonl",
    share: Annotated[
        list[str] | None, typer.Option(help="Budget; may be repeated.", show_default="1/32, 1/16, 1/8, 1/4, 1/2")
    ] = None,
    step: Annotated[float | None, typer.Option(help="Step of the grid over [-1, 1].", show_default="0.1")] = None,
    loss: Annotated[
        float | None,
        typer.Option(
            min=0, max=100, help="Points of ROUGE-1 that highlights may cost at most (hf:FOLDER).", show_default="1"
        ),
    ] = None,
    limit: Limit = None,
    query: Asking = None,
    part: Part = None,
    fit: Annotated[
        str | None, typer.Option(help="File that the system is fitted to first.", show_default=False)
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="Change of the preset, or option of the data set: section.key=value, dataset.text_column=body; may be "
            "repeated.",
            show_default=False,
        ),
    ] = None,
    trust: Trust = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no notices on stderr.")] = False,
) -> None:
    """Tune weights, lengths or highlights of a system on examples.

    Example: nutgraf tune mls_plus --data examples/notices.jsonl --step 0.5 -o tuned.toml

    Every set of weights on the grid is tried at every budget; the best by mean ROUGE-1 F1 is written as a preset, for
    `nutgraf summarize --system tuned.toml`. A search that was stopped goes on where it was. For a network a regression
    of the importance of sentences is fitted, for `--set decoding.processors.mmr.regressor=importance.json`. For
    hf:FOLDER it finds form, strength, layers and heads of the steering by highlights: what brings most of the key
    phrases that are marked into the summaries and costs no more ROUGE-1 than --loss allows.

    Without -o, what is found is kept in the model folder: of a network that is told a length, the length that it writes
    best at when no budget is given; of ABS+, the weights of its features, by minimum error rate training; of a tagger,
    such as BertExt, the number of sentences that it selects.
    """
    from nutgraf.evaluation.plan import Plan, count_reasons
    from nutgraf.evaluation.scores import parted
    from nutgraf.evaluation.tuning import SHARES, as_preset, tune
    from nutgraf.systems import load
    from nutgraf.systems.neural import Neural
    from nutgraf.systems.pretrained import Pretrained
    from nutgraf.systems.tagger import TaggerSystem
    from nutgraf.systems.two_stage import TwoStage
    from nutgraf.text.summary import parse_share

    if output is not None:
        check_output(output, [system, data, fit])
    changes, of_data = parted(set_ or [])
    loaded = load(system, changes, trust)
    network = loaded if isinstance(loaded, Neural) else None
    if network is None and not isinstance(loaded, TwoStage | Pretrained | TaggerSystem):
        raise InputError(
            f"The system {system!r} has no weights to tune; two-stage systems, as mls_plus, and networks have."
        )
    _check_ending(output, loaded)
    _check_options(loaded, bool(share) or step is not None or fit is not None, loss)
    plan = Plan([system], data, [], kind=kind, dataset=of_data, limit=limit, query=query, part=part, fit=fit)
    records, training, dropped, _ = plan.examples()
    notice([f"examples left out: {', '.join(count_reasons(dropped))}."] if dropped else [], quiet)
    if output is None:
        _tune_folder(loaded, system, changes, trust, records, quiet)
        return
    if network is not None:
        _fit_importance(network, records, output, quiet)
        return
    if isinstance(loaded, Pretrained):
        _tune_highlights(loaded, system, changes, trust, records, 1.0 if loss is None else loss, data, output, quiet)
        return
    assert isinstance(loaded, TwoStage)
    if training:
        loaded.fit(training)
    fitted = f"{fit or ''} {part or ''}".strip()
    keep = Path(f"{output}.scores.jsonl")
    with advancing("Tuning", len(records), quiet) as advance:
        shares = [parse_share(one) for one in share] if share else SHARES
        tuned = tune(
            loaded, records, shares=shares, step=0.1 if step is None else step, keep=keep, fit=fitted, progress=advance
        )
    put(as_preset(tuned, loaded.preset, shares, Path(data).name, changes), output)
    keep.unlink(missing_ok=True)
    best = ", ".join(f"{name} {weight:g}" for name, weight in tuned.weights.items())
    notice([f"the best weights are {best}; they are in {output}."], quiet)


def _check_ending(output: str | None, loaded: object) -> None:
    """Raise OutputError if what is written has no file, or one with the ending of something else."""
    from nutgraf.evaluation.tuned_options import has_tuned_options
    from nutgraf.systems import System
    from nutgraf.systems.neural import Neural
    from nutgraf.systems.tagger import TaggerSystem

    network = loaded if isinstance(loaded, Neural) else None
    if output is None:
        told = isinstance(loaded, Neural) and loaded.is_told_length
        if told or (isinstance(loaded, System) and has_tuned_options(loaded)):
            return  # what is found is kept in the folder
        raise OutputError(
            "-o names the file to write. Without it, nutgraf tune finds the length of a network that is told one, the "
            "weights of ABS+'s features (decoding.processors.extractive_tuning), or a tagger's number of sentences."
        )
    if isinstance(loaded, TaggerSystem):
        raise OutputError("A tagger's number of sentences is kept in its folder; leave -o out.")
    ending = ".toml" if network is None else ".json"
    if not output.endswith(ending):
        raise OutputError(
            f"A {'preset' if network is None else 'regression'} is a {ending} file; write {output}{ending}, say."
        )


def _check_options(loaded: object, weighs: bool, loss: float | None) -> None:
    """Raise InputError for options that are for other systems."""
    from nutgraf.systems.pretrained import Pretrained
    from nutgraf.systems.two_stage import TwoStage

    if weighs and not isinstance(loaded, TwoStage):
        raise InputError("--share, --step and --fit are for two-stage systems, and this one is a network.")
    if loss is not None and not isinstance(loaded, Pretrained):
        raise InputError("--loss is for models of transformers (hf:FOLDER), whose highlights are tuned.")


def _tune_highlights(
    loaded: Pretrained,
    system: str,
    changes: Sequence[str],
    trust: bool,
    records: Sequence[Record],
    loss: float,
    data: str,
    output: str,
    quiet: bool,
) -> None:
    """Find how highlights best steer a model, and write it as a preset."""
    from nutgraf.evaluation.highlighting import Setting, highlighting_preset, tune_highlights
    from nutgraf.presets import assignments
    from nutgraf.systems import preset_of

    def preset_with(setting: Setting) -> Preset:
        set_ = {f"highlights.{name}": value for name, value in setting.items()}
        return preset_of(system, {**dict(assignments(changes)), **set_}, trust)

    with advancing("Tuning", None, quiet) as advance:
        found = tune_highlights(loaded, preset_with, records, loss=loss / 100, progress=advance)
    put(highlighting_preset(found, loaded.preset, Path(data).name, changes), output)
    told = ", ".join(f"{name} {value}" for name, value in found.best.setting.items())
    notice(
        [
            f"the best steering is {told}: {found.best.coverage:.1%} of the marked phrases are said, "
            f"{found.plain.coverage:.1%} without highlights; ROUGE-1 F1 is {100 * found.best.rouge:.2f}, "
            f"{100 * found.plain.rouge:.2f} without highlights. It is in {output}."
        ],
        quiet,
    )


def _tune_folder(
    loaded: System, system: str, changes: Sequence[str], trust: bool, records: Sequence[Record], quiet: bool
) -> None:
    """Find what is kept in the folder of a network, and say what it is."""
    from nutgraf.evaluation.tuned_options import has_tuned_options, tune_options
    from nutgraf.systems import load
    from nutgraf.systems.neural import Neural

    if has_tuned_options(loaded):
        with advancing("Tuning", None, quiet) as advance:
            found = tune_options(loaded, records, progress=advance)
        notice([f"{str(found).rstrip('.')}. It is set in {loaded.preset.origin}."], quiet)
        loaded = load(system, changes, trust)
    if isinstance(loaded, Neural) and loaded.is_told_length:
        _calibrate(loaded, system, changes, trust, records, quiet)


def _calibrate(
    network: Neural, system: str, changes: Sequence[str], trust: bool, records: Sequence[Record], quiet: bool
) -> None:
    """Find the natural length at which a network writes best, keep it in its folder, and tell it."""
    from nutgraf.evaluation.length import FACTORS, calibrate
    from nutgraf.systems import load

    with advancing("Calibrating", len(FACTORS), quiet) as advance:
        found = calibrate(
            network,
            lambda length: load(system, [*changes, f"decoding.desired_length={length}"], trust),
            records,
            progress=advance,
        )
    told = (
        f"the best natural length is {found.length} tokens, {found.factor:g} times that of a training summary: ROUGE-1 "
        f"F1 is {found.scores[found.factor]:.2f} on {found.examples} examples, {found.scores[1.0]:.2f} with 1. It is "
        "kept on the model's card."
    )
    notice([told], quiet)


def _fit_importance(network: Neural, records: Sequence[Record], output: str, quiet: bool) -> None:
    """Fit a regression of importance, write it, and say how well it does."""
    from nutgraf.decoding.importance import as_json
    from nutgraf.evaluation.importance import fit_importance

    with advancing("Fitting", len(records), quiet) as advance:
        fitted = fit_importance(network, records, progress=advance)
    put(as_json(fitted.regressor), output)
    told = (
        f"of {fitted.sources} sources one in five was held back: there the rank correlation of importance with ROUGE-L "
        f"is {fitted.correlation:.3f}, and that of tf-idf {fitted.tfidf:.3f}; λ = {fitted.penalty:g} was chosen by it. "
        f"The regression is in {output}."
    )
    notice([told], quiet)
