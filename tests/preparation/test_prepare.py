"""A corpus becomes shards."""

from __future__ import annotations

import errno
import importlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpus import ENTRIES, FERRY, ONE, preset, write

from nutgraf.datasets import datasets
from nutgraf.errors import InputError, OutputError, PresetError
from nutgraf.preparation import EncodedSource, Preparation, Shards, overview, prepare

module = importlib.import_module("nutgraf.preparation.prepare")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write(tmp_path / "corpus")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK", 2)


def names(shards: Shards) -> list[str]:
    return [shards.name(index) for index in range(len(shards))]


def close(one: EncodedSource, other: EncodedSource) -> bool:
    """Return True if the same phrases have the same places, and the same scores except for rounding."""
    return np.shape(one.places) == np.shape(other.places) and np.allclose(one.places, other.places)


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class TestShards:
    def test_they_hold_what_the_preparation_makes(self, source: Path, out: Path) -> None:
        prepare(preset(), source, out, workers=1)
        shards = Shards.open(out, "train")
        made = Preparation.of(preset(), shards.tokenizer())
        records = datasets.make("jsonl", language="en").read(source / "train.jsonl")
        kept = [record for record in records if record.id not in ("empty", "mute")]
        assert names(shards) == [record.id for record in kept]
        for index, record in enumerate(kept):
            ours, theirs = made.source(record.document), shards.source(index)
            target = made.target(record.references[0], ours)
            assert theirs.ids.tolist() == ours.ids.tolist()
            assert theirs.extended.tolist() == ours.extended.tolist()
            assert theirs.unknown == ours.unknown
            assert close(theirs, ours)
            assert shards.target(index).ids.tolist() == target.ids.tolist()
            assert shards.target(index).extended.tolist() == target.extended.tolist()
            assert shards.references(index) == record.references

    def test_unknown_words_keep_their_ids(self, source: Path, out: Path) -> None:
        prepare(preset(tokenizer={"kind": "words", "vocab_size": 9}), source, out, workers=1)
        shards = Shards.open(out)
        first = shards.source(0)
        assert {"skarholm", "orrin"} <= set(first.unknown)
        assert first.extended.max() == len(shards.tokenizer()) + len(first.unknown) - 1
        assert shards.target(0).extended.max() > len(shards.tokenizer())

    def test_lengths_and_batches(self, source: Path, out: Path) -> None:
        pytest.importorskip("torch")
        prepare(preset(), source, out, workers=1)
        shards = Shards.open(out)
        sources, targets = shards.lengths
        assert sources.tolist() == [len(shards.source(index).ids) for index in range(len(shards))]
        assert targets.tolist() == [len(shards.target(index).ids) for index in range(len(shards))]
        assert targets.max() == 7 + 2
        made = shards.batch([2, 0])
        assert made.source.shape == (2, sources[[2, 0]].max())
        assert (~made.key_padding_mask).sum(1).tolist() == sources[[2, 0]].tolist()
        assert made.target is not None
        assert made.target.shape == (2, targets[[2, 0]].max())

    def test_nothing_is_pickled(self, source: Path, out: Path) -> None:
        prepare(preset(), source, out, workers=1)
        for path in out.rglob("*.npy"):
            np.load(path, allow_pickle=False)

    def test_the_manifest(self, source: Path, out: Path) -> None:
        manifest = prepare(preset(), source, out, workers=1)
        assert manifest == json.loads((out / "manifest.json").read_text()) == Shards.open(out).manifest
        train = manifest["splits"]["train"]
        assert train["examples"] == 5
        assert train["dropped"] == {"no text": 1, "no summary": 1}
        assert train["source"] == Shards.open(out).lengths[0].sum()
        assert manifest["configuration"]["keyphrases"]["window"] == 10
        assert list(manifest["files"]["test"]) == ["test.jsonl"]
        assert sorted(path.name for path in out.iterdir()) == [
            *("manifest.json", "test", "tokenizer", "train", "validation"),
        ]  # fmt: skip

    def test_the_overview_says_what_was_dropped(self, source: Path, out: Path) -> None:
        text = overview(prepare(preset(), source, out, workers=1))
        head, train, *_ = text.splitlines()
        assert head.split() == ["examples", "in", "out", "phrases", "cut", "unknown", "dropped"]
        assert train.split()[:2] + train.split()[-1:] == ["train", "5", "2"]
        assert "train: 1 dropped, no summary" in text

    def test_words_of_summaries_that_the_vocabulary_and_the_sources_lack(self, tmp_path: Path, out: Path) -> None:
        """12 words are written. "sank" comes once, so it is unknown; "orrin" and "left" are in another source."""
        pairs = [
            ("The gauge failed.", "The gauge sank."),
            ("Orrin left.", "Orrin left."),
            ("The gauge failed.", "Orrin left the gauge."),
        ]
        source = write(tmp_path / "corpus", train=[{"text": text, "summary": summary} for text, summary in pairs])
        frequent = preset(tokenizer={"kind": "words", "vocab_size": 60, "min_frequency": 2}, keyphrases=None)
        text = overview(prepare(frequent, source, out, workers=1))
        told = (
            "train: of the words of the summaries 8.33% are outside the vocabulary, and 25.00% are not in their source"
        )
        assert told in text

    @pytest.mark.parametrize("split", ["train", "validation"])
    def test_what_is_no_prepared_corpus_is_refused(self, split: str, source: Path, out: Path) -> None:
        with pytest.raises(InputError, match="prepare"):
            Shards.open(source, split)

    def test_a_split_that_is_not_there(self, tmp_path: Path, out: Path) -> None:
        source = write(tmp_path / "corpus", train=ENTRIES, validation=[])
        text = overview(prepare(preset(), source, out, workers=1))
        assert "There is no validation data." in text
        with pytest.raises(InputError, match="'validation'"):
            Shards.open(out, "validation")

    @pytest.mark.parametrize("name", ["source.npy", "places.ends.npy", "texts.npy"])
    @pytest.mark.parametrize("damage", ["cut", "gone"])
    def test_damaged_files_are_named(self, name: str, damage: str, source: Path, out: Path) -> None:
        prepare(preset(), source, out, workers=1)
        path = out / "train" / name
        path.write_bytes(path.read_bytes()[:-9]) if damage == "cut" else path.unlink()
        with pytest.raises(InputError, match="anew"):
            Shards.open(out)


