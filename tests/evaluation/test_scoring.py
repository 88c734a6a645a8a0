"""Scores of a handful of summaries."""

from __future__ import annotations

import math

import pytest

from nutgraf.errors import InputError, PresetError, UnknownName
from nutgraf.evaluation.metrics import choose
from nutgraf.evaluation.scoring import score
from nutgraf.evaluation.significance import Bootstrap
from nutgraf.metrics import Example
from nutgraf.text import segmentation
from nutgraf.text.document import Document

EXAMPLES = [
    Example(["A b a b."], (["A b a b."],)),
    Example(["A b."], (["B a."], ["C d."])),
]


def test_means_values_and_pedigree() -> None:
    scores = score(["one", "two"], EXAMPLES, choose("repetition", ["repetition.n=1"]), "split:lines", Bootstrap(50))
    # Two of four words have stood before, and none of two.
    assert scores.values.tolist() == [[0.5], [0.0]]
    assert (scores.intervals[0].mean, scores.intervals[0].examples) == (0.25, 2)
    assert scores.pedigree == "split:lines|references:1-2|examples:2|interval:percentile|level:0.95|resamples:50|seed:0"
    shown = str(scores).splitlines()
    assert shown[0].split() == ["metric", "value", "95", "%", "interval", "examples"]
    assert shown[2].split() == ["repetition", "↓", "25.00", "0.00", "–", "50.00", "2"]
    assert shown[-1].startswith("repetition = repetition|n:1|")
    assert shown[-1].endswith(scores.pedigree)


def test_what_segments_words_is_told_where_a_source_has_no_spaces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segmentation, "described", lambda language: f"cutter-{language}")
    given = [Example(["船."], source=Document.of("船来了.", language=code)) for code in ("ja", "en", "zh")]
    assert "|words:zh=cutter-zh,ja=cutter-ja|" in score(["1", "2", "3"], given, choose("novelty")).pedigree
    assert "words" not in score(["2"], given[1:2], choose("novelty")).pedigree


def test_json_holds_every_example_unscaled_and_no_nan() -> None:
    scores = score(["one", "two"], EXAMPLES, choose("repetition"))
    assert math.isnan(scores.values[1, 0])
    content = scores.to_json()
    assert content["examples"] == [{"id": "one", "repetition": 0.0}, {"id": "two", "repetition": None}]
    assert content["scores"]["repetition"]["examples"] == 1
    assert "1 (1 without a value excluded)" in str(scores)


def test_a_metric_without_any_value_has_no_figure() -> None:
    scores = score(["one"], [Example(["A."])], choose("repetition"))
    assert str(scores).splitlines()[2].split()[2:4] == ["–", "–"]
    assert scores.to_json()["scores"]["repetition"]["mean"] is None


def test_few_examples_are_told() -> None:
    scores = score(["one"], EXAMPLES[:1], choose("repetition"))
    notice = "There is only 1 example: intervals are wide, and differences say little. Take 30 or more."
    assert list(scores.notices) == scores.to_json()["notices"] == [notice]
    assert "notices" not in score(["one"] * 30, EXAMPLES[:1] * 30, choose("repetition")).to_json()


def test_needs_are_told_before_the_work() -> None:
    with pytest.raises(InputError, match="--sources"):
        score(["one"], EXAMPLES[:1], choose("topics"))
    with pytest.raises(InputError, match="--references"):
        score(["one"], [Example(["A."])], choose("rouge"))
    with pytest.raises(InputError, match="summary"):
        score([], [], choose("rouge"))


def test_metrics_and_their_options_are_chosen_by_name() -> None:
    chosen = choose("rouge, meteor", ["rouge.stem=false", "meteor.alpha=0.5"])
    assert "stem:no" in chosen[0].signature
    assert "alpha:0.5" in chosen[1].signature
    with pytest.raises(UnknownName, match=r"'bleu'.*bert_score"):
        choose("bleu")
    with pytest.raises(PresetError, match=r"'meteor\.alpha'"):
        choose("rouge", ["meteor.alpha=0.5"])
    with pytest.raises(PresetError, match="metric"):
        choose(" , ")
