"""`nutgraf batch`: a summary of each of any number of documents."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nutgraf.cli import _options as options
from nutgraf.cli._say import notice, put
from nutgraf.errors import InputError, OutputError

if TYPE_CHECKING:
    from nutgraf.batch.progress import Progress, Tell

LINE_EVERY = 30.0
"""Seconds between two lines about the progress, where nobody sits at a terminal."""


def batch(
    sources: Annotated[
        list[str],
        typer.Argument(
            help="JSONL, CSV, Parquet or Arrow with a document in each row; other files, each a document; folders of "
            "them; with --cluster, also what Ray Data reads, such as s3://…",
            show_default=False,
        ),
    ],
    out: Annotated[
        str, typer.Option(help="Folder to write. The same command goes on where it stopped.", show_default=False)
    ],
    system: options.System = "adaptive",
    words: options.Words = None,
    sentences: options.Sentences = None,
    share: options.Share = None,
    characters: options.Characters = None,
    highlight: options.Highlight = None,
    query: options.Query = None,
    whole_sentences: options.Whole = False,
    edit: options.Edit = False,
    edit_strength: options.Strength = None,
    keep_all: options.KeepAll = False,
    format_: options.Layout = "paragraph",
    language: options.Language = None,
    reader: options.Reader = None,
    kind: Annotated[
        str | None,
        typer.Option(help="Data set whose rows the files hold, such as pubmed.", show_default="rows with a text"),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="Change of the preset, section.key=value, or of the data set: dataset.text_column=body, "
            "dataset.id_column=key; may be repeated.",
            show_default=False,
        ),
    ] = None,
    trust: options.Trust = False,
    seed: options.Seed = None,
    device: options.Device = "auto",
    deterministic: options.Deterministic = True,
    seconds: Annotated[float, typer.Option(min=0.1, max=10**7, help="Limit of time for a document.")] = 600.0,
    memory: Annotated[int, typer.Option(min=256, max=10**9, help="Limit of memory of a worker, in MB.")] = 4096,
    workers: Annotated[
        int | None, typer.Option(min=1, max=10_000, help="Number of processes.", show_default="as many as cores")
    ] = None,
    cluster: options.Cluster = None,
    file_format: Annotated[
        str | None,
        typer.Option(help="Format of the summaries: jsonl or parquet.", show_default="that of OUT, or jsonl"),
    ] = None,
    shard_size: Annotated[
        int | None,
        typer.Option(min=1, max=10**8, help="Number of documents in each file.", show_default="that of OUT, or 10000"),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Try a few documents, tell what all of them will cost, and write nothing.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no notices on stderr.")] = False,
) -> None:
    """Summarize each of any number of documents into a folder.

    Example: nutgraf batch examples/notices.jsonl --words 25 --out summaries

    OUT/summaries holds a line, or a row of Parquet, for each document: id, summary, its sentences, the places that each
    comes from, its flags, and notices. If every sentence of a document is longer than the length asked for, its summary
    is empty, and its notices say which length would do. OUT/dead_letters holds the documents without a summary, with
    the reason. If there are any, or if all summaries are empty, the exit status is 2. The files are the same for any
    number of workers. A run that was stopped or killed goes on with the same command. A document that takes too long or
    too much memory is tried once more before it is given up.
    """
    from nutgraf.batch.cluster import RemoteSource, connected
    from nutgraf.batch.folder import form_of
    from nutgraf.batch.forecast import forecast
    from nutgraf.batch.named import sources_of
    from nutgraf.batch.run import run
    from nutgraf.batch.settings import Settings
    from nutgraf.evaluation.scores import parted
    from nutgraf.runtime.hardware import Compute
    from nutgraf.runtime.workers import local_lanes
    from nutgraf.text.formats import check_format
    from nutgraf.text.language import check_code
    from nutgraf.text.request import Request

    if file_format not in (None, "jsonl", "parquet"):
        raise InputError(f"There is no file format {file_format!r}; there are jsonl and parquet.")
    form = {"file_format": file_format, "shard_size": shard_size}
    overrides, dataset = parted(options.changes(set_, {"--seed": None if seed is None else f"seed={seed}"}))
    if language is not None and "language" in dataset:
        raise InputError("--language and --set dataset.language=… set the same; leave out one of them.")
    settings = Settings(
        system=system,
        overrides=tuple(overrides),
        trust=trust,
        compute=Compute(deterministic, None if deterministic else 1, device),
        request=Request.of(
            words=words,
            sentences=sentences,
            share=share,
            characters=characters,
            highlights=highlight,
            query=query,
            language=None if language is None else check_code(language),
            whole_sentences=whole_sentences,
            edit=options.strength_of(edit, edit_strength),
            prose=not keep_all,
        ),
        format=check_format(format_),
        reader=reader,
        kind=kind,
        dataset=dataset,
        seconds=seconds,
        memory=memory << 20,
        **form_of(out) | {name: value for name, value in form.items() if value is not None},
    )
    _check_apart(out, sources)
    with connected(cluster, gpus=device.startswith("cuda")) as pool:
        documents = sources_of(sources, reader, kind, dataset, None if pool is None else RemoteSource)
        notice(documents.notices, quiet)
        if dry_run:
            put(str(forecast(documents, settings, workers, pool or local_lanes)))
            return
        with _shown(quiet) as tell:
            made = run(documents, out, settings, workers=workers, pool=pool or local_lanes, tell=tell)
    if _tell(made, out, quiet):
        raise typer.Exit(2)


def _tell(made: Progress, out: str, quiet: bool) -> bool:
    """Print what came of a batch; True if documents have no summary, or every summary is empty."""
    notice([f"{made.summaries:,} {'summary is' if made.summaries == 1 else 'summaries are'} in {out}."], quiet)
    all_empty = 0 < made.empty == made.summaries
    if made.empty:
        are = "is" if made.empty == 1 else "are"
        told = f"{made.empty:,} of {made.summaries:,} {are} empty; their notices say why, and which length would do."
        notice([told], quiet and not all_empty)
    if made.dead_letters:
        notice(
            [
                f"{made.dead_letters:,} of {made.documents:,} document{'' if made.documents == 1 else 's'} "
                f"{'has' if made.dead_letters == 1 else 'have'} no summary; {Path(out) / 'dead_letters'} tells why."
            ]
        )
        sources, of = ("1 source", "it") if made.damaged == 1 else (f"{made.damaged:,} sources", "each")
        said = f"{sources} could not be read to the end; the rest of {of} counts as one document."
        notice([said] if made.damaged else [])
    return bool(made.dead_letters) or all_empty


def _check_apart(out: str, sources: list[str]) -> None:
    """Raise OutputError if the results would be among the sources of the next run."""
    place = Path(out).resolve()
    for source in sources:
        if "://" not in source and place.is_relative_to(Path(source).resolve()):
            raise OutputError(f"{out} lies in {source}, which is read; name a folder elsewhere for the results.")


@contextmanager
def _shown(quiet: bool) -> Iterator[Tell | None]:
    """Show the progress: a bar at a terminal, a line now and then elsewhere."""
    if quiet:
        yield None
    elif sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as Bar

        with Bar(BarColumn(), TextColumn("{task.description}"), console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("", total=1.0)
            yield lambda progress: bar.update(task, completed=progress.share, description=_described(progress))
    else:
        said = time.monotonic()

        def tell(progress: Progress) -> None:
            nonlocal said
            if time.monotonic() - said >= LINE_EVERY:
                said = time.monotonic()
                notice([_described(progress)])

        yield tell


def _described(progress: Progress) -> str:
    """Return the progress in one line."""
    from nutgraf.runtime.durations import spoken

    letters = f" · {progress.dead_letters:,} dead letters" if progress.dead_letters else ""
    left = "" if progress.seconds_left is None else f" · {spoken(progress.seconds_left)} left"
    return f"{progress.documents:,} documents{letters} · {progress.rate:.3g} a second{left}"
