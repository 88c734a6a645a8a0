"""Small networks that have read: a MiniLM reads rows of word pieces, and spans of them are classified, without torch.

A network is a folder:

    card.json            what it is: task, classes, sources and their licences, figures, and the SHA-256 of every file
    encoder.onnx         vectors of words, segments, positions that are kept → states of these positions
    head.onnx            means of states over an item's spans, features → logits; absent where only vectors are wanted
    words.npy            vectors of all word pieces in 8 bits, and
    word_scales.npy      a scale for each
    tokenizer.json       the word pieces

The last three lie once for all networks that begin with one model: in the folder itself, or in that of the network
`encoder` beside it. Nothing is pickled, no code is read, and a graph is a list of known operators (`graphs.py`).

Each row is a run of its own, so that nothing is padded and the neighbors of a row do not change what comes of it; with
several threads they take a row each.
"""

from __future__ import annotations

from nutgraf.inference.card import NetworkCard, Source
from nutgraf.inference.installed import ENCODER, INSTALL, find_network, installed_networks, lacking
from nutgraf.inference.network import Network, Reading, open_network
from nutgraf.inference.vectors import TextEncoder, open_encoder
from nutgraf.inference.words import Pieces, WordPieces

__all__ = [
    "ENCODER",
    "INSTALL",
    "Network",
    "NetworkCard",
    "Pieces",
    "Reading",
    "Source",
    "TextEncoder",
    "WordPieces",
    "find_network",
    "installed_networks",
    "lacking",
    "open_encoder",
    "open_network",
]
