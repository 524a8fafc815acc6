"""Pictures of a made-up table with a known answer: paper frame, board, margin tracks, stacks, flags, stones, an arm.

Drawn with flat polygons, far things first: crude, but true to the geometry, and of any colour a test asks for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens, project, save_lens
from calibration.pose import Pose
from calibration.table import TableSetup, parse_table
from tests.calibration.exif import noted
from vision.geometry.view import View

BGR = tuple[int, int, int]
SIZE = (960, 720)
PAINT: Mapping[str, BGR] = {
    "red": (60, 60, 190),
    "yellow": (60, 190, 220),
    "green": (70, 130, 50),
    "blue": (170, 80, 50),
    "white": (236, 240, 242),
    "black": (38, 38, 40),
}
SEATS = {"nw": "red", "ne": "yellow", "se": "green", "sw": "blue"}


def table_json() -> dict[str, object]:
    """Return a small table: 6 x 6 fields of 30 mm, a frame of eight markers, tracks of five places."""
    middles = [(-170, 170), (0, 170), (170, 170), (170, 0), (170, -170), (0, -170), (-170, -170), (-170, 0)]
    corners = {
        str(number): [[x + dx * 16, y + dy * 16, -2.0] for dx, dy in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
        for number, (x, y) in enumerate(middles)
    }
    tracks = {
        "nw": [[-12 - 24 * k, 112] for k in range(5)],
        "ne": [[12 + 24 * k, 112] for k in range(5)],
        "se": [[12 + 24 * k, -112] for k in range(5)],
        "sw": [[-12 - 24 * k, -112] for k in range(5)],
    }
    return {
        "game": "terra-turrium",
        "columns": 6,
        "rows": 6,
        "pitch": [30, 30],
        "cube": [26, 26, 20],
        "flag": {"style": "pawn", "height": 24, "radius": 6},
        "markers": {"dictionary": "DICT_4X4_50", "size": 32, "corners": corners},
        "charuco": {"squares": [8, 6], "square": 30, "marker": 22, "dictionary": "DICT_5X5_100"},
        "margin_fields": tracks,
        "cameras": ["left", "right"],
    }


@cache
def table() -> TableSetup:
    return parse_table(json.dumps(table_json()))


@cache
def lens(distorted: bool = True) -> Lens:
    terms = np.array([-0.12, 0.04, 0.0005, -0.0004, 0.0]) if distorted else np.zeros(5)
    matrix = np.array([[1150.0, 0, 484.0], [0, 1150.0, 352.0], [0, 0, 1]])
    return Lens(SIZE, matrix, terms, 0.1)


def pose(azimuth_deg: float = -85, height_mm: float = 700, distance_mm: float = 380) -> Pose:
    """Return a camera at the given direction round the table, looking at the board's middle."""
    angle = np.radians(azimuth_deg)
    centre = np.array([distance_mm * np.cos(angle), distance_mm * np.sin(angle), height_mm])
    ahead = -centre / np.linalg.norm(centre)
    right = np.cross(ahead, (0, 0, 1.0))
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(ahead, right), ahead])
    return Pose(rotation, -rotation @ centre, 8, 0.1)


@dataclass(frozen=True)
class Scene:
    """What stands on the table. heights, flags: by (row, col). stones: track to place (0: off the track).

    ring: where places of a score track are printed. discs: what lies on them, (x, y) to a colour. bare: without the
    frame, on planks, for the cloth is their colour. rim: the board's, where it is not that of the four players.
    """

    heights: Mapping[tuple[int, int], int] = field(default_factory=dict)
    flags: Mapping[tuple[int, int], str] = field(default_factory=dict)
    stones: Mapping[str, int] = field(default_factory=dict)
    ring: Sequence[tuple[float, float]] = ()
    discs: Mapping[tuple[float, float], str] = field(default_factory=dict)
    print_bgr: BGR = (165, 168, 168)
    paper: BGR = (225, 228, 230)
    cloth: BGR = (60, 75, 95)
    arm: BGR | None = None
    arm_from_mm: tuple[float, float] = (90.0, -420.0)
    arm_to_mm: tuple[float, float] = (30.0, -20.0)
    cup_mm: tuple[float, float] | None = None
    shadow_mm: tuple[float, float] | None = None
    bare: bool = False
    rim: BGR | None = None
    gain: float = 1.0
    noise: float = 3.0
    blur: float = 0.6

    def with_(self, **changes: Any) -> Scene:
        return replace(self, **changes)


