"""Pages of templates with the files that they need; a page runs nothing but its own scripts and style."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from importlib import resources
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]")
"""Characters that HTML or UTF-8 cannot hold."""


def environment(*packages: str) -> Environment:
    """Return an environment for the templates of packages of nutgraf, which escapes everything.

    Args:
        packages: Paths of the packages, such as "report"; of two templates with the same name the first is taken.
    """
    return Environment(
        loader=ChoiceLoader([PackageLoader("nutgraf", package) for package in packages]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def asset(package: str, name: str) -> str:
    """Return the text of a file that lies in a package of nutgraf."""
    return resources.files(f"nutgraf.{package}").joinpath(name).read_text(encoding="utf-8")


def self_contained(template: Template, styles: Sequence[str], scripts: Sequence[str], **shown: Any) -> str:
    """Return a page that holds the styles and scripts of the report that are named, and a policy for them."""
    style = "".join(asset("report.assets", name) for name in styles)
    texts = [asset("report.assets", name) for name in scripts]
    page = template.render(
        style=Markup(style), scripts=list(map(Markup, texts)), policy=content_policy(style, *texts), **shown
    )
    return printable(page)


def content_policy(style: str, *scripts: str) -> str:
    """Return the content security policy of a page with one style and its scripts, which it names by their hashes."""
    return (
        f"default-src 'none'; style-src {_hash(style)}; script-src {' '.join(map(_hash, scripts))}; "
        "base-uri 'none'; form-action 'none'"
    )


def printable(page: str) -> str:
    """Replace characters that HTML or UTF-8 cannot hold by U+FFFD."""
    return UNPRINTABLE.sub("\ufffd", page)


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
