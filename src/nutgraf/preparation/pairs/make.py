"""Makes the pairs that a checker learns from: public ones, pairs written for it, and sentences of corpora, changed.

    python -m nutgraf.preparation.pairs.make DATA OUT [--written FILE ...] [--times 2] [--public 1] [--share 0.1]

OUT becomes a folder with `train.jsonl` and `validation.jsonl`, parted by a hash of the evidence.

Sentences of summaries are read against the sentences of the document that cover their words, and sentences of the
document against their neighbourhood. Each is entailed as it is, shortened, or in other words; not told beside other
passages, or with a detail added; contradicted after a change in it or in the evidence.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple

from nutgraf.preparation.pairs.corruptions import corrupt
from nutgraf.preparation.pairs.paraphrases import joined, misrounded, paraphrased, shortened
from nutgraf.preparation.pairs.words import WORD, changes, stems
from nutgraf.text.detokenize import detokenize
from nutgraf.text.document import Document

Label = Literal["entailment", "neutral", "contradiction"]

PUBLIC: Mapping[str, int] = {
    "mnli_part": 20000, "taxi_mnli": 20000, "cad_snli": 7000, "snli_dev": 5000, "snli_test": 5000, "breaking": 3500,
    "negation": 4494, "conj": 5000, "fm2_dev": 2000, "wice": 200, "cb": 400,
}  # fmt: skip
"""Files of public pairs, and how many of each are taken: captions of pictures are far from what is summarized."""

CORPORA: Mapping[str, tuple[str, int]] = {
    "cnn_dailymail": ("cnn_dailymail/train", 22000), "scitldr": ("scitldr/train", 1992),
    "scisummnet": ("scisummnet/train", 978), "squality": ("squality/train", 250),
    "acl_titles": ("acl_titles/train", 2500),
    "cochrane_pls": ("open/cochrane_pls", 827), "crd3": ("open/crd3", 2185), "mts_dialog": ("open/mts_dialog", 954),
    "ami_parts": ("open/ami_parts", 904), "convosumm": ("open/convosumm", 209), "opinions": ("open/opinions", 300),
}  # fmt: skip
"""Corpora, and how many of their documents are read."""

TOKENIZED = frozenset({"cnn_dailymail"})
"""Corpora whose words are separated by blanks."""

COVERED = 0.75
"""Share of the weight of a sentence's words that evidence must have to entail it, if nobody has read it."""

UNTOLD = 0.45
"""Share below which passages do not tell it."""

LONGEST = 45
SHORTEST = 5
MOST_WORDS = 100
"""Words of evidence."""

MOST_SENTENCES = 150
"""Sentences of a document that are read."""


class Pair(NamedTuple):
    """A sentence, the evidence that it is read against, and what the evidence says of it."""

    premise: str
    hypothesis: str
    label: Label
    source: str


