"""Path-traces whole mats as table folders with known truth, to measure on. Needs mitsuba; not part of the product.

usage: python -m training.mats OUT_FOLDER FIRST LAST [--boards N] [--cameras N]
Each scene becomes OUT_FOLDER/NNNNN: table.json, a lens, places.json and mat.png as taught in a picture of the empty
mat (000.jpg) and one with everything on it (001.jpg), N pictures in other light, and truth.json: for each of those
``dice`` (sorted by x), ``pawns``, ``zone`` and ``installed``. Further cameras' pictures are 002-cam1.jpg
and so on.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.layout import DICTIONARY, design_frame
from calibration.lens import Lens
from calibration.pose import Pose, find_pose
from calibration.table import TableSetup, parse_table
from calibration.writing import corners_json
from training.dice import DieForm, random_form
from training.looks import F32, hsv, noise
from training.meshes import Mesh, flag, revolve
from training.posing import looking
from training.render import mesh_shape, picture, principled, texture
from training.rolls import add_dice, lights, scattered
from training.tracer import T, intrinsics, mi, sensor
from vision.geometry.view import View
from vision.ledger.light import light_of, pictured_mat
from vision.ledger.places import Places
from vision.ledger.teaching import colour_at, save_places

MAT = np.array([460.0, 330.0])
PAPER = 46.0
FILM = (960, 720)
SPACES, GAUGE, CARDS = 24, 10, 6
PAWN, COUNTER, CARD = (22.0, 6.0), 7.0, (26.0, 38.0)
HUES = {"red": 0.0, "green": 0.36, "blue": 0.6, "yellow": 0.14}
ROLLED = ((40.0, -110.0), (180.0, 20.0))
PX_PER_MM = 3


def track() -> NDArray[np.float64]:
    """Return the middles of the spaces (n, 2) mm, once around the mat."""
    w, h = MAT / 2 - 22
    corners = np.array([(-w, -h), (w, -h), (w, h), (-w, h), (-w, -h)])
    far = np.append(0, np.cumsum(np.linalg.norm(np.diff(corners, axis=0), axis=1)))
    at = np.linspace(0, far[-1], SPACES, endpoint=False)
    return np.column_stack([np.interp(at, far, corners[:, k]) for k in (0, 1)])


def gauge() -> NDArray[np.float64]:
    """Return the gauge's places (n, 2) mm."""
    return np.column_stack([np.linspace(-175, 10, GAUGE), np.full(GAUGE, 95.0)])


def card_places() -> dict[str, NDArray[np.float64]]:
    """Return the cards' places (n, 2) mm by player."""
    x = np.linspace(-175, -5, CARDS)
    return {word: np.column_stack([x, np.full(CARDS, y)]) for word, y in (("red", 40.0), ("blue", -20.0))}


def printed(rng: np.random.Generator, table: TableSetup) -> F32:
    """Draw the mat in its paper frame, printed with spaces and places, linear RGB, row 0 at the lowest y."""
    size = MAT + 2 * PAPER
    px = (size * PX_PER_MM).astype(int)
    out = np.full((px[1], px[0], 3), rng.uniform(0.75, 0.95), np.float32)

    def at(x: float, y: float) -> tuple[int, int]:
        return int((x + size[0] / 2) * PX_PER_MM), int((size[1] / 2 - y) * PX_PER_MM)

    base = hsv(rng.uniform(0, 1), rng.uniform(0, 0.7), rng.uniform(0.15, 0.9))
    grain = noise(rng, max(px), 8, 8)[: px[1], : px[0], None] * rng.uniform(0, 0.08)
    low, high = at(-MAT[0] / 2, MAT[1] / 2), at(MAT[0] / 2, -MAT[1] / 2)
    inside = (slice(low[1], high[1]), slice(low[0], high[0]))
    out[inside] = base * (1 + grain[inside])
    for k, (x, y) in enumerate(track()):
        tint = hsv(rng.uniform(0, 1), rng.uniform(0, 0.8), rng.uniform(0.2, 0.95)).tolist()
        cv2.rectangle(out, at(x - 18, y + 18), at(x + 18, y - 18), tint, -1)
        cv2.circle(out, at(x, y), 20 + k % 3 * 6, (np.array(tint) * 0.6).tolist(), 2)
    ring = (base * rng.choice([0.4, 1.6])).clip(0.01, 0.95).tolist()
    for x, y in gauge():
        cv2.circle(out, at(x, y), int(8.5 * PX_PER_MM), ring, 2 if rng.random() < 0.5 else -1)
    for points in card_places().values():
        for x, y in points:
            cv2.rectangle(out, at(x - 14, y + 20), at(x + 14, y - 20), ring, 2)
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    for number, corners in table.markers.items():
        a, b = at(*corners[0][:2]), at(*corners[2][:2])
        mark = cv2.aruco.generateImageMarker(dictionary, number, b[0] - a[0])
        out[a[1] : a[1] + len(mark), a[0] : a[0] + len(mark)] = np.where(mark[..., None] > 0, 0.85, 0.03)
    return np.clip(out[::-1], 0.003, 0.95)


