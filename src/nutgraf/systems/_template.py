"""Templates for conversations, which come with a model: what they may cost, and that the text stands in the result."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from nutgraf.errors import InputError

LONGEST = 1 << 16
"""Characters of a template, and of what it puts around a text."""

SECONDS = 2.0
"""Time of this process in which a template is filled in."""


def check_template(template: Any, folder: Path) -> None:
    """Raise InputError if a template is too long, or multiplies: a short one could fill the memory in a single step.

    Args:
        template: The template, or several by name.
        folder: Folder of the model, for messages.
    """
    from jinja2 import Environment, TemplateError, nodes

    for one in template.values() if isinstance(template, dict) else [template]:
        if len(str(one)) > LONGEST:
            raise InputError(
                f"The template for conversations in {folder} has {len(str(one)):,} characters; up to {LONGEST:,} "
                "would do."
            )
        try:
            parsed = Environment(extensions=["jinja2.ext.loopcontrols", "jinja2.ext.do"]).parse(str(one))
        except TemplateError:  # told of where it is filled in, with the tags of transformers
            continue
        if parsed.find((nodes.Mul, nodes.Pow)) is not None:
            raise InputError(f"The template for conversations in {folder} multiplies, which could fill the memory.")


def check_rendered(found: str, text: str, folder: Path) -> None:
    """Raise InputError if a text does not stand in what a template made of it, or too much around it.

    Args:
        found: What it made.
        text: What the user says.
        folder: Folder of the model, for messages.
    """
    if text.strip() not in found:
        raise InputError(
            f"The template for conversations in {folder} leaves out or changes what the user says; put the "
            "chat_template of the model's authors in its place."
        )
    if len(found) > len(text) + LONGEST:
        raise InputError(
            f"The template for conversations in {folder} puts {len(found) - len(text):,} characters around a text; up "
            f"to {LONGEST:,} would do."
        )


@contextmanager
def in_time() -> Iterator[None]:
    """Break off what takes more than `SECONDS` of this thread. Raises TimeoutError."""
    last, before = time.thread_time() + SECONDS, sys.gettrace()

    def watch(frame: Any, event: str, argument: Any) -> Any:
        if time.thread_time() > last:
            raise TimeoutError(f"it takes longer than {SECONDS:g} seconds")
        return watch

    sys.settrace(watch)
    try:
        yield
    finally:
        sys.settrace(before)
