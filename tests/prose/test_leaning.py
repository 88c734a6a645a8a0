"""What a sentence leans on, by kinds of cue and languages; what restricts an earlier statement; lists as units."""

import re

import pytest

from nutgraf.prose.dependence import Leaning, leanings, units
from nutgraf.prose.dependence.cues import _LINE, LANGUAGES, _expression, cues_of
from nutgraf.prose.dependence.reading import read
from nutgraf.readers.reading import read_data
from nutgraf.text.document import Document, join

LEANING = {
    "en": """
        He moved to Leeds in 1990.
        In 2003, she founded a choir.
        After the war he opened a bakery.
        This decision cost the town dear.
        Its roof is made of slate.
        The latter is closed in winter.
        Both were sold in 1950.
        Only two survived.
        Since then, the price has doubled.
        Because the pump was broken.
        Unlike its predecessor, the new model floats.
        Police arrested him on Monday.
        The council rejected it.
        “It is a good day,” he said.
        Although he was ill, he went to work.
        Otherwise, the fee is due.
        However, the ferry left.
        A map of these lakes is sold in Hull.
        Anna will be back by then.
        Two years later, the price doubled.
        Residents complained about the ferry.
        Nobody else in the family was.
        The man paid in coins.
        Anna wrote the clause mentioned above.
        To solve this problem, Anna sold two boats.
        Today, in a new paper that was published in Leeds, he warns of floods.
        Sometimes he heard voices outside, and a dog.
        Slowly she opened the door.
        The police say he left Hull in May.
        Anna also sold two boats.
        Anna sold two boats too.
        We do sell boats in Hull.
        No, the boats were sold in Hull.""",
    "de": """
        Er zog 1990 nach Bremen.
        2003 gründete sie einen Chor.
        Nach dem Krieg eröffnete er eine Bäckerei.
        Diese Entscheidung war teuer.
        Sein Dach ist aus Schiefer.
        Letzterer ist im Winter geschlossen.
        Beide wurden 1950 verkauft.
        Seitdem hat sich der Preis verdoppelt.
        Davon lebt die Stadt.
        Der Rat lehnte ihn ab.
        Die Stadt wurde jedoch nie zerstört.
        Obwohl er krank war, ging er zur Arbeit.
        Jedoch blieb die Fähre im Hafen.
        Anna kaufte eine Karte dieser Seen.
        Drei Jahre später verkaufte Anna zwei Häuser.
        Anna machte das möglich.
        Anna kennt alle Gäste der genannten Fähre.
        2003, nach langer Zeit in Bremen, gründete sie einen Chor.
        Anna schrieb auch Gedichte.
        Fünftens ist Bremen teuer.""",
    "fr": """
        Il s'installa à Lyon en 1990.
        En 2003, elle fonda une chorale.
        Cette décision coûta cher à la ville.
        Son toit est en ardoise.
        Celui-ci est fermé en hiver.
        Deux ans plus tard, le moulin brûla.
        C'est pourquoi la piscine est fermée.
        Sans eux, le moteur s'arrête.
        Le conseil l'a rejeté.
        Bien qu'il fût malade, il alla travailler.
        Cependant, le bac est parti.
        Anne vend une carte de ces lacs.
        Anne sera là d'ici là.
        On ignore si cela vaut pour Brest.
        Le prix dépasse trois millions d'euros.""",
    "es": """
        Nació en Burgos en 1950.
        En 2003 fundó un coro.
        Esta decisión costó cara a la ciudad.
        Su tejado es de pizarra.
        Ambos se vendieron en 1950.
        Desde entonces, el precio se ha duplicado.
        Por eso la piscina está cerrada.
        El consejo lo rechazó.
        Aunque estaba enfermo, fue a trabajar.
        Sin embargo, el barco salió.
        Ana vende un mapa de esos lagos.
        Para resolver este problema, Ana vendió dos casas.
        El precio subió en enero.
        Desde enero ha subido mucho.""",
    "it": """
        Nacque a Siena nel 1950.
        Nel 2003 fondò un coro.
        Questa decisione costò cara alla città.
        Il suo tetto è di ardesia.
        Entrambi furono venduti nel 1950.
        Da allora il prezzo è raddoppiato.
        Per questo la piscina è chiusa.
        Il consiglio lo ha respinto.
        Benché fosse malato, andò al lavoro.
        Tuttavia, il traghetto è partito.
        Anna vende una mappa di questi laghi.
        La misura fallì nel 1950.
        Non è chiaro se ciò valga per Siena.""",
    "pt": """
        Nasceu em Évora em 1950.
        Em 2003 fundou um coro.
        Esta decisão custou caro à cidade.
        O seu telhado é de ardósia.
        Ambos foram vendidos em 1950.
        Desde então, o preço duplicou.
        Por isso, a piscina está fechada.
        O conselho rejeitou-o.
        Embora estivesse doente, foi trabalhar.
        No entanto, o barco partiu.
        Ana vende um mapa desses lagos.
        A medida surpreendeu todos.
        Os músculos tornam isso possível.""",
    "nl": """
        Hij verhuisde in 1990 naar Leiden.
        In 2003 richtte zij een koor op.
        Deze beslissing was duur.
        Zijn dak is van leisteen.
        Laatstgenoemde is in de winter gesloten.
        Sindsdien is de prijs verdubbeld.
        Daarin verliest een matroos zijn schip.
        De raad wees hem af.
        Hoewel hij ziek was, ging hij naar zijn werk.
        Maar niemand kwam naar de haven.
        Anna verkoopt een kaart van deze meren.
        Anna maakte dat mogelijk.
        Drie jaar later verkocht Anna twee huizen.""",
    "ru": """
        Он переехал в Тверь в 1990 году.
        В 2003 году она основала хор.
        Это решение дорого обошлось городу.
        Его крыша из сланца.
        Оба были проданы в 1950 году.
        С тех пор цена удвоилась.
        Поэтому бассейн закрыт.
        Совет отклонил его.
        Хотя он был болен, он пошёл на работу.
        Однако паром ушёл в полдень.
        Анна продаёт карту этих озёр.
        Анна вернётся к тому времени.
        Неизвестно, относится ли это к Твери.""",
}
STANDING = {
    "en": """
        It rained all night in Hull.
        It is likely that prices will rise in May.
        Both the mayor and the bishop left early.
        Although he was ill, Paul went to work.
        In his speech, Obama praised the crew.
        There are three lakes in the county.
        This year the county will build a bridge.
        I have sent you the contract.
        Anna Berg lost her keys on Sunday.
        So far, the county has spent 3 million euros on the bridge.
        The women of Hull wore blouses at work.
        Here we present a model of the Tyne.
        In this paper, we study two rivers.
        Today, in a speech in Hull that was long awaited, Obama praised his crew.
        When Smith was elected, he moved to Hull.
        With money that they raised, Ada Wong and Bob Berg went to Hull.
        When a driver stopped in Hull, he opened the door.
        The driver of the last bus to Hull said he had lost his keys.
        Bats are also called flying mice in Hull.
        Anna, who also sings, lives in Hull.
        The tugs not only sank in Hull but also burned.
        We do not sell boats in Hull.
        The second largest city in Norway is Bergen.""",
    "de": """
        Es regnete die ganze Nacht in Bremen.
        Es gibt drei Seen im Landkreis Plön.
        Es ist wahrscheinlich, dass die Fähre zu spät kommt.
        Obwohl er krank war, ging Paul zur Arbeit.
        In ihrer Rede lobte Merkel die Besatzung.
        In diesem Jahr baut der Landkreis eine Brücke.
        Wer zu spät kommt, zahlt das Doppelte.
        Ein Steuermann verliert seine Stelle und fährt trotzdem jeden Abend zum Hafen.
        Hier stellen wir ein Modell der Elbe vor.""",
    "fr": """
        Il pleuvait sur Brest.
        Il y a trois lacs dans le comté.
        Il faut signer le contrat avant mardi.
        Bien qu'il fût malade, Paul alla travailler.
        Cette année, le département construira un pont.
        Ceux qui arrivent en retard paient le double.
        C'est à Lyon que le cinéma est né.
        La guerre civile dura trois ans.""",
    "es": """
        Llovió toda la noche en Burgos.
        Es probable que los precios suban en mayo.
        Hay tres lagos en la comarca.
        Aunque estaba enfermo, Pablo fue a trabajar.
        Este año la diputación construirá un puente.
        Murió el escritor Juan Rulfo.
        La guerra civil duró tres años.""",
    "it": """
        Ha piovuto tutta la notte a Siena.
        È probabile che i prezzi salgano a maggio.
        Ci sono tre laghi nella provincia.
        Benché fosse malato, Paolo andò al lavoro.
        Quest'anno la provincia costruirà un ponte.
        È morto lo scrittore Umberto Eco.
        Il romanzo di Anna vende bene.""",
    "pt": """
        Choveu toda a noite em Braga.
        É provável que os preços subam em maio.
        Há três lagos no concelho.
        Embora estivesse doente, Paulo foi trabalhar.
        Este ano a câmara vai construir uma ponte.
        A guerra civil durou três anos.""",
    "nl": """
        Het regende de hele nacht in Leiden.
        Er zijn drie meren in de provincie.
        Hoewel hij ziek was, ging Paul naar zijn werk.
        In zijn toespraak prees Rutte de bemanning.
        Dit jaar bouwt de provincie een brug.
        Hier stellen wij een model van de Maas voor.""",
    "ru": """
        Всю ночь в Твери шёл дождь.
        И паром, и буксир покинули порт.
        Хотя он был болен, Павел пошёл на работу.
        В этом году область построит мост.
        В своей речи Иванов похвалил экипаж.
        Здесь мы представляем модель Волги.""",
}
OPENINGS = {
    "en": "Anna Berg owns a ferry on the Tyne.",
    "de": "Anna Berg besitzt eine Fähre auf der Elbe.",
    "fr": "Anne Berg possède un bac sur la Loire.",
    "es": "Ana Berg tiene un barco en el Ebro.",
    "it": "Anna Berti possiede un traghetto sul Po.",
    "pt": "Ana Berg possui um barco no Tejo.",
    "nl": "Anna Berg bezit een veerboot op de Maas.",
    "ru": "Анна Берг владеет паромом на Волге.",
}