def table_text(die_mm: float, cameras: int) -> str:
    """Return a table.json of such a mat."""
    markers = design_frame((float(MAT[0]), float(MAT[1])), 0.0, 30.0)
    charuco = {"squares": [10, 7], "square": 25.0, "marker": 18.0, "dictionary": "DICT_5X5_100"}
    data = {
        "game": "terrabilis",
        "die": round(die_mm, 2),
        "mat": MAT.tolist(),
        "markers": {"dictionary": DICTIONARY, "size": 30.0, "corners": corners_json(markers)},
        "charuco": charuco,
        "cameras": [f"cam{k}" for k in range(cameras)],
    }
    return json.dumps(data, indent=1)


def colours(rng: np.random.Generator) -> dict[str, F32]:
    """Return the linear RGB of this box's pawns and counters."""
    out = {
        word: hsv(hue + rng.normal() * 0.012, rng.uniform(0.65, 1), rng.uniform(0.5, 0.95))
        for word, hue in HUES.items()
    }
    return out | {
        f"counter {word}": hsv(HUES[word] + rng.normal() * 0.012, rng.uniform(0.6, 1), rng.uniform(0.5, 0.95))
        for word in ("green", "yellow")
    }


def stand_up(
    rng: np.random.Generator, shapes: dict, looks: dict[str, F32], full: bool, teaching: bool = False
) -> dict:
    """Put pawns, counters and cards on the mat; returns where. teaching: counters of both colours lie there."""
    mesh, truth = Mesh(), {"pawns": {}, "zone": {"green": 0, "yellow": 0}, "installed": {}, "taps": {}}
    spaces = track()
    for word in HUES if full else ():
        space = int(rng.integers(SPACES))
        others = list(truth["pawns"].values()).count(space)
        aside = np.array([(-7, -7), (7, 7), (7, -7), (-7, 7)][others], float) if others or rng.random() < 0.4 else 0
        spot = np.append(spaces[space] + aside + rng.normal(size=2) * 2.0, 0)
        flag(mesh, rng, "pawn", spot.astype(np.float32), *PAWN, looks[word])
        truth["pawns"][word] = space
        truth["taps"][word] = [*spot[:2].tolist(), PAWN[0] * 0.35]
    for place, (x, y) in enumerate(gauge() if full else ()):
        word = str(rng.choice(["green", "yellow", "none"], p=[0.33, 0.33, 0.34]))
        if teaching and place < 2:
            word = ("green", "yellow")[place]
        if word != "none":
            spot = np.array([x, y, 0]) + np.append(rng.normal(size=2) * 1.2, 0)
            revolve(
                mesh, spot.astype(np.float32), [(COUNTER, 0), (COUNTER, 3), (0.01, 3)], looks[f"counter {word}"], 24
            )
            truth["zone"][word] += 1
            truth["taps"][f"counter {word}"] = [*spot[:2].tolist(), 3.0]
    for word, points in card_places().items() if full else ():
        number = int(rng.integers(0, CARDS + 1))
        truth["installed"][word] = number
        for x, y in points[rng.permutation(CARDS)[:number]]:
            _card(mesh, rng, np.array([x, y]) + rng.normal(size=2) * 1.5, rng.normal() * 0.05)
    if not mesh.count:
        revolve(mesh, np.array([0, 0, -900.0], np.float32), [(1, 0), (0.1, 1)], np.ones(3, np.float32))
    shapes["things"] = mesh_shape(
        mesh, principled({"type": "mesh_attribute", "name": "vertex_color"}, rng, 0.3), "things", True
    )
    return truth


