"""All benchmarks, one after the other; one that fails does not stop the others.

    python benchmarks/run.py [NAME …] [--data ../shared/data] [--quick]

Each is a process of its own, with the options that it has by itself; --quick gives it those below, which make a few
minutes of half an hour and rougher figures. A peer that cannot be installed is left out by the benchmark that wanted
it; benchmarks that read corpora are left out where there are none. At the end stands what was left out and what failed,
and the exit status is 1 if anything failed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

import _data

HERE = Path(__file__).resolve().parent
QUICK = {
    "rouge": "--share 0.1 --rounds 2",
    "keyphrases": "--documents 3 --tries 1",
    "keyphrase_f1": "--limit 10",
    "topics": "--papers 2",
    "own_or_foreign": "--documents 10",
    "summarize": "--rounds 2 --words 20000",
    "highlight": "--lengths 512 --pairs 3 --precisions float32 --memory-lengths 1024",
    "centrality": "--lengths 512 --pairs 3 --memory-lengths 1024",
    "coverage": "--rounds 1 --examples 1",
    "training_step": "--rounds 1 --warm 1 --examples 1",
    "recurrent": "--rounds 1 --warm 1 --examples 2",
    "decoding": "--rounds 1",
    "steering": "--rounds 3 --tokens 24 --only bart llama",
    "busy": "--rounds 3 --settle 1 --busy 0 1 --only decode-fp32 train-tiny",
}
"""All benchmarks that `make bench` runs, with their options for a quick look."""
OF_CORPORA = ("rouge", "keyphrases", "keyphrase_f1", "topics", "own_or_foreign")


def main() -> None:
    """Run them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(QUICK)}; all, if none is named")
    parser.add_argument("--data", type=Path, default=_data.FOLDER, help="folder of the corpora")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in QUICK]
    if unknown:
        parser.error(f"no benchmark {', '.join(unknown)}; there are {', '.join(QUICK)}")
    begin, left_out, failed = time.monotonic(), [], []
    for name in options.names or QUICK:
        if name in OF_CORPORA and not options.data.is_dir():
            left_out.append(name)
        elif not succeeds(name, options):
            failed.append(name)
    print(f"── {(time.monotonic() - begin) / 60:.0f} minutes")
    if left_out:
        print(f"left out: {', '.join(left_out)}; there are no corpora in {options.data} (--data, make bench DATA=…)")
    if failed:
        print(f"failed: {', '.join(failed)}")
        raise SystemExit(1)


def succeeds(name: str, options: argparse.Namespace) -> bool:
    """Run one; whether it came to its end."""
    given = QUICK[name].split() if options.quick else []
    if name in OF_CORPORA:
        given += ["--data", str(options.data)]
    print(f"── {' '.join([name, *given])}", flush=True)
    return subprocess.run([sys.executable, str(HERE / f"{name}.py"), *given]).returncode == 0


if __name__ == "__main__":
    main()
