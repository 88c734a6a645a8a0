"""Topic divergence."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from nutgraf.errors import PresetError
from nutgraf.metrics import Example, metrics
from nutgraf.metrics._divergence import kl, smooth
from nutgraf.readers.reading import read
from nutgraf.text.document import Document

EXAMPLES = Path(__file__).parents[2] / "examples"
FERRY = (
    "The ferry crossed the strait in fog. The captain slowed the ferry near the rocks. Fog covered the strait and the "
    "rocks. The captain waited for the fog to lift."
)
BREAD = "The baker kneaded dough at dawn. Dough rose in the warm oven. The baker sold bread from the oven."
SOURCE = Document.of(f"{FERRY} {BREAD}", language="en")


def divergence(*sentences: str, **options: object) -> float | None:
    return metrics.make("topics", **options)(Example(sentences, source=SOURCE))["topic KL"]


def test_kl_by_hand() -> None:
    # (1, 0) and (0, 1) smoothed by 1 are (2/3, 1/3) and (1/3, 2/3).
    assert smooth([1, 0], 1.0).tolist() == pytest.approx([2 / 3, 1 / 3])
    assert kl([1, 0], [0, 1], 1.0) == pytest.approx(math.log(2) / 3)
    assert kl([[1, 0], [1, 0]], [[0, 1], [1, 0]], 1.0) == pytest.approx(math.log(2) / 6)


@pytest.mark.parametrize("compare", ["terms", "topics"])
def test_it_is_zero_for_the_text_itself_and_above_for_half_of_it(compare: str) -> None:
    whole, half = divergence(*SOURCE.printed, compare=compare), divergence(*SOURCE.printed[:4], compare=compare)
    assert whole == pytest.approx(0, abs=1e-2)
    assert half is not None
    assert half > whole


def test_one_topic_leaves_the_share_of_terms_that_the_source_lacks() -> None:
    # With a single topic both texts have the same distribution p over the source's terms. Where a share f of the
    # summary's terms is unknown to the source, KL(p, 0 ‖ (1 - f) p, f) = -ln(1 - f).
    one = {"topics": 1, "smoothing": 1e-12}
    assert divergence("The captain slowed the ferry.", **one) == pytest.approx(0, abs=1e-6)
    # captain, ferri | quantum, chromodynam
    assert divergence("Captain, ferry, quantum chromodynamics.", **one) == pytest.approx(math.log(2))
    # fog | quantum, chromodynam, gluon
    assert divergence("Fog: quantum chromodynamics, gluons.", **one) == pytest.approx(math.log(4))


def test_what_shares_no_term_is_farthest() -> None:
    unrelated, own = divergence("Quantum chromodynamics."), divergence("The captain waited for the fog to lift.")
    assert unrelated is not None
    assert own is not None
    assert own < 1 < 3 < unrelated


def test_the_own_lead_is_nearer_than_that_of_an_unrelated_text() -> None:
    texts = [read(EXAMPLES / name)[0] for name in ("island.txt", "dark-town.html", "blackbirds.txt")]
    metric = metrics.make("topics")
    for source in texts:
        own, *foreign = (
            metric(Example(text.printed[:3], source=source))["topic KL"]
            for text in sorted(texts, key=lambda text: text is not source)
        )
        assert own is not None
        assert all(score is not None and score > 3 * own for score in foreign)


def test_no_terms_have_no_divergence() -> None:
    assert divergence() is None
    assert divergence("And so it was.") is None
    assert metrics.make("topics")(Example(["The ferry."])) == {"topic KL": None}
    assert metrics.make("topics")(Example(["The ferry."], source=Document.of("", language="en"))) == {"topic KL": None}


def test_only_the_formula_that_tells_related_texts_has_a_direction() -> None:
    assert metrics.make("topics").directions == {"topic KL": "lower"}
    assert metrics.make("topics", compare="topics").directions == {"topic KL": "descriptive"}


def test_only_the_most_frequent_terms_have_topics() -> None:
    # "fog" comes three times, more often than any other term: it alone is the vocabulary. "ferry" is known to the
    # source, and says nothing.
    assert divergence("The ferry crossed.", vocab_size=1) == pytest.approx(0)
    assert divergence("Fog.", vocab_size=1) == pytest.approx(0)


def test_options_that_do_not_fit_are_told() -> None:
    with pytest.raises(PresetError, match=r"top = 5.*topics = 4"):
        metrics.make("topics", compare="topics", top=5, topics=4)
    with pytest.raises(PresetError, match="compare = 'words' does not fit"):
        metrics.make("topics", compare="words")
