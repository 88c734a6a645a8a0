"""Texts with which is measured how far the channels of a network reach, and whether a graph computes what it should."""

SAMPLES = (
    "The ferry left the harbour at noon, and it came back at dusk with nobody on it.",
    "A storm broke eleven windows of the school. Lessons go on in the village hall until the glazier has been.",
    "In 1998 the town bought 4,060 street lights; the last of them was lit in March.",
    "“We did not expect that,” said Dr. Agnes Harrington (Department of Marine Biology, University of Bergen).",
    "The method reaches an F1 of 0.873 on 12 benchmarks, 2.1 points above the best earlier model (p < 0.01).",
    "Can you send me the minutes of Tuesday's meeting? I promised Kofi that he'd have them by Friday at 5 p.m.",
    "Patients who took 20 mg daily had fewer attacks than those on placebo (3.4 vs. 5.1 a month), but slept worse.",
    "Returns are accepted within 30 days of delivery; the buyer pays for shipping unless the item was damaged.",
    "However, neither the council nor the company, which had been warned twice, closed the bridge before it fell.",
    "def main(): return 0  # https://example.org/a?b=c&d=1",
    "Yesterday, we walked along the river for hours. It rained. Nobody minded, least of all the dog.",
    "Bundeskanzlerin und Präsident trafen sich am 3. Oktober in Straßburg; über Zölle sprachen sie nicht.",
)
