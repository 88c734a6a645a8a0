import pytest

from nutgraf.prose.shortening import odds
from nutgraf.prose.shortening.features import WIDTH, features_of
from nutgraf.prose.shortening.pieces import pieces
from nutgraf.prose.shortening.shorten import shorten
from nutgraf.text.document import Document


def found(text: str, language: str = "en") -> dict[str, str]:
    return {text[one.start : one.end]: one.kind for one in pieces(text, language)}


def rest(text: str, piece: str) -> str:
    assert piece in found(text), found(text)
    return text.replace(piece, "", 1)


def everything(sentences):
    return [[1.0] * len(some) for _, some in sentences]


def printed(text: str, language: str | None = "en") -> list[str]:
    return shorten(Document.of(text, language=language), everything, 0.5).printed


@pytest.mark.parametrize(
    ("text", "piece", "kind"),
    [
        ("The ferry (built in 1931) sank in the harbor.", " (built in 1931)", "bracket"),
        ("The ferry — the last of its kind — sank in the harbor.", " — the last of its kind —", "dashes"),
        ("The ferry sank near the pier -- a loss for the town.", " -- a loss for the town", "dash"),
        ("Ann Bell, who runs the ferry, sold two boats.", ", who runs the ferry,", "inserted"),
        ("The baker, a widow of sixty, sold the shop.", ", a widow of sixty,", "inserted"),
        ("The mayor, in a letter to the council, praised the crew.", ", in a letter to the council,", "inserted"),
        ("The council bought the mill, which stands by the river.", ", which stands by the river", "relative"),
        ("A storm hit the coast, leaving a town without power.", ", leaving a town without power", "participle"),
        ("The family moved to Lund, a town in the south.", ", a town in the south", "apposition"),
        ("The baker sold the shop, and he moved to the coast.", ", and he moved to the coast", "clause"),
        ("The baker sold the old mill and moved to the coast.", " and moved to the coast", "clause"),
        ("Speaking to reporters, the mayor praised the crew.", "Speaking to reporters, ", "leading"),
        ("After the storm, the council closed the pier.", "After the storm, ", "opening"),
        ("Moreover, the pier needs a new roof.", "Moreover, ", "connective"),
        ("So we, you know, walked to the pier.", ", you know,", "filler"),
        ("Three sailors were hurt in the storm, police said.", ", police said", "attribution"),
        ("The mayor said in a statement that the pier was closed.", " in a statement", "occasion"),
        ("The council closed the pier on Tuesday.", " on Tuesday", "time"),
        ("On Tuesday, the council closed the pier.", "On Tuesday, ", "time"),
        ("Ann Bell, 45, sold two boats last spring.", ", 45,", "age"),
        ("PORT HALDEN (AN) — The council closed the old pier.", "PORT HALDEN (AN) — ", "dateline"),
        ("The man left the pub after a quarrel with the landlord.", " after a quarrel with the landlord", "phrase"),
        ("The crew won a medal at the games in Oslo.", " in Oslo", "place"),
    ],
)  # fmt: skip
def test_a_piece_that_grammar_lets_go(text, piece, kind):
    assert found(text).get(piece) == kind, found(text)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("The fee is returned, unless the boat is damaged.", "unless"),  # a condition
        ("Members, provided that they have paid, may vote.", "provided"),
        ("All boats, except those of the council, pay a fee.", "except"),
        ("He agreed to the plan, but he later withdrew.", "but"),  # what is reversed
        ("The mayor, not her deputy, signed the letter.", "not"),
        ("The driver, allegedly drunk, hit the pier.", "allegedly"),  # a hedge
        ("The ferry weighs 300 tons (about 10 percent more).", "about"),
        ("“The pier is a danger to us all,” the mayor said.", "mayor"),  # a quotation, and who said it
        ("The baker killed his brother, police said.", "police"),  # an accusation
        ("The plan is the best for the town, officials said.", "officials"),  # an opinion
        ("The ferry may sink again, officials said.", "officials"),  # a forecast
        ("Ann Bell has lived in Paris, Texas, since 1990.", "Texas"),  # a name
        ("On May 5, 2010, the pier was closed.", "2010"),  # a date
        ("She sold a boat, a car and a house.", "car"),  # a list
        ("The library will be closed on Monday.", "Monday"),  # a notice: the day is what it says
        ("The screws are 12 mm long at both ends.", "mm"),  # a number and its unit
        ("Binding is important where sites , changes of one base, are known.", "Binding"),  # no participle
        ("Two boxes went to owls, eleven to jackdaws.", "eleven"),  # a verb that is said once for both
        ("The lab was paid for research, testing and teaching.", "testing"),  # a list
        ("Dogs show signs of fear when exposed to noise.", "when"),  # a condition
        ("The mill was full every weekend in October.", "October"),  # what "every" counts
        ("We would like cleaner close - miked recordings.", "miked"),  # a hyphen
        ("That is, uh, when the net is trained.", "uh"),  # without it, "that is when"
        ("Trains carried 900 people last year, a third more than before.", "last"),  # what is compared
        ("Dough with 0, 1 or 2 parts of salt, was left alone.", "1"),  # numbers of a list
        ("The drug led to increased uptake and reduced loss of iron.", "reduced"),  # no second verb
        ("The bar opens on Fridays only, beginning in May.", "beginning"),  # from when a rule holds
        ("Grains, such as rye, oats and barley, are cheap.", "barley"),  # the end of a list
        ("The goat came over the wall, saw itself and went for us.", "went"),  # the end of a list of verbs
        ("It fell from a level of - 60 mV to - 20 mV in a day.", "60"),  # a minus
        ("They showed the seed and enriched set of names.", "enriched"),  # no second verb
        ("Each day costs the island, with its fish farms, a fortune.", "fortune"),  # an object
        ("The two are called slow and fast, in other species.", "species"),  # where it holds
        ("Judging by her letters, Ann was unhappy in Leeds.", "Judging"),  # how it is known
        ("The method is described in (Bell 1998) and in others.", "Bell"),  # what a preposition waits for
        ("Ann told the court: “That is not [acceptable] to us.”", "acceptable"),  # a word of the sentence
        ("It (the pier) was closed by the old council.", "pier"),  # whom a pronoun means
        ("The lease binds the owner of the mill (“the Landlord”).", "Landlord"),  # a term that is defined
        ("A Standard Tool (ST) for courses was sold in May.", "Standard"),  # no place and agency
        ("They met a large, grim-looking gentleman in the mill.", "gentleman"),  # the noun is still to come
        ("They sit in the same, uh, in the same old mill.", "uh"),  # what is begun again
        ("The ferry did not sail to the island on Monday.", "Monday"),  # what was denied for that day only
        ("Ann left with her children Ben, 17, Cora, 14, and Dan.", "17"),  # a list of people
        ("A trend was found between dose and reported harm to mice.", "reported"),  # between two things
    ],
)
def test_what_would_change_the_meaning_stays(text, kept):
    assert not [piece for piece in found(text) if kept in piece]


