"""A board without a printed frame on planks, drawn as a phone photographs it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens, plain_lens
from calibration.table import TableSetup, parse_table
from referee.cli import tablekind
from referee.games import package_named
from referee.virtual import lenses
from referee.virtual.drawing import eye
from referee.virtual.drawing.eye import DrawnCamera
from referee.virtual.folder import sizes_of
from referee.virtual.lenses import PHONE, pose_of
from referee.virtual.scene import TableScene
from tests.calibration.exif import noted
from tests.web.filmed import noisy
from tests.web.inhand import GAME

FOCAL_35 = 29
ELEVATION_DEG = 50.0
SIDES_DEG = (-100.0, -10.0, 80.0, 170.0)
LENS = plain_lens(1060.0, lenses.SIZE)
"""A phone's own camera straightens its pictures."""
LARGE = (2560, 1920)
_CORNERS = {"nw": (-1, 1), "ne": (1, 1), "se": (1, -1), "sw": (-1, -1)}
Image = NDArray[np.uint8]


def bare_data(game: str = GAME) -> dict[str, object]:
    """Return the contents of ``table.json``, by the box that virtual tables of a game are laid with."""
    package = package_named(game)
    framed = sizes_of(package, (PHONE,))
    assert framed is not None
    preset = next(one for one in package.presets if package.virtual in ("", one.name))
    data = tablekind.bare_data(package.game.kit, preset, framed)
    assert data is not None
    return data | {"held": [PHONE]}


def write_bare(folder: Path, lying: str, sides_deg: Sequence[float] = SIDES_DEG) -> TableSetup:
    """Write a table whose corners were touched in pictures of the set-up from all sides, or from some."""
    (folder / "calibration").mkdir(parents=True)
    (folder / "table.json").write_text(json.dumps(bare_data()), encoding="utf-8")
    walk, touches = BareWalk(), []
    for number, side in enumerate(sides_deg):
        name = f"calibration/board{number}.jpg"
        (folder / name).write_bytes(walk.photograph(lying, side))
        touches.append({"picture": name, "corners": walk.corners(side)})
    (folder / "calibration" / "board.json").write_text(json.dumps({"touches": touches}), encoding="utf-8")
    return walk.table


class BareWalk:
    """Photographs of a bare board from all sides."""

    def __init__(self, table: TableSetup | None = None, game: str = GAME) -> None:
        """table: where it is not the one that is drawn usually for a game."""
        self.table = table or parse_table(json.dumps(bare_data(game)))
        self._kit = package_named(game).game.kit
        self._eyes: dict[tuple[float, float], DrawnCamera] = {}

    def picture(self, lying: str, side_deg: float, elevation_deg: float = ELEVATION_DEG) -> Image:
        """Return what a phone shows from a side, (960, 1280, 3)."""
        place = side_deg, elevation_deg
        if place not in self._eyes:
            self._eyes[place] = DrawnCamera(PHONE, self.table, self._kit)
        return np.asarray(self._eyes[place].picture(TableScene(lying, held={PHONE: place})).copy(), np.uint8)

    def photograph(self, lying: str, side_deg: float, number: int = 0) -> bytes:
        """Return the file that a phone writes."""
        return photograph(self.picture(lying, side_deg), number)

    def corners(self, side_deg: float, off_px: float = 0.0) -> Mapping[str, list[float]]:
        """Return where a finger touches the corners in a photograph, each so far off into another direction."""
        pose = pose_of(PHONE, self.table, self._kit, held=(side_deg, ELEVATION_DEG))
        half = np.array(self.table.around_mm[2, :2])
        share, found = LARGE[0] / lenses.SIZE[0], {}
        for turn, (name, sign) in enumerate(_CORNERS.items()):
            aside = off_px * np.array([np.cos(1 + 2.5 * turn), np.sin(1 + 2.5 * turn)])
            found[name] = list(pose.project(np.array([*(half * sign), 0.0]), LENS) * share + aside)
        return found


def photograph(picture: Image, number: int = 0) -> bytes:
    """Return a picture as the file that a phone writes."""
    large = np.asarray(cv2.resize(picture, LARGE, interpolation=cv2.INTER_CUBIC), np.uint8)
    return noted(noisy(large, number), focal_35=FOCAL_35, model="Phone 9")


def straightened(camera: str) -> Lens:
    """Return the lens of a virtual camera that straightens its pictures."""
    return LENS


def straighten(patch: object) -> None:
    """Let virtual cameras draw without distortion. patch: pytest's monkeypatch."""
    for module in (lenses, eye):
        patch.setattr(module, "lens_of", straightened)  # type: ignore[attr-defined]
