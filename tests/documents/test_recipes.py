"""The recipes of the pages for researchers: commands are understood, their presets and settings resolve, and where a
network is concerned, it is built, on a device without memory."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from manuals import ROOT, blocks, without_blocks

from nutgraf.errors import NutgrafError
from nutgraf.presets import names
from nutgraf.systems import read_preset as read

torch = pytest.importorskip("torch")


from nutgraf.checkpoint import build_on_meta  # noqa: E402
from nutgraf.cli.app import command_group  # noqa: E402
from nutgraf.evaluation.metrics import choose  # noqa: E402
from nutgraf.evaluation.scores import parted  # noqa: E402
from nutgraf.model.seq2seq import Seq2Seq  # noqa: E402

DOCS = ROOT / "docs"
PAGES = [*sorted((DOCS / "papers").glob("*.md")), DOCS / "guides" / "research.md", DOCS / "pretraining.md"]

_INDENTED = re.compile(r"(?:^    \S.*\n(?:[ ]{4,}.*\n)*)+", re.MULTILINE)
_SPAN = re.compile(r"`((?:[^`\n]|\n(?!\n))+)`")
_IN_SECTION = re.compile(r"\[([a-z_.]+)\] ([a-z_]+)(?: = |=)(.+)", re.DOTALL)
_NAMED = re.compile(r"`\[([a-z_.]+)\] ([a-z_]+)`")
_DOTTED = re.compile(r"[a-z_]+(?:\.[a-z_\d]+)+(?: = |=)\S[^=]*")
_SET = {"--set": "", "--init-from": "training.init_from="}
_SYSTEMS = ("system", "systems", "preset")


def code_lines(page: str) -> list[str]:
    """The lines of a page's blocks of code, those that go on joined."""
    shown = [*_INDENTED.findall(page), *(block for kind in ("sh", "text", "console") for block in blocks(page, kind))]
    return [line.strip() for line in re.sub(r"\\\n\s*", "", "\n".join(shown)).splitlines()]


def commands(page: str) -> list[str]:
    """The commands of a page."""
    lines = [line.removeprefix("$ ") for line in code_lines(page)]
    return [line for line in lines if line.startswith("nutgraf ")]


def settings(page: str) -> Iterator[list[str]]:
    """The settings outside of commands: `--set` in lines and spans of code, and options as a preset writes them."""
    yield from ([*flat(tomllib.loads(block))] for block in blocks(page, "toml"))
    prose = _INDENTED.sub("", without_blocks(page))
    spans = [" ".join(span.split()) for span in _SPAN.findall(prose)]
    for text in [*(line for line in code_lines(page) if line.startswith("--set")), *spans]:
        if "--set" in text:
            words = shlex.split(text.replace("…", ""))
            yield [_SET[word] + after for word, after in pairwise(words) if word in _SET]
        elif section := _IN_SECTION.fullmatch(text):
            yield [f"{section[1]}.{section[2]}={section[3]}"]
        elif _DOTTED.fullmatch(text):
            yield [text.replace(" = ", "=")]


