"""Path-traces random towers of Turris on a turned board, with known truth. Needs mitsuba; not part of the product.

usage: python -m training.towers OUT_FOLDER FIRST LAST
Each scene becomes the table folder OUT_FOLDER/NNNNN: table.json, lens files, game1/*.jpg and truth.json, four
pictures with the board turned by about a quarter between them. Colours, grain, light, lens, sizes and jitter are
drawn from wide ranges; the thresholds in vision/tower are set on such tables.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.looks import hsv, noise
from training.posing import looking
from training.randomtower import random_tower, tower_text
from training.seencells import seen_cells
from training.tracer import T, intrinsics, mi, sensor


def box(
    size: NDArray[np.float64], bevel: float, tile: tuple[float, float, float]
) -> tuple[NDArray, NDArray, NDArray]:
    """Return a box with chamfered edges around the origin: vertices, uv and faces.

    tile: (u, v, size) in the atlas.
    """
    vertices, uv, faces = [], [], []
    half = size / 2
    long = int(np.argmax(size))

    def quad(points: list[NDArray[np.float64]], axis: int) -> None:
        a, b = [k for k in range(3) if k != axis]
        if a != long and axis != long:
            a, b = b, a
        start = len(vertices)
        normal = np.cross(points[1] - points[0], points[2] - points[1])
        if normal @ np.mean(points, axis=0) < 0:
            points = points[::-1]
        for p in points:
            vertices.append(p)
            place = (p[[a, b]] / half[[a, b]] + 1) / 2
            along, across = place if axis != long else (place[0] * 0.08, place[1] * 0.3)
            uv.append(
                (tile[0] + tile[2] * (0.05 + 0.9 * along), tile[1] + tile[2] * (0.05 + 0.9 * across * (axis + 1) / 3))
            )
        faces.extend([[start, start + 1, start + 2], [start, start + 2, start + 3]])

    for axis in range(3):
        a, b = [k for k in range(3) if k != axis]
        for side in (-1, 1):
            ring = []
            for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                p = np.zeros(3)
                p[axis], p[a], p[b] = side * half[axis], i * (half[a] - bevel), j * (half[b] - bevel)
                ring.append(p)
            quad(ring, axis)
            for other, third in ((a, b), (b, a)):
                if other < axis:
                    continue
                for turn in (-1, 1):
                    ring = []
                    for first, k in ((True, -1), (True, 1), (False, 1), (False, -1)):
                        p = np.zeros(3)
                        p[axis] = side * (half[axis] - (0 if first else bevel))
                        p[other] = turn * (half[other] - (bevel if first else 0))
                        p[third] = k * (half[third] - bevel)
                        ring.append(p)
                    quad(ring, axis)
    return np.array(vertices), np.array(uv), np.array(faces)


def looks(rng: np.random.Generator) -> tuple[NDArray, NDArray, float]:
    """Return the linear colours of light and dark bars and how strongly they are grained."""
    kind = rng.choice(["wood", "paint", "colour"], p=[0.5, 0.2, 0.3])
    if kind == "wood":
        light = hsv(rng.uniform(0.06, 0.12), rng.uniform(0.2, 0.55), rng.uniform(0.72, 0.95))
        dark = hsv(rng.uniform(0.02, 0.09), rng.uniform(0.3, 0.7), rng.uniform(0.2, 0.5))
        return light, dark, rng.uniform(0.05, 0.25)
    if kind == "paint":
        return (
            hsv(rng.random(), rng.uniform(0, 0.1), rng.uniform(0.8, 0.95)),
            hsv(rng.random(), rng.uniform(0, 0.3), rng.uniform(0.12, 0.3)),
            0.02,
        )
    light = hsv(rng.uniform(0.08, 0.2), rng.uniform(0.2, 0.8), rng.uniform(0.8, 0.95))
    dark = hsv(
        rng.choice([rng.uniform(0.55, 0.7), rng.uniform(0.95, 1.02), rng.uniform(0.3, 0.45)]),
        rng.uniform(0.5, 0.9),
        rng.uniform(0.3, 0.6),
    )
    return light, dark, rng.uniform(0, 0.1)


def mesh(name: str, vertices: NDArray, uv: NDArray, faces: NDArray, bsdf: dict) -> mi.Mesh:
    """Return a Mitsuba mesh."""
    props = mi.Properties()
    props["bsdf"] = mi.load_dict(bsdf)
    shape = mi.Mesh(name, len(vertices), len(faces), has_vertex_normals=False, has_vertex_texcoords=True, props=props)
    params = mi.traverse(shape)
    params["vertex_positions"] = vertices.astype(np.float32).ravel()
    params["faces"] = faces.astype(np.uint32).ravel()
    params["vertex_texcoords"] = uv.astype(np.float32).ravel()
    params.update()
    return shape


def bitmap(picture: NDArray) -> dict:
    """Return a texture from linear RGB."""
    return {"type": "bitmap", "bitmap": mi.Bitmap(np.ascontiguousarray(picture, np.float32)), "raw": True}


def surface(base: dict, rough: float, specular: float) -> dict:
    """Return a two-sided principled surface."""
    return {
        "type": "twosided",
        "bsdf": {"type": "principled", "base_color": base, "roughness": rough, "specular": specular},
    }


def grained(rng: np.random.Generator, colour: NDArray, strength: float, tiles: int = 8, px: int = 64) -> NDArray:
    """Return an atlas of tiles with grain along x, every tile of its own tone."""
    out = np.zeros((tiles * px, tiles * px, 3), np.float32)
    for i, j in np.ndindex(tiles, tiles):
        grain = noise(rng, px, px, rng.uniform(1.5, 8)) * strength + noise(rng, px, 6, 2) * strength * 0.3
        tone = np.exp(rng.normal() * 0.35 * strength + rng.normal(size=3) * 0.1 * strength)
        out[i * px : (i + 1) * px, j * px : (j + 1) * px] = colour * tone * np.exp(grain)[..., None]
    return np.clip(out, 0.004, 0.96)


def board_picture(rng: np.random.Generator, half: float, markers: dict, base: float, size: int = 1024) -> NDArray:
    """Draw the board from above: plain or grained, markers with white rims, felt base, a mark. Row 0 lies at +y."""
    ground = hsv(
        rng.uniform(0, 1) if rng.random() < 0.4 else rng.uniform(0.05, 0.13),
        rng.uniform(0, 0.6),
        rng.uniform(0.2, 0.95),
    )
    out = (
        np.ones((size, size, 3), np.float32)
        * ground
        * np.exp(rng.uniform(0, 0.15) * noise(rng, size, rng.uniform(3, 300), 6))[..., None]
    )
    scale = size / 2 / half

    def px(x: float, y: float) -> tuple[int, int]:
        return round((x + half) * scale), round((half - y) * scale)

    felt = hsv(rng.random(), rng.uniform(0, 0.8), rng.uniform(0.1, 0.7))
    cv2.rectangle(out, px(-base / 2, base / 2), px(base / 2, -base / 2), felt.tolist(), -1)
    cv2.circle(out, px(0, -base / 2 - 8), round(4 * scale), (0.5, 0.05, 0.05), -1)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for number, corners in markers.items():
        (x0, y0, _), (x1, y1, _) = corners[0], corners[2]
        a, b = px(x0, y0), px(x1, y1)
        rim = round(3 * scale)
        cv2.rectangle(out, (a[0] - rim, a[1] - rim), (b[0] + rim, b[1] + rim), (0.85, 0.85, 0.85), -1)
        side = b[0] - a[0]
        print_ = cv2.aruco.generateImageMarker(dictionary, int(number), side)
        out[a[1] : a[1] + side, a[0] : a[0] + side] = (0.03 + 0.82 * (print_ / 255.0))[..., None]
    return np.clip(out, 0.004, 0.96)


def make(seed: int, out: Path, turns: int = 1) -> None:
    """Render one table with one tower from four sides."""
    rng = np.random.default_rng([seed, 14])
    unit = rng.uniform(13, 26)
    pitch, base_z, scale = unit + rng.uniform(0.05, 0.5), rng.uniform(0, 2), unit / 18.0
    half = rng.uniform(95, 125) * scale
    side = 28 * scale * rng.uniform(0.8, 1.15)
    far = half - 6 * scale - side / 2
    middles = [(-far, far), (0, far), (far, far), (far, 0), (far, -far), (0, -far), (-far, -far), (-far, 0)]
    markers = {
        str(n): [[x + dx * side / 2, y + dy * side / 2, 0.0] for dx, dy in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
        for n, (x, y) in enumerate(middles)
    }
    bars = random_tower(rng, int(rng.choice([rng.integers(1, 8), rng.integers(5, 40), rng.integers(25, 41)])))
    light, dark, strength = looks(rng)
    bevel = rng.uniform(0.2, 1.2) * scale
    gloss = rng.choice([rng.uniform(0.5, 0.95), rng.uniform(0.2, 0.5)], p=[0.75, 0.25])
    wood = {True: grained(rng, light, strength), False: grained(rng, dark, strength)}
    board_tex = board_picture(rng, half, markers, 3 * pitch + rng.uniform(1, 8))
    jitter, twist = rng.uniform(0, 0.5) * scale, rng.uniform(0, 1.2)
    placed = []
    for bar in bars:
        low, high = (np.array(c, float) for c in bar.cells)
        size = np.where(high > low, 2 * unit, unit)
        centre = (low + high) / 2 * [pitch, pitch, unit] - [pitch, pitch, 0] + [0, 0, unit / 2 + base_z]
        centre[:2] += rng.normal(size=2) * jitter
        placed.append((bar.light, size, centre, rng.normal() * twist, tuple(rng.integers(8, size=2) / 8)))
    ground = hsv(
        rng.uniform(0.03, 0.15) if rng.random() < 0.6 else rng.random(), rng.uniform(0, 0.6), rng.uniform(0.15, 0.9)
    )
    wall = hsv(rng.random(), rng.uniform(0, 0.4), rng.uniform(0.1, 0.95))
    ground_tex = np.clip(
        ground * np.exp(rng.uniform(0, 0.25) * noise(rng, 256, rng.uniform(20, 256), rng.uniform(4, 30)))[..., None],
        0.01,
        0.95,
    )
    wall_tex = np.clip(
        wall * np.exp(rng.uniform(0, 0.8) * noise(rng, 64, rng.uniform(3, 60), rng.uniform(3, 60)))[..., None],
        0.01,
        0.95,
    )
    width, height = [(800, 600), (1024, 768), (960, 540)][rng.integers(3)]
    elevation, distance = np.deg2rad(rng.uniform(12, 50)), rng.uniform(450, 900) * scale
    focal = rng.uniform(0.8, 1.15) * width * distance / (430 * scale)
    tall = max([c[2] for b in bars for c in b.cells], default=0)
    target = np.array([rng.normal() * 6, rng.normal() * 6, min(60.0, 9.0 * tall + 10) * scale])
    eye = target + distance * np.array([0, -np.cos(elevation), np.sin(elevation)])
    rotation = looking(eye, target, rng.normal() * 0.03)
    lens_at = sensor(rotation, eye, focal, (width, height), 20, 9000.0)
    matrix = intrinsics(focal, (width, height))
    lit: dict = {
        "sky": {
            "type": "constant",
            "radiance": {"type": "rgb", "value": (np.exp(rng.normal(size=3) * 0.1) * rng.uniform(0.15, 1)).tolist()},
        }
    }
    for k in range(2):
        round_, up = rng.uniform(0, 2 * np.pi), np.deg2rad(rng.uniform(20, 85))
        away = rng.uniform(800, 2000) * scale
        place = away * np.array([np.cos(up) * np.cos(round_), np.cos(up) * np.sin(round_), np.sin(up)])
        wide = rng.uniform(40, 500) * scale
        power = rng.uniform(0.2, 2.5) * (1 if k == 0 else rng.choice([0.02, 0.5])) * (away / wide) ** 2 / 4
        lit[f"lamp{k}"] = {
            "type": "rectangle",
            "to_world": T().look_at(place.tolist(), [0, 0, 0], [0.1, 0.2, 1]).scale([wide, wide, 1]),
            "e": {
                "type": "area",
                "radiance": {"type": "rgb", "value": (np.exp(rng.normal(size=3) * 0.1) * power).tolist()},
            },
        }
    folder = out / f"{seed:05d}"
    (folder / "game1").mkdir(parents=True, exist_ok=True)
    (folder / "calibration").mkdir(exist_ok=True)
    lens = {"size": [width, height], "matrix": matrix.tolist(), "distortion": [0.0] * 5, "rms_px": 0.1}
    (folder / "calibration" / "cam0.json").write_text(json.dumps(lens))
    views, exposure, everywhere = [], None, set()
    quality, grain = int(rng.integers(75, 96)), rng.uniform(0.5, 5)
    want = rng.uniform(0.4, 0.85)
    spare = {True: 20 - sum(b.light for b in bars), False: 20 - sum(not b.light for b in bars)}
    supply = []
    for colour, aside in ((True, -1), (False, 1)):
        for k in range(min(spare[colour], 12)):
            at = [
                aside * (half + (30 + 26 * (k % 2)) * scale),
                (-60 + 22 * (k // 2) + rng.normal() * 2) * scale,
                unit / 2 - 6,
            ]
            supply.append(
                (
                    colour,
                    np.array([unit, unit, 2 * unit])[rng.permutation(3)]
                    if k > 99
                    else np.array([2 * unit, unit, unit])[[0, 1, 2]],
                    np.array(at),
                    rng.normal() * 5,
                    tuple(rng.integers(8, size=2) / 8),
                )
            )
    for quarter in range(4):
        turned = 90 * quarter + rng.normal() * 8
        spin = T().rotate([0, 0, 1], turned)
        scene = {"type": "scene", "integrator": {"type": "path", "max_depth": 4}, **lit}
        for lightness in (True, False):
            bsdf = surface(bitmap(wood[lightness]), float(gloss), 0.4)
            pile_v, pile_uv, pile_f, count = [], [], [], 0
            for group, turning in ((placed, True), (supply, False)):
                for is_light, size, centre, angle, tile in group:
                    if is_light != lightness:
                        continue
                    v, uv, f = box(size, bevel, (*tile, 1 / 8))
                    a = np.deg2rad(angle)
                    own = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
                    v = v @ own.T + centre
                    if turning:
                        b = np.deg2rad(turned)
                        v = v @ np.array([[np.cos(b), -np.sin(b), 0], [np.sin(b), np.cos(b), 0], [0, 0, 1]]).T
                    pile_v.append(v)
                    pile_uv.append(uv)
                    pile_f.append(f + count)
                    count += len(v)
            if count:
                scene[f"bars{lightness}"] = mesh(
                    "bars", np.concatenate(pile_v), np.concatenate(pile_uv), np.concatenate(pile_f), bsdf
                )
        scene["board"] = {
            "type": "rectangle",
            "to_world": spin.scale([half, half, 1]),
            "b": surface(bitmap(board_tex[::-1]), 0.8, 0.2),
        }
        scene["ground"] = {
            "type": "rectangle",
            "to_world": T().translate([0, 300, -6]).scale([2500, 2500, 1]),
            "b": surface(bitmap(ground_tex), 0.7, 0.2),
        }
        scene["wall"] = {
            "type": "rectangle",
            "to_world": T().translate([0, 1100 * scale, 0]).rotate([1, 0, 0], 90).scale([2500, 1500, 1]),
            "b": surface(bitmap(wall_tex), 0.9, 0.1),
        }
        linear = np.array(mi.render(mi.load_dict(scene | {"sensor": lens_at}), seed=seed * 8 + quarter))
        if exposure is None:
            exposure = want / np.percentile(linear, 92)
        exposed = np.clip(linear * exposure * np.exp(rng.normal() * 0.05), 0, 1)
        coded = np.where(exposed <= 0.0031308, 12.92 * exposed, 1.055 * exposed ** (1 / 2.4) - 0.055)[..., ::-1] * 255
        coded = coded + rng.normal(size=coded.shape) * grain
        name = f"000_t{quarter}_cam0.jpg"
        cv2.imwrite(
            str(folder / "game1" / name),
            np.clip(np.round(coded), 0, 255).astype(np.uint8),
            [cv2.IMWRITE_JPEG_QUALITY, quality],
        )
        b = np.deg2rad(turned)
        turn = np.array([[np.cos(b), -np.sin(b), 0], [np.sin(b), np.cos(b), 0], [0, 0, 1]])
        seen = seen_cells(rotation @ turn, -rotation @ eye, matrix, (width, height), bars, pitch, unit, base_z)
        everywhere |= set(seen)
        views.append({"turned": turned, "files": {"cam0": name}, "cells_seen": {"cam0": seen}})
    table = {
        "game": "turris",
        "columns": 3,
        "rows": 3,
        "pitch": [pitch, pitch],
        "bar": [unit, unit, 2 * unit],
        "colours": {"light": "light", "dark": "dark"},
        "turntable": True,
        "board": [2 * half, 2 * half],
        "base": [3 * pitch + 4, 3 * pitch + 4, base_z],
        "mark": "south",
        "markers": {"dictionary": "DICT_4X4_50", "size": side, "corners": markers},
        "charuco": {"squares": [11, 8], "square": 24.0, "marker": 18.0, "dictionary": "DICT_5X5_100"},
        "cameras": ["cam0"],
    }
    (folder / "table.json").write_text(json.dumps(table))
    frame = {
        "tower": tower_text(bars),
        "kind": "still",
        "turn": None,
        "views": views,
        "visible": {"all": {"cells_seen": sorted(everywhere)}},
    }
    (folder / "truth.json").write_text(json.dumps({"games": [{"name": "game1", "frames": [frame]}]}))


if __name__ == "__main__":
    for number in range(int(sys.argv[2]), int(sys.argv[3])):
        make(number, Path(sys.argv[1]))
        print(number, flush=True)
