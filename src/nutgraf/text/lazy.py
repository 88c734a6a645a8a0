"""A sequence whose items are made when somebody asks for them: of a long text most are never needed."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar, overload

Item = TypeVar("Item")


class LazySequence(Sequence[Item], Generic[Item]):
    """A sequence whose items are made when they are first asked for, and kept.

    Args:
        length: Number of items.
    """

    def __init__(self, length: int) -> None:
        self._length = length
        self._items: dict[int, Item] = {}

    @abstractmethod
    def _make(self, index: int) -> Item:
        """Make an item; the index is at least 0."""

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Item: ...

    @overload
    def __getitem__(self, index: slice) -> list[Item]: ...

    def __getitem__(self, index: int | slice) -> Item | list[Item]:
        places = range(self._length)
        if isinstance(index, slice):
            return [self[each] for each in places[index]]
        index = places[index]
        if index not in self._items:
            self._items[index] = self._make(index)
        return self._items[index]
