"""Shortening of sentences: pieces that grammar lets go."""
