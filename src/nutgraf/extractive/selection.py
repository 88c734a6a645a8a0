"""Selection of sentences, with one meaning of length for all methods.

Sentences are taken as the method has it, by rank or as a set (`rule = "method"`), or by rating against repetition
(`rule = "mmr"`), while they fit; headings and the like are left out, and weak prose (`nutgraf.prose.quality`) is taken,
by rank, only beside good prose and where much of the length would stay unused without it. A budget in words is never
exceeded. The natural length of a method (a number of sentences or words) is not a budget: the summary reaches it and
may exceed it by part of a sentence.

A summary stands by itself: a sentence is taken with all that it leans on (`nutgraf.prose.closure`), or another one is.
Where a sentence leans only by its first words ("However, …") and the one before it is not there, these words are left
out. What leans on something that the text does not have is a second choice, as weak prose is. Only where nothing else
fits is a sentence taken without what it leans on, and a notice says so.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal, NamedTuple

from nutgraf.errors import BudgetError
from nutgraf.extractive import Limits, PartialSummary, Ranking
from nutgraf.extractive.greedy import select_by_rank, select_greedily
from nutgraf.extractive.mmr import MarginalRelevance
from nutgraf.presets.ranges import NonNegativeInt, PositiveInt, Share
from nutgraf.prose import judgements
from nutgraf.prose.closure import Closures, follows_directly
from nutgraf.prose.quality import JUNK
from nutgraf.text.document import Document, Unit
from nutgraf.text.summary import counted, unprinted

FILLING = "fills the length, for which there is no better prose"
"""Reason of a second choice."""

MOST_SHOWN = 60
"""Characters of a sentence that a notice quotes."""


@dataclass(frozen=True)
class Config:
    """Selection of sentences."""

    num_sentences: PositiveInt = 3
    """Number of sentences without a budget."""

    share: Share = 0.0
    """Natural length as a share of the input's words, 0 for none; `fit` on examples with references replaces it by
    their mean length."""

    shortest: NonNegativeInt = 0
    """Minimum number of words of the natural length."""

    longest: NonNegativeInt = 0
    """Maximum number of words of the natural length, which is not exceeded; 0 for none."""

    rule: Literal["method", "mmr"] = "method"
    """How sentences are selected: "method", as the method does it (most take the best-rated), or "mmr", by maximal
    marginal relevance on its ratings."""

    mmr_lambda: Share = 0.7
    """Weight of the rating against the likeness to selected sentences in "mmr", from 0 to 1."""

    redundancy_threshold: float = 1.0
    """Leave out a sentence whose tf-idf cosine with a selected one reaches this; 1 leaves out nothing."""

    block_trigrams: bool = False
    """Leave out a sentence that repeats three words in a row."""

    order: Literal["document", "rank"] = "document"
    """Order of the output: as in the "document", or by "rank"."""

    at_least_one: bool = False
    """Take the first sentence by rank if none fits the budget."""

    standalone: bool = True
    """Take a sentence only with all that it leans on, and leave out its connective where the rest stands alone; without
    this, sentences are taken one by one, as the protocols of baselines have it."""

    whole_sentences: bool = False
    """Leave out no connective: a sentence that begins with one is taken with the sentence before it."""

    def __post_init__(self) -> None:
        if self.longest and self.shortest > self.longest:
            raise ValueError(f"shortest = {self.shortest} must be at most longest = {self.longest}")


class Selection(NamedTuple):
    """The sentences of a summary.

    Attributes:
        indices: Indices of the selected sentences.
        ranking: All sentences in order of preference.
        summary: The selection, with the method's reasons and notices.
        cuts: Number of characters left out at the beginning of a printed sentence, by its index.
    """

    indices: list[int]
    ranking: Ranking
    summary: PartialSummary
    cuts: Mapping[int, int]


def select(
    method: Ranking | Callable[[PartialSummary], Ranking],
    document: Document,
    config: Config,
    *,
    words: int | None = None,
    sentences: int | None = None,
    characters: int | None = None,
    natural_words: int | None = None,
    positional: bool = False,
    wanted: Collection[int] = (),
    asked: Collection[int] = (),
    first: int | None = None,
    whole_sentences: bool = False,
) -> Selection:
    """Select the sentences of the summary.

    Args:
        method: Sentences in order of preference, or what selects sentences itself and then returns such an order.
        document: The text.
        config: Options.
        words: Budget in words; give one of `words`, `sentences` and `characters`, or none.
        sentences: Budget in sentences.
        characters: Budget in characters, the white space between sentences included.
        natural_words: Length in words to reach without a budget; without it, `config.num_sentences` sentences are
            taken.
        positional: Treat weak prose like good prose, since sentences are taken by their position alone.
        wanted: Indices of weak sentences that are treated like good prose, since a person asked for them.
        asked: Indices of all sentences that a person asked for.
        first: Index of the sentence that answers a person's question; where it is taken it comes first, whatever its
            prose looks like.
        whole_sentences: As `config.whole_sentences`, where that is not set.

    Raises:
        BudgetError: If no sentence fits the budget, unless `config.at_least_one` is set.
    """
    if characters is not None:
        characters += unprinted(document)
    limits = _limits(config, words, sentences, characters, natural_words)
    whole = whole_sentences or config.whole_sentences
    closures = Closures(document, whole_sentences=whole) if config.standalone else None

    def attempt(closures: Closures | None, unmet: bool = False) -> tuple[Ranking, PartialSummary]:
        summary = PartialSummary(
            document, limits, weak=positional, wanted=wanted, asked=asked, closures=closures, unmet=unmet
        )
        if first is not None:
            summary.vouch_for(first)
        ranking = method if isinstance(method, Ranking) else method(summary)
        if config.rule == "mmr":
            select_greedily(summary, MarginalRelevance(ranking, document, config.mmr_lambda))
        elif isinstance(method, Ranking):
            select_by_rank(summary, ranking)
        if summary.selected and summary.underused:
            _fill(summary, ranking)
        return ranking, summary

    ranking, summary = attempt(closures, unmet=positional)
    if closures and not summary.selected:
        ranking, summary = attempt(closures, unmet=True)
    if closures and not summary.selected:
        ranking, summary = attempt(Closures(document, lists_only=True), unmet=True)
    picked = summary.selected
    if not picked and (config.at_least_one or _is_natural(words, sentences, characters)):
        picked = [one for index in islice(filter(summary.admits, ranking.order), 1) for one in summary.least(index)]
    if not picked:
        admitted = list(filter(summary.admits, ranking.order))
        if sentences is not None and admitted:
            raise _no_list_fits(sentences, [len(summary.least(index)) for index in admitted])
        raise nothing_fits(document, limits.length, list(map(summary.least_length, admitted)), limits.unit)
    for index, why in summary.companions.items():
        summary.reasons[index] = (*summary.reasons.get(index, ()), why)
    ordered = picked if config.order == "rank" else document.in_order(picked)
    ordered = sorted(ordered, key=lambda index: index != first)
    if closures is None:
        return Selection(ordered, ranking, summary, {})
    summary.notices.extend(told_leaning(document, closures, picked))
    return Selection(ordered, ranking, summary, dict(_cuts(document, closures, ordered)))


def _cuts(document: Document, closures: Closures, ordered: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield each sentence of which something is cut, and how much."""
    for before, index in zip([None, *ordered], ordered, strict=False):
        if cut := cut_behind(document, closures, before, index):
            yield index, cut