def examples(table):
    return [(language, line.strip()) for language, lines in table.items() for line in lines.strip().splitlines()]


def of(*sentences, language="en"):
    """A document of one paragraph, and how its sentences lean."""
    ends = [sum(len(one) + 1 for one in sentences[: count + 1]) for count in range(len(sentences))]
    spans = [(end - len(one) - 1, end - 1) for one, end in zip(sentences, ends, strict=True)]
    return list(leanings(Document.of(" ".join(sentences), language=language, sentences=spans)))


def needs(*sentences, language="en"):
    return [None if one is None else one.needs for one in of(*sentences, language=language)]


@pytest.mark.parametrize(("language", "sentence"), examples(LEANING))
def test_a_sentence_leans_on_the_one_before(language, sentence):
    first, second = of(OPENINGS[language], sentence, language=language)
    assert first is None
    assert second.leans
    assert second.needs == (0,) or second.connective
    assert second.reason


@pytest.mark.parametrize(("language", "sentence"), examples(STANDING))
def test_a_sentence_stands_alone(language, sentence):
    """Behind a heading, so that what it leans on, if it did, is not there to be found."""
    assert of("1. Anna", sentence, language=language)[1] is None


@pytest.mark.parametrize(
    ("language", "sentence", "rest"),
    [
        ("en", "However, nobody left at noon.", "nobody left at noon."),
        ("en", "But nobody left at noon.", "nobody left at noon."),
        ("en", "And so, nobody left at noon.", "nobody left at noon."),
        ("de", "Doch niemand blieb im Hafen.", "niemand blieb im Hafen."),
        ("fr", "Mais Paul est parti.", "Paul est parti."),
        ("es", "Sin embargo, nadie salió.", "nadie salió."),
        ("it", "Tuttavia, nessuno è partito.", "nessuno è partito."),
        ("pt", "No entanto, Paulo partiu.", "Paulo partiu."),
        ("nl", "Maar iedereen bleef.", "iedereen bleef."),
        ("ru", "Однако никто не ушёл.", "никто не ушёл."),
    ],
)
def test_a_connective_may_be_left_out(language, sentence, rest):
    leaning = of(OPENINGS[language], sentence, language=language)[1]
    assert sentence[leaning.connective :] == rest
    assert leaning.needs == ()
    assert leaning.leans


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("de", "Doch blieb die Fähre."), ("nl", "Toch bleef de veerboot."), ("en", "“But it is late.”"), ("en", "But.")],
)
def test_a_connective_stays_where_the_rest_would_not_stand(language, sentence):
    """Because the verb comes first then, a quotation would lose its mark, or nothing would be left."""
    leaning = of(OPENINGS[language], sentence, language=language)[1]
    assert leaning.connective == 0
    assert leaning.needs == (0,)


