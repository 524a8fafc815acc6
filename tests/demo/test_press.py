"""``referee run`` with the real sketch at the end of a pseudo-terminal: its button ends turns, its lamp shows the rulings."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.box.box import Box, box_in, needs_compiler
from tests.box.box import until as eventually
from tests.demo.command import Demo
from tests.demo.test_run import Table, until
from tests.sources.folder import delivered

GREEN, AMBER, RED = (True, False, False), (False, True, False), (False, False, True)


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    with box_in(tmp_path) as found:
        yield found


@needs_compiler
def test_the_button_ends_turns_and_the_lamp_shows_what_became_of_them(
    box: Box, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))
    monkeypatch.setenv("REFEREE_BUTTON_BOX_PORT", box.url)
    table = Table(tmp_path)
    table.show(0)
    with Demo.run(*table.options) as run:
        url = run.url
        until(run, url, lambda state: state["phase"]["id"] == "playing" and any("button" in one for one in said(state)))
        box.plug()
        until(run, url, lambda state: not any("button" in one for one in said(state)))
        eventually(lambda: box.lamps == GREEN, 30)
        table.show(1)
