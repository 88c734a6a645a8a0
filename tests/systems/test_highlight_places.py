"""Highlights stand where they are marked, whatever is around the text: in files, prompts, windows and tokenizers."""

from __future__ import annotations

import json
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import nutgraf
import tiny_pretrained
from nutgraf.errors import InputError
from nutgraf.systems import preset_of
from nutgraf.systems.pretrained import Highlights
from nutgraf.text.document import Document
from tiny_pretrained import ISLAND, SAID

FORMS = [form for form in get_args(get_type_hints(Highlights)["form"]) if form != "auto"]
STRONG = {"share": 0.95, "contrast": 400.0}
HIGHLIGHTS = ["seals", "wells freeze", "The lighthouse has 112 steps"]

TWO_TURNS = "{% for one in messages %}<s>{{ one['role'] }}: {{ one['content'] | trim }}\n{% endfor %}assistant:"
WITH_SYSTEM = "<s>system: Keep to the wells freeze.\n" + tiny_pretrained.CHAT

Marked = list[tuple[str, float]]


@pytest.fixture(scope="module")
def chat(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_pretrained.llama(tmp_path_factory.mktemp("places") / "chat")


@pytest.fixture(scope="module")
def untrained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_pretrained.llama(tmp_path_factory.mktemp("places") / "untrained", learns=False)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_pretrained.llama(tmp_path_factory.mktemp("places") / "plain", chats=False, learns=False)


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> Marked:
    """The words that get more attention, as their tokens say them, with their weights."""
    found: Marked = []
    read: list[Any] = []
    from nutgraf.systems._transformers import PretrainedModel

    inputs_of = PretrainedModel.inputs_of

    def remember_input(self: Any, given: Any) -> Any:
        read[:] = [self.tokenizer, given["input_ids"][0]]
        return inputs_of(self, given)

    def remember(self: Any, spans: Any, gauge: Any = None) -> Any:
        tokenizer, ids = read
        found.extend((tokenizer.decode(ids[span.start : span.end]).strip(), span.weight) for span in spans[0])
        return nullcontext()

    monkeypatch.setattr(PretrainedModel, "inputs_of", remember_input)
    monkeypatch.setattr("nutgraf.steering.steered.Steering.marking", remember)
    return found


@cache
def loaded(folder: Path) -> Any:
    """A system that is loaded, and whose template is filled in, once for all that share its model."""
    system = nutgraf.load(f"hf:{folder}", {"pretrained.max_length": 3})
    system(ISLAND)
    return system


def short(folder: Path, **options: Any) -> Any:
    changes = {"pretrained.max_length": 3, "highlights.form": "column", **options}
    return loaded(folder).sharing(preset_of(f"hf:{folder}", changes))


@pytest.mark.parametrize("form", FORMS)
def test_the_newline_at_the_end_of_a_file_changes_nothing(chat: Path, tmp_path: Path, form: str) -> None:
    file = tmp_path / "island.txt"
    file.write_text(f"{ISLAND}\n", encoding="utf-8")
    strength = {} if form == "prompt" else {"highlights.strength": STRONG.get(form, 50.0)}
    system = loaded(chat).sharing(preset_of(f"hf:{chat}", {"highlights.form": form, **strength}))
    of_file, of_text = (system(one, highlights=HIGHLIGHTS) for one in (file, ISLAND))
    assert (of_file.text, of_file.notices) == (of_text.text, of_text.notices)
    assert of_file.effect.attention == pytest.approx(of_text.effect.attention)
    if form in ("column", "block", "share"):
        assert of_file.effect.attention is not None
    if form not in ("block", "prompt"):
        assert of_file.text != SAID == system(file).text


@pytest.mark.parametrize("text", [f"{ISLAND}\n", f"\n {ISLAND} \n\n", ISLAND.replace("\n", "\r\n"), "wells freeze \n"])
def test_they_are_marked_whatever_stands_around_the_text(untrained: Path, marked: Marked, text: str) -> None:
    short(untrained)(text, highlights=["wells freeze:3"])
    assert marked == [("wells freeze", 3.0)]


@pytest.mark.parametrize("template", [TWO_TURNS, WITH_SYSTEM, "{{ '  ' }}" + tiny_pretrained.CHAT + "{{ '  ' }}"])
def test_they_are_marked_in_every_template(untrained: Path, tmp_path: Path, marked: Marked, template: str) -> None:
    import shutil

    folder = shutil.copytree(untrained, tmp_path / "model")
    (folder / "chat_template.jinja").write_text(template, encoding="utf-8")
    short(folder)(f"{ISLAND}\n", highlights=["wells freeze"])
    assert marked == [("wells freeze", 1.0)]


@pytest.mark.parametrize(
    ("prompt", "text"),
    [
        ("  {text}  ", f"{ISLAND}\n"),
        ("{text}\n\n", f"{ISLAND}\n"),
        ("Do the wells freeze? {{text}} {text} Say that the wells freeze{length}.", f"{ISLAND}\n"),
        ("Say why wells freeze: {text}", "wells freeze"),
    ],
)
def test_the_same_words_in_the_prompt_are_not_marked(untrained: Path, marked: Marked, prompt: str, text: str) -> None:
    system = short(untrained, **{"pretrained.prompt": prompt})
    places: list[int] = []
    model, write = system._model, system._model.write
    model.write = lambda said, *rest: (
        places.append(rest[3][0][0] - said.rfind("wells freeze", 0, len(said))) or write(said, *rest)
    )
    system(text, highlights=["wells freeze"])
    assert marked == [("wells freeze", 1.0)]
    assert places == [0] if prompt.count("wells freeze") < 2 else places[0] < 0


def test_they_are_marked_in_every_document_and_window(untrained: Path, marked: Marked) -> None:
    both = [f"{ISLAND}\n", "A second text says that wells freeze late.\n"]
    short(untrained)(both, highlights=["wells freeze"])
    assert marked == [("wells freeze", 1.0)] * 2
    marked.clear()
    short(untrained, **{"reading.window": 60})(f"{ISLAND}\n", highlights=["wells freeze", "seals"])
    assert {text for text, _ in marked} == {"wells freeze", "seals"}


def test_the_words_of_a_question_are_marked_too(untrained: Path, marked: Marked) -> None:
    short(untrained)(f"{ISLAND}\n", query="Why do the wells freeze?")
    assert {text for text, _ in marked} == {"wells", "freeze"}


def test_they_are_marked_behind_the_prefix_of_an_encoder(tmp_path: Path, marked: Marked) -> None:
    folder = tiny_pretrained.untrained(tmp_path, "T5ForConditionalGeneration")
    config = json.loads((folder / "config.json").read_text())
    config["task_specific_params"] = {"summarization": {"prefix": "summarize the wells freeze: "}}
    (folder / "config.json").write_text(json.dumps(config))
    short(folder)(f"{ISLAND}\n", highlights=["wells freeze"])
    assert marked == [("wells freeze", 1.0)]


@pytest.mark.parametrize(
    ("normalizer", "before"),
    [
        ({"type": "NFC"}, "A cafe\u0301 and a re\u0301sume\u0301 are there. "),
        ({"type": "NFD"}, "A café and a résumé are there. "),
        ({"type": "Strip", "strip_left": True, "strip_right": True}, "  "),
        ({"type": "Prepend", "prepend": "Ġ"}, ""),
        ({"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}, "Two   blanks    are   there. "),
        (None, "Ein Kühler 🧊 steht dort, 寒い, and a naïve 👩‍🚒 too. "),
    ],
)
def test_they_are_marked_where_a_tokenizer_changes_the_text(
    plain: Path, tmp_path: Path, marked: Marked, normalizer: dict[str, Any] | None, before: str
) -> None:
    folder = with_normalizer(plain, tmp_path, normalizer)
    short(folder)(f"{before}{ISLAND}\n", highlights=["wells freeze"])
    assert marked == [("wells freeze", 1.0)]


def with_normalizer(folder: Path, place: Path, normalizer: dict[str, Any] | None) -> Path:
    import shutil

    made = shutil.copytree(folder, place / "model")
    tokenizer = json.loads((made / "tokenizer.json").read_text(encoding="utf-8"))
    tokenizer["normalizer"] = normalizer
    (made / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    return made


def test_a_highlight_that_the_tokenizer_leaves_out_is_told(plain: Path, tmp_path: Path) -> None:
    folder = with_normalizer(plain, tmp_path, {"type": "Replace", "pattern": {"Regex": "[0-9]+"}, "content": ""})
    made = short(folder)(f"{ISLAND}\n", highlights=["112", "seals"])
    assert any("'112'" in notice for notice in made.notices)
    assert not [one for one in made.notices if "'seals', so" in one]


def test_a_tokenizer_that_does_not_say_where_tokens_stand_is_refused(tmp_path: Path) -> None:
    from transformers import ByT5Tokenizer

    folder = tiny_pretrained.untrained(tmp_path, "T5ForConditionalGeneration")
    (folder / "tokenizer.json").rename(folder / "vocab.txt")
    ByT5Tokenizer().save_pretrained(folder)
    system = short(folder)
    assert system(ISLAND) is not None
    with pytest.raises(InputError, match="tokens stand"):
        system(ISLAND, highlights=["seals"])


def test_no_attention_at_all_is_told(tmp_path: Path) -> None:
    """A layer that looks 30 tokens back sees no highlight at the beginning of a longer text."""
    import torch
    from transformers import MistralConfig, MistralForCausalLM

    words = tiny_pretrained.tokenizer(400, "<s> $A")
    torch.manual_seed(0)
    ids = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2}
    config = MistralConfig(
        vocab_size=len(words), num_key_value_heads=2, sliding_window=30, **ids, **tiny_pretrained.LLAMA
    )
    MistralForCausalLM(config).save_pretrained(tmp_path)
    words.save_pretrained(tmp_path)
    system = short(tmp_path, **{"pretrained.max_length": 9})
    first, last = (system(f"{ISLAND}\n", highlights=[one]) for one in ("The island", "seals"))
    told = "None of the model's attention fell on the highlights while it wrote, so they changed nothing"
    assert first.effect.attention == 0.0
    assert [one for one in first.notices if one.startswith(told)]
    assert not [one for one in last.notices if one.startswith(told)]


class TestNothingWritten:
    """A summary without a sentence names the highlights that act inside the model, and asks for words without them."""

    @pytest.fixture(autouse=True)
    def no_end(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(
            "nutgraf.systems._transformers.PretrainedModel.write", lambda *_: [("The seals and", False)]
        )

    def told(self, folder: Path, **asked: Any) -> str:
        made = nutgraf.load(f"hf:{folder}", {"highlights.form": "column", "highlights.strength": 50})(
            Document.of(f"{ISLAND}\n", language="en"), words=5, **asked
        )
        assert made.text == ""
        return " ".join(made.notices)

    def test_highlights_are_named_with_their_strength(self, plain: Path) -> None:
        told = self.told(plain, highlights=["seals:3", "post"])
        assert "'seals'" in told
        assert "highlights.strength" in told
        assert "more words" not in told

    def test_without_them_more_words_would_do(self, plain: Path) -> None:
        told = self.told(plain)
        assert "words" in told
        assert "strength" not in told
