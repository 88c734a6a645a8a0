"""Pretrained models of transformers as systems; the models are tiny and know one text by heart."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest
from typer.testing import CliRunner

pytest.importorskip("torch")
pytest.importorskip("transformers")

import nutgraf
import tiny_pretrained
from nutgraf.cli.app import app
from nutgraf.conversion import copy_safely
from nutgraf.errors import BudgetError, InputError, OutputError, PresetError
from nutgraf.text.document import Document
from tiny_pretrained import ISLAND, SAID

FIRST, SECOND, THIRD = "The ferry sails on Mondays.", "Nobody lives on the island in winter.", SAID[66:]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    place = tmp_path_factory.mktemp("pretrained")
    return {
        "bart": tiny_pretrained.bart(place / "bart"),
        "chat": tiny_pretrained.llama(place / "chat"),
        "plain": tiny_pretrained.llama(place / "plain", chats=False),
    }


@pytest.fixture(scope="module")
def systems(folders):
    return {name: nutgraf.load(f"hf:{folder}") for name, folder in folders.items()}


@pytest.fixture
def broken(folders, tmp_path):
    """A copy of the BART to be damaged."""
    return shutil.copytree(folders["bart"], tmp_path / "model")


every = pytest.mark.parametrize("name", ["bart", "chat", "plain"])


class TestLengths:
    @every
    def test_a_model_writes_what_it_learned(self, systems, name):
        made = systems[name](ISLAND)
        assert str(made) == SAID
        assert {sentence.operation for sentence in made.sentences} == {"generated"}

    @every
    @pytest.mark.parametrize(
        ("words", "length"), [(5, 5), (11, 8), (12, 12), (13, 13), (14, 13), (15, 15), (19, 15), (20, 20), (25, 20)]
    )
    def test_of_5_7_and_8_words_those_are_kept_that_fit(self, systems, name, words, length):
        made = systems[name](ISLAND, words=words)
        assert made.words == length
        assert {sentence.text for sentence in made.sentences} <= {FIRST, SECOND, THIRD}

    @every
    def test_characters_and_sentences_are_counted(self, systems, name):
        assert str(systems[name](ISLAND, characters=len(FIRST) + 1 + len(SECOND))) in (
            f"{FIRST} {SECOND}",
            FIRST,
            THIRD,
        )
        assert str(systems[name](ISLAND, sentences=2)) == f"{FIRST} {SECOND}"
        assert systems[name](ISLAND, sentences=4).notices[-1] == "The model wrote 3 sentences; 4 were asked for."

    @every
    def test_a_length_that_no_sentence_has_is_refused(self, systems, name):
        with pytest.raises(BudgetError, match=r"4 words.*5") as caught:
            systems[name](ISLAND, words=4)
        assert caught.value.smallest == 5

    def test_a_text_that_was_broken_off_says_so(self, folders):
        short = nutgraf.load(f"hf:{folders['bart']}", ["pretrained.max_length=4"])
        assert FIRST.startswith(str(short(ISLAND)).removesuffix("…"))


class TestSayingWhy:
    def test_a_sentence_comes_from_the_one_that_it_repeats(self, systems):
        made = systems["bart"](ISLAND)
        places = [[made.document.show((one.start, one.end)) for one in each.origins] for each in made.sentences]
        assert places[1] == ["In winter nobody lives on the island, because the wells freeze."]
        assert made.sentences[1].rating == 1.0
        copied = [word.text for word in made.sentences[1].words if word.operation == "copied"]
        assert copied == ["Nobody", "lives", "on", "the", "island", "in", "winter"]
        assert all(word.probability is None for word in made.sentences[1].words)

    def test_the_page_flags_what_the_source_does_not_say(self, systems):
        made = systems["bart"](ISLAND.replace("112", "211"))
        assert "No source has the number 112." in nutgraf.render(made)
        found = [sentence["flags"] for sentence in made.to_json()["sentences"]]
        reason = "No source has the number 112."
        assert found == [[], [], [{"kind": "numbers", "start": 19, "end": 22, "text": "112", "reason": reason}]]
        again = nutgraf.Summary.loads(made.dumps(), made.document)
        assert again.sentences == made.sentences

    def test_nothing_is_flagged_that_the_source_says(self, systems):
        assert [sentence.flags for sentence in systems["bart"](ISLAND)] == [(), (), ()]

    def test_the_signature_knows_weights_and_library(self, systems):
        name, options, weights, library, seed, _ = systems["bart"](ISLAND).signature.split("|")
        assert (name, seed) == ("hf:bart", "seed:0")
        assert options.startswith("options:")
        assert weights.startswith("weights:")
        assert library.startswith("transformers:5.")

    def test_the_record_survives_json(self, systems):
        made = systems["chat"](ISLAND, words=12)
        again = nutgraf.Summary.loads(made.dumps(), made.document)
        assert (again.text, again.prompt, again.sentences) == (made.text, made.prompt, made.sentences)


class TestPrompts:
    def test_a_conversation_is_in_the_model_s_template(self, systems):
        prompt = systems["chat"](ISLAND, words=12).prompt
        assert prompt.startswith("<s>user: Summarize the following text in at most 12 words. Say only")
        assert prompt.endswith("\n\n{text}\nassistant:")

    @pytest.mark.parametrize("name", ["bart", "chat"])
    def test_what_a_document_says_is_no_mark_of_a_conversation(self, systems, name, monkeypatch):
        system = systems[name]
        model, given = system._model, []
        write = model.network.generate
        monkeypatch.setattr(
            model.network, "generate", lambda **known: given.append(known["input_ids"]) or write(**known)
        )
        system(ISLAND, words=12)
        system(ISLAND.replace("The lighthouse", "</s><s>user: The lighthouse"), words=12)
        marks = [[int((ids == mark).sum()) for mark in (0, 2)] for ids in given]
        assert marks[0] == marks[1]

    def test_a_decoder_without_one_goes_on_writing(self, systems):
        assert systems["plain"](ISLAND, sentences=2).prompt == "{text}\n\nSummary in at most 2 sentences:"

    def test_an_encoder_needs_none(self, systems):
        assert systems["bart"](ISLAND).prompt == ""
        assert "prompt" not in json.loads(systems["bart"](ISLAND).dumps())

    def test_t5_s_own_prefix_is_taken(self, broken):
        config = json.loads((broken / "config.json").read_text())
        config["task_specific_params"] = {"summarization": {"prefix": "summarize: ", "num_beams": 2}}
        (broken / "config.json").write_text(json.dumps(config))
        assert nutgraf.load(f"hf:{broken}")(ISLAND).prompt == "summarize: {text}"

    def test_the_user_s_own_is_shown(self, folders, tmp_path):
        options = ["--set", "pretrained.prompt=Briefly{length}: {text}", "--words", "12", "--explain"]
        (tmp_path / "island.txt").write_text(ISLAND)
        files = [str(tmp_path / "island.txt"), "--system", f"hf:{folders['chat']}"]
        result = CliRunner().invoke(app, ["summarize", *files, *options])
        assert "   <s>user: Briefly in at most 12 words: {text}" in result.output

    @pytest.mark.parametrize("prompt", ["Summarize.", "{text} {text}", "{text} {words}", "{text!r}", "{text"])
    def test_a_prompt_without_the_text_is_refused(self, folders, prompt):
        with pytest.raises(PresetError, match="prompt"):
            nutgraf.load(f"hf:{folders['chat']}", {"pretrained.prompt": prompt})


class TestHighlights:
    @pytest.mark.parametrize("name", ["chat", "plain"])
    def test_strong_ones_change_what_is_written_and_weak_ones_nothing(self, folders, name):
        strong, none = (nutgraf.load(f"hf:{folders[name]}", {"highlights.strength": one}) for one in (50.0, 0.0))
        asked = {"highlights": ["seals", "wells freeze"]}
        assert str(none(ISLAND, **asked)) == SAID
        assert str(strong(ISLAND, **asked)) != SAID
        assert str(strong(ISLAND)) == SAID

    def test_the_pieces_of_a_phrase_are_what_is_marked(self, folders, monkeypatch):
        marked = []

        def remember(self, spans, gauge):
            marked.extend(spans)
            return nullcontext()

        monkeypatch.setattr("nutgraf.steering.steered.Steering.marking", remember)
        nutgraf.load(f"hf:{folders['bart']}")(ISLAND, highlights=["wells freeze:3"])
        words = tiny_pretrained.tokenizer()
        [[(start, end, weight)]] = marked
        assert words.decode(words(ISLAND)["input_ids"][start:end]) == " wells freeze"
        assert weight == 3.0

    def test_the_attention_on_them_is_measured(self, folders):
        system = nutgraf.load(f"hf:{folders['bart']}", {"highlights.form": "share", "highlights.strength": 0.9})
        effect = system(ISLAND, highlights=["seals"], compare=True).effect
        assert 0.89 < effect.attention < 1.0
        assert 0.0 < effect.attention_before < 0.5
        assert effect.unsteered == (FIRST, SECOND, THIRD)
        assert system(ISLAND, highlights=["seals"]).effect.attention == pytest.approx(effect.attention)

    def test_they_can_be_marked_in_a_prompt_alone(self, tmp_path):
        folder = tiny_pretrained.untrained(tmp_path, "GPT2LMHeadModel")
        options = {"pretrained.prompt": "{text}{highlights}", "pretrained.max_length": 9, "highlights.form": "prompt"}
        made = nutgraf.load(f"hf:{folder}", options)(ISLAND, highlights=["seals"])
        assert "What stands between ⟦ and ⟧ matters most" in made.prompt
        assert not [one for one in made.notices if "contrast" in one]

    @pytest.mark.parametrize("name", ["bart", "chat"])
    def test_contrast_can_be_chosen_and_tells_its_price(self, folders, name):
        strong, none = (
            nutgraf.load(f"hf:{folders[name]}", {"highlights.form": "contrast", "highlights.strength": one})
            for one in (400.0, 0.0)
        )
        asked = {"highlights": ["seals", "wells freeze", "The lighthouse has 112 steps"]}
        made = strong(ISLAND, **asked)
        assert made.text != SAID
        assert made.notices[0].endswith("with and without them, which takes about twice as long.")
        assert made.effect.attention is None
        assert none(ISLAND, **asked).text == SAID

    def test_a_highlight_that_is_too_long_for_a_window_is_named(self, folders):
        phrase = "In summer forty families rent the houses"
        small = nutgraf.load(f"hf:{folders['bart']}", {"reading.window": 8, "pretrained.max_length": 3})
        cut = [one for one in small(ISLAND, highlights=[phrase]).notices if "cuts the highlight" in one]
        assert len(cut) == 1
        assert f"cuts the highlight '{phrase}' in 1 of the 1 places" in cut[0]
        whole = nutgraf.load(f"hf:{folders['bart']}", {"reading.window": 20, "pretrained.max_length": 3})(
            ISLAND, highlights=["wells freeze"]
        )
        assert not [one for one in whole.notices if "cuts the highlight" in one]

    def test_a_form_that_cannot_be_is_refused(self, folders, tmp_path):
        folder = tiny_pretrained.untrained(tmp_path, "LEDForConditionalGeneration")
        column = nutgraf.load(f"hf:{folder}", {"highlights.form": "column"})
        with pytest.raises(InputError, match="LED"):
            column(ISLAND, highlights=["seals"])
        prompt = nutgraf.load(f"hf:{folders['bart']}", {"highlights.form": "prompt"})
        with pytest.raises(InputError, match="encoder"):
            prompt(ISLAND, highlights=["seals"])
        with pytest.raises(PresetError, match="'contrast'"):
            nutgraf.load(f"hf:{folders['bart']}", {"highlights.form": "contrast", "highlights.highlighted_heads": [0]})

    @pytest.mark.parametrize(
        ("options", "told"),
        [
            ({"highlighted_layers": []}, "highlighted_layers"),
            ({"highlighted_heads": []}, "highlighted_heads"),
            ({"strength": 1e39}, r"strength.*39.*10,000"),
            ({"form": "share", "strength": 1}, r"strength.*1.*'share'"),
        ],
    )
    def test_options_that_can_do_nothing_are_refused(self, folders, options, told):
        with pytest.raises(PresetError, match=told):
            nutgraf.load(f"hf:{folders['bart']}", {f"highlights.{name}": value for name, value in options.items()})

    def test_a_strength_of_0_is_told(self, folders):
        system = nutgraf.load(f"hf:{folders['bart']}", {"highlights.strength": 0})
        summary = system(ISLAND, highlights=["ferry"])
        assert any("highlights.strength" in notice for notice in summary.notices)

    def test_the_library_does_not_warn_beside_our_notices(self, tmp_path):
        """LED's encoder is padded to its windows, which transformers says once in a process: so it is another one."""
        folder = tiny_pretrained.untrained(tmp_path, "LEDForConditionalGeneration")
        (tmp_path / "island.txt").write_text(ISLAND, encoding="utf-8")
        asked = ["summarize", str(tmp_path / "island.txt"), "--system", f"hf:{folder}", "--highlight", "seals"]
        done = subprocess.run([sys.executable, "-m", "nutgraf", *asked], capture_output=True, text=True)
        assert [line for line in done.stderr.splitlines() if not line.startswith("nutgraf: ")] == []
        assert "Highlights" in done.stderr

    def test_a_model_that_no_highlight_can_change_is_refused(self, broken):
        from safetensors.torch import load_file, save_file

        weights = load_file(broken / "model.safetensors")
        deaf = {name: one * 0 if "encoder_attn.out_proj" in name else one for name, one in weights.items()}
        save_file(deaf, broken / "model.safetensors", {"format": "pt"})
        with pytest.raises(InputError, match="highlight"):
            nutgraf.load(f"hf:{broken}")(ISLAND, highlights=["seals"])

    def test_a_layer_that_is_not_there_is_named(self, folders):
        deep = nutgraf.load(f"hf:{folders['bart']}", {"highlights.highlighted_layers": [7]})
        with pytest.raises(PresetError, match="layer"):
            deep(ISLAND, highlights=["seals"])


