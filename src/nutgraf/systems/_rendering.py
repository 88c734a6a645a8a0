"""Fills in a template for conversations; run as a program, with limits of time and memory, by `_template.py`.

The program is asked the arguments of `render`, and its outcome is that of `outcome`.
"""

from __future__ import annotations

from typing import Any

from nutgraf.limits import serve

SECONDS, MEMORY = 1.0, 1 << 30
"""Time of a processor, and bytes, that a template may take; Windows limits neither."""

LONGEST = 1 << 16
"""Characters that a template may put around a text."""


def render(template: Any, messages: list[dict[str, str]], variables: dict[str, Any]) -> str:
    """Return a conversation before its answer, as transformers writes it.

    Args:
        template: The template.
        messages: The messages.
        variables: Further variables of the template.
    """
    from transformers.utils.chat_template_utils import render_jinja_template

    (found,), _ = render_jinja_template(
        [messages], chat_template=template, add_generation_prompt=True, enable_thinking=False, **variables
    )
    return str(found)


def outcome(asked: dict[str, Any]) -> dict[str, str]:
    """Return what was made of a template as "text", or what is wrong with it as "wrong", with its verb.

    Args:
        asked: The arguments of `render`.
    """
    try:
        found = render(**asked)
    except MemoryError:
        return {"wrong": f"needs more than {MEMORY >> 30} GB of memory to be filled in"}
    except Exception as error:  # whatever a template does
        first = next(iter(str(error).strip().splitlines()), "no reason was given")[:300].removesuffix(".")
        return {"wrong": f"cannot be filled in: {first} ({type(error).__name__})"}
    if len(found) > LONGEST:
        return {"wrong": f"puts {len(found):,} characters around a text; up to {LONGEST:,} would do"}
    return {"text": found}


if __name__ == "__main__":
    import transformers.utils.chat_template_utils  # noqa: F401  # its time is not the template's

    serve(outcome, SECONDS, MEMORY)
