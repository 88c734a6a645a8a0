"""Expressions that are compiled when they are first used."""

import re

import pytest

from nutgraf.text.late import Late


def test_an_expression_does_what_a_compiled_one_does() -> None:
    late, soon = Late("(?P<name>a+)b", re.IGNORECASE), re.compile("(?P<name>a+)b", re.IGNORECASE)
    assert late.sub("x", "Aab, b, ab") == soon.sub("x", "Aab, b, ab") == "x, b, x"
    assert late.groupindex == soon.groupindex


def test_what_is_no_expression_is_told_at_its_first_use() -> None:
    with pytest.raises(re.error):
        Late("(").search("a")
