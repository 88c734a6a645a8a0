"""Templates for conversations, which come with a model: what they may cost, and that the text stands in the result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nutgraf.errors import InputError

LONGEST = 1 << 16
"""Characters of a template, and of what it puts around a text."""

LARGEST_FACTOR, MOST_PRODUCTS = 100, 4
"""Greatest number that a template multiplies by, and how often it may: " " * 4 indents a line."""


def check_template(template: Any, folder: Path) -> None:
    """Raise InputError if a template is too long, or multiplies much: a short one could fill the memory at once.

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
        products = list(parsed.find_all(nodes.Mul))
        if len(products) > MOST_PRODUCTS or parsed.find(nodes.Pow) or not all(map(_is_small, products)):
            raise InputError(
                f"The template for conversations in {folder} multiplies by more than {LARGEST_FACTOR}, by what is not "
                "known, or often; that could fill the memory."
            )


def _is_small(product: Any) -> bool:
    factors = (getattr(one, "value", None) for one in (product.left, product.right))
    return any(isinstance(one, int) and one <= LARGEST_FACTOR for one in factors)


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
