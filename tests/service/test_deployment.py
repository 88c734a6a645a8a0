"""Files for deployment: they parse, agree with each other, and start nutgraf with command lines that it takes."""

from __future__ import annotations

import ast
import inspect
import json
import re
import shlex
import shutil
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from nutgraf.cli.app import commands
from nutgraf.cli.serve import serve

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
GRACE = inspect.signature(serve).parameters["grace"].default
UNITS = {"": 1, "Mi": 1, "Gi": 1024, "g": 1024, "G": 1024}


def options_of(line: list[str]) -> dict[str, Any]:
    """The values of a command line's options, read as nutgraf reads them."""
    program, name, *arguments = line
    assert PurePosixPath(program).name == "nutgraf"
    options: dict[str, Any] = commands()[name].make_context(name, arguments).params
    return options


def mebibytes(given: str) -> int:
    number, unit = re.fullmatch(r"(\d+)(\w*)", given).groups()  # type: ignore[union-attr]
    return int(number) * UNITS[unit]


@pytest.fixture(scope="module")
def dockerfile() -> list[tuple[str, str]]:
    """Instructions and their arguments."""
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines()]
    found = [(first, rest) for line in lines if line and line[0] != "#" for first, _, rest in [line.partition(" ")]]
    allowed = "FROM ARG WORKDIR COPY RUN ENV USER EXPOSE HEALTHCHECK ENTRYPOINT"
    assert {first for first, _ in found} == set(allowed.split())
    return found


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    """The only service of the compose file."""
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    ((_, service),) = found["services"].items()
    assert set(service["secrets"]) == set(found["secrets"])
    return service | {"files": {f"/run/secrets/{name}" for name in found["secrets"]}}


@pytest.fixture(scope="module")
def unit() -> ConfigParser:
    """The unit of systemd."""
    found = ConfigParser(interpolation=None, strict=False)
    found.optionxform = str  # type: ignore[assignment, method-assign]
    found.read_string((DEPLOY / "nutgraf.service").read_text(encoding="utf-8"))
    return found


def entry_of(dockerfile: list[tuple[str, str]]) -> list[str]:
    (entry,) = [json.loads(rest) for first, rest in dockerfile if first == "ENTRYPOINT"]
    assert isinstance(entry, list)
    return entry


def test_the_image_copies_what_there_is_and_asks_the_port_that_it_serves(dockerfile: list[tuple[str, str]]) -> None:
    copied = [rest.split()[:-1] for first, rest in dockerfile if first == "COPY" and "--from" not in rest]
    assert all((ROOT / name).exists() for names in copied for name in names)
    options = options_of(entry_of(dockerfile))
    assert ("EXPOSE", str(options["port"])) in dockerfile
    (health,) = [rest for first, rest in dockerfile if first == "HEALTHCHECK"]
    *_, code = json.loads(health[health.index("[") :])
    ast.parse(code)
    assert f"http://127.0.0.1:{options['port']}/ready" in code


def test_the_compose_file_starts_the_image_with_room_and_time(
    compose: dict[str, Any], dockerfile: list[tuple[str, str]]
) -> None:
    options = options_of([*entry_of(dockerfile), *compose["command"]])
    context = DEPLOY / compose["build"]["context"]
    assert (context / compose["build"]["dockerfile"]).samefile(DEPLOY / "Dockerfile")
    assert options["token_file"] in compose["files"]
    assert [port.rsplit(":", 1)[1] for port in compose["ports"]] == [str(options["port"])]
    assert mebibytes(compose["mem_limit"]) > options["workers"] * options["memory"]
    assert int(compose["stop_grace_period"].removesuffix("s")) > GRACE


def test_the_unit_starts_it_with_room_and_time(unit: ConfigParser) -> None:
    service = unit["Service"]
    options = options_of(shlex.split(service["ExecStart"]))
    assert options["token_file"] == f"%d/{service['LoadCredential'].partition(':')[0]}"
    assert mebibytes(service["MemoryMax"]) > options["workers"] * options["memory"]
    assert int(service["TimeoutStopSec"]) > GRACE


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is missing")
def test_systemd_finds_nothing_wrong_with_the_unit(unit: ConfigParser, tmp_path: Path) -> None:
    program = shlex.split(unit["Service"]["ExecStart"])[0]
    copy = tmp_path / "nutgraf.service"
    copy.write_text((DEPLOY / copy.name).read_text(encoding="utf-8").replace(program, sys.executable), encoding="utf-8")
    ran = subprocess.run(["systemd-analyze", "verify", str(copy)], capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_the_job_on_kubernetes_finds_its_files() -> None:
    (manifest,) = re.findall(r"```yaml\n(apiVersion.*?)```", (ROOT / "docs" / "cluster.md").read_text("utf-8"), re.S)
    job = yaml.safe_load(manifest)
    options = options_of(shlex.split(job["spec"]["entrypoint"]))
    cluster = job["spec"]["rayClusterSpec"]
    pods = [one["template"]["spec"] for one in (cluster["headGroupSpec"], *cluster["workerGroupSpecs"])]
    for pod in pods:
        (container,) = pod["containers"]
        ((mount,), (volume,)) = container["volumeMounts"], pod["volumes"]
        assert mount["name"] == volume["name"]
        assert all(
            PurePosixPath(one).is_relative_to(mount["mountPath"]) for one in (*options["sources"], options["out"])
        )
    workers = [pod["containers"][0]["resources"] for pod in pods[1:]]
    assert all(mebibytes(one["limits"]["memory"]) > int(one["requests"]["cpu"]) * options["memory"] for one in workers)
    assert len({pod["containers"][0]["image"] for pod in pods}) == 1
