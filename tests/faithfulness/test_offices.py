"""Who holds which office, by hand."""

from __future__ import annotations

import pytest

import nutgraf

SOURCE = (
    "Judge Helen Astley told him to expect prison. Priya Nair prosecuted. Sens. Ada Kim and Jo Lee were there, and so "
    "were Senator Ray and Vane, the mayor, with Mayor Brandt."
)


@pytest.mark.parametrize(
    ("summary", "flagged"),
    [
        ("Judge Astley told him to expect prison.", []),
        ("Judge Nair told him to expect prison.", ["Judge Nair"]),
        ("Senator Lee was there.", []),  # in one sentence with "Sens."
        ("Senator Nair was there.", ["Senator Nair"]),
        ("Mayor Vane was there.", []),
        ("Mayor Helen Astley was there.", ["Mayor Helen Astley"]),
        ("Bishop Nair was there.", []),  # of whom the sources say it, is not known
    ],
)
def test_an_office_that_the_sources_give_to_others(summary: str, flagged: list[str]) -> None:
    assert [flag.text for flag in nutgraf.check(summary, SOURCE).flags if flag.kind == "offices"] == flagged


def test_the_reason_names_who_holds_it() -> None:
    [reason] = [flag.reason for flag in nutgraf.check("Judge Nair spoke.", SOURCE).flags if flag.kind == "offices"]
    assert reason == "The sources say judge of Helen Astley alone."
