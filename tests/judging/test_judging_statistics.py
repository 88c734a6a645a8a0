"""Agreement, comparisons and strengths: numbers done by hand, and studies with known preferences."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import special

from nutgraf.judging.agreement import category_counts, fleiss_kappa, krippendorff_alpha
from nutgraf.judging.comparison import as_matrix, cluster_variance, compare, noise_variance, sign_flip_p
from nutgraf.judging.mixed_model import fit_reml, mixed_model, table_in_general
from nutgraf.judging.simulation import Raters, with_kappa

pytest.importorskip("statsmodels")
pytest.importorskip("krippendorff")
pytest.importorskip("choix")

from statsmodels.stats.proportion import proportion_confint

from nutgraf.judging.bradley_terry import fit, refit, strengths


def test_fleiss_kappa_by_hand() -> None:
    """P = 1, 1/3, 0, 1, so P̄ = 7/12; p = 1/2, 1/6, 1/3, so P̄ₑ = 7/18; κ = (7/12 − 7/18) / (11/18) = 7/22."""
    counts = category_counts([["a", "a", "a"], ["a", "b", "a"], ["a", "b", "c"], ["c", "c", "c"]], ("a", "b", "c"))
    assert fleiss_kappa(counts) == pytest.approx(7 / 22)


def test_kappa_of_perfect_agreement_is_1_also_where_it_is_undefined() -> None:
    assert fleiss_kappa([[3, 0], [0, 3]]) == pytest.approx(1)
    assert fleiss_kappa([[3, 0], [3, 0]]) == 1


def test_kappa_needs_as_many_judges_everywhere() -> None:
    with pytest.raises(ValueError, match="same number"):
        fleiss_kappa([[3, 0], [1, 1]])


def test_krippendorff_alpha_by_hand() -> None:
    """Of 8 labels 5 are 1 and 3 are 2: Dₒ = 2/8, Dₑ = 30/56, α = 1 − 14/30."""
    assert krippendorff_alpha([[1, 1, 2, 1, np.nan], [1, 1, 2, 2, 1]], "nominal") == pytest.approx(16 / 30)
    assert krippendorff_alpha([[1, 1], [1, 1]], "nominal") == 1
    assert math.isnan(krippendorff_alpha([[1, np.nan], [np.nan, 1]], "nominal"))


def test_the_signs_of_three_documents_can_be_changed_in_eight_ways() -> None:
    """Of ±2 ±1 ±1, two totals are as large as 4, and four more as large as 2."""
    assert sign_flip_p([2, 1, 1]) == 2 / 8
    assert sign_flip_p([2, 1, -1]) == 6 / 8
    assert sign_flip_p([0, 0]) == 1
    with pytest.raises(ValueError, match="whole"):
        sign_flip_p([0.5])


def test_variances_by_hand() -> None:
    """Judges who agree on opposite items have no noise; judges who contradict each other have nothing else."""
    everywhere = np.ones((2, 2), dtype=bool)
    additive = np.array([[1.0, -1.0], [1.0, -1.0]])
    assert noise_variance(additive, everywhere) == 0
    assert cluster_variance(additive.sum(axis=0), 2, 4) == (4 + 4) / 16 * 2
    crossed = np.array([[1.0, -1.0], [-1.0, 1.0]])
    assert noise_variance(crossed, everywhere) == 4 / 1 / 4
    assert cluster_variance(crossed.sum(axis=1), 2, 4) == 0


def test_few_judges_get_an_exact_test_and_many_get_clusters() -> None:
    scores = Raters(0.6, 0.2).draw(10, 50, np.random.default_rng(3))
    many, few = compare(scores), compare(scores[:9])
    assert many.method == "two-way clusters"
    assert few.method == "exact permutation of documents"
    assert few.p == sign_flip_p(scores[:9].sum(axis=0))
    assert few.low < few.mean < few.high
    assert many.high - many.low > few.high - few.low, "it also speaks about other judges"


def test_the_mixed_model_is_an_analysis_of_variance_where_all_judge_all() -> None:
    """Three judges, four documents; by hand: means of judges 1, 0, −1, of documents 1, 1, −1, −1, and noise ±1/2.

    Mean squares: of judges 4 · 2 / 2, of documents 3 · 4 / 3, of noise (8 · 1/4 + 2 · 1) / 6.
    """
    noise = np.array([[1, -1, 1, -1], [-1, 1, 1, -1], [0, 0, -2, 2]]) / 2
    table = np.array([[1.0], [0.0], [-1.0]]) + np.array([1.0, 1.0, -1.0, -1.0]) + noise
    squares_judges, squares_items, squares_noise = 4 * 2 / 2, 3 * 4 / 3, (8 * 0.25 + 2 * 1) / 6
    variance = (squares_judges + squares_items - squares_noise) / 12
    found = mixed_model(table)
    assert found.mean == pytest.approx(0, abs=1e-6)
    assert found.judge_sd == pytest.approx(((squares_judges - squares_noise) / 4) ** 0.5, rel=1e-3)
    assert found.item_sd == pytest.approx(((squares_items - squares_noise) / 3) ** 0.5, rel=1e-3)
    parts = ((squares_judges / 12, 2), (squares_items / 12, 3), (-squares_noise / 12, 6))

    def quantile(p: float) -> float:
        """Student's t, averaged with the mean squares as weights (Cochran 1964)."""
        return float(-sum(part * special.stdtrit(one, p / 2) for part, one in parts) / variance)

    assert found.high - found.mean == pytest.approx(quantile(0.05) * variance**0.5, rel=1e-3)
    moved = mixed_model(table + 1)
    assert (moved.mean, moved.high - moved.low) == pytest.approx((1, found.high - found.low), rel=1e-3)
    assert quantile(moved.p) * variance**0.5 == pytest.approx(1, rel=1e-3)


