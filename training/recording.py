"""Path-traces a written game of castles into a recording to bundle. Needs mitsuba; not part of the product.

usage: python -m training.recording TABLE_FOLDER BOARDS.json [SEED]
BOARDS.json is a list of board texts with single digits, rows from the top. TABLE_FOLDER holds a table.json; it
gets pictures/NNN_CAMERA.jpg of every board that has none, and the cameras' lenses. What is not touched between two
boards stays as it lay.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from training.figures import random_king, random_knight
from training.looks import F32, hsv, noise, stone_atlas
from training.meshes import Mesh, block, random_door, revolve
from training.posing import looking
from training.render import mesh_shape, principled, texture
from training.scenes import TILES
from training.tracer import T, mi, sensor

SIZE = (800, 600)
FOCAL_PX = 1080.0
SAMPLES = 24
CAMERAS = {"cam0": (-98.0, 52.0, 830.0), "cam1": (-20.0, 60.0, 905.0)}
"""Azimuth and elevation in degrees, and distance in mm."""
HUE = {"r": 0.0, "y": 0.14, "g": 0.36, "b": 0.6, "o": 0.065, "p": 0.78}
CELL = re.compile(r"([0-9])([a-z]?)")
BOARD_PX, BOARD_MM = 1536, 320.0


def rows(text: str) -> list[list[tuple[int, str]]]:
    """Return height and piece of every field, the lowest row first."""
    return [[(int(h), piece) for h, piece in CELL.findall(row)] for row in reversed(text.split("/"))]


def printed(table: dict[str, Any], rng: np.random.Generator, half: float) -> F32:
    """Draw the board, and the paper strips with the markers around it, from above; row 0 at the lowest y."""
    px, scale = BOARD_PX, BOARD_PX / 2 / half
    out = np.full((px, px, 3), 0.82, np.float32)

    def at(mm: float) -> int:
        return round((mm + half) * scale)

    out[at(-BOARD_MM / 2) : at(BOARD_MM / 2), at(-BOARD_MM / 2) : at(BOARD_MM / 2)] = hsv(0.24, 0.25, 0.42)
    pitch, n = table["pitch"], (table["columns"], table["rows"])
    for row in range(n[1]):
        for col in range(n[0]):
            x, y = (col - n[0] / 2) * pitch[0], (row - n[1] / 2) * pitch[1]
            tone = hsv(0.2, 0.28, 0.62 if (row + col) % 2 else 0.57)
            out[at(y) + 2 : at(y + pitch[1]) - 1, at(x) + 2 : at(x + pitch[0]) - 1] = tone
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, table["markers"]["dictionary"]))
    for number, corners in table["markers"]["corners"].items():
        (x0, y0, _), (x1, y1, _) = corners[0], corners[2]
        low, high = (at(min(x0, x1)), at(min(y0, y1))), (at(max(x0, x1)), at(max(y0, y1)))
        side = high[0] - low[0]
        picture = cv2.aruco.generateImageMarker(dictionary, int(number), side)[::-1] / 255.0
        out[low[1] : low[1] + side, low[0] : low[0] + side] = (0.03 + 0.82 * picture)[..., None]
    return np.clip(out * (1 + 0.015 * noise(rng, px, 5, 5))[..., None], 0.004, 0.95)


class Set:
    """One set of blocks and pieces; every block and piece stands a little off its field, always in the same way."""

    def __init__(self, table: dict[str, Any], seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.seed, self.table = seed, table
        self.cube = np.array(table["cube"], np.float32)
        self.form = block(self.cube, 0.6, random_door(rng, self.cube, 0.6), 1.2)
        self.atlas = stone_atlas(rng, TILES, True)
        piece = table.get("knight") or table["flag"]
        self.knight = random_knight(rng, piece["height"], piece["radius"])
        self.king = random_king(rng, piece["height"] * 1.35, piece["radius"] * 1.1)

    def on(self, text: str) -> tuple[Mesh, Mesh]:
        """Return the blocks and pieces of a board."""
        stones, figures = Mesh(), Mesh()
        pitch, high = self.table["pitch"], float(self.cube[2])
        for row, cells in enumerate(rows(text)):
            for col, (height, piece) in enumerate(cells):
                base = np.array([(col - 3.5) * pitch[0], (row - 3.5) * pitch[1]])
                for level in range(height):
                    own = np.random.default_rng([self.seed, row, col, level])
                    at = np.append(base + own.normal(size=2) * 0.5, level * high).astype(np.float32)
                    self.form.place(stones, own, at, float(own.normal() * np.deg2rad(2.0)), TILES)
                if piece:
                    own = np.random.default_rng([self.seed, row, col, height, ord(piece)])
                    spot = np.append(base + own.normal(size=2) * 1.2, height * high).astype(np.float32)
                    make = self.king if piece == "k" else self.knight
                    make(figures, own, spot, hsv(0.12, 0.7, 0.85) if piece == "k" else hsv(HUE[piece], 0.85, 0.7))
        if not figures.count:
            revolve(figures, np.array([0, 0, -900.0], np.float32), [(1, 0), (0.1, 1)], np.ones(3, np.float32))
        return stones, figures


def camera(azimuth: float, elevation: float, distance: float) -> tuple[dict[str, Any], NDArray[np.float64]]:
    """Return a Mitsuba sensor that looks at the board, and its rotation."""
    a, e = np.deg2rad(azimuth), np.deg2rad(elevation)
    target = np.array([0.0, 0.0, 12.0])
    eye = target + distance * np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
    rotation = looking(eye, target, 0.0)
    return sensor(rotation, eye, FOCAL_PX, SIZE, SAMPLES), rotation


def room(table: dict[str, Any], pieces: Set, text: str, sheet: F32, half: float) -> dict[str, Any]:
    """Return the scene of one board without cameras."""
    rng = np.random.default_rng(pieces.seed)
    stones, figures = pieces.on(text)
    low = min(corner[2] for corners in table["markers"]["corners"].values() for corner in corners)
    across = BOARD_MM / 2
    cut = round((half - across) / (2 * half) * BOARD_PX)
    paper = principled(texture(sheet), rng, 0.1)
    wood = principled(texture(sheet[cut : BOARD_PX - cut, cut : BOARD_PX - cut]), rng, 0.15)
    lamp = T().look_at([500, 700, 1500], [0, 0, 0], [0, 1, 0]).scale([220, 220, 1])
    ground = principled(texture(np.broadcast_to(hsv(0.07, 0.5, 0.35), (4, 4, 3)) + np.zeros((4, 4, 3))), rng, 0.2)
    return {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": 5},
        "sky": {"type": "constant", "radiance": {"type": "rgb", "value": [0.55, 0.56, 0.6]}},
        "lamp": {
            "type": "rectangle",
            "to_world": lamp,
            "e": {"type": "area", "radiance": {"type": "rgb", "value": [20, 19, 17]}},
        },
        "stones": mesh_shape(stones, principled(texture(pieces.atlas), rng, 0.25), "stones", False),
        "pieces": mesh_shape(
            figures, principled({"type": "mesh_attribute", "name": "vertex_color"}, rng, 0.4), "pieces", True
        ),
        "frame": {"type": "rectangle", "to_world": T().translate([0, 0, low]).scale([half, half, 1]), "b": paper},
        "board": {"type": "rectangle", "to_world": T().scale([across, across, 1]), "b": wood},
        "ground": {
            "type": "rectangle",
            "to_world": T().translate([0, 0, low - 1]).scale([2000, 2000, 1]),
            "b": ground,
        },
    }


def coded(linear: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return linear RGB as 8-bit BGR (sRGB curve), freed of grain."""
    exposed = np.clip(linear / np.percentile(linear, 92) * 0.75, 0, 1)
    curve = np.where(exposed <= 0.0031308, 12.92 * exposed, 1.055 * exposed ** (1 / 2.4) - 0.055)
    grainy = cv2.medianBlur(np.round(curve[..., ::-1] * 255).astype(np.uint8), 3)
    return cv2.fastNlMeansDenoisingColored(grainy, None, 2, 2, 5, 11)


