"""`nutgraf phrases`: the key phrases of one or several documents."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nutgraf.cli._say import check_output, notice, put

if TYPE_CHECKING:
    from nutgraf.text.document import Document, Phrase

SCHEMA = "nutgraf.phrases/1"


def phrases(
    files: Annotated[
        list[str],
        typer.Argument(help="Text, Markdown, HTML, PDF, DOCX or JSONL; - is standard input.", show_default=False),
    ],
    extractor: Annotated[
        str, typer.Option(help="How to find them; a name that is not there lists those that are.")
    ] = "position_rank",
    top: Annotated[int, typer.Option(help="At most so many phrases.")] = 10,
    shortest: Annotated[int, typer.Option(help="Words of the shortest phrase.")] = 1,
    longest: Annotated[int, typer.Option(help="Words of the longest phrase.")] = 3,
    language: Annotated[
        str | None, typer.Option(help="Of the documents, as en, de, fr.", show_default="recognize English")
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="The phrases and their places, as JSON.")] = False,
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="Write the phrases here; - is stdout.", show_default=False)
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No notices on stderr.")] = False,
) -> None:
    """Find the key phrases of documents.

    Example: nutgraf phrases examples/island.txt --top 5

    Several files are one input. Each line has a phrase's score, the phrase, and how often it occurs; the squares of the
    scores sum to one.
    """
    from nutgraf.keyphrases import extractors
    from nutgraf.readers import read
    from nutgraf.text.document import join

    check_output(output)
    extract = extractors.make(extractor, top=top, shortest=shortest, longest=longest)
    documents = [document for file in files for document in read(file, language)]
    document = join(documents)
    extract.fit(documents)
    found = extract(document)
    notice(document.notices, quiet)
    if not found:
        notice([f"{document.name or 'the input'} has no key phrases that {extractor} can find."], quiet)
    if found or json_ or output:
        put(_dumps(document, found, extractor) if json_ else _table(found), output)


def _table(found: list[Phrase]) -> str:
    """Score, phrase and count, aligned."""
    width = max((len(phrase.text) for phrase in found), default=0)
    return "\n".join(f"{phrase.score:.3f}  {phrase.text:<{width}}  {len(phrase.spans):>4}×" for phrase in found)


def _dumps(document: Document, found: list[Phrase], extractor: str) -> str:
    from nutgraf.version import __version__

    everything = {
        "schema": SCHEMA,
        "version": __version__,
        "extractor": extractor,
        "sources": [part.name for part in document.parts],
        "phrases": [_to_json(document, phrase) for phrase in found],
        "notices": list(document.notices),
    }
    return json.dumps(everything, ensure_ascii=False, indent=2)


def _to_json(document: Document, phrase: Phrase) -> dict[str, Any]:
    from dataclasses import asdict

    from nutgraf.text.summary import origin_of

    places = [asdict(origin_of(document, start, end)) for start, end in phrase.spans]
    known = [{name: value for name, value in place.items() if value is not None} for place in places]
    return {"text": phrase.text, "score": phrase.score, "places": known}
