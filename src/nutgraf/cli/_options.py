"""Options that several commands have, and the command that reads them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperOption

from nutgraf.cli._say import notice
from nutgraf.errors import InputError, PresetError

_WHOLE = re.compile(r"-?[0-9]{1,15}")

Files = Annotated[
    list[str],
    typer.Argument(
        help="Text, Markdown, HTML, PDF, DOCX, PPTX, EPUB, mail, captions or JSONL; a folder; a web address, "
        "with --fetch; - is "
        "standard input.",
        show_default=False,
    ),
]
Language = Annotated[
    str | None,
    typer.Option(help="Language of the documents: en, de, fr …; name it for short texts.", show_default="recognize it"),
]
Fetch = Annotated[
    bool, typer.Option("--fetch", help="Read web addresses (http://, https://), too; nothing is fetched without this.")
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
System = Annotated[
    str,
    typer.Option(
        help="Name of a preset or of an installed model (see `nutgraf presets`), .toml file, trained model, or "
        "hf:FOLDER, a model of transformers."
    ),
]
Model = Annotated[
    str | None, typer.Option(help="Model of the server that --system endpoint:URL names.", show_default=False)
]
Words = Annotated[int | None, typer.Option(help="Maximum length in words.", show_default=False)]
Sentences = Annotated[int | None, typer.Option(help="Maximum number of sentences.", show_default=False)]
Share = Annotated[
    str | None,
    typer.Option(help="Maximum length as a share of the input's words: 1/8, 0.125, 12.5%.", show_default=False),
]
Characters = Annotated[
    int | None,
    typer.Option(
        help="Maximum length in characters, white space between sentences included, without the marks of bullets "
        "and Markdown.",
        show_default=False,
    ),
]
By = Annotated[
    str | None,
    typer.Option(
        help="Outline: each section, speaker, message, document or page with sentences of its own. Words, characters "
        "and a share are divided among them; --sentences is for each, and without a length each has one.",
        show_default=False,
    ),
]
Depth = Annotated[
    int | None, typer.Option(min=1, max=100, help="Deepest level of an outline, with --by.", show_default="all levels")
]
Highlight = Annotated[
    list[str] | None,
    typer.Option(
        help='Word or phrase to see more of, exactly as it stands in the text but for capitals; "phrase:2" doubles '
        "its weight of 1; may be repeated.",
        show_default=False,
    ),
]
Query = Annotated[
    str | None,
    typer.Option(
        help="Question. The sentence that answers it comes first; a notice says if none seems to.", show_default=False
    ),
]
Whole = Annotated[
    bool,
    typer.Option(
        "--whole-sentences",
        help='Never leave out a connective such as "However," at the beginning of a sentence. Such a sentence is then '
        "selected only together with the sentence before it.",
    ),
]
Edit = Annotated[
    bool,
    typer.Option(
        "--edit",
        help="Shorten sentences that are copied: leave out asides, relative clauses and other pieces that grammar lets "
        "go. Nothing is ever written.",
    ),
]
Strength = Annotated[
    float | None,
    typer.Option(
        "--edit-strength",
        help="Above 0 and at most 1, with --edit: how readily pieces go.",
        show_default="0.15",
    ),
]
KeepAll = Annotated[
    bool,
    typer.Option("--keep-all", help="Take every sentence into account, also headings, captions, notices and the like."),
]
Layout = Annotated[
    str, typer.Option("--format", help="Layout: paragraph, bullets, headline (the best sentence) or markdown.")
]
Overrides = Annotated[
    list[str] | None,
    typer.Option("--set", help="Change of the preset: section.key=value; may be repeated.", show_default=False),
]
Output = Annotated[
    str | None, typer.Option("-o", "--output", help="File for the result; - is stdout.", show_default=False)
]
Kind = Annotated[str, typer.Option(help="Kind of data set.")]
Limit = Annotated[
    int | None, typer.Option(min=1, max=10**9, help="Maximum number of examples, of each split.", show_default=False)
]
Asking = Annotated[str | None, typer.Option(help="Text that the query of an example must contain.", show_default=False)]
Part = Annotated[
    str | None,
    typer.Option(
        help="train, validation or test, split as `nutgraf prepare` does; systems are fitted to train.",
        show_default="all",
    ),
]
Seed = Annotated[int | None, typer.Option(help="Seed of everything drawn at random.", show_default=False)]
Device = Annotated[str, typer.Option(help="Device of a network: cpu, cuda, cuda:1 …; auto is the GPU if there is one.")]
Deterministic = Annotated[
    bool,
    typer.Option(
        "--deterministic/--no-deterministic",
        help="Networks give the same numbers every time, however busy the machine. With --no-deterministic, the "
        "fastest precision that a model's card allows.",
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        help="Ray cluster that does the work: its address, auto for the one that this machine belongs to, or local for "
        "one that is started here; needs the extra batch.",
        show_default="the cores of this machine",
    ),
]
Corpus = Annotated[
    str,
    typer.Argument(
        help="Corpus: a folder with training, validation and test files, or one file, which is then split.",
        show_default=False,
    ),
]
Stem = Annotated[bool | None, typer.Option("--stem/--no-stem", help="ROUGE with stemming.", show_default="stem")]
Form = Annotated[str, typer.Option("--format", help="text, markdown, latex, csv or json.")]


class Plain:
    """Takes defaults, text and whole numbers as they are. Whatever else is given, typer compares by pydantic.

    pydantic takes longer to import than NumPy.
    """

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return a value of the command line as the type of its parameter.

        Raises:
            typer.BadParameter: If it does not fit, or is a number with underscores ("1_000"), which only code has.
        """
        kind, limits = param.type_descriptor.annotation, param.type_descriptor.parameter_info
        several = param.multiple or param.nargs == -1
        if value is None:
            return () if several else None
        if value == param.default or (kind is str and isinstance(value, str)):
            return value
        if kind == list[str] and several and not isinstance(value, str):
            return [*value]
        if kind is int and limits.min is limits.max is None and _WHOLE.fullmatch(str(value)):
            return int(value)
        if kind in (int, list[int]):
            for one in [value] if isinstance(value, str) else value:
                if isinstance(one, str) and "_" in one:
                    raise typer.BadParameter(f"{one!r} is not a whole number.", ctx=ctx, param=param)
        param._runtime_param = None  # typer's own
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)


