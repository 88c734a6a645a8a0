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
import tomllib
from configparser import ConfigParser
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from nutgraf.cli.app import commands
from nutgraf.cli.serve import serve

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
WORKFLOWS = ROOT / ".github" / "workflows"
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


REVISION = re.compile(r"\w[\w-]*/[\w-]+@[0-9a-f]{40}")


def test_the_base_image_and_the_actions_are_pinned(dockerfile: list[tuple[str, str]]) -> None:
    arguments = dict(rest.split("=", 1) for first, rest in dockerfile if first == "ARG")
    bases = {rest.split()[0] for first, rest in dockerfile if first == "FROM"}
    assert bases == {"${PYTHON}"}
    assert re.fullmatch(r"python:\d+\.\d+\.\d+-[\w-]+@sha256:[0-9a-f]{64}", arguments["PYTHON"])
    uses = [
        line for path in WORKFLOWS.glob("*.yml") for line in path.read_text("utf-8").splitlines() if "uses:" in line
    ]
    assert uses
    assert [line for line in uses if not REVISION.search(line)] == []


def pins(lock: Path) -> dict[str, str]:
    """The version of each package of a lock file; each has hashes."""
    entries = re.split(r"^(?=[a-z])", lock.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    assert all("--hash=sha256:" in entry for entry in entries)
    return dict(entry.split()[0].split("==") for entry in entries)


@pytest.mark.parametrize("extras", ["serve", "serve,neural"])
def test_the_packages_of_the_image_are_pinned_within_the_ranges_of_the_project(
    extras: str, dockerfile: list[tuple[str, str]]
) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    given = project["dependencies"] + [
        line for name in extras.split(",") for line in project["optional-dependencies"][name]
    ]
    requirements = [Requirement(line) for line in given]
    locked = pins(DEPLOY / "locks" / f"{extras.replace(',', '-')}.lock")
    assert [str(one) for one in requirements if not one.specifier.contains(locked[canonicalize_name(one.name)])] == []
    assert "torch" not in locked or locked["torch"].endswith("+cpu")
    assert not any(name.startswith(("nvidia-", "cuda-", "triton")) for name in locked)
    assert "--require-hashes" in " ".join(rest for first, rest in dockerfile if first == "RUN")


def test_what_builds_the_image_is_pinned_within_the_ranges_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    locked = pins(DEPLOY / "locks" / "build.lock")
    for line in project["build-system"]["requires"]:
        assert Requirement(line).specifier.contains(locked[Requirement(line).name])


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_a_page_that_shows_the_networks_shows_their_cpu_build(page: str) -> None:
    """PyPI's PyTorch for Linux brings CUDA, which is of no use without a GPU."""
    text = (ROOT / page).read_text(encoding="utf-8")
    assert "pip install torch --index-url https://download.pytorch.org/whl/cpu" in text
    assert "uv pip install --torch-backend cpu" in text
    assert "7 GB" in text


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
