"""Pose, hands and stones on the bundled pictures of two tables (tests/data/tables/README.md)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.lenses import read_picture
from calibration.pose import find_pose
from calibration.table import load_table
from referee.games.terra_turrium.colours import parse_board
from vision.geometry.view import View
from vision.markers.tracks import read_stones
from vision.obstruction.obstruction import find_foreign
from vision.reader import TableReader

ROOT = Path(__file__).parents[1] / "data" / "tables"
LOOKS = [
    pytest.param(name, look, id=f"{name}-{number}")
    for name in ("kitchen", "club")
    for number, look in enumerate(json.loads((ROOT / name / "truth.json").read_text(encoding="utf-8")))
]


def views(name: str, look: dict[str, Any]) -> list[View]:
    reader = TableReader.open(ROOT / name)
    out = []
    for camera, path in look["images"].items():
        picture = read_picture(ROOT / name / path)
        assert picture is not None
        lens = reader.lens(camera)
        out.append(View(camera, picture, lens, find_pose(picture, lens, reader.table, camera)))
    return out


@pytest.mark.parametrize(("name", "look"), LOOKS)
def test_poses_are_true(name: str, look: dict[str, Any]) -> None:
    for view in views(name, look):
        true = look["cameras"][view.camera]
        turn = np.trace(np.array(true["rotation"]).T @ view.pose.rotation)
        assert np.degrees(np.arccos(np.clip((turn - 1) / 2, -1, 1))) < 0.15
        assert np.linalg.norm(np.array(true["translation"]) - view.pose.translation_mm) < 1.0
        assert view.pose.reprojection_px < 0.5


@pytest.mark.parametrize(("name", "look"), LOOKS)
def test_hands_are_seen_and_nothing_else(name: str, look: dict[str, Any]) -> None:
    board = parse_board(look["board"])
    found = find_foreign(views(name, look), load_table(ROOT / name), board.heights, board.flags > 0)
    assert found.clear == (look["kind"] == "still")


@pytest.mark.parametrize(("name", "look"), LOOKS)
def test_no_stone_is_told_wrong(name: str, look: dict[str, Any]) -> None:
    if look["kind"] != "still":
        return
    board = parse_board(look["board"])
    colours = {track: word for track, word in look["seats"].items() if word}
    said = read_stones(views(name, look), load_table(ROOT / name), board.heights, board.flags > 0, colours)
    attacks = {track: look["attacks"][word] for track, word in look["seats"].items()}
    true = {track: 0 if made == 5 else made + 1 for track, made in attacks.items()}
    assert all(said[track] in (true[track], None) for track in true)
    assert sum(said[track] == true[track] for track in true) >= 3
