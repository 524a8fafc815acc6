"""Path-traces tables of flags as a phone in a hand shows them on a walk around, as table folders with known truth.

usage: python -m training.walks OUT_FOLDER FIRST LAST
Needs mitsuba; not part of the product. Each number becomes the folder OUT_FOLDER/NNNNN with other stones, hands,
lens and light: table.json with its printed frame, the phone's lens, one board in five pictures, and truth.json.
Nothing of them goes into training: what a whole look tells is measured on them (training/walkmeasure.py).
"""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.layout import DICTIONARY, design_frame, marker_size, quiet_mm
from calibration.writing import corners_json
from training.looks import F32, noise
from training.phones import FILM, Held, Phone, around, careless_scene, held, random_phone, taken
from training.render import mended, principled, texture, world
from training.scenes import Scene
from training.tracer import T, mi, render_missing, sensor
from training.visible import table_of
from vision.geometry.visibility import tops_seen

VIEWS = 5
SAMPLES = 6
"""Samples a pixel; a median of 3 x 3 takes most of their grain."""
WIDER = 1.15
"""The traced picture is so much wider than the phone's, whose lens bends in what lies beyond its edges."""
SEEN = 0.3
LETTERS = " rygb"
PAPER_MM = -3.0
_SHEET_PX = 2048


def frame_of(scene: Scene) -> tuple[dict[int, NDArray[np.float64]], float]:
    """Return the printed frame's markers, id to corners (4, 3) mm, and half the side of its paper."""
    board = (2 * scene.half, 2 * scene.half)
    size = marker_size(board)
    return design_frame(board, PAPER_MM, size), scene.half + size + 2 * quiet_mm(size)


def printed(rng: np.random.Generator, markers: dict[int, NDArray[np.float64]], half: float) -> F32:
    """Draw the frame's paper from above, linear RGB, row 0 at the lowest y."""
    scale = _SHEET_PX / 2 / half
    out = np.full((_SHEET_PX, _SHEET_PX, 3), rng.uniform(0.6, 0.85), np.float32) * rng.uniform(0.93, 1, 3)
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    for number, corners in markers.items():
        x, y = np.round((corners[:, :2].min(axis=0) + half) * scale).astype(int)
        side = round(float(np.ptp(corners[:, 0])) * scale)
        mark = cv2.aruco.generateImageMarker(dictionary, number, side)[::-1]
        out[y : y + side, x : x + side] = np.where(mark[..., None] > 0, 0.82, 0.03)
    return np.asarray(np.clip(out * (1 + 0.02 * noise(rng, _SHEET_PX, 9, 9))[..., None], 0.004, 0.95), np.float32)


def board_text(scene: Scene) -> str:
    """Return the board as text (formats.md)."""
    rows = [
        "".join(f"{h}{LETTERS[p].strip()}" for h, p in zip(heights, pieces, strict=True))
        for heights, pieces in zip(scene.heights, scene.pieces, strict=True)
    ]
    return "/".join(reversed(rows))


def table_text(scene: Scene, markers: dict[int, NDArray[np.float64]]) -> str:
    """Return a table.json of such a table."""
    height, radius = scene.stands
    size = float(np.ptp(markers[0][:, 0]))
    data = {
        "game": "terra-turrium",
        "columns": len(scene.heights),
        "rows": len(scene.heights),
        "pitch": [scene.pitch, scene.pitch],
        "cube": [float(v) for v in scene.cube],
        "flag": {"style": scene.style, "height": height, "radius": radius},
        "markers": {"dictionary": DICTIONARY, "size": size, "corners": corners_json(markers)},
        "charuco": {"squares": [11, 8], "square": 24.0, "marker": 18.0, "dictionary": "DICT_5X5_100"},
        "cameras": ["phone"],
        "held": ["phone"],
    }
    return json.dumps(data)


