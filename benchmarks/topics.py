"""What a topic model of one document costs, beside gensim's, and how well both describe the document.

    python benchmarks/topics.py [FILE …] [--data ../shared/data] [--papers 10]

The documents are papers of DATA/scisummnet (JSON lines with `sections`), or files. Both sides get the same counts of
the document's 300 most frequent terms, its sentences being the texts, the same 10 topics, α = η = 0.1 and 50 passes,
and fit in turn, document by document. gensim's time includes the inference of each text's shares, which ours has as it
goes; reading and imports are left out. The perplexity is that of the counts under the fitted topics and shares; lower
is better. gensim goes into an environment of its own under --peers; where it cannot be had, our figures stand alone.
"""

from __future__ import annotations

import argparse
import itertools
import json
import lzma
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import _data
import _peers
import numpy as np

if TYPE_CHECKING:
    from nutgraf.text.document import Document
    from nutgraf.text.vectors import Array, Matrix

PACKAGES = ("gensim==4.4.0",)
TOPICS, PASSES, TERMS = 10, 50, 300


def main() -> None:
    """Fit both, document by document, and print times, perplexities and ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--data", type=Path, default=_data.FOLDER)
    parser.add_argument("--papers", type=int, default=10)
    parser.add_argument("--peers", type=Path, default=_peers.PLACE / "topics")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        worker()
        return
    if not options.files:
        _data.needed(options.data, "scisummnet")
    python = _peers.environment(options.peers, PACKAGES)
    gensim = Gensim(python) if python else None
    print(
        f"{'document':<24}{'sentences':>10}{'nutgraf':>12}{'perplexity':>12}{'gensim':>12}{'perplexity':>12}{'ratio':>8}"
    )
    rows = [compare(document, gensim) for document in documents(options)]
    ours, fits = (median(column) for column in list(zip(*rows, strict=True))[:2])
    print(f"medians: {ours * 1e3:.1f} ms, perplexity {fits:.1f}")
    if gensim:
        gensim.close()
        ratio, theirs = median(row[2] / row[0] for row in rows), median(row[3] for row in rows)
        print(f"gensim takes {ratio:.0f} times as long, with a perplexity of {theirs:.1f}")
        print(f"ours has the lower perplexity in {sum(row[1] < row[3] for row in rows)} of {len(rows)}")


def documents(options: argparse.Namespace) -> Iterator[Document]:
    """The files, or the first papers."""
    from nutgraf.readers.reading import read
    from nutgraf.text.document import Document

    if options.files:
        for file in options.files:
            yield from read(file)
        return
    with lzma.open(options.data / "scisummnet" / "train.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in itertools.islice(lines, options.papers):
            paper = json.loads(line)
            text = "\n\n".join(section["text"] for section in paper["sections"])
            yield Document.of(text, paper["id"], language="en")


def compare(document: Document, gensim: Gensim | None) -> tuple[float, ...]:
    """Print a row; our seconds and perplexity, and gensim's."""
    from nutgraf.text.topics import lda
    from nutgraf.text.vectors import count_matrix

    frequent = Counter(term for sentence in document.terms for term in sentence).most_common(TERMS)
    counts = count_matrix(document.terms, {term: column for column, (term, _) in enumerate(frequent)})
    start = time.perf_counter()
    model = lda(counts, TOPICS, PASSES)
    row = [time.perf_counter() - start, perplexity(counts, model.text_topics, model.topic_words)]
    if gensim:
        shares, words, theirs = gensim.fit(counts)
        row += [theirs, perplexity(counts, shares, words)]
    figures = "".join(f"{one * 1e3:>9.1f} ms{fit:>12.1f}" for one, fit in zip(row[::2], row[1::2], strict=True))
    ratio = f"{row[2] / row[0]:>8.0f}" if gensim else ""
    print(f"{Path(document.name).name:<24}{counts.shape[0]:>10}{figures}{ratio}", flush=True)
    return tuple(row)


def perplexity(counts: Matrix, shares: Array, words: Array) -> float:
    """exp(−Σ n·log p / Σ n) over all counts n of a term in a text, p being its probability there."""
    cells = counts.tocoo()
    chances = (shares @ words)[cells.row, cells.col]
    return float(np.exp(-(cells.data * np.log(chances)).sum() / cells.data.sum()))


class Gensim:
    """gensim in an environment of its own: this file, run by its Python, line by line."""

    def __init__(self, python: Path) -> None:
        command = [str(python), __file__, "--worker"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def fit(self, counts: Matrix) -> tuple[Array, Array, float]:
        """Shares [texts × topics], words [topics × terms], and the seconds they took."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        rows = [counts[row] for row in range(counts.shape[0])]
        texts = [list(zip(row.indices.tolist(), row.data.astype(int).tolist(), strict=True)) for row in rows]
        print(json.dumps({"texts": texts, "terms": counts.shape[1]}), file=self._process.stdin, flush=True)
        answer = json.loads(self._process.stdout.readline())
        return np.array(answer["shares"]), np.array(answer["words"]), answer["seconds"]

    def close(self) -> None:
        """Let it go."""
        self._process.communicate()


def worker() -> None:
    """In gensim's environment: a line of texts comes, a line with the model goes."""
    from gensim.models import LdaModel

    for line in sys.stdin:
        request: dict[str, Any] = json.loads(line)
        names = {column: str(column) for column in range(request["terms"])}
        start = time.perf_counter()
        model = LdaModel(
            request["texts"],
            num_topics=TOPICS,
            id2word=names,
            alpha=np.full(TOPICS, 1 / TOPICS),
            eta=1 / TOPICS,
            passes=PASSES,
            random_state=0,
        )
        found = [model.get_document_topics(text, minimum_probability=0) for text in request["texts"]]
        seconds = time.perf_counter() - start
        shares = [[float(share) for _, share in text] for text in found]
        print(json.dumps({"shares": shares, "words": model.get_topics().tolist(), "seconds": seconds}), flush=True)


if __name__ == "__main__":
    main()
