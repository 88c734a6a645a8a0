"""DUC-2004 in the forms that people have, on files made here."""

from __future__ import annotations

from pathlib import Path

import pytest

from nutgraf.datasets import Record, datasets
from nutgraf.errors import InputError

ARTICLE = """<DOC>
<DOCNO> NYT19981016.0303 </DOCNO>
<HEADLINE>
Ice &AMP; harbour
</HEADLINE>
<TEXT>
   SKARHOLM &UR; The harbour is shut. Ice has come
early.
   Nobody knows for how long.
</TEXT>
<TEXT><P>Ships wait.</P></TEXT>
</DOC>
"""

SEE = """<html><head><title>D30001.P.100.T.B.NYT19981016.0303</title></head><body>
<a name="1">[1]</a> <a href="#1" id=1>Harbour shut by ice</a>
</body></html>
"""


def release(folder: Path) -> Path:
    """Two articles of a set, one of which people have summarized, and another task's reference of it."""
    docs, models = folder / "docs" / "d30001t", folder / "eval" / "models"
    for made in (docs, models / "1", models / "2"):
        made.mkdir(parents=True)
    (docs / "NYT19981016.0303").write_text(ARTICLE)
    (docs / "APW19981016.0240").write_text(ARTICLE)
    (docs / ".DS_Store").write_bytes(b"\x00")
    (models / "1" / "D30001.P.100.T.B.NYT19981016.0303").write_text(SEE)
    (models / "1" / "D30001.P.100.T.A.NYT19981016.0303").write_text("Ice shuts harbour\n")
    (models / "1" / "D30002.P.100.T.A.NYT19981016.0303").write_text("of another set\n")
    (models / "2" / "D30001.M.100.T.A").write_text("of another task\n")
    return folder


def read(folder: Path, **options: bool | str) -> list[Record]:
    made = datasets.make("duc2004", **options)
    splits = made.splits(folder)
    assert list(splits) == ["test"]
    return [*made.examples(splits["test"])]


def test_articles_and_references_of_the_first_task(tmp_path: Path) -> None:
    (record,) = read(release(tmp_path))
    assert record.id == "d30001t/NYT19981016.0303"
    assert record.document.printed == [
        "SKARHOLM The harbour is shut.", "Ice has come early.", "Nobody knows for how long.", "Ships wait.",
    ]  # fmt: skip
    assert record.references == (("Ice shuts harbour",), ("Harbour shut by ice",))
    assert record.headline == "Ice & harbour"


def test_references_may_lie_elsewhere(tmp_path: Path) -> None:
    (release(tmp_path) / "eval").rename(tmp_path / "elsewhere")
    (record,) = read(tmp_path, references=str(tmp_path / "elsewhere" / "models" / "1"))
    assert len(record.references) == 2
    with pytest.raises(InputError, match="none"):
        read(tmp_path, references=str(tmp_path / "none"))


def test_articles_without_a_reference_are_counted(tmp_path: Path) -> None:
    (part,) = datasets.make("duc2004").splits(release(tmp_path)).values()
    assert part.missing == {"document without a reference": 1}


def test_the_first_sentence_alone(tmp_path: Path) -> None:
    (record,) = read(release(tmp_path), first_sentence=True)
    assert record.document.printed == ["SKARHOLM The harbour is shut."]


def test_lines_with_four_references(tmp_path: Path) -> None:
    (tmp_path / "input.txt").write_text("the harbour is shut .\nships wait .\n")
    for number, lines in enumerate(("ice\nships\n", "shut\nwait\n", "cold\n\n", "sea\nall\n")):
        (tmp_path / f"task1_ref{number}.txt").write_text(lines)
    first, second = read(tmp_path)
    assert first.references == (("ice",), ("shut",), ("cold",), ("sea",))
    assert second.references == (("ships",), ("wait",), ("all",))


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    made = datasets.make("duc2004")
    with pytest.raises(InputError, match="forms"):
        made.splits(tmp_path)
    articles = tmp_path / "docs" / "d30001t"
    articles.mkdir(parents=True)
    (articles / "NYT19981016.0303").write_text("no markup")
    with pytest.raises(InputError, match=r"names as D30001\.P\.100\.T\.A\.NYT19981016\.0303"):
        made.splits(tmp_path)
    with pytest.raises(InputError, match="SGML"):
        [*made.read(articles / "NYT19981016.0303")]
    with pytest.raises(InputError, match="There is no"):
        made.splits(tmp_path / "none")
