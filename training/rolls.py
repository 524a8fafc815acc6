"""Path-traces dice on mats, close by, to learn from. Needs mitsuba; not part of the product.

usage: python -m training.rolls OUT_FOLDER FIRST LAST [--dice N] [--views N]
Each scene becomes OUT_FOLDER/NNNNN.npz: a JPEG picture, its pinhole camera, the dice's size and where they lie:
(n, 4) x, y in mm, turn in radians, the face on top. Counters, pawns, cards and printed dots lie among them.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.dice import DieForm, lying, random_form
from training.looks import F32, hsv, noise
from training.meshes import Mesh, flag, revolve
from training.posing import looking
from training.render import mesh_shape, picture, principled, texture
from training.tracer import T, intrinsics, mi, render_missing, sensor

FILM = 320
MAT_MM = 420.0


def random_mat(rng: np.random.Generator, px: int = 900) -> F32:
    """Draw a printed mat: plain, with lines, squares, dots and cards on it, (px, px, 3) linear RGB."""
    base = hsv(rng.uniform(0, 1), rng.uniform(0, 0.8), rng.uniform(0.08, 0.95))
    mat = np.ones((px, px, 3), np.float32) * base
    mat *= (1 + rng.uniform(0, 0.12) * noise(rng, px, 5, 5) + rng.uniform(0, 0.15) * noise(rng, px, 60, 60))[
        ..., None
    ]
    for _ in range(int(rng.choice([0, rng.integers(3, 40)]))):
        tint = _tint(rng)
        x, y = (int(v) for v in rng.integers(0, px, size=2))
        kind = rng.integers(5)
        size = int(px * rng.uniform(0.01, 0.09))
        if kind == 0:
            cv2.rectangle(mat, (x, y), (x + size, y + int(size * rng.uniform(0.5, 1.6))), tint, -1)
        elif kind == 1:
            cv2.circle(mat, (x, y), size // 2, tint, int(rng.choice([-1, 2])))
        elif kind == 2:
            cv2.line(mat, (x, y), tuple(int(v) for v in rng.integers(0, px, size=2)), tint, int(rng.integers(1, 6)))
        elif kind == 3:
            for dx, dy in rng.normal(size=(int(rng.integers(2, 9)), 2)) * px * 0.02:
                cv2.circle(mat, (int(x + dx), int(y + dy)), int(rng.integers(3, 9)), tint, -1)
        else:
            _write(mat, x, y, rng.uniform(0.4, 1.5), tint)
    return np.clip(mat, 0.003, 0.95)


def _write(mat: F32, x: int, y: int, scale: float, tint: tuple[float, float, float]) -> None:
    mask = np.zeros(mat.shape[:2], np.uint8)
    cv2.putText(mask, "start 28", (x, y), cv2.FONT_HERSHEY_SIMPLEX, scale, 255, 2)
    mat[mask > 0] = tint


def _tint(rng: np.random.Generator) -> tuple[float, float, float]:
    colour = hsv(rng.uniform(0, 1), rng.uniform(0, 1), rng.uniform(0.05, 0.98))
    return float(colour[0]), float(colour[1]), float(colour[2])


def scattered(rng: np.random.Generator, number: int, size: float, reach: float) -> NDArray[np.float64]:
    """Draw places (n, 3) of dice: x, y, turn; some touch each other side by side, none stand in one another."""
    out: list[tuple[float, float, float]] = []
    for _ in range(60 * number):
        if len(out) == number:
            break
        turn = rng.uniform(-np.pi, np.pi)
        x, y = rng.uniform(-reach, reach, size=2)
        least = size * 1.42
        if out and rng.random() < 0.35:
            ox, oy, turn = out[int(rng.integers(len(out)))]
            along = turn + rng.integers(4) * np.pi / 2
            slide = rng.uniform(-0.5, 0.5) * size
            gap = size * (1.01 + max(0.0, rng.normal() * 0.06))
            x = ox + np.cos(along) * gap - np.sin(along) * slide
            y = oy + np.sin(along) * gap + np.cos(along) * slide
            turn = turn + rng.normal() * 0.01
            least = size * 1.0
        far = [np.hypot(x - a, y - b) for a, b, _ in out]
        crowd = [d for d in far if d < size * 1.42]
        if not far or (min(far) >= least and len(crowd) <= 1):
            out.append((float(x), float(y), float(turn)))
    return np.array(out).reshape(-1, 3)


def add_dice(
    rng: np.random.Generator, form: DieForm, places: NDArray[np.float64], shapes: dict, name: str, gloss: float
) -> NDArray[np.int64]:
    """Put a set's dice into the scene; returns the faces on top."""
    mesh, faces = Mesh(), []
    for x, y, turn in places:
        face = int(rng.integers(1, 7))
        vertices, _, uv = lying(form, rng, face)
        spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]], np.float32)
        mesh.add(vertices @ spin.T + np.array([x, y, 0], np.float32), uv, np.ones(3, np.float32), form.faces)
        faces.append(face)
    if not faces:  # a scene of the same make every time is compiled once
        vertices, _, uv = lying(form, rng, 1)
        mesh.add(vertices - np.array([0, 0, 900], np.float32), uv, np.ones(3, np.float32), form.faces)
    if mesh.count:
        look = texture(form.atlas) | {"wrap_mode": "clamp"}
        shapes[name] = mesh_shape(mesh, principled(look, rng, gloss), name, False)
    return np.array(faces, np.int64)


