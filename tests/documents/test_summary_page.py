"""The page that describes a summary's JSON names every field there is."""

from dataclasses import replace
from pathlib import Path

import nutgraf
from nutgraf.text.flag import Flag
from nutgraf.text.summary import Origin, SummaryWord

PAGE = Path(__file__).parents[2] / "docs" / "summary.md"


def keys_of(value: object) -> set[str]:
    if isinstance(value, dict):
        return set(value) | {key for below in value.values() for key in keys_of(below)}
    if isinstance(value, list):
        return {key for item in value for key in keys_of(item)}
    return set()


def test_every_field_is_described():
    text = "The ferry left at noon. It came back at dusk. Nobody was on it."
    summary = nutgraf.load("mls_plus")(text, words=9, highlights=["dusk"], compare=True)
    word = SummaryWord("ferry", 0, "copied", Origin(0, 4, 9, page=1), 0.5, 0.75)
    flag = Flag("numbers", 4, 9, "ferry", "No source has it.")
    first = replace(summary.sentences[0], words=(word,), flags=(flag,))
    summary = replace(summary, sentences=(first, *summary.sentences[1:]))
    kernels = set(summary.sentences[0].shares)
    page = PAGE.read_text(encoding="utf-8")
    missing = {key for key in keys_of(summary.to_json()) - kernels if f"`{key}`" not in page}
    assert not missing
    assert f"`{summary.to_json()['schema']}`" in page
