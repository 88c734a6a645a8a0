"""Does a summary stand on its sources? Evidence, and flags of what they do not bear out; rules only, no network."""
