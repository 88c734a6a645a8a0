"""A data set from outside: minutes of meetings, whose decisions are the summary."""

from nutgraf.datasets import Dataset, Drop, Record, Row, ignore
from nutgraf.datasets.jsonl import Config, Jsonl


class Minutes(Dataset):
    """Minutes with their decisions; other entries are read as JSON lines."""

    def __init__(self, config: object) -> None:
        self._plain = Jsonl(Config(language="en"))

    def record(self, row: Row, drop: Drop = ignore) -> Record | None:
        """See Dataset."""
        if "minutes" in row.entry:
            renamed = {**row.entry, "documents": [row.entry["minutes"]], "summary": row.entry.get("decisions", "")}
            row = row._replace(entry=renamed)
        return self._plain.record(row, drop)