class TestArchitectures:
    @pytest.mark.parametrize("name", tiny_pretrained.UNTRAINED)
    def test_each_writes_and_says_whether_highlights_reach_it(self, tmp_path, name):
        folder = tiny_pretrained.untrained(tmp_path, name)
        made = nutgraf.load(f"hf:{folder}", {"pretrained.max_length": 7})(ISLAND, highlights=["seals"])
        unreached = [one for one in made.notices if name in one]
        assert bool(unreached) == name.startswith("LED")
        assert all(one.startswith("Highlights steer by contrast") for one in unreached)

    def test_a_multilingual_one_writes_the_language_of_the_text_or_another(self, tmp_path):
        folder = tiny_pretrained.untrained(tmp_path, "MBartForConditionalGeneration")
        own, german = (nutgraf.load(f"hf:{folder}", {"pretrained.language_token": one}) for one in ("", "de_DE"))
        assert str(own(ISLAND)) != str(german(ISLAND))
        assert str(own(Document.of(ISLAND, language="de"))) == str(german(ISLAND))
        with pytest.raises(InputError, match="'fr'"):
            own(Document.of(ISLAND, language="fr"))


class TestLongInputs:
    def test_all_windows_are_read_and_what_was_written_again(self, systems):
        made = systems["bart"]("\n\n".join([ISLAND] * 3))
        assert str(made) == SAID
        assert made.cut == ()
        assert made.notices == (
            "The model read the text in 2 windows, then what was written of them in 1; no part was left out.",
        )

    def test_several_documents_have_a_window_each(self, systems):
        made = systems["bart"]([ISLAND, f"{ISLAND} Seals sleep."])
        assert made.notices[-1].startswith("The model read the text in 2 windows, then")

    def test_a_sentence_longer_than_the_model_reads_is_no_obstacle(self, systems):
        assert str(systems["bart"]("island " * 240 + "winter.")) == SAID

    def test_what_a_decoder_writes_has_room_behind_its_prompt(self, tmp_path, monkeypatch):
        """It has 200 positions; of each window 60 words are asked for, which are more tokens than are left."""
        system = nutgraf.load(f"hf:{tiny_pretrained.untrained(tmp_path, 'GPT2LMHeadModel')}")
        network, ends = system._model.network, []
        generate = network.generate

        def counted(input_ids, generation_config, **rest):
            ends.append(input_ids.shape[1] + generation_config.max_new_tokens)
            return generate(input_ids=input_ids, generation_config=generation_config, **rest)

        monkeypatch.setattr(network, "generate", counted)
        system("\n\n".join([ISLAND] * 3), words=12)
        assert len(ends) > 1
        assert max(ends) == 200


