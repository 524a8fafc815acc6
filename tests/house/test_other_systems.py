"""The referee's core starts, and a game is refereed, where nothing is that Windows lacks.

It can't be run on Windows or macOS here: what our own modules ask the system for is taken away instead
(``tests.house.lacking``).
"""

from __future__ import annotations

import json
import sys
import urllib.request
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import main
from tests.demo.command import Demo

EACH = """
from tests.house.lacking import pretend
pretend()
import importlib, pkgutil
for name in ("referee", "vision", "calibration", "web"):
    for module in pkgutil.walk_packages(importlib.import_module(name).__path__, name + "."):
        if not module.name.endswith(("__main__", ".lenttable")):
            try:
                importlib.import_module(module.name)
            except ModuleNotFoundError as error:
                assert error.name in ("pyarrow", "distributed", "openskill"), (module.name, error)
from referee.cli import first_page
first_page()
"""
"""Loads all but a lent table, which sets limits of Linux, in a process of its own."""


class Elsewhere(Demo):
    """A referee that lacks them."""

    command = (sys.executable, "-u", "-m", "tests.house.lacking")


class AllElsewhere(Demo):
    """A referee that lacks them and has loaded each of its modules."""

    command = (sys.executable, "-u", "-c", EACH)


def test_the_first_page_is_served_and_every_module_loaded_without_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))
    with AllElsewhere.run("--host", "127.0.0.1") as run, urllib.request.urlopen(run.url) as answer:
        assert b"Torres" in answer.read()


def test_a_table_with_a_phone_is_served_without_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))
    table = tmp_path / "mytable"
    assert CliRunner().invoke(main, ["new", str(table), "--preset", "one-phone"]).exit_code == 0
    with Elsewhere.run(str(table), "--host", "127.0.0.1") as run:
        with urllib.request.urlopen(f"{run.url}api/state") as answer:
            assert json.load(answer)["phase"]["id"] == "set-up"
        run.process.terminate()
        assert run.wait() == 0
