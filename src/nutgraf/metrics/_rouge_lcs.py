"""Longest common subsequences, many at once, in the bits of integers.

ROUGE-L (Lin 2004, Sec. 3.2) asks which words of each reference sentence lie on a longest common subsequence with any
sentence of the hypothesis. Where there are several longest ones, the choice changes the union. The ROUGE script fills
the usual table c[i][j] (i words of the reference sentence, j of the hypothesis sentence) and walks back from its last
corner: diagonally where the words are equal, else up (to i − 1) where c[i−1][j] ≥ c[i][j−1], else left (to j − 1). This
module takes the same steps:

* Column j of the table is stored as the set of rows where c grows by one, one bit per row, and computed from column
  j − 1 with a handful of operations (Hyyrö, *Bit-parallel LCS-length computation revisited*, 2004).
* In column j the walk stops at the first row, downwards from its position, at which c grows or the words are equal,
  because from any other row it goes up. There it takes the word if the words are equal, and leaves the column.
* Every pair of sentences has bits of its own, so one operation serves all pairs. A guard bit between pairs stops
  carries in the first pass and borrows in the second. The second pass runs over mirrored numbers: there the highest
  row is the lowest bit, which a subtraction finds for all pairs at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import zip_longest

Words = Sequence[str]

_MIRRORED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
_WIDEST = 2_048
"""Maximum number of bytes of an integer; longer ones save no more time."""


def union_hits(hypothesis: Sequence[Words], reference: Sequence[Words], shared: Set[str]) -> dict[str, int]:
    """For each shared word, the number of its places in the reference that lie on a path with some hypothesis sentence.

    All sentences contain words.
    """
    layout = _BitTable(reference, shared)
    on_path = 0
    for group in _groups(hypothesis, _WIDEST // layout.width):
        on_path |= layout.walk(group)
    places = _mirror(on_path.to_bytes(layout.width, "little"))
    return {word: (places & bits).bit_count() for word, bits in layout.places.items()}


def lcs_length(ours: Words, theirs: Words) -> int:
    """Length of a longest common subsequence."""
    rows: dict[str, int] = {}
    for place, word in enumerate(theirs):
        rows[word] = rows.get(word, 0) | 1 << place
    everywhere = (1 << len(theirs)) - 1
    flat = everywhere
    for word in ours:
        if equal := rows.get(word):
            kept = flat & equal
            flat = ((flat + kept) | (flat - kept)) & everywhere
    return len(theirs) - flat.bit_count()


class _BitTable:
    """Bit positions of the words of a reference.

    Attributes:
        width: Bytes of one copy, which serves one sentence of the hypothesis.
        places: Bits of each shared word.
    """

    def __init__(self, reference: Sequence[Words], shared: Set[str]) -> None:
        self.places = places = dict.fromkeys(shared, 0)
        firsts = lasts = words = 0
        place = 1
        for sentence in reference:
            firsts |= 1 << place
            for word in sentence:
                if word in shared:
                    places[word] |= 1 << place
                place += 1
            lasts |= 1 << (place - 1)
            words |= (1 << place) - (1 << (place - len(sentence)))
            place += 1
        self.width = place // 8 + 1
        self._rows = {word: bits.to_bytes(self.width, "little") for word, bits in places.items()}
        self._words = words.to_bytes(self.width, "little")
        self._ends = lasts.to_bytes(self.width, "little")
        self._guards = (firsts >> 1).to_bytes(self.width, "little")

    def walk(self, sentences: Sequence[Words]) -> int:
        """Mirrored rows on the path of any of these sentences."""
        columns = list(self._columns(sentences))
        growths = self._fill(columns, len(sentences))
        guards, ends = _mirror(self._guards * len(sentences)), _mirror(self._ends * len(sentences))
        ahead = _mirror(self._words * len(sentences))
        on_path = 0
        for column, growth in zip(reversed(columns), reversed(growths), strict=True):
            equal = _mirror(column)
            stops = (_mirror(growth) | equal) & ahead
            below = (stops | guards) - ends
            rest = stops & below
            stop = stops ^ rest
            taken = stop & equal
            on_path |= taken
            ahead ^= (ahead & (below ^ rest)) | taken
        return self._fold(on_path, len(sentences))

    def _columns(self, sentences: Sequence[Words]) -> Iterator[bytes]:
        """For each column, the rows with an equal word.

        Shorter sentences begin later, and all end together: a column without equal words changes nothing at the
        beginning, but would turn the walk at the end.
        """
        nowhere = bytes(self.width)
        backwards = [self._backwards(sentence, nowhere) for sentence in sentences]
        return map(b"".join, reversed(list(zip_longest(*backwards, fillvalue=nowhere))))

    def _backwards(self, sentence: Words, nowhere: bytes) -> list[bytes]:
        """Rows of each word, last word first.

        Words that the reference lacks turn the walk once, however many there are.
        """
        rows = [self._rows.get(word, nowhere) for word in reversed(sentence)]
        return [row for row, behind in zip(rows, [b"", *rows], strict=False) if row is not nowhere or behind is not row]

    def _fill(self, columns: list[bytes], copies: int) -> list[bytes]:
        """For each column, the rows where the table grows."""
        words = int.from_bytes(self._words * copies, "little")
        flat = words
        growths = []
        for column in columns:
            kept = flat & int.from_bytes(column, "little")
            flat = ((flat + kept) | (flat - kept)) & words
            growths.append((flat ^ words).to_bytes(len(column), "little"))
        return growths

    def _fold(self, bits: int, copies: int) -> int:
        """Union over the copies."""
        size, folded = 8 * self.width, 0
        mask = (1 << size) - 1
        for copy in range(copies):
            folded |= bits >> (size * copy) & mask
        return folded


def _mirror(bits: bytes) -> int:
    """Integer with the bits in reverse order."""
    return int.from_bytes(bits.translate(_MIRRORED), "big")


def _groups(sentences: Sequence[Words], size: int) -> Iterator[Sequence[Words]]:
    """Groups of sentences of similar length."""
    size = max(size, 1)
    by_length = sorted(sentences, key=len)
    return (by_length[start : start + size] for start in range(0, len(by_length), size))
