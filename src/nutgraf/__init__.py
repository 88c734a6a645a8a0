"""nutgraf: the paragraph that tells a reader what a story is about.

>>> import nutgraf
>>> summarize = nutgraf.load()
>>> print(summarize("The ferry left the harbour at noon. It came back at dusk. Nobody was on it.", words=7))
The ferry left the harbour at noon.
"""

from __future__ import annotations

import os

from nutgraf.version import __version__

TYPE_CHECKING = False  # as in `typing`, whose import would take more time than all else before Ctrl-C is handled

__all__ = [
    "Answer",
    "Document",
    "NutgrafError",
    "Outline",
    "Summary",
    "__version__",
    "agreement",
    "answer",
    "changes",
    "check",
    "load",
    "minutes",
    "phrases",
    "read",
    "render",
    "rouge",
]

if TYPE_CHECKING:
    from typing import Any

    from nutgraf.collation.agreement import agreement
    from nutgraf.collation.changes import changes
    from nutgraf.errors import NutgrafError
    from nutgraf.faithfulness.check import check
    from nutgraf.keyphrases import phrases
    from nutgraf.metrics.rouge import rouge
    from nutgraf.questions.answering import answer
    from nutgraf.readers.reading import read
    from nutgraf.report import render
    from nutgraf.systems import load
    from nutgraf.systems.minutes import minutes
    from nutgraf.text.document import Document
    from nutgraf.text.outline import Outline
    from nutgraf.text.summary import Answer, Summary

_HOMES = {
    "Answer": "nutgraf.text.summary",
    "Document": "nutgraf.text.document",
    "NutgrafError": "nutgraf.errors",
    "Outline": "nutgraf.text.outline",
    "Summary": "nutgraf.text.summary",
    "agreement": "nutgraf.collation.agreement",
    "answer": "nutgraf.questions.answering",
    "changes": "nutgraf.collation.changes",
    "check": "nutgraf.faithfulness.check",
    "load": "nutgraf.systems",
    "minutes": "nutgraf.systems.minutes",
    "phrases": "nutgraf.keyphrases",
    "read": "nutgraf.readers.reading",
    "render": "nutgraf.report",
    "rouge": "nutgraf.metrics.rouge",
}


# By default OpenMP's threads keep their cores busy for milliseconds while they wait, and so take the core from the very
# thread that they wait for as soon as other programs run: decoding becomes twenty times as slow. Some 5,000 turns last
# longer than the gap between two operators of a network, and no longer than waking a thread up (benchmarks/busy.py).
# Torch reads this when it is loaded; what the user has set stays.
if not {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"} & os.environ.keys():
    os.environ.update(GOMP_SPINCOUNT="5000", KMP_BLOCKTIME="1")


def __getattr__(name: str) -> Any:
    """Import on first use, so that `import nutgraf` costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'nutgraf' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