class TestChecking:
    @pytest.fixture
    def shards(self, source: Path, out: Path) -> Shards:
        prepare(preset(), source, out, workers=1)
        return Shards.open(out)

    def test_the_same_preset_fits_and_the_data_decide_the_corpus(self, shards: Shards) -> None:
        shards.check(preset())
        shards.check(preset(dataset={"kind": "multi_news"}))

    def test_a_preset_without_phrases_takes_data_with_phrases(self, shards: Shards) -> None:
        shards.check(preset(keyphrases=None))

    @pytest.mark.parametrize(
        ("section", "message"),
        [
            ({"truncation": {"kind": "parts", "source": 41, "target": 7}}, "truncation.source is 40 there, 41 here"),
            ({"tokenizer": {"kind": "words", "vocab_size": 61}}, "tokenizer.vocab_size is 60 there, 61 here"),
            (
                {"keyphrases": {"kind": "position_rank", "top": 4, "ngram_range": [2, 3]}},
                "keyphrases.top is 3 there, 4 here",
            ),
            ({"keyphrases": {"kind": "rake"}}, "keyphrases.kind is 'position_rank' there, 'rake' here"),
        ],
    )
    def test_what_differs_is_named(self, shards: Shards, section: dict[str, Any], message: str) -> None:
        with pytest.raises(InputError, match="'tiny'") as error:
            shards.check(preset(**section))
        assert message in str(error.value)

    def test_phrases_that_are_missing(self, tmp_path: Path, source: Path) -> None:
        prepare(preset(keyphrases=None), source, tmp_path / "plain", workers=1)
        with pytest.raises(InputError, match="'position_rank'"):
            Shards.open(tmp_path / "plain").check(preset())


