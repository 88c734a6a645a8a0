"""A trained network as a system: what it writes, within which lengths, and what it says of it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

pytest.importorskip("torch")

import nutgraf
from nutgraf.errors import BudgetError, InputError, PresetError
from nutgraf.report import render
from nutgraf.systems._written import WORDLESS, Wording
from nutgraf.systems.neural import MOST_SHOWN
from nutgraf.text.document import Document
from tiny_network import NOTICES, tiny, train

FERRY, BRIDGE, BIRDS = (text for text, _ in NOTICES)
WRITTEN = [" ".join(summary) for _, summary in NOTICES]


@pytest.fixture(scope="module")
def system(trained):
    return nutgraf.load(trained)


class TestWhatItWrites:
    @pytest.mark.parametrize(("text", "summary"), list(zip([FERRY, BRIDGE, BIRDS], WRITTEN, strict=True)))
    def test_reads_as_text_with_names_and_sentences(self, system, text, summary):
        made = system(text)
        assert str(made) == summary
        assert all(sentence.operation == "generated" for sentence in made.sentences)

    def test_every_copied_word_stands_where_it_is_said_to(self, system):
        for text in (FERRY, BRIDGE, BIRDS):
            words = [word for sentence in system(text).sentences for word in sentence.words]
            copied = [word for word in words if word.operation == "copied"]
            assert len(copied) > len(words) / 2
            for word in copied:
                assert text[word.origin.start : word.origin.end].lower() == word.text.lower()
            assert all(0 < word.probability <= 1 and 0 <= word.p_copy <= 1 for word in words)

    def test_a_word_that_the_source_lacks_is_generated(self, system):
        [shut] = [word for word in system(BRIDGE).sentences[0].words if word.text == "shut"]
        assert (shut.operation, shut.origin) == ("generated", None)
        assert shut.p_copy < 0.5

    def test_a_sentence_comes_from_where_it_was_copied(self, system):
        second = system(FERRY).sentences[1]
        assert [FERRY[origin.start : origin.end] for origin in second.origins] == [
            "Nobody was hurt, said the harbour master."
        ]

    def test_words_are_told_in_the_json(self, system):
        words = json.loads(system(BRIDGE).dumps())["sentences"][0]["words"]
        assert set(words[0]) == {"text", "start", "operation", "origin", "probability", "p_copy"}
        assert words[0]["origin"] == {"source": 0, "start": BRIDGE.index("Rust"), "end": BRIDGE.index("Rust") + 4}

    def test_of_several_documents_each_word_knows_its_own(self, trained):
        made = nutgraf.load(trained, {"truncation.kind": "parts", "truncation.source": 80})([BIRDS, FERRY])
        for word in (word for sentence in made.sentences for word in sentence.words if word.origin):
            source = (BIRDS, FERRY)[word.origin.source]
            assert source[word.origin.start : word.origin.end].lower() == word.text.lower()

    def test_a_word_that_it_does_not_know_is_left_open(self, trained, system, monkeypatch):
        monkeypatch.setattr(Wording, "_text", lambda self, number, source: "<unk>" if number > 9 else ".")
        made = system(FERRY)
        assert WORDLESS in made.text
        assert "unk" not in made.text
        assert any(WORDLESS in notice for notice in made.notices)

    def test_pieces_of_words_become_words(self, tmp_path):
        preset = tiny("copy_transformer_small", **{"model.max_positions": 256, "truncation.source": 200})
        folder, _ = train(tmp_path, preset, steps=70)
        made = nutgraf.load(folder)(FERRY)
        words = [word for sentence in made.sentences for word in sentence.words]
        assert str(made) == WRITTEN[0]
        assert [word.text for word in words][:3] == ["The", "ferry", "Agnes"]
        for word in words:
            if word.origin:
                assert FERRY[word.origin.start : word.origin.end].lower() == word.text.lower()


class TestTornWords:
    """A network of pieces may not go on behind a comma, a point or a colon as no word of the source does."""

    def test_pieces_that_are_told(self, tmp_path):
        folder, _ = train(tmp_path, tiny("copy_transformer_small", **{"model.max_positions": 256}), steps=0)
        system = nutgraf.load(folder)
        marks, tails = ([system._tokenizer.tokens[number] for number in numbers] for numbers in system._inside)
        assert set(marks) <= {",", ".", ":"}
        assert marks
        assert tails
        assert not [text for text in tails if text.startswith("Ġ") or not text[0].isalnum()]

    def test_whole_words_have_none(self, system):
        assert system._inside == ([], [])


class TestLengths:
    @pytest.mark.parametrize("words", range(1, 14))
    def test_a_budget_is_never_exceeded_and_sentences_are_whole(self, system, words):
        document = Document.of(FERRY, language="en")
        [made] = system.many([document], words=words)
        if isinstance(made, BudgetError):
            assert words < made.smallest
            made = system(document, words=made.smallest)
        else:
            assert made.limit == words
        assert 0 < made.words == len(str(made).split()) <= made.limit
        assert all(sentence.text.endswith(".") for sentence in made.sentences)

    @pytest.mark.parametrize("characters", [1, 20, 47, 60, 80])
    def test_a_budget_in_characters_is_never_exceeded(self, system, characters):
        document = Document.of(FERRY, language="en")
        [made] = system.many([document], characters=characters)
        if isinstance(made, BudgetError):
            assert characters < made.smallest
            made = system(document, characters=made.smallest)
            characters = made.budget.characters
        assert 0 < len(str(made)) <= characters
        assert all(sentence.text.endswith(".") for sentence in made.sentences)

    def test_room_for_more_changes_nothing(self, system):
        assert str(system(FERRY, words=500)) == str(system(FERRY))

    def test_a_share_is_of_the_inputs_words(self, system):
        made = system(BIRDS, share="1/2")
        assert made.limit == len(BIRDS.split()) // 2
        assert 0 < made.words <= made.limit

    def test_what_is_too_small_for_anything_says_what_would_do(self, system):
        with pytest.raises(BudgetError, match=r"1 word.*9.*9 words") as caught:
            system(FERRY, words=1)
        assert caught.value.smallest == 9

    def test_sentences_are_counted_and_too_few_are_told(self, system):
        assert [len(system(FERRY, sentences=count).sentences) for count in (1, 2, 3)] == [1, 2, 2]
        assert any("2 sentences" in notice for notice in system(FERRY, sentences=3).notices)

    def test_what_the_length_cut_short_trails_off(self, trained):
        made = nutgraf.load(trained, {"decoding.max_length": 4})(FERRY)
        assert str(made) == "The ferry Agnes broke…"

    def test_nothing_is_said_to_be_nothing(self, trained, system, monkeypatch):
        monkeypatch.setattr(Wording, "__call__", lambda self, found, source: iter(()))
        made = system(FERRY)
        assert (made.sentences, str(made)) == ((), "")
        assert any("network" in notice for notice in made.notices)
        with pytest.raises(BudgetError):
            system(FERRY, words=5)


class TestWhatItSays:
    def test_what_was_cut(self, trained):
        made = nutgraf.load(trained, {"truncation.source": 17})(FERRY)
        assert sum(cut.words for cut in made.cut) == len(FERRY.split()) - 15
        assert any("read 15 of 31 words" in notice for notice in made.notices)
        assert not nutgraf.load(trained)(FERRY).cut

    def test_highlights_are_phrases_that_the_network_attends_to(self, system):
        plain, steered = system(FERRY), system(FERRY, highlights=["harbour master:3", "zebra"])
        assert steered.phrases[0].text == "harbour master"
        assert steered.phrases[0].score == 3
        assert any("'zebra'" in notice for notice in steered.notices)
        assert not any("change nothing" in notice for notice in steered.notices)
        assert plain.sentences[0].words[0].probability != steered.sentences[0].words[0].probability

    def test_a_network_without_highlighting_says_that_it_has_none(self, tmp_path):
        folder, _ = train(tmp_path, tiny("copy_transformer"), steps=1)
        plain, steered = (nutgraf.load(folder)(FERRY, highlights=given) for given in ((), ["harbour master"]))
        assert any("highlights" in notice for notice in steered.notices)
        assert str(plain) == str(steered)

    def test_the_signature_knows_options_weights_and_seed(self, trained, system, tmp_path):
        name, options, weights, *computed, seed, version = system.signature.split("|")
        assert [part.split(":")[0] for part in computed] == ["precision", "kernels", "threads"]
        assert (name, seed, version) == ("kpat", "seed:0", f"v{nutgraf.__version__}")
        assert options.startswith("options:")
        assert weights.startswith("weights:")
        other = nutgraf.load(trained, {"decoding.beam_size": 1}).signature.split("|")
        assert (other[1] != options, other[2]) == (True, weights)
        less, _ = train(tmp_path, tiny(), steps=1)
        assert nutgraf.load(less).signature.split("|")[2] != weights

    def test_what_was_trained_with_an_oracle_says_so(self, trained, tmp_path):
        shutil.copytree(trained, tmp_path / "guided")
        card = json.loads((trained / "card.json").read_text())
        (tmp_path / "guided" / "card.json").write_text(json.dumps({**card, "data": {"oracle": True}}))
        assert "|trained:oracle|" in nutgraf.load(tmp_path / "guided").signature

    def test_attention_around_what_was_copied(self, system):
        summary = system(FERRY)
        attention = system.attention(summary)
        assert attention.weights.shape == (2, 4, MOST_SHOWN, MOST_SHOWN)
        assert len(attention.words) == MOST_SHOWN < attention.positions
        assert (attention.weights.sum(-1) <= 1 + 1e-5).all()
        for start, end in attention.phrases:
            assert " ".join(attention.words[start:end]).lower() in {phrase.text.lower() for phrase in summary.phrases}
        assert "Attention in the encoder" in render(summary, attention)

    def test_attention_of_a_short_source_is_whole(self, system):
        attention = system.attention(system("Rust shut the bridge."))
        assert attention.words == ("Rust", "shut", "the", "bridge", ".")
        assert attention.weights.sum(-1) == pytest.approx(1.0, abs=1e-5)


class TestMany:
    def test_several_at_a_time_are_as_good_as_one_by_one(self, system):
        documents = [Document.of(text, language="en") for text in (BIRDS, "", FERRY, BRIDGE) * 3]
        made = system.many(documents)
        assert [type(one) for one in made[:2]] == [nutgraf.Summary, InputError]
        assert [str(one) for one in made if isinstance(one, nutgraf.Summary)] == [
            WRITTEN[index] for index in (2, 0, 1)
        ] * 3

    def test_one_that_cannot_be_made_does_not_stop_the_others(self, system):
        documents = [Document.of(text, language="en") for text in (FERRY, BRIDGE)]
        ferry, bridge = system.many(documents, words=8)
        assert isinstance(ferry, BudgetError)
        assert str(bridge) == "Rust shut the swing bridge until May."

    def test_an_oracles_phrases_stand_for_the_documents_own(self, system):
        [guided] = system.many(
            [Document.of(FERRY, language="en")], oracles=[["The harbour master saw it near Gull Rock."]]
        )
        assert {phrase.text.lower() for phrase in guided.phrases} == {"gull rock", "harbour master"}


class TestTwoStages:
    def test_a_network_writes_the_prototype_and_the_magnifier_fits_it(self, trained):
        system = nutgraf.load("mls_plus", {"prototype": str(trained)})
        for words in (8, 16, 23, 34):
            made = system(FERRY, words=words)
            assert 0 < made.words <= words
        kept = [sentence for sentence in system(FERRY, words=34).sentences if sentence.operation == "generated"]
        for sentence in kept:
            assert sentence.words
            assert sentence.origins
            assert set(sentence.shares) == {"topics", "keywords", "redundancy"}
        weights = nutgraf.load(trained).signature.split("|")[2]
        assert weights in system.signature.split("|")
        assert system.attention(system(FERRY)) is not None

    def test_prototypes_are_written_together(self, trained):
        system = nutgraf.load("mls_plus", {"prototype": str(trained)})
        documents = [Document.of(text, language="en") for text in (FERRY, BRIDGE, BIRDS)]
        assert system.at_once > 1
        made = system.many(documents, words=20)
        assert [str(one) for one in made] == [str(system(document, words=20)) for document in documents]
        assert all(isinstance(one, BudgetError) for one in system.many(documents, words=2))

    def test_a_folder_is_found_beside_the_preset_that_names_it(self, trained):
        path = trained.parent / "mine.toml"
        path.write_text(f'extends = "mls_plus"\nprototype = "{trained.name}"\n')
        assert nutgraf.load(path)(FERRY, words=20).words <= 20


def told_without_torch(name):
    """The message with which a system is refused in a Python that has no torch."""
    code = f"import sys; sys.modules['torch'] = None; import nutgraf; nutgraf.load({name!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    return done.stderr.splitlines()[-1]


class TestMistakes:
    @pytest.mark.parametrize(
        ("overrides", "message"),
        [
            ({"model.d_model": 64}, r"\[model\].*model\.d_model"),
            ({"tokenizer.vocab_size": 64}, r"\[tokenizer\]"),
            ({"decoding.beam_sise": 3}, "Did you mean 'beam_size'"),
            ({"decoding.max_length": 5000}, "128 positions"),
            ({"selection.num_sentences": 3}, "has no option 'selection'"),
        ],
    )
    def test_what_a_trained_network_cannot_be_told(self, trained, overrides, message):
        with pytest.raises(PresetError, match=message):
            nutgraf.load(trained, overrides)(FERRY)

    def test_a_folder_that_is_none(self, tmp_path):
        with pytest.raises(InputError, match=r"preset\.toml"):
            nutgraf.load(tmp_path)

    def test_a_folder_whose_weights_are_missing_or_cut(self, trained, tmp_path):
        shutil.copytree(trained, tmp_path / "cut")
        weights = tmp_path / "cut" / "weights.safetensors"
        weights.write_bytes(weights.read_bytes()[:999])
        with pytest.raises(InputError, match="cut"):
            nutgraf.load(tmp_path / "cut")
        weights.unlink()
        with pytest.raises(PresetError, match="trained"):
            nutgraf.load(tmp_path / "cut")

    def test_a_preset_is_meant_by_its_name_even_beside_a_folder_of_that_name(self, trained, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        shutil.copytree(trained, tmp_path / "kpat")
        with pytest.raises(PresetError, match="/kpat"):
            nutgraf.load("kpat")
        assert str(nutgraf.load("./kpat")(FERRY)) == WRITTEN[0]

    def test_without_torch_it_says_what_to_install_but_first_that_nothing_was_trained(self, trained):
        messages = {name: told_without_torch(name) for name in (str(trained), "kpat", "transformer")}
        assert "'nutgraf[neural]'" in messages.pop(str(trained))
        assert all("has no trained weights" in one for one in messages.values())
