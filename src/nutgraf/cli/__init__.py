"""The command `nutgraf`: one command, one file; `main.py` binds them."""
