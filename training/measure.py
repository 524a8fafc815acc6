"""Reads rendered scenes as the product does: how often it errs, and what its temperatures should be.

usage: python -m training.measure SCENES_FOLDER ... [--first N] [--last N] [--one] [--light] [--weights flags]
Scenes kept out of training go through sweep, scorer and fusion with the exported weights, without history, noise and
wear drawn by the scene's number. Prints what is told right, told wrong and left open, in sight of a camera and out of
it, and the temperatures under which the truth is likeliest, so that beliefs mean what they say: a network is surer of
what it has not seen before than it should be (Guo et al., On Calibration of Modern Neural Networks, ICML 2017).
``--one``: by the first camera alone. ``--light``: pictures worn by grain, blur and compression alone.
``--weights``: scenes that are read by this set; by default those of castles.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.pose import Pose
from calibration.table import TableSetup
from referee.values.belief import log_probabilities
from training.net import PIECES
from training.train import HELD_OUT
from training.visible import seen_fields, table_of
from training.wear import grained, worn
from vision.geometry.view import View
from vision.heights.change import CameraLook
from vision.heights.decode import TOLD, TOLD_ALONE, TOLD_FLAG
from vision.heights.pieces import Pieces
from vision.heights.portrait import with_portraits
from vision.heights.scorer import LEVELS, score_views, together
from vision.heights.sweep import Grid, camera_centre, sweep
from vision.heights.temperature import ALONE

LETTERS = "rygbopwnk"
TURNED_DEG, MOVED_MM = 0.03, np.array([0.2, 0.2, 0.5])
"""By how much a pose found in a picture is off, about each axis and along it."""
TRIED = np.exp(np.linspace(np.log(0.5), np.log(2.5), 60))


@dataclass(frozen=True, eq=False)
class Said:
    """Log-likelihoods (fields, classes) and truth (fields,) of heights and of pieces, and which fields are seen."""

    heights: NDArray[np.float64]
    height: NDArray[np.int64]
    pieces: NDArray[np.float64]
    piece: NDArray[np.int64]
    seen: NDArray[np.bool_]


class Shown(NamedTuple):
    """A scene as cameras show it, worn: its table and pieces, each camera's look and view, and which fields are seen.

    heights, pieces: (fields,) the truth, pieces by their number among those that may stand here. seen: (fields,).
    """

    table: TableSetup
    kit: Pieces
    looks: dict[str, CameraLook]
    views: list[View]
    heights: NDArray[np.int64]
    pieces: NDArray[np.int64]
    seen: NDArray[np.bool_]


def shown(path: Path, number: int, cameras: int = 2, light: bool = False, astray: float = 0.0) -> Shown:
    """Return a rendered scene with noise and wear drawn by its number.

    astray: poses are off by so many times ``TURNED_DEG`` and ``MOVED_MM``, standard deviations.
    """
    with np.load(path) as data:
        scene = {k: data[k] for k in data.files}
    rng = np.random.default_rng(number)
    table = table_of(scene)
    grid = Grid(table.rows, table.columns, table.pitch_mm, table.cube_mm[2])
    kit = tuple(int(k) for k in scene["kit"])
    code = np.zeros(PIECES, np.int64)
    code[list(kit)] = range(len(kit))
    tint = np.exp(rng.normal(size=3) * 0.05)
    looks, views, seen = {}, [], np.zeros(scene["heights"].shape, np.bool_)
    for k in range(cameras):
        picture = np.asarray(cv2.imdecode(scene[f"jpg{k}"], cv2.IMREAD_COLOR), np.uint8)
        picture = grained(picture, rng) if light else worn(picture, rng, tint)
        rotation, translation = scene[f"R{k}"], scene[f"t{k}"]
        if astray:
            rotation = cv2.Rodrigues(rng.normal(size=3) * np.deg2rad(astray * TURNED_DEG))[0] @ rotation
            translation = translation + rng.normal(size=3) * MOVED_MM * astray
        centre = camera_centre(rotation, translation)
        swept = sweep(picture, scene[f"K{k}"], rotation, translation, grid, LEVELS)
        looks[f"cam{k}"] = CameraLook(swept, centre)
        lens = Lens((picture.shape[1], picture.shape[0]), scene[f"K{k}"], np.zeros(5), 0.0)
        views.append(View(f"cam{k}", picture, lens, Pose(rotation, translation, 4, 0.0)))
        seen |= seen_fields(scene, centre) > 0
    pieces = Pieces("".join(LETTERS[k - 1] for k in kit[1:]), kit)
    height = scene["heights"].ravel().astype(np.int64)
    return Shown(table, pieces, looks, views, height, code[scene["pieces"].ravel().astype(np.int64)], seen.ravel())


def said(path: Path, number: int, one: bool, light: bool = False) -> Said:
    """Return what the cameras together tell of one scene."""
    at = shown(path, number, 1 if one else 2, light)
    every = together(score_views(at.looks, at.table, pieces=at.kit), at.table, at.kit)
    belief = with_portraits(every, at.views, at.table, None, at.kit)
    places = list(at.kit.classes)
    pieces = np.full((at.heights.size, PIECES), -100.0)
    pieces[:, places] = belief.flags.reshape(at.heights.size, -1)
    return Said(
        belief.heights.reshape(-1, LEVELS), at.heights, pieces, np.array(places, np.int64)[at.pieces], at.seen
    )


def weights_for(path: Path) -> str:
    """Return the name of the weights that read a scene."""
    with np.load(path) as data:
        return Pieces("", tuple(int(k) for k in data["kit"])).weights


def unlikeliness(scores: NDArray[np.float64], truth: NDArray[np.int64], factor: float) -> float:
    """Mean minus log-probability of the truth when scores are divided by ``factor``."""
    return float(-log_probabilities(scores / factor)[np.arange(len(truth)), truth].mean())


def shares(scores: NDArray[np.float64], truth: NDArray[np.int64], told: float) -> str:
    """Return what is told right, told wrong and left open, in words."""
    chances = np.exp(log_probabilities(scores))
    sure, right = chances.max(1) >= told, chances.argmax(1) == truth
    return f"right {(sure & right).mean():.4f}, wrong {(sure & ~right).mean():.5f}, open {(~sure).mean():.4f}"


def scenes_parser() -> argparse.ArgumentParser:
    """Return options that choose the scenes to measure, and how worn they are."""
    parser = argparse.ArgumentParser()
    parser.add_argument("scenes", type=Path, nargs="+")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--last", type=int, default=HELD_OUT)
    parser.add_argument("--light", action="store_true")
    parser.add_argument("--weights", choices=sorted(ALONE), default="pieces")
    return parser


def chosen(args: argparse.Namespace) -> list[Path]:
    """Return the scenes so chosen, of each folder its own first to last."""
    kept = [path for folder in args.scenes for path in sorted(folder.glob("*.npz"))[args.first : args.last]]
    return [path for path in kept if weights_for(path) == args.weights]


def main() -> None:
    """Measure and print."""
    parser = scenes_parser()
    parser.add_argument("--one", action="store_true")
    args = parser.parse_args()
    files = chosen(args)
    parts = [said(path, number, args.one, args.light) for number, path in enumerate(files)]
    every = Said(*(np.concatenate([getattr(part, name) for part in parts]) for name in Said.__dataclass_fields__))
    seen = every.seen
    print(f"{len(files)} scenes, {seen.sum()} fields in sight, {(~seen).sum()} out of sight")
    told_height = TOLD_ALONE if args.weights == "flags" else TOLD
    for name, scores, truth, told in (
        ("heights", every.heights, every.height, told_height),
        ("pieces", every.pieces, every.piece, TOLD_FLAG),
    ):
        at = min(TRIED, key=lambda t, s=scores, y=truth: unlikeliness(s[seen], y[seen], t))
        away = unlikeliness(scores[seen], truth[seen], at)
        print(f"{name}: {shares(scores[seen], truth[seen], told)}")
        print(f"  likeliest at {at:.2f} of the present temperatures: {away:.4f} nats a field")
        print(f"  then {shares(scores[seen] / at, truth[seen], told)}")
        print(f"  out of sight {shares(scores[~seen] / at, truth[~seen], told)}")
    there = (every.piece > 0) & seen
    found, empty = every.pieces.argmax(1), (every.piece == 0) & seen
    right, invented = (found == every.piece)[there].mean(), (found > 0)[empty].mean()
    print(f"pieces found {right:.4f}, invented on {invented:.5f} of tops")


if __name__ == "__main__":
    main()