def add_others(rng: np.random.Generator, shapes: dict, taken: NDArray[np.float64], size: float, reach: float) -> None:
    """Add counters, coins and pawns between the dice."""
    mesh = Mesh()
    for _ in range(int(rng.integers(0, 9))):
        at = np.append(rng.uniform(-reach, reach, size=2), 0.0)
        if len(taken) and np.hypot(*(taken[:, :2] - at[:2]).T).min() < size * 1.7:
            continue
        colour = hsv(rng.uniform(0, 1), rng.uniform(0, 1), rng.uniform(0.05, 0.95))
        r = rng.uniform(4, 11)
        if rng.random() < 0.6:
            thick = rng.uniform(1, 4)
            revolve(mesh, at.astype(np.float32), [(r, 0), (r, thick), (0.01, thick)], colour, 20)
        else:
            flag(mesh, rng, "pawn", at.astype(np.float32), rng.uniform(16, 30), min(r, 8), colour)
    if not mesh.count:
        revolve(mesh, np.array([0, 0, -900.0], np.float32), [(1, 0), (0.1, 1)], np.ones(3, np.float32))
    if mesh.count:
        shapes["others"] = mesh_shape(
            mesh, principled({"type": "mesh_attribute", "name": "vertex_color"}, rng, 0.3), "others", True
        )


def lights(rng: np.random.Generator) -> dict:
    """Return a sky and two lamps, from soft to hard, from warm to cold."""
    tint = np.exp(rng.normal() * 0.16 * np.array([1, 0, -1]))
    out: dict = {
        "sky": {
            "type": "constant",
            "radiance": {"type": "rgb", "value": (tint * rng.uniform(0.1, 1.0)).tolist()},
        }
    }
    for k in range(2):
        direction, tilt = rng.uniform(0, 2 * np.pi), np.deg2rad(rng.uniform(20, 88))
        far, size = rng.uniform(1250, 2400), rng.uniform(30, 450)
        place = far * np.array([np.cos(tilt) * np.cos(direction), np.cos(tilt) * np.sin(direction), np.sin(tilt)])
        power = rng.uniform(0.3, 3.0) * (1 if k == 0 else rng.choice([0.02, 0.6])) * (far / size) ** 2 / 4
        warm = tint * np.exp(rng.normal() * 0.08 * np.array([1, 0, -1]))
        out[f"lamp{k}"] = {
            "type": "rectangle",
            "to_world": T().look_at(place.tolist(), [0, 0, 0], [0.1, 0.2, 1]).scale([size, size, 1]),
            "e": {"type": "area", "radiance": {"type": "rgb", "value": (warm * power).tolist()}},
        }
    return out


