"""Without torch, `nutgraf train` names every mistake that can be found without it before it asks for torch."""

from __future__ import annotations

import json
import subprocess
import sys

CODE = """
import contextlib, io, json, sys
sys.modules.update(dict.fromkeys(["torch", "safetensors", "accelerate", "jaxtyping"]))
from nutgraf.cli.main import main
messages = []
for change in json.loads(sys.argv[1]):
    sys.argv = ["nutgraf", "train", "kpat", "--data", "nowhere", "--out", "nowhere.out", "--set", change]
    with contextlib.redirect_stderr(io.StringIO()) as stderr, contextlib.suppress(SystemExit):
        main()
    messages.append(stderr.getvalue())
print(json.dumps(messages))
"""

MESSAGES = {
    "training.max_stepz=3": "Did you mean 'max_steps'?",
    "traning.max_steps=3": "Did you mean 'training'?",
    "training.schedule.kind=nom": "Did you mean 'noam'?",
    "truncation.sauce=400": "truncation has no option 'sauce'",
    "keyphrases.top=0": "keyphrases.top = 0",
    "seed=1": "'kpat' is a network, and networks need the package torch: run pip install 'nutgraf[neural]'.",
}


def test_mistakes_are_named_before_torch_is_asked_for() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE, json.dumps([*MESSAGES])], capture_output=True, text=True, check=True
    )
    for message, expected in zip(json.loads(done.stdout), MESSAGES.values(), strict=True):
        assert expected in message
