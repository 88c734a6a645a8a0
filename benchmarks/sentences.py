"""How well sentence ends and words are found, beside nupunkt, pysbd and blingfire, jieba, janome, Sudachi and budoux.

    python benchmarks/sentences.py [--data ../shared/data] [--languages de fr] [--errors 20]

The texts are those of DATA/sentences (Universal Dependencies, with the offsets of sentences and words). An end is right
if it is the offset at which a sentence of the treebank ends; the last end of a text is given and does not count. A word
is right if both its offsets are. F1 in per cent over all texts of a language. Each side is told the language, where it
can be; `recognized` is ours with the language that it finds out by itself. pysbd has no Portuguese and Korean and is
told English there. Peers are installed into an environment of their own under --peers. Words are compared for the
languages that are written without spaces; punctuation counts. Behind nutgraf stands what segments there: the library of
the extra `cjk` if it is installed, else pairs of characters.
"""

from __future__ import annotations

import argparse
import json
import lzma
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

# blingfire imports numpy without asking for it.
PACKAGES = (
    "nupunkt==0.8.0",
    "pysbd==0.3.4",
    "blingfire==0.1.8",
    "numpy",
    "jieba==0.42.1",
    "rjieba==0.2.2",
    "janome==0.5.0",
    "sudachipy==0.7.0",
    "sudachidict-small==20261015",
    "budoux==0.10.1",
)
LANGUAGES = ("de", "es", "fa", "fr", "it", "ja", "ko", "nl", "pt", "ru", "zh")
UNSPACED = ("ja", "zh")
SPLITTERS = ("nupunkt", "pysbd", "blingfire")
SEGMENTERS = {"zh": ("jieba", "rjieba", "budoux"), "ja": ("janome", "sudachi", "budoux")}
Span = tuple[int, int]


def main() -> None:
    """Print F1 by language and side."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--languages", nargs="+", default=LANGUAGES, choices=LANGUAGES)
    parser.add_argument("--peers", type=Path, default=Path(__file__).parent / ".peers" / "sentences")
    parser.add_argument("--errors", type=int, default=0, help="wrong and missed ends of ours to show for each language")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        worker()
        return
    peers = peers_of(options.peers)
    print(f"{'sentence ends':<15}{'nutgraf':>11}{'recognized':>12}" + "".join(f"{name:>11}" for name in SPLITTERS))
    for language in options.languages:
        examples = read(options.data, language)
        sides = {"nutgraf": ours(examples, language), "recognized": ours(examples, None)}
        sides |= {name: ask(peers, "sentences", name, language, examples) for name in SPLITTERS}
        scores = {name: f1(ends(spans), gold_ends(examples)) for name, spans in sides.items()}
        widths = {"recognized": 12}
        print(f"{language:<15}" + "".join(f"{score:{widths.get(name, 11)}.1f}" for name, score in scores.items()))
        show_errors(examples, sides["nutgraf"], options.errors)
    from nutgraf.text.segmentation import described

    for language in (one for one in options.languages if one in UNSPACED):
        examples = read(options.data, language)
        sides = {f"nutgraf ({described(language)})": our_words(examples, language)}
        sides |= {name: ask(peers, "words", name, language, examples) for name in SEGMENTERS[language]}
        gold = [{tuple(span) for span in example["words"]} for example in examples]
        print(f"words, {language}: " + ", ".join(f"{n} {f1(map(set, s), gold):.1f}" for n, s in sides.items()))


def read(data: Path, language: str) -> list[dict[str, Any]]:
    """The annotated texts of a language."""
    with lzma.open(data / "sentences" / f"{language}_validation.jsonl.xz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def ours(examples: Sequence[dict[str, Any]], language: str | None) -> list[list[Span]]:
    """Sentences of nutgraf."""
    from nutgraf.text.document import Document

    made = [Document.of(example["text"], language=language) for example in examples]
    return [[(one.start, one.end) for one in document.sentences] for document in made]


def our_words(examples: Sequence[dict[str, Any]], language: str) -> list[list[Span]]:
    """Words and marks of nutgraf."""
    from nutgraf.text.tokenize import token_spans

    return [token_spans(example["text"], language=language) for example in examples]


def gold_ends(examples: Iterable[dict[str, Any]]) -> list[set[int]]:
    """Ends of the treebank's sentences, without the last of each text."""
    return [{end for _, end in example["sentences"][:-1]} for example in examples]


def ends(spans: Iterable[Sequence[Span]]) -> list[set[int]]:
    """Ends of the sentences found, without the last of each text."""
    return [{end for _, end in one[:-1]} for one in spans]