def random_eye(
    rng: np.random.Generator, target: NDArray[np.float64], azimuth: float | None = None
) -> tuple[NDArray[np.float64], float]:
    """Return where a camera stands, in any direction or a given one, and how far from its target."""
    low, high = [(38, 66), (66, 88), (27, 38)][rng.choice(3, p=[0.5, 0.35, 0.15])]
    elevation, drawn = np.deg2rad(rng.uniform(low, high)), rng.uniform(0, 2 * np.pi)
    azimuth = drawn if azimuth is None else azimuth
    distance = rng.uniform(450, 1100)
    ways = [np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)]
    return target + distance * np.array(ways), distance


def make(seed: int, out: Path, dice: int | None = None, views: int | None = None) -> None:
    """Render one scene into an npz file; of several views all but the first into files with -1, -2 ... behind."""
    rng = np.random.default_rng([seed, 66])
    size = rng.uniform(11, 21)
    reach = size * 4.2
    shapes: dict = {"type": "scene", "integrator": {"type": "path", "max_depth": 4}} | lights(rng)
    shapes["mat"] = {
        "type": "rectangle",
        "to_world": T().scale([MAT_MM / 2, MAT_MM / 2, 1]),
        "b": principled(texture(random_mat(rng)), rng, float(rng.choice([0.1, 0.6]))),
    }
    places = scattered(rng, dice or int(rng.integers(6, 13)), size, reach)
    sets = rng.integers(0, 3 if dice is None else 1 + int(rng.random() < 0.3), size=len(places))
    faces = np.zeros(len(places), np.int64)
    for k in range(3):
        own = np.flatnonzero(sets == k)
        gloss = float(rng.choice([rng.uniform(0, 0.3), rng.uniform(0.3, 0.85)]))
        faces[own] = add_dice(rng, random_form(rng, size), places[own], shapes, f"dice{k}", gloss)
    add_others(rng, shapes, places, size, reach)
    truth = {"size": size, "dice": np.column_stack([places, faces])}
    eye = photographed(rng, shapes, truth, seed, out / f"{seed:05d}.npz", None)
    first = float(np.arctan2(eye[1], eye[0]))
    for view in range(1, views or 1):  # cameras stand around a table, not beside each other
        azimuth = first + 2 * np.pi * view / (views or 1) + rng.normal() * 0.35
        photographed(rng, shapes, truth, seed + 1000003 * view, out / f"{seed:05d}-{view}.npz", azimuth)


def photographed(
    rng: np.random.Generator, shapes: dict, truth: dict, seed: int, path: Path, azimuth: float | None
) -> NDArray[np.float64]:
    """Render one camera's picture of a scene into a file; where the camera stands."""
    size = float(truth["size"])
    target = np.append(rng.normal(size=2) * 4, size / 2)
    eye, distance = random_eye(rng, target, azimuth)
    focal = rng.uniform(19, 40) * distance / size
    samples = int(rng.choice([6, 12, 24], p=[0.5, 0.35, 0.15]))
    rotation, film = looking(eye, target, rng.normal() * 0.2), (FILM, FILM)
    camera = sensor(rotation, eye, focal, film, samples)
    linear = np.array(mi.render(mi.load_dict(shapes | {"sensor": camera}), seed=seed))
    _, coded = cv2.imencode(".jpg", picture(linear, rng), [cv2.IMWRITE_JPEG_QUALITY, 94])
    np.savez(path, jpg=coded, K=intrinsics(focal, film), R=rotation, t=-rotation @ eye, **truth)
    return eye


if __name__ == "__main__":
    render_missing(
        make,
        dice=(int, "so many dice in every scene, as many as are rolled, to measure on"),
        views=(int, "so many cameras look at each scene"),
    )
