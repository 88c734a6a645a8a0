"""Texts of any length: made-up words as frequent as Zipf's law has them, in sentences that look real.

    python benchmarks/long_text.py 1000000 > long.txt

Nearly half of the words are English function words, so that the text is taken for English; the others are made of
syllables. Sentences have 4 to 45 words, some with commas, a number or a name; paragraphs have 2 to 8 sentences. Every
chapter has words of its own. The same number of words gives the same text.
"""

from __future__ import annotations

import argparse
import itertools
import random
from collections.abc import Iterator

FUNCTION = (
    "the of and to in a is that for it was on with as by at from be are this not which have had or an were their has "
    "but they been its who more when there would into other if than some could these two may then do first any my now "
    "such like our over me even most after also many before must through where much your well down should because each"
).split()
CONTENT = 60_000
SENTENCES_OF_A_CHAPTER = 400


class Writer:
    """Writes sentences. The same seed writes the same ones."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)
        syllables = [first + second for first in "bdfgklmnprstvw" for second in ("a", "e", "i", "o", "u", "ar", "en")]
        drawn = ("".join(self._random.choices(syllables, k=self._random.randint(2, 4))) for _ in itertools.count())
        self._content = list(itertools.islice(dict.fromkeys(itertools.islice(drawn, 2 * CONTENT)), CONTENT))
        self._likely = _zipf(len(self._content), flatten=10)
        self._likely_function = _zipf(len(FUNCTION))
        self._chapter: list[str] = []

    def paragraphs(self, words: int) -> Iterator[str]:
        """Paragraphs of `words` words in all."""
        left, written = words, 0
        while left > 0:
            sentences = []
            for _ in range(self._random.randint(2, 8)):
                if written % SENTENCES_OF_A_CHAPTER == 0:
                    self._chapter = self._random.sample(self._content, 60)
                length = min(left, self._random.randint(4, 20) + self._random.randint(0, 25))
                if length:
                    sentences.append(self._sentence(length))
                left -= length
                written += 1
            yield " ".join(sentences)

    def _sentence(self, length: int) -> str:
        function = self._random.choices(FUNCTION, cum_weights=self._likely_function, k=length)
        content = self._random.choices(self._content, cum_weights=self._likely, k=length)
        words = [one if self._random.random() < 0.45 else other for one, other in zip(function, content, strict=True)]
        for place in range(2, length - 1):
            lot = self._random.random()
            if lot < 0.04:
                words[place] = self._random.choice(self._chapter)
            elif lot < 0.05:
                words[place] = words[place].capitalize()
            elif lot < 0.06:
                words[place] = str(self._random.randint(2, 2000))
            elif lot < 0.10:
                words[place] += ","
        sentence = " ".join(words)
        return sentence[0].upper() + sentence[1:] + "."


def text(words: int, seed: int = 0) -> str:
    """A text of so many words, as `wc -w` counts them."""
    return "\n\n".join(Writer(seed).paragraphs(words)) + "\n"


def _zipf(count: int, flatten: int = 0) -> list[float]:
    """Accumulated weights 1 / (rank + flatten) (Mandelbrot): no content word is as frequent as "the"."""
    return list(itertools.accumulate(1 / (rank + flatten) for rank in range(1, count + 1)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", type=int)
    print(text(parser.parse_args().words), end="")
