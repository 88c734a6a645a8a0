"""Trained networks for nutgraf, one in each folder; the entry points of the distribution name them."""
