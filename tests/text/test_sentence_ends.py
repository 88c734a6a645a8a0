"""Ends of sentences in languages other than English."""

from __future__ import annotations

from pathlib import Path

import pytest

from nutgraf.text.tokenize import sentence_spans

SENTENCES = Path(__file__).parent / "sentences"
LAW = (Path(__file__).parent / "german_law.txt").read_text(encoding="utf-8").splitlines()


def sentences(text: str, language: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text, language)]


def test_a_german_judgment_is_split_as_a_person_did() -> None:
    assert len(LAW) >= 60
    assert sentences(" ".join(LAW), "de") == LAW


@pytest.mark.parametrize(
    ("name", "language", "beginnings"),
    [("eg3", "en", "The The"), ("de", "de", "»Die Am Der »Dort Der Die")],
)
def test_no_sentence_ends_behind_an_abbreviation_in_brackets(name: str, language: str, beginnings: str) -> None:
    text = (SENTENCES / f"{name}.txt").read_text(encoding="utf-8").strip()
    split = sentences(text, language)
    assert " ".join(split) == text
    assert [sentence.split()[0] for sentence in split] == beginnings.split()


@pytest.mark.parametrize(
    ("language", "split"),
    [
        ("en", ["The firms (incl. Roux) paid (approx. EUR 5).", "They left."]),
        ("en", ['All ships, e.g. "The Marguerite", carry salt.', 'It was Lee vs. "The Board" again.']),
        ("en", ["The plan (He left early. She stayed.) is old.", "It failed."]),
        ("en", ["(He left early.", "She stayed.)", "Then it ended."]),
        ("en", ["The tug left (at six.", "The pilots never came back to the quay."]),  # never closed
        ("de", ["Die Werft (gegr. 1821, umben. 1905) schloss.", "Der Rest [Abb. 3] blieb."]),
        ("fr", ["Le navire (constr. En 1821) est parti.", "Il pleut."]),
    ],
)
def test_brackets_inside_a_sentence_hold_no_end(language: str, split: list[str]) -> None:
    assert sentences(" ".join(split), language) == split


@pytest.mark.parametrize(
    ("language", "split"),
    [
        ("de", ["Am 3. Mai kam Dr. Ruiz, d. h. zu spät.", "Es waren 12.", "Der Zug fuhr um 9 Uhr, z.B. am 1. April."]),
        ("de", ["Er las Bücher, Zeitungen usw.", "Die Zeit verging.", "„Komm!“ rief sie."]),
        ("de", ["Organ i. S. d. § 26 BGB ist der Vorstand.", "Er haftet gem. § 31 i. V. m. Art. 5.", "§ 7 bleibt."]),
        ("de", ["Die Satzung gilt i. d. F. vom 3. Mai.", "Der Zins steigt i. d. R. und u. U. mehr."]),
        ("de", ["Der Mieter zahlt, z. B. Der Bote bringt es.", "3.2 Der Mieter heizt.", "(4) Der Wirt H. Der lüftet."]),
        ("fr", ["M. Roux cite l'art. 5, p. ex. à la p. 12.", "Il a raison.", "Vraiment ?", "« Oui. »"]),
        ("fr", ["On vend du pain, du lait, etc.", "Le marché ferme à midi."]),
        ("es", ["El Sr. Gil y la Dra. Mora citan el art. 5, núm. 3.", "¿Por qué?", "¡Nadie lo sabe!"]),
        ("es", ["Vive en EE. UU. desde mayo.", "La Sra. Gil no."]),
        ("it", ["Il sig. Rossi cita l'art. 5, pag. 12, ecc.", "La legge è chiara."]),
        ("pt", ["O Sr. Dr. Lima cita o art. 5.º, n.º 2, p. ex. na pág. 9.", "Não basta."]),
        ("nl", ["Mr. J.W. Weck woont o.a. in de Kerkstr. 8, d.w.z. ver weg.", "Hij komt niet."]),
        ("nl", ["Ze kocht brood, kaas enz.", "De winkel sloot."]),
        ("ru", ["Это было в 1767 г. рядом с домом, т. е. давно.", "Он жил в г. Москва в 1990 г.", "Потом уехал."]),
        ("ru", ["Там были книги, карты и т. д.", "Все сгорело."]),
        ("ja", ["彼は「はい。そうです。」と言った。", "本当?", "本当です。"]),
        ("zh", ["今天天气很好。", "真的？", "他说：“很好。”"]),
        ("zh", ["误差为0.5%.", "结果在图1.2中给出.", "方法基于平方和(SOS).", "误差因此更小."]),
        ("ko", ["그는 함.", "정말 좋아요!", "왜?"]),
        ("hi", ["यह पहला है।", "यह दूसरा है।"]),
        ("ar", ["ذهب الولد.", "هل عاد؟", "نعم."]),
        ("he", ["שלום עולם.", "מה שלומך?"]),
        ("und", ["Rongo malfruis.", "Kaj J. Rok sciis."]),
    ],
)
def test_abbreviations_ordinals_and_quotations_do_not_end_a_sentence(language: str, split: list[str]) -> None:
    gap = "" if language in ("ja", "zh") else " "
    assert sentences(gap.join(split), language) == split


