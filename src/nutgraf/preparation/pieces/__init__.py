"""Sentences with their pieces that an editor learns from: which of the pieces people left out.

`make.py` reads corpora of documents with summaries, whose case `casing.py` restores where they have none; `alignment.py`
finds the words of a sentence that a summary kept.
"""