def _card(mesh: Mesh, rng: np.random.Generator, at: NDArray[np.float64], turn: float) -> None:
    along = np.array([np.cos(turn), np.sin(turn), 0])
    across = np.array([-np.sin(turn), np.cos(turn), 0])
    parts = [(0.0, 0.0, 1.0, 1.0, 0.4, hsv(0, 0, rng.uniform(0.7, 0.95)))]
    tint = hsv(rng.uniform(0, 1), rng.uniform(0.2, 0.9), rng.uniform(0.2, 0.9))
    parts += [(0.0, 0.2, 0.85, 0.45, 0.45, tint), (0.0, -0.25, 0.8, 0.3, 0.45, tint * rng.uniform(0.2, 1.0))]
    for x, y, w, h, z, colour in parts:
        middle = np.append(at, z) + along * x * CARD[0] + across * y * CARD[1]
        a, b = along * CARD[0] * w / 2, across * CARD[1] * h / 2
        corners = np.array([middle - a - b, middle + a - b, middle + a + b, middle - a + b])
        mesh.quad(corners.astype(np.float32), np.zeros((4, 2), np.float32), np.asarray(colour, np.float32))


def shapes_of(rng: np.random.Generator, paper: F32) -> dict:
    """Return a mat in some light, with nothing on it yet."""
    size = MAT + 2 * PAPER
    shapes: dict = {"type": "scene", "integrator": {"type": "path", "max_depth": 4}} | lights(rng)
    shapes["mat"] = {
        "type": "rectangle",
        "to_world": T().scale([size[0] / 2, size[1] / 2, 1]),
        "b": principled(texture(paper), rng, 0.15),
    }
    shapes["ground"] = {
        "type": "rectangle",
        "to_world": T().translate([0, 0, -1]).scale([1500, 1500, 1]),
        "b": principled(texture(np.ones((4, 4, 3), np.float32) * hsv(rng.uniform(0, 1), 0.4, 0.4)), rng, 0.2),
    }
    return shapes


def shown(
    rng: np.random.Generator, paper: F32, form: DieForm, looks: dict[str, F32], cameras: list[dict], number: int
) -> tuple[list[NDArray[np.uint8]], dict]:
    """Return every camera's picture, and what is on it.

    Nothing lies on it in number 0; the colours are taught in number 1.
    """
    (apart,) = rng.spawn(1)
    full = number > 0
    shapes = shapes_of(rng, paper)
    low, high = np.array(ROLLED)
    places = scattered(rng, 2, form.size_mm, float((high - low).min() / 2 - form.size_mm))[: 2 if full else 0]
    places[:, :2] += (low + high) / 2
    faces = add_dice(rng, form, places, shapes, "dice", 0.3)
    truth = stand_up(rng, shapes, looks, full, teaching=number == 1)
    truth["dice"] = [int(face) for face in faces[np.argsort(places[:, 0])]]
    seen = []
    for camera, own in zip(cameras, [rng, *[apart] * (len(cameras) - 1)], strict=True):
        linear = np.array(mi.render(mi.load_dict(shapes | {"sensor": camera}), seed=int(own.integers(1 << 30))))
        seen.append(picture(linear, own))
    return seen, truth


