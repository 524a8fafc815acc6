"""Pictures of made-up towers with a known answer: a board with markers on a turntable, bars of two colours.

Faces are flat polygons, far ones first, with lines where bars meet: crude, but true to the geometry.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens, save_lens
from calibration.pose import Pose
from calibration.table import TableSetup, parse_table
from vision.geometry.view import View
from vision.tower.grid import CELLS, FLOOR, SIDE, other_half
from vision.tower.history import cells_of

BGR = tuple[int, int, int]
Face = tuple[Sequence[tuple[float, ...]], tuple[float, ...]]
"""Four corners, mm, and a colour."""
SIZE = (800, 640)
UNIT, PITCH, BASE = 20.0, 20.2, 1.0
SHADES = {0: 0.8, 1: 0.86, 2: 0.95, 3: 0.7, 5: 1.0}
"""How bright each side of a cell is: west, east, south, north, top; the light comes from the camera's left."""
TOWER = "UewewSEWN/DssSnnNEW/uewEWsEWn/d..sEWn.."


def table_json() -> dict[str, object]:
    middles = [(-95, 95), (0, 95), (95, 95), (95, 0), (95, -95), (0, -95), (-95, -95), (-95, 0)]
    corners = {
        str(number): [[x + dx * 14, y + dy * 14, 0.0] for dx, dy in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
        for number, (x, y) in enumerate(middles)
    }
    return {
        "game": "turris",
        "columns": 3,
        "rows": 3,
        "pitch": [PITCH, PITCH],
        "bar": [UNIT, UNIT, 2 * UNIT],
        "colours": {"light": "beech", "dark": "wenge"},
        "turntable": True,
        "board": [230, 230],
        "base": [64, 64, BASE],
        "mark": "south",
        "markers": {"dictionary": "DICT_4X4_50", "size": 28, "corners": corners},
        "charuco": {"squares": [8, 6], "square": 30, "marker": 22, "dictionary": "DICT_5X5_100"},
        "cameras": ["cam0"],
    }


@cache
def table() -> TableSetup:
    return parse_table(json.dumps(table_json()))


@cache
def lens() -> Lens:
    matrix = np.array([[1100.0, 0, 404.0], [0, 1100.0, 330.0], [0, 0, 1]])
    return Lens(SIZE, matrix, np.array([-0.1, 0.03, 0.0005, -0.0004, 0.0]), 0.1)


def pose(turned_deg: float, height_mm: float = 300, distance_mm: float = 600) -> Pose:
    """Return the pose against a board turned counter-clockwise, of a camera that stands still in the south."""
    angle = np.radians(-90 - turned_deg)
    centre = np.array([distance_mm * np.cos(angle), distance_mm * np.sin(angle), height_mm])
    ahead = np.array([0, 0, 50.0]) - centre
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, (0, 0, 1.0))
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(ahead, right), ahead])
    return Pose(rotation, -rotation @ centre, 8, 0.1)


@dataclass(frozen=True)
class Looks:
    """What a table looks like, BGR."""

    light: BGR = (130, 180, 205)
    dark: BGR = (45, 55, 75)
    board: BGR = (120, 140, 150)
    base: BGR = (70, 100, 60)
    room: BGR = (90, 100, 95)
    noise: float = 2.0
    bright: float = 1.0
    seam: float = 0.55
    arm: tuple[BGR, ...] = field(default=())


PLAIN = Looks()


def draw(tower: str, at: Pose, looks: Looks = PLAIN, seed: int = 0) -> NDArray[np.uint8]:
    """Picture a tower, given as a tower text whose cells all have letters."""
    picture = np.full((SIZE[1], SIZE[0], 3), looks.room, np.float32)
    faces: list[Face] = [
        ([(-115, -115, 0), (115, -115, 0), (115, 115, 0), (-115, 115, 0)], looks.board),
        ([(-32, -32, 0), (32, -32, 0), (32, 32, 0), (-32, 32, 0)], looks.base),
        *_markers(),
        *_faces(tower, at, looks),
    ]
    rings = np.array([corners for corners, _ in faces], np.float64)
    steps = np.linspace(0, 1, 6)[:-1, None]
    edges = rings[:, :, None] + (np.roll(rings, -1, axis=1) - rings)[:, :, None] * steps
    px = np.round(at.project(edges.reshape(-1, 3), lens()) * 16).astype(np.int32)
    for outline, (_, colour) in zip(px.reshape(len(faces), -1, 2), faces, strict=True):
        cv2.fillPoly(picture, [outline], colour, cv2.LINE_AA, 4)
    for colour in looks.arm:
        cv2.fillPoly(picture, [np.array([[0, 300], [430, 250], [430, 380], [0, 480]], np.int32)], colour)
    noisy = picture * looks.bright + _noise(seed) * looks.noise
    return np.asarray(np.clip(np.round(noisy), 0, 255), np.uint8)


