"""The tables of the papers: what they print, what of nutgraf stands behind each figure, and both side by side."""
