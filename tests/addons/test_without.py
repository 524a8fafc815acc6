"""The core goes on without its add-ons: with none at all, and with each of them taken away."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.addons import GROUP, addon_names
from referee.cli import main
from referee.service.settings import settings_model
from referee.values import installed
from tests.auth.playing import Playing

SERVING = ("referee.kinds.grid.rehearsal", "referee.kinds.grid.tasks")
"""Modules of a kind that serve an add-on: nobody else loads them."""
ALONE = """
import importlib, pkgutil, sys
from importlib.abc import MetaPathFinder

class Absent(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.startswith("referee.addons."):
            raise ModuleNotFoundError(f"{name} was taken away", name=name)

sys.meta_path.insert(0, Absent())
import calibration, referee, vision, web

for package in (calibration, referee, vision, web):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.", onerror=lambda name: None):
        if not module.name.startswith("referee.addons.") and module.name not in sys.argv[1:]:
            importlib.import_module(module.name)
"""


@pytest.fixture(params=addon_names())
def taken_away(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[EntryPoint]:
    gone = installed.entries(GROUP)[request.param]

    def left(group: str) -> EntryPoints:
        return EntryPoints(one for one in entry_points(group=group) if one != gone)

    monkeypatch.setattr(installed, "entry_points", left)
    forget()
    yield gone
    monkeypatch.undo()
    forget()


def forget() -> None:
    installed.entries.cache_clear()
    settings_model.cache_clear()


def test_the_core_goes_on_without_each(taken_away: EntryPoint, tmp_path: Path) -> None:
    assert taken_away.name not in addon_names()
    answer = CliRunner().invoke(main, ["--help"])
    assert (answer.exit_code, " run " in answer.output) == (0, True)
    with ExitStack() as parts:
        assert Playing(tmp_path, parts).state()["phase"]


@pytest.mark.process
@pytest.mark.long
def test_every_module_of_the_core_can_be_loaded_where_there_is_no_add_on() -> None:
    done = subprocess.run([sys.executable, "-c", ALONE, *SERVING], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