@cache
def _noise(seed: int) -> NDArray[np.float64]:
    return np.random.default_rng(seed).normal(size=(SIZE[1], SIZE[0], 3))


@cache
def _markers() -> list[Face]:
    """Return each marker's white rim and its squares."""
    found: list[Face] = []
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for number, corners in table().markers.items():
        low, high = corners[3][:2] - 4, corners[1][:2] + 4
        rim = [(low[0], low[1], 0), (high[0], low[1], 0), (high[0], high[1], 0), (low[0], high[1], 0)]
        found.append((rim, (235, 235, 235)))
        bits = cv2.aruco.generateImageMarker(dictionary, number, 6)
        size = 28 / 6
        for row, column in np.ndindex(6, 6):
            x, y = corners[0][0] + column * size, corners[0][1] - row * size
            value = 25.0 if bits[row, column] == 0 else 235.0
            square = [(x, y, 0), (x + size, y, 0), (x + size, y - size, 0), (x, y - size, 0)]
            found.append((square, (value, value, value)))
    return found


def _faces(tower: str, at: Pose, looks: Looks) -> list[Face]:
    """Return all faces, far ones first: the rim in a darker tone, the inside without what joins its bar."""
    signs = cells_of(tower)
    found = []
    for cell in range(CELLS):
        sign = signs[cell]
        if sign == ".":
            continue
        level, place = divmod(cell, FLOOR)
        low = np.array([(place % SIDE - 1.5) * PITCH, (place // SIDE - 1.5) * PITCH, BASE + level * UNIT])
        high = low + np.array([PITCH, PITCH, UNIT])
        colour = np.array(looks.light if sign.isupper() else looks.dark, float)
        joined = "wesndu".index(sign.lower())
        assert other_half(cell, sign.lower()) is not None
        for face, shade in SHADES.items():
            axis = face // 2
            a, b = (k for k in range(3) if k != axis)
            outer, inner = [], []
            for i, j in ((0, 0), (1, 0), (1, 1), (0, 1)):
                p, q = np.empty(3), np.empty(3)
                for k, end in ((axis, face % 2), (a, i), (b, j)):
                    p[k] = (low, high)[end][k]
                    rim = 0.0 if k == axis or joined == 2 * k + end else 0.5
                    q[k] = p[k] + rim * (1 - 2 * end)
                outer.append(tuple(p))
                inner.append(tuple(q))
            normal = np.zeros(3)
            normal[axis] = 2 * (face % 2) - 1
            middle = np.mean(outer, axis=0)
            if normal @ (at.centre_mm - middle) <= 0:
                continue
            far = float(np.linalg.norm(at.centre_mm - middle))
            tones = (tuple(colour * shade * looks.seam), tuple(colour * shade))
            found.append((far, [(outer, tones[0]), (inner, tones[1])]))
    found.sort(key=lambda face: -face[0])
    return [part for _, parts in found for part in parts]


def views(tower: str, turns: tuple[float, ...] = (3, 92, 178, 275), looks: Looks = PLAIN) -> list[View]:
    """Return the tower from several sides, by one camera that stands still."""
    return [_view(tower, turned, looks, seed) for seed, turned in enumerate(turns)]


@cache
def _view(tower: str, turned_deg: float, looks: Looks, seed: int) -> View:
    at = pose(turned_deg)
    picture = draw(tower, at, looks, seed)
    picture.flags.writeable = False  # several tests look at it
    return View("cam0", picture, lens(), at)


def with_arm(view: View, tower: str, looks: Looks = PLAIN, arm: BGR = (120, 150, 200)) -> View:
    """Return the same view with an arm before the tower."""
    return replace(view, picture_bgr=draw(tower, view.pose, replace(looks, arm=(arm,)), 9))


def write_table(folder: Path) -> Path:
    """Write a table folder with a lens file."""
    (folder / "calibration").mkdir(parents=True)
    (folder / "table.json").write_text(json.dumps(table_json()))
    save_lens(folder / "calibration" / "cam0.json", lens())
    return folder
