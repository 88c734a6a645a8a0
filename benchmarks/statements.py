"""How many statements do what version 0.2 did, and how many came with which later ability.

    python benchmarks/statements.py [--revision HEAD] [--places]

A statement is a node of Python's `ast` that is one, except docstrings. `git blame` tells the change that each statement
of `src/nutgraf` came with, moved and copied ones included, and ABILITIES the changes that were made for an ability that
version 0.2 did not have. A statement of any other change, which mended or rearranged something, counts as before. So
that lines are not taken for what they resemble, three rules look at places, which are functions, classes and the rest
of a module:

1. A place without a statement from before counts as the ability that most of its statements are of, or else that
   of its file.
2. In a file that an ability's change added, the rest of the module (its imports) counts as that ability, and so does a
   place most of whose statements are of it.
3. A place that existed before counts as before up to the number of statements it had then, even if an ability's change
   wrote it anew.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

BEFORE, OLD = "a4d81aa", "what existed before"
ABILITIES = {
    "eleven more extractive methods, and selection of sets": "8112a67 f94b890 518eaa6 6d0d3e4 6401f48 3987d82",
    "prose told from junk": (
        "8beebe9 a317118 e641264 12a95ee e7a5ccc 042aa57 b53c2dc "
        "f4af253 5c59bda 4930c76 f6f4bcb d58448e 46b276b 29b3ce3"
    ),
    "the default system: genres, weighted coverage, reasons": (
        "9bbfee4 ca5aeb8 05207fc 29883b6 60ea716 9218911 7ab156c "
        "a6ceb89 9b8e313 d4d8fb6 6effb17 e8e05b4 dc3dcad ba362d7"
    ),
    "key phrases: variants merged, YAKE, MultipartiteRank, taggers": "407bf83",
    "languages, ends of sentences, words of scripts without spaces": "88a670f 4310039 f90bc7a 407a17a 4116daf 101575c",
    "transcripts": "6406352 7ea7f36 f04184a 5293161 33002b7",
    "presets checked as a whole, into typed records": "60bd987",
    "sampling, and processors of search as a family": "360955b 469d2d1",
    "Python: streaming, async, one-line functions, summaries read again, wrong types refused": (
        "bc52ed7 37216fe 9913741 68e2976 f544d2f 8547322"
    ),
    "subtitles": "5cc3322",
    "EPUB, folders, patterns of files, addresses of the web": "42f89ba 1647a8d 0342ec9 2779062 d447dd4 edcf508 56f1b08",
    "networks of more papers": "1bb009d dbeccd6 0121fe2 843a526 1ef297b 1d1b4aa 3f219ab eeae772 ae99fb5",
    "learning from rewards, and the weights whose summaries score best": "fc2b0ca 53a5da7",
    "callbacks of one's own, TensorBoard": "4286812 4eac825",
    "statistics and parts of corpora, cautions of an evaluation": "f438a55 b4aeb90 1654b4f eb7864f 4d88b66",
    "budgets in characters": "3c4e515",
    "questions, dates, forms of a summary, highlights that show": "8b5fb0b ea1e3cd a4461bc 3b851ac f6fdb92",
    "prototypes by any system": "a245468",
    "tables of papers made again, evaluations compared, weights tuned": "f328ea8 91b5f32 dc72cb9 762b25e 74e7ac3",
    "people as judges": "e1ab7a2 7210cba 23d4977 f57eadb",
    "DUC-2004, and more forms of Gigaword": "85700a0",
    "copies of whole spans": "f73e2e5",
    "published networks converted": "7b095ee",
    "reports with a search, in plain words": "4076d22",
    "a service and its page": "f4f846d 18f5c5f 261b738 c14dddc",
    "batches of any size, on one machine or a cluster": "2282d1d 2cac29f",
    "summaries checked against their sources": "7fbd437 e752557 a6bf2d8",
    "warnings of deprecated names": "e740fc5",
    "odd input refused or told": "093bb38 dbdbf89 392dfb7",
}
"""The abilities that version 0.2 did not have, with the changes that were made for them."""


class Place(NamedTuple):
    """A function, class or module in a file."""

    file: str
    name: str


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--revision", default="HEAD")
    parser.add_argument("--places", action="store_true", help="print the counts of each function, too")
    options = parser.parse_args()
    before = {place: len(lines) for place, lines in statements(BEFORE).items()}
    shares = divided(before, options.revision)
    if options.places:
        for place, share in shares.items():
            print(*place, before.get(place, 0), dict(share))
    total: Counter[str] = sum(shares.values(), Counter())
    print(f"{sum(before.values()):>7}  all statements of {BEFORE}")
    print(f"{total.total():>7}  all statements of {options.revision}")
    for ability, count in total.most_common():
        print(f"{count:>7}  {ability}")


def divided(before: dict[Place, int], revision: str) -> dict[Place, Counter[str]]:
    """Return how many statements of each place of a revision serve which ability.

    Args:
        before: Number of statements that each place had before.
        revision: Revision that is counted.
    """
    ability_of = {change: ability for ability, changes in ABILITIES.items() for change in changes.split()}
    places = statements(revision)
    files = list(dict.fromkeys(place.file for place in places))
    with ThreadPoolExecutor() as pool:
        changes = dict(zip(files, pool.map(lambda file: changes_of_lines(revision, file), files), strict=True))
    later, added = set(git("log", "--abbrev=7", "--format=%h", f"{BEFORE}..{revision}").split()), files_added(revision)
    shares = {}
    for place, lines in places.items():
        found = Counter(changes[place.file][line - 1] for line in lines)
        share: Counter[str] = Counter()
        for change, count in found.items():
            share[ability_of.get(change, OLD)] += count
        of_file = ability_of.get(added.get(place.file, ""), OLD)
        if not set(found) - later:
            most = max(share, key=lambda ability: (ability != OLD, share[ability]))
            share = Counter({of_file if most == OLD else most: len(lines)})
        elif of_file != OLD and (not place.name or 2 * share[of_file] > len(lines)):
            share = Counter({of_file: len(lines)})
        shares[place] = kept(share, before.get(place, 0))
    return shares


def kept(share: Counter[str], before: int) -> Counter[str]:
    """Return the shares of a place's abilities after as many statements as it had before count as before."""
    for ability, count in share.most_common():
        if ability != OLD and (moved := min(count, before - share[OLD])) > 0:
            share[ability] -= moved
            share[OLD] += moved
    return +share