@pytest.mark.parametrize("language", ["de", "ja"])
@pytest.mark.parametrize("unit", ['"', "!?", "「", "。」", ". ", "'' ", 'a. "', "x.", "3. ", ". -", "（"])
def test_a_wall_of_marks_is_split_without_losing_any(unit: str, language: str) -> None:
    text = unit * (60_000 // len(unit))
    assert "".join("".join(sentences(text, language)).split()) == "".join(text.split())


def test_a_unit_behind_a_number_needs_no_full_stop() -> None:
    text = "Your pressure is above 100 mmHg. People with diabetes should ask. He ran 5 km. Then, at 9 p.m., he slept."
    assert len(sentences(text, "en")) == 4


def test_an_hour_may_end_a_sentence() -> None:
    text = "Deliveries end at 10 a.m. Residents may apply. It opens at 9 a.m. Eastern time. We meet at 8 p.m. Monday."
    assert [one.split()[0] for one in sentences(text, "en")] == ["Deliveries", "Residents", "It", "We"]


def test_a_short_word_or_an_acronym_may_end_a_sentence() -> None:
    split = ["It fell into the sun.", "Nobody saw it.", "It was Leith vs. Kelpport.", "Sign in.", "Open the app."]
    split += ["Tap the map.", "They need an ID.", "Names are kept.", "Mr. Lee met Maj. Ross."]
    assert sentences(" ".join(split), "en") == split


@pytest.mark.parametrize(
    ("language", "split"),
    [
        ("es", ["Dijo que no.", "El padre salió.", "Mide 3 cm.", "La otra es la no. 5."]),
        (
            "de",
            [
                "Es ist so.",
                "Der Mann ging.",
                "Er nahm dpkg.",
                "Das lief.",
                "Es wiegt 3 kg.",
                "Siehe Abs. 3 und Art. 5.",
            ],
        ),
    ],
)
def test_a_word_that_looks_like_an_abbreviation_ends_a_sentence_before_one_that_begins_it(
    language: str, split: list[str]
) -> None:
    assert sentences(" ".join(split), language) == split


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_number_of_a_clause_belongs_to_what_follows(language: str) -> None:
    split = ["1.5. The keeper pays.", "1.6. The club insures the pier.", "(7) It ends in May."]
    assert sentences(" ".join(split), language) == split
    assert len(sentences("1.5.\nThe keeper pays.", language)) == 1


def test_empty_cells_of_a_table_are_in_no_sentence() -> None:
    text = "The berths were let. | | | The rest stayed empty.\n├──┼──┤\nNobody asked."
    assert sentences(text, "en") == [
        "The berths were let.",
        "| | |",
        "The rest stayed empty.",
        "├──┼──┤",
        "Nobody asked.",
    ]
