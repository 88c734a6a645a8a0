"""Words: no tensors below this line or beside it."""