def test_behind_a_connective_a_pronoun_still_needs_its_name():
    assert of("Anna Berg owns a ferry.", "But she sold it.")[1] == Leaning(
        needs=(0,), connective=4, reason="“she” stands for somebody named before"
    )


def test_a_pronoun_needs_the_sentence_with_the_name():
    assert needs("Paul was born in 1950.", "He moved to Leeds.", "He died in 1990.") == [None, (0,), (0,)]
    assert needs("Paul was born in 1950.", "He met Ada Wong.", "She taught in Leeds.") == [None, (0,), (1,)]
    assert needs("A tug sank.", "It was old.", "It lies off Hull.") == [None, (0,), (0,)]


def test_another_sentence_with_the_name_does_as_well():
    found = of("Ada Brook came to Hull.", "Bob spoke to Ada Brook.", "She left at noon.")[2]
    assert (found.needs, found.others) == ((1,), (0,))


def test_a_noun_needs_the_sentence_that_introduces_it():
    found = needs("A tug sank.", "Two boats came.", "Nobody spoke in Hull.", "The tug was old.", "The boats left.")
    assert found == [None, None, None, (0,), (1,)]


def test_a_later_one_of_several_needs_the_one_before():
    """Or the sentence that introduces them; without any, it says what nobody can know."""
    assert needs("Two causes are known.", "It rained in Hull.", "The second major cause is wind.")[-1] == (0,)
    assert needs("The first tug sank.", "It rained in Hull.", "A third tug burned in May.")[-1] == (0,)
    assert of("It rained in Hull.", "The second major cause is wind.")[-1].unmet
    german = of("Zwei Gründe sind bekannt.", "Anna schwieg.", "Der dritte wichtige Grund ist Wind.", language="de")
    assert german[-1].needs == (0,)
    spanish = of("Hay dos motivos.", "Ana vive en Roma.", "El segundo motivo es el precio.", language="es")
    assert spanish[-1].needs == (0,)


