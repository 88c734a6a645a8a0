"""Meetings: what is decided, promised and left open, in talk and in minutes.

Each sentence is judged by what its phrases show, by where it stands, and by who agrees or objects; no sentence is made.
"""
