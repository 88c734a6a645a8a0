"""Tables of systems and data sets, their intervals and tests, and the tuning of weights."""
