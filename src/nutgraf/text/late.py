"""Regular expressions that are compiled when they are first used: most texts need few of them."""

from __future__ import annotations

import re
from typing import Any


class Late:
    """A regular expression with the methods of `re.Pattern`, compiled at the first call of one."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern, self.flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = getattr(re.compile(self.pattern, self.flags), name)
        setattr(self, name, value)  # found without this method from now on
        return value
