"""networkx, put among the peers where it is not installed. It needs nothing else."""

import importlib.util
import subprocess
import sys
from pathlib import Path

PLACE = Path(__file__).parent / ".peers" / "networkx"

if importlib.util.find_spec("networkx") is None:
    if not PLACE.is_dir():
        install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(PLACE), "networkx"]
        subprocess.run(install, check=True)
    sys.path.append(str(PLACE))

networkx = importlib.import_module("networkx")
