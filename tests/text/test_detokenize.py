"""From tokens back to text: the inverse of the tokenizer on ordinary text, and the Treebank's habits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nutgraf.text.detokenize import detokenize, gaps, leans
from nutgraf.text.tokenize import tokens


@pytest.mark.parametrize(
    "text",
    [
        "The pilot came, saw the tug; then (as ever) he left: nobody waved!",
        'He said, "It\'s late." Then: "No, it isn\'t."',
        '"Who paid?" she asked. "The town," he said.',
        "“Nobody,” she said, “paid a penny.”",
        "She wrote 'closed' on the door, and 'open' under it.",
        "The pilots' boats and the Joneses' house belong to James's aunt.",
        "It cost $5.3 million, or £4 a head, 12.5% more than in the '90s.",
        "The ferry leaves at 10:30 and 1:15pm.",
        "A 1,175-point fall met U.S.-led talks; the well-known mother-in-law kept R&D and Q&A.",
        "Marks & Spencer sold either/or: read it on example.com or Phys.org.",
        "The storm—nobody had seen one—broke two lines. – A dash – with room.",
        "Wait... what? Really?! Yes.",
        "He said, \"She told me 'never again.'\"",
        "It is 20° [sic] in {braces}, section 2.0 of Apache-2.0.",
        "Rock and roll, y'all: rockin' it, don't they've we'll I'd I'm you're.",
        "It's 100% #blackbirds, says @ferry.",
        "The U.S. left. The E.U. did not.",
    ],
)
def test_it_undoes_the_tokenizer(text):
    assert detokenize(tokens(text)) == text


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("the tug 's crew did n't wait , they 'd gone .", "the tug's crew didn't wait, they'd gone."),
        ("`` we 're late , '' he said -lrb- twice -rrb- .", '"we\'re late," he said (twice).'),
        ("the tug ' s crew", "the tug's crew"),
        ('" no , " he said . " no . "', '"no," he said. "no."'),
        ("he paid $ 5 -- or # 4 . 3 % of it", "he paid $5 -- or #4.3% of it"),
        ("£ 50 , 000 , or £ 250 , 125 , for 1 , 000 , 000", "£50,000, or £250,125, for 1,000,000"),
        ("3 . 5 miles at 5 p.m . for $ 50 or 10 %", "3.5 miles at 5 p.m. for $50 or 10%"),
        ("rooms 101 , 102 and 103 in 2010 . 300 men", "rooms 101, 102 and 103 in 2010. 300 men"),
        ("the pilots ' boats", "the pilots' boats"),
        ("born in ' 98", "born in '98"),
        ("", ""),
        (".", "."),
        ('"', '"'),
        ("( ( a ) )", "((a))"),
    ],
)
def test_what_others_tokenized_reads_well(written, text):
    assert detokenize(written.split()) == text


def test_there_is_one_gap_for_each_token():
    assert gaps(["(", "a", "b", ")", ".", "c"]) == ["", "", " ", "", "", " "]


WORDS = st.lists(
    st.sampled_from(["tug", "pilots", "don't", "U.S.", "3.5", "re-entry", "I", "é"]), min_size=1, max_size=5
)
CLAUSES = WORDS.map(" ".join)
QUOTED = CLAUSES.map(lambda clause: f'"{clause}"') | CLAUSES.map(lambda clause: f"({clause})") | CLAUSES
SENTENCES = st.builds(
    lambda clauses, mark: ", ".join(clauses) + mark,
    st.lists(QUOTED, min_size=1, max_size=3),
    st.sampled_from([" stop.", " stop!", " stop?", " stop; go."]),
)


@given(st.lists(SENTENCES, min_size=1, max_size=4).map(" ".join))
def test_any_ordinary_text_comes_back(text):
    assert detokenize(tokens(text)) == text


@given(st.lists(st.sampled_from([*"\"'.,()-$:/&#—", "``", "''", "s", "a", "5", "’"]), max_size=9))
def test_no_character_is_lost_and_no_space_doubled(written):
    text = detokenize(written)
    assert text.replace(" ", "") == "".join('"' if token in ("``", "''") else token for token in written)
    assert "  " not in text
    assert text == text.strip()


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        (".", True),
        ("``", True),
        ("-lrb-", True),
        ("'s", True),
        ("n't", True),
        ("/", True),
        ("tug", False),
        ("-", False),
        ("&", False),
    ],
)
def test_what_leans_adds_no_word(token, expected):
    assert leans(token) is expected
    assert len(detokenize(["tug", token, "boat"]).split()) == (2 if expected and token != "/" else 1 if expected else 3)
