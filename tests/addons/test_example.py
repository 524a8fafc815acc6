"""The add-on of docs/develop/adding-an-add-on.md, installed from the page itself, does what the page says."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.addons import GROUP
from referee.cli import main
from referee.daemon import ViewPublisher
from referee.service.settings import settings_model
from referee.values.installed import entries
from tests.auth.playing import Playing
from web.app import create_app

PAGE = Path(__file__).parents[2] / "docs" / "develop" / "adding-an-add-on.md"
FILE = re.compile(r"^```\w+\n(?:#|//) (referee_bell/\S+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def bell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install it as a distribution of its own."""
    site = tmp_path / "site"
    for name, text in FILE.findall(PAGE.read_text(encoding="utf-8")):
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text, encoding="utf-8")
    (site / "referee_bell" / "__init__.py").touch()
    info = site / "referee_bell-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: referee-bell\nVersion: 1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\nbell = referee_bell\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(site))
    known = set(sys.modules)
    forget()
    yield
    for name in [one for one in sys.modules if one not in known and one.startswith("referee_bell")]:
        del sys.modules[name]
    monkeypatch.undo()
    forget()


def forget() -> None:
    entries.cache_clear()
    settings_model.cache_clear()


def test_its_command_rings() -> None:
    assert CliRunner().invoke(main, ["bell"]).output == "Ding.\n"
    assert "Ring the bell." in CliRunner().invoke(main, ["--help"]).output


def test_its_setting_address_and_script_are_there(tmp_path: Path) -> None:
    assert settings_model()().model_dump()["bell"] == {"sound": "Ding."}
    with ExitStack() as parts:
        table = Playing(tmp_path, parts)
        assert table.ask("GET", "/api/bell") == (200, {"sound": "Ding."})
    assert "/addons/bell/addon.js" in create_app(ViewPublisher()).test_client().get("/").text
