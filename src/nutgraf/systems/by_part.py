"""Summaries by parts: each section, speaker, message, document or page with its own sentences, from the same system.

Without a length each part has one sentence, with what it leans on, or the least that can stand alone; a number of
sentences is for each part. Words, characters and a share are for all parts together, and are divided among them: each
part first gets the length of a sentence, and what is left is divided in proportion to the lengths of the parts, of
which none gets more than it has. What a part leaves goes to those behind it. Where the length does not suffice for a
sentence of each part, the deepest level is joined with the one above it, and so on; if the outermost parts are still
too many, the longest of them have a sentence. A notice names parts with prose that have none.

A part below the outermost level with fewer words than `TINY` is joined with the part that it is in, unless it has a
number, by which people refer to it, as to the articles of a law.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Protocol

from nutgraf.errors import BudgetError, InputError, NutgrafError
from nutgraf.prose import has_prose
from nutgraf.prose.boilerplate import kind_of_section
from nutgraf.prose.closure import Closures
from nutgraf.prose.dependence.structure import is_cased
from nutgraf.systems.steering import Steering, steer
from nutgraf.text.divisions import By, Division, check_by, divide
from nutgraf.text.document import Document, Unit, keep
from nutgraf.text.excerpt import Excerpt
from nutgraf.text.outline import Outline, Part
from nutgraf.text.request import Request
from nutgraf.text.summary import Budget, Summary, SummarySentence, counted, origin_of
from nutgraf.text.tokenize import Span
from nutgraf.text.truncate import quotas

TINY = 20
"""Words of a part below which it is joined with the part around it."""

MOST_TOGETHER = 6
"""Number of sentences that are taken together for a part without a length, so that one of them can be understood."""

ROUNDS = 4
"""Number of times that long sentences are replaced by shorter ones, until each part has one within the length."""

MOST_NAMED = 3
"""Number of parts without a sentence that a notice names."""

SPEAKERS: tuple[By, ...] = ("speaker", "message")
"""Parts whose title is who speaks, who is not named again before the sentences."""


class Summarizer(Protocol):
    """A system, as far as it makes summaries of documents one by one."""

    def __call__(self, documents: Document, request: Request) -> Summary | Outline:
        """Return the summary of a document."""

    def stream(
        self, documents: list[Document], request: Request
    ) -> Iterator[Summary | Outline | BudgetError | InputError]:
        """Yield the summary of each document, or the error in its place."""

    @property
    def writes(self) -> bool:
        """True if sentences are written by a network."""

    @property
    def signature(self) -> str:
        """The preset, a hash of its options, and the version."""


@dataclass(eq=False)
class _Node:
    """A part in the making, with the titles of those that were joined with it."""

    division: Division
    whole: Document
    starts: Sequence[int]
    unnamed: bool
    spans: list[Span]
    joined: list[str] = field(default_factory=list)
    summary: Summary | None = None
    leaf: bool = True

    @cached_property
    def excerpt(self) -> Excerpt:
        """Its text, as stretches of the whole document."""
        return Excerpt(self.whole, tuple(self.spans), self.division.title, self.starts, self.unnamed)

    @property
    def document(self) -> Document:
        """Its text; how sentences begin is learned from the whole document, since a part may be all lists."""
        found = self.excerpt.document
        keep(is_cased, found, is_cased(self.whole))
        return found

    @property
    def level(self) -> int:
        return self.division.level

    def take(self, other: _Node) -> None:
        """Join another part with this one."""
        self.spans += other.spans
        self.joined += [other.division.title, *other.joined]
        vars(self).pop("excerpt", None)

    @property
    def has_text(self) -> bool:
        """True if its text may stand in a summary; what stands before the first heading must be prose."""
        title = self.division.title
        if not self.document.sentences or kind_of_section(title):
            return False
        return bool(title) or has_prose(self.document)

    def size(self, unit: Unit) -> int:
        """Length of all its sentences."""
        return sum(self.document.lengths_in(unit))

    def length(self, unit: Unit) -> int:
        """Length of its summary; characters include the white space behind it."""
        if self.summary is None:
            return 0
        return self.summary.words if unit == "words" else len(self.summary.text) + 1


def by_part(system: Summarizer, document: Document, request: Request) -> Outline:
    """Return a summary of a document by its parts.

    Args:
        system: The system that summarizes each part.
        document: The input.
        request: What is asked for, with `by`. What lies deeper than its depth is joined with the level above.

    Raises:
        BudgetError: If no part can have a summary of this length.
        InputError: If the document has no sentence, or what is asked for is not right.
    """
    by, depth = check_by(request.by or ""), request.depth
    request = replace(request, by=None, depth=None)  # of each part
    title, divisions = divide(document, by)
    if not divisions:
        made = system(document, request)
        assert isinstance(made, Summary)
        said = f"No parts by {by} were found in {document.name or 'the text'}, so this is an ordinary summary of it."
        return Outline(title, by, (), replace(made, notices=(*made.notices, said)))
    steering = steer(document, request)
    starts = [sentence.start for sentence in document.sentences]
    nodes = [_Node(one, document, starts, by in SPEAKERS, list(one.spans)) for one in divisions]
    if depth is not None:
        nodes = _without(nodes, lambda node: node.level > depth)
    nodes = _without(nodes, _is_tiny)
    nodes, notices = _summarized(system, document, request, nodes)
    nodes = [node for node in nodes if node.division.title or node.summary is not None]
    return Outline(
        title, by, _tree(nodes, document, by, steering), _whole(system, request, nodes, by, steering, notices)
    )


def _is_tiny(node: _Node) -> bool:
    numbered = node.division.numbered or not node.division.title
    return node.leaf and node.level > 1 and not numbered and node.document.num_words < TINY


def _without(nodes: Sequence[_Node], small: Callable[[_Node], bool]) -> list[_Node]:
    """Join parts with those that they are in."""
    for node, after in zip(nodes, [*nodes[1:], None], strict=True):
        node.leaf = after is None or after.level <= node.level
    remaining: list[_Node] = []
    path: list[_Node] = []
    for node in nodes:
        while path and path[-1].level >= node.level:
            path.pop()
        if path and small(node):
            path[-1].take(node)
        else:
            remaining.append(node)
            path.append(node)
    return remaining


def _summarized(
    system: Summarizer, document: Document, request: Request, nodes: list[_Node]
) -> tuple[list[_Node], tuple[str, ...]]:
    """Summarize parts within the length asked for; return those that there are then, and what to tell."""
    budget = request.budget
    limit = budget.characters if budget.unit == "characters" else budget.words_of(document)
    if limit is None:
        _summarize(system, request, nodes, budget.sentences)
        if budget.sentences is None and not system.writes:
            for node in nodes:
                _complete(system, request, node)
        return nodes, tuple(_told_empty(nodes))
    costs = _least(system, request, nodes, limit)
    for deepest in range(max(node.level for node in nodes), 1, -1):
        if sum(costs.values()) <= limit:
            break
        nodes = _without(nodes, lambda node, level=deepest: node.level >= level)  # type: ignore[misc]
        costs = _least(system, request, nodes, limit)
    notices: tuple[str, ...] = ()
    if sum(costs.values()) > limit:
        costs, notices = _longest(costs, limit, budget.unit)
    _divide(system, request, costs, limit)
    return nodes, (*notices, *_told_empty(nodes))


def _told_empty(nodes: Sequence[_Node]) -> Iterator[str]:
    """Yield a notice of the parts with prose, and one of the messages and speakers, that have no sentences."""
    lacking = [node for node in nodes if node.summary is None]
    if silent := sum(node.unnamed for node in lacking):
        yield f"{silent} of {len(nodes)} parts are left out of the text, because they have no sentence to show."
    empty = [node for node in lacking if not node.unnamed and node.has_text and has_prose(node.document)]
    if empty:
        titles = [node.division.title for node in empty[:MOST_NAMED]]
        shown = ", ".join(f"“{title}”" if title else "what stands before the first heading" for title in titles)
        more = f" and {len(empty) - MOST_NAMED} more" if len(empty) > MOST_NAMED else ""
        yield f"No sentence of {shown}{more} is shown: none that can stand alone fits."


def _summarize(system: Summarizer, request: Request, nodes: Iterable[_Node], sentences: int | None = None) -> None:
    """Give each part that has text a summary of some sentences, by default of the least that can stand alone."""
    filled = []
    for node in nodes:
        node.summary = None
        filled += [node] if node.has_text else []
    if filled:
        made = system.stream(
            [node.document for node in filled], replace(request, budget=Budget(sentences=sentences or 1))
        )
        for node, one in zip(filled, made, strict=True):
            found = isinstance(one, Summary) and one.sentences
            summary = one if found or sentences or system.writes else _least_alone(system, request, node, one)
            node.summary = summary if isinstance(summary, Summary) and summary.sentences else None


def _least_alone(system: Summarizer, request: Request, node: _Node, refused: object) -> Summary | NutgrafError:
    """Return the least of a part that can stand alone, such as a list with its introduction; else what else there is.

    Args:
        system: The system.
        request: What is asked for.
        node: A part of which one sentence cannot stand alone.
        refused: What the system made of it instead.
    """
    least = refused.smallest if isinstance(refused, BudgetError) else None
    made = _of_budget(system, request, node, Budget(sentences=least)) if least else None
    return made if isinstance(made, Summary) else _of_budget(system, request, node, Budget())


def _complete(system: Summarizer, request: Request, node: _Node) -> None:
    """Summarize a part anew where its sentence leans on others: with as many sentences as that takes."""
    if node.summary is None or request.whole_sentences:
        return
    document = node.document
    starts = [sentence.start for sentence in document.sentences]
    taken = [bisect_right(starts, origin.start) - 1 for one in node.summary for origin in one.origins]
    closures = Closures(document)
    members = {index for one in taken for index in closures.of(one, ()).members}
    if any(closures.missed(one, taken) for one in taken) and len(members) <= MOST_TOGETHER:
        made = _of_budget(system, request, node, Budget(sentences=len(members)))
        node.summary = made if isinstance(made, Summary) else node.summary


def _least(system: Summarizer, request: Request, nodes: Sequence[_Node], limit: int) -> dict[_Node, int]:
    """Give each part a sentence and return their lengths: the best ones if they fit, else shorter ones.

    Parts whose sentences are longer than an equal share of the length get shorter ones; where a part has none, the
    others have less.
    """
    unit = request.budget.unit
    _summarize(system, request, nodes)
    costs = {node: node.length(unit) for node in nodes if node.summary is not None}
    shortest: dict[_Node, int] = {}
    for _ in range(ROUNDS):
        room = limit - sum(shortest.values())
        if sum(costs.values()) <= limit or room <= 0:
            break
        free = [node for node in costs if node not in shortest]
        for node, share in zip(free, quotas([costs[node] for node in free], room), strict=True):
            if share < costs[node] and not _shorten(system, request, node, share):
                shortest[node] = node.length(unit)
            costs[node] = node.length(unit)
    return costs


def _shorten(system: Summarizer, request: Request, node: _Node, share: int) -> bool:
    """Give a part the shortest summary that it can have, if that is longer than its share; return False then."""
    made = _of_length(system, request, node, share) if share > 0 else BudgetError("")
    fits = isinstance(made, Summary)
    if isinstance(made, BudgetError) and made.smallest:
        made = _of_length(system, request, node, made.smallest + (request.budget.unit == "characters"))
    if isinstance(made, Summary) and node.summary is not None and made.length < node.summary.length:
        node.summary = made
    return fits


def _of_length(system: Summarizer, request: Request, node: _Node, length: int) -> Summary | NutgrafError:
    """Return a summary of a part of at most this length, with the white space behind it, or why there is none."""
    room = length if request.budget.unit == "words" else length - 1
    return _of_budget(system, request, node, request.budget.with_length(max(1, room)))


def _of_budget(system: Summarizer, request: Request, node: _Node, budget: Budget) -> Summary | NutgrafError:
    try:
        made = system(node.document, replace(request, budget=budget))
    except (BudgetError, InputError) as error:
        return error
    return made if isinstance(made, Summary) and made.sentences else BudgetError(f"No sentence fits into {budget}.")


def _longest(costs: dict[_Node, int], limit: int, unit: Unit) -> tuple[dict[_Node, int], tuple[str, ...]]:
    """Keep the summaries of the longest parts, as many as fit."""
    fitting, left = set(), limit
    for node in sorted(costs, key=lambda node: -node.size(unit)):
        if costs[node] <= left:
            fitting.add(node)
            left -= costs[node]
    if not fitting:
        smallest = min(costs.values()) - (unit == "characters")
        raise BudgetError(
            f"No sentence of a part fits into {counted(limit, unit)}: the shortest has {smallest}. Ask for "
            f"{counted(smallest, unit)} or more.",
            smallest,
        )
    for node in costs.keys() - fitting:
        node.summary = None
    said = f"The length suffices for a sentence of {len(fitting)} of {len(costs)} parts, the longest ones that fit."
    return {node: cost for node, cost in costs.items() if node in fitting}, (said,)


def _divide(system: Summarizer, request: Request, costs: dict[_Node, int], limit: int) -> None:
    """Give each part a summary within its share of the length, and what is left of it to those behind."""
    unit, spare = request.budget.unit, 0
    for node, share in zip(costs, _shares(costs, limit, unit), strict=True):
        room = share + spare
        if room > costs[node]:
            longer = _of_length(system, request, node, room)
            if isinstance(longer, Summary) and longer.length > (node.summary.length if node.summary else 0):
                node.summary = longer
        spare = room - node.length(unit)


def _shares(costs: dict[_Node, int], limit: int, unit: Unit) -> list[int]:
    """Divide what is left behind a sentence of each part in proportion to their lengths, which no share exceeds."""
    sizes = {node: max(1, node.size(unit)) for node in costs}
    room, total = limit - sum(costs.values()), sum(sizes.values())
    given: dict[_Node, int] = {}
    for node in sorted(costs, key=lambda node: max(0, sizes[node] - costs[node]) / sizes[node]):
        more = min(room * sizes[node] // total, max(0, sizes[node] - costs[node]))
        given[node] = costs[node] + more
        room, total = room - more, total - sizes[node]
    return [given[node] for node in costs]


def _sentences(node: _Node, by: By) -> Iterator[SummarySentence]:
    """Yield the sentences of a part with their places in the whole document, and who says them."""
    speaker = node.division.title if by in SPEAKERS and node.document.turns else None
    for one in node.summary or ():
        moved = node.excerpt.sentence(one)
        yield moved if speaker is None else replace(moved, speaker=speaker)


def _tree(nodes: Sequence[_Node], document: Document, by: By, steering: Steering) -> tuple[Part, ...]:
    """Nest parts by their levels, from the last to the first, so that each is made of those in it."""
    waiting: list[Part] = []
    for node in reversed(nodes):
        inner = []
        while waiting and waiting[-1].level > node.level:
            inner.append(waiting.pop())
        division = node.division
        own = node.summary.notices if node.summary is not None and steering.plain else ()
        waiting.append(
            Part(
                title=division.title,
                level=node.level,
                place=origin_of(document, division.start, division.spans[0][1] if division.spans else division.start),
                words=node.document.num_words,
                sentences=tuple(_sentences(node, by)),
                parts=tuple(inner),
                joined=tuple(node.joined),
                notices=own,
            )
        )
    return tuple(reversed(waiting))


def _whole(
    system: Summarizer, request: Request, nodes: Sequence[_Node], by: By, steering: Steering, notices: tuple[str, ...]
) -> Summary:
    """Return one summary of the sentences of all parts."""
    document = nodes[0].whole
    made = [node for node in nodes if node.summary is not None]
    sentences = tuple(sentence for node in made for sentence in _sentences(node, by))
    if not sentences:
        raise InputError(f"There is no sentence to summarize in the parts of {document.name or 'the input'}.")
    return Summary(
        sentences=sentences,
        document=document,
        budget=request.budget,
        signature=system.signature,
        limit=request.budget.words_of(document),
        find_phrases=partial(tuple, steering.phrases),
        cut=tuple(node.excerpt.cut(cut) for node in made if node.summary for cut in node.summary.cut),
        notices=tuple(dict.fromkeys((*document.notices, *steering.notices, *notices))),
        highlights=tuple(phrase.text for phrase in steering.highlights),
    )
