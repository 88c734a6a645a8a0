"""Part-of-speech tagging, with universal tags (Petrov, Das and McDonald 2012, in the names of Universal Dependencies).

Three taggers:

textblob   the lexicon and the rules of TextBlob; needs only the base install.
crf        a conditional random field, more accurate and slower; `pip install "nutgraf[tagger]"`. It takes verbs behind
           nouns for nouns ("the bridge turns"), so that those count as verbs where textblob says so.
content    no tagger: every content word counts as a noun. Works for any language.

"auto" takes crf where it is installed, and textblob elsewhere. The first two know English. A Document in another
language is tagged by `content`, whichever was chosen; if it was not `content` itself, words that are verbs as far as
can be told without a tagger (`verb_cues`) are no nouns, and neither are single letters.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from itertools import compress, repeat
from string import punctuation
from typing import Any, Literal, get_args

from nutgraf.errors import InputError, UnknownName
from nutgraf.text.clean import with_plain_apostrophes
from nutgraf.text.dictionary import english_tag
from nutgraf.text.document import Document
from nutgraf.text.greetings import greetings
from nutgraf.text.language import elides, elision
from nutgraf.text.tokenize import UNSPACED_LANGUAGES, Span, is_word, token_spans
from nutgraf.text.verb_cues import verbs

Tagger = Literal["auto", "textblob", "crf", "content"]

UNIVERSAL = {
    "NN": "NOUN", "NNS": "NOUN", "NNP": "PROPN", "NNPS": "PROPN",
    "JJ": "ADJ", "JJR": "ADJ", "JJS": "ADJ", "AFX": "ADJ",
    "VB": "VERB", "VBD": "VERB", "VBG": "VERB", "VBN": "VERB", "VBP": "VERB", "VBZ": "VERB", "MD": "AUX",
    "RB": "ADV", "RBR": "ADV", "RBS": "ADV", "WRB": "ADV",
    "IN": "ADP", "RP": "ADP", "TO": "PART", "POS": "PART", "CC": "CCONJ",
    "DT": "DET", "PDT": "DET", "WDT": "DET", "PRP": "PRON", "PRP$": "PRON", "WP": "PRON", "WP$": "PRON", "EX": "PRON",
    "CD": "NUM", "UH": "INTJ", "SYM": "SYM", "$": "SYM",
}  # fmt: skip
"""Universal tags of the Penn Treebank's tags; all others are X."""

NAMES = frozenset({"NOUN", "PROPN", "ADJ"})
"""Tags of the words that name something."""

KEPT = 1 << 14
"""Words whose tags and features are remembered."""

FINITE = frozenset({"VBZ", "VBD"})
"""Tags of verbs that are not their base form, as the Penn Treebank names them."""

_SHAPES = {
    "CD": re.compile(r"^[-0-9,.:/%$]+$"),
    "VBP": re.compile(r"(?:ate|ify|i[sz]e)$"),
    "VBN": re.compile(r"ed$"),
    "JJ": re.compile(r"-|(?:able|al|ful|ible|ient|ish|ive|less|tic|ous)$"),
    "NNS": re.compile(r"(?<!i)(?<!ou)(?<!s)s$"),
    "RB": re.compile(r"ly$"),
    "VBG": re.compile(r"ing$"),
}
"""Tags of English words that the lexicon does not have, by what they look like; the first that fits."""

