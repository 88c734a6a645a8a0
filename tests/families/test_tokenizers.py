"""The contract of tokenizers, over every file of the folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from members import members

from nutgraf.errors import InputError, PresetError
from nutgraf.tokenizers import SEP_ID, SPECIAL_TOKENS, Tokenizer, tokenizers

pytest.importorskip("tokenizers")

CORPUS = [
    "The ferry's bearing ran hot; the crew smelled it. The ferry did not sail.",
    "The crew sent for a bearing. A bearing is a ring, and the ring ran hot.",
] * 2

LEARNING = [kind for kind in members(tokenizers) if tokenizers.examples(kind)]
"""Tokenizers that can be trained; that of a pretrained model cannot (tests/training/test_fine_tuning.py)."""

every = pytest.mark.parametrize("kind", LEARNING)


def trained(kind: str, **options: Any) -> Tokenizer:
    (choice, *_) = tokenizers.examples(kind)
    tokenizer = tokenizers.build(replace(choice, config=replace(choice.config, **options)))
    tokenizer.train(CORPUS)
    return tokenizer


@every
def test_the_special_pieces_come_first_and_the_size_holds(kind: str) -> None:
    tokenizer = trained(kind)
    assert tuple(tokenizer.tokens[: len(SPECIAL_TOKENS)]) == SPECIAL_TOKENS
    assert tokenizer.tokens[SEP_ID] == "<sep>"
    assert len(SPECIAL_TOKENS) < len(tokenizer) <= tokenizers.examples(kind)[0].config.vocab_size
    assert len(set(tokenizer.tokens)) == len(tokenizer) == len(tokenizer.begins_word)


@every
def test_before_it_learned_it_knows_the_special_pieces_alone(kind: str) -> None:
    pieces = tokenizers.make(kind).encode("A ferry.")
    assert "".join(pieces.tokens).replace("Ġ", "") == "aferry."


@every
def test_a_known_text_is_decoded_to_its_words(kind: str) -> None:
    tokenizer = trained(kind)
    assert tokenizer.decode(tokenizer.encode("the  crew ran\nhot").tokens) == "the crew ran hot"


@every
def test_the_special_pieces_are_not_shown_but_for_the_unknown_one(kind: str) -> None:
    tokenizer = trained(kind)
    texts = ["<s>", *tokenizer.encode("the crew").tokens, "<sep>", "<unk>", "</s>", "<pad>"]
    assert tokenizer.decode(texts) == "the crew <unk>"


@every
def test_whoever_writes_a_special_piece_does_not_get_it(kind: str) -> None:
    assert not set(trained(kind).encode("<s> a </s> <pad> <sep>").ids) & {0, 2, 3, 4}


@every
@pytest.mark.parametrize("lower", [True, False])
@settings(max_examples=60)
@given(text=st.text(max_size=60))
def test_pieces_stand_in_their_order_and_cover_the_text(kind: str, lower: bool, text: str) -> None:
    tokenizer = TRAINED[kind, lower]
    pieces = tokenizer.encode(text)
    assert len(pieces.tokens) == len(pieces.ids) == len(pieces.spans)
    assert all(0 <= start < end <= len(text) for start, end in pieces.spans)
    assert list(pieces.spans) == sorted(pieces.spans)
    covered = {place for start, end in pieces.spans for place in range(start, end)}
    assert {place for place, character in enumerate(text) if not character.isspace()} <= covered
    if not lower:
        assert "".join(tokenizer.decode(pieces.tokens).split()) == "".join(text.split())


@every
@settings(max_examples=40)
@given(text=st.text(max_size=40))
def test_a_known_piece_has_its_own_id(kind: str, text: str) -> None:
    tokenizer = TRAINED[kind, True]
    pieces = tokenizer.encode(text)
    for written, number in zip(pieces.tokens, pieces.ids, strict=True):
        assert tokenizer.tokens[number] == written or (number == 1 and written not in tokenizer.tokens)


@every
def test_case_is_kept_only_where_it_is_asked_for(kind: str) -> None:
    assert trained(kind).encode("The ferry").ids == trained(kind).encode("THE FERRY").ids
    cased = trained(kind, lower=False)
    assert cased.encode("The ferry").ids != cased.encode("the ferry").ids


@every
def test_a_word_begins_where_white_space_stands_before_it(kind: str) -> None:
    tokenizer = trained(kind)
    pieces = tokenizer.encode("crew crewless")
    begins = [bool(tokenizer.begins_word[number]) for number in pieces.ids]
    firsts = [span[0] in (0, 5) for span in pieces.spans]
    assert all(begin or not first for begin, first in zip(begins, firsts, strict=True))
    assert begins.count(True) == 2


@every
def test_what_was_kept_is_the_same(kind: str, tmp_path: Path) -> None:
    tokenizer = trained(kind)
    other = tokenizers.build(*tokenizers.examples(kind))
    tokenizer.save(tmp_path)
    other.load(tmp_path)
    assert list(other.tokens) == list(tokenizer.tokens)
    assert np.array_equal(other.begins_word, tokenizer.begins_word)
    text = "A bearing of Skarholm’s ferry — 3.5 €."
    assert other.encode(text) == tokenizer.encode(text)


@every
def test_the_same_texts_give_the_same_pieces(kind: str) -> None:
    assert list(trained(kind).tokens) == list(trained(kind).tokens)


@every
@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"schema": "other", "pieces": [], "words": []}'])
def test_a_file_that_is_no_tokenizer_is_refused(kind: str, content: str, tmp_path: Path) -> None:
    tokenizer = trained(kind)
    with pytest.raises(InputError):
        tokenizer.load(tmp_path)
    tokenizer.save(tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_text(content)
    with pytest.raises(InputError, match=file.name):
        tokenizer.load(tmp_path)


@every
def test_a_larger_one_than_was_asked_for_does_not_fit(kind: str, tmp_path: Path) -> None:
    tokenizer = trained(kind)
    tokenizer.save(tmp_path)
    small = tokenizers.make(kind, vocab_size=len(tokenizer) - 1)
    with pytest.raises(InputError, match="at most"):
        small.load(tmp_path)


@every
def test_a_size_that_is_too_small_is_refused(kind: str) -> None:
    with pytest.raises(PresetError, match="vocab_size"):
        tokenizers.make(kind, vocab_size=4)


def test_words_have_their_clitics_apart_and_whole() -> None:
    texts = (
        tokenizers.make("words").encode("The ferry's crew can't; they'll try. The crew 's ring, the crews' ring").tokens
    )
    assert texts == (
        *("the", "ferry", "'s", "crew", "can't", ";", "they", "'ll", "try", "."),
        *("the", "crew", "'s", "ring", ",", "the", "crews", "'", "ring"),
    )  # fmt: skip


def test_masks_are_words() -> None:
    texts = tokenizers.make("words").encode("in <dig> of (@xcite) rats, <Cit> <pad> a@b.org <s>").tokens
    assert texts == (
        *("in", "<dig>", "of", "(", "@xcite", ")", "rats", ",", "<cit>", "<", "pad", ">"),
        *("a", "@", "b", ".", "org", "<", "s", ">"),
    )  # fmt: skip


def test_an_unknown_word_keeps_its_text() -> None:
    pieces = trained("words").encode("the Skarholm ferry")
    assert (pieces.tokens[1], pieces.ids[1]) == ("skarholm", 1)
    assert pieces.spans[1] == (4, 12)


def test_no_text_is_unknown_to_subwords() -> None:
    tokenizer = trained("subwords")
    text = "skarholm 灯台 👩‍🚀 \x00"
    assert 1 not in tokenizer.encode(text).ids
    assert tokenizer.decode(tokenizer.encode(text).tokens) == text


def test_pieces_of_one_character_share_its_span() -> None:
    pieces = trained("subwords").encode("a 灯")
    assert set(pieces.spans[1:]) == {(2, 3)}
    assert len(pieces.spans) > 3


TRAINED = {(kind, lower): trained(kind, lower=lower) for kind in LEARNING for lower in (True, False)}
