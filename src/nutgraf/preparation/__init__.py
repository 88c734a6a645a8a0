"""The one place where words become tensors."""
