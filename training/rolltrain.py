"""Trains the dice's network on path-traced mats. Needs torch; not part of the product.

usage: python -m training.rolltrain SCENES_FOLDER OUT.pt [--minutes M] [--init FILE.pt]
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch.utils.data import DataLoader, IterableDataset

from training.data import shaken
from training.dicenet import FACES, DiceNet
from training.wear import mixture, painted, worn
from vision.ledger.plane import CELL_PX, DIE_PX, Area, TopPlane, folded, top_plane

SIDE_DICE = 6.0
"""A patch is so many dice wide."""
NEAR, BESIDE = 0.2, 0.4
"""Places this near a die's middle tell what it shows; those a little further off are not asked."""
_OPEN = -1
FACES_WEIGHT, REST_WEIGHT = 2.0, 15.0
PATCHES = 3
"""Parts of one worn picture: wearing it costs as much as three of them."""
PAINTED = 0.6
NEAR_DICE = 0.65
"""Share of the patches that lie about a die."""


def worn_view(
    scene: dict[str, NDArray], rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], float]:
    """Return a scene's picture by a cheap camera, with slightly wrong intrinsics, pose and size."""
    size = float(scene["size"]) * np.exp(rng.normal() * 0.015)
    picture = np.asarray(cv2.imdecode(scene["jpg"], cv2.IMREAD_COLOR), np.uint8)
    if rng.random() < PAINTED:
        picture = painted(picture, mixture(rng))
    if rng.random() < 0.1:
        picture = 255 - picture
    tint = np.exp(rng.normal() * 0.15 * np.array([-1, 0, 1])) * np.exp(rng.normal(size=3) * 0.04)
    picture = worn(picture, rng, tint)
    matrix = scene["K"].copy()
    if rng.random() < 0.4:
        least = 21 * np.linalg.norm(scene["t"]) / matrix[0, 0] / size
        factor = max(rng.uniform(0.5, 1.0), min(1.0, least))
        picture = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        matrix[:2] *= factor
    return picture, matrix, shaken(scene["R"], rng), scene["t"] + rng.normal(size=3) * [0.3, 0.3, 0.8], size


