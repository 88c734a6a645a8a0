"""Questions that a person asks of a text: what they ask for, and the sentence that answers.

`question.py` reads a question, by the words of its language in `wordlists.py`; `related.py` knows what may stand for a
word; `evidence.py` looks at what each sentence has, with `names.py` and `headings.py`; `finder.py` weighs it and
decides whether the text answers; `answering.py` makes a record of it.
"""
