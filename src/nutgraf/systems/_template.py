"""Templates for conversations, which come with a model: what stands before and behind what the user says.

A template is a program that may run forever or fill the memory. It is filled in once for each model, in a process with
limits of time and memory (`_rendering.py`), and sees a mark instead of what the user says.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nutgraf.errors import InputError
from nutgraf.limits import Ended, run
from nutgraf.systems import _rendering

MARK = "⟦What the user says⟧"


def around(tokenizer: Any, folder: Path) -> tuple[str, str]:
    """Return what the template of a model puts before and behind what the user says.

    Args:
        tokenizer: The tokenizer, of transformers, which has the template.
        folder: Folder of the model, for messages.

    Raises:
        InputError: If the template cannot be filled in within its limits, or changes what the user says.
    """
    own = folder / "chat_template.jinja"
    file = own if own.exists() else folder / "tokenizer_config.json"
    try:
        template = tokenizer.get_chat_template()
    except ValueError as error:
        raise InputError(
            f"{file} has several templates for conversations; leave the one that is wanted, as a text (chat_template)."
        ) from error
    messages = [{"role": "user", "content": MARK}]
    asked = {"template": template, "messages": messages, "variables": tokenizer.special_tokens_map}
    try:
        found = run(_rendering.__file__, asked, _rendering.SECONDS)
    except Ended as error:
        found = {"wrong": str(error)}
    wrong = found.get("wrong")
    if wrong is None and found["text"].count(MARK) != 1:
        wrong = "leaves out, changes or repeats what the user says"
    if wrong is not None:
        raise InputError(
            f"The template for conversations in {file} {wrong}; "
            "put the chat_template of the model's authors in its place."
        )
    before, _, after = found["text"].partition(MARK)
    return before, after
