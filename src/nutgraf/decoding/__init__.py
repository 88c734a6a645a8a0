"""Search: a network's probabilities become tokens. Processors, sampling and ranking; it knows no words."""
