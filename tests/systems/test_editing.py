import json

import pytest

import nutgraf
from nutgraf.errors import InputError
from nutgraf.faithfulness.records import CheckerVerdict
from nutgraf.prose.shortening.shorten import shorten
from nutgraf.systems import load
from nutgraf.systems.editing import entailed
from nutgraf.text.summary import Summary

TEXT = (
    "The council of Port Halden, a body of nine members, voted on Tuesday to repair the bridge (built in 1931).\n\n"
    "Ann Bell, who runs the ferry, sold two boats to the town of Lund, leaving the harbor with one.\n\n"
    "The pier, which is older than the bridge, needs a new roof."
)


def summary(**options):
    return load("lead")(TEXT, **{"sentences": 3, "edit": True, **options})


def test_pieces_are_left_out_and_origins_are_what_is_kept():
    made = summary(edit=0.9)
    for sentence in made.sentences:
        kept = "".join(TEXT[one.start : one.end] for one in sentence.origins)
        assert kept.replace(" ", "").lower() == sentence.text.replace(" ", "").lower()
        for piece in sentence.left_out:
            assert TEXT[piece.origin.start : piece.origin.end] == piece.text
            assert piece.text not in sentence.text
    assert made.sentences[2].text == "The pier needs a new roof."
    [piece] = made.sentences[2].left_out
    assert (piece.text, piece.kind) == (", which is older than the bridge,", "inserted")
    assert made.sentences[2].text[: piece.place] == "The pier"
    assert piece.text in made.sentences[2].shortened


def test_sentences_are_whole_unless_it_is_asked_for():
    assert all(not sentence.left_out for sentence in summary(edit=False).sentences)
    assert summary(edit=False).text == summary(edit=0).text


def test_more_sentences_fit_within_a_budget():
    whole, edited = (load("lead")(TEXT, words=32, edit=edit) for edit in (False, 0.9))
    assert len(edited.sentences) > len(whole.sentences)
    assert edited.words <= 32


def test_json_tells_what_was_left_out():
    made = summary(edit=0.9)
    written = json.loads(made.dumps())
    assert written["sentences"][2]["left_out"][0].keys() == {"text", "kind", "place", "origin"}
    assert Summary.loads(made.dumps(), made.document).sentences == made.sentences


def test_a_place_outside_of_the_sources_is_refused():
    written = json.loads(summary(edit=0.9).dumps())
    written["sentences"][2]["left_out"][0]["origin"]["end"] = 10**6
    with pytest.raises(InputError):
        Summary.loads(json.dumps(written), nutgraf.Document.of(TEXT))


def test_a_highlight_stays():
    assert "1931" not in summary(edit=0.9).text
    assert "1931" in summary(edit=0.9, highlights=["built in 1931"]).text


@pytest.mark.parametrize("strength", [-0.1, 1.5, float("nan")])
def test_a_strength_that_is_none_is_refused(strength):
    with pytest.raises(InputError):
        summary(edit=strength)


def test_an_outline_has_shortened_sentences(tmp_path):
    path = tmp_path / "a.md"
    path.write_text(f"# One\n\n{TEXT}\n\n# Two\n\n{TEXT}", encoding="utf-8")
    made = load("lead")(path, by="section", sentences=3, edit=0.9)
    last = [one for one in made.summary.sentences if one.text == "The pier needs a new roof."]
    assert len(last) == 2
    for sentence in last:
        [piece] = sentence.left_out
        assert made.summary.document.text[piece.origin.start : piece.origin.end] == piece.text


def test_many_texts_are_shortened():
    for made in load("lex_rank").many([TEXT, TEXT], sentences=3, edit=0.9):
        assert any(sentence.left_out for sentence in made.sentences)


def test_a_system_that_does_not_only_copy_refuses():
    with pytest.raises(InputError, match="edit"):
        load("mls_plus")(TEXT, edit=True)


class _Doubting:
    """A checker that finds every second sentence entailed, as long as the source is the sentence that it is from."""

    name = signature = "doubting"

    def __call__(self, claims, sources):
        labels = ["supported", "not told"]
        assert [claim.evidence for claim in claims] == [(index,) for index in range(len(claims))]
        return [
            CheckerVerdict(self.name, labels[index % 2], {"supported": 0.5, "not told": 0.5})
            for index, _ in enumerate(claims)
        ]


def test_a_sentence_whose_rest_is_not_entailed_stays_whole():
    short = shorten(nutgraf.Document.of(TEXT), lambda sentences: [[1.0] * len(some) for _, some in sentences], 0.5)
    made = entailed(short, _Doubting())
    assert [bool(sentence.left_out) for sentence in made.sentences] == [True, False, True]
    assert "who runs the ferry" in made.printed[1]
