"""A network's probabilities become words: search, filters, ranking. It knows numbers, and no words."""
