"""A callback from outside: a file with a line for each report."""

from nutgraf.training.callbacks import Callback


class Diary(Callback):
    """Writes a line for each report into the model folder's neighbour."""

    def __init__(self, config: object, context) -> None:
        self.place = context.folder.with_name("diary.txt")

    def report(self, report) -> None:
        """See Callback."""
        with self.place.open("a", encoding="utf-8") as file:
            file.write(f"{type(report).__name__} {report.step}\n")
