"""Templates for conversations, which come with a model: what stands before and behind what the user says.

transformers fills it in, in a sandbox without access to the machine. It sees a mark instead of what the user says.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nutgraf.errors import InputError

MARK = "⟦What the user says⟧"


def around(tokenizer: Any, folder: Path) -> tuple[str, str]:
    """Return what the template of a model puts before and behind what the user says.

    Raises InputError if the template cannot be filled in, or changes what the user says.
    """
    own = folder / "chat_template.jinja"
    file = own if own.exists() else folder / "tokenizer_config.json"
    said = [{"role": "user", "content": MARK}]
    try:
        text = tokenizer.apply_chat_template(said, tokenize=False, add_generation_prompt=True, enable_thinking=False)
    except Exception as error:  # whatever a template does
        reason = next(iter(str(error).strip().splitlines()), "no reason was given")[:300].removesuffix(".")
        raise InputError(
            f"The template for conversations in {file} cannot be filled in: {reason} ({type(error).__name__}); put the "
            "chat_template of the model's authors in its place, as one text."
        ) from error
    if text.count(MARK) != 1:
        raise InputError(
            f"The template for conversations in {file} leaves out, changes or repeats what the user says; put the "
            "chat_template of the model's authors in its place."
        )
    before, _, after = text.partition(MARK)
    return before, after
