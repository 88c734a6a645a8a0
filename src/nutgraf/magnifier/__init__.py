"""The second stage of MLS: copy or expand the sentences of a prototype within a budget."""
