"""Systems: what summarizes. `load("mls_plus")` gives something that does.

A system is made from a preset. It takes text, a path, a Document, or a list of these, and gives a Summary.
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from nutgraf.dataset import Record
from nutgraf.errors import InputError, PresetError
from nutgraf.presets import DESCRIPTION, Family, Preset
from nutgraf.presets import read as read_preset
from nutgraf.systems._input import Input, as_document
from nutgraf.systems._steer import Steering, steer
from nutgraf.text.document import Document
from nutgraf.text.summary import Budget, Summary
from nutgraf.version import __version__

WORDS = (*DESCRIPTION, "system", "seed")
"""What every preset may say outside of its sections."""


class System(ABC):
    """Summarizes. Made from a preset; the same preset, seed and input give the same summary."""

    sections: ClassVar[frozenset[str]] = frozenset()
    """Sections of a preset that this kind of system reads; others are refused."""

    words: ClassVar[tuple[str, ...]] = ()
    """What else it reads of a preset, beside `WORDS`."""

    def __init__(self, preset: Preset) -> None:
        self.preset = preset

    def __call__(
        self,
        documents: Input | Sequence[Input],
        *,
        words: int | None = None,
        sentences: int | None = None,
        share: str | float | None = None,
        highlights: Iterable[str] | Mapping[str, float] = (),
        language: str | None = None,
    ) -> Summary:
        """Summarize one document, or several as one input.

        documents: text, a path, a Document, or a list of these; a text that names a file is taken for a path.
        words, sentences, share: the length, at most one of them; a share is of the input's words, as "1/8". With none
            the summary has the system's natural length.
        highlights: phrases to give more attention, as "phrase" or "phrase:weight", or as a mapping to weights.
        language: an ISO 639-1 code, where it is known.

        Raises InputError for what cannot be read, BudgetError for a length that no summary can have.
        """
        document = as_document(documents, language)
        if not document.sentences:
            raise InputError(f"There is no sentence to summarize in {document.name or 'the input'}.")
        return self.summarize(document, Budget.of(words, sentences, share), steer(document, highlights))

    def fit(self, records: Iterable[Record]) -> None:
        """Learn what needs a collection: document frequencies, the references' mean length."""

    @abstractmethod
    def summarize(self, document: Document, budget: Budget, steering: Steering) -> Summary:
        """Summarize a document that has at least one sentence."""

    @property
    def signature(self) -> str:
        """Preset, version, a hash of all options, and the seed."""
        settings = json.dumps(self.preset.settings(), sort_keys=True, default=str)
        digest = hashlib.sha256(settings.encode()).hexdigest()[:8]
        return f"{self.preset.name}|options:{digest}|seed:{self.preset.seed}|v{__version__}"


systems: Family[System] = Family(__name__, System)


def load(name: str | Path, overrides: Iterable[str] | Mapping[str, Any] = ()) -> System:
    """The system that a preset makes.

    name: a preset that ships (`nutgraf presets` lists them), or the path of a `.toml` file.
    overrides: "section.key=value" lines, or a mapping of dotted keys to values.

    Raises UnknownName, PresetError.
    """
    preset = read_preset(name, overrides)
    member = systems.find(preset.system)
    _refuse_unread(preset, member)
    return member(preset)


def _refuse_unread(preset: Preset, member: type[System]) -> None:
    """What a preset says and nobody reads is a mistake."""
    for key, value in preset.table.items():
        is_section = isinstance(value, dict)
        if key not in (member.sections if is_section else (*WORDS, *member.words)):
            said = f"a section [{key}]" if is_section else f"{key} = {value!r}"
            read = ", ".join([*member.words, "seed", *(f"[{section}]" for section in sorted(member.sections))])
            raise PresetError(f"The preset {preset.name!r} has {said}, but its system {preset.system!r} reads {read}.")
