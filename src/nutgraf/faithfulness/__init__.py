"""Faithfulness of a summary to its sources: evidence, and flags of what they do not bear out."""
