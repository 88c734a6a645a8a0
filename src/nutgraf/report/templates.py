"""Templates of pages, and the files that they need."""

from __future__ import annotations

from importlib import resources

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined


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