def main() -> None:
    """Picture every board from every camera."""
    parser = argparse.ArgumentParser()
    parser.add_argument("table", type=Path)
    parser.add_argument("boards", type=Path)
    parser.add_argument("seed", type=int, nargs="?", default=7)
    args = parser.parse_args()
    table = json.loads((args.table / "table.json").read_text(encoding="utf-8"))
    boards = json.loads(args.boards.read_text(encoding="utf-8"))
    far = max(abs(v) for corners in table["markers"]["corners"].values() for corner in corners for v in corner[:2])
    half = far + 6.0
    pieces = Set(table, args.seed)
    sheet = printed(table, np.random.default_rng(args.seed), half)
    (args.table / "pictures").mkdir(exist_ok=True)
    matrix = [[FOCAL_PX, 0.0, SIZE[0] / 2 - 0.5], [0.0, FOCAL_PX, SIZE[1] / 2 - 0.5], [0.0, 0.0, 1.0]]
    for name in CAMERAS:
        folder = args.table / "calibration"
        folder.mkdir(exist_ok=True)
        lens = {"size": list(SIZE), "matrix": matrix, "distortion": [0.0] * 5, "rms_px": 0.1}
        (folder / f"{name}.json").write_text(json.dumps(lens), encoding="utf-8")
    for number, text in enumerate(boards):
        if (args.table / "pictures" / f"{number:03d}_{list(CAMERAS)[-1]}.jpg").exists():
            continue
        sensors = {name: camera(*place)[0] for name, place in CAMERAS.items()}
        loaded = mi.load_dict(room(table, pieces, text, sheet, half) | sensors)
        for k, name in enumerate(sensors):
            path = args.table / "pictures" / f"{number:03d}_{name}.jpg"
            linear = np.array(mi.render(loaded, sensor=k, seed=number * 2 + k))
            cv2.imwrite(str(path), coded(linear), [cv2.IMWRITE_JPEG_QUALITY, 74])
            print(path, path.stat().st_size, flush=True)


if __name__ == "__main__":
    main()