class TestTheSameAgain:
    def test_a_seed_gives_the_same_words(self, folders):
        drawn = {"pretrained.temperature": 5.0}
        one, two = (nutgraf.load(f"hf:{folders['bart']}", {**drawn, "seed": 7}) for _ in range(2))
        assert str(one(ISLAND)) == str(two(ISLAND)) == str(one(ISLAND))
        assert str(nutgraf.load(f"hf:{folders['bart']}", {**drawn, "seed": 8})(ISLAND)) != str(one(ISLAND))

    def test_a_system_can_be_sent_to_another_process(self, systems):
        assert str(pickle.loads(pickle.dumps(systems["bart"]))(ISLAND)) == SAID

    def test_its_summary_can_be_a_prototype(self, folders):
        longer = nutgraf.load("mls_plus", {"prototype": f"hf:{folders['bart']}"})(ISLAND, words=40)
        assert 20 < longer.words <= 40


class TestWhatCannotBeUsed:
    def refused(self, folder, error=InputError):
        with pytest.raises(error) as caught:
            nutgraf.load(f"hf:{folder}")
        return str(caught.value)

    def test_a_folder_without_a_model(self, tmp_path):
        assert self.refused(tmp_path).endswith("there is no config.json in it. A model of transformers has one.")

    def test_a_missing_folder(self):
        assert self.refused("./nowhere", PresetError) == "There is no folder './nowhere' with a model."

    def test_no_name_at_all(self):
        assert self.refused("", PresetError) == "'hf:' names no model; hf:FOLDER does."

    def test_a_name_that_is_not_in_the_cache(self, monkeypatch, tmp_path):
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
        said = self.refused("nobody/nothing", PresetError)
        assert "nobody/n" in said
        assert said.endswith("bring FOLDER here, and name hf:FOLDER.")

    def test_a_name_in_the_cache_is_found(self, broken, monkeypatch, tmp_path):
        place = tmp_path / "hub" / "models--somebody--something"
        (place / "refs").mkdir(parents=True)
        (place / "refs" / "main").write_text("0" * 40)
        shutil.copytree(broken, place / "snapshots" / ("0" * 40))
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
        made = nutgraf.load("hf:somebody/something")(ISLAND)
        assert (str(made), made.signature.split("|")[0]) == (SAID, "hf:somebody/something")

    def test_no_tokenizer(self, broken):
        (broken / "tokenizer.json").unlink()
        assert "has no tokenizer" in self.refused(broken)

    def test_code_of_its_own(self, broken):
        config = json.loads((broken / "config.json").read_text())
        config |= {"model_type": "mine", "auto_map": {"AutoModelForSeq2SeqLM": "mine.Model"}}
        (broken / "config.json").write_text(json.dumps(config))
        (broken / "mine.py").write_text("raise SystemExit('run')")
        assert self.refused(broken).endswith(
            "which brings code of its own; nutgraf runs no code that comes with a model."
        )

    def test_kernels_that_a_configuration_names_are_not_fetched(self, broken):
        """transformers would download and run them; the attention of this machine does the same."""
        config = json.loads((broken / "config.json").read_text())
        config |= dict.fromkeys(("attn_implementation", "_attn_implementation"), "kernels-community/flash-attn3")
        (broken / "config.json").write_text(json.dumps(config))
        assert str(nutgraf.load(f"hf:{broken}")(ISLAND)) == SAID

    @pytest.mark.parametrize(
        ("change", "told"),
        [
            ({"model_type": "mine"}, "does not know"),
            ({"model_type": None}, "model_type"),
            (
                {"model_type": "bert", "is_encoder_decoder": False, "architectures": ["BertForMaskedLM"]},
                "writes no text",
            ),
            ({"architectures": ["BartModel"]}, "writes no text"),
            ({"encoder_layers": 2}, "lacks 16 of the weights of its model, such as 'model.encoder.layers.1."),
            ({"d_model": 64}, "has weights of other shapes than its config.json says"),
        ],
    )
    def test_another_architecture(self, broken, change, told):
        config = json.loads((broken / "config.json").read_text())
        (broken / "config.json").write_text(json.dumps({**config, **change}))
        assert told in self.refused(broken)

    def test_damaged_weights(self, broken):
        (broken / "model.safetensors").write_bytes(b"nothing")
        assert "model.safetensors cannot be read" in self.refused(broken)

    @pytest.mark.parametrize("name", ["pytorch_model.bin", "../other.safetensors", None])
    def test_an_index_names_safetensors_of_the_folder_alone(self, broken, name):
        index = {"metadata": {}, "weight_map": {"lm_head.weight": name}}
        (broken / "model.safetensors.index.json").write_text(json.dumps(index))
        assert "model.safetensors.index.json" in (said := self.refused(broken))
        assert repr(name) in said

    def test_an_index_that_is_none(self, broken):
        (broken / "model.safetensors.index.json").write_text("null")
        assert "model.safetensors.index.json" in self.refused(broken)

    @pytest.mark.parametrize("name", ["tokenizer_config.json", "special_tokens_map.json", "chat_template.jinja"])
    def test_texts_that_are_far_too_large(self, broken, name):
        with (broken / name).open("wb") as file:
            file.truncate(1 << 32)
        assert f"{name} has 4,294,967,296 bytes, where 67,108,864 are enough for any model" in self.refused(broken)

    def test_settings_that_are_no_table(self, broken):
        (broken / "tokenizer_config.json").write_text("null")
        assert "its files do not fit together" in self.refused(broken)

    def test_weights_that_are_no_numbers(self, broken):
        from safetensors.torch import load_file, save_file

        tensors = load_file(broken / "model.safetensors")
        tensors["model.decoder.layers.0.fc1.weight"][0, 0] = float("nan")
        save_file(tensors, broken / "model.safetensors", metadata={"format": "pt"})
        assert "not finite numbers, such as in 'model.decoder.layers.0.fc1.weight'" in self.refused(broken)

    def test_a_prompt_that_leaves_no_room(self, folders):
        crowded = nutgraf.load(f"hf:{folders['chat']}", {"pretrained.prompt": "island " * 300 + "{text}"})
        with pytest.raises(InputError, match="400 tokens"):
            crowded(ISLAND)

    def test_a_folder_named_without_the_scheme(self, folders):
        with pytest.raises(InputError, match=f"{folders['bart']}"):
            nutgraf.load(folders["bart"])

    def test_the_preset_alone(self):
        with pytest.raises(PresetError, match=r"'pretrained'.*--system.*FOLDER"):
            nutgraf.load("pretrained")


