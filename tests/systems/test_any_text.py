"""Whatever the text: a mistake that is told, or a summary within its budget whose origins show what they claim."""

import json
import os
import shutil
import subprocess
from functools import lru_cache

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import nutgraf
from nutgraf.errors import NutgrafError
from nutgraf.presets import names
from nutgraf.report.page import render
from nutgraf.systems import read_preset as read
from nutgraf.text.document import Document
from nutgraf.text.tokenize import flatten

MARKS = '.!?:;,-"“”é中شกあ。؟😀\u0301'
SPACES = " \n\t\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u200b\u2028\u2029\u2060\u3000\ufeff"
OTHERS = "\x00\x7f\u202e\ud800\udfff"
SEQUENCES = ["\x1b[31m", "\x1b]0;tug\x07", "\x1b]8;;", "\x9b1m"]
WORDS = "the harbour tug pilot storm crude oil of a Rain Nobody was hurt mooring 12 3.5 U.S. don't crude-oil".split()

pieces = st.one_of(
    st.text(st.characters(), max_size=8),
    st.sampled_from([*MARKS, *SPACES, *OTHERS, *SEQUENCES]),
    st.sampled_from(WORDS).map(lambda word: f"{word} "),
    st.sampled_from(WORDS).map(lambda word: f"{word}. "),
)
texts = st.lists(pieces, max_size=50).map("".join)


@lru_cache
def system(name):
    return nutgraf.load(name)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    name=st.sampled_from([name for name in names() if read(name).system != "neural"]),
    inputs=st.lists(texts, min_size=1, max_size=3),
    words=st.integers(1, 40),
    highlights=st.lists(st.text(st.characters(), max_size=5), max_size=2),
)
@example("mls_plus", ["don't. of. of. ,õ.p\x1fáéharbour. ́Nobody. !́storm "], 16, [])
@example("mls_plus", ["\ud8000"], 1, ["\ud8000"])
def test_any_text_at_all(name, inputs, words, highlights):
    try:
        summary = system(name)(inputs, words=words, highlights=highlights)
    except NutgrafError as mistake:
        str(mistake).encode()
        return
    assert 0 < len(str(summary).split()) <= words
    for sentence in summary.sentences:
        for origin in sentence.origins:
            part = summary.document.parts[origin.source]
            own = summary.document.text[part.start : part.end]
            assert flatten(own[origin.start : origin.end]) == sentence.text
    assert json.loads(summary.dumps().encode())["text"] == str(summary)
    assert render(summary).encode()


@pytest.mark.skipif(shutil.which("wc") is None, reason="there is no wc here")
@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_wc_never_counts_more_than_the_budget(locale, tmp_path):
    """All that some program might take for white space, between letters and alone, in sentences of seven words."""
    spaces = [*range(0x21), *range(0x7F, 0xA1), 0xAD, 0x1680, 0x180E, *range(0x2000, 0x2010), *range(0x2028, 0x2030)]
    spaces += [0x205F, *range(0x2060, 0x2065), 0x2800, 0x3000, 0x3164, 0xFEFF, 0xFFA0, 0xE0020]
    lead = system("lead")
    budgets = []
    for code in spaces:
        odd = chr(code)
        document = Document.of(f"The tug{odd}came to {odd} the{odd}{odd}quay{odd}.", language="en")
        budgets.append(lead(document, sentences=3).words)
        (tmp_path / f"{len(budgets):03}.txt").write_text(
            str(lead(document, words=budgets[-1])) + "\n", encoding="utf-8"
        )
    process = subprocess.run(
        ["wc", "-w", *sorted(map(str, tmp_path.iterdir()))],
        env={**os.environ, "LC_ALL": locale},
        capture_output=True,
        text=True,
        check=True,
    )
    counts = [int(line.split()[0]) for line in process.stdout.splitlines()[:-1]]
    assert len(counts) == len(budgets)
    assert all(count <= budget for count, budget in zip(counts, budgets, strict=True))
