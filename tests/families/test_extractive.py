"""The contract of the extractive methods, over every file in the folder."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from members import members

from nutgraf.extractive import Limits, PartialSummary, SentenceSelector, sentence_rankers
from nutgraf.extractive.selection import Config, select
from nutgraf.prose import qualities
from nutgraf.prose.quality import GOOD
from nutgraf.text.document import Document, join

STORY = """The harbour pilot guided the tanker to the quay. The tanker carried crude oil for the power station.
A storm broke the mooring lines during the night. The pilot called two tugs at once.
The tugs pushed the tanker against the quay. Nobody was hurt. Gulls watched from the roof of the power station.
The oil company thanked the pilot and the crews of the tugs."""

NOTE = "The town bought a second tug. The harbour master had asked for it for years. The storm settled the matter."

KINDS = members(sentence_rankers)

every = pytest.mark.parametrize("kind", KINDS)

every_selector = pytest.mark.parametrize(
    "kind", [kind for kind in KINDS if issubclass(sentence_rankers.find(kind), SentenceSelector)]
)


def check(document, ranking):
    """Indices are of the document's sentences, each at most once; there is one finite rating a sentence."""
    count = len(document.sentences)
    assert set(ranking.order) <= set(range(count))
    assert len(set(ranking.order)) == len(ranking.order)
    assert ranking.ratings.shape == (count,)
    assert np.isfinite(ranking.ratings).all()


@every
def test_ranks_sentences_and_rates_all_of_them(kind):
    document = Document.of(STORY)
    ranking = sentence_rankers.make(kind).rank(document)
    check(document, ranking)
    assert ranking.order
    ranked = [ranking.ratings[index] for index in ranking.order]
    assert ranked == sorted(ranked, reverse=True)


@every
def test_several_documents_are_ranked_as_one(kind):
    document = join([Document.of(STORY, "one"), Document.of(NOTE, "two"), Document.of("", "three")])
    ranking = sentence_rankers.make(kind).rank(document)
    check(document, ranking)
    assert {document.part_of(document.sentences[index].start) for index in ranking.order} == {0, 1}


@every
@pytest.mark.parametrize("text", ["The pilot slept.", "12 34.", "It was he.", "→ ☂ 🎈"])
def test_a_single_sentence_is_ranked_first(kind, text):
    document = Document.of(text, language="en")
    ranking = sentence_rankers.make(kind).rank(document)
    check(document, ranking)
    assert ranking.order == (0,)


@every
@pytest.mark.parametrize("text", ["", " \n\t", "\ufeff"])
def test_where_there_is_no_sentence_nothing_is_ranked(kind, text):
    ranking = sentence_rankers.make(kind).rank(Document.of(text))
    assert ranking.order == ()
    assert ranking.ratings.shape == (0,)


@every
def test_equal_sentences_keep_their_order(kind):
    document = Document.of("The tug came. The tug came. The tug came. The tug came.")
    check(document, sentence_rankers.make(kind).rank(document))


@every
def test_twice_is_the_same(kind):
    first, second = (sentence_rankers.make(kind).rank(Document.of(STORY)) for _ in range(2))
    assert first.order == second.order
    assert np.array_equal(first.ratings, second.ratings)


@every
@pytest.mark.parametrize("sentence", range(8))
def test_emphasis_raises_a_sentence_where_it_counts_at_all(kind, sentence):
    document = Document.of(STORY)
    method = sentence_rankers.make(kind)
    emphasis = np.ones(len(document.sentences))
    emphasis[sentence] = 1000.0
    plain, steered = method.rank(document), method.rank(document, emphasis)
    if method.steerable:
        assert steered.order[0] == sentence
        others = [index for index in plain.order if index != sentence]
        assert [index for index in steered.order if index != sentence] == others
    else:
        assert steered.order == plain.order
        assert np.array_equal(steered.ratings, plain.ratings)


@every
@pytest.mark.parametrize("sentence", [0, 1, 2, 3, 4, 6, 7])
def test_a_plain_highlight_enters_the_summary_where_it_fits(kind, sentence):
    document = Document.of(STORY)
    method = sentence_rankers.make(kind)
    if not method.steerable:
        return
    boosts = np.ones(len(document.sentences))
    boosts[sentence] = 2.0
    words = document.lengths[sentence] + 3
    given = partial(method.pick, document, boosts=boosts) if isinstance(method, SentenceSelector) else None
    found = select(given or method.rank(document, boosts), document, Config(), words=words, asked={sentence})
    assert qualities(document)[sentence] == GOOD
    assert sentence in found.indices


@every
def test_learning_from_a_collection_leaves_the_contract_whole(kind):
    method = sentence_rankers.make(kind)
    method.fit([Document.of(NOTE), Document.of("Something else. The tug again.")])
    document = Document.of(STORY)
    check(document, method.rank(document))


@every
@settings(max_examples=20, deadline=None)
@given(texts=st.lists(st.text(st.characters(), max_size=80), min_size=1, max_size=3))
def test_any_text_at_all(kind, texts):
    document = join([Document.of(text) for text in texts])
    check(document, sentence_rankers.make(kind).rank(document))


def picked(kind, document, boosts=None, **limits):
    """The sentences that a set-selecting method picks, once their length was checked."""
    summary = PartialSummary(document, Limits(**limits), weak=True)
    check(document, sentence_rankers.make(kind).pick(document, summary, boosts))
    assert all(notice.endswith(".") for notice in summary.notices)
    if "words" in limits:
        assert sum(document.lengths[index] for index in summary.selected) <= limits["words"]
    return summary.selected


@every_selector
@pytest.mark.parametrize("words", [2, 3, 5, 11, 23, 47, 97])
def test_a_set_keeps_its_budget_and_leaves_out_nothing_that_would_fit(kind, words):
    document = join([Document.of(STORY, "one"), Document.of(NOTE, "two")])
    selected = picked(kind, document, words=words)
    left = words - sum(document.lengths[index] for index in selected)
    others = set(range(len(document.sentences))) - set(selected)
    assert all(document.lengths[index] > left for index in others)


@every_selector
def test_a_set_has_so_many_sentences_or_reaches_its_natural_length(kind):
    document = Document.of(STORY)
    assert len(picked(kind, document, sentences=3)) == 3
    assert len(picked(kind, document, sentences=99)) == len(document.sentences)
    reached = picked(kind, document, natural_words=20)
    lengths = [document.lengths[index] for index in reached]
    assert sum(lengths) >= 20 > sum(lengths[:-1])


@every_selector
@pytest.mark.parametrize("sentence", range(8))
def test_a_highlighted_sentence_is_picked_first(kind, sentence):
    document = Document.of(STORY)
    emphasis = np.ones(len(document.sentences))
    emphasis[sentence] = 1000.0
    assert picked(kind, document, emphasis, sentences=2)[0] == sentence
    assert sentence in picked(kind, document, emphasis, words=20)


@every_selector
def test_a_set_begins_with_no_repetition_where_there_is_something_else(kind):
    document = Document.of("The tug came. The tug came. The pilot slept. The pilot slept.")
    assert sorted(picked(kind, document, sentences=2)) == [0, 2]


@every_selector
@settings(max_examples=20, deadline=None)
@given(texts=st.lists(st.text(st.characters(), max_size=80), min_size=1, max_size=3), words=st.integers(1, 30))
def test_a_set_of_any_text_at_all(kind, texts, words):
    document = join([Document.of(text) for text in texts])
    picked(kind, document, words=words)