class _Painter:
    def __init__(self, scene: Scene, at: Pose, through: Lens) -> None:
        self.at, self.through = at, through
        self.picture = np.full((SIZE[1], SIZE[0], 3), scene.cloth, np.uint8)

    def flat(self, corners_mm: object, z: float, colour: BGR) -> None:
        corners = np.asarray(corners_mm, float)
        dense = np.concatenate([np.linspace(a, b, 12) for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)])
        self.solid(np.column_stack([dense, np.full(len(dense), z)]), colour, hull=False)

    def solid(self, points_mm: NDArray[np.float64], colour: BGR, hull: bool = True) -> None:
        places = project(points_mm, self.at.rotation, self.at.translation_mm, self.through)
        outline = np.round(places * 16).astype(np.int32)
        if hull:
            outline = cv2.convexHull(outline)
        cv2.fillPoly(self.picture, [outline], colour, cv2.LINE_AA, shift=4)

    def box(self, x: float, y: float, half: float, low: float, high: float, colour: BGR) -> None:
        dark = (int(colour[0] * 0.6), int(colour[1] * 0.6), int(colour[2] * 0.6))
        floor = np.array([[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]])
        ends = [np.column_stack([floor, np.full(4, z)]) for z in (low, high)]
        self.solid(np.concatenate(ends), dark)
        self.flat(floor, high, colour)

    def tube(self, x: float, y: float, radius: float, low: float, high: float, colour: BGR) -> None:
        around = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        ring = np.column_stack([x + radius * np.cos(around), y + radius * np.sin(around)])
        self.solid(np.concatenate([np.column_stack([ring, np.full(24, z)]) for z in (low, high)]), colour)

    def sheet(self, points_mm: NDArray[np.float64], image: NDArray[np.uint8]) -> None:
        places = project(points_mm, self.at.rotation, self.at.translation_mm, self.through).astype(np.float32)
        side = image.shape[0] - 0.5
        square = np.array([[-0.5, -0.5], [side, -0.5], [side, side], [-0.5, side]], np.float32)
        low = np.clip(np.floor(places.min(axis=0)) - 2, 0, SIZE).astype(int)
        high = np.clip(np.ceil(places.max(axis=0)) + 3, 0, SIZE).astype(int)
        if (high <= low).any():
            return
        part = self.picture[low[1] : high[1], low[0] : high[0]]
        warp, size = cv2.getPerspectiveTransform(square, places - low.astype(np.float32)), part.shape[1::-1]
        drawn = cv2.warpPerspective(image, warp, size, flags=cv2.INTER_AREA, borderValue=0)
        where = cv2.warpPerspective(np.full(image.shape[:2], 255, np.uint8), warp, size, flags=cv2.INTER_AREA)
        part[where > 127] = drawn[where > 127]


def _square(half: float) -> list[list[float]]:
    return [[-half, -half], [half, -half], [half, half], [-half, half]]


def draw(scene: Scene, at: Pose, through: Lens | None = None, seed: int = 0) -> NDArray[np.uint8]:
    """Draw the picture, (720, 960, 3) uint8 BGR, with its light, noise and blur."""
    known, through = table(), through or lens()
    paint = _Painter(scene, at, through)
    if scene.bare:
        _draw_planks(paint, scene)
    else:
        paint.flat(_square(195), -2, scene.paper)
    if scene.shadow_mm is not None:
        around = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        ring = np.column_stack([scene.shadow_mm[0] + 45 * np.cos(around), scene.shadow_mm[1] + 30 * np.sin(around)])
        before = paint.picture.copy()
        paint.flat(ring, -2, (0, 0, 0))
        shade = (paint.picture != before).any(axis=2)
        paint.picture = np.where(shade[..., None], (before * 0.6).astype(np.uint8), before)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    ink = np.array(scene.paper) / 255
    for number, corners in known.markers.items() if not scene.bare else ():
        image = np.asarray(cv2.aruco.generateImageMarker(dictionary, number, 96), np.uint8)
        paint.sheet(corners, np.clip(np.maximum(image[..., None], 25) * ink, 0, 255).astype(np.uint8))
    _draw_board(paint, scene, known)
    _draw_pieces(paint, scene, known, at)
    if scene.cup_mm is not None:
        paint.tube(*scene.cup_mm, 40, -2, 90, (200, 205, 208))
    if scene.arm is not None:
        _draw_arm(paint, scene)
    light = cv2.GaussianBlur(paint.picture, (0, 0), scene.blur).astype(np.float32) * np.float32(scene.gain)
    light += _noise(seed) * np.float32(scene.noise)
    return np.clip(light, 0, 255, out=light).astype(np.uint8)


@cache
def _noise(seed: int) -> NDArray[np.float32]:
    return np.random.default_rng(seed).standard_normal((SIZE[1], SIZE[0], 3)).astype(np.float32)


def _draw_planks(paint: _Painter, scene: Scene) -> None:
    """Draw planks of changing tones under a board that is 3 mm thick and throws no shadow."""
    tones = np.random.default_rng(1).uniform(0.75, 1.25, 24)
    for number, tone in enumerate(tones):
        low = -600 + 50 * number
        plank = [[-600, low], [600, low], [600, low + 48], [-600, low + 48]]
        blue, green, red = (int(part * tone) for part in scene.cloth)
        paint.flat(plank, -3, (blue, green, red))
    paint.solid(np.concatenate([np.column_stack([_square(130), np.full(4, z)]) for z in (-3, 0)]), (40, 60, 80))


