"""A Summary becomes one self-contained HTML page."""

from nutgraf.report.page import render

__all__ = ["render"]
