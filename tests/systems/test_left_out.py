"""What is left out as no prose is counted, and said where it leaves a length unused."""

import re
from pathlib import Path

import pytest
from lxml import html

import nutgraf
from nutgraf.errors import InputError
from nutgraf.prose import boilerplate, judgements, quality
from nutgraf.prose.reasons import DESCRIPTIONS
from nutgraf.report import render
from nutgraf.text.document import Document
from nutgraf.text.summary import Summary

PROSE = "The ferry left the old quay an hour late on Monday. The council will pay for a new mooring line."
JUNK = "Photo: Ann Lee. All rights reserved. Click here to subscribe."

every = pytest.mark.parametrize("system", ["adaptive", "mls_plus", "text_rank", "lead"])


@every
def test_a_length_that_only_junk_could_fill_says_so(system):
    summary = nutgraf.load(system)(f"{PROSE}\n\n{JUNK}", words=60)
    assert summary.text == PROSE
    assert sum(summary.excluded.values()) == 3
    assert summary.underused
    (notice,) = summary.notices
    assert notice.startswith("The summary has 20 of 60 words: the rest of the text is not prose (")


@every
def test_sentences_and_characters(system):
    summarize = nutgraf.load(system)
    (notice,) = summarize(f"{PROSE}\n\n{JUNK}", sentences=4).notices
    assert notice.startswith("The summary has 2 of 4 sentences: ")
    (notice,) = summarize(f"{PROSE}\n\n{JUNK}", characters=400).notices
    assert notice.startswith(f"The summary has {len(PROSE)} of 400 characters: ")


@every
def test_what_is_too_long_is_told_beside_junk(system):
    long = "A heavy rain fell " + "and fell " * 30 + "on the quay."
    (notice,) = nutgraf.load(system)(f"{PROSE} {long}\n\n{JUNK}", words=60).notices
    assert notice.endswith(" or too long.")


@every
def test_a_text_of_prose_says_nothing(system):
    summary = nutgraf.load(system)(PROSE, words=60)
    assert (summary.excluded, summary.notices, summary.underused) == ({}, (), True)
    assert not nutgraf.load(system)(PROSE).underused


@every
def test_a_summary_that_is_the_whole_text_says_so(system):
    pilots = (
        "The pilots of the small tug had waited for the ferry since six, and went home in the dark at last, cold and "
        "without their supper, since the only inn of Leith had closed early."
    )
    three = f"{PROSE} {pilots}"
    summarize = nutgraf.load(system)
    assert summarize(three, sentences=3).notices == ("The summary is the whole text, which has 3 sentences.",)
    assert summarize(three, sentences=3).to_json()["notices"] == list(summarize(three, sentences=3).notices)
    assert summarize(three, share=1).notices == ()  # that was asked for
    assert summarize(three, sentences=2).notices == ()


def test_a_text_that_has_one_sentence_cannot_be_shorter():
    one = "The ferry left " + "and came back and left " * 9 + "at the end of the day."
    assert nutgraf.load()(one, sentences=1).notices == ("The summary is the whole text, which has one sentence.",)


def test_json_and_page_count_by_kind():
    document = Document.of(f"{PROSE}\n\n{JUNK}")
    summary = nutgraf.load()(document, words=60)
    data = summary.to_json()
    assert data["excluded"] == summary.excluded
    assert data["budget"]["underused"] is True
    assert Summary.loads(summary.dumps(), document).excluded == summary.excluded
    page = render(summary)
    assert "3 sentences left out</a> because they are not prose<" in page
    assert "not prose: 1 caption, " in page


def test_the_page_strikes_through_what_is_not_prose_and_lists_it():
    page = html.document_fromstring(render(nutgraf.load()(f"{PROSE}\n\n{JUNK}", words=60)))
    struck = {one.get("id"): one.text_content() for one in page.find_class("left-out")}
    assert len(struck) == 3
    assert "[left out, caption: Photo: Ann Lee.]" in struck.values()
    listed = page.get_element_by_id("omitted").findall(".//li")
    assert listed[0].findtext("q") == "Photo: Ann Lee."
    assert {one.find("a").get("href")[1:] for one in listed} == {*struck}


@every
def test_every_sentence_can_be_kept(system):
    text = f"{PROSE}\n\n{JUNK}"
    summary = nutgraf.load(system)(text, words=60, prose=False)
    assert summary.text == f"{PROSE} {JUNK}"
    assert (summary.excluded, summary.notices) == ({}, ())
    assert nutgraf.load(system)(JUNK, words=60, prose=False).notices == ()


@every
def test_many_documents_can_be_kept_whole(system):
    (summary,) = nutgraf.load(system).many([f"{PROSE}\n\n{JUNK}"], words=60, prose=False)
    assert summary.text == f"{PROSE} {JUNK}"


def test_to_keep_all_is_yes_or_no():
    with pytest.raises(InputError):
        nutgraf.load()(PROSE, prose="no")


ARTICLE = "\n\n".join(
    f"The ferry left pier {number} of the harbour with the mail at noon. Nobody had seen the {name} since Monday."
    for number, name in enumerate("pilot baker clerk cook smith miller fisher sailor tailor mason".split())
)


def test_of_clean_prose_a_handful_is_judged():
    document = Document.of(ARTICLE, language="en")
    assert judgements(document).num_made == 0
    assert len(nutgraf.load("lead")(document, sentences=3)) == 3
    assert judgements(document).num_made == 3
    for system in ("adaptive", "lex_rank", "text_rank"):
        document = Document.of(ARTICLE, language="en")
        assert len(nutgraf.load(system)(document, sentences=3)) == 3
        assert judgements(document).num_made <= 5


def test_what_is_left_out_is_counted_when_somebody_asks():
    document = Document.of(f"{ARTICLE}\n\n{JUNK}", language="en")
    summary = nutgraf.load()(document, words=40)
    assert judgements(document).num_made < len(document.sentences)
    assert sum(summary.excluded.values()) == 3
    assert judgements(document).num_made == len(document.sentences)


def test_kinds_are_told_in_words():
    (notice,) = nutgraf.load()(f"{PROSE}\n\nPhoto: Ann Lee.\n\nPhoto: Ben Moll.\n\nMenu", words=60).notices
    assert notice.endswith("is not prose (2 captions, 1 line without an end mark).")


def test_every_kind_has_words():
    source = Path(quality.__file__).read_text(encoding="utf-8")
    own = re.findall(r'Judgement\(\w+(?: if \w+ else \w+)?, "([a-z ]+)"', source)
    assert {"likely junk", "fragment"} <= {*own}
    betrayed = {*boilerplate.phrases().kinds, *boilerplate.BEGINNINGS, *boilerplate.SECTIONS}
    assert {*own, "backchannel", "pull quote", *betrayed} <= {*DESCRIPTIONS}
