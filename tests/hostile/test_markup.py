"""No injected markup becomes markup of a report. `make campaign NAME=xss` opens all of them in a browser."""

from __future__ import annotations

from concurrent.futures import Future
from importlib.util import find_spec
from pathlib import Path

import pytest
from injections import (
    ALL_PLACES,
    PLACES,
    Harmless,
    Marker,
    Shape,
    faults_of,
    nothing_escaped,
    page_of_files,
    page_of_records,
    pages_of_study,
    payloads,
    place_of,
    shapes_of,
)

ALL = payloads()


@pytest.fixture(scope="module")
def shapes(tmp_path_factory: pytest.TempPathFactory) -> set[Shape]:
    """What reports are made of when nobody means harm."""
    return shapes_of(page_of_records(Harmless())) | shapes_of(
        page_of_files(Harmless(), tmp_path_factory.mktemp("good"))
    )


@pytest.mark.parametrize("first", range(5))
def test_a_payload_in_a_record_stays_text(first: int, shapes: set[Shape]) -> None:
    for index in range(first, len(ALL), 70):
        page = page_of_records(Marker(ALL[index], index))
        assert faults_of(page, shapes) == [], ALL[index].text


@pytest.mark.parametrize("first", range(2))
def test_a_payload_on_a_sheet_stays_text(first: int) -> None:
    shapes = set().union(*map(shapes_of, pages_of_study(Harmless())))
    for index in range(first, len(ALL), 40):
        for page in pages_of_study(Marker(ALL[index], index)):
            assert faults_of(page, shapes) == [], ALL[index].text


@pytest.mark.parametrize("index", range(3, len(ALL), 79))
def test_a_payload_in_a_file_stays_text(index: int, shapes: set[Shape], tmp_path: Path) -> None:
    page = page_of_files(Marker(ALL[index], index), tmp_path)
    assert faults_of(page, shapes) == [], ALL[index].text


@pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")
def test_a_payload_in_a_trained_folder_stays_text(pages: Future[dict[str, Path]], shapes: set[Shape]) -> None:
    found = {name: path.read_text(encoding="utf-8", errors="surrogatepass") for name, path in pages.result().items()}
    usual = shapes | shapes_of(found.pop("harmless"))
    assert len(found) >= 4
    for number, page in found.items():
        assert faults_of(page, usual) == [], ALL[int(number)].text


def test_a_report_that_escapes_nothing_has_faults(shapes: set[Shape]) -> None:
    """Otherwise the tests above would prove nothing."""
    with nothing_escaped():
        harmed = [index for index in range(0, 200, 20) if faults_of(page_of_records(Marker(ALL[index], index)), shapes)]
    assert len(harmed) == 10


def test_there_are_as_many_payloads_as_the_documents_say() -> None:
    assert len({payload.text for payload in ALL}) >= 350
    assert all(payload.numbered(1) != payload.numbered(2) for payload in ALL)


def test_a_number_names_a_payload_and_its_place() -> None:
    assert len(set(ALL_PLACES)) == len(ALL_PLACES) <= PLACES
    assert place_of(7 * PLACES + 2) == (7, ALL_PLACES[2])
    assert Marker(ALL[0], 7)(ALL_PLACES[2]) == f"<script>top.ran({7 * PLACES + 2})</script>"