def cut_behind(document: Document, closures: Closures, before: int | None, index: int) -> int:
    """Number of characters to leave out at the beginning of a printed sentence that is printed behind another one.

    That is its connective, unless it stands behind the sentence that it points to.

    Args:
        document: The text.
        closures: What its sentences require.
        before: Index of the other sentence; None for no sentence, or one that is not of the text.
        index: Index of the sentence.
    """
    return 0 if before == index - 1 and follows_directly(document, index) else closures.cut(index)


def told_leaning(document: Document, closures: Closures, picked: Collection[int]) -> Iterator[str]:
    """Yield a notice of the sentences that are taken without what they lean on."""
    missed = {index: missing for index in sorted(picked) if (missing := closures.missed(index, picked))}
    if missed:
        first, (needed, *rest) = next(iter(missed.items()))
        shown, absent = (_shown(document.printed[index]) for index in (first, needed))
        among = f" and {len(rest)} more, which are" if rest else ", which is"
        yield f"{shown} leans on {absent}{among} not shown{_likewise(len(missed) - 1)}."


def _likewise(count: int) -> str:
    return "" if not count else "; so does another one" if count == 1 else f"; so do {count} others"


def _shown(printed: str) -> str:
    return f"“{printed[:MOST_SHOWN]}{'…' if len(printed) > MOST_SHOWN else ''}”"


