"""`nutgraf phrases`: the key phrases of one or several documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nutgraf.cli._options import Fetch, Files, Language, Output, Reader
from nutgraf.cli._say import check_apart, check_output, notice, put, put_json, reading
from nutgraf.text.clean import visible

if TYPE_CHECKING:
    from nutgraf.keyphrases import KeyphraseExtractor
    from nutgraf.text.document import Document, Phrase


def phrases(
    files: Files,
    extractor: Annotated[str, typer.Option(help="Keyphrase extractor.")] = "position_rank",
    top: Annotated[int, typer.Option(help="Maximum number of phrases.")] = 10,
    ngram_range: Annotated[
        tuple[int, int], typer.Option(help="Smallest and largest number of words in a phrase.", show_default="1 3")
    ] = (1, 3),
    each: Annotated[bool, typer.Option("--each", help="Phrases of each document instead of all together.")] = False,
    language: Language = None,
    reader: Reader = None,
    fetch: Fetch = False,
    json_: Annotated[bool, typer.Option("--json", help="Phrases and their places, as JSON.")] = False,
    output: Output = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No notices on stderr.")] = False,
) -> None:
    """Find the key phrases of documents.

    Example: nutgraf phrases examples/island.txt --top 5

    Several files are one input, unless --each. Each line has a phrase's score, the phrase, how often it occurs, and
    its other wordings ("Mr Obama" of "President Obama"); the squares of the scores sum to one. Files of a folder, or
    of a pattern in quotation marks ("notes/*.md"), that cannot be read are left out with a notice; a file that you name
    must be readable.
    """
    from nutgraf.readers.reading import read
    from nutgraf.text.document import distinct, join
    from nutgraf.text.language import check_code

    language = None if language is None else check_code(language)
    check_output(output, files)
    check_apart(output, files, reader)
    job = Finding(extractor, {"top": top, "ngram_range": ngram_range}, language, reader, fetch, json_)
    if each:
        _put_each(files, job, output, quiet)
        return
    with reading(files, quiet):
        documents = distinct([one for file in files for one in read(file, language, reader, fetch=fetch)])
    found = job.found(join(documents), documents)
    notice(found.notices, quiet)
    if json_:
        put_json(found.json, output)
    elif found.any or output:
        put(found.table, output)


@dataclass(frozen=True)
class Found:
    """The phrases of a document as they will be printed; in lines, and as JSON where that was asked for."""

    name: str
    any: bool
    table: str
    json: dict[str, Any] | None
    notices: tuple[str, ...]


@dataclass(frozen=True)
class Finding:
    """Finds the phrases of documents as they were asked for."""

    extractor: str
    options: dict[str, Any]
    language: str | None
    reader: str | None
    fetch: bool
    json: bool

    def __post_init__(self) -> None:
        self._make()

    @property
    def at_once(self) -> int:
        """Several processes share the documents."""
        return 1

    def warnings(self, document: Document) -> list[str]:
        """Nothing: phrases are found quickly in a text of any length."""
        return []

    def work(self, documents: Sequence[Document]) -> list[Found]:
        """The phrases of each document."""
        return [self.found(document, [document]) for document in documents]

    def found(self, document: Document, collection: Sequence[Document]) -> Found:
        """The phrases of a document, which may be a collection joined into one."""
        from nutgraf.keyphrases import phrases_to_json

        extract = self._make()
        extract.fit(collection)
        found = extract(document)
        name = document.name or "the input"
        none = () if found else (f"{name} has no key phrases that {self.extractor} can find.",)
        as_json = phrases_to_json(document, found, self.extractor) if self.json else None
        notices = (*document.notices, *extract.notices(document), *none)
        return Found(document.name, bool(found), _table(found), as_json, notices)

    def _make(self) -> KeyphraseExtractor:
        from nutgraf.keyphrases import extractor_of

        return extractor_of(self.extractor, **self.options)


def _put_each(files: list[str], job: Finding, output: str | None, quiet: bool) -> None:
    """The phrases of each document. One that fails does not stop the others, but the command ends with status 2."""
    from nutgraf.cli._each import each

    made, complete = each(files, job, "Finding phrases", quiet)
    notice([line for one in made for line in one.notices], quiet)
    if made and job.json:
        put_json([one.json for one in made], output)
    elif made:
        put("\n\n".join(f"==> {visible(one.name)} <==\n{one.table}".rstrip() for one in made), output)
    if not complete:
        raise typer.Exit(2)


def _table(found: list[Phrase]) -> str:
    """Score, phrase, count and other wordings, aligned."""
    width = max((len(phrase.text) for phrase in found), default=0)
    return "\n".join(
        f"{phrase.score:.3f}  {phrase.text:<{width}}  {len(phrase.spans):>4}×  {', '.join(phrase.forms)}".rstrip()
        for phrase in found
    )
