"""`nutgraf score`: scores of summaries that were made elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from nutgraf.cli._options import Output, Stem, changes, listed
from nutgraf.cli._say import check_output, notice, put_result

if TYPE_CHECKING:
    from nutgraf.evaluation.pairs import Splitting


def score(
    hypotheses: Annotated[
        str,
        typer.Option(
            "--hypotheses", "-H", help="Summaries: text, one per line; JSONL; or a folder.", show_default=False
        ),
    ],
    references: Annotated[
        list[str] | None,
        typer.Option(
            "--references",
            "-R",
            help="References in the same form; may be repeated. JSONL may hold both.",
            show_default=False,
        ),
    ] = None,
    sources: Annotated[
        str | None,
        typer.Option(
            help="Source texts in the same form, for coherence, novelty, sentiment and topics.", show_default=False
        ),
    ] = None,
    metrics: Annotated[
        list[str] | None, typer.Option(help="Metrics, separated by commas; may be repeated.", show_default="rouge")
    ] = None,
    stem: Stem = None,
    lines: Annotated[
        bool | None,
        typer.Option(
            "--lines/--sentences",
            help="One sentence per line, or sentences found in each text.",
            show_default="lines in folders, else sentences",
        ),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="Option of a metric: rouge.references=best; may be repeated.", show_default=False),
    ] = None,
    resamples: Annotated[
        int, typer.Option(min=1, max=100_000, help="Number of bootstrap resamples for the intervals.")
    ] = 1000,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Seed of the intervals.")] = 0,
    json_: Annotated[bool, typer.Option("--json", help="Scores of every example, as JSON.")] = False,
    output: Output = None,
) -> None:
    """Score summaries against references.

    Example: nutgraf score --hypotheses examples/notices.jsonl --metrics rouge,meteor

    Line i of one file belongs to line i of the other. Objects of JSONL are matched by "id" where all have one. Files in
    folders are matched by name; report.A.txt and report.B.txt are two references for report.txt. A summary that
    JSONL gives as a list is taken as its sentences.
    """
    from nutgraf.evaluation.metrics import choose
    from nutgraf.evaluation.pairs import read_examples
    from nutgraf.evaluation.scoring import score as score_examples
    from nutgraf.evaluation.significance import Bootstrap

    check_output(output, [hypotheses, *(references or ()), sources])
    options = changes(set_, {"--stem": None if stem is None else f"rouge.stem={str(stem).lower()}"})
    chosen = choose(listed(metrics, "rouge"), options)
    splitting: Splitting | None = None if lines is None else "lines" if lines else "sentences"
    pairs = read_examples(hypotheses, references or (), sources, splitting)
    bootstrap = Bootstrap(resamples=resamples, seed=seed)
    scores = score_examples(pairs.names, pairs.examples, chosen, f"split:{pairs.splitting}", bootstrap)
    notice(scores.notices)
    put_result(scores, json_, output)