NOISE = np.array([[1, -1, 1, -1], [-1, 1, 1, -1], [0, 0, -2, 2]]) / 2
"""Three judges who differ from each other on each of four documents, and on none of them on average."""


def test_judges_who_do_not_lean_have_the_exact_interval_of_documents() -> None:
    """Means of judges are all 1, so their variance is 0; those of documents are 2, 2, 0, 0, with variance 4/3.

    Their mean has the variance (4/3) / 4 = 1/3 with three degrees of freedom.
    """
    table = 1 + np.array([1.0, 1.0, -1.0, -1.0]) + NOISE
    found = mixed_model(table)
    assert (found.mean, found.judge_sd) == (1, 0)
    assert found.item_sd == pytest.approx(math.sqrt((4 - 4 / 8) / 3)), "noise: squares of 4 over 6 + 2 degrees"
    assert found.high - 1 == pytest.approx(special.stdtrit(3, 0.975) * math.sqrt(1 / 3))
    assert found.p == pytest.approx(2 * special.stdtr(3, -math.sqrt(3)))


def test_where_neither_judges_nor_documents_vary_all_judgements_are_independent() -> None:
    """Twelve judgements with squares of 4 around 0: their mean has the variance 4 / 11 / 12."""
    found = mixed_model(1 + NOISE)
    assert (found.judge_sd, found.item_sd) == (0, 0)
    assert found.high - 1 == pytest.approx(special.stdtrit(11, 0.975) * math.sqrt(4 / 11 / 12))
    assert found.p == pytest.approx(2 * special.stdtr(11, -math.sqrt(33)))


PENICILLIN = """
    27 23 26 23 23 21  27 23 26 23 23 21  25 21 25 24 24 20  26 23 25 23 23 20  25 22 26 22 23 20  24 22 25 23 22 19
    24 20 23 21 22 19  26 22 26 24 24 21  24 21 24 22 22 20  24 21 24 23 22 19  26 23 26 24 24 21  25 22 26 24 24 20
    26 24 26 24 25 22  26 23 26 23 23 20  26 23 25 24 24 22  25 22 25 23 23 20  25 21 24 23 23 20  25 22 24 23 23 19
    24 21 23 21 21 19  26 23 26 24 24 21  25 21 24 22 22 18  25 22 25 22 22 20  24 21 24 22 24 19  24 21 24 22 21 18
"""
"""Diameters on 24 plates of six samples (Davies and Goldsmith 1972, section 6.6)."""


