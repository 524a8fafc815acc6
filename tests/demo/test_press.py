"""``referee run`` with the real sketch at the end of a pseudo-terminal, and with a terminal's space key."""

from __future__ import annotations

import os
import pty
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.buttonbox.box import Box, box_in, needs_compiler
from tests.buttonbox.box import until as eventually
from tests.demo.awaiting import until
from tests.demo.command import Demo
from tests.demo.frames import frames, taken_in
from tests.demo.table import Table

GREEN, AMBER, RED = (True, False, False), (False, True, False), (False, False, True)
BLUE, YELLOW = 1, 3
"""Of several buttons each is a player's, in playing order."""


class Played:
    """A game whose boards are shown, and whose turns somebody ends."""

    def __init__(self, table: Table, run: Demo) -> None:
        self.table, self.run, self.url = table, run, run.url

    def until(self, true: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        return until(self.run, self.url, true)

    def show(self, look: int) -> None:
        before = frames(self.url)
        self.table.show(look)
        taken_in(self.url, before)

    def phase(self, name: str) -> dict[str, Any]:
        return self.until(lambda state: state["phase"]["id"] == name)


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))
    found = Table(tmp_path)
    found.show(0)
    return found


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    with box_in(tmp_path) as found:
        yield found


def boxless(state: dict[str, Any]) -> bool:
    """Return whether the table is told that the box is away."""
    return any("button box" in notice["words"] for notice in state["notices"])


@needs_compiler
def test_the_button_ends_turns_and_the_lamp_shows_what_became_of_them(
    box: Box, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_BUTTON_BOX_PORT", box.url)
    with Demo.run(*table.options) as run:
        played = Played(table, run)
        assert boxless(played.phase("playing"))
        box.plug()
        played.until(lambda state: not boxless(state))
        eventually(lambda: box.lamps == GREEN)
        played.show(1)
        box.press(BLUE)
        eventually(lambda: box.buzzed == (1, 150))  # it is not Blue's turn
        assert played.phase("playing")["history"] == []
        box.press(YELLOW)
        played.phase("violation")
        eventually(lambda: box.lamps == RED)
        eventually(lambda: box.buzzed == (2, 600))
        box.unplug()  # the game does not mind, and the box shows the truth when it is back
        played.until(boxless)
        played.show(0)
        played.phase("playing")
        box.plug()
        eventually(lambda: box.lamps == GREEN)
        played.show(2)
        box.press(YELLOW)
        state = played.until(lambda state: state["turn"] == 2)
        assert [turn["verdict"] for turn in state["history"]] == ["illegal", "legal"]
        eventually(lambda: box.lamps == GREEN)


def test_the_space_key_of_the_terminal_is_a_button(table: Table) -> None:
    ours, theirs = pty.openpty()
    with Demo.run(*table.options, stdin=theirs) as run:
        os.close(theirs)
        played = Played(table, run)
        played.phase("playing")
        played.show(1)
        os.write(ours, b"x \n")  # keys that come at once
        state = played.phase("violation")
        assert [rule["rule"] for rule in state["violation"]["rules"]] == ["build.occupied"]
    os.close(ours)
