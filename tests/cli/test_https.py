"""``referee https`` names an address that phones reach."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.service.server import machine_address


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_the_address_for_phones_is_the_one_on_the_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setenv("REFEREE_PAGE_HOST", host)
    said = CliRunner().invoke(main, ["https", "--data", str(tmp_path)]).output
    assert f"http://{machine_address()}:8080/trust" in said
    assert ("--host 0.0.0.0" in said) is (host == "127.0.0.1")
