"""Sentences and sections of sources: from the text to the batch, and through a prepared corpus."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from corpus import preset, write

torch = pytest.importorskip("torch")

from nutgraf.errors import InputError, OutputError, PresetError  # noqa: E402
from nutgraf.preparation import Preparation, Shards, prepare  # noqa: E402
from nutgraf.preparation.source import EncodedSource, Truncation  # noqa: E402
from nutgraf.preparation.tensors import batch  # noqa: E402
from nutgraf.text.document import Document, Section, join  # noqa: E402
from nutgraf.tokenizers import tokenizers  # noqa: E402

SMALL = {"d_model": 4, "num_heads": 1, "encoder": {"kind": "recurrent"}}
BY_SENTENCE = {**SMALL, "decoder": {"kind": "hi_map"}}
BY_SECTION = {**SMALL, "decoder": {"kind": "daa"}}
NETWORKS = ({"model": BY_SENTENCE}, {"model": BY_SECTION})


def starts(document: Document, kind: str, source: int = 100) -> dict[str, list[int]]:
    tokenizer = tokenizers.make("words", vocab_size=60, min_frequency=1)
    tokenizer.train(document.printed)
    made = Preparation(Truncation(kind, source=source), tokenizer).source(document)
    return {name: one.tolist() for name, one in made.starts.items()}


def test_a_separator_belongs_to_the_sentence_after_it() -> None:
    """Three words and a full stop, two and a full stop; then <sep>, two and a full stop."""
    document = join([Document.of("The ferry sailed. It sank.", language="en"), Document.of("Rust ate.", language="en")])
    assert starts(document, "parts") == {"sentences": [0, 4, 7], "sections": [0, 7]}


def test_text_outside_of_sections_is_a_section_too() -> None:
    text = "It rained. Rust came. It went. All is well."
    sections = [Section("Methods", 11, 30)]
    document = Document.of(text, language="en", sections=sections)
    assert starts(document, "sections") == {"sentences": [0, 3, 6, 9], "sections": [0, 3, 9]}


def test_words_are_numbered_by_what_they_stand_in() -> None:
    """A sentence without words, which begins where the next one does, is not counted."""
    ids = np.full(5, 7)
    one = EncodedSource(ids, ids, (), (), starts={"sentences": np.array([0, 2, 2, 4])})
    other = EncodedSource(ids[:3], ids[:3], (), (), starts={"sentences": np.array([0, 1])})
    made = batch([one, other], segments=["sentences"])
    assert made.sentences.tolist() == [[0, 0, 1, 1, 2], [0, 1, 1, 0, 0]]
    assert made.sections is None
    assert batch([one, other]).sentences is None


def test_a_corpus_keeps_what_the_network_asks_for(tmp_path: Path) -> None:
    source = write(tmp_path / "corpus")
    plain, by_sentence, by_section = (preset(keyphrases=None, **one) for one in ({}, *NETWORKS))
    prepare(plain, source, tmp_path / "plain", workers=1)
    prepare(by_sentence, source, tmp_path / "sentences", workers=1)
    assert "segments" not in Shards.open(tmp_path / "plain").manifest
    shards = Shards.open(tmp_path / "sentences", "train", by_sentence)
    made = shards.batch([0])
    assert made.sentences is not None
    assert made.sections is None
    assert made.sentences.max() == 3
    assert Shards.open(tmp_path / "sentences", "train", plain).batch([0]).sentences is not None
    with pytest.raises(InputError, match="'tiny'"):
        Shards.open(tmp_path / "plain", "train", by_sentence)
    with pytest.raises(InputError, match="sections"):
        Shards.open(tmp_path / "sentences", "train", by_section)
    with pytest.raises(OutputError, match="segments"):
        prepare(by_section, source, tmp_path / "sentences", workers=1)


def test_hidden_spans_have_no_sections(tmp_path: Path) -> None:
    hides = preset(model=BY_SECTION, dataset={"kind": "masked_spans"}, keyphrases=None)
    with pytest.raises(PresetError, match="sections"):
        prepare(hides, write(tmp_path / "corpus"), tmp_path / "out", workers=1)
