"""Templates of pages, and the files that stand inline in them."""

from __future__ import annotations

from importlib import resources

from jinja2 import Environment, PackageLoader, StrictUndefined


def environment(package: str) -> Environment:
    """Return an environment for the templates of a package of nutgraf, which escapes everything.

    Args:
        package: Name of the package, such as "report".
    """
    return Environment(
        loader=PackageLoader("nutgraf", package),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def asset(package: str, name: str) -> str:
    """Return the text of a file that lies in a package of nutgraf."""
    return resources.files(f"nutgraf.{package}").joinpath(name).read_text(encoding="utf-8")
