"""Requests generated from the OpenAPI description, valid and invalid: no server error, and every error has its shape.

Then bodies of odd shapes, up to 32 MiB: the service goes on answering and takes no memory (`shapes.py`).

python tests/service/generated.py --count 5000 --shapes 400 --seed 0 --report build/campaigns/service.json
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import GenerationMode

FEWEST = 50
"""Requests of one seed, of which some go to every operation."""


@dataclass
class Found:
    """Statuses of answers, what should not have happened, and how many seeds it took."""

    statuses: Counter[int] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    seeds: int = 0


def send_until(address: str, count: int, first: int = 0) -> Found:
    """Send at least `count` requests to a service, seed after seed, as a small operation runs out of examples."""
    found = Found()
    while (left := count - found.statuses.total()) > 0:
        before = found.statuses.total()
        send_generated(address, max(left, FEWEST), first + found.seeds, found)
        found.seeds += 1
        if found.statuses.total() == before:
            raise RuntimeError("no request can be generated any more")
    return found


def send_generated(address: str, count: int, seed_: int, found: Found) -> None:
    """Send at most `count` requests or so to a service, as many to each of its operations in each mode."""
    schema = schemathesis.openapi.from_url(f"{address}/openapi.json")
    operations = [result.ok() for result in schema.get_all_operations()]
    posts = [one for one in operations if one.method == "post"]
    plain = len(operations) - len(posts)
    each = max(1, (count - plain) // (2 * len(posts)))
    with requests.Session() as session:
        for operation in operations:
            for mode in GenerationMode.POSITIVE, GenerationMode.NEGATIVE:
                if operation in posts:
                    _send(operation, mode, address, each, seed_, found, session)
            if operation not in posts:
                _send(operation, GenerationMode.POSITIVE, address, 1, seed_, found, session)


def _send(operation: Any, mode: Any, address: str, count: int, seed_: int, found: Found, session: Any) -> None:
    checks = list(HealthCheck)

    @seed(seed_)
    @settings(max_examples=count, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=checks)
    @given(case=operation.as_strategy(generation_mode=mode))
    def each(case: Any) -> None:
        answer = case.call(base_url=address, session=session, timeout=120)
        found.statuses[answer.status_code] += 1
        found.wrong += [f"{operation.label} ({mode}): {one}" for one in problems(answer)]

    each()


def problems(answer: Any) -> list[str]:
    """Return what is wrong with an answer."""
    if answer.status_code >= 500:
        return [f"status {answer.status_code}: {answer.text[:300]}"]
    if answer.status_code < 400:
        return []
    try:
        error = json.loads(answer.text)["error"]
    except (ValueError, KeyError, TypeError):
        return [f"status {answer.status_code} in another shape: {answer.text[:300]}"]
    fits = set(error) == {"message", "type", "code", "param"} and error["message"].endswith(".")
    return [] if fits else [f"an error without a sentence: {error}"]


def main() -> int:
    """Start a service, send the requests, and print what was found."""
    from running import Running, Served
    from shapes import campaign

    from nutgraf.service.engine import Engine
    from nutgraf.service.limits import Limits

    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=5000)
    options.add_argument("--shapes", type=int, default=400)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--report", type=Path)
    chosen = options.parse_args()
    running = Running(Engine(workers=2, limits=Limits(seconds=20)))
    running.run(running.engine.ready())
    with Served(running) as served:
        found = send_until(served.address, chosen.count, chosen.seed)
    running.close()
    figures, faults = campaign(chosen.shapes, chosen.seed)
    found.wrong += faults
    content = {
        "requests": found.statuses.total(),
        "seeds": found.seeds,
        "statuses": dict(found.statuses),
        "wrong": found.wrong,
        "shapes": figures,
    }
    shown = {name: value for name, value in figures.items() if name != "by_body"}
    print(json.dumps({**content, "shapes": shown}, indent=2))
    if chosen.report:
        chosen.report.parent.mkdir(parents=True, exist_ok=True)
        chosen.report.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    return bool(found.wrong)


if __name__ == "__main__":
    raise SystemExit(main())
