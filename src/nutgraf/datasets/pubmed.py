"""PubMed papers by section (Cohan et al. 2018), prepared as in KPAT.

Liu et al., *Key Phrase Aware Transformer for Abstractive Summarization*, Sec. 7.1.

Seven classes of sections are kept, in order and up to the conclusion; abstracts that leaked into the body are removed.
The paper gives the classes and the steps; the words by which names are mapped, the limits of the filter (those of the
code of Cohan et al.) and the definition of a leak are ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nutgraf.datasets import Dataset, Drop, Record, Row, ignore
from nutgraf.datasets._references import references_of
from nutgraf.errors import InputError
from nutgraf.presets.ranges import NonNegativeInt, check_rising
from nutgraf.runtime.lines import Entry
from nutgraf.text.json_document import document_from_sections, text_from_json
from nutgraf.text.tokenize import count_words, sentence_texts, words

CLASSES = (
    ("conclusion", ("conclu",)),
    ("introduction", ("intro", "background")),
    ("results", ("result", "finding")),
    ("discussion", ("discuss",)),
    ("methods", ("method", "material", "patient", "procedure")),
    ("case report", ("case",)),
    ("analysis", ("analys",)),
)
"""The common sections, and the words that identify them in a lowercased name; the first match counts."""

LEAKED_SHARE = 0.8
"""The beginning of the body is a leaked abstract if at least this share of its sentences occurs in the abstract."""

SAME_SENTENCE = 0.9
"""Jaccard index of two sentences' words from which they count as the same."""

_ABSTRACT = re.compile(r"abstract|summary", re.IGNORECASE)
_MARK = re.compile(r"</?S>\s*")

NamedText = tuple[str, str]
"""A section: its name and its text."""


@dataclass(frozen=True)
class Config:
    """PubMed papers."""

    common_sections_only: bool = True
    """Keep only the seven common sections, else all up to the conclusion."""

    abstract_range: tuple[NonNegativeInt, NonNegativeInt] = (50, 500)
    """Smallest and largest number of words in an abstract; other papers are skipped."""

    max_sentences: int = 350
    """Largest number of sentences in a paper; longer papers are skipped."""

    def __post_init__(self) -> None:
        check_rising(self, "abstract_range")


class Pubmed(Dataset):
    """Papers in one of three forms.

    They have `sections` (a list of names and texts) and `summary`; or are as Cohan et al. released them (a JSON object
    per line: `sections` as lists of sentences, `section_names`, `abstract_text`); or as on Hugging Face (`article`,
    whose sections are lost, and `abstract`).
    """

    config: Config
    suffixes = (*Dataset.suffixes, ".txt")

    def id_columns(self) -> tuple[str, ...]:
        """Return the columns of an id in nutgraf's own form, and in that of Cohan et al."""
        return ("id", "article_id")

    def section_class(self, name: str) -> str | None:
        """Return the common section that a name stands for, or None."""
        return section_class(name)

    def record(self, row: Row, drop: Drop = ignore) -> Record | None:
        """Make the example of a row; see `Dataset`."""
        entry = row.entry
        name = self.id_of(row)
        written = next((entry[key] for key in ("abstract_text", "abstract", "summary") if entry.get(key)), "")
        abstract = _MARK.sub("", text_from_json(written, f"{row.where}: the abstract"))
        sections = prepare(_sections(entry, row.where), abstract, self.config.common_sections_only)
        document = document_from_sections(sections, name, language="en")
        references = references_of(_with_sentences(entry), row.where, sentence_texts)
        why = self._unfit(count_words(abstract), len(document.sentences))
        if why:
            drop(why)
            return None
        return Record(id=name, document=document, references=references)

    def _unfit(self, words: int, sentences: int) -> str:
        """Return why a paper is skipped, or ""."""
        if words == 0:
            return "no abstract"
        fewest, most = self.config.abstract_range
        if not fewest <= words <= most:
            return f"abstract of fewer than {fewest} or more than {most} words"
        longest = self.config.max_sentences
        return f"more than {longest} sentences" if sentences > longest else ""