def read(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a file of JSON lines."""
    with lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def public(data: Path, draw: Random, share: float) -> Iterator[Pair]:
    """Yield the pairs of public sets."""
    for name, most in PUBLIC.items():
        rows = list(read(data / f"nli/{name}.jsonl.xz"))
        for row in draw.sample(rows, round(share * min(most, len(rows)))):
            premise = " ".join(row["premise"].split()[:MOST_WORDS])
            yield Pair(premise, row["hypothesis"], row["label"], name)


WRITTEN: Mapping[str, Label] = {"supported": "entailment", "not told": "neutral", "contradicted": "contradiction"}


def written(path: Path) -> Iterator[Pair]:
    """Yield pairs that were written for a checker: `evidence` and `pairs` of sentence, label, perhaps kind of error.

    A sentence of the evidence, as it stands, is one more: those that are entailed are said in other words, and what
    shares most words would else seem to be contradicted.
    """
    for row in read(path):
        evidence, name = row["evidence"], f"written:{path.stem}"
        for sentence, label, *_ in row["pairs"]:
            yield Pair(evidence, sentence, WRITTEN[label], name)
        sentences = _printed(evidence)
        if len(sentences) > 1:
            yield Pair(evidence, Random(evidence).choice(sentences), "entailment", name)


class Text:
    """Sentences of a document, and which of them have the words of another sentence."""

    def __init__(self, sentences: Sequence[str]) -> None:
        self.sentences = [one for one in sentences if len(one.split()) > 2][:MOST_SENTENCES]
        self._stems = [stems(one) for one in self.sentences]
        counts = Counter(stem for one in self._stems for stem in one)
        self._weights = {stem: math.log(1 + len(self.sentences) / (0.5 + count)) for stem, count in counts.items()}
        self._new = math.log(1 + 2 * len(self.sentences))

    def coverage(self, sentence: str, places: Iterable[int]) -> float:
        """Return the share of the weight of a sentence's words that the sentences at some places have."""
        wanted = stems(sentence)
        there = set().union(*(self._stems[place] for place in places))
        total = sum(self._weights.get(stem, self._new) for stem in wanted)
        return sum(self._weights.get(stem, 0.0) for stem in wanted & there) / total if total else 0.0

    def evidence(self, sentence: str, most: int) -> list[int]:
        """Return the places of at most so many sentences that cover most of it, one after the other."""
        left, found = stems(sentence), list[int]()
        for _ in range(most):
            gains = [sum(self._weights[stem] for stem in left & own) for own in self._stems]
            best = max(range(len(gains)), key=gains.__getitem__, default=-1)
            if best < 0 or gains[best] <= 0:
                break
            found.append(best)
            left = left - self._stems[best]
        return sorted(found)

    def around(self, places: Iterable[int], width: int) -> list[int]:
        """Return the places with those so near to them."""
        near = {at for place in places for at in range(place - width, place + width + 1)}
        return sorted(at for at in near if 0 <= at < len(self.sentences))

    def text(self, places: Iterable[int]) -> str:
        """Return the sentences at some places as one text, cut at `MOST_WORDS`."""
        return " ".join(" ".join(self.sentences[place] for place in places).split()[:MOST_WORDS])


def corpus(data: Path, name: str, draw: Random, share: float) -> Iterator[Pair]:
    """Yield the pairs that are made of a corpus."""
    place, most = CORPORA[name]
    rows = list(read(data / f"{place}.jsonl.xz"))
    others: list[str] = []
    for row in draw.sample(rows, min(round(most * share), len(rows))):
        document, summary = _sentences(row, name)
        text = Text(document)
        if len(text.sentences) < 3 and name not in ("mts_dialog", "ami_parts"):
            continue
        found = [one for one in summary if SHORTEST <= len(one.split()) <= LONGEST]
        for sentence in draw.sample(found, min(len(found), 2 if name == "cnn_dailymail" else 4)):
            yield from _of_summary(sentence, found, text, others, draw, name)
        whole = [
            at
            for at, one in enumerate(text.sentences)
            if SHORTEST <= len(one.split()) <= LONGEST and one[-1:] in ".!?\"'"
        ]
        for at in draw.sample(whole, min(len(whole), 1 if name == "cnn_dailymail" else 3)):
            yield from _of_document(at, text, others, draw, name)
        others = [*found, *others][:40]


def _sentences(row: Mapping[str, Any], name: str) -> tuple[list[str], list[str]]:
    texts = row["documents"] if "documents" in row else [one["text"] for one in row["sections"]][:6]
    if name in TOKENIZED:
        summary = [detokenize(one.split()) for one in row["summary_sents"]]
        found = re.split(r"(?<= [.!?]) (?!['\"]\s)|(?<= [.!?] ['\"]) ", texts[0])
        return [detokenize(one.split()) for one in found[:MOST_SENTENCES]], summary
    document = [line for text in texts for line in _printed(text[:20000])]
    return document, _printed(row["summary"])


def _printed(text: str) -> list[str]:
    document = Document.of(text, language="en")
    return [" ".join(text[one.start : one.end].split()) for one in document.sentences]


def _of_summary(
    sentence: str, all_of_it: Sequence[str], text: Text, others: Sequence[str], draw: Random, name: str
) -> Iterator[Pair]:
    places = text.evidence(sentence, draw.choice((1, 2, 2, 3)))
    places = text.around(places, 1) if draw.random() < 0.3 and len(places) < 3 else places
    window = text.text(places)
    covered = text.coverage(sentence, places)
    if covered >= COVERED:
        yield from _true(sentence, window, draw, f"{name}:summary")
        yield from _false(sentence, window, draw, f"{name}:summary")
        if draw.random() < 0.25:
            yield from _more(sentence, window, draw, f"{name}:summary", others)
        companions = [one for one in all_of_it if one != sentence and len(one.split()) < 18]
        if companions and len(sentence.split()) < 18 and draw.random() < 0.3:
            yield from _both(sentence, draw.choice(companions), text, draw, name)
    if draw.random() < 0.35:
        away = [at for at in range(len(text.sentences)) if at not in text.around(places, 1)]
        if len(away) > 2:
            rest = Text([text.sentences[at] for at in away])
            near = rest.evidence(sentence, draw.choice((1, 2, 3)))
            if near and 0.12 < text.coverage(sentence, [away[at] for at in near]) < UNTOLD:
                yield Pair(rest.text(near), sentence, "neutral", f"{name}:elsewhere")
    if others and draw.random() < 0.12:
        nearest = max(others, key=lambda one: len(stems(one) & stems(window)) / (3 + len(stems(one))))
        if text.coverage(nearest, range(len(text.sentences))) < UNTOLD:
            yield Pair(window, nearest, "neutral", f"{name}:other")


def _of_document(at: int, text: Text, others: Sequence[str], draw: Random, name: str) -> Iterator[Pair]:
    sentence = text.sentences[at]
    window = text.text(
        range(max(0, at - draw.choice((0, 1, 2))), min(len(text.sentences), at + draw.choice((1, 2, 3))))
    )
    if sentence not in window:
        return
    chosen = draw.random()
    if chosen < 0.4:
        yield from _true(sentence, window, draw, f"{name}:document", changed=True)
        yield from _false(sentence, window, draw, f"{name}:document")
    elif chosen < 0.75:
        yield from _false(sentence, window, draw, f"{name}:document")
    else:
        near = [one for one in text.around([at], 3) if one != at]
        if 0.1 < text.coverage(sentence, near) < UNTOLD:
            yield Pair(text.text(near), sentence, "neutral", f"{name}:gap")
    if draw.random() < 0.15:
        yield from _more(sentence, window, draw, f"{name}:document", others)


def _true(sentence: str, window: str, draw: Random, source: str, changed: bool = False) -> Iterator[Pair]:
    """Yield a sentence that its window entails, mostly in fewer or other words."""
    same = shortened(sentence, draw) if draw.random() < 0.5 else None
    if draw.random() < 0.5 or (changed and same is None):
        same = paraphrased(same or sentence, draw) or same
    if same is not None or not changed:
        yield Pair(window, same or sentence, "entailment", f"{source}:true")


def _false(sentence: str, window: str, draw: Random, source: str) -> Iterator[Pair]:
    """Yield a changed sentence, or the sentence beside changed evidence, and sometimes both changed alike."""
    said = sentence
    if draw.random() < 0.4:
        said = shortened(sentence, draw) or sentence
    if draw.random() < 0.06 and (wrong := misrounded(said, draw)):
        yield Pair(window, wrong, "contradiction", f"{source}:rounding")
        return
    change = corrupt(said, window, draw)
    if change is None:
        return
    moved = change.evidence(window) if change.evidence else window
    mirrored = moved != window
    if not mirrored or draw.random() < 0.65:
        other = paraphrased(change.sentence, draw) if draw.random() < 0.25 else None
        yield Pair(window, other or change.sentence, "contradiction", f"{source}:{change.kind}")
    else:
        yield Pair(moved, said, "contradiction", f"{source}:{change.kind}:mirrored")
    if mirrored and draw.random() < 0.3:
        yield Pair(moved, change.sentence, "entailment", f"{source}:{change.kind}:both")


def _more(sentence: str, window: str, draw: Random, source: str, others: Sequence[str]) -> Iterator[Pair]:
    """Yield a sentence with something added that its window does not tell."""
    end = sentence[-1] if sentence[-1:] in ".!?" else "."
    body = sentence.rstrip(" .!?\"'")
    foreign = [
        match.group()
        for one in others
        for match in re.finditer(r" (?:in|at|after|with|because|for) [^,.;]{8,50}(?=\.)", one)
    ]
    detail = draw.choice(foreign).strip() if foreign and draw.random() < 0.5 else draw.choice(changes()["added"])
    if len(stems(detail) & stems(window)) < 2:
        yield Pair(window, f"{body} {detail}{end}", "neutral", f"{source}:added")


def _both(one: str, other: str, text: Text, draw: Random, name: str) -> Iterator[Pair]:
    """Yield two sentences as one, true or with something wrong in one of them."""
    places = sorted({*text.evidence(one, 2), *text.evidence(other, 2)})
    window = text.text(places)
    if min(text.coverage(one, places), text.coverage(other, places)) < COVERED:
        return
    first, second = draw.sample([one, other], 2)
    chosen = draw.random()
    if chosen < 0.45:
        yield Pair(window, joined(first, second), "entailment", f"{name}:joined")
    elif change := corrupt(first, window, draw):
        parts = [change.sentence, second] if draw.random() < 0.5 else [second, change.sentence]
        yield Pair(window, joined(*parts), "contradiction", f"{name}:joined:{change.kind}")


def pairs(
    data: Path, draw: Random, share: float = 1.0, own: Iterable[Path] = (), of_public: float = 1.0
) -> Iterator[Pair]:
    """Yield all pairs, each once."""
    seen: set[tuple[str, str]] = set()
    made = (pair for name in CORPORA for pair in corpus(data, name, draw, share))
    for pair in (*public(data, draw, of_public), *(pair for path in own for pair in written(path)), *made):
        key = (pair.premise, pair.hypothesis)
        if key not in seen and len(WORD.findall(pair.hypothesis)) > 1 and pair.premise.strip():
            seen.add(key)
            yield pair


def part_of(pair: Pair) -> Literal["train", "validation"]:
    """Return the part of a pair, by its evidence: of the written ones each eighth is kept for validation."""
    digest = int.from_bytes(hashlib.sha256(pair.premise.encode()).digest()[:4])
    return "validation" if digest % (8 if pair.source.startswith("written") else 60) == 0 else "train"


def _times(pair: Pair, written: int) -> int:
    return written if pair.source.startswith("written") and part_of(pair) == "train" else 1


def _line(pair: Pair) -> str:
    return json.dumps({**pair._asdict(), "source": pair.source.split(":")[0]}, ensure_ascii=False) + "\n"


def main() -> None:
    """Write the pairs of some folders to a file of JSON lines."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("data", type=Path, help="Folder of the corpora.")
    options.add_argument("out", type=Path, help="Folder that is written.")
    options.add_argument("--written", type=Path, nargs="*", default=[], help="Files of pairs written by hand.")
    options.add_argument("--times", type=int, default=2, help="How often those are learned from in one pass.")
    options.add_argument("--public", type=float, default=1.0, help="Share of the public pairs that are taken.")
    options.add_argument("--share", type=float, default=0.1, help="Share of the documents that are read.")
    options.add_argument("--seed", type=int, default=0)
    chosen = options.parse_args()
    draw = Random(chosen.seed)
    found = list(pairs(chosen.data, draw, chosen.share, chosen.written, chosen.public))
    repeated = [pair for pair in found for _ in range(_times(pair, chosen.times))]
    draw.shuffle(repeated)
    chosen.out.mkdir(parents=True, exist_ok=True)
    for part in ("train", "validation"):
        with (chosen.out / f"{part}.jsonl").open("w", encoding="utf-8") as lines:
            lines.writelines(_line(pair) for pair in repeated if part_of(pair) == part)
    print(len(found), Counter(pair.label for pair in found))
    for source, count in sorted(Counter((pair.source.split(":")[0], pair.label) for pair in found).items()):
        print(*source, count)


if __name__ == "__main__":
    main()
