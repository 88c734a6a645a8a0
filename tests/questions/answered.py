"""Print what share of the labelled questions is answered in the first sentence, and of the others refused.

    python tests/questions/answered.py [--strangers] [--show]

A question of `questions.json`, or with `--strangers` of `strangers.json`, counts as answered if the first sentence of
`nutgraf summarize --query`, in Python, is one of its quotes and the text is said to answer it; one without quotes
counts as refused if the text is said not to.
`--show` lists the questions that are missed, by class.
"""

from __future__ import annotations

import argparse
from collections import Counter

from asked import Labelled, held_out

import nutgraf


def outcome(one: Labelled, summary: nutgraf.Summary) -> str:
    """Class of an outcome: right, refused, another sentence, or answered though the text does not answer."""
    first = summary.sentences[0].origins[0]
    found = next(
        index for index, sentence in enumerate(one.document.sentences) if sentence.start <= first.start < sentence.end
    )
    answered = getattr(summary, "answer", None) is None or summary.answer.answered
    if not one.answered:
        return "answered wrongly" if answered else "right"
    if not answered:
        return "refused, though the first sentence answers" if found in one.golds else "refused"
    return "right" if found in one.golds else "another sentence"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true", help="list what is missed")
    parser.add_argument("--strangers", action="store_true", help="ask the questions of strangers")
    options = parser.parse_args()
    name = "strangers.json" if options.strangers else "questions.json"
    summarize, counts = nutgraf.load(), Counter[tuple[bool, str]]()
    for one in held_out(name):
        found = outcome(one, summarize(one.document, query=one.question))
        counts[one.answered, found] += 1
        if options.show and found != "right":
            print(f"{one.document.language} {one.kind:8} {found:20} {one.question}")
    for answered, label in ((True, "answered in the first sentence"), (False, "refused")):
        total = sum(count for (kind, _), count in counts.items() if kind is answered)
        rest = {name: count for (kind, name), count in counts.items() if kind is answered and name != "right"}
        print(
            f"{label}: {counts[answered, 'right']} of {total} ({100 * counts[answered, 'right'] / total:.0f} %); {rest}"
        )


if __name__ == "__main__":
    main()
