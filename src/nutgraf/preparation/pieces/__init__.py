"""Sentences with their pieces that an editor learns from: which of the pieces people left out.

`make.py` reads corpora of documents with summaries. `casing.py` restores the case of those that have none, and
`alignment.py` finds the words of a sentence that a summary kept.
"""
