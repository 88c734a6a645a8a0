"""The contract of detectors, over every file of the folder."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from members import members

from nutgraf.faithfulness.detectors import Detector, detectors
from nutgraf.faithfulness.sources import Sources, claims
from nutgraf.text.document import Document

PIECES = st.lists(
    st.sampled_from(
        ["Four boats", "left Oslo", "on 3 May", "did not", "return", "“never”", "half", "$2m", ",", ".", "?", "!", "\n",
         "1998-05-03", "UN", "…", "''", "-", "’s", "三", "é"]
    ),
    max_size=12,
).map(" ".join)  # fmt: skip


@pytest.fixture(params=members(detectors))
def detector(request: pytest.FixtureRequest) -> Detector:
    return detectors.build(detectors.choose(str(request.param)))


@given(summary=PIECES, source=PIECES)
def test_findings_lie_in_their_sentence_and_have_a_reason(detector: Detector, summary: str, source: str) -> None:
    sources = Sources(Document.of(source, language="en"))
    for claim in claims(Document.of(summary, language="en"), sources):
        for (start, end), reason in detector(claim, sources):
            assert claim.start <= start < end <= claim.end
            assert reason.endswith((".", "”"))


@given(text=PIECES)
def test_what_the_source_says_word_for_word_is_never_flagged(detector: Detector, text: str) -> None:
    document = Document.of(text, language="en")
    sources = Sources(document)
    assert [found for claim in claims(document, sources) for found in detector(claim, sources)] == []
