"""nutgraf: the paragraph that tells a reader what a story is about.

>>> import nutgraf
>>> summarize = nutgraf.load("mls_plus")
>>> print(summarize("report.pdf", words=100))
"""

from typing import TYPE_CHECKING, Any

from nutgraf.hardware import let_waiting_threads_sleep
from nutgraf.version import __version__

__all__ = ["Document", "NutgrafError", "Summary", "__version__", "load", "read"]

if TYPE_CHECKING:
    from nutgraf.errors import NutgrafError
    from nutgraf.readers import read
    from nutgraf.systems import load
    from nutgraf.text.document import Document
    from nutgraf.text.summary import Summary

_HOMES = {
    "Document": "nutgraf.text.document",
    "NutgrafError": "nutgraf.errors",
    "Summary": "nutgraf.text.summary",
    "load": "nutgraf.systems",
    "read": "nutgraf.readers",
}


let_waiting_threads_sleep()


def __getattr__(name: str) -> Any:
    """Import on first use, so that `import nutgraf` costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'nutgraf' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
