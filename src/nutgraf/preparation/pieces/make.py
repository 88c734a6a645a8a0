"""Makes what an editor learns from: sentences of documents of which a sentence of the summary is a part.

    python -m nutgraf.preparation.pieces.make DATA OUT [--looseness 0.25]

DATA holds corpora as folders with `train.jsonl` and `validation.jsonl` (perhaps `.xz`): `documents`, and
`summary_sents` or `summary`. OUT becomes a folder of files of the same names, which `nutgraf train editor` reads:
`sentence`, `spans`, `labels` and `features`.

A piece went if the summary kept at most a seventh of its words, and stayed if it kept half of them; of others nothing
is learned. What headlines drop, articles and copulas, is no piece, and so cannot be learned.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from nutgraf.preparation.pieces.alignment import kept_words
from nutgraf.preparation.pieces.casing import Casing
from nutgraf.prose.shortening.features import features_of
from nutgraf.prose.shortening.pieces import pieces
from nutgraf.prose.shortening.words import words_of
from nutgraf.runtime.lines import text_lines
from nutgraf.text.detokenize import detokenize
from nutgraf.text.language import function_words
from nutgraf.text.tokenize import Span, sentence_texts

TOKENIZED = ("cnn_dailymail",)
"""Corpora in lower case whose words are separated by blanks."""

CASED = ("squality", "scisummnet", "scitldr", "open/convosumm", "open/cochrane_pls", "open/mts_dialog", "open/crd3")
"""Corpora from which case is learned."""

CORPORA = ("cnn_dailymail", "scisummnet", "scitldr")
"""Corpora from which pairs are made."""

MOST_CASED = 600
"""Documents of a corpus from which case is learned."""

FEWEST_WORDS, MOST_WORDS = 5, 90
"""Words of a summary's sentence, and of a document's."""

NEW_FUNCTION_WORDS = 2
"""Function words that a sentence of a summary may have besides."""

LEAST_KEPT = 0.25
"""Share of a sentence's words that the summary must have kept."""

WENT, STAYED = 0.15, 0.5
"""Share of a piece's words that were kept, up to which it went and from which it stayed."""

Row = dict[str, Any]


def rows(data: Path, corpus: str, part: str) -> Iterator[Mapping[str, Any]]:
    """Yield the entries of a part of a corpus; nothing where there is no such file."""
    for name in (
        f"{corpus}/{part}.jsonl",
        f"{corpus}/{part}.jsonl.xz",
        *([f"{corpus}.jsonl.xz"] if part == "train" else []),
    ):
        if (data / name).is_file():
            yield from (json.loads(line) for _, line in text_lines(data / name))
            return


def texts_of(row: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts of the documents of an entry."""
    yield from row.get("documents", ())
    yield from (section["text"] for section in row.get("sections", ()))


def known_casing(data: Path) -> Casing:
    """Return the case of words in the corpora that have it."""
    return Casing(
        text
        for corpus in CASED
        for row, _ in zip(rows(data, corpus, "train"), range(MOST_CASED), strict=False)
        for text in texts_of(row)
    )


def sentences_of(text: str, casing: Casing | None) -> list[str]:
    """Return the sentences of a text; with `casing` it is one of tokens in lower case."""
    if casing is None:
        return list(sentence_texts(text))
    found, current = list[str](), list[str]()
    for word in text.split():
        if current and current[-1] in (".", "!", "?") and word not in ('"', "'", "''", "”", "’", ")", "-rrb-"):
            found.append(detokenize(casing(current)))
            current = []
        current.append(word)
    return [*found, detokenize(casing(current))] if current else found


def aligned(document: Iterable[str], summary: Iterable[str], looseness: float, source: str, name: str) -> Iterator[Row]:
    """Yield each sentence of a document of which a summary's sentence is a part, with its pieces.

    Args:
        document: Sentences of the document.
        summary: Sentences of its summary.
        looseness: Share of the content words of the summary's sentence that may be others.
        source: Name of the corpus.
        name: Name of the example.
    """
    function = function_words("en", ())
    read = [(text, _words(text)) for text in document]
    for short in summary:
        words = [word for word, _ in _words(short)]
        content = [word for word in words if word not in function]
        if len(words) < FEWEST_WORDS:
            continue
        for text, own in read:
            known = {word for word, _ in own}
            if not len(words) <= len(own) <= MOST_WORDS or _new(content, known) > looseness * len(content):
                continue
            kept, found = kept_words([word for word, _ in own], words, function)
            new = [word for word, has in zip(words, found, strict=True) if not has]
            others = sum(word not in function for word in new)
            if others > looseness * len(content) or len(new) - others > NEW_FUNCTION_WORDS + looseness * len(words):
                continue
            if sum(kept) >= LEAST_KEPT * len(own) and (row := _labelled(text, own, kept)):
                yield {"id": name, **row, "source": source}
            break


def _new(words: Iterable[str], known: set[str]) -> int:
    return sum(word not in known for word in words)


def _words(text: str) -> list[tuple[str, Span]]:
    spans = (span for span in words_of(text) if text[span[0]].isalnum() or text[span[0]] in "'’$£€")
    return [(text[start:end].lower(), (start, end)) for start, end in spans]


def _labelled(text: str, words: Sequence[tuple[str, Span]], kept: Sequence[bool]) -> Row | None:
    """Return a sentence with those of its pieces of which it is clear whether they went; None if it has none."""
    chosen, labels = [], []
    for piece in pieces(text):
        inside = [
            has for has, (_, (start, end)) in zip(kept, words, strict=True) if piece.start <= start and end <= piece.end
        ]
        share = sum(inside) / max(1, len(inside))
        if inside and not WENT < share < STAYED:
            chosen.append(piece)
            labels.append(int(share <= WENT))
    if not chosen:
        return None
    spans = [[one.start, one.end] for one in chosen]
    rounded = [[round(value, 4) for value in row] for row in features_of(text, chosen)]
    return {"sentence": text, "spans": spans, "labels": labels, "features": rounded}


def make(data: Path, part: str, casing: Casing, looseness: float) -> Iterator[Row]:
    """Yield the sentences of a part of all corpora."""
    for corpus in CORPORA:
        restored = casing if corpus in TOKENIZED else None
        for row in rows(data, corpus, part):
            document = [sentence for text in texts_of(row) for sentence in sentences_of(text, restored)]
            told = row.get("summary_sents") or [row["summary"]]
            summary = [sentence for text in told for sentence in sentences_of(text, restored)]
            yield from aligned(document, summary, looseness, corpus, str(row.get("id", "")))


def main() -> None:
    """Make the folder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--looseness", type=float, default=0.25)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    casing = known_casing(given.data)
    for part in ("train", "validation"):
        with (given.out / f"{part}.jsonl").open("w", encoding="utf-8") as lines:
            for row in make(given.data, part, casing, given.looseness):
                lines.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
