"""The example that was made with ``referee new-game`` holds, and is refereed from drawn pictures."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.addons.authoring.written import referee
from tests.installing import bring, install

pytestmark = [pytest.mark.process, pytest.mark.long]

EXAMPLE = Path(__file__).parents[3] / "docs" / "examples" / "isolation"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(EXAMPLE, tmp_path_factory.mktemp("installed"))


def test_nothing_is_found_in_it(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bring(site, monkeypatch)
    checked = referee("check-game", "isolation", "--no-cameras")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "broke 7 rules" in checked.stdout


@pytest.mark.parametrize("phone", [(), ("--phone",)], ids=["two cameras", "one phone"])
@pytest.mark.parametrize("script", ["playthrough.txt", "breaches.txt"])
def test_it_is_played_at_the_virtual_table(
    site: Path, script: str, phone: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    bring(site, monkeypatch)
    played = referee("demo", "--script", str(site / "isolation" / script), "--fast", *phone)
    assert "The record is as the script implies" in played.stdout, played.stdout + played.stderr
