"""Search: a network's probabilities become tokens. Processors, sampling and ranking work on ids, not on words."""