def camera_of(
    rng: np.random.Generator,
    folder: Path,
    name: str,
    azimuth: float | None,
    film: tuple[int, int] = FILM,
    samples: int | None = None,
) -> tuple[dict, Lens, Pose]:
    """Make a camera that sees the whole mat, from anywhere or a given direction, and write its lens down."""
    elevation, drawn = np.deg2rad(rng.uniform(42, 84)), rng.uniform(0, 2 * np.pi)
    azimuth = drawn if azimuth is None else azimuth
    ways = [np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)]
    eye = rng.uniform(650, 900) * np.array(ways)
    focal = float(0.75 * film[1] * np.linalg.norm(eye) / (MAT[1] + 2 * PAPER))
    matrix = intrinsics(focal, film)
    data = {"size": list(film), "matrix": matrix.tolist(), "distortion": [0.0] * 5, "rms_px": 0.1}
    (folder / "calibration" / f"{name}.json").write_text(json.dumps(data))
    samples = samples or int(rng.choice([6, 10]))
    rotation = looking(eye, np.zeros(3), 0.0)
    pose = Pose(rotation, -rotation @ eye, 8, 0.0)
    return sensor(rotation, eye, focal, film, samples), Lens(film, matrix, np.zeros(5), 0.1), pose


def tapped(folder: Path, truth: dict, lens: Lens, table: TableSetup) -> dict[str, NDArray[np.float64]]:
    """Return the colours of pawns and counters, tapped in the picture after the empty mat's."""
    seen = cv2.imread(str(folder / truth["file"]))
    view = View("cam0", seen, lens, find_pose(seen, lens, table, "cam0"))
    light = light_of(view, table)
    spots = view.project(np.array(list(truth["taps"].values())))
    return {word: colour_at(view, light, (x, y)) for word, (x, y) in zip(truth["taps"], spots, strict=True)}


def make(seed: int, out: Path, boards: int, cameras: int) -> None:
    """Render one table folder."""
    rng = np.random.default_rng([seed, 1815])
    folder = out / f"{seed:05d}"
    (folder / "calibration").mkdir(parents=True, exist_ok=True)
    form, looks = random_form(rng, rng.uniform(13, 19)), colours(rng)
    text = table_text(form.size_mm, cameras)
    table = parse_table(text)
    (folder / "table.json").write_text(text)
    paper = printed(rng, table)
    first, lens, _ = camera_of(rng, folder, "cam0", None)
    (apart,) = rng.spawn(1)
    round_ = apart.uniform(0, 2 * np.pi)
    turns = [round_ + 2 * np.pi * k / cameras for k in range(1, cameras)]
    others = [camera_of(apart, folder, f"cam{k}", turn)[0] for k, turn in enumerate(turns, 1)]
    truths = []
    for number in range(boards + 2):
        seen, truth = shown(rng, paper, form, looks, [first, *others][: None if number > 1 else 1], number)
        for k, one in enumerate(seen):
            name = f"{number:03d}-cam{k}.jpg" if k else f"{number:03d}.jpg"
            cv2.imwrite(str(folder / name), one, [cv2.IMWRITE_JPEG_QUALITY, 92])
        truths.append(truth | {"file": f"{number:03d}.jpg"})
    (folder / "truth.json").write_text(json.dumps({"pictures": truths[2:]}))
    empty = cv2.imread(str(folder / "000.jpg"))
    view = View("cam0", empty, lens, find_pose(empty, lens, table, "cam0"))
    taught = tapped(folder, truths[1], lens, table)
    places = Places(
        rolled_on=ROLLED,
        track=track(),
        pawn_mm=PAWN,
        pawns={word: taught[word] for word in HUES if word in taught},
        spots=gauge(),
        counter_radius_mm=COUNTER,
        counters={word: taught[f"counter {word}"] for word in ("green", "yellow") if f"counter {word}" in taught},
        cards=card_places(),
        card_mm=CARD,
        mat=pictured_mat(view, light_of(view, table), table),
    )
    save_places(folder, places)


def main() -> None:
    """Render the tables asked for that are not there yet."""
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--boards", type=int, default=5)
    parser.add_argument("--cameras", type=int, default=1)
    args = parser.parse_args()
    for number in range(args.first, args.last):
        if not (args.out / f"{number:05d}" / "places.json").exists():
            make(number, args.out, args.boards, args.cameras)


if __name__ == "__main__":
    main()