def test_a_connective_before_what_hangs_on_it_stays():
    assert ", for example," not in found("He saw many birds, for example, the grebe.")


def test_an_unclosed_quotation_is_left_alone():
    assert found("“The pier, which is old, is a danger to us.") == {}


def test_a_relative_clause_in_an_apposition_leaves_the_comma_that_closes_both():
    text = "The mayor, Ann Bell, who is new, closed the pier."
    assert rest(text, ", who is new") == "The mayor, Ann Bell, closed the pier."


def test_a_tail_ends_before_who_said_it():
    assert ", which was parked there" in found(
        "The driver hit a car, which was parked there, a witness told the court."
    )


def test_brackets_and_dashes_go_in_any_language():
    assert printed("Der Bürgermeister (62) trat – wie erwartet – zurück.", "de") == ["Der Bürgermeister trat zurück."]
    assert found("Der Bürgermeister, der alt ist, trat zurück.", "de") == {}
    assert printed("市议会（共九人）决定修复这座桥。", "zh") == ["市议会决定修复这座桥。"]


def test_a_sentence_begins_with_a_capital_and_ends_with_its_mark():
    assert printed("Moreover, the pier (a listed building) needs a roof.") == ["The pier needs a roof."]


def test_words_stay_apart():
    assert printed("The pier—it was built in 1931—needs a new roof.") == ["The pier needs a new roof."]


def test_enough_of_a_sentence_stays():
    text = "It rained, which made the long road from the pier to the old church by the mill very slippery."
    assert printed(text) == [text]


def test_the_strength_is_one_less_the_probability_from_which_a_piece_goes():
    document = Document.of("The pier (built in 1931), which is old, needs a new roof.", language="en")

    def rate(sentences):
        return [[0.3 if one.kind == "bracket" else 0.8 for one in some] for _, some in sentences]

    assert shorten(document, rate, 0.6).printed == ["The pier (built in 1931) needs a new roof."]
    assert shorten(document, rate, 0.75).printed == ["The pier needs a new roof."]
    assert shorten(document, rate, 0.1).printed == document.printed


def test_highlights_stay():
    text = "The pier (built in 1931) needs a new roof."
    start = text.index("1931")
    document = Document.of(text, language="en")
    assert shorten(document, everything, 0.5, kept=[(start, start + 4)]).printed == [text]


def test_features_are_a_kind_and_six_numbers():
    text = "Ann Bell, who is 9, won the prize."
    [row] = features_of(text, pieces(text))
    assert len(row) == WIDTH
    assert sum(row[:-6]) == 1
    [[probability]] = odds.rate([(text, pieces(text))])
    assert 0 < probability < 1


@pytest.mark.parametrize(
    "text", [",", "I mean ,", "so , , , and , or ,", "( ( (", "— —", "said said ,", ", who", "and"]
)
def test_scraps_have_no_pieces(text):
    assert pieces(text) == []


def test_long_sentences_have_no_pieces_and_take_no_time():
    assert pieces("The pier, which is old, " * 5000 + "fell.") == []
