"""The machine: files, limits, processes, hardware, and how networks compute on it."""
