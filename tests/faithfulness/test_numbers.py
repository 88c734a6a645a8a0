"""Numbers, units and times that sources bear out or not, one row each."""

from __future__ import annotations

import pytest

import nutgraf

LANGUAGES = {
    "de": "Der Bund zahlte {} für die neue Brücke, die in der Stadt seit langem gebaut wird.",
    "fr": "L'État a payé {} pour le nouveau pont, que la ville attendait depuis longtemps.",
    "es": "El gobierno pagó {} por el nuevo puente que esperaba desde hace años la ciudad.",
}


def flags(summary: str, source: str) -> list[tuple[str, str, str]]:
    return [(flag.kind, flag.text, flag.reason) for flag in nutgraf.check(summary, source).flags]


@pytest.mark.parametrize(
    ("sentence", "said", "found"),
    [
        ("Glucose was {} in the patients.", "5.6 nmol/L", "5.6 mmol/L"),
        ("Glucose was {} in the patients.", "100 mg/L", "100 mg/dL"),
        ("The patients took {} of vitamin D.", "400 mg", "400 IU"),
        ("The patients took {} of folate.", "400 mg", "400 µg"),
        ("The patients took {} of folate.", "400 mcg", "400 mg"),
        ("The new road is {} long.", "12 km", "12 m"),
        ("The new road is {} long.", "12 miles", "12 kilometres"),
        ("All samples were stored at {}.", "80 °C", "−80 °C"),
        ("All samples were stored at {}.", "-20 °F", "-20 °C"),
        ("The shop opens at {} on Monday.", "9 p.m.", "9 a.m."),
        ("The firm earned {} last year.", "3 billion euros", "3 million euros"),
        ("The firm earned {} last year.", "$20 million", "€20 million"),
        (LANGUAGES["de"], "5 Millionen Euro", "5 Milliarden Euro"),
        (LANGUAGES["de"], "250 Mio. Euro", "250 Mrd. Euro"),
        (LANGUAGES["de"], "250 Millionen Dollar", "250 Millionen Euro"),
        ("Die neue Straße, die von Köln nach Bonn führt, ist {} lang und breit.", "12 Meilen", "12 km"),
        ("Die neue Straße, die von Köln nach Bonn führt, ist {} lang und breit.", "250 m", "250 km"),
        (LANGUAGES["fr"], "250 millions d'euros", "250 milliards d'euros"),
        (LANGUAGES["fr"], "3,2 M€", "3,2 Mrd €"),
        (LANGUAGES["es"], "250 millones de dólares", "250 millones de euros"),
        (LANGUAGES["es"], "250 millones de euros", "250 mil millones de euros"),
    ],
)
def test_another_unit_scale_or_half_of_the_day_is_flagged(sentence: str, said: str, found: str) -> None:
    [(kind, text, reason)] = flags(sentence.format(said), sentence.format(found))
    assert (kind, text) == ("numbers", said)
    if said[0].isdigit():
        assert reason == f"The sources have {found}, not {said.removesuffix('.')}."


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("The bridge was built in the 1980s.", "The bridge was built in 1987."),
        ("She is in her 30s.", "She is a nurse of 34."),
        ("More than 1,000 people came.", "A total of 1,200 people came."),
        ("About 1,500 people came.", "A total of 1,512 people came."),
        ("The train left at 9 a.m.", "The train left at nine in the morning."),
        ("The shop is open from 9 a.m.", "The shop is open 9–11 a.m. on workdays."),
        ("The session runs 2:00 PM – 3:45 PM.", "The session runs from 14:00–15:45."),
        ("Half of the participants improved.", "Of the participants, 50 % improved."),
        ("Half of the participants improved.", "Of the 240 participants, 120 improved."),
        ("50 % of the participants improved.", "In the trial 120 of 240 participants improved."),
        ("They walked for half an hour.", "They walked for 30 minutes."),
        ("They took 500 micrograms of it.", "They took 0.5 mg of it."),
        ("They took 0.5 mg of it.", "They took 500 micrograms of it."),
        ("It was 30 degrees Celsius.", "It was 30 °C."),
        ("It was 90 °F.", "It was 90 degrees Fahrenheit."),
        ("It was 86 Fahrenheit.", "It was 30 Celsius."),
        ("It rose by 12 percent.", "It rose by 12 per cent."),
        ("They took 400 mg daily.", "They took 400 mg/day."),
        ("He came 3rd in the 21st century.", "He came third in the twenty-first century."),
        ("He came third in the twenty-first century.", "He came 3rd in the 21st century."),
        ("It took 10 years.", "It took a decade."),
        ("It took 200 years.", "It took two centuries."),
        ("She baked 24 loaves.", "She baked 2 dozen loaves."),
        ("The sea rose 2.5 m in twelve hours.", "The sea rose two and a half metres in twelve hours."),
        ("It holds 6 fl oz of milk.", "It holds 177 ml of milk."),
        (LANGUAGES["de"].format("3,2 Mrd. Euro"), LANGUAGES["de"].format("3,2 Milliarden €")),
        (LANGUAGES["de"].format("5 Millionen Euro"), LANGUAGES["de"].format("fünf Millionen Euro")),
        (LANGUAGES["fr"].format("3,2 M€"), LANGUAGES["fr"].format("3,2 millions d'euros")),
    ],
)
def test_the_same_quantity_in_other_words_is_not(said: str, found: str) -> None:
    assert flags(said, found) == []


def test_reasons_say_what_the_sources_have() -> None:
    source = "The ferry carried cars. " * 3 + "Nobody was on deck. The museum has 1,512 clocks. They are all wrong."
    assert flags("The ferry carried about 1,500 cars.", source) == [
        ("numbers", "1,500", "The sources have 1,512 only where few words of this sentence stand.")
    ]
    assert flags("The shop opens at 8 a.m.", "The shop opens at 9 a.m.") == [
        ("numbers", "8 a.m.", "No source has the time 8 a.m.")
    ]
    assert flags("It was built in the 1970s.", "It was built in 1987.") == [
        ("numbers", "1970s", "No source has the number 1970s.")
    ]


def test_nothing_is_flagged_twice() -> None:
    assert flags("The trial NCT01234567 ended.", "The trial NCT07654321 ended.") == [
        ("names", "NCT01234567", "No source has the name NCT01234567.")
    ]
    assert [text for _, text, _ in flags("It was 30 Celsius at 9 PM.", "It was 20 °C at 21:30.")] == ["30", "9 PM"]
