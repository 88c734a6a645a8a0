"""How often a summary takes a sentence because another one leans on it, takes another sentence, or cuts a connective.

    python benchmarks/standing/counts.py [SET …] [--data ../shared/data] [--limit 100] [--system adaptive]

The summaries are those of `benchmarks/quality.py`, at its budgets. A sentence is replaced if it is in the summary that
takes sentences one by one (`selection.standalone = false`) and not in the one that takes them with what they lean on.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import _data
from quality import SETS, records_of

import nutgraf
from nutgraf.errors import BudgetError
from nutgraf.prose.closure import BOUNDING, LEANED_ON, LISTED
from nutgraf.text.summary import Summary

TOGETHER = (LEANED_ON, BOUNDING, LISTED)


def main() -> None:
    """Print a line a set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"of {', '.join(SETS)}; all, if none is named")
    parser.add_argument("--data", type=Path, default=_data.FOLDER, help="folder of the corpora")
    parser.add_argument("--limit", type=int, default=100, help="documents of each set")
    parser.add_argument("--system", default="adaptive", help="an extractive system")
    options = parser.parse_args()
    for name in options.sets or SETS:
        counts = counts_of(name, options)
        shown = (f"{kind} {number / counts['sentences']:.1%}" for kind, number in counts.items() if kind != "sentences")
        print(f"{name}: of {counts['sentences']:,} sentences", *shown, sep=" · ")


def counts_of(name: str, options: argparse.Namespace) -> Counter[str]:
    """Number of sentences of the summaries of a set, and of those of each kind."""
    one = SETS[name]
    file = options.data / one.folder / f"{one.split or 'validation'}.jsonl.xz"
    together, alone = nutgraf.load(options.system), nutgraf.load(options.system, ["selection.standalone=false"])
    counts = Counter[str](sentences=0)
    for record in records_of(name, str(file), options.limit):
        for budget in one.budgets:
            try:
                found, other = (system(record.document, **{one.unit: budget}) for system in (together, alone))
            except BudgetError:
                continue
            counts += count(found, other)
    return counts


def count(found: Summary, other: Summary) -> Counter[str]:
    """Number of sentences of a summary, and of those of each kind.

    Args:
        found: The summary.
        other: The summary of the same document that takes sentences one by one.
    """
    ends = {(place.source, place.end) for sentence in found for place in sentence.origins}
    return Counter(
        {
            "sentences": len(found),
            "taken for another": sum(any(why.startswith(TOGETHER) for why in one.reasons) for one in found),
            "replaced": sum((place.source, place.end) not in ends for one in other for place in one.origins),
            "connective cut": sum(bool(one.connective) for one in found),
        }
    )


if __name__ == "__main__":
    main()