def test_an_item_with_a_letter_needs_the_first_one():
    items = ("(a) Anna pays the rent.", "(b) Paul pays the water.", "(c) Ada pays the heating.")
    assert needs("Hull has rules.", *items) == [None, None, (1,), (1,)]


def test_items_whose_first_is_in_the_sentence_of_the_introduction_are_one_with_it():
    text = (
        "The tenant may end this lease on 28 February 2031 by giving six months of notice, provided that\n"
        "(a) the rent has been paid up to that date; and\n(b) the tenant leaves the premises.\n\nThe lease is short."
    )
    document = Document.of(
        text,
        language="en",
        sentences=[
            (0, text.index("\n(b)")),
            (text.index("(b)"), text.index("\n\n")),
            (text.index("The lease"), len(text)),
        ],
    )
    assert units(document) == [range(2)]
    own = Document.of("It ends.\n(b) The rent is paid.", language="en", sentences=[(0, 8), (9, 30)])
    assert units(own) == []


def test_the_first_step_stands_and_the_second_needs_it():
    assert needs("Step 1: Mix flour and water in Hull.", "Step 2: Bake the loaf for an hour.") == [None, (0,)]
    german = of("Schritt 1: Kochen Sie Wasser.", "Schritt 2: Backen Sie das Brot.", language="de")
    assert [one and one.needs for one in german] == [None, (0,)]


