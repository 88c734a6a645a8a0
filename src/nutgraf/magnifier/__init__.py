"""The Pointer-Magnifier, second stage of MLS: copies or expands the sentences of a prototype within a budget."""
