"""Path-traces throws of two dice on whole mats as a good set-up shows them. Needs mitsuba; not part of the product.

usage: python -m training.throws OUT_FOLDER FIRST LAST [--cameras N]
Each number becomes a table folder as of training/mats.py, with other dice, another mat and other light every time,
and one throw: 1280 x 960 from each camera, exposed so that the frame's paper is neither grey nor burnt out, as
automatic exposure and the certificate see to. The part where dice lie is traced finer: a camera's picture has little
grain when its look is the mean of four frames.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup, parse_table
from training.dice import DieForm, random_form
from training.mats import ROLLED, camera_of, colours, printed, shapes_of, stand_up, table_text
from training.render import mended
from training.rolls import add_dice, scattered
from training.tracer import mi, render_missing
from vision.geometry.printed_frame import frame_band
from vision.geometry.view import View
from vision.ledger.places import NOWHERE
from vision.ledger.teaching import save_places

FILM = (1280, 960)
FINE = (416, 384)
"""The part traced finer, width and height in pixels: the rolled area fits in from everywhere."""
SAMPLES, FINE_SAMPLES = 4, 40
PAPER_LEVELS = (110.0, 235.0)
"""Brightness of the frame's paper, of 255."""


def paper_of(linear: NDArray[np.float32], view: View, table: TableSetup) -> float:
    """Return how bright the frame's paper is in a linear picture: the median over its places and channels' means."""
    band = frame_band(table)
    spots = view.project(band.points_mm[band.paper][::7]).astype(np.float32)
    return float(np.median(cv2.remap(linear.mean(axis=-1), spots[:, :1], spots[:, 1:], cv2.INTER_LINEAR)))


def traced(shapes: dict, camera: dict, fine_at: tuple[int, int], seed: int) -> NDArray[np.float32]:
    """Trace a linear picture, finer in a part whose upper left corner is given."""
    whole = mended(np.array(mi.render(mi.load_dict(shapes | {"sensor": camera}), seed=seed)))
    x, y = fine_at
    film = camera["film"] | {"crop_offset_x": x, "crop_offset_y": y, "crop_width": FINE[0], "crop_height": FINE[1]}
    close = camera | {"film": film, "sampler": {"type": "independent", "sample_count": FINE_SAMPLES}}
    part = mended(np.array(mi.render(mi.load_dict(shapes | {"sensor": close}), seed=seed + 1)))
    whole[y : y + FINE[1], x : x + FINE[0]] = part
    return np.asarray(whole, np.float32)


def photographed(
    rng: np.random.Generator, shapes: dict, camera: dict, view: View, table: TableSetup
) -> NDArray[np.uint8]:
    """Return one camera's picture, (h, w, 3) BGR."""
    middle = view.project(np.append(np.mean(ROLLED, axis=0), table.die_mm or 0.0)[None])[0]
    corner = np.clip(middle - np.array(FINE) / 2, 0, np.array(FILM) - FINE).astype(int)
    linear = traced(shapes, camera, (int(corner[0]), int(corner[1])), int(rng.integers(1 << 30)))
    wanted = (rng.uniform(*PAPER_LEVELS) / 255) ** 2.2
    exposed = np.clip(linear * wanted / paper_of(linear, view, table), 0, 1)
    return np.asarray(np.round(exposed[..., ::-1] ** (1 / 2.2) * 255), np.uint8)


def thrown(rng: np.random.Generator, form: DieForm, paper: NDArray[np.float32]) -> tuple[dict, list[int]]:
    """Return a full mat with two dice on it, and their faces from left to right."""
    shapes = shapes_of(rng, paper)
    low, high = np.array(ROLLED)
    places = scattered(rng, 2, form.size_mm, float((high - low).min() / 2 - form.size_mm))
    places[:, :2] += (low + high) / 2
    faces = add_dice(rng, form, places, shapes, "dice", 0.3)
    stand_up(rng, shapes, colours(rng), True)
    return shapes, [int(face) for face in faces[np.argsort(places[:, 0])]]


def make(number: int, out: Path, cameras: int | None = None) -> None:
    """Render one table folder with one throw."""
    rng = np.random.default_rng([number, 1816])
    folder = out / f"{number:05d}"
    (folder / "calibration").mkdir(parents=True, exist_ok=True)
    form = random_form(rng, rng.uniform(13, 19))
    count = cameras or 1
    text = table_text(form.size_mm, count)
    table = parse_table(text)
    (folder / "table.json").write_text(text)
    shapes, faces = thrown(rng, form, printed(rng, table))
    turn = rng.uniform(0, 2 * np.pi)
    for k in range(count):
        azimuth = turn + 2 * np.pi * k / count + rng.normal() * 0.25
        camera, lens, pose = camera_of(rng, folder, f"cam{k}", azimuth, FILM, SAMPLES)
        seen = photographed(rng, shapes, camera, View(f"cam{k}", np.zeros((1, 1, 3), np.uint8), lens, pose), table)
        name = f"002-cam{k}.jpg" if k else "002.jpg"
        cv2.imwrite(str(folder / name), seen, [cv2.IMWRITE_JPEG_QUALITY, 94])
    (folder / "truth.json").write_text(json.dumps({"pictures": [{"file": "002.jpg", "dice": faces}]}))
    save_places(folder, replace(NOWHERE, rolled_on=ROLLED))


if __name__ == "__main__":
    render_missing(make, cameras=(int, "so many cameras stand around each mat"))
