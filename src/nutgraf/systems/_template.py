"""Templates for conversations, which come with a model: what stands before and behind what the user says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nutgraf.errors import InputError

MARK = "⟦What the user says⟧"


def around(tokenizer: Any, folder: Path) -> tuple[str, str]:
    """Return what the template of a model puts before and behind what the user says.

    The template, which transformers fills in within a sandbox, sees a mark in its place.

    Raises:
        InputError: If the template cannot be filled in, or changes what the user says.
    """
    try:
        found = str(
            tokenizer.apply_chat_template(
                [{"role": "user", "content": MARK}], tokenize=False, add_generation_prompt=True, enable_thinking=False
            )
        )
        wrong = "" if found.count(MARK) == 1 else "leaves out, changes or repeats what the user says"
    except Exception as error:  # whatever a template does
        first = next(iter(str(error).strip().splitlines()), "no reason was given")[:300].removesuffix(".")
        wrong = f"cannot be filled in: {first} ({type(error).__name__})"
    if wrong:
        own = folder / "chat_template.jinja"
        file = own if own.exists() else folder / "tokenizer_config.json"
        raise InputError(
            f"The template for conversations in {file} {wrong}; "
            "put the chat_template of the model's authors in its place."
        )
    before, _, after = found.partition(MARK)
    return before, after
