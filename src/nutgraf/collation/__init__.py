"""Several texts side by side: which statements they share, where their numbers and dates differ, and what changed."""
