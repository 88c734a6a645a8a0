"""Prompts: the words around a text with which a language model is asked for its summary."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from nutgraf.errors import InputError
from nutgraf.text.summary import counted

INSTRUCTION = (
    "Summarize the following text{length}. Say only what the text says. Write whole sentences, no heading and no list, "
    "and nothing but the summary.{highlights}\n\n{text}"
)
"""Prompt of a language model that follows instructions."""

FIELDS = ("text", "length", "highlights")

_THOUGHTS = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)

MARKS = "⟦", "⟧"
"""What stands before and after a highlight in a prompt."""

SAID = "⟦What the user says⟧"
"""What a template for conversations sees in the place of what the user says."""


class Prompt(NamedTuple):
    """A prompt with its fields filled in.

    Attributes:
        said: The prompt.
        start: Character of the prompt at which the text begins.
    """

    said: str
    start: int

    def places(self, places: Iterable[tuple[int, int, float]]) -> list[tuple[int, int, float]]:
        """Return characters of the text as characters of the prompt, with their weights."""
        return [(self.start + first, self.start + last, weight) for first, last, weight in places]


def check_prompt(prompt: str) -> None:
    """Check the fields of a prompt. Raises ValueError if {text} is missing, or there is another field."""
    try:
        parsed = [one for one in string.Formatter().parse(prompt) if one[1] is not None]
    except ValueError as error:
        raise ValueError(f"the prompt cannot be read ({error}); a brace that stands for itself is doubled.") from error
    fields = ["".join(filter(None, (name, how, spec))) for _, name, spec, how in parsed]
    unknown = [name for name in fields if name not in FIELDS]
    if unknown or fields.count("text") != 1:
        wrong = f"not {{{unknown[0]}}}" if unknown else f"and {{text}} once, not {fields.count('text')} times"
        raise ValueError(f"a prompt has the fields {{text}}, {{length}} and {{highlights}}, {wrong}.")


def prompted(prompt: str, text: str, words: int | None, sentences: int | None, marked: bool) -> Prompt:
    """Return a prompt with its fields filled in."""
    limits = [counted(words, "words")] if words else []
    limits += [f"{sentences} sentence{'' if sentences == 1 else 's'}"] if sentences else []
    told = f" What stands between {MARKS[0]} and {MARKS[1]} matters most to the reader: say what the text says of it."
    values = {
        "text": text,
        "length": f" in at most {limits[0]}" if limits else "",
        "highlights": told if marked else "",
    }
    said, start = "", 0
    for literal, name, _, _ in string.Formatter().parse(prompt):
        said += literal
        start = len(said) if name == "text" else start
        said += values[name] if name else ""
    return Prompt(said, start)


def literally(text: str) -> str:
    """Return a text as it stands in a prompt that has no field in it."""
    return text.replace("{", "{{").replace("}", "}}")


def with_marks(text: str, places: Iterable[tuple[int, int, float]]) -> str:
    """Return a text with marks around its highlights; one that begins within another is part of it."""
    found, at = "", 0
    for start, end, _ in sorted(places):
        if start >= at:
            found += f"{text[at:start]}{MARKS[0]}{text[start:end]}{MARKS[1]}"
            at = end
    return found + text[at:]


def without_marks(text: str) -> str:
    """Return a text without the marks of highlights."""
    return text.translate({ord(mark): None for mark in MARKS})


def around(tokenizer: Any, folder: Path) -> tuple[str, str]:
    """Return what the template for conversations of a model puts before and behind what the user says.

    transformers fills it in, in a sandbox without access to the machine. Raises InputError if the template cannot be
    filled in, or changes what the user says.
    """
    own = folder / "chat_template.jinja"
    file = own if own.exists() else folder / "tokenizer_config.json"
    said = [{"role": "user", "content": SAID}]
    try:
        text = tokenizer.apply_chat_template(said, tokenize=False, add_generation_prompt=True, enable_thinking=False)
    except Exception as error:  # whatever a template does
        reason = next(iter(str(error).strip().splitlines()), "no reason was given")[:300].removesuffix(".")
        raise InputError(
            f"The template for conversations in {file} cannot be filled in: {reason} ({type(error).__name__}); put the "
            "chat_template of the model's authors in its place, as one text."
        ) from error
    if text.count(SAID) != 1:
        raise InputError(
            f"The template for conversations in {file} leaves out, changes or repeats what the user says; put the "
            "chat_template of the model's authors in its place."
        )
    before, _, after = text.partition(SAID)
    return before, after


def without_thoughts(text: str) -> str:
    """Return an answer without what a model says to itself before it."""
    return _THOUGHTS.sub("", text).strip()
