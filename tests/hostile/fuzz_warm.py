"""Imported by the sandbox of the fuzzing campaign before its first fork: runs each command once, so that models and
word lists are in memory already."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path

from nutgraf.cli.main import main

NOTICE = "The ferry left at noon. It carried a piano. Dr. Smith saw how a storm broke its mast. Nobody was hurt.\n"
EXTRACTORS = ("position_rank", "topic_rank", "text_rank", "rake", "tfidf", "yake", "multipartite_rank")
SYSTEMS = ("adaptive", "mls_plus", "lead", "salience", "text_rank", "lex_rank", "tfidf", "random", "graph_sample")


def _run(*argv: str) -> None:
    sys.argv = ["nutgraf", *argv]
    silent = io.StringIO()
    with contextlib.redirect_stdout(silent), contextlib.redirect_stderr(silent), contextlib.suppress(SystemExit):
        main()


# On one core, the command line starts no processes of its own, which would take longer than what they do.
os.sched_setaffinity(0, {int(os.environ.get("FUZZ_CORE", min(os.sched_getaffinity(0))))})

with tempfile.TemporaryDirectory() as folder:
    notice, rows = str(Path(folder, "notice.txt")), str(Path(folder, "rows.jsonl"))
    Path(notice).write_text(NOTICE)
    Path(rows).write_text(json.dumps({"text": NOTICE, "summary": "A ferry.", "hypothesis": "The ferry."}) + "\n")
    for system in SYSTEMS:
        _run("summarize", notice, "--system", system, "--words", "10", "--json")
    _run("summarize", notice, "--words", "10", "--report", str(Path(folder, "page.html")), "--explain")
    _run("summarize", notice, "--words", "10", "--highlight", "ferry", "--language", "de")
    meeting = Path(folder, "meeting.txt")
    meeting.write_text("Ana: I will call the carrier by Friday.\n\nTom: Then we take Ferris Street. Agreed?\n")
    for shown in (["--minutes"], ["--by", "speaker", "--json"], ["--query", "Who calls?", "--format", "markdown"]):
        _run("summarize", str(meeting), *shown)
    _run("summarize", notice, str(meeting), "--agreement")
    _run("changes", notice, str(meeting))
    for extractor in EXTRACTORS:
        _run("phrases", notice, "--extractor", extractor)
    _run("score", "-H", rows, "--metrics", "rouge,meteor,repetition", "--resamples", "10")
    _run("score", "-H", rows, "--sources", rows, "--metrics", "novelty", "--resamples", "10")
    _run("evaluate", "lead", "--data", rows, "--words", "10", "--out", str(Path(folder, "out")))