def test_variances_are_those_that_other_programs_find() -> None:
    """REML of lme4 (Penicillin): mean 22.9722, standard deviations of samples 1.9316, of plates 0.8467.

    Without a fifth of the diameters, so that there is no closed form, REML of statsmodels.
    """
    table = np.array(PENICILLIN.split(), dtype=float).reshape(24, 6).T
    found = mixed_model(table)
    assert (found.mean, found.judge_sd, found.item_sd) == pytest.approx((22.9722, 1.9316, 0.8467), abs=1e-4)
    judge, item = np.indices(table.shape)
    table[(7 * judge + 3 * item) % 5 == 0] = np.nan
    found = mixed_model(table)
    assert found.mean == pytest.approx(23.00360754)
    assert (found.judge_sd**2, found.item_sd**2) == pytest.approx((3.63852725, 0.66959344), rel=1e-3)


def deviance(table: np.ndarray, judges: float, items: float) -> float:
    """−2 times the restricted log likelihood, by its textbook formula; variances are multiples of that of noise."""
    judge, item = np.nonzero(~np.isnan(table))
    values, ones = table[judge, item], np.ones(len(judge))
    covariance = np.eye(len(values)) + judges * (judge[:, None] == judge) + items * (item[:, None] == item)
    inverse = np.linalg.inv(covariance)
    precision = ones @ inverse @ ones
    left = values - ones @ inverse @ values / precision
    freedom = len(values) - 1
    noise = left @ inverse @ left / freedom
    return float(freedom * np.log(noise) + np.linalg.slogdet(covariance)[1] + np.log(precision))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("judge_sd", "share"), [(0.0, 1.0), (0.0, 0.6), (0.7, 1.0), (0.7, 0.6)])
def test_no_other_variances_are_likelier(seed: int, judge_sd: float, share: float) -> None:
    """Studies of three judges and 11 documents, of which some lack judgements, against 25 other pairs of variances."""
    generator = np.random.default_rng([7, seed])
    table = Raters(0.3, 0.3, 1.0, judge_sd).draw(3, 11, generator).astype(float)
    table[generator.random(table.shape) > share] = np.nan
    table = table[:, ~np.isnan(table).all(axis=0)]
    fitted = fit_reml(table)
    assert fitted is not None
    best = deviance(table, fitted.judges / fitted.noise, fitted.items / fitted.noise)
    ratios = (0.0, 0.03, 0.3, 1.0, 3.0)
    assert best <= min(deviance(table, judges, items) for judges in ratios for items in ratios) + 1e-9
    near = [(fitted.judges / fitted.noise + step, fitted.items / fitted.noise) for step in (-0.01, 0.01)]
    assert best <= min(deviance(table, *ratio) for ratio in near if min(ratio) >= 0)


def test_judges_in_general_are_found_to_agree_where_these_judges_do() -> None:
    """Where REML has no variance of judges, p is near that of the exact test of these judges, for 40 studies."""
    generator = np.random.default_rng(3)
    alike = 0
    for _ in range(40):
        scores = Raters(0.6, 0.2, 1.0, 0.0).draw(3, 50, generator)
        exact, model = compare(scores), mixed_model(scores)
        squares = 50 * scores.mean(axis=1).var(ddof=1)
        left = scores - scores.mean(axis=1, keepdims=True) - scores.mean(axis=0) + scores.mean()
        if squares < (left**2).sum() / 98:
            alike += 1
            assert model.judge_sd == 0
            assert (model.p < 0.01) == (exact.p < 0.01) or 0.001 < exact.p < 0.05
            assert model.high - model.low == pytest.approx(exact.high - exact.low, rel=0.05)
    assert 15 < alike < 40


def test_the_mixed_model_speaks_about_other_judges() -> None:
    """Four judges of whom one leans the other way: these four prefer the first system, judges in general may not."""
    leaning = np.array([[1] * 30, [1] * 30, [1] * 30, [-1] * 30]) * np.where(np.arange(30) % 5, 1.0, -1.0)
    assert compare(leaning).p < 0.01
    assert mixed_model(leaning).p > 0.2


@pytest.mark.parametrize(
    "table", [np.full((2, 2), np.nan), [[1.0, 1.0], [1.0, 1.0]], [[1.0, 0.0, -1.0]], [[1.0, -1.0, 0.0]] * 3]
)
def test_the_mixed_model_is_silent_where_nothing_can_be_estimated(table: Any) -> None:
    """No judgement, no difference, one judge, or judges who never contradict each other."""
    assert math.isnan(mixed_model(table).p)


