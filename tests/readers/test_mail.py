"""Mail: messages with senders and times, the oldest first; quoted text once; no marks of the format in a sentence."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from msgs import msg_of
from nutgraf.errors import InputError
from nutgraf.readers import read_text
from nutgraf.readers._mail_words import Surety, attribution
from nutgraf.readers.reading import read, read_data
from nutgraf.text.document import Document

FOLDER = Path(__file__).parent / "mail"

RENT = "The rent is 11,500 euros a month for five years."
QUESTION = "Shall we take Ferris Street?"


def told(document: Document) -> list[tuple[str, str]]:
    """Who says what."""
    return [(speaker or "", said) for speaker, said in zip(document.speakers, document.printed, strict=True)]


def mail(body: str, *headers: str) -> bytes:
    first = ("From: Anna Berg <anna@example.org>", "Date: Tue, 12 Mar 2024 09:15:00 +0100", "Subject: Re: Lease")
    return "\n".join([*first, *headers, "", body]).encode()


def one(data: bytes, name: str = "lease.eml") -> Document:
    (document,) = read_data(data, name, "en")
    return document


def test_the_mail_of_the_warehouse() -> None:
    (document,) = read(FOLDER / "lease.eml")
    assert [(turn.name, time) for turn, (_, time) in zip(document.turns, document.times, strict=True)] == [
        ("Tom Reyes", "2024-03-11T18:02:00"),
        ("Anna Berg", "2024-03-12T09:15:00+01:00"),
    ]
    assert [section.name for section in document.sections] == ["Lease of the warehouse"]
    assert told(document) == [
        (
            "Tom Reyes",
            "Anna, the harbour site is off the table, because the insurer wants another 3,000 a month for the risk of "
            "floods.",
        ),
        ("Tom Reyes", "Shall we take Ferris Street?"),
        ("Anna Berg", "Hi Tom,"),
        (
            "Anna Berg",
            "the landlord of Ferris Street wants our signature by Friday, otherwise he rents the building to somebody "
            "else.",
        ),
        ("Anna Berg", RENT),
        ("Anna Berg", "I have asked finance to release the deposit of 34,500 euros today."),
    ]


@pytest.mark.parametrize(
    ("line", "sender"),
    [
        ("On Mon, Mar 11, 2024 at 6:02 PM Marta Gil <m@example.org> wrote:", "Marta Gil"),
        ("On 3/11/24 18:02, Sam Smith wrote:", "Sam Smith"),
        ("On 11/03/2024 18:02, Sam Smith wrote:", "Sam Smith"),
        ("Am Mo., 11. März 2024 um 18:02 Uhr schrieb Tom Reyes <t@example.org>:", "Tom Reyes"),
        ("Tom Reyes schrieb am 11.03.2024 um 18:02:", "Tom Reyes"),
        ("Le lun. 11 mars 2024 à 18:02, Maria de la Cruz <m@example.org> a écrit :", "Maria de la Cruz"),
        ("El lun, 11 mar 2024 a las 18:02, Tom Reyes (<t@example.org>) escribió:", "Tom Reyes"),
        ("Il giorno lun 11 mar 2024 alle ore 18:02 Tom Reyes <t@example.org> ha scritto:", "Tom Reyes"),
        ("Em seg., 11 de mar. de 2024 às 18:02, Tom Reyes <t@example.org> escreveu:", "Tom Reyes"),
        ("Op ma 11 mrt 2024 om 18:02 schreef Jan van Dijk <j@example.org>:", "Jan van Dijk"),
        ("11 марта 2024 г., в 18:02, Том Рейес <t@example.org> написал(а):", "Том Рейес"),
        ("пн, 11 мар. 2024 г. в 18:02, Tom Reyes <t@example.org>:", "Tom Reyes"),
    ],
)
def test_lines_above_quotations_in_eight_languages(line: str, sender: str) -> None:
    found = attribution(line, Surety.UNMARKED_IN_MAIL)
    assert found is not None
    assert (found.sender, found.time) == (sender, "2024-03-11T18:02:00")


@pytest.mark.parametrize("line", ["The committee wrote:", "Costs are as follows:", "See the table of 11 March 2024:"])
def test_other_lines_with_a_colon_quote_nothing(line: str) -> None:
    assert attribution(line, Surety.MARKED) is None


@pytest.mark.parametrize(
    "headers",
    [
        "From: Tom Reyes\nSent: Monday, March 11, 2024 6:02 PM\nTo: Anna Berg\nSubject: Lease",
        "Von: Tom Reyes <t@example.org>\nGesendet: Montag, 11. März 2024 18:02\nAn: Anna Berg\nBetreff: AW: Lease",
        "De : Tom Reyes\nEnvoyé : lundi 11 mars 2024 18:02\nÀ : Anna Berg\nObjet : RE: Lease",
        "De: Tom Reyes\nEnviado el: lunes, 11 de marzo de 2024 18:02\nPara: Anna Berg\nAsunto: RV: Lease",
        "Da: Tom Reyes\nInviato: lunedì 11 marzo 2024 18:02\nA: Anna Berg\nOggetto: R: Lease",
        "Van: Tom Reyes\nVerzonden: maandag 11 maart 2024 18:02\nAan: Anna Berg\nOnderwerp: Lease",
    ],
)
def test_pasted_mail_has_the_older_message_first(headers: str) -> None:
    document = read_text(f"{RENT}\n\nBest regards\nAnna\n\n________________________________\n{headers}\n\n{QUESTION}\n")
    assert told(document) == [("Tom Reyes", QUESTION), ("", RENT)]
    assert document.times[0][1] == "2024-03-11T18:02:00"
    assert document.sections[0].name == "Lease"


def test_a_message_without_a_time_has_none_and_a_date_alone_is_shown() -> None:
    document = read_text(f"{RENT}\n\nOn 11/03/2024, Tom Reyes wrote:\n> {QUESTION}\n")
    times = [document.time_of(sentence.start) for sentence in document.sentences]
    assert times == ["2024-03-11", None]
    assert document.time_in_words(times[0]) == "2024-03-11"


def test_answers_between_the_lines_stay_where_they_are() -> None:
    document = one(
        mail(f"On 11/03/2024 18:02, Tom Reyes wrote:\n> {QUESTION}\nWe do.\n> Who signs the contract?\nI do.\n")
    )
    assert told(document) == [
        ("Tom Reyes", QUESTION),
        ("Anna Berg", "We do."),
        ("Tom Reyes", "Who signs the contract?"),
        ("Anna Berg", "I do."),
    ]


def test_html_quotes_by_its_elements() -> None:
    body = (
        f"<html><body><p>Hi Tom,</p><p>{RENT}</p><div>On Mon, 11 Mar 2024 at 18:02, Tom Reyes &lt;t@example.org&gt; "
        f"wrote:</div><blockquote>{QUESTION}</blockquote></body></html>"
    )
    document = one(mail(body, "Content-Type: text/html"))
    assert told(document) == [("Tom Reyes", QUESTION), ("Anna Berg", "Hi Tom,"), ("Anna Berg", RENT)]


def test_files_of_text_are_read_and_others_are_named() -> None:
    parts = [
        f"Content-Type: text/plain\n\n{RENT}",
        "Content-Type: text/plain\nContent-Disposition: attachment; filename=key.txt\n\nThe key is at the gate.",
        "Content-Type: application/pdf\nContent-Disposition: attachment; filename=plan.pdf\n\nJVBERi0=",
    ]
    body = "".join(f"--b\n{part}\n" for part in parts) + "--b--\n"
    document = one(mail(body, 'Content-Type: multipart/mixed; boundary="b"'))
    assert told(document) == [("Anna Berg", RENT), ("", "The key is at the gate.")]
    assert [section.name for section in document.sections] == ["Lease", "key.txt"]
    assert ["plan.pdf" in notice for notice in document.notices] == [True]


def test_a_mailbox_is_a_document_for_each_thread_and_quotes_once() -> None:
    def entry(number: int, sender: str, subject: str, body: str, answers: str = "") -> str:
        reference = f"In-Reply-To: <{answers}>\n" if answers else ""
        return (
            f"From x\nFrom: {sender} <x@example.org>\nDate: Mon, {10 + number} Mar 2024 09:00:00 +0000\n"
            f"Subject: {subject}\nMessage-ID: <{number}>\n{reference}\n{body}\n\n"
        )

    quoting = f"{RENT}\n\nOn 11/03/2024 09:00, Tom wrote:\n> {QUESTION}"
    answer = entry(2, "Anna", "Re: Lease", quoting, "1")
    other = entry(3, "Ben", "Piano", "The ferry carried a piano.")
    box = answer + other + entry(1, "Tom", "Lease", QUESTION) + answer
    lease, piano = read_data(box.encode(), "box.mbox", "en")
    assert told(lease) == [("Tom", QUESTION), ("Anna", RENT)]
    assert told(piano) == [("Ben", "The ferry carried a piano.")]


def test_outlook_mail() -> None:
    sent = datetime(2024, 3, 12, 8, 15, tzinfo=UTC)
    data = msg_of(
        "RE: Lease",
        "Anna Berg",
        f"Hi Tom,\n\n{RENT}\n\nRegards\nAnna",
        sent=sent,
        attached=[("plan.pdf", "application/pdf", b"%PDF")],
    )
    document = one(data, "lease.msg")
    assert told(document) == [("Anna Berg", "Hi Tom,"), ("Anna Berg", RENT)]
    assert document.times[0][1] == "2024-03-12T08:15:00+00:00"
    assert ["plan.pdf" in notice for notice in document.notices] == [True]


def test_signatures_and_footers_are_left_out_and_a_postscript_stays() -> None:
    body = f"{RENT}\n\nBest regards\nAnna Berg\nHead of Logistics\n\nPS: The key is at the gate.\n\n-- \nExample GmbH\n"
    assert [said for _, said in told(one(mail(body)))] == [RENT, "PS: The key is at the gate."]


@pytest.mark.parametrize("depth", [1_000, 20_000])
def test_parts_that_are_nested_too_deeply_are_refused(depth: int) -> None:
    nested = "".join(f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n' for n in range(depth))
    with pytest.raises(InputError, match="nested"):
        one(b"From: a@example.org\nSubject: Lease\n" + nested.encode())


def test_damage_is_read_with_a_notice() -> None:
    document = one(mail("VGhlIGtleSBpcyBhdCB0aGUgZ2F0ZS4=!", "Content-Transfer-Encoding: base64"))
    assert told(document) == [("Anna Berg", "The key is at the gate.")]
    document = one(mail("The k\0ey is at the gate.", "Content-Type: text/plain; charset=klingon"))
    assert told(document) == [("Anna Berg", "The key is at the gate.")]
    assert document.notices


def test_an_encrypted_mail_is_refused() -> None:
    with pytest.raises(InputError, match="encrypted"):
        one(mail("--b\n\nx\n--b--", 'Content-Type: multipart/encrypted; boundary="b"'))
