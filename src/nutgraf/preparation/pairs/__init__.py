"""Pairs of evidence and sentence that a checker learns from: what the evidence entails, does not tell, or contradicts.

`make.py` reads corpora of documents with summaries; `corruptions.py` makes a sentence say something else, and
`paraphrases.py` says the same in other words.
"""