def test_a_bare_noun_needs_the_sentence_that_says_which_one():
    between = ("Anna sang in Rome.", "Paul lives in Hull.")
    assert needs("The new tax measure passed.", *between, "The measure cuts wages in Hull.")[-1] == (0,)
    assert needs("Ada took photographs of bats.", *between, "The photographs show wings.")[-1] == (0,)
    assert needs("The new tax rate passed.", *between, "The tax cuts were popular in Hull.")[-1] is None
    assert needs("The German government fell.", *between, "The government meets in Hull.")[-1] is None
    french = ("La nouvelle mesure du maire est prête.", "Anne vit à Rome.", "La mesure coûte cher.")
    assert of(*french, language="fr")[-1].needs == (0,)


def test_a_noun_that_the_text_is_about_is_known():
    about = ["The ferry left Hull.", "Hull needs the ferry.", "Leeds sold the ferry.", "Kent likes the ferry."]
    assert needs(*about, "The ferry was built in 1950.")[-1] is None
    assert needs(*about[:2], "The ferry was built in 1950.")[-1] == (1,)


def test_a_need_that_the_text_does_not_meet():
    assert of("He left at noon.") == [Leaning(unmet=True, reason="“he” stands for somebody named before")]
    assert of("The driver left.") == [None]
    (only,) = of("However, nobody left.")
    assert (only.connective, only.needs, only.unmet) == (9, (), False)


def test_no_need_crosses_from_one_document_to_the_next():
    from nutgraf.text.document import join

    documents = [Document.of(text, language="en") for text in ("Ada left. She was late.", "He came. A tug sank.")]
    assert [one and (one.needs, one.unmet) for one in leanings(join(documents))] == [
        None,
        ((0,), False),
        ((), True),
        None,
    ]


def test_a_heading_is_passed_over():
    document = Document.of("Ada left Hull by ferry.\n\nHistory\n\nShe was born in Leeds.", language="en")
    assert leanings(document)[2].needs == (0,)


class TestLaziness:
    def test_only_what_is_asked_for_is_read(self):
        document = Document.of("Ada left Hull. " * 50 + "She was late. Nobody saw Ada Wong in Leeds.", language="en")
        found = leanings(document)
        assert found[-1] is None
        assert found.num_read == 1
        assert found[-2].needs == (49,)
        assert found.num_read < 5
        assert found[48:50] == [None, None]

    def test_in_which_order_sentences_are_asked_for_does_not_matter(self):
        text = "Paul was born in Hull. He moved to Leeds. He saw a tug. The tug sank. However, he died. He lies here."
        one, other = (leanings(Document.of(text, language="en")) for _ in range(2))
        assert [one[index] for index in reversed(range(len(one)))] == list(reversed(list(other)))

    def test_later_sentences_that_an_earlier_one_should_have_beside_it(self):
        reversed_, quoted = (
            "Parents avoided nuts. A trial shows that the opposite is right.",
            "“A tug came. Bob left,” said Ada.",
        )
        found = leanings(Document.of(f"{reversed_} {quoted}", language="en"))
        assert [found.bounded_by(index) for index in range(4)] == [(1,), (), (3,), ()]


class TestStructure:
    def test_a_quotation_of_several_sentences_is_one(self):
        found = of("“The tug came.", "Bob left,” said Ada.", "Nobody saw Cy.")
        assert [one and (one.needs, one.bounds) for one in found] == [None, ((0,), (0,)), None]

    def test_a_long_statement_within_a_quotation_stands_alone(self):
        long = "The quay in Hull has been empty since the war and nobody has mended it."
        speaks = "We have asked the council three times to mend the quay in Hull for nothing."
        found = of("Ada said: “The tug came.", long, speaks, "Bob left.”")
        assert [one and (one.needs, one.bounds) for one in found] == [None, None, ((0,), ()), ((0,), ())]

    def test_an_interjection_is_no_antecedent(self):
        assert needs("Ada left Hull for Leeds.", "Mm-hmm.", "She was late.")[2] == (0,)

    def test_a_quotation_needs_its_speaker(self):
        assert needs("“Nobody came,” said Ada.", "“The quay in Hull is empty.”") == [None, (0,)]

    def test_an_answer_needs_its_question(self):
        assert needs("Who owns the ferry?", "Ada Berg of Hull.") == [None, (0,)]
        assert needs("Who owns the ferry?", "Ada Berg of Hull has owned two ferries since 1990.") == [None, None]

    def test_what_begins_with_a_small_letter_goes_on(self):
        assert needs("Ada left for Hull.", "and Bob for Leeds.", "Cy stayed.") == [None, (0,), None]
        assert needs("ada left for hull.", "and bob for leeds.", "cy stayed.", language="fi") == [None, None, None]

    @pytest.mark.parametrize("language", ["fi", "zh", "und"])
    def test_it_holds_in_every_language(self, language):
        text = "Anna lähti. “Satama on tyhjä.” Kuka?"
        assert len(leanings(Document.of(text, language=language))) == len(
            Document.of(text, language=language).sentences
        )


