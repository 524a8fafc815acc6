"""The examples that were made with ``referee new-game`` hold, and are refereed from drawn pictures."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.addons.authoring.written import checked, imported, referee
from tests.installing import bring, install

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
RULES = {"isolation": 7, "summit": 9}
"""How many rules each has that a turn can break."""


@pytest.fixture(scope="module", params=RULES)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the package of an installed example lies."""
    name = str(request.param)
    return install(EXAMPLES / name, tmp_path_factory.mktemp("installed")) / name


@pytest.mark.long
@pytest.mark.parametrize("name", RULES)
def test_nothing_is_found_in_it(name: str) -> None:
    with imported(EXAMPLES / name, name) as subject:
        told = checked(subject)
    assert told.exit_code == 0, told.output
    assert f"broke {RULES[name]} rules" in told.output


@pytest.mark.process
@pytest.mark.long
@pytest.mark.skipif(not os.environ.get("ALL_SCRIPTS"), reason="takes a minute: make scripts plays it")
@pytest.mark.parametrize(
    ("script", "phone"),
    [("playthrough.txt", ("--phone",)), ("breaches.txt", ())],
    ids=["playthrough, one phone", "breaches, two cameras"],
)
def test_it_is_played_at_the_virtual_table(
    site: Path, script: str, phone: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    bring(site.parent, monkeypatch)
    played = referee("demo", "--script", str(site / script), "--fast", *phone)
    assert "The record is as the script implies" in played.stdout, played.stdout + played.stderr