def _draw_board(paint: _Painter, scene: Scene, known: TableSetup) -> None:
    for (sx, sy), seat in zip(((-1, 1), (1, 1), (1, -1), (-1, -1)), SEATS, strict=True):
        quarter = [[0, 0], [130 * sx, 0], [130 * sx, 130 * sy], [0, 130 * sy]]
        paint.flat(quarter, 0, scene.rim or PAINT[SEATS[seat]])
    paint.flat(_square(92), 0, (150, 165, 175))
    for places in known.margin_fields.values():
        for number, (x, y) in enumerate(places, 1):
            paint.flat(np.add(_square(10), (x, y)), 0, scene.paper)
            if scene.bare:  # strokes along the track, one for each step
                for low in range(-7, -7 + 3 * number, 3):
                    paint.flat(np.add([[-8, low], [-8, low + 2], [4, low + 2], [4, low]], (x, y)), 0, (60, 60, 60))
                continue
            paint.flat(np.add(_square(1.5), (x, y)), 0, (90, 90, 90))
    for x, y in scene.ring:
        paint.flat(np.add(_square(4.2), (x, y)), 0, scene.print_bgr)
        paint.flat(np.add(_square(1), (x, y)), 0, (70, 70, 70))
    for (x, y), colour in scene.discs.items():
        paint.tube(x, y, 4, 0, 3, PAINT[colour])
    for track, place in scene.stones.items():
        if place:
            paint.tube(*known.margin_fields[track][place - 1], 8, 0, 4, PAINT[SEATS[track]])


def _draw_pieces(paint: _Painter, scene: Scene, known: TableSetup, at: Pose) -> None:
    centre = at.centre_mm
    fields = {*scene.heights, *scene.flags}
    far_first = sorted(fields, key=lambda f: -float(np.hypot(*(np.array(known.centre_mm(*f)) - centre[:2]))))
    for row, col in far_first:
        x, y = known.centre_mm(row, col)
        tall = scene.heights.get((row, col), 0) * 20
        for level in range(0, tall, 20):
            paint.box(x, y, 13, level, level + 20, (95, 130, 170))
        if (row, col) in scene.flags:
            paint.tube(x, y, 6, tall, tall + 24, PAINT[scene.flags[row, col]])


def _draw_arm(paint: _Painter, scene: Scene) -> None:
    assert scene.arm is not None
    begin, end = np.array(scene.arm_from_mm), np.array(scene.arm_to_mm)
    for share in np.linspace(0, 1, 40):
        x, y = begin + share * (end - begin)
        shade = 0.85 + 0.15 * share
        colour = (int(scene.arm[0] * shade), int(scene.arm[1] * shade), int(scene.arm[2] * shade))
        paint.tube(float(x), float(y), 26, 60 + 60 * (1 - share), 100 + 60 * (1 - share), colour)


def view(scene: Scene, camera: str = "left", azimuth_deg: float = -85, seed: int = 0) -> View:
    """Return the scene as a camera sees it, with the true pose and lens."""
    at = pose(azimuth_deg)
    return View(camera, draw(scene, at, seed=seed), lens(), at)


def grids(scene: Scene) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the scene's heights and where flags stand, (6, 6) each."""
    heights, flags = np.zeros((6, 6), np.int64), np.zeros((6, 6), np.bool_)
    for place, height in scene.heights.items():
        heights[place] = height
    for place in scene.flags:
        flags[place] = True
    return heights, flags


def write_bare_table(
    folder: Path, picture: NDArray[np.uint8], corners_px: Mapping[str, Sequence[float]], focal_35: int = 41
) -> Path:
    """Write the folder of the same table without a frame: a picture in which its board's corners were touched."""
    (folder / "calibration").mkdir(parents=True)
    data = {key: value for key, value in table_json().items() if key not in ("markers", "charuco")}
    data["board"] = {"size": [260, 260], "thickness": 3}
    (folder / "table.json").write_text(json.dumps(data), encoding="utf-8")
    jpeg = cv2.imencode(".jpg", picture)[1].tobytes()
    (folder / "touched.jpg").write_bytes(noted(jpeg, focal_35=focal_35))
    touch = {"picture": "touched.jpg", "corners": corners_px}
    (folder / "calibration" / "board.json").write_text(json.dumps({"touches": [touch]}), encoding="utf-8")
    return folder


def write_table(folder: Path) -> Path:
    """Write a table folder with calibrated cameras; return it."""
    (folder / "calibration").mkdir(parents=True)
    (folder / "table.json").write_text(json.dumps(table_json()), encoding="utf-8")
    for camera in ("left", "right"):
        save_lens(folder / "calibration" / f"{camera}.json", lens())
    return folder
