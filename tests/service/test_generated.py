"""No request, allowed or not, makes the service fail; `make campaign NAME=service` sends 5,000."""

from __future__ import annotations

import pytest
from running import Running, Served

pytest.importorskip("schemathesis")


def test_generated_requests_get_answers_of_the_right_shape(running: Running) -> None:
    from generated import send_until

    with Served(running) as served:
        found = send_until(served.address, 60)
    assert found.wrong == []
    assert found.statuses.total() >= 60
    assert {200, 422} <= set(found.statuses)
