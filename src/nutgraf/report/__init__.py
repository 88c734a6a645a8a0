"""A Summary becomes one self-contained HTML page."""