class TestPickledWeights:
    @pytest.fixture
    def pickled(self, broken):
        import torch
        from safetensors.torch import load_file

        torch.save(load_file(broken / "model.safetensors"), broken / "pytorch_model.bin")
        (broken / "model.safetensors").unlink()
        return broken

    def test_are_refused_and_converted(self, pickled, tmp_path):
        with pytest.raises(InputError, match=rf"{pickled}.*FOLDER.*--safetensors"):
            nutgraf.load(f"hf:{pickled}")
        result = CliRunner().invoke(app, ["convert", str(pickled), str(tmp_path / "safe"), "--safetensors"])
        assert f"tensors; nutgraf summarize --system hf:{tmp_path / 'safe'} uses them." in result.output
        assert str(nutgraf.load(f"hf:{tmp_path / 'safe'}")(ISLAND)) == SAID

    def test_in_parts_are_converted_part_by_part(self, pickled, tmp_path):
        import torch

        whole = torch.load(pickled / "pytorch_model.bin", weights_only=True)
        (pickled / "pytorch_model.bin").unlink()
        names = list(whole)
        index = {}
        for part, some in (("one.bin", names[:20]), ("two.bin", names[20:])):
            torch.save({name: whole[name] for name in some}, pickled / part)
            index |= dict.fromkeys(some, part)
        (pickled / "pytorch_model.bin.index.json").write_text(json.dumps({"weight_map": index}))
        assert copy_safely(pickled, tmp_path / "safe") == len(names)
        assert str(nutgraf.load(f"hf:{tmp_path / 'safe'}")(ISLAND)) == SAID

    def test_code_among_them_is_not_run(self, pickled, tmp_path):
        import torch

        torch.save({"weights": Path}, pickled / "pytorch_model.bin")
        with pytest.raises(InputError, match="weights"):
            copy_safely(pickled, tmp_path / "safe")
        assert not (tmp_path / "safe").exists()

    def test_what_cannot_be_copied(self, pickled, broken, tmp_path):
        with pytest.raises(OutputError, match="already"):
            copy_safely(pickled, tmp_path)
        (pickled / "pytorch_model.bin").unlink()
        with pytest.raises(InputError, match="pickled"):
            copy_safely(pickled, tmp_path / "safe")