class TestBounds:
    def test_an_exception_restricts_the_rule_before(self):
        found = of(
            "Whoever builds a house in the county needs a permit.",
            "The council decides within eight weeks.",
            "No permit is required for a house of the county.",
        )
        assert [one and one.bounds for one in found] == [None, None, (0,)]

    def test_an_exception_to_something_else_restricts_nothing(self):
        found = of("Whoever builds a house needs a permit.", "No ticket is required for dogs in Hull.")
        assert found == [None, None]

    @pytest.mark.parametrize(
        ("language", "before", "reversal"),
        [
            ("en", "Parents were told to avoid nuts.", "A trial in Leeds now shows that the opposite is right."),
            ("de", "Eltern sollten Nüsse meiden.", "Eine Studie aus Kiel zeigt das Gegenteil."),
            ("fr", "Les parents évitaient les noix.", "Une étude de Lyon montre le contraire."),
            ("es", "Los padres evitaban las nueces.", "Un estudio de León demuestra lo contrario."),
        ],
    )
    def test_a_reversal_and_what_it_reverses_come_together(self, language, before, reversal):
        found = of(before, reversal, language=language)[1]
        assert (found.needs, found.bounds) == ((0,), (0,))

    def test_a_rule_in_another_section_is_not_restricted(self):
        from nutgraf.text.blocks import Block

        blocks = [
            Block("Houses", heading=True),
            Block("Whoever builds a house in the county needs a permit."),
            Block("Fees", heading=True),
            Block("No permit is required for a house of the county."),
        ]
        assert list(leanings(Document.of_blocks(blocks, language="en"))) == [None, None]


LAW = """(1) Whoever builds a house needs a permit. The council decides.

(2) No permit is required for a shed

1. if it is lower than three meters,

2. if it stands for a month, or

3. if the council agrees.

(3) The council keeps a list of houses. Fees are due in May."""


