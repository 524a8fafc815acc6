"""Measure where pictures of a table without a printed frame are thought to have been taken from.

``python -m benchmarks.poses DIR [--every N] [--off SHARE] [--corners N]`` compares with the true poses in a table's
``truth.json``: of each game's frames ``files`` and, for each, ``rotation`` and ``translation``; of all ``lenses``.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.boardfile import CornerTouch, load_touches
from calibration.boardfinder import BoardFinder, upright
from calibration.errors import CalibrationError, PoseError
from calibration.exif import focal_length_px, picture_note
from calibration.lens import Lens, undistort_points
from calibration.picturefile import decode_picture
from calibration.pose import Pose
from calibration.table import TableSetup, load_table

MISTAKEN = 2.0
"""A field that is thought to lie so many fields off: one side was taken for another."""


@dataclass(frozen=True)
class Placed:
    """A picture. off: how far off its fields lie, in fields, on average; ``None`` where it was left out."""

    name: str
    off: float | None
    took_s: float


def off_fields(table: TableSetup, found: tuple[Lens, Pose], true: tuple[Lens, Pose]) -> float:
    """Return how far off the fields' middles are placed on the board, in fields, on average."""
    (lens, pose), (true_lens, true_pose) = found, true
    middles = table.centres_mm().reshape(-1, 2)
    shown = true_pose.project(np.column_stack([middles, np.zeros(len(middles))]), true_lens)
    ways = np.column_stack([undistort_points(shown, lens), np.ones(len(shown))]) @ np.linalg.inv(lens.matrix).T
    ways = ways @ pose.rotation
    placed = pose.centre_mm - ways * (pose.centre_mm[2] / ways[:, 2])[:, None]
    return float(np.linalg.norm(placed[:, :2] - middles, axis=1).mean() / min(table.pitch_mm))


def true_poses(folder: Path) -> list[tuple[str, Lens, Pose]]:
    """Return each picture's name below the folder, and its true lens and pose."""
    truth: dict[str, Any] = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    told = truth["lenses"][0]
    lying = Lens(tuple(told["size"]), np.array(told["matrix"]), np.array(told["distortion"]), 0.0)
    found = []
    for game in truth["games"]:
        for frame in game["frames"]:
            for name, pose in zip(frame["files"], frame["camera_poses"], strict=True):
                height, width = decode_picture((folder / game["name"] / name).read_bytes()).shape[:2]
                lens = lying if width >= height else upright(lying)
                at = Pose(np.array(pose["rotation"]), np.array(pose["translation"]), 0, 0.0)
                found.append((f"{game['name']}/{name}", lens, at))
    return found


def touched(folder: Path, off: float, corners: int, seed: int) -> tuple[CornerTouch, ...]:
    """Return a table's touches, moved at random by a share of the picture's width, and so many of their corners."""
    dice = np.random.default_rng(seed)
    found = []
    for touch in load_touches(folder):
        width = decode_picture(touch.picture.read_bytes()).shape[1]
        names = list(touch.corners_px)
        kept = sorted(dice.permutation(len(names))[: min(corners, len(names))])
        turns = dice.uniform(0, 2 * np.pi, len(names))
        aside = {name: off * width * np.array([np.cos(a), np.sin(a)]) for name, a in zip(names, turns, strict=True)}
        moved = {names[at]: tuple(touch.corners_px[names[at]] + aside[names[at]]) for at in kept}
        found.append(CornerTouch(touch.picture, moved))
    return tuple(found)


def measured(folder: Path, every: int, touches: tuple[CornerTouch, ...]) -> list[Placed]:
    """Place every so-many-th picture as one that a phone sends. Raises CalibrationError for touches of no use."""
    table = load_table(folder)
    finder = BoardFinder(table, folder, touches)
    finder.require_learnt()
    found = []
    for name, lens, pose in true_poses(folder)[::every]:
        content = (folder / name).read_bytes()
        picture, told = decode_picture(content), picture_note(content).focal_35_mm
        focal_px = None if told is None else focal_length_px(told, (picture.shape[1], picture.shape[0]))
        began = time.perf_counter()
        try:
            off = off_fields(table, finder.photographed(picture, focal_px, name), (lens, pose))
        except PoseError:
            off = None
        found.append(Placed(name, off, time.perf_counter() - began))
    return found


def told(placed: list[Placed]) -> str:
    """Say in one line how well pictures were placed."""
    offs: NDArray[np.float64] = np.array([one.off for one in placed if one.off is not None])
    took = float(np.median([one.took_s for one in placed])) if placed else 0.0
    if not len(offs):
        return f"0 of {len(placed)} placed, {took:.1f} s each"
    wrong = int((offs > MISTAKEN).sum())
    return (
        f"{len(offs)} of {len(placed)} placed, median {np.median(offs):.4f} of a field, "
        f"95 % {np.percentile(offs, 95):.4f}, largest {offs.max():.4f}, sides mistaken {wrong}, {took:.1f} s each"
    )


def main() -> None:
    """Measure a table, and print each picture that is left out or badly placed."""
    parser = argparse.ArgumentParser(description="How well pictures of a table without a frame are placed.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", type=int, default=1, help="take every so-many-th picture")
    parser.add_argument("--off", type=float, default=0.0, help="move touches by this share of the picture's width")
    parser.add_argument("--corners", type=int, default=4, help="corners touched")
    parser.add_argument("--seed", type=int, default=0, help="of the moves and of the corners left out")
    asked = parser.parse_args()
    try:
        placed = measured(asked.folder, asked.every, touched(asked.folder, asked.off, asked.corners, asked.seed))
    except CalibrationError as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(1) from None
    for one in placed:
        if one.off is None or one.off > 0.05:
            sys.stdout.write(f"{one.name}: {'left out' if one.off is None else f'{one.off:.3f} of a field off'}\n")
    sys.stdout.write(f"{told(placed)}\n")


if __name__ == "__main__":
    main()
