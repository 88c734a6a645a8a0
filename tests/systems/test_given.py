"""What callers of the Python interface pass: lists and the like, None, numbers of NumPy, files by any name."""

from __future__ import annotations

import io
import os
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path, PurePath
from typing import Any

import numpy as np
import pytest

import nutgraf
from nutgraf.errors import InputError
from nutgraf.systems import System
from nutgraf.text.document import Document, Phrase, Section, Sentence
from nutgraf.text.flag import Flag
from nutgraf.text.summary import Budget, Cut, Origin, Summary, SummarySentence, SummaryWord

FERRY = "The ferry left at noon. It rained all day on the old harbour. Nobody of the crew was hurt."
BREAD = "The baker sold bread in the morning. A dog slept beside the oven all day. The shop closed at three."


@pytest.fixture(scope="module")
def lead() -> System:
    return nutgraf.load("lead")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "ferry.txt").write_text(FERRY, encoding="utf-8")
    return tmp_path / "ferry.txt"


class Named:
    """The name of a file, as `os.DirEntry` and py.path have it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __fspath__(self) -> str:
        return str(self.path)


class TestDocuments:
    @pytest.mark.parametrize("made", [bytes, bytearray, memoryview, lambda data: memoryview(bytearray(data))])
    def test_the_content_of_a_file_in_any_buffer(self, lead: System, made: Callable[[bytes], Any]) -> None:
        given = made(FERRY.encode())
        assert str(lead(given, sentences=1)) == "The ferry left at noon."
        assert [str(one) for one in lead.many([given], sentences=1)] == ["The ferry left at noon."]

    @pytest.mark.parametrize("named", [Path, PurePath, Named, lambda path: next(os.scandir(path.parent))])
    def test_a_file_by_any_kind_of_name(self, lead: System, file: Path, named: Callable[[Path], Any]) -> None:
        assert str(lead(named(file), sentences=1)) == "The ferry left at noon."
        assert nutgraf.read(named(file))[0].text == FERRY

    @pytest.mark.parametrize(
        "several",
        [
            list,
            tuple,
            iter,
            deque,
            np.array,
            lambda texts: (text for text in texts),
            lambda texts: dict(enumerate(texts)).values(),
            lambda texts: pytest.importorskip("pandas").Series(texts),
        ],
    )
    def test_several_documents_are_a_list_or_what_passes_for_one(
        self, lead: System, several: Callable[[list[str]], Any]
    ) -> None:
        made = lead(several([FERRY, BREAD]), sentences=4)
        assert [(part.start, part.end) for part in made.document.parts] == [(0, 90), (92, 191)]
        assert [str(one)[:9] for one in lead.many(several([FERRY, BREAD]), sentences=1)] == ["The ferry", "The baker"]
        assert nutgraf.check("The baker sold bread.", several([FERRY, BREAD])).novel_bigrams == 0
        first, second = nutgraf.rouge("a b", several(["a b", "c d"]))["1"], nutgraf.rouge("a b", ["a b", "c d"])["1"]
        assert first == second

    def test_tables_and_mappings_are_no_lists(self, lead: System) -> None:
        table = pytest.importorskip("pandas").DataFrame({"text": [FERRY]})
        for given in (table, {"text": FERRY}, np.array(FERRY), 7, None, lead(FERRY)):
            with pytest.raises(InputError, match="document"):
                lead(given)
        for given in (table, np.array(FERRY), np.array([[FERRY]]), memoryview(FERRY.encode())):
            with pytest.raises(InputError, match="documents"):
                lead.many(given)
        for given in (table, {"text": FERRY}, FERRY.encode(), memoryview(FERRY.encode())):
            with pytest.raises(InputError, match=f"{type(given).__name__}"):
                nutgraf.check("The ferry left.", given)
        for given in (table, {"text": FERRY}, FERRY.encode()):
            with pytest.raises(InputError, match="text to score"):
                nutgraf.rouge(FERRY, given)


class TestHighlights:
    @pytest.mark.parametrize(
        "highlights",
        [
            ["old harbour:2"],
            [("old harbour", 2.0)],
            (["old harbour", 2],),
            {"old harbour": 2}.items(),
            {"old harbour": np.float64(2)},
            [("old harbour", np.int64(2))],
            (text for text in ["old harbour:2"]),
            np.array(["old harbour:2"]),
        ],
    )
    def test_a_phrase_with_its_weight(self, lead: System, highlights: Any) -> None:
        effect = lead(FERRY, sentences=1, highlights=highlights).effect
        assert effect is not None
        assert [(one.phrase, one.weight) for one in effect.mentions] == [("old harbour", 2.0)]

    def test_a_generator_holds_for_every_document(self, lead: System) -> None:
        given = (text for text in ["all day"])
        assert [one.highlights for one in lead.many([FERRY, BREAD], sentences=1, highlights=given)] == [
            ("all day",)
        ] * 2
        streamed = lead.stream([FERRY, BREAD], sentences=1, highlights=iter(["all day"]))
        assert [one.highlights for one in streamed] == [("all day",)] * 2

    def test_none_is_none(self, lead: System) -> None:
        plain = lead(FERRY, sentences=1)
        assert lead(FERRY, sentences=1, highlights=None, query=None) == plain
        assert lead.many([FERRY], sentences=1, highlights=None, query=None, oracles=None) == [plain]
        assert list(lead.stream([FERRY], sentences=1, highlights=None, query=None)) == [plain]
        with pytest.raises(InputError, match="compared"):
            lead(FERRY, highlights=None, compare=True)
        assert nutgraf.load("lead", None).signature == lead.signature
        whole = Document.of(FERRY, sections=None, pages=None, turns=None, sentences=None, notices=None)
        assert whole == Document.of(FERRY)


def test_an_unknown_keyword_argument_is_answered_with_the_nearest_one() -> None:
    with pytest.raises(TypeError, match="'words'"):
        nutgraf.load("lead")("The ferry is late. It waits for the tide.", word=4)  # type: ignore[call-overload]


def test_values_of_numpy_are_values() -> None:
    system = nutgraf.load("lead", {"seed": np.int64(3)}, np.bool_(False), threads=np.int64(1), deterministic=np.True_)
    assert system.signature == nutgraf.load("lead", ["seed=3"], threads=1, deterministic=True).signature
    assert nutgraf.phrases(FERRY, top=np.int64(2), ngram_range=np.array([1, 2])) == nutgraf.phrases(
        FERRY, top=2, ngram_range=(1, 2)
    )
    assert nutgraf.rouge("a b", "a c", stem=np.bool_(True)) == nutgraf.rouge("a b", "a c", stem=True)
    assert system(FERRY, sentences=1, highlights="crew", compare=np.bool_(True)).effect.unsteered is not None


def test_a_span_is_a_pair_of_offsets() -> None:
    document = Document.of(FERRY)
    assert Document.of(FERRY, sentences=document.sentences).sentences == document.sentences
    assert Document.of(FERRY, sentences=np.array([[0, 23]])).sentences == (Sentence(0, 23),)
    assert Document.of(FERRY, sentences=[(24, 10**9)]).sentences == (Sentence(24, 90),)
    for wrong in ((-1, 4), (9, 4)):
        with pytest.raises(InputError, match="span begins"):
            Document.of(FERRY, sentences=[wrong])
    for other in (7, (1, 2, 3), ("a", "b"), None):
        with pytest.raises(InputError, match="start and end"):
            Document.of(FERRY, sentences=[other])
    with pytest.raises(InputError, match="offsets"):
        document.show((1, 2, 3))


def records(value: object) -> Iterator[object]:
    """Yield a record, and those in it."""
    if is_dataclass(value):
        yield value
        for field in fields(value):
            yield from records(getattr(value, field.name))
    elif isinstance(value, tuple | list):
        for item in value:
            yield from records(item)
    elif isinstance(value, dict):
        yield from records(list(value.values()))


class TestRecords:
    """Records that are compared by their values and cannot change have a hash: they fit into sets and mappings."""

    def test_every_record_of_a_summary_a_check_and_a_score_has_a_hash(self, lead: System) -> None:
        system = nutgraf.load()
        summary = system(
            [Document.of(FERRY, "ferry"), BREAD], sentences=2, highlights=["crew", "whale"], compare=True, query="Who?"
        )
        checked = nutgraf.check("Nine boats left. The crew was hurt.", [FERRY, BREAD])
        found = list(records([summary, checked, nutgraf.rouge("a", "b"), nutgraf.phrases(FERRY), summary.phrases]))
        assert {Summary, SummarySentence, Document, Sentence, Section, Origin, Budget, Phrase, Flag} <= {
            type(one) for one in found
        }
        for record in found:
            assert hash(record) == hash(record), type(record)

    def test_equal_records_have_equal_hashes(self, lead: System) -> None:
        first, again = lead(FERRY, sentences=1), lead(io.StringIO(FERRY), sentences=1)
        assert lead(FERRY, sentences=1) in {first}
        assert again != first  # its document has a name
        loaded = Summary.loads(first.dumps(), first.document)
        assert (loaded == first, hash(loaded) == hash(first)) == (True, True)
        word = SummaryWord("ferry", 0, "copied", Origin(0, 4, 9))
        shares: list[dict[str, float]] = [{"theme": 0.5, "lead": 0.5}, {"lead": 0.5, "theme": 0.5}]
        one, other = (SummarySentence("Ferry.", "generated", (), shares=each, words=(word,)) for each in shares)
        assert len({one, other}) == 1
        assert len({Cut(0, 1, 2, 1, "by-line"), Cut(0, 1, 2, 1, "by-line")}) == 1