def flat(table: dict[str, Any], above: str = "") -> Iterator[str]:
    """The settings that a fragment of a preset stands for."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from flat(value, f"{above}{key}.")
        elif f"{above}{key}" != "extends":
            yield f"{above}{key}={json.dumps(value)}"


def mentioned(page: str) -> list[str]:
    """The presets that a page names."""
    return [name for name in names() if re.search(rf"\b{name}\b", page)]


def resolve(name: str, changes: Sequence[str] | dict[str, Any]) -> None:
    """Resolve a preset; of a network, build it on the device that holds shapes alone."""
    preset = read(name, changes)
    preset.config  # noqa: B018
    if preset.reads("training"):
        build_on_meta(preset, 29)


def cases(found: Any) -> list[Any]:
    """What is found on each page, with the page."""
    return [
        pytest.param(page, one, id=f"{page.stem}: {one if isinstance(one, str) else ' '.join(one)}")
        for page in PAGES
        for one in found(page.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize(("page", "line"), cases(commands))
def test_a_command_is_understood_and_its_preset_resolves(page: Path, line: str) -> None:
    _, verb, *arguments = shlex.split(line, comments=True)
    command = command_group().commands[verb]
    given = command.make_context(verb, [one for one in arguments if one != "…"]).params
    left = re.findall(r"(?:--out|-o) (\S+)", page.read_text(encoding="utf-8"))
    changes = given.get("set_") or []
    if verb == "evaluate":  # these are options of metrics and of the data
        choose(",".join(given["metrics"] or ["rouge"]), parted(changes)[0])
        changes = []
    for key in _SYSTEMS:
        asked = given.get(key) or ()
        for name in [asked] if isinstance(asked, str) else asked:
            if name in left or name.isupper() or name.strip("…").isupper():
                continue  # what another command leaves, or a place to fill in
            assert name in names(), f"{name} is neither a preset nor left by another command of the page"
            begun = given.get("init_from")
            resolve(name, [*changes, *([f"training.init_from={begun}"] if begun else [])])


def changed(page: str) -> list[list[str]]:
    """The presets that a page changes, each before its changes: by `nutgraf train`, and by a file that extends one."""
    found = []
    for line in commands(page):
        _, verb, *arguments = shlex.split(line, comments=True)
        if verb == "train":
            given = command_group().commands[verb].make_context(verb, arguments).params
            found.append([given["preset"], *(given["set_"] or [])])
    tables = [tomllib.loads(block) for block in blocks(page, "toml")]
    found += [[table["extends"], *flat(table)] for table in tables if table.get("extends") in names()]
    return [one for one in found if len(one) > 1]


def lost(name: str, changes: Sequence[str]) -> list[str]:
    """What a preset sets where the kind of a section changes, and what the new kind has too, with another value."""
    before, after = read(name), read(name, changes).complete()
    named = {change.partition("=")[0] for change in changes}
    found = []
    for section in [key.removesuffix(".kind") for key in named if key.endswith(".kind")]:
        there: Any = after
        for part in section.split("."):
            there = there[part]
        given = {f"{section}.{key}": (there.get(key), value) for key, value in before.section(section).items()}
        found += [key for key, (now, then) in given.items() if key not in named and now is not None and now != then]
    return found


@pytest.mark.parametrize(("page", "line"), cases(changed))
def test_a_recipe_with_another_kind_keeps_the_rest_of_its_section(page: Path, line: list[str]) -> None:
    assert not lost(line[0], line[1:])


def test_settings_that_a_new_kind_forgets_are_found() -> None:
    other = ["keyphrases.kind=topic_rank", "keyphrases.ngram_range=[2, 3]"]
    assert lost("kpat", other) == ["keyphrases.top", "keyphrases.tagger", "keyphrases.merge_variants"]


@pytest.mark.parametrize(
    ("name", "again"),
    [("mass_copy", []), ("copy_transformer_small", ["model.head.p_copy_input=state", "model.head.continuation=4"])],
)
def test_guidance_adds_one_tensor_to_a_network_that_copies(name: str, again: list[str]) -> None:
    guided = ["model.head.kind=guided", *again]
    assert not lost(name, guided)
    assert tensors(name, guided) == {
        **tensors(name, []),
        "head.centrality_weight": tensors(name, guided)["head.centrality_weight"],
    }
    if again:
        assert " ".join(f"--set {one}" for one in guided) in (DOCS / "papers" / "sagcopy.md").read_text(
            encoding="utf-8"
        )


def tensors(name: str, changes: list[str]) -> dict[str, Any]:
    """The shape of each tensor of a network."""
    with torch.device("meta"):
        return {key: value.shape for key, value in Seq2Seq(read(name, changes).config.model, 29).state_dict().items()}


def test_the_fair_comparison_compares_one_thing() -> None:
    """The two that continue from the trunk differ in the encoder's attention alone; the trunk's weights fit both."""
    page = (DOCS / "guides" / "research.md").read_text(encoding="utf-8")
    recipe = page.partition("## Compare two networks fairly")[2].partition("\n## ")[0]
    (plain, highlighting) = changed(recipe)
    tables = [read(name, changes).complete() for name, *changes in (plain, highlighting)]
    for table in tables:
        table["model"]["encoder"].pop("attention")
    assert tables[0] == tables[1]
    trunk, plain_tensors, variant = (tensors(name, changes) for name, *changes in (plain[:1], plain, highlighting))
    assert trunk == plain_tensors
    assert trunk.items() < variant.items()


@pytest.mark.parametrize(("page", "changes"), cases(settings))
def test_a_setting_fits_a_preset_of_its_page(page: Path, changes: list[str]) -> None:
    errors = []
    for name in [*mentioned(page.read_text(encoding="utf-8")), "mls_plus"]:
        try:
            return resolve(name, changes)
        except NutgrafError as error:
            errors.append(f"{name}: {error}")
    pytest.fail("\n".join(errors))


@pytest.mark.parametrize(("page", "option"), cases(lambda page: [".".join(found) for found in _NAMED.findall(page)]))
def test_an_option_that_is_named_with_its_section_is_in_a_preset_of_its_page(page: Path, option: str) -> None:
    tables = [read(name).complete() for name in mentioned(page.read_text(encoding="utf-8"))]
    for part in option.split("."):
        tables = [table[part] for table in tables if isinstance(table, dict) and part in table]
    assert tables


def test_recipes_are_found_and_outdated_ones_fail() -> None:
    page = """Text with `--set model.bridge.kind=selective
--set model.bridge.context=sentence` and `[model.coverage] mode = "exact"`, `training.second_phase_steps = 0`; `a = 1`.

    nutgraf train kpat --data DATA --out OUT \\
        --set keyphrases.top=3
    --set model.bridge=none       and why

```toml
extends = "kpat"
[keyphrases]
kind = "rake"
ngram_range = [2, 3]
```
"""
    assert commands(page) == ["nutgraf train kpat --data DATA --out OUT --set keyphrases.top=3"]
    assert [*settings(page)] == [
        ['keyphrases.kind="rake"', "keyphrases.ngram_range=[2, 3]"],
        ["model.bridge=none"],
        ["model.bridge.kind=selective", "model.bridge.context=sentence"],
        ['model.coverage.mode="exact"'],
        ["training.second_phase_steps=0"],
    ]
    for outdated in (["model.coverage.way=exact"], ["model.decoder.heads=4"], ["model.d_model=7"]):
        with pytest.raises(NutgrafError):
            resolve("kpat", outdated)
    assert len(cases(commands)) > 20
    assert len(cases(settings)) > 25