def patches(scene: dict[str, NDArray], rng: np.random.Generator) -> Iterator[tuple[NDArray, NDArray]]:
    """Yield network input and labels of some parts of a worn scene, turned at random."""
    picture, matrix, rotation, translation, size = worn_view(scene, rng)
    centre = -rotation.T @ translation
    half = SIDE_DICE / 2 * size - 0.01
    side = int(SIDE_DICE * DIE_PX)
    for _ in range(PATCHES):
        near = scene["dice"][rng.integers(len(scene["dice"])), :2] + rng.uniform(-2.0, 2.0, size=2) * size
        # What lies about is no die: that is learned elsewhere on the mat.
        at = near if rng.random() < NEAR_DICE else rng.uniform(-4.5, 4.5, size=2) * size
        area = Area((float(at[0] - half), float(at[1] - half)), (float(at[0] + half), float(at[1] + half)))
        towards = float(np.arctan2(-(centre[1] - at[1]), centre[0] - at[0])) - np.pi / 2
        # Turned so that the camera stands about below, within what a wide mat brings.
        turn = towards + np.clip(rng.normal() * 0.25, -0.6, 0.6)
        plane = top_plane(picture, matrix, rotation, translation, area, size, turn, bool(rng.random() < 0.5))
        h, w = ((n - side) // 2 for n in plane.picture.shape[:2])
        cut = (slice(h, h + side), slice(w, w + side))
        to_mm = plane.to_mm.copy()
        to_mm[:2, 2] += to_mm[:2, :2] @ [w, h]
        part = TopPlane(plane.picture[cut], plane.slope[(slice(None), *cut)], to_mm, plane.seen[cut])
        yield folded(part), labels(part, scene["dice"])


def labels(plane: TopPlane, dice: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return what each place should say, (h / 4, w / 4); -1 where nothing is asked."""
    rows, cols = plane.picture.shape[0] // CELL_PX, plane.picture.shape[1] // CELL_PX
    out = np.zeros((rows, cols), np.int64)
    inverse = np.linalg.inv(plane.to_mm)
    y, x = np.indices((rows, cols)) * CELL_PX + (CELL_PX - 1) / 2
    for dx, dy, _, face in dice:
        u, v, _ = inverse @ [dx, dy, 1]
        away = np.hypot(x - u, y - v) / DIE_PX
        out[(away < BESIDE) & (out <= 0)] = _OPEN
        out[away < NEAR] = int(face)
    seen = cv2.erode(plane.seen.astype(np.uint8), np.ones((DIE_PX, DIE_PX), np.uint8), borderValue=1)
    out[seen[CELL_PX // 2 :: CELL_PX, CELL_PX // 2 :: CELL_PX] == 0] = _OPEN
    return out


class Stream(IterableDataset[tuple[Tensor, Tensor]]):
    """Batches without end; scenes that appear meanwhile are taken in."""

    def __init__(self, folder: Path, size: int) -> None:
        self.folder, self.size = folder, size

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        cv2.setNumThreads(1)
        rng = np.random.default_rng()
        x: list[NDArray] = []
        y: list[NDArray] = []
        while True:
            scenes = loaded(self.folder)
            for number in rng.permutation(np.repeat(np.arange(len(scenes)), 4)):
                for given, wanted in patches(scenes[number], rng):
                    x.append(given)
                    y.append(wanted)
                if len(x) >= self.size:
                    order = rng.permutation(len(x))
                    yield torch.from_numpy(np.stack(x)[order]), torch.from_numpy(np.stack(y)[order])
                    x, y = [], []


def loss_of(model: nn.Module, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Return the loss, and (3,): the faces' loss, the share of dice told as a wrong face, and false alarms.

    Whether a die lies there is learned soon; so it counts less than which face it shows.
    """
    with torch.autocast("cpu", dtype=torch.bfloat16):
        scores = model(x)
    scores = scores.float()
    dice, rest = y > 0, y == 0
    some = scores[:, 1:].logsumexp(1) - scores[:, 0]
    here = nn.functional.softplus(-some[dice]).mean()
    nowhere = nn.functional.softplus(some[rest]).mean()
    faces = scores.permute(0, 2, 3, 1)[dice][:, 1:]
    which = nn.functional.cross_entropy(faces, y[dice] - 1)
    wrong = (faces.argmax(1) != y[dice] - 1).float().mean()
    figures = torch.stack([which.detach(), wrong, (some[rest] > 0).float().mean()])
    return FACES_WEIGHT * which + here + REST_WEIGHT * nowhere, figures


def loaded(folder: Path) -> list[dict[str, NDArray]]:
    """Return all scenes of a folder."""
    out = []
    for path in sorted(folder.glob("*.npz")):
        try:
            with np.load(path) as data:
                out.append({k: data[k] for k in data.files})
        except (OSError, ValueError, EOFError):
            continue  # being written
    return out


def main() -> None:
    """Train for the given time and write the averaged weights every few minutes."""
    parser = argparse.ArgumentParser()
    parser.add_argument("scenes", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--batch", type=int, default=9)
    parser.add_argument("--init", type=Path)
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(1)
    model = DiceNet().to(memory_format=torch.channels_last)
    if args.init:
        model.load_state_dict(torch.load(args.init))
    optimiser = torch.optim.AdamW(model.parameters(), lr=args.rate, weight_decay=2e-2)
    average = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.99), use_buffers=True)
    assert model.head.out_channels == FACES
    start = shown = time.time()
    batches = iter(DataLoader(Stream(args.scenes, args.batch), batch_size=None, num_workers=1, prefetch_factor=3))
    sums, steps = torch.zeros(3), 0
    while (progress := (time.time() - start) / (args.minutes * 60)) < 1:
        x, y = next(batches)
        for group in optimiser.param_groups:
            group["lr"] = args.rate * min(1.0, (steps + 1) / 50) * (0.5 + 0.5 * math.cos(math.pi * progress)) + 1e-6
        loss, figures = loss_of(model, x.to(memory_format=torch.channels_last), y)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        average.update_parameters(model)
        sums, steps = sums + figures, steps + 1
        if steps % 100 == 0:
            told = "faces' loss {:.4f}, wrong {:.4f}, false alarms {:.5f}".format(*(sums / 100).tolist())
            print(f"{progress * args.minutes:.1f} min, step {steps}: {told}", flush=True)
            sums = torch.zeros(3)
        if time.time() - shown > 90:
            shown = time.time()
            torch.save(average.module.state_dict(), args.out)
    torch.save(average.module.state_dict(), args.out)


if __name__ == "__main__":
    main()
