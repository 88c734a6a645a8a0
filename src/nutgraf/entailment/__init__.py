"""Do sources entail a sentence, contradict it, or not tell it? A network that has read says so, without torch.

`installed.py` finds the network, and loads nothing else; `checker.py` reads passages of the sources with it. It stands
behind the protocol `Checker` of `faithfulness/check.py`.
"""

NETWORK = "checker"
"""Name of the installed network."""
