"""A metric from outside: the share of letters that are capitals."""

from nutgraf.metrics import Example, Metric


class Shout(Metric):
    """Share of capital letters in a summary."""

    needs = frozenset()

    @property
    def directions(self):
        """See Metric."""
        return {"shout": "descriptive"}

    @property
    def signature(self) -> str:
        """See Metric."""
        from nutgraf.version import __version__

        return f"shout|v{__version__}"

    def __call__(self, example: Example) -> dict[str, float | None]:
        """See Metric."""
        letters = [letter for sentence in example.hypothesis for letter in sentence if letter.isalpha()]
        return {"shout": sum(map(str.isupper, letters)) / len(letters) if letters else None}
