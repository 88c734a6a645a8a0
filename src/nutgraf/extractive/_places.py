"""Where sentences stand: in which section and document, and how far from borders."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nutgraf.text.document import Document
from nutgraf.text.vectors import Array

Integers = npt.NDArray[np.int64]


def parts_of(document: Document) -> Integers:
    """Index of the document, of several that were joined, that each sentence belongs to."""
    borders = [part.start for part in document.parts[1:]]
    starts = np.array([sentence.start for sentence in document.sentences], dtype=np.int64)
    return np.searchsorted(np.array(borders, dtype=np.int64), starts, "right")


def sections_of(document: Document) -> tuple[Integers, Integers]:
    """Section of each sentence, counted from 0, and document of each section."""
    borders = np.unique([one.start for one in (*document.parts, *document.sections)])
    starts = np.array([sentence.start for sentence in document.sentences])
    _, first, labels = np.unique(np.searchsorted(borders, starts, "right"), return_index=True, return_inverse=True)
    return labels, parts_of(document)[first]


def places_in(groups: Integers) -> Integers:
    """Place of each member in its group, from 0; the groups are in ascending order."""
    return np.arange(len(groups)) - np.searchsorted(groups, groups)


def border_distances(groups: Integers, alpha: float = 1.0) -> Array:
    """Distance of each member from the nearer border of its group; `alpha` scales that from the end."""
    places = places_in(groups).astype(np.float64)
    sizes = np.searchsorted(groups, groups, "right") - np.searchsorted(groups, groups)
    return np.minimum(places, alpha * (sizes - 1 - places))
