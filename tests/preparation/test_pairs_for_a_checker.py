"""Pairs that a checker learns from: changes that make a sentence false, paraphrases that keep it true."""

from __future__ import annotations

import json
import lzma
from random import Random

import pytest

from nutgraf.preparation.pairs.corruptions import corrupt
from nutgraf.preparation.pairs.make import Text, pairs, written
from nutgraf.preparation.pairs.paraphrases import joined, misrounded, paraphrased, shortened
from nutgraf.preparation.pairs.words import names, stems

EVIDENCE = (
    "Mara Voss beat Leo Brandt in the final on Tuesday. She won 2,140 points, fewer than in 2019. "
    "The club may build a stand next year. Ina Kessel coached her."
)
SENTENCE = "Mara Voss beat Leo Brandt in the final on Tuesday."


def kinds(sentence: str, evidence: str = EVIDENCE) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for seed in range(300):
        change = corrupt(sentence, evidence, Random(seed))
        if change:
            found.setdefault(change.kind, set()).add(change.sentence)
    return found


def test_names_of_the_evidence_take_the_place_of_a_name_and_two_change_roles():
    found = kinds(SENTENCE)
    assert "Leo Brandt beat Mara Voss in the final on Tuesday." in found["roles"]
    assert "Ina Kessel beat Leo Brandt in the final on Tuesday." in found["name"]


def test_a_verb_is_denied_and_a_denial_affirmed():
    assert "Mara Voss never won the final." in kinds("Mara Voss won the final.")["negation"]
    assert "Mara Voss did not win the final." in kinds("Mara Voss won the final.")["negation"]
    assert "The club can build a stand." in kinds("The club can't build a stand.")["negation"]


def test_antonyms_days_units_and_numbers_are_changed():
    assert kinds("Prices rose.", "Prices rose.")["antonym"] == {"Prices fell."}
    assert all("Tuesday" not in one for one in kinds(SENTENCE)["date"])
    assert kinds("It took two weeks.", "It took two weeks.")["unit"]
    assert all("2,140" not in one for one in kinds("She won 2,140 points.")["number"])


def test_what_may_be_becomes_what_will_be():
    assert "The club will build a stand next year." in kinds("The club may build a stand next year.")["phrase:may"]


@pytest.mark.parametrize("seed", range(40))
def test_a_change_can_be_made_in_the_evidence_instead(seed):
    change = corrupt(SENTENCE, EVIDENCE, Random(seed))
    assert change is not None
    if change.evidence is not None and change.kind in ("name", "roles", "date"):
        assert change.sentence in change.evidence(EVIDENCE)


def test_names_are_found_in_lower_case_too():
    assert [one.text for one in names("the mayor of voznesk met leifman on monday.")] == ["voznesk", "leifman"]
    assert [one.text for one in names("The mayor of Green Hill met Ana on Monday.")] == ["Green Hill", "Ana"]


def test_pieces_that_can_go_are_left_out():
    draw = Random(1)
    assert shortened("The ferry, which is new, left the harbour.", draw) == "The ferry left the harbour."
    assert shortened("However, the ferry left the harbour.", draw) == "The ferry left the harbour."
    assert shortened("The ferry left.", draw) is None


def test_other_words_say_the_same():
    said = {paraphrased('"The bridge is closed," said the mayor.', Random(seed)) for seed in range(20)}
    assert 'The mayor said "The bridge is closed".'.lower() in {one.lower() for one in said if one}
    rounded = {paraphrased("It cost the town 1,240 coins.", Random(seed)) for seed in range(20)}
    assert rounded & {"It cost the town more than 1,000 coins.", "It cost the town fewer than 2,000 coins."}
    assert misrounded("It cost the town 1,240 coins.", Random(0)) in {
        "It cost the town more than 2,000 coins.", "It cost the town fewer than 1,000 coins.",
    }  # fmt: skip


def test_years_and_scores_are_not_rounded():
    assert paraphrased("They met in 1998.", Random(0)) is None
    assert misrounded("It ended 23 - 19.", Random(0)) is None


def test_two_sentences_become_one():
    assert joined("The ferry left.", "The mill burned down.") == "The ferry left, and the mill burned down."


def test_evidence_covers_a_sentence_together():
    text = Text(["A gull slept all day.", "Four boats left the harbour.", "A mill burned down in the hills."])
    places = text.evidence("Boats left as a mill burned.", 2)
    assert places == [1, 2]
    assert text.coverage("Boats left as a mill burned.", places) == 1.0
    assert stems("the boats of a boat") == {"boats", "boat"}


def test_written_pairs_are_read(tmp_path):
    path = tmp_path / "own.jsonl"
    row = {
        "evidence": "Four boats left.",
        "pairs": [["Boats left.", "supported"], ["Five left.", "contradicted", "number"]],
    }
    path.write_text(json.dumps(row) + "\n")
    assert [one.label for one in written(path)] == ["entailment", "contradiction"]


def test_the_same_seed_makes_the_same_pairs(tmp_path, monkeypatch):
    corpora = {"scitldr": ("scitldr/train", 3)}
    monkeypatch.setattr("nutgraf.preparation.pairs.make.PUBLIC", {})
    monkeypatch.setattr("nutgraf.preparation.pairs.make.CORPORA", corpora)
    (tmp_path / "scitldr").mkdir()
    row = {
        "documents": [EVIDENCE],
        "summary": "Mara Voss beat Leo Brandt in the final, and the club may build a stand.",
    }
    with lzma.open(tmp_path / "scitldr/train.jsonl.xz", "wt") as lines:
        lines.writelines(json.dumps(row) + "\n" for _ in range(3))
    first, second = (list(pairs(tmp_path, Random(3))) for _ in range(2))
    assert first == second
    assert {one.source.split(":")[0] for one in first} == {"scitldr"}
    assert len(set(first)) == len(first)