def f1(found: Iterable[set[Any]], gold: Iterable[set[Any]]) -> float:
    """F1 in per cent over all texts."""
    hits = count = wanted = 0
    for one, other in zip(found, gold, strict=True):
        hits, count, wanted = hits + len(one & other), count + len(one), wanted + len(other)
    return 200 * hits / max(1, count + wanted)


def show_errors(examples: Sequence[dict[str, Any]], spans: Sequence[Sequence[Span]], most: int) -> None:
    """Print ends that are wrong (+) or missed (-) with what stands around them."""
    wrong = []
    for example, found, gold in zip(examples, ends(spans), gold_ends(examples), strict=True):
        for end in sorted(found ^ gold):
            text = example["text"]
            wrong.append(f"   {'+' if end in found else '-'} …{text[max(0, end - 50) : end]}⏐{text[end : end + 40]}…")
    for line in wrong[:: max(1, len(wrong) // most)] if most else ():
        print(line.replace("\n", "¶"))


def peers_of(folder: Path) -> Path:
    """The Python of an environment that holds the peers; made anew if there is none."""
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    return python


def ask(python: Path, what: str, name: str, language: str, examples: Sequence[dict[str, Any]]) -> list[list[Span]]:
    """Spans that a peer finds."""
    asked = json.dumps({"what": what, "name": name, "language": language, "texts": [one["text"] for one in examples]})
    done = subprocess.run([str(python), __file__, "--worker"], input=asked, capture_output=True, text=True, check=True)
    return [[(start, end) for start, end in spans] for spans in json.loads(done.stdout.splitlines()[-1])]


def worker() -> None:
    """Answer as a peer: texts come as JSON, and spans without surrounding white space go."""
    asked = json.load(sys.stdin)
    split = PEERS[asked["name"]](asked["language"])
    print(json.dumps([[trim(text, *span) for span in split(text)] for text in asked["texts"]]))


def trim(text: str, start: int, end: int) -> Span:
    """A span without surrounding white space."""
    inside = text[start:end]
    return start + len(inside) - len(inside.lstrip()), end - len(inside) + len(inside.rstrip())


def place(text: str, pieces: Iterable[str]) -> list[Span]:
    """Spans of pieces that follow one another in a text."""
    spans, at = [], 0
    for piece in pieces:
        start = text.index(piece, at)
        at = start + len(piece)
        if piece.strip():
            spans.append((start, at))
    return spans


def _nupunkt(language: str) -> Callable[[str], list[Span]]:
    from nupunkt import sent_spans

    return lambda text: list(sent_spans(text))


def _pysbd(language: str) -> Callable[[str], list[Span]]:
    import pysbd
    from pysbd.languages import LANGUAGE_CODES

    segmenter = pysbd.Segmenter(language=language if language in LANGUAGE_CODES else "en", clean=False)

    def split(text: str) -> list[Span]:
        spans, at = [], 0
        for piece in segmenter.segment(text):
            start = text.find(piece.strip(), at)
            if start >= 0 and piece.strip():
                at = start + len(piece.strip())
                spans.append((start, at))
        return spans

    return split


def _blingfire(language: str) -> Callable[[str], list[Span]]:
    from blingfire import text_to_sentences_and_offsets

    return lambda text: list(text_to_sentences_and_offsets(text)[1])


def _jieba(language: str) -> Callable[[str], list[Span]]:
    import jieba

    jieba.setLogLevel(60)
    return lambda text: [(start, end) for _, start, end in jieba.tokenize(text) if text[start:end].strip()]


def _rjieba(language: str) -> Callable[[str], list[Span]]:
    import rjieba

    return lambda text: place(text, rjieba.cut(text))


def _sudachi(language: str) -> Callable[[str], list[Span]]:
    from sudachipy import Dictionary, SplitMode

    tokenizer = Dictionary(dict="small").tokenizer(mode=SplitMode.C)
    return lambda text: place(text, (morpheme.surface() for morpheme in tokenizer.tokenize(text)))


def _janome(language: str) -> Callable[[str], list[Span]]:
    from janome.tokenizer import Tokenizer

    tokenizer = Tokenizer()
    return lambda text: place(text, tokenizer.tokenize(text, wakati=True))


def _budoux(language: str) -> Callable[[str], list[Span]]:
    import budoux

    load = {"ja": budoux.load_default_japanese_parser, "zh": budoux.load_default_simplified_chinese_parser}
    parser = load[language]()
    return lambda text: place(text, parser.parse(text))


PEERS: dict[str, Callable[[str], Callable[[str], list[Span]]]] = {
    "nupunkt": _nupunkt,
    "pysbd": _pysbd,
    "blingfire": _blingfire,
    "jieba": _jieba,
    "rjieba": _rjieba,
    "sudachi": _sudachi,
    "janome": _janome,
    "budoux": _budoux,
}

if __name__ == "__main__":
    main()
