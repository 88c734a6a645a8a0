"""The public surface of nutgraf is written down in `public_surface.txt`: names, signatures, and the first sentences.

A change of the surface changes that file, in the same commit and on purpose:

    python tests/documents/test_public_surface.py
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import nutgraf

HERE = Path(__file__).parent
WRITTEN = HERE / "public_surface.txt"
REFERENCE = HERE.parents[1] / "docs" / "reference" / "python.md"


def surface() -> str:
    """What there is now, a line each."""
    return "\n".join(line for name, value in public() for line in lines(name, value)) + "\n"


def public() -> Iterator[tuple[str, object]]:
    """What `import nutgraf` offers, then what the page of reference names besides."""
    offered = [getattr(nutgraf, name) for name in nutgraf.__all__ if not name.startswith("_")]
    for value in offered:
        yield f"nutgraf.{value.__name__}", value
    for dotted in re.findall(r"^<!-- ::: (nutgraf\.\S+) -->$", REFERENCE.read_text(encoding="utf-8"), re.MULTILINE):
        module, _, name = dotted.rpartition(".")
        found = getattr(importlib.import_module(module), name)
        if inspect.ismodule(found):
            own = [one for one in vars(found).values() if inspect.isclass(one) and one.__module__ == found.__name__]
            yield from ((f"{dotted}.{one.__name__}", one) for one in own)
        elif found not in offered:
            yield dotted, found


def lines(name: str, value: object) -> Iterator[str]:
    """A function, or a class with its public members."""
    yield f"{name}{signature(value)}: {first_sentence(value)}"
    for member, inner in vars(value).items() if inspect.isclass(value) else ():
        plain = inner.__func__ if isinstance(inner, classmethod | staticmethod) else inner
        if isinstance(plain, property):
            yield f"    .{member}: {first_sentence(plain)}"
        elif inspect.isfunction(plain) and (not member.startswith("_") or member == "__call__"):
            yield f"    .{member}{signature(plain)}: {first_sentence(plain)}"


def signature(value: object) -> str:
    """As it is written; memory addresses and the like have no place in it."""
    if inspect.isclass(value) and issubclass(value, Exception):
        return ""
    if inspect.isclass(value) and issubclass(value, dict):
        return f"({', '.join(inspect.get_annotations(value))})"
    found = inspect.signature(value)  # type: ignore[arg-type]
    return re.sub(r"Compute\([^)]*\)", "Compute()", str(found)).replace("'", "")


def first_sentence(value: object) -> str:
    return " ".join((inspect.getdoc(value) or "").split("\n\n")[0].split())


def test_it_is_what_is_written_down() -> None:
    assert surface() == WRITTEN.read_text(encoding="utf-8"), f"if this is meant, run python {Path(__file__).name}"


def test_everything_in_it_has_a_docstring() -> None:
    assert [line for line in surface().splitlines() if line.endswith(": ")] == []


if __name__ == "__main__":
    WRITTEN.write_text(surface(), encoding="utf-8")
