"""Summaries and their references, from the files in which people have them.

Plain text: one summary a line; line i belongs to line i. JSON lines: a summary, or several references, an object;
objects are matched by their ids where all have one, else by their order. Folders: one summary a file, one sentence a
line, as the original ROUGE script is given them; files are matched by name, and a letter or number between the dots
tells several references apart (report.A.txt, report.B.txt or report.1.txt belong to report.txt).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from nutgraf.errors import InputError
from nutgraf.metrics import Example, Sentences
from nutgraf.runtime.lines import first_line, kind_of, parse_lines, text_lines, whole_text
from nutgraf.text.document import Document
from nutgraf.text.tokenize import sentence_texts

Splitting = Literal["sentences", "lines"]

HYPOTHESIS_FIELDS = ("hypothesis", "summary")
REFERENCE_FIELDS = ("references", "summaries", "summary_sents", "reference", "summary")
SOURCE_FIELDS = ("source", "documents", "document", "text")

_SEE_SENTENCE = re.compile(r"<a name=\"\d+\">\[\d+\]</a>(.*?)(?:</a>\s*<br|$)", re.IGNORECASE | re.MULTILINE)
_TAG = re.compile(r"<[^>]*>")
_TELLING_APART = re.compile(r"[A-Za-z]|\d+")


@dataclass(frozen=True, slots=True)
class NamedTexts:
    """One place in a file or folder: its name, and the texts there, each as its sentences."""

    name: str
    texts: tuple[Sentences, ...]


@dataclass(frozen=True, slots=True)
class TextFile:
    """The texts of one file or folder, in order.

    Attributes:
        named: True if names, and not places, say what belongs together.
    """

    path: str
    entries: list[NamedTexts]
    named: bool
    folder: bool = False


@dataclass(frozen=True, slots=True)
class Pairs:
    """Examples, their names, and how their sentences were found."""

    names: list[str]
    examples: list[Example]
    splitting: Splitting


def read_examples(
    hypotheses: str | Path,
    references: Sequence[str | Path] = (),
    sources: str | Path | None = None,
    splitting: Splitting | None = None,
) -> Pairs:
    """Return the examples that files or folders hold.

    Args:
        hypotheses: Summaries.
        references: Files or folders that give one or several references to every summary; none where the objects of
            JSON lines hold both.
        sources: Documents that were summarized, for metrics that need them.
        splitting: "sentences" finds the sentences of each text, "lines" takes its lines for sentences; None means lines
            for folders and sentences for all else. Texts that JSON lines give as lists of sentences stay as they are.

    Raises:
        InputError: If something cannot be read or does not belong together.
    """
    if splitting is None:
        splitting = "lines" if Path(hypotheses).is_dir() else "sentences"
    ours = read_texts(hypotheses, HYPOTHESIS_FIELDS, splitting)
    many = [entry.name for entry in ours.entries if len(entry.texts) != 1]
    if many:
        raise InputError(f"{ours.path}: {many[0]} has several summaries to be scored; one is needed.")
    if not references and not ours.folder and _is_jsonl(Path(hypotheses)):
        references = [hypotheses]
    theirs = [match(ours, read_texts(path, REFERENCE_FIELDS, splitting)) for path in references]
    documents = match(ours, read_texts(sources, SOURCE_FIELDS, splitting)) if sources is not None else None
    examples = []
    for place, entry in enumerate(ours.entries):
        texts = tuple(text for side in theirs for text in side[place])
        examples.append(Example(entry.texts[0], texts, _document(documents[place]) if documents else None))
    return Pairs([entry.name for entry in ours.entries], examples, splitting)


def example_of(hypothesis: str, references: Sequence[str] = (), source: str | None = None) -> Example:
    """Return an example of texts, with the sentences that are found in each.

    Args:
        hypothesis: The summary.
        references: Summaries that people wrote.
        source: The document that was summarized.
    """
    split = _splitter("sentences")
    document = None if source is None else _document((split(source),))
    return Example(split(hypothesis), tuple(map(split, references)), document)


def read_texts(path: str | Path, fields: tuple[str, ...], splitting: Splitting) -> TextFile:
    """Return the texts of a file or folder.

    Args:
        path: The file or folder.
        fields: Fields of a JSON object that may hold the texts, in order of preference.
        splitting: Way to find sentences; see `read_examples`.
    """
    place, split = Path(path), _splitter(splitting)
    if place.is_dir():
        files = sorted(one for one in place.iterdir() if one.is_file() and not one.name.startswith("."))
        if not files:
            raise InputError(f"The folder {path} holds no files.")
        entries = [NamedTexts(one.name, (split(_text_of(one)),)) for one in files]
        return TextFile(str(path), entries, named=True, folder=True)
    if _is_jsonl(place):
        return _read_jsonl(place, fields, split)
    entries = [NamedTexts(f"line {number}", (split(line),)) for number, line in text_lines(place)]
    return TextFile(str(path), entries, named=False)


def _is_jsonl(path: Path) -> bool:
    """Return True if a file has the name of JSON lines, or if its first line that is not blank opens an object."""
    return bool({".jsonl", ".ndjson"}.intersection(path.suffixes[-2:])) or first_line(path).startswith("{")


def _read_jsonl(path: Path, fields: tuple[str, ...], split: Callable[[str], Sentences]) -> TextFile:
    entries, names = [], []
    for number, record in parse_lines(text_lines(path), str(path)):
        names.append(str(record.get("id", "")))
        entries.append(
            NamedTexts(names[-1] or f"line {number}", _texts(record, fields, split, f"{path}, line {number}"))
        )
    return TextFile(str(path), entries, all(names) and len(set(names)) == len(names))


def _texts(
    record: Mapping[str, Any], fields: tuple[str, ...], split: Callable[[str], Sentences], where: str
) -> tuple[Sentences, ...]:
    """The texts in the first of `fields` that there is. A field named in the plural holds a list of texts."""
    field = next((name for name in fields if name in record), None)
    if field is None:
        raise InputError(f"{where}: none of the fields {', '.join(fields)} is there; it has {', '.join(record)}.")
    value = record[field]
    several = value if field in ("references", "summaries") and isinstance(value, list) else [value]
    texts = (text for one in several for text in (one if isinstance(one, list) else [one]))
    if not all(isinstance(text, str) for text in texts):
        raise InputError(f"{where}: {field!r} must be text or a list of sentences, not {kind_of(value)}.")
    return tuple(split(one) if isinstance(one, str) else tuple(one) for one in several)


def _text_of(path: Path) -> str:
    """A file's text; of the SEE pages that the original script reads, only the sentences."""
    text = whole_text(path)
    marked = _SEE_SENTENCE.findall(text)
    return "\n".join(_TAG.sub("", sentence).strip() for sentence in marked) if marked else text


