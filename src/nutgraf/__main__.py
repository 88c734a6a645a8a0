"""`python -m nutgraf`: the command, also where several processes are launched."""

import sys

from nutgraf.cli.main import main  # first, since it handles Ctrl-C

from pathlib import Path  # isort: skip

# `python -m` looks for modules in the working directory first. That may be somebody else's model folder: a file in it
# must not stand for the library of its name. At the end of the path a module of one's own is still found.
if sys.path and Path(sys.path[0] or ".").resolve() == Path.cwd() and not sys.flags.safe_path:
    sys.path.append(sys.path.pop(0))

if __name__ == "__main__":
    main()
