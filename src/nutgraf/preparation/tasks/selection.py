"""Sentences of a document: does a summary of it take a sentence?

    [CLS] sentence sentence … [SEP]   [CLS] sentence … [SEP]   …        windows of whole sentences; a sentence is a span

Labels are the extractive oracle's (`text/extractive_oracle.py`), of several references the share of them whose oracle
takes the sentence. The gain of a sentence is the mean, over the references, of the share of its words that the
reference has, and twice that of its pairs of words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from nutgraf.datasets import Dataset, Drop, Record, Row, set_of
from nutgraf.extractive import SentenceRanker, sentence_rankers
from nutgraf.extractive.traits import WIDTH, traits
from nutgraf.extractive.windows import MARKS, windows
from nutgraf.preparation.source import BOS, EOS
from nutgraf.preparation.tasks import SpanExample, Task, TaskConfig
from nutgraf.presets import Choice
from nutgraf.presets.ranges import PositiveInt
from nutgraf.text.document import Document
from nutgraf.text.extractive_oracle import oracle_sentences
from nutgraf.text.genre import recognize_genre
from nutgraf.text.tokenize import ngrams, words
from nutgraf.text.truncate import parts
from nutgraf.tokenizers import Tokenizer

NO_SUMMARY, TOO_FEW = "no summary", "fewer than two sentences"

CERTAIN = 0.5
"""Share of the references from which on a sentence is labelled as one that a summary takes."""


def _adaptive() -> Choice[SentenceRanker]:
    return sentence_rankers.choice({"kind": "adaptive", "introduce": False})


@dataclass(frozen=True)
class Config(TaskConfig):
    """Sentences of a document."""

    longest: PositiveInt = 256
    """Most tokens of a window."""

    longest_sentence: PositiveInt = 128
    """Most tokens that are read of a sentence."""

    most_sentences: PositiveInt = 12
    """Most sentences of an oracle."""

    longest_document: PositiveInt | None = None
    """Most words that are read of a document, in training, shared among several documents of one input; absent: all."""

    rating: Choice[SentenceRanker] = field(default_factory=_adaptive)
    """The section `[task.rating]`: an extractive method, whose rating of a sentence is a feature."""

    def __post_init__(self) -> None:
        if self.longest_sentence + MARKS > self.longest:
            raise ValueError(
                f"longest_sentence = {self.longest_sentence} and two marks are more than longest = {self.longest}"
            )


class SelectionTask(Task):
    """Classifies sentences."""

    spans = 1
    classes = ("left out", "taken")
    config: Config

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self._rating = sentence_rankers.build(config.rating)

    @property
    def features(self) -> int:
        """Number of features of a sentence."""
        return WIDTH

    @property
    def longest(self) -> int:
        """Most tokens of a row."""
        return self.config.longest

    def texts(self, row: Row, dataset: Dataset) -> Iterable[str]:
        """Return the sentences of the document; see `Task`."""
        record = dataset.record(row)
        return [] if record is None else record.document.printed

    def examples(self, row: Row, dataset: Dataset, tokenizer: Tokenizer, drop: Drop) -> Iterator[SpanExample]:
        """Yield the document; see `Task`."""
        record = dataset.record(row, drop)
        if record is None:
            return
        references = [one for one in record.references if any(sentence.strip() for sentence in one)]
        if not references:
            return drop(NO_SUMMARY)
        document, cut = self._shortened(record)
        if len(document.sentences) < 2:
            return drop(TOO_FEW)
        read = self.read(document, tokenizer)
        taken, gains = labels_of(document, references, self.config.most_sentences)
        yield SpanExample(
            rows=read.rows,
            spans=read.spans,
            labels=[int(one >= CERTAIN) for one in taken],
            shares=taken if len(references) > 1 else (),
            gains=gains,
            features=read.features,
            id=record.id,
            origin=set_of(row.file),
            cut=cut or read.cut,
            references=references,
            texts=document.printed,
        )

    def read(self, document: Document, tokenizer: Tokenizer) -> SpanExample:
        """Return a document as the network reads it, without labels."""
        encoded = [tokenizer.encode(text).ids for text in document.printed]
        rows, spans = windows([one[: self.config.longest_sentence] for one in encoded], self.config.longest)
        rated = traits(document, self._rating.rank(document).ratings, recognize_genre(document))
        cut = any(len(one) > self.config.longest_sentence for one in encoded)
        return SpanExample([[BOS, *row, EOS] for row in rows], spans, [], features=rated.tolist(), cut=cut)

    def _shortened(self, record: Record) -> tuple[Document, bool]:
        most, document = self.config.longest_document, record.document
        shortened, cut = (document, ()) if most is None else parts(document, most)
        return shortened, bool(cut)


def labels_of(document: Document, references: Sequence[Sequence[str]], most: int) -> tuple[list[float], list[float]]:
    """Return of each sentence the share of references whose oracle takes it, and its gain."""
    taken, gains = np.zeros(len(document.sentences)), np.zeros(len(document.sentences))
    for reference in references:
        wanted = words(" ".join(reference), document.language)
        taken[oracle_sentences(document.words, wanted, most)] += 1
        known = [set(ngrams(wanted, length)) for length in (1, 2)]
        gains += [_shared(sentence, known) for sentence in document.words]
    return (taken / len(references)).tolist(), (gains / len(references)).tolist()


def _shared(sentence: Sequence[str], known: Sequence[set[tuple[str, ...]]]) -> float:
    total = 0.0
    for length, there in enumerate(known, start=1):
        found = list(ngrams(sentence, length))
        total += length * sum(one in there for one in found) / max(1, len(found))
    return total
