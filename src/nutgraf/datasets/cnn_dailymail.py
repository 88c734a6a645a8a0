"""CNN/Daily Mail (Hermann et al. 2015; Nallapati et al. 2016), as used by the pointer-generator.

The texts are lowercased Stanford tokens separated by spaces (See, Liu and Manning 2017). Reads

* the official `.story` files and the lists of URLs that assign them to splits, tokenized or not;
* pairs of text files `NAME.src` and `NAME.tgt` (or `.tgt.tagged`), one example per line, sentences between <t> and
  </t>;
* JSON lines, Parquet, CSV: `article` and `highlights` (one per line), or `documents` and `summary_sents`.

In a text of lowercased tokens sentences end at the tokens . ! ? and at the quotes and brackets that close right after
them; without capitals, nothing else would find them. Straight quotes alternate: the first opens, the next closes. Other
texts are split like any text.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from nutgraf.datasets import SPLITS, Dataset, Drop, Part, Record, Row, Splits, ignore
from nutgraf.datasets._pairs import companion, line_pairs
from nutgraf.datasets._references import references_of
from nutgraf.datasets._splits import split_named
from nutgraf.errors import InputError
from nutgraf.runtime.lines import first_line, text_lines
from nutgraf.text.document import Document
from nutgraf.text.json_document import text_from_json
from nutgraf.text.tokenize import Span, sentence_spans

_TOKEN = re.compile(r"\S+")
_ENDS = frozenset([".", "!", "?"])
_CLOSERS = frozenset(["''", "”", "’", ")", "]", "-rrb-", "-rsb-"])
_STRAIGHT = frozenset(["'", '"'])

_TAGGED = re.compile(r"<t>(.*?)</t>")
_FINISHED = (".", "!", "?", "...", "'", "`", '"', "’", "”", ")")
_HIGHLIGHT = "@highlight"
_ENTITY = re.compile(r"@entity\d")


class CnnDailymail(Dataset):
    """An article and its highlights, each of which is a sentence of the reference."""

    def variant(self, record: Record) -> str:
        """Return "anonymized" where names are numbered entities (Hermann et al. 2015), else "non-anonymized"."""
        return "anonymized" if _ENTITY.search(record.document.text) else "non-anonymized"

    def reads(self, path: Path) -> bool:
        """Return True if a file holds articles, judging by its name."""
        return super().reads(path) or ".src" in path.suffixes or path.suffix == ".bin"

    def splits(self, path: Path) -> Splits:
        """Return the stories of each list of URLs if the folder has stories; see `Dataset`."""
        stories = {story.stem: story for story in path.rglob("*.story")} if path.is_dir() else {}
        return _splits_of_stories(path, stories) if stories else super().splits(path)

    def rows(self, path: Path) -> Iterator[Row]:
        """Yield the rows of a file; see `Dataset`."""
        if path.suffix == ".bin":
            raise InputError(
                f"{path} is See et al.'s binary form; take the .story files and url_lists that it was made of, or the "
                "corpus as JSON lines or Parquet (fields 'article' and 'highlights')."
            )
        if path.suffix == ".story":
            yield Row(path, 1, {"id": path.stem, "story": [line for _, line in text_lines(path)]})
        elif ".src" in path.suffixes:
            for pair in line_pairs(path, companion(path, ((".src", ".tgt.tagged"), (".src", ".tgt")))):
                tagged = [text.strip() for text in _TAGGED.findall(pair.target)]
                entry = {"article": pair.source, "summary_sents": tagged, "summary": pair.target}
                yield Row(path, pair.number, pair.content(entry))
        else:
            yield from super().rows(path)

    def record(self, row: Row, drop: Drop = ignore) -> Record:
        """Make the example of a row; see `Dataset`."""
        name, entry = self.id_of(row), row.entry
        if "story" in entry:
            return _story(name, entry["story"])
        if "highlights" in entry:
            lines = text_from_json(entry["highlights"], f"{row.where}: 'highlights'").split("\n")
            entry = {**entry, "summary_sents": [line.strip() for line in lines if line.strip()]}
        documents = entry.get("documents", [entry["article"]] if "article" in entry else [])
        if not isinstance(documents, list) or len(documents) != 1:
            raise InputError(
                f"{row.where}: one article is needed, as 'article' or as the only one of 'documents'; "
                "a file in nutgraf's own form is of the kind jsonl."
            )
        article = text_from_json(documents[0], f"{row.where}: the article")
        return Record(name, _document(article, name), references_of(entry, row.where, _split))


def _document(text: str, name: str) -> Document:
    return Document.of(text, name, language="en", sentences=token_sentences(text) if is_tokenized(text) else None)


def is_tokenized(text: str) -> bool:
    """Return True for lowercased tokens separated by spaces."""
    return text == text.lower() and (" . " in text or text.rstrip().endswith(" .") or "." not in text)


def _story(name: str, lines: Sequence[str]) -> Record:
    """A story: the paragraphs of the article, then each highlight after a line @highlight.

    Lines without a final punctuation mark get one, as in See et al.: headings and captions would otherwise run into the
    next line.
    """
    article: list[str] = []
    highlights: list[str] = []
    into = article
    for line in lines:
        if line.strip() == _HIGHLIGHT:
            into = highlights
        elif line.strip():
            into.append(line.strip())
    spaced = is_tokenized("\n".join(article))
    mark = " ." if spaced else "."
    finished = (line if line.endswith(_FINISHED) else f"{line}{mark}" for line in article)
    text = (" " if spaced else "\n\n").join(finished)
    return Record(name, _document(text, name), (tuple(highlights),) if highlights else ())


def _splits_of_stories(folder: Path, stories: dict[str, Path]) -> Splits:
    """Splits of the stories, whose names are the SHA-1 of their URLs."""
    named = {path: split_named(path.relative_to(folder)) for path in sorted(folder.rglob("*.txt"))}
    lists = [path for path, split in named.items() if split and first_line(path).startswith("http")]
    lists = [path for path in lists if path.name.startswith("all_")] or lists
    if not lists:
        raise InputError(
            f"{folder} holds stories, but no lists of URLs that say which belong to which split: all_train.txt, "
            "all_val.txt and all_test.txt (they come with See et al.'s cnn-dailymail)."
        )
    found: Splits = {}
    for split in SPLITS:
        names = [name for path in lists if named[path] == split for name in _story_names(path)]
        there = tuple(stories[name] for name in names if name in stories)
        if there:
            lost = {"no story file for this URL": len(names) - len(there)} if len(there) < len(names) else {}
            found[split] = Part(there, missing=lost)
    if not found:
        raise InputError(f"None of the {len(stories)} stories in {folder} is in the lists of URLs there.")
    return found


def _story_names(path: Path) -> Iterable[str]:
    urls = (line.strip() for _, line in text_lines(path))
    return [hashlib.sha1(url.encode(), usedforsecurity=False).hexdigest() for url in urls if url]


def token_sentences(text: str) -> list[Span]:
    """Sentences of a text of tokens separated by spaces."""
    spans: list[Span] = []
    open_quotes: set[str] = set()
    previous, ended = "", False
    for match in _TOKEN.finditer(text):
        token = match.group()
        closes = token in _CLOSERS or token in open_quotes
        if not spans or (ended and not closes and token not in _ENDS):
            spans.append(match.span())
            ended = False
        spans[-1] = (spans[-1][0], match.end())
        ended = ended or token in _ENDS
        possessive = token == "'" and previous.endswith("s")  # as in "the girls ' parents"
        if token in _STRAIGHT and not possessive:
            open_quotes ^= {token}
        previous = token
    return spans


def _split(text: str) -> tuple[str, ...]:
    spans = token_sentences(text) if is_tokenized(text) else sentence_spans(text)
    return tuple(text[start:end] for start, end in spans)