def files_added(revision: str) -> dict[str, str]:
    """Return the change that each file was added by, except files that were moved from elsewhere."""
    added, change = {}, ""
    span, shown = f"{BEFORE}..{revision}", ("--abbrev=7", "--format=%h", "--name-only")
    for line in git("log", "--diff-filter=A", "-M", *shown, span, "--", "src/nutgraf").splitlines():
        if line.startswith("src/"):
            added[line] = change
        elif line:
            change = line
    return added


def statements(revision: str) -> dict[Place, list[int]]:
    """Return the lines of the statements of a revision, by function, class or module."""
    found: dict[Place, list[int]] = defaultdict(list)
    for file in git("ls-tree", "-r", "--name-only", revision, "src/nutgraf").split():
        if file.endswith(".py"):
            collect(ast.parse(git("show", f"{revision}:{file}")), Place(file, ""), found)
    return found


def collect(node: ast.AST, place: Place, found: dict[Place, list[int]]) -> None:
    """Add the lines of the statements below a node to those found."""
    for child in ast.iter_child_nodes(node):
        inside = place
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inside = Place(place.file, f"{place.name}.{child.name}".lstrip("."))
        if isinstance(child, ast.stmt) and not is_docstring(child):
            found[inside].append(child.lineno)
        collect(child, inside, found)


def is_docstring(node: ast.stmt) -> bool:
    """Return whether a statement is nothing but a string."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def changes_of_lines(revision: str, file: str) -> list[str]:
    """Return the change that each line of a file came with, moved and copied lines included."""
    lines = git("blame", "-w", "-M", "-C", "-C", "-s", "--abbrev=7", revision, "--", file).splitlines()
    return [line.lstrip("^")[:7] for line in lines]


def git(*arguments: str) -> str:
    """Return what a command of git prints."""
    command = ["git", "-C", str(Path(__file__).parent.parent), *arguments]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


if __name__ == "__main__":
    main()