def plainly(parameters: list[Any]) -> list[Any]:
    """Let typer take what is given for parameters through `Plain`."""
    for parameter in parameters:
        parameter._runtime_param = parameter._runtime_param or Plain()
    return parameters


class Command(TyperCommand):
    """A command that refuses empty values, and says which option was given more than once, or with its opposite."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, which take what is given as it is."""
        return plainly(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments.

        Raises:
            typer.BadParameter: If one of them is empty.
        """
        typed = {*args}
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        rest = super().parse_args(ctx, args)
        parameters: list[Any] = list(self.params)
        for parameter in parameters:
            value = ctx.params.get(parameter.name)
            if "" in (value if isinstance(value, list | tuple) else [value]):
                said = "it is empty; if a variable of the shell stands there, it may not be set"
                raise typer.BadParameter(said, ctx=ctx, param=parameter)
        single = [one for one in given if isinstance(one, TyperOption) and not one.multiple and not one.is_flag]
        repeated = [option.opts[-1] for option, times in Counter(single).items() if times > 1]
        contrary = [
            f"{one.opts[-1]} and {one.secondary_opts[-1]} were given; the last one counts."
            for one in dict.fromkeys(given)
            if isinstance(one, TyperOption) and typed.intersection(one.opts) and typed.intersection(one.secondary_opts)
        ]
        quiet = bool(ctx.params.get("quiet"))
        notice([*(f"{name} was given more than once; the last value counts." for name in repeated), *contrary], quiet)
        return rest


def changes(set_: Sequence[str] | None, options: Mapping[str, str | None]) -> list[str]:
    """Return the changes that --set names, and those that options of their own stand for.

    Args:
        set_: Lines "section.key=value".
        options: The line of each option, None for one that was not given.

    Raises:
        PresetError: If --set names what an option stands for, too: one of them would count for nothing.
    """
    from nutgraf.presets import assignments

    lines = {option: line for option, line in options.items() if line is not None}
    named = {key for key, _ in assignments(set_ or [])}
    for option, line in lines.items():
        key = line.partition("=")[0]
        if key in named:
            raise PresetError(f"{option} and --set {key}=… set the same; leave out one of them.")
    return [*(set_ or []), *lines.values()]


def listed(values: Sequence[str] | None, default: str = "") -> str:
    """Return the values of an option that takes a list with commas and may be repeated, as one list with commas."""
    return ",".join(values) if values else default


def strength_of(edit: bool, strength: float | None) -> bool | float:
    """Return the strength of `--edit`, False without it. Raises InputError if there is one, but nothing to edit."""
    if strength is None:
        return edit
    if not edit:
        raise InputError("--edit-strength says how readily --edit leaves out pieces; add --edit.")
    if not 0 < strength <= 1:
        raise InputError(f"--edit-strength lies above 0 and is at most 1; {strength:g} does not.")
    return strength
