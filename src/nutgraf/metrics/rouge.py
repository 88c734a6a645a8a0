r"""ROUGE. Lin, *ROUGE: A Package for Automatic Evaluation of Summaries* (2004), as computed by one of two programs.

`like="perl"` gives the scores of the original script, ROUGE-1.5.5.pl, for each text, to its five digits:

* **1, 2, …** n-grams, across sentence boundaries.
* **L** is the script's ROUGE-L: for each reference sentence the *union* of its longest common subsequences with all
  sentences of the hypothesis. **Lsum** is another name for it.
* **W** weights consecutive matches (`-w 1.2`). **S4, S\*** are pairs of words with at most 4, or any number of, words
  between them (`-2 4`, `-2 -1`); **SU4, SU\*** count single words as well (`-u`), except the last word of each text.

`like="rouge-score"` gives the scores of the Python package `rouge-score`, unrounded, for the variants that it has:

* **1, 2, …** n-grams, across sentence boundaries.
* **L** is its rougeL: *one* longest common subsequence of the two whole texts, whatever their sentences.
* **Lsum** is its rougeLsum, the union over sentences. So *Lsum*, not L, corresponds to the script's L.

Scores that take a union depend on sentence boundaries: the sentences of an Example are used as they are.

Both programs read words in ASCII letters only, so that texts in other scripts score 0. `tokenization="words"` reads
words of all scripts, and segments Chinese, Japanese and Thai as `nutgraf.text.segmentation` does; "characters" takes
each character of these three. The signature says which, and what segmented.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal

from nutgraf.errors import InputError, check_type, items_of, type_name
from nutgraf.metrics import Direction, Example, Metric, Sentences
from nutgraf.metrics._rouge_text import (
    TextPair,
    Tokenize,
    TokenizedText,
    any_script_tokenizer,
    package_tokenizer,
    script_tokenizer,
    segmentation_signature,
)
from nutgraf.metrics._rouge_variants import DIGITS, Match, parse
from nutgraf.metrics._score import Score, harmonic, sign
from nutgraf.presets.family import configure, plain
from nutgraf.presets.ranges import PositiveFloat, Share
from nutgraf.text.segmentation import language_of

VARIANTS = {"perl": ("1", "2", "L", "SU4", "SU*"), "rouge-score": ("1", "2", "L", "Lsum")}
"""Variants computed by default."""


@dataclass(frozen=True)
class Config:
    """ROUGE."""

    variants: tuple[str, ...] | None = None
    """Variants: "1", "2" and so on, "L", "Lsum" and, like the script, "W", "S4", "S*", "SU4", "SU*"; by default 1, 2,
    L, SU4 and SU* (like the script) or 1, 2, L and Lsum (like rouge-score)."""

    stem: bool = True
    """Stem words, as the script's `-m` with WordNet's exceptions, or as the package's `use_stemmer`."""

    references: Literal["average", "best"] | None = None
    """Several references: "average" sums hits and counts (the script's `-f A`), "best" takes the reference with the
    highest recall (`-f B`; in rouge-score the highest F); by default as the program does, "average" for the script and
    "best" for rouge-score, which has no other."""

    jackknife: bool = False
    """With m > 1 references, average the m scores that leave one out, as the script's release notes prescribe for
    comparing a system with a person, whose own text cannot be a reference."""

    like: Literal["perl", "rouge-score"] = "perl"
    """Program to reproduce: the script ("perl") or the package "rouge-score"."""

    tokenization: Literal["program", "words", "characters"] = "program"
    """Tokens: as the "program" has them, words in ASCII letters; "words" of all scripts, those of Chinese, Japanese and
    Thai segmented; or "characters" of these three and words of all others."""

    alpha: Share = 0.5
    """Weight of precision in F: 0.5 for the harmonic mean, 0 for recall alone."""

    weight: PositiveFloat = 1.2
    """Weight of ROUGE-W."""

    parts: tuple[Literal["P", "R", "F"], ...] = ("F",)
    """Columns of each variant: F is called "ROUGE-1", P "ROUGE-1 P", R "ROUGE-1 R"."""

    def __post_init__(self) -> None:
        for name, given in (("variants", self.variants), ("parts", self.parts)):
            if given is not None and (not given or len(set(given)) < len(given)):
                raise ValueError(f"{name} = {given} must have at least one, and each once.")
        for variant in self.variants or ():
            parse(variant, self.weight, self.like)
        if self.like == "rouge-score" and (self.references == "average" or self.jackknife or self.alpha != 0.5):
            raise ValueError(
                "the package rouge-score takes the best of several references and the harmonic mean; for "
                'references="average", jackknife or another alpha use like="perl".'
            )