_CLITIC = re.compile(r"['’](?:s|re|ve|ll|d|m)$", re.IGNORECASE)
_NEGATION = re.compile(r"n['’]t$", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Tagged:
    """Tokens of a Document with their part-of-speech tags: three lists of one length.

    Attributes:
        document: The Document.
        words: The tokens as they are written.
        tags: Universal tags.
        spans: Character spans in the Document's text.
        starts: Index of the first token of each sentence, ascending.
    """

    document: Document
    words: list[str]
    tags: list[str]
    spans: list[Span]
    starts: list[int]


@lru_cache(maxsize=4)
def tag(document: Document, tagger: Tagger = "textblob", segmented: bool = True) -> Tagged:
    """Tokenize and tag a Document.

    English clitics ("'s", "'ll") and French and Italian elisions ("l'", "dell'") are tokens of their own.

    Args:
        document: The Document.
        tagger: Part-of-speech tagger.
        segmented: Segment scripts without spaces into words; otherwise each of their characters is a token.

    Raises:
        UnknownName: If there is no such tagger.
        InputError: If "crf" is not installed.
    """
    if tagger not in get_args(Tagger):
        raise UnknownName("tagger", tagger, get_args(Tagger))
    assign = _TAGGERS[available(tagger) if document.language == "en" else "content"]
    language = document.language if segmented else None
    words: list[str] = []
    tags: list[str] = []
    spans: list[Span] = []
    starts: list[int] = []
    for sentence in document.sentences:
        found = token_spans(document.text, sentence.start, sentence.end, language)
        if not found:
            continue
        if document.language == "en" and _has_apostrophe(document.text[sentence.start : sentence.end]):
            found = [piece for span in found for piece in _part_clitic(document.text, span)]
        elif elides(document.language):
            found = [piece for span in found for piece in _part_elision(document, span)]
        starts.append(len(words))
        tokens = [document.text[start:end] for start, end in found]
        words += tokens
        spans += found
        settled = list(map(_settle, tokens, assign(tokens, document)))
        for position in greetings(tokens):
            settled[position] = "INTJ"
        tags += settled
    if document.language != "en" and tagger != "content":
        found_verbs = verbs(words, starts, document.language, document.stop_words) or []
        for index in compress(range(len(words)), found_verbs):
            tags[index] = "VERB" if tags[index] == "NOUN" else tags[index]
        if document.language not in UNSPACED_LANGUAGES:
            lone = [len(word) == 1 and part == "NOUN" for word, part in zip(words, tags, strict=True)]
            tags = ["X" if one else part for one, part in zip(lone, tags, strict=True)]
    return Tagged(document, words, tags, spans, starts)


def available(tagger: Tagger) -> Tagger:
    """Return the tagger that "auto" stands for on this machine; any other one stands for itself."""
    if tagger != "auto":
        return tagger
    return "crf" if all(find_spec(name) for name in ("gruut_lang_en", "pycrfsuite")) else "textblob"


@lru_cache(maxsize=KEPT)
def _settle(token: str, guess: str) -> str:
    """Correct the tag where the token itself leaves no doubt."""
    if not is_word(token) and not is_word(token[-1]):
        return "PUNCT"
    return "AUX" if _has_apostrophe(token) and _NEGATION.search(token) else guess


def _has_apostrophe(token: str) -> bool:
    return "'" in token or "’" in token


def _part_clitic(text: str, span: Span) -> list[Span]:
    start, end = span
    clitic = _CLITIC.search(text, start, end) if _has_apostrophe(text[start:end]) else None
    if clitic is None or clitic.start() == start:
        return [span]
    return [(start, clitic.start()), (clitic.start(), end)]


def _part_elision(document: Document, span: Span) -> list[Span]:
    start, end = span
    joint = start + elision(document.language, document.text[start:end])
    return [(start, joint), (joint, end)] if joint > start else [span]


def _textblob(tokens: Sequence[str], document: Document) -> list[str]:
    return [_universal(penn) for penn in penn_tags(tokens)]


def penn_tags(tokens: Sequence[str]) -> list[str]:
    """Tags of the Penn Treebank as TextBlob's parser gives them, which looks a word up and goes by its ending.

    The parser itself is not asked: it cannot be imported without NLTK, which takes longer than all the rest.
    """
    words = [with_plain_apostrophes(token) for token in tokens]
    tags = [english_tag(word) or _penn_of_unknown(word) for word in words]
    if words and not english_tag(words[0]):
        tags[0] = english_tag(words[0].lower()) or tags[0]
    return tags


def _penn_of_unknown(word: str) -> str:
    """Tag of a word that the lexicon does not have, by its first letter or its ending."""
    if word.istitle():
        return "NNP"
    return next((penn for penn, shape in _SHAPES.items() if shape.search(word)), "NN")


def _crf(tokens: Sequence[str], document: Document) -> list[str]:
    stop = document.stop_words  # outside of sentences, the model takes some of them for nouns: "the of and"
    tags = [_universal(penn) for penn in _crf_model().tag(_features(tokens))]
    finite: list[bool] = []
    for index, tag in enumerate(tags):
        if tag == "NOUN" and index and tags[index - 1] in NAMES:
            finite = finite or [penn in FINITE for penn in penn_tags(tokens)]
            if finite[index]:
                tags[index] = "VERB"
    return ["X" if tag in NAMES and token in stop else tag for token, tag in zip(tokens, tags, strict=True)]


def _content(tokens: Sequence[str], document: Document) -> list[str]:
    return list(map(_content_tag, tokens, repeat(document.stop_words)))


@lru_cache(maxsize=KEPT)
def _content_tag(token: str, stop: frozenset[str]) -> str:
    word = token.lower()
    if word[0].isdigit():
        return "NUM"
    if not _has_apostrophe(word):
        return "X" if word in stop else "NOUN"
    bare = with_plain_apostrophes(word)
    return "X" if bare in stop or bare.endswith("'") or _CLITIC.match(word) else "NOUN"


_TAGGERS: dict[str, Callable[[Sequence[str], Document], list[str]]] = {
    "textblob": _textblob,
    "crf": _crf,
    "content": _content,
}


def _universal(penn: str) -> str:
    return UNIVERSAL.get(penn) or UNIVERSAL.get(penn.partition("-")[0], "X")


@lru_cache(maxsize=1)
def _crf_model() -> Any:
    try:
        import gruut_lang_en
        import pycrfsuite
    except ImportError as error:
        raise InputError(
            'The tagger "crf" is not installed: run pip install "nutgraf[tagger]", or take the tagger "textblob".'
        ) from error
    model = pycrfsuite.Tagger()
    model.open(str(gruut_lang_en.get_lang_dir() / "pos" / "model.crf"))
    return model


def _features(tokens: Sequence[str]) -> list[dict[str, Any]]:
    """Features of gruut's English model: a word, its affixes and type, and those of two words on each side."""
    alone = [_features_of(with_plain_apostrophes(token)) for token in tokens]
    near = [(step, f"{step:+d}") for step in (-2, -1, 1, 2)]
    last = len(alone)
    result: list[dict[str, Any]] = [
        alone[index] | {place: alone[index + step] for step, place in near if 0 <= index + step < last}
        for index in range(last)
    ]
    result[0]["BOS"] = 1.0
    result[-1]["EOS"] = 1.0
    return result


@lru_cache(maxsize=KEPT)
def _features_of(word: str) -> dict[str, str | float]:
    """Features of a word without those that are 0, which change nothing and take time in five places."""
    features: dict[str, str | float] = {
        "bias": 1.0,
        "word": b64encode(word.encode("utf-8", "surrogatepass")).decode("ascii"),
        "len(word)": float(len(word)),
        "word.ispunctuation": float(word in punctuation),
        "word.isdigit()": float(word.isdigit()),
        "word[:2]": word[:2],
        "word[:3]": word[:3],
        "word[-2:]": word[-2:],
        "word[-3:]": word[-3:],
    }
    return {name: value for name, value in features.items() if value != 0}
