"""Which sentences of a document depend on others, so that no summary has one without what it leans on.

A sentence leans on an earlier one by its words, or by the structure of the text. By words in eight languages:
`cues.py` knows the kinds of cue, and a file for each language its words; `openings.py` reads the beginning of a
sentence, `inside.py` what stands behind it, `definite.py` nouns with a definite article, and `reading.py` all of them.
By structure in all languages: `structure.py` knows quotations, answers and what goes on, `units.py` lists.
`antecedents.py` finds the earlier sentence, and `bounds.py` looks into the other direction: what reverses or restricts
an earlier statement. `finder.py` puts it together, for a sentence when somebody asks for it.
"""

from __future__ import annotations

from nutgraf.prose.dependence.finder import Leanings
from nutgraf.prose.dependence.leaning import Leaning as Leaning
from nutgraf.prose.dependence.units import units as units
from nutgraf.text.document import Document, kept


@kept
def leanings(document: Document) -> Leanings:
    """Find how each sentence leans on others; None for one that stands alone and bounds no other.

    It is found for a sentence when somebody asks: `leanings(document)[0]` reads one sentence and what it may lean on.
    """
    return Leanings(document)