class Rouge(Metric):
    """Overlap of a hypothesis with references; None for an example without references."""

    config: Config

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        names = config.variants or VARIANTS[config.like]
        self._variants = {name: parse(name, config.weight, config.like) for name in names}
        self._best = config.references == "best" or config.like == "rouge-score"
        self._combine = _as_the_package if config.like == "rouge-score" else self._as_the_script

    def __reduce__(self) -> tuple[type[Rouge], tuple[Config]]:
        """Pickle the options only, since tokenizers cannot be pickled."""
        return Rouge, (self.config,)

    @property
    def directions(self) -> dict[str, Direction]:
        """Columns and their directions; see `Metric`."""
        return {_column(name, part): "higher" for name in self._variants for part in self.config.parts}

    @property
    def signature(self) -> str:
        """Everything needed to reproduce a score; see `Metric`."""
        config = self.config
        settings: dict[str, object] = {
            "stem": config.stem,
            "refs": "best" if self._best else "average",
            "like": config.like,
        }
        if config.like == "perl":
            settings |= {"jackknife": config.jackknife, "alpha": config.alpha}
        if config.tokenization == "words":
            settings["tokenization"] = f"words,{segmentation_signature()}"
        elif config.tokenization == "characters":
            settings["tokenization"] = config.tokenization
        if "W" in self._variants:
            settings["weight"] = config.weight
        return sign("rouge", **settings)

    def __call__(self, example: Example) -> dict[str, float | None]:
        """Score an example; see `Metric`."""
        if not example.references:
            return dict.fromkeys(self.directions)
        scores = self.score(example.hypothesis, example.references)
        return {
            _column(name, part): getattr(score, _FIELDS[part])
            for name, score in scores.items()
            for part in self.config.parts
        }

    def score(self, hypothesis: Sentences, references: Sequence[Sentences]) -> dict[str, Score]:
        """Score a hypothesis against references.

        Returns:
            The score of each variant.

        Raises:
            InputError: If there is no reference.
        """
        if not references:
            raise InputError("ROUGE compares with references, and there is none.")
        tokenize = self._tokenizer(references)
        text = TokenizedText(hypothesis, tokenize)
        return self._compare(text, [TokenizedText(reference, tokenize) for reference in references])

    def pairwise(
        self, texts: Sequence[Sentences], references: Sequence[Sentences] | None = None
    ) -> list[list[dict[str, Score]]]:
        """Score each of several texts with each of them, or of others, as its only reference.

        Args:
            texts: Hypotheses.
            references: References; None for the same texts.

        Returns:
            A row for each hypothesis; in it, for each reference, the score of each variant.
        """
        others = texts if references is None else references
        tokenize = self._tokenizer([*texts, *others])
        tokenized = {tuple(text): TokenizedText(text, tokenize) for text in (*texts, *others)}
        scores = {
            (one, other): self._compare(tokenized[one], [tokenized[other]])
            for one in dict.fromkeys(map(tuple, texts))
            for other in dict.fromkeys(map(tuple, others))
        }
        return [[scores[tuple(one), tuple(other)] for other in others] for one in texts]

    def _compare(self, text: TokenizedText, references: Sequence[TokenizedText]) -> dict[str, Score]:
        pairs = [TextPair(text, reference) for reference in references]
        return {name: self._combine([variant(pair) for pair in pairs]) for name, variant in self._variants.items()}

    def _tokenizer(self, references: Sequence[Sentences]) -> Tokenize:
        """Tokenizer of a hypothesis and its references, whose characters tell their language."""
        config = self.config
        if config.tokenization == "program":
            return (package_tokenizer if config.like == "rouge-score" else script_tokenizer)(config.stem)
        segmented = config.tokenization == "words"
        language = language_of("".join(chain.from_iterable(references))) if segmented else None
        return any_script_tokenizer(config.stem, language, config.like)

    def _as_the_script(self, matches: Sequence[Match]) -> Score:
        if not self.config.jackknife or len(matches) == 1:
            return self._of_several(matches)
        without_one = [[*matches[:out], *matches[out + 1 :]] for out in range(len(matches))]
        scores = [self._of_several(those) for those in without_one]
        return Score(*(sum(values) / len(scores) for values in zip(*scores, strict=True)))

    def _of_several(self, matches: Sequence[Match]) -> Score:
        """Round precision and recall before computing F, as the script does."""
        match = max(matches, key=lambda one: one.merit) if self._best else _sum(matches)
        precision, recall = round(match.precision, DIGITS), round(match.recall, DIGITS)
        mean = (1 - self.config.alpha) * precision + self.config.alpha * recall
        return Score(precision, recall, round(precision * recall / mean, DIGITS) if mean > 0 else 0.0)


def rouge(
    hypothesis: str | Sentences, references: str | Iterable[str | Sentences], /, **options: Any
) -> dict[str, Score]:
    """Score one hypothesis.

    >>> rouge("police killed the gunman", ["the gunman killed police"], variants=("1", "2"))
    {'1': Score(precision=1.0, recall=1.0, f=1.0), '2': Score(precision=0.33333, recall=0.33333, f=0.33333)}

    Args:
        hypothesis: A list of sentences, or a string with one sentence per line.
        references: A reference as a string, or a list of references, each like the hypothesis.
        options: Fields of `Config`.

    Returns:
        The score of each variant.

    Raises:
        PresetError: If an option is not valid.
        InputError: If there is no reference.
    """
    scorer = Rouge(configure(Config, {name: plain(value) for name, value in options.items()}, "rouge"))
    several = items_of(references)
    given: Iterable[Any] = [references] if several is None else several
    return scorer.score(_sentences(hypothesis), [_sentences(reference) for reference in given])


_FIELDS: dict[str, str] = {"P": "precision", "R": "recall", "F": "f"}


def _column(variant: str, part: str) -> str:
    return f"ROUGE-{variant}" if part == "F" else f"ROUGE-{variant} {part}"


def _sentences(text: str | Sentences) -> Sentences:
    if isinstance(text, str):
        return text.split("\n")
    given = items_of(text)
    if given is None:
        raise InputError(f"A text to score is a str or a list of sentences, not {type_name(text)}.")
    sentences = list(given)
    for sentence in sentences:
        check_type(sentence, str, "A sentence to score is a text (str)")
    return sentences


def _sum(matches: Sequence[Match]) -> Match:
    if len(matches) == 1:
        return matches[0]
    hits, hypothesis, reference = map(sum, zip(*(match[:3] for match in matches), strict=True))
    return matches[0]._replace(hits=hits, hypothesis=hypothesis, reference=reference)


def _as_the_package(matches: Sequence[Match]) -> Score:
    scores = (harmonic(match.precision, match.recall) for match in matches)
    return max(scores, key=lambda score: score.f)