def hidden_from(scene: Scene, ways: list[Held]) -> dict[str, dict[str, list[str]]]:
    """Return the names of fields whose stack, and whose flag, the first so many pictures leave unseen."""
    table = table_of({name: np.array(getattr(scene, name)) for name in ("heights", "pitch", "cube", "stands")})
    heights = scene.heights.astype(np.int8)
    most = np.zeros((2, *heights.shape))
    out = {}
    for count, way in enumerate(ways, 1):
        centre = -way.rotation.T @ way.translation
        for k, above in enumerate((0.0, 0.6 * table.flag.height_mm)):
            most[k] = np.maximum(most[k], tops_seen(centre, heights, table, above, standing=scene.pieces > 0))
        names = [[f"{chr(65 + col)}{row + 1}" for row, col in np.argwhere(np.abs(part) < SEEN)] for part in most]
        out[f"views{count}"] = {"stacks": names[0], "flags": names[1]}
    return out


def photographed(
    loaded: mi.Scene, number: int, phone: Phone, way: Held, seed: int, rng: np.random.Generator
) -> NDArray[np.uint8]:
    """Return one picture of a hand, (h, w, 3) BGR, exposed by its own brightness."""
    linear = cv2.medianBlur(np.asarray(mended(np.array(mi.render(loaded, sensor=number, seed=seed))), np.float32), 3)
    shown = taken(linear, source_of(phone), phone.matrix, phone.distortion, FILM, way)
    level = float(np.percentile(shown, 92))
    exposed = np.clip(shown / level * 0.75 * way.gain, 0, 1)
    coded = np.where(exposed <= 0.0031308, 12.92 * exposed, 1.055 * exposed ** (1 / 2.4) - 0.055)
    grain = rng.normal(size=coded.shape) * rng.uniform(0.5, 3.0)
    return np.asarray(np.clip(np.round(coded[..., ::-1] * 255 + grain), 0, 255), np.uint8)


def source_film() -> tuple[int, int]:
    """Return the film that is traced, pixels."""
    return round(FILM[0] * WIDER), round(FILM[1] * WIDER)


def source_of(phone: Phone) -> NDArray[np.float64]:
    """Return the intrinsics (3, 3) of the picture that is traced for a phone's."""
    width, height = source_film()
    focal = phone.matrix[0, 0]
    return np.array([[focal, 0, width / 2 - 0.5], [0, focal, height / 2 - 0.5], [0, 0, 1.0]])


def make(seed: int, out: Path) -> None:
    """Render one table folder."""
    rng = np.random.default_rng([seed, 2038])
    scene, phone = careless_scene(rng), random_phone(rng)
    markers, half = frame_of(scene)
    content = world(rng, scene)
    content["sheet"] = {
        "type": "rectangle",
        "to_world": T().translate([0, 0, PAPER_MM]).scale([half, half, 1]),
        "b": principled(texture(printed(rng, markers, half)), rng, 0.1),
    }
    ways = [held(rng, phone, side, half) for side in around(rng, VIEWS)]
    for k, way in enumerate(ways):
        eye = -way.rotation.T @ way.translation
        content[f"sensor{k}"] = sensor(way.rotation, eye, float(phone.matrix[0, 0]), source_film(), SAMPLES)
    loaded = mi.load_dict(content)
    folder = out / f"{seed:05d}"
    (folder / "calibration").mkdir(parents=True, exist_ok=True)
    (folder / "game1").mkdir(exist_ok=True)
    (folder / "table.json").write_text(table_text(scene, markers))
    lens = {"size": list(FILM), "matrix": phone.matrix.tolist(), "distortion": phone.distortion.tolist()}
    (folder / "calibration" / "phone.json").write_text(json.dumps(lens | {"rms_px": 0.2}))
    files = [f"000_{k}.jpg" for k in range(VIEWS)]
    for k, (name, way) in enumerate(zip(files, ways, strict=True)):
        seen = photographed(loaded, k, phone, way, seed * VIEWS + k, rng)
        cv2.imwrite(str(folder / "game1" / name), seen, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(82, 95))])
    frame = {
        "kind": "still",
        "board": board_text(scene),
        "files": files,
        "camera_poses": [{"rotation": w.rotation.tolist(), "translation": w.translation.tolist()} for w in ways],
        "hidden": hidden_from(scene, ways),
    }
    seats = {"nw": "yellow", "ne": "blue", "se": "red", "sw": "green"}
    game = {"name": "game1", "seats": seats, "frames": [frame]}
    (folder / "truth.json").write_text(json.dumps({"cameras": [], "games": [game]}))


if __name__ == "__main__":
    render_missing(make)
