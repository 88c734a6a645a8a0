"""Makes the documents that the selector learns from, of open corpora: a folder of sets, for `nutgraf train selector`.

    python models/minilm/documents.py DATA OUT

Papers come in three forms, by a hash of their name: one text without its sections and its abstract, which is what a
summary should say; one text with the abstract; and sections. Lower-cased news get their capitals back.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from nutgraf.preparation.pieces.make import known_casing, rows, sentences_of

MOST: Mapping[str, int] = {
    "scisummnet": 978, "scitldr": 1992, "acl_titles": 2000, "squality": 250, "cnn_dailymail": 1000,
    "open/cochrane_pls": 827, "open/crd3": 800, "open/opinions": 300, "open/convosumm": 209, "open/ami_parts": 500,
}  # fmt: skip
"""Corpora whose licence lets their weights be published, and how many documents of each are read."""

LONGEST, LONGEST_SECTION = 2500, 400
"""Words of a text, and of a section of a paper."""

ABSTRACT = "abstract"

Row = dict[str, Any]


def main() -> None:
    """Write the sets."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("data", type=Path)
    options.add_argument("out", type=Path)
    chosen = options.parse_args()
    for corpus, most in MOST.items():
        folder = chosen.out / Path(corpus).name
        folder.mkdir(parents=True, exist_ok=True)
        counts = {}
        found = list(taken(chosen.data, corpus, most))
        for part in ("train", "validation"):
            lines = [json.dumps(row, ensure_ascii=False) for row in found if part_of(row["id"]) == part]
            (folder / f"{part}.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            counts[part] = len(lines)
        print(corpus, counts, sum(map(length, found)), "words")


def part_of(name: str) -> str:
    """Return the part of a document."""
    return "validation" if number(name) % 33 == 0 else "train"


def number(name: str) -> int:
    """Return a number that a name always has."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4])


def length(row: Row) -> int:
    """Return the number of words of a document."""
    texts = row["documents"] if "documents" in row else [one["text"] for one in row["sections"]]
    return sum(len(text.split()) for text in texts)


def taken(data: Path, corpus: str, most: int) -> Iterator[Row]:
    """Yield documents of a corpus as the selector reads them."""
    found = sorted(rows(data, corpus, "train"), key=lambda row: number(str(row["id"])))[:most]
    casing = known_casing(data) if corpus == "cnn_dailymail" else None
    for row in found:
        if "sections" in row:
            yield paper(row)
        elif casing is not None:
            text = " ".join(sentences_of(row["documents"][0], casing))
            summary = " ".join(one for part in row["summary_sents"] for one in sentences_of(part, casing))
            yield {"id": row["id"], "documents": [cut(text, LONGEST)], "summary": summary}
        else:
            references = row.get("summaries") or [row["summary"]]
            yield {
                "id": row["id"],
                "documents": [cut(one, LONGEST) for one in row["documents"]],
                "summaries": references,
            }


def paper(row: Row) -> Row:
    """Return a paper in one of its forms."""
    form = number(str(row["id"])[::-1]) % 4
    sections = [{**one, "text": cut(one["text"], LONGEST_SECTION)} for one in row["sections"]]
    abstract = " ".join(one["text"] for one in sections if one["name"].lower() == ABSTRACT)
    body = [one for one in sections if one["name"].lower() != ABSTRACT]
    if not abstract or len(body) < 2 or form == 0:
        return {"id": row["id"], "documents": [one_text(sections)], "summaries": [row["summary"]]}
    text = {"sections": body} if form == 1 else {"documents": [one_text(body)]}
    return {"id": row["id"], **text, "summaries": [abstract]}


def one_text(sections: Sequence[Row]) -> str:
    """Return the texts of sections, each from a line of its own."""
    return "\n".join(one["text"] for one in sections)


def cut(text: str, most: int) -> str:
    """Return the first words of a text, as they stand in it."""
    words = text.split()
    return text if len(words) <= most else " ".join(words[:most])


if __name__ == "__main__":
    main()