def _limits(
    config: Config, words: int | None, sentences: int | None, characters: int | None, natural_words: int | None
) -> Limits:
    natural = _is_natural(words, sentences, characters)
    if natural and config.longest:
        words, natural_words = natural_words, None
    return Limits(
        words=words,
        characters=characters,
        sentences=config.num_sentences if natural and words is None and natural_words is None else sentences,
        natural_words=natural_words if natural else None,
        redundancy_threshold=config.redundancy_threshold,
        block_trigrams=config.block_trigrams,
    )


def _is_natural(words: int | None, sentences: int | None, characters: int | None) -> bool:
    return words is None and sentences is None and characters is None


def _fill(summary: PartialSummary, ranking: Ranking) -> None:
    """Add second choices with that reason; sentences without what they lean on come last."""
    chosen = len(summary.selected)
    for unmet in (False, True):
        summary.admit_second_choices(unmet=unmet)
        select_by_rank(summary, ranking)
    for index in summary.selected[chosen:]:
        summary.reasons[index] = (FILLING,)


def nothing_fits(document: Document, limit: int | None, lengths: list[int], unit: Unit = "words") -> BudgetError:
    """Return the error for a budget that no sentence fits.

    Args:
        document: The input.
        limit: The budget, in characters with the white space after the last sentence; 0 for a share too small.
        lengths: Lengths of the sentences that could have been taken.
        unit: Unit of the budget and the lengths.
    """
    if not lengths and any(one.quality > JUNK for one in judgements(document)):
        return BudgetError(
            f"None of the sentences that this system would take from {document.name or 'the input'} is prose; another "
            "system takes others."
        )
    if not lengths or limit is None:
        return BudgetError(f"There is no sentence to summarize in {document.name or 'the input'}.")
    beyond = unprinted(document) if unit == "characters" else 0
    smallest = min(lengths) - beyond
    asked = f"No sentence fits into {counted(limit - beyond, unit)}" if limit else "The share is less than a word"
    return BudgetError(
        f"{asked}: the shortest sentence that this system would take has {smallest}. Ask "
        f"for {counted(smallest, unit)} or more.",
        smallest,
    )


def _no_list_fits(limit: int, sizes: list[int]) -> BudgetError:
    """Return the error for a budget in sentences that no list fits, of a text that has nothing else."""
    found = min(sizes)
    return BudgetError(
        f"The text is a list, which is taken whole: it has {found} sentences, not {limit}. Ask for {found} or more.",
        found,
    )


def natural_length(document: Document, config: Config, learned: int | None) -> int | None:
    """Length in words without a budget: the mean length of references if fitted, else the configured share.

    A share lies between `config.shortest` and `config.longest`.
    """
    if not config.share:
        return None
    if learned is not None:
        return learned
    found = max(1, config.shortest, int(config.share * document.num_words))
    return min(found, config.longest) if config.longest else found
