"""Every campaign of `make campaign` is described, its script knows its variables, and the weekly ones exist."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HOSTILE = ROOT / "tests" / "hostile"
_spec = importlib.util.spec_from_file_location("campaign", HOSTILE / "campaign.py")
assert _spec is not None
assert _spec.loader is not None
campaign = importlib.util.module_from_spec(_spec)
sys.modules["campaign"] = campaign
_spec.loader.exec_module(campaign)

CAMPAIGNS = campaign.CAMPAIGNS


def test_each_is_described_and_listed() -> None:
    readme = (HOSTILE / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `([\w-]+)` \|", readme, re.MULTILINE) == list(CAMPAIGNS)
    assert re.findall(r"^  ([\w-]+) ", campaign.listed(), re.MULTILINE) == list(CAMPAIGNS)


def test_the_weekly_ones_exist() -> None:
    workflow = (ROOT / ".github" / "workflows" / "campaigns.yml").read_text(encoding="utf-8")
    weekly = re.findall(r"campaign: \[(.*)\]", workflow)[0].split(", ")
    assert weekly
    assert set(weekly) <= set(CAMPAIGNS)


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_its_script_knows_its_variables(name: str) -> None:
    chosen = CAMPAIGNS[name]
    if not chosen.script:
        assert (ROOT / chosen.tests[0]).exists()
        return
    source = (ROOT / "tests" / chosen.script).read_text(encoding="utf-8")
    for variable in ["REPORT", *(each.partition("=")[0] for each in chosen.variables.split())]:
        assert f'"--{variable.lower()}"' in source


def test_variables_become_options() -> None:
    given = {"EVERY": "9", "SUBJECTS": "prepare resume", "MINUTES": "5", "SEED": ""}
    argv = CAMPAIGNS["kill"].command("kill", given)[2:]
    assert argv == [
        "--report",
        str(Path("build/campaigns/kill.json")),
        "--every",
        "9",
        "--subjects",
        "prepare",
        "resume",
    ]


def test_an_unknown_one_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert campaign.main(["fuz"]) == 2
    assert "fuz" in capsys.readouterr().err
