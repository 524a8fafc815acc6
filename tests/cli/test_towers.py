"""Towers audited from the command line: what the pictures leave open is unsure, never an error or an accusation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from referee.cli.auditing import Auditor
from referee.games import game_named
from referee.kinds.tower.observation import SIDES
from referee.session.capture import Pictures
from vision.reading import CameraView
from vision.tower.belief import TowerBelief
from vision.tower.palette import Palette
from vision.tower.reader import TowerLook
from vision.tower.reading import TowerReading
from vision.tower.text import CELLS

START = {
    "game": "turris",
    "edition": "fr",
    "seats": {"south": "light", "north": "dark"},
    "first": "light",
    "to_move": "light",
}


class Told:
    """Stands where a table's reader stands: it tells a belief, whatever the pictures."""

    table: Any = None

    def __init__(self, chance: float, cells: Sequence[int]) -> None:
        filled = np.zeros(CELLS)
        filled[list(cells)] = 1.0
        colours = np.zeros((CELLS, 2))
        colours[list(cells), 0] = chance
        colours[list(cells), 1] = 1 - chance
        self.belief = TowerBelief(filled, colours, np.zeros((CELLS, 3)), filled > 0)

    def read(self, views: Sequence[Pictures], previous: str | None = None) -> TowerLook:
        palette = Palette(np.zeros((2, 3)), np.zeros((1, 5)), np.ones(3), True)
        reading = TowerReading("", {}, None, self.belief, palette, (), (), SIDES)
        return TowerLook(reading, ({"cam0": CameraView(8, 0.1)},) * len(views), 0.0, "south")


def audited(monkeypatch: pytest.MonkeyPatch, told: Told) -> dict[str, Any]:
    monkeypatch.setattr("referee.kinds.tower.requests.views", lambda *_: ({},))
    reader: Any = told
    return Auditor(game_named("turris"), reader).answer({"views": [], "position": START}, Path())


def test_what_is_told_plainly_is_ruled_on(monkeypatch: pytest.MonkeyPatch) -> None:
    assert audited(monkeypatch, Told(0.9999, [0, 1]))["ruling"] == "legal"
    assert audited(monkeypatch, Told(0.0001, [0, 1]))["ruling"] == "illegal"


def test_what_is_not_told_well_enough_accuses_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    found = audited(monkeypatch, Told(0.005, [0, 1]))
    assert found["ruling"] == "unsure"
    assert found["doubts"] == ["a1.1", "b1.1"]


def test_a_picture_that_leaves_too_much_open_is_unsure(monkeypatch: pytest.MonkeyPatch) -> None:
    found = audited(monkeypatch, Told(0.9999, range(54)))
    assert found["ruling"] == "unsure"
    assert found["legal"] is None
    assert len(found["doubts"]) == 8
    assert "too many cells" in str(found["reason"])


def test_cells_no_bars_fit_are_unsure(monkeypatch: pytest.MonkeyPatch) -> None:
    assert audited(monkeypatch, Told(0.9999, [0]))["doubts"] == ["a1.1"]