def test_the_report_says_why_nothing_can_be_estimated() -> None:
    """Two judges who share no document, judges who agree, and judges of whom one has one document more."""
    apart = np.array([[1.0, -1.0, np.nan, np.nan], [np.nan, np.nan, 1.0, 0.0]])
    told = table_in_general("A", {"clarity": apart, "length": np.array([[1.0, 0.0]] * 2), "order": apart[:, :1]})
    assert told is not None
    assert [row["p"] for row in told.rows if not math.isnan(row["p"])] == []
    assert told.notes[1:] == (
        "clarity: Too few documents were judged by several judges to tell differences between judges, between "
        "documents and chance apart.",
        "length: Where judges never contradict each other, nothing can be estimated.",
        "order: An estimate for judges in general needs at least two judges and two documents.",
    )


def test_variances_that_are_not_found_are_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    table = NOISE + np.array([[1.0], [0.0], [-1.0]])
    table[0, 0] = np.nan
    assert not mixed_model(table).unknown
    monkeypatch.setattr("nutgraf.judging.mixed_model.MAX_SLOPE", -1.0)
    refused = mixed_model(table)
    assert math.isnan(refused.mean)
    assert "did not converge" in refused.unknown


def test_two_judges_are_too_few_to_be_found_alike() -> None:
    """Means of judges are both 0, and yet Student's t has the one degree of freedom between two judges."""
    table = np.array([[1.0, -1.0, 1.0, -1.0], [-1.0, 1.0, -1.0, 1.0]])
    two, four = mixed_model(table), mixed_model(np.vstack([table, table]))
    assert two.judge_sd == four.judge_sd == 0
    assert two.high > 4 * four.high > 0


def test_judgements_that_are_missing_do_not_count() -> None:
    matrix = as_matrix([("a", "x", 1.0), ("a", "y", -1.0), ("b", "y", 1.0), ("b", "z", 1.0)])
    assert matrix.shape == (2, 3)
    found = compare(matrix)
    assert found.mean == 2 / 4
    assert found.p == sign_flip_p([1, 0, 1])
    assert math.isnan(compare(np.full((2, 2), np.nan)).mean)


@pytest.mark.parametrize(("judges", "items", "clusters"), [(3, 5, 5), (3, 6, 6), (12, 5, 5), (12, 50, 12), (1, 1, 1)])
def test_where_one_side_wins_everything_the_interval_is_clopper_and_pearsons(
    judges: int, items: int, clusters: int
) -> None:
    """A share of 1 is at least 0.025^(1/n), and wins minus losses are twice the share, minus 1."""
    found = compare(np.ones((judges, items)))
    least, _ = proportion_confint(clusters, clusters, method="beta")
    assert (found.low, found.high) == pytest.approx((2 * least - 1, 1))
    assert found.p == 2 / 2**items
    assert (found.low > 0) == (2 / 2**clusters < 0.05)
    mirrored = compare(-np.ones((judges, items)))
    assert (mirrored.low, mirrored.high) == pytest.approx((-found.high, -found.low))


def test_where_all_tie_an_interval_has_both_sides() -> None:
    """Of four documents, up to 1 − 0.025^¼ = 60.2 % might not tie, and all of these be won, or all be lost."""
    found = compare(np.zeros((2, 4)))
    assert (found.low, found.high) == pytest.approx((-(1 - 0.025**0.25), 1 - 0.025**0.25))
    alike = compare(np.tile([[1.0], [1.0], [-1.0]], 7))
    assert alike.high - alike.low > 0.5, "the sums of thirds vary by rounding alone"


def test_no_interval_reaches_beyond_the_largest_difference() -> None:
    nearly = np.ones((4, 10))
    nearly[0, 0] = -1
    found, model = compare(nearly), mixed_model(nearly, largest=1)
    assert found.low < found.mean < found.high == 1
    assert mixed_model(nearly).high > model.high == 1
    assert compare(4 * nearly, largest=4).high == 4
    with pytest.raises(ValueError, match="larger than 1"):
        compare(4 * nearly)