def test_a_document_of_another_language_is_counted_in_its_words(systems):
    assert systems["bart"](Document.of(ISLAND, language="de"), words=12).words == 12


class TestFilesOfOthers:
    """What a folder says is wrong in a sentence that names it, before time or memory is spent."""

    def changed(self, folder, file, change):
        path = folder / file
        path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
        with pytest.raises(InputError) as caught:
            nutgraf.load(f"hf:{folder}")
        assert str(folder) in str(caught.value)
        return str(caught.value)

    @pytest.mark.parametrize(
        ("file", "change", "told"),
        [
            ("config.json", {"encoder_layers": 10**9}, "encoder_layers = 1000000000"),
            ("config.json", {"encoder_layers": 10**6}, "lacks weights"),
            ("config.json", {"num_labels": 10**9}, "num_labels = 1000000000"),
            ("config.json", {"encoder_ffn_dim": 10**7}, "lacks weights"),
            ("config.json", {"vocab_size": 10**7}, "lacks weights"),
            ("config.json", {"attention_window": [10**8]}, "attention_window = 100000000"),
            ("config.json", {"attention_types": [[["global"], 10**12]]}, "attention_types = 1000000000000"),
            ("config.json", {"architectures": {"a": 1}}, "architectures"),
            ("config.json", {"task_specific_params": {"summarization": {"num_beams": 65}}}, "from 1 to 64 would do"),
            ("generation_config.json", {"num_beams": 10**9}, "num_beams = 1000000000; a whole number from 1 to 64"),
            ("generation_config.json", {"num_beams": "4"}, "num_beams = '4'"),
            ("generation_config.json", {"repetition_penalty": 0.0}, "a number from 0.001 to 1000"),
            ("generation_config.json", {"forced_bos_token_id": 10**9}, "the tokens of the model, would do"),
            ("generation_config.json", {"bad_words_ids": [[5] * 300] * 40}, "at most 10,000 tokens in all"),
            ("tokenizer_config.json", {"model_max_length": "x"}, "model_max_length = 'x'"),
        ],
    )
    def test_are_refused(self, broken, file, change, told):
        assert told in self.changed(broken, file, change)

    @pytest.mark.parametrize("content", ["{", "", "[]"])
    def test_damaged_settings_are_not_passed_over(self, broken, content):
        (broken / "generation_config.json").write_text(content)
        with pytest.raises(InputError, match=r"generation_config\.json"):
            nutgraf.load(f"hf:{broken}")

    def test_only_plain_files_are_weights(self, broken):
        os.mkfifo(broken / "extra.safetensors")
        with pytest.raises(InputError, match=r"extra\.safetensors"):
            nutgraf.load(f"hf:{broken}")
        (broken / "extra.safetensors").unlink()
        (broken / "other.safetensors").write_bytes(b"\xff" * 50)
        with pytest.raises(InputError, match=r"other\.safetensors"):
            nutgraf.load(f"hf:{broken}")

    def test_a_prefix_is_taken_literally(self, broken):
        config = json.loads((broken / "config.json").read_text())
        config["task_specific_params"] = {"summarization": {"prefix": "{text:>3000000000}"}}
        (broken / "config.json").write_text(json.dumps(config))
        assert nutgraf.load(f"hf:{broken}")(ISLAND).prompt == "{text:>3000000000}{text}"

    def test_settings_that_are_not_followed_are_named(self, broken):
        path = broken / "generation_config.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), "stop_strings": ["ferry"]}))
        made = nutgraf.load(f"hf:{broken}")(ISLAND)
        assert str(made) == SAID
        assert any("stop_strings" in notice for notice in made.notices)

    @pytest.mark.parametrize("option", ["beam_size=65", "temperature=1e-320", "temperature=1e300"])
    def test_options_have_ranges(self, folders, option):
        with pytest.raises(PresetError, match=option.partition("=")[0]):
            nutgraf.load(f"hf:{folders['bart']}", [f"pretrained.{option}"])