class TestUnits:
    @pytest.mark.parametrize("marks", [("1. ", "2. ", "3. "), ("(a) ", "(b) ", "(c) "), ("– ", "– ", "– "), ("",) * 3])
    def test_a_list_and_its_introduction_are_one(self, marks):
        """With marks as in plain text, or without them, as the readers of Markdown and HTML leave it."""
        text = LAW.replace("1. ", marks[0]).replace("2. ", marks[1]).replace("3. ", marks[2])
        document = Document.of(text, language="en")
        assert units(document) == [range(2, 6)]
        assert [one and one.needs for one in leanings(document)[2:6]] == [None, (2,), (2,), (2,)]

    def test_lines_without_marks_below_a_colon(self):
        document = Document.of("Ada has to bring:\nA warm towel\nTwo caps\n\nBob came too.", language="en")
        assert units(document) == [range(3)]
        assert [one and one.needs for one in leanings(document)[:3]] == [None, (0,), (0,)]

    def test_items_below_a_colon(self):
        document = Document.of("Ada was told to bring:\n\n• a towel\n• a cap\n\nBob came too.", language="en")
        assert units(document) == [range(3)]

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            (
                "lamp.md",
                "Ink is dear.\n\nFollow these steps:\n\n1. Open the flap.\n2. Take it out.\n\nThe lamp is red.",
            ),
            (
                "lamp.html",
                "<p>Ink is dear.</p><p>Follow these steps:</p><ol><li>Open the flap.</li><li>Take it out.</li></ol>"
                "<p>The lamp is red.</p>",
            ),
        ],
    )
    def test_steps_whose_marks_the_reader_took_away(self, name, text):
        (document,) = read_data(text.encode(), name, language="en")
        assert document.printed[2:4] == ["Open the flap.", "Take it out."]
        assert units(document) == [range(1, 4)]
        assert [one and one.needs for one in leanings(document)[1:4]] == [None, (1,), (1,)]
        joined = join([document, document])
        assert units(joined) == [range(1, 4), range(6, 9)]

    def test_an_introduction_points_ahead(self):
        text = "Ink is dear. The lamp is red.\n\nOwners follow these steps:\n\n- Open the flap.\n- Take it out."
        assert leanings(Document.of(text, language="en"))[2] is None

    def test_rows_of_a_table_are_no_items(self):
        text = "These are the prices:\n\n| Ink | Price |\n|---|---|\n| Black | 12 |\n| Red | 14 |\n\nThey rose."
        (document,) = read_data(text.encode(), "prices.md", language="en")
        assert units(document) == []

    @pytest.mark.parametrize(
        "text",
        [
            "Permits\n\n(1) Whoever builds a house needs a permit.\n\n(2) The council decides.",
            "Ada said three words: yes, no and never. Bob left.",
            "Ada was told to bring:\n\nBob came too. Cy did not.",
            "no marks here\n\nnone here either\n\nand none here",
        ],
    )
    def test_what_is_no_list(self, text):
        assert units(Document.of(text, language="en")) == []

    @pytest.mark.parametrize(
        ("language", "introduction", "items"),
        [
            ("fr", "Le locataire est tenu :", ["a) de payer le loyer ;", "b) d'entretenir le jardin."]),
            ("es", "Quedan exentos de la tasa:", ["1.º los menores;", "2.º los jubilados;", "3.º los socios."]),
            ("it", "Il conduttore non può, senza il consenso del locatore:", ["a) sublocare;", "b) tenere animali."]),
            ("nl", "Een vergunning is niet nodig voor:", ["a. tenten;", "b. hekken."]),
            ("ru", "Разрешение не требуется:", ["1) для палаток;", "2) для заборов."]),
            ("en", "You may cancel if", ["* the ferry is late,", "* you are ill."]),
            ("en", "The seller warrants the following.", ["1. The ship is free of debts.", "2. The ship is new."]),
        ],
    )
    def test_lists_of_contracts_and_statutes(self, language, introduction, items):
        lists = ["\n\n".join([introduction, *items]), "\n".join([introduction, *items])]
        for text in lists:
            document = Document.of(f"{text}\n\nAnna Berg, 1950.", language=language)
            assert units(document) == [range(len(items) + 1)]

    def test_many_whole_sentences_are_no_unit(self):
        items = "\n".join(f"- The ferry number {number} left Hull." for number in range(1, 10))
        document = Document.of(f"The log has these lines:\n\n{items}", language="en")
        assert units(document) == []


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_line_of_the_words_can_be_read(language):
    cues = cues_of(language)
    for lines in cues.written["openings"].values():
        for line in filter(None, lines.strip().splitlines()):
            name, head, rest = _LINE.fullmatch(line).groups()
            assert name in cues.lists if name else head
            assert re.compile(_expression(rest, cues._alternatives))
    assert cues.objects.pattern
    assert cues.inside.pattern
    assert read("", cues).cue is None


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_needs_and_bounds_are_earlier(language):
    sentences = [line for _, line in examples({language: LEANING[language] + STANDING[language]})]
    for count in range(1, len(sentences) + 1):
        for index, one in enumerate(of(*sentences[:count], language=language)):
            assert one is None or all(0 <= other < index for other in (*one.needs, *one.bounds))
            assert one is None or 0 <= one.connective < len(sentences[index])
    assert all(
        of(sentence, language=language)[0] is None or not of(sentence, language=language)[0].needs
        for sentence in sentences
    )
