"""Towers read with the one before: it lacks one bar that carried none, and what is counted is what was told."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.games.turris.tower import parse_tower
from tests.vision.tower.scene import TOWER, draw, pose, write_table
from training.randomtower import random_tower, tower_text
from training.towermeasure import Counts, bar_before, measure


@pytest.mark.parametrize("seed", range(12))
def test_the_tower_before_lacks_a_bar_that_carries_none(seed: int) -> None:
    rng = np.random.default_rng(seed)
    after = parse_tower(tower_text(random_tower(rng, 3 + 3 * seed)))
    before = parse_tower(bar_before(after.text, rng))
    (gone,) = set(after.bars) - set(before.bars)
    assert set(before.bars) < set(after.bars)
    assert not gone.place.above & after.filled


def test_a_base_alone_stays_as_it_is() -> None:
    assert bar_before("", np.random.default_rng(1)) == ""


@pytest.mark.long
def test_squares_and_whole_towers_are_counted(tmp_path: Path) -> None:
    folder = write_table(tmp_path / "table")
    (folder / "game1").mkdir()
    names = ["0.png", "1.png", "2.png", "3.png"]
    for number, (name, turned) in enumerate(zip(names, (3, 92, 178, 275), strict=True)):
        cv2.imwrite(str(folder / "game1" / name), draw(TOWER, pose(turned), seed=number))
    views = [{"files": {"cam0": name}, "cells_seen": {"cam0": ["a1.1", "b1.1", "c1.1"]}} for name in names]
    frame = {"kind": "still", "tower": TOWER, "turn": None, "views": views}
    truth = {"games": [{"name": "game1", "frames": [frame]}]}
    (folder / "truth.json").write_text(json.dumps(truth))
    counts = Counts()
    measure(folder, True, counts)
    assert (counts.towers, counts.whole, counts.squares, counts.right) == (1, 1, 3, 3)
    assert (counts.wrong, counts.invented) == (0, 0)
    other = TOWER.swapcase()  # light for dark
    frame["tower"] = other
    (folder / "truth.json").write_text(json.dumps(truth))
    spoilt = Counts()
    measure(folder, False, spoilt)
    assert (spoilt.whole, spoilt.right, spoilt.wrong) == (0, 0, 3)