def _splitter(splitting: Splitting) -> Callable[[str], Sentences]:
    if splitting == "lines":
        return lambda text: tuple(line.strip() for line in text.splitlines() if line.strip())
    return sentence_texts


def _document(texts: tuple[Sentences, ...]) -> Document:
    return Document.of("\n".join(sentence for text in texts for sentence in text))


def match(ours: TextFile, theirs: TextFile) -> list[tuple[Sentences, ...]]:
    """Return the texts of `theirs` that belong to each entry of `ours`, in the order of `ours`.

    Raises:
        InputError: If an entry has none.
    """
    if ours.folder != theirs.folder:
        folder, file = (ours, theirs) if ours.folder else (theirs, ours)
        raise InputError(f"{folder.path} is a folder and {file.path} is a file; give two folders or two files.")
    if ours.folder:
        return _match_files(ours, theirs)
    if ours.named and theirs.named:
        return _match_ids(ours, theirs)
    if len(ours.entries) != len(theirs.entries):
        raise InputError(
            f"{ours.path} has {len(ours.entries)} lines and {theirs.path} has {len(theirs.entries)}; "
            "line i of one must belong to line i of the other."
        )
    return [entry.texts for entry in theirs.entries]


def _match_ids(ours: TextFile, theirs: TextFile) -> list[tuple[Sentences, ...]]:
    found = {entry.name: entry.texts for entry in theirs.entries}
    missing = [entry.name for entry in ours.entries if entry.name not in found]
    if missing:
        raise InputError(
            f"{theirs.path} has nothing with the id {missing[0]!r}, which {ours.path} has"
            f"{f' (nor {len(missing) - 1} others)' if len(missing) > 1 else ''}."
        )
    return [found[entry.name] for entry in ours.entries]


def _match_files(ours: TextFile, theirs: TextFile) -> list[tuple[Sentences, ...]]:
    found: dict[str, list[Sentences]] = {_stem(entry.name): [] for entry in ours.entries}
    if len(found) < len(ours.entries):
        raise InputError(f"{ours.path} has files that differ only after the last dot; there must be one a summary.")
    for entry in theirs.entries:
        owner = next((name for name in _possible_owners(entry.name) if name in found), None)
        if owner is not None:
            found[owner].extend(entry.texts)
    missing = [entry.name for entry in ours.entries if not found[_stem(entry.name)]]
    if missing:
        name, stem, suffix = missing[0], _stem(missing[0]), Path(missing[0]).suffix
        raise InputError(
            f"{theirs.path} has no reference for {name}; {name}, {stem}.A{suffix} or {stem}.1{suffix} would be one."
        )
    return [tuple(found[_stem(entry.name)]) for entry in ours.entries]


def _possible_owners(name: str) -> Iterator[str]:
    """The stem itself, then without one part that tells references apart, the last such part first."""
    stem = _stem(name)
    yield stem
    parts = stem.split(".")
    for place in reversed(range(1, len(parts))):
        if _TELLING_APART.fullmatch(parts[place]):
            yield ".".join(parts[:place] + parts[place + 1 :])


def _stem(name: str) -> str:
    return name.rpartition(".")[0] or name