def prepare(sections: Iterable[NamedText], abstract: str, common: bool = True) -> list[NamedText]:
    """Sections that a network reads, in order."""
    body = up_to_conclusion(without_leaks(list(sections), abstract))
    return common_sections(body) if common else body


def section_class(name: str) -> str | None:
    """Return the common section that a name stands for, or None."""
    lowered = name.lower()
    return next((title for title, signs in CLASSES if any(sign in lowered for sign in signs)), None)


def without_leaks(sections: Sequence[NamedText], abstract: str) -> list[NamedText]:
    """Remove sections called abstract or summary, and a beginning that repeats the abstract."""
    known = _word_sets(sentence_texts(abstract))
    body = [(name, sentence_texts(text)) for name, text in sections if not _ABSTRACT.search(name)]
    held = [its for _, texts in body for its in _word_sets(texts)]
    alike = (any(its and len(its & one) >= SAME_SENTENCE * len(its | one) for one in known) for its in held)
    leaked = _leaked(alike)
    kept: list[NamedText] = []
    for name, sentences in body:
        kept.append((name, " ".join(sentences[leaked:])))
        leaked = max(0, leaked - len(sentences))
    return [(name, text) for name, text in kept if text]


def up_to_conclusion(sections: Sequence[NamedText]) -> list[NamedText]:
    """Remove the sections after the first conclusion."""
    ends = [index for index, (name, _) in enumerate(sections) if section_class(name) == "conclusion"]
    return list(sections[: ends[0] + 1] if ends else sections)


def common_sections(sections: Sequence[NamedText]) -> list[NamedText]:
    """Keep the sections of the seven classes under their classes' names, merging those of one class.

    A paper without any becomes one section without a name.
    """
    merged: dict[str, list[str]] = {}
    for name, text in sections:
        title = section_class(name)
        if title is not None:
            merged.setdefault(title, []).append(text)
    if not merged:
        return [("", " ".join(text for _, text in sections))]
    return [(title, " ".join(texts)) for title, texts in merged.items()]


def _leaked(matches: Iterable[bool]) -> int:
    """Length of the longest beginning that ends with a match and consists of enough matches."""
    longest, found = 0, 0
    for length, match in enumerate(matches, start=1):
        found += match
        if match and found >= LEAKED_SHARE * length:
            longest = length
    return longest


def _word_sets(sentences: Iterable[str]) -> list[frozenset[str]]:
    return [frozenset(words(sentence)) for sentence in sentences]


def _sections(entry: Entry, where: str) -> list[NamedText]:
    sections = entry.get("sections")
    if sections is None and "article" in entry:
        return [("", text_from_json(entry["article"], f"{where}: 'article'"))]
    if not isinstance(sections, list):
        raise InputError(f"{where}: 'sections' should be a list, or 'article' a text.")
    names = entry.get("section_names", [""] * len(sections))
    pairs = []
    for number, section in enumerate(sections, start=1):
        what = f"{where}: section {number}"
        if isinstance(section, dict):
            pairs.append((str(section.get("name") or ""), text_from_json(section.get("text", ""), what)))
        else:
            name = str(names[number - 1]) if number <= len(names) else ""
            pairs.append((name, " ".join(text_from_json(section, what).split("\n"))))
    return pairs


def _with_sentences(entry: Entry) -> Entry:
    if "abstract_text" in entry:
        sentences = entry["abstract_text"]
        marked = sentences if isinstance(sentences, list) else [sentences]
        return {**entry, "summary_sents": [_MARK.sub("", str(sentence)).strip() for sentence in marked]}
    if "abstract" in entry and "summary" not in entry:
        return {**entry, "summary": _MARK.sub("", str(entry["abstract"]))}
    return entry
