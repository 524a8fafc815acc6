"""Cuts top faces, and other places, out of path-traced pictures: training/topnet.py learns from them.

usage: python -m training.topcuts OUT.npz SCENES_FOLDER ... [--wears N] [--first SEED]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.rolltrain import loaded, worn_view
from vision.ledger.dice import dice_of, place_scores
from vision.ledger.plane import Area, top_plane
from vision.ledger.topface import TopCutter

WIDE_PX = 60
"""A cut is kept wider than it is used, to be turned and moved."""
JITTER = 0.05
"""Distance, in dice, of a found place from the die's middle."""
NOT_ONE = 0.5
"""Places this far from every die's middle, in dice, are none."""
BESIDE, ANYWHERE, FOUND = 3, 3, 0.05
REACH = 5.5
NOT_TOLD = -1
"""In place of a face: a die whose top shows a sign, so that no number may be told."""


@dataclass(frozen=True, eq=False)
class Cuts:
    """Cuts of tops and of what is none.

    cuts: (n, WIDE_PX, WIDE_PX, 3) uint8. slopes: (n, 2) as in ``cut_inputs``. faces: (n,) 0 where no die is,
    ``NOT_TOLD`` where a die's top shows no number.
    """

    cuts: NDArray[np.uint8]
    slopes: NDArray[np.float32]
    faces: NDArray[np.int64]


def others(scene: dict[str, NDArray], found: list[NDArray], rng: np.random.Generator) -> list[NDArray]:
    """Return places that are no die's: beside dice, anywhere, and those that the first network took for dice."""
    dice, size = scene["dice"], float(scene["size"])
    turns = rng.uniform(-np.pi, np.pi, size=BESIDE)
    near = dice[rng.integers(len(dice), size=BESIDE), :2]
    near = near + np.column_stack([np.cos(turns), np.sin(turns)]) * rng.uniform(0.5, 1.3, size=(BESIDE, 1)) * size
    wide = rng.uniform(-4.2, 4.2, size=(ANYWHERE, 2)) * size
    every = [*near, *wide, *found]
    return [at for at in every if np.hypot(*(dice[:, :2] - at).T).min() > NOT_ONE * size]


def of_scene(scene: dict[str, NDArray], rng: np.random.Generator) -> Iterator[tuple[NDArray, NDArray, int]]:
    """Yield cuts, slopes and faces of one worn picture."""
    picture, matrix, rotation, translation, size = worn_view(scene, rng)
    middle = scene["dice"][:, :2].mean(axis=0)
    half = REACH * size
    area = Area((middle[0] - half, middle[1] - half), (middle[0] + half, middle[1] + half))
    plane = top_plane(picture, matrix, rotation, translation, area, size)
    found = [np.array(die.at_mm) for die in dice_of(plane, place_scores(plane), FOUND)]
    cutter = TopCutter(picture, matrix, rotation, translation, size, (middle[0], middle[1]))
    spots = [(at, 0) for at in others(scene, found, rng)]
    for x, y, _, face in scene["dice"]:
        spots.append((np.array([x, y]) + rng.normal(size=2) * JITTER * size, int(face)))
    for at, face in spots:
        place = (float(at[0]), float(at[1]))
        if _inside(scene, at, picture.shape, matrix):
            yield cutter.cut(place, 0.0, WIDE_PX), cutter.slope(place, 0.0), face


def _inside(scene: dict[str, NDArray], at: NDArray, shape: tuple[int, ...], matrix: NDArray) -> bool:
    p = matrix @ (scene["R"] @ np.array([*at, float(scene["size"])]) + scene["t"])
    u, v = p[:2] / p[2]
    return bool(8 < u < shape[1] - 9 and 8 < v < shape[0] - 9)


def collected(folders: list[Path], wears: int, rng: np.random.Generator) -> Cuts:
    """Return all cuts of the folders' scenes, each scene worn several times."""
    parts = [
        one for folder in folders for scene in loaded(folder) for _ in range(wears) for one in of_scene(scene, rng)
    ]
    cuts, slopes, faces = zip(*parts, strict=True)
    return Cuts(np.stack(cuts), np.stack(slopes).astype(np.float32), np.array(faces, np.int64))


def main() -> None:
    """Collect and write."""
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("scenes", type=Path, nargs="+")
    parser.add_argument("--wears", type=int, default=4)
    parser.add_argument("--first", type=int, default=1, help="seed of the wear")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    every = collected(args.scenes, args.wears, np.random.default_rng(args.first))
    np.savez(args.out, cuts=every.cuts, slopes=every.slopes, faces=every.faces)
    print(f"{len(every.faces)} cuts, {int((every.faces > 0).sum())} of dice")


if __name__ == "__main__":
    main()