class TestResuming:
    def test_a_run_that_was_killed_goes_on(
        self, source: Path, out: Path, tmp_path: Path, small_chunks: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        work = module._Work
        done: list[str] = []
        whole = work.write

        def write(self: object, rows: list[Any], part: Path) -> None:
            if len(done) == 2:
                raise KeyboardInterrupt
            whole(self, rows, part)
            done.append(f"{part.parent.name} {part.stem}")

        monkeypatch.setattr(work, "write", write)
        with pytest.raises(KeyboardInterrupt):
            prepare(preset(), source, out, workers=1)
        assert not (out / "manifest.json").exists()
        with pytest.raises(InputError, match="prepared"):
            Shards.open(out)
        done.clear()
        monkeypatch.setattr(work, "write", lambda self, *given: (whole(self, *given), done.append(given[1].stem))[0])
        prepare(preset(), source, out, workers=1)
        assert done[:2] == ["000002", "000003"]
        monkeypatch.setattr(work, "write", whole)
        prepare(preset(), source, tmp_path / "at once", workers=1)
        assert content(out) == content(tmp_path / "at once")

    def test_a_run_that_was_killed_while_it_wrote_its_plan_goes_on(
        self, source: Path, out: Path, tmp_path: Path
    ) -> None:
        out.mkdir()
        (out / ".unfinished.json.a1b2c3d4.unfinished").mkdir()
        prepare(preset(), source, out, workers=1)
        prepare(preset(), source, tmp_path / "at once", workers=1)
        assert content(out) == content(tmp_path / "at once")
        assert sorted(path.name for path in out.iterdir()) == sorted(
            path.name for path in (tmp_path / "at once").iterdir()
        )

    def test_what_a_kill_left_beside_a_complete_corpus_is_removed(self, source: Path, out: Path) -> None:
        prepare(preset(), source, out, workers=1)
        before = {path.name for path in out.iterdir()}
        (out / "parts" / "train").mkdir(parents=True)
        (out / "unfinished.json").write_text("{}")
        prepare(preset(), source, out, workers=1)
        (out / ".lock").write_text("1\n")
        prepare(preset(), source, out, workers=1)
        assert {path.name for path in out.iterdir()} == before

    def test_what_is_complete_is_not_made_again(self, source: Path, out: Path) -> None:
        first = prepare(preset(), source, out, workers=1)
        before = {path: path.stat().st_mtime_ns for path in out.rglob("*")}
        assert prepare(preset(), source, out, workers=1) == first
        assert {path: path.stat().st_mtime_ns for path in out.rglob("*")} == before

    @pytest.mark.parametrize("begun", [True, False])
    def test_another_configuration_is_refused(
        self, source: Path, out: Path, begun: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if begun:
            monkeypatch.setattr(module, "_finish", lambda *given: None)
        prepare(preset(), source, out, workers=1)
        other = preset(truncation={"kind": "head", "source": 40, "target": 7})
        with pytest.raises(OutputError, match=r"truncation\.kind is 'parts' there, 'head' here"):
            prepare(other, source, out, workers=1)
        with pytest.raises(OutputError, match="limit"):
            prepare(preset(), source, out, limit=3, workers=1)
        with pytest.raises(OutputError, match="oracle"):
            prepare(preset(), source, out, oracle=True, workers=1)

    def test_a_corpus_that_was_changed_is_refused(self, source: Path, out: Path) -> None:
        prepare(preset(), source, out, workers=1)
        write(source, train=ENTRIES[:3], validation=ENTRIES[:1], test=ENTRIES[1:2])
        with pytest.raises(OutputError, match=r"files.train.train\.jsonl is"):
            prepare(preset(), source, out, workers=1)

    def test_a_folder_with_other_things_is_left_alone(self, source: Path, out: Path) -> None:
        out.mkdir()
        (out / "thesis.txt").write_text("years of work")
        with pytest.raises(OutputError, match=r"not empty \(thesis\.txt\)"):
            prepare(preset(), source, out, workers=1)
        assert (out / "thesis.txt").read_text() == "years of work"


class TestATokenizerOfAnotherFolder:
    @pytest.fixture
    def trunk(self, tmp_path: Path) -> Path:
        entries = [{"id": str(one), "text": text, "summary": "A gauge."} for one, text in enumerate((FERRY, ONE, "A."))]
        prepare(preset(), write(tmp_path / "others", train=entries), tmp_path / "trunk", workers=1)
        return tmp_path / "trunk"

    @pytest.mark.parametrize("place", ["", "tokenizer"])
    def test_it_is_taken_and_none_is_learned(self, place: str, trunk: Path, source: Path, out: Path) -> None:
        steps: list[str] = []
        made = prepare(
            preset(), source, out, workers=1, tokenizer=trunk / place, progress=lambda what, done: steps.append(what)
        )
        assert Shards.open(out).tokenizer().tokens == Shards.open(trunk).tokenizer().tokens
        assert "Training the tokenizer" not in steps
        assert made["tokenizer_of"] == str(trunk / place)
        assert "orrin" in Shards.open(out).source(0).unknown

    def test_what_an_extractor_counts_is_counted_anew(self, trunk: Path, source: Path, out: Path) -> None:
        tuned = preset(keyphrases={"kind": "tfidf", "top": 3})
        prepare(tuned, source, out, workers=1, tokenizer=trunk)
        assert (out / "tokenizer" / "phrases.json").is_file()

    def test_the_same_again_is_not_made_again_and_another_is_refused(
        self, trunk: Path, source: Path, out: Path, tmp_path: Path
    ) -> None:
        first = prepare(preset(), source, out, workers=1, tokenizer=trunk)
        assert prepare(preset(), source, out, workers=1, tokenizer=trunk / "tokenizer") == first
        with pytest.raises(OutputError, match="tokenizer"):
            prepare(preset(), source, out, workers=1)
        prepare(preset(), source, tmp_path / "learned", workers=1)
        with pytest.raises(OutputError, match="tokenizer"):
            prepare(preset(), source, out, workers=1, tokenizer=tmp_path / "learned")

    @pytest.mark.parametrize(
        ("section", "message"),
        [
            ({"kind": "words", "vocab_size": 7}, "7 words at most"),
            ({"kind": "subwords"}, "--set"),
        ],
    )
    def test_one_that_does_not_fit(
        self, section: dict[str, Any], message: str, trunk: Path, source: Path, out: Path
    ) -> None:
        with pytest.raises(InputError, match=message):
            prepare(preset(tokenizer=section), source, out, workers=1, tokenizer=trunk)
        assert not out.exists()

    def test_one_that_is_not_there(self, source: Path, out: Path) -> None:
        with pytest.raises(InputError, match="tokenizer"):
            prepare(preset(), source, out, workers=1, tokenizer=source)


def test_several_processes_write_what_one_writes(source: Path, out: Path, tmp_path: Path, small_chunks: None) -> None:
    tuned = preset(keyphrases={"kind": "tfidf", "top": 3})
    prepare(tuned, source, out, workers=1)
    prepare(tuned, source, tmp_path / "two", workers=2)
    assert content(out) == content(tmp_path / "two")


def test_limit_is_for_each_split(source: Path, out: Path) -> None:
    manifest = prepare(preset(), source, out, limit=2, workers=1)
    assert {split: counts["examples"] for split, counts in manifest["splits"].items()} == {
        "train": 2,
        "validation": 1,
        "test": 1,
    }


def test_progress_tells_each_step(source: Path, out: Path) -> None:
    steps: list[tuple[str, int]] = []
    prepare(preset(), source, out, workers=1, progress=lambda what, done: steps.append((what, done)))
    assert steps == [("Training the tokenizer", 7), ("train", 7), ("validation", 1), ("test", 1)]


def test_an_oracle_marks_the_manifest(source: Path, out: Path, tmp_path: Path) -> None:
    manifest = prepare(preset(), source, out, oracle=True, workers=1)
    assert manifest["oracle"] is True
    assert "oracle" in overview(manifest)
    assert "oracle" not in prepare(preset(), source, tmp_path / "honest", workers=1)
    shards = Shards.open(out)
    guided = [bool(shards.source(index).places) for index in range(len(shards))]
    assert dict(zip(names(shards), guided, strict=True))["two"]
    assert not dict(zip(names(shards), guided, strict=True))["ferry"]


def test_an_oracle_needs_phrases(source: Path, out: Path) -> None:
    with pytest.raises(PresetError, match="no phrases"):
        prepare(preset(keyphrases=None), source, out, oracle=True)


class TestLearnedFrequencies:
    PRESET = preset(keyphrases={"kind": "tfidf", "top": 2, "ngram_range": [2, 3]})

    def test_they_are_counted_in_the_training_part_and_used_ever_after(self, tmp_path: Path, out: Path) -> None:
        tides = {"documents": ["An old tide came."], "summary": "It came."}
        source = write(tmp_path / "corpus", train=[*ENTRIES, tides], validation=ENTRIES[:1])
        prepare(self.PRESET, source, out, workers=1)
        shards = Shards.open(out)
        learned = Preparation.of(self.PRESET, shards.tokenizer(), out / "tokenizer")
        assert learned.extractor.documents == len(ENTRIES) + 1  # type: ignore[union-attr]
        assert learned.extractor.frequencies["tide gauge"] == 5  # type: ignore[union-attr]
        (record,) = datasets.make("jsonl", language="en").read(source / "validation.jsonl")
        prepared = Shards.open(out, "validation").source(0)
        assert close(prepared, learned.source(record.document))
        assert not close(prepared, Preparation.of(self.PRESET, shards.tokenizer()).source(record.document))

    def test_where_they_are_missing_it_is_said(self, source: Path, out: Path) -> None:
        prepare(preset(), source, out, workers=1)
        with pytest.raises(InputError, match=r"phrases\.json"):
            Preparation.of(self.PRESET, Shards.open(out).tokenizer(), out / "tokenizer")


class TestMistakes:
    def test_no_training_data(self, tmp_path: Path, out: Path) -> None:
        with pytest.raises(InputError, match="training"):
            prepare(preset(), write(tmp_path / "corpus", test=ENTRIES), out)

    @pytest.mark.parametrize("entries", [[], ENTRIES[2:4]])
    def test_nothing_to_train_on(self, tmp_path: Path, out: Path, entries: list[dict[str, Any]]) -> None:
        with pytest.raises(InputError, match="training") as error:
            prepare(preset(), write(tmp_path / "corpus", train=entries), out, workers=1)
        assert bool(entries) == ("1 × no summary" in str(error.value))

    @pytest.mark.parametrize("kind", ["words", "subwords"])
    @pytest.mark.parametrize(("split", "line"), [("train", 8), ("test", 2)])
    @pytest.mark.parametrize(
        ("broken", "message"), [("{broken", "this is not valid JSON"), ('{"id": 1}', "no text was found")]
    )
    def test_a_broken_line_is_named(
        self, kind: str, split: str, line: int, broken: str, message: str, source: Path, out: Path
    ) -> None:
        if kind == "subwords":
            pytest.importorskip("tokenizers")
        with (source / f"{split}.jsonl").open("a") as file:
            file.write(f"{broken}\n")
        with pytest.raises(InputError, match=rf"{split}\.jsonl, line {line}: {message}"):
            prepare(preset(tokenizer={"kind": kind, "vocab_size": 300}), source, out, workers=1)

    def test_nothing_there(self, tmp_path: Path, out: Path) -> None:
        with pytest.raises(InputError, match="missing"):
            prepare(preset(), tmp_path / "missing", out)
        assert not out.exists()

    def test_a_full_disk_is_said_and_the_run_goes_on_later(
        self, source: Path, out: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(*_: object, **__: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        with monkeypatch.context() as patched:
            patched.setattr(np, "savez", full)
            with pytest.raises(OutputError, match="space left"):
                prepare(preset(), source, out, workers=1)
        with monkeypatch.context() as patched:
            patched.setattr(np, "save", full)
            with pytest.raises(OutputError, match="space left"):
                prepare(preset(), source, out, workers=1)
        assert prepare(preset(), source, out, workers=1)["splits"]["train"]["examples"] == 5

    def test_a_place_that_cannot_be_written_to(self, source: Path, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(OutputError, match="be made"):
            prepare(preset(), source, tmp_path / "file" / "out", workers=1)

    def test_a_preset_that_is_wrong_is_said_before_anything_is_written(self, source: Path, out: Path) -> None:
        with pytest.raises(PresetError, match="'sorce'"):
            prepare(preset(truncation={"sorce": 4}), source, out)
        assert not out.exists()


def test_one_file_is_dealt_out(tmp_path: Path, out: Path) -> None:
    texts = [FERRY.replace("Skarholm", f"Skarholm{number}") for number in range(40)]
    source = write(tmp_path / "corpus", all=[{"text": text, "summary": "It failed."} for text in texts])
    manifest = prepare(preset(), source / "all.jsonl", out, workers=1)
    counts = [counts["examples"] for counts in manifest["splits"].values()]
    assert counts == [36, 2, 2]
    assert "SHA-256 of the text, seed 0" in overview(manifest)
    numbers = [word for split in ("train", "validation", "test") for word in names(Shards.open(out, split))]
    assert sorted(map(int, numbers)) == list(range(1, 41))


def test_what_is_skipped_belongs_to_no_split_of_one_file_and_is_told(tmp_path: Path, out: Path) -> None:
    pairs = [{"documents": [ONE, f"{FERRY} {number}"], "summary": "It failed."} for number in range(20)]
    source = write(tmp_path / "corpus", all=[*pairs, {"documents": [ONE], "summary": "It came."}])
    manifest = prepare(preset(dataset={"kind": "multi_news"}), source / "all.jsonl", out, workers=1)
    assert [counts["examples"] for counts in manifest["splits"].values()] == [18, 1, 1]
    assert "train: 1 dropped, fewer than 2 articles" in overview(manifest)


def test_shares_of_sections_are_those_of_the_papers_that_are_kept(tmp_path: Path, out: Path) -> None:
    """Three papers are kept: all have results (one twice), two a conclusion, one methods; one has what no class has.
    The paper without an abstract, and the discussion after a conclusion, do not count."""
    named = [
        ["Results", "Findings by place", "Conclusions", "Discussion"],
        ["Materials and methods", "Results", "Funding"],
        ["Results", "Conclusion"],
        ["Introduction"],
    ]
    papers = [
        {
            "sections": [{"name": name, "text": f"{FERRY} {number}"} for number, name in enumerate(names)],
            "summary": "It failed." if len(names) > 1 else "",
        }
        for names in named
    ]
    dataset = {"kind": "pubmed", "abstract_range": [1, 9]}
    truncation = {"kind": "sections", "source": 40, "target": 7}
    source = write(tmp_path / "corpus", train=papers, validation=papers[2:3])
    manifest = prepare(preset(dataset=dataset, truncation=truncation), source, out, workers=1)
    assert manifest["splits"]["train"]["sections"] == {"results": 3, "conclusion": 2, "methods": 1}
    assert Shards.open(out).manifest == manifest
    lines = [line.split() for line in overview(manifest).splitlines()]
    first = lines.index(["sections", "train", "validation"])
    assert lines[first + 1 : first + 4] == [
        ["results", "100.0%", "100.0%"],
        ["conclusion", "66.7%", "100.0%"],
        ["methods", "33.3%", "0.0%"],
    ]


def test_a_corpus_without_classes_of_sections_has_no_such_table(source: Path, out: Path) -> None:
    manifest = prepare(preset(), source, out, workers=1)
    assert "sections" not in manifest["splits"]["train"]
    assert "sections" not in overview(manifest)
