"""The grid search of the magnifier's weights."""

import json
from fractions import Fraction

import numpy as np
import pytest

import nutgraf
from nutgraf.datasets import Record
from nutgraf.errors import InputError
from nutgraf.evaluation.tuning import simplex_grid, tune
from nutgraf.metrics import Example, metrics
from nutgraf.text.document import Document

TEXT = "The {0} is old. Nobody knows who built the {0}. People like the {0} all the same. It has been mended twice."
HALF = [Fraction(1, 2)]


def record(noun, reference="People like the old {0}.", name="1"):
    return Record(name, Document.of(TEXT.format(noun)), ((reference.format(noun),),))


@pytest.fixture(scope="module")
def system():
    return nutgraf.load("mls_plus")


def stop_after(count):
    """A progress that interrupts the search when so many examples are done."""
    left = iter(range(count))

    def progress():
        if next(left, None) is None:
            raise KeyboardInterrupt

    return progress


class TestGrid:
    def test_three_kernels_in_tenths(self):
        grid = simplex_grid(3, 0.1)
        assert len(grid) == len(set(grid)) == 231
        assert np.array(grid).sum(axis=1) == pytest.approx(np.ones(231))
        assert (np.abs(grid) <= 1).all()
        assert (0.4, 0.7, -0.1) in grid

    def test_two_kernels_in_halves(self):
        assert simplex_grid(2, 0.5) == [(0.0, 1.0), (0.5, 0.5), (1.0, 0.0)]

    def test_three_kernels_in_ones(self):
        ones = {(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, -1), (1, -1, 1), (-1, 1, 1)}
        assert set(simplex_grid(3, 1)) == ones

    def test_one_kernel_has_all_the_weight(self):
        assert simplex_grid(1, 0.1) == [(1.0,)]

    @pytest.mark.parametrize("step", [0, -0.1, 0.3, 2, float("nan"), float("inf")])
    def test_a_step_divides_one(self, step):
        with pytest.raises(InputError, match="must divide 1"):
            simplex_grid(3, step)


class TestSearch:
    def test_scores_are_the_rouge_of_the_systems_own_summaries(self, system):
        records = [record("bridge"), record("tower", "The {0} has been mended.")]
        shares = [Fraction(3, 8), Fraction(1, 2)]
        tuned = tune(system, records, shares=shares, step=0.5)
        assert tuned.scores.shape == (len(tuned.grid), 2)
        assert tuned.examples == 2
        rouge = metrics.make("rouge", variants=["1"], stem=True)
        for point in (0, len(tuned.grid) // 2, tuned.best):
            weights = dict(zip(tuned.kernels, tuned.grid[point], strict=True))
            one = nutgraf.load("mls_plus", {f"magnifier.kernels.{name}.weight": w for name, w in weights.items()})
            for column, share in enumerate(shares):
                values = []
                for example in records:
                    sentences = tuple(sentence.text for sentence in one(example.document, share=str(share)).sentences)
                    scored = Example(sentences, example.references)
                    values.append(rouge(scored)["ROUGE-1"])
                assert tuned.scores[point, column] == pytest.approx(np.mean(values))
        assert tuned.scores[tuned.best].mean() == tuned.scores.mean(axis=1).max()

    def test_among_equals_the_weights_nearest_to_equal_ones_win(self, system):
        # A budget that holds all: every point scores the same.
        tuned = tune(system, [record("bridge")], shares=[Fraction(1)], step=0.25)
        assert np.ptp(tuned.scores) == 0
        assert sorted(tuned.weights.values()) == [0.25, 0.25, 0.5]

    def test_a_budget_that_nothing_fits_scores_nothing(self, system):
        tuned = tune(system, [record("bridge")], shares=[Fraction(1, 100)], step=1)
        assert not tuned.scores.any()

    def test_without_an_example_there_is_nothing_to_tune_on(self, system):
        with pytest.raises(InputError, match="no example"):
            tune(system, [], step=1)

    def test_examples_without_text_are_passed_over(self, system):
        empty = [Record("2", Document.of(""), (("A tower.",),)), Record("3", Document.of(TEXT), ())]
        tuned = tune(system, [*empty, record("bridge")], shares=HALF, step=1)
        assert tuned.examples == 1
        assert np.array_equal(tuned.scores, tune(system, [record("bridge")], shares=HALF, step=1).scores)


RECORDS = (record("bridge"), record("tower"), record("mill", "The {0} has been mended."))


@pytest.fixture(scope="module")
def whole(system):
    """A search that nothing interrupts."""
    return tune(system, RECORDS, shares=HALF, step=0.5)


class TestResuming:
    @pytest.fixture
    def keep(self, tmp_path):
        return tmp_path / "tuned.toml.scores.jsonl"

    def test_a_search_goes_on_where_it_was(self, system, keep, whole):
        with pytest.raises(KeyboardInterrupt):
            tune(system, RECORDS, shares=HALF, step=0.5, keep=keep, progress=stop_after(2))
        assert len(keep.read_text().splitlines()) == 1 + 2
        resumed = tune(system, RECORDS, shares=HALF, step=0.5, keep=keep)
        assert np.array_equal(resumed.scores, whole.scores)
        assert resumed.weights == whole.weights
        assert len(keep.read_text().splitlines()) == 1 + 3

    def test_what_is_kept_is_not_computed_again(self, system, keep, monkeypatch):
        tune(system, RECORDS, shares=HALF, step=0.5, keep=keep)
        monkeypatch.setattr(system.magnifier, "assemble", None)
        tune(system, RECORDS, shares=HALF, step=0.5, keep=keep)

    @pytest.mark.parametrize("lost", [1, 10, 1_000])
    def test_a_line_that_was_not_written_to_its_end_does_not_count(self, system, keep, whole, lost):
        tune(system, RECORDS, shares=HALF, step=0.5, keep=keep)
        keep.write_text(keep.read_text()[:-lost])
        assert np.array_equal(tune(system, RECORDS, shares=HALF, step=0.5, keep=keep).scores, whole.scores)
        assert all(json.loads(line) for line in keep.read_text().splitlines())

    def test_scores_of_other_examples_do_not_count(self, system, keep):
        tune(system, RECORDS, shares=HALF, step=0.5, keep=keep)
        fewer = tune(system, RECORDS[1:2], shares=HALF, step=0.5, keep=keep)
        assert fewer.examples == 1
        assert np.array_equal(fewer.scores, tune(system, RECORDS[1:2], shares=HALF, step=0.5).scores)

    @pytest.mark.parametrize("other", [{"step": 1}, {"shares": [Fraction(1, 4)]}, {"fit": "train.jsonl"}])
    def test_scores_of_another_search_are_refused(self, system, keep, other):
        settings = {"shares": HALF, "step": 0.5}
        tune(system, RECORDS[:1], **settings, keep=keep)
        before = keep.read_text()
        with pytest.raises(InputError, match="scores"):
            tune(system, RECORDS[:1], **{**settings, **other}, keep=keep)
        assert keep.read_text() == before

    @pytest.mark.parametrize("content", ["A letter.\n", "[1]\n", "{}\n{}\n"])
    def test_a_file_of_somebodys_own_is_left_alone(self, system, keep, content):
        keep.write_text(content)
        with pytest.raises(InputError, match="scores"):
            tune(system, RECORDS[:1], shares=HALF, step=0.5, keep=keep)
        assert keep.read_text() == content