@pytest.mark.parametrize("shares", [(1.0, 0.0), (0.5, 0.5)])
def test_strengths_have_no_interval_where_one_side_won_all_or_nothing_varies(
    shares: tuple[float, float],
) -> None:
    wins = np.zeros((3, 4, 2, 2))
    wins[..., 0, 1], wins[..., 1, 0] = shares
    first, _ = strengths(wins, resamples=20)
    assert first.value == pytest.approx(math.log((12 * shares[0] + 0.5) / (12 * shares[1] + 0.5)) / 2)
    assert math.isnan(first.low)
    assert math.isnan(first.high)


def test_strengths_are_found_where_pairs_have_uneven_counts() -> None:
    """At the likeliest strengths, each system has as many wins as expected."""
    wins = np.array([[0.0, 0.5, 2354.5], [11.5, 0.0, 0.5], [0.5, 11.5, 0.0]])
    values = fit(wins)
    chances = special.expit(values[:, None] - values)
    assert ((wins + wins.T) * chances).sum(axis=1) == pytest.approx(wins.sum(axis=1), rel=1e-3)


def test_strengths_of_two_systems_by_hand() -> None:
    """Three wins to one, and half a win more for each: θ = ±log(3.5 / 1.5) / 2."""
    wins = np.zeros((2, 2, 2, 2))
    wins[..., 0, 1] = [[1, 1], [1, 0]]
    wins[..., 1, 0] = 1 - wins[..., 0, 1]
    first, second = strengths(wins, resamples=50)
    assert first.value == pytest.approx(math.log(3.5 / 1.5) / 2)
    assert second.value == pytest.approx(-first.value)
    assert first.low < first.value < first.high


def test_fitted_strengths_expect_the_wins_that_there_were() -> None:
    """The condition of the maximum likelihood: each system's expected number of wins is the number that it has."""
    wins = np.array([[0.0, 5, 7], [2, 0, 4], [1, 3, 0]])
    theta = fit(wins)
    chance = 1 / (1 + np.exp(theta[None] - theta[:, None]))
    expected = ((wins + wins.T) * chance).sum(axis=1)
    np.testing.assert_allclose(expected, wins.sum(axis=1), rtol=1e-6)
    assert theta.sum() == pytest.approx(0)


@pytest.mark.parametrize("systems", [2, 5])
def test_resampled_strengths_are_those_that_a_fit_of_each_would_give(systems: int) -> None:
    others = 1 - np.eye(systems)
    tables = (np.random.default_rng(2).integers(0, 30, (20, systems, systems)) + 0.5) * others
    found = refit(tables, fit(tables.mean(axis=0)))
    np.testing.assert_allclose(found, [fit(one) for one in tables], atol=1e-6)


def test_systems_that_were_never_compared_have_no_strength() -> None:
    wins = np.zeros((2, 2, 3, 3))
    wins[..., 0, 1] = 1
    assert all(math.isnan(one.value) for one in strengths(wins))


def test_simulated_judges_prefer_and_agree_as_they_were_asked_to() -> None:
    raters = with_kappa(0.465, 0.215, 0.6, judge_sd=0)
    scores = raters.draw(4, 20_000, np.random.default_rng(0))
    assert (scores == 1).mean() == pytest.approx(0.465, abs=0.01)
    assert (scores == -1).mean() == pytest.approx(0.215, abs=0.01)
    counts = np.stack([(scores == label).sum(axis=0) for label in (1, 0, -1)], axis=1)
    assert fleiss_kappa(counts) == pytest.approx(0.6, abs=0.02)


@pytest.mark.parametrize("shares", [(0.0, 0.5), (0.7, 0.4), (1.0, 0.0)])
def test_impossible_shares_are_refused(shares: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="above"):
        Raters(*shares)


@pytest.mark.parametrize("judges", [4, 10])
def test_without_a_difference_few_studies_find_one(judges: int) -> None:
    """benchmarks/judging.py has the 2,000 studies; of these 150, more than 15 would be above 5 % with p < 0.005."""
    raters = Raters(0.3, 0.3, item_sd=1.0, judge_sd=0.0 if judges < 10 else 0.3)
    generator = np.random.default_rng(5)
    found = [compare(raters.draw(judges, 50, generator)) for _ in range(150)]
    assert sum(one.p < 0.05 for one in found) <= 15
    assert sum(one.low <= 0 <= one.high for one in found) >= 135
