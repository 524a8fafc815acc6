"""Training examples: rendered scenes, worn by every camera fault that can be put on afterwards (training/wear.py)."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import Dataset

from training.net import PIECES
from training.visible import seen_fields
from training.wear import mixture, painted, worn
from vision.heights.scorer import normalised
from vision.heights.sweep import Grid, Sweep, camera_centre, quarter_turns, sweep

LEVELS = 10
PAINTED = 0.25
"""Share of the scenes whose colours are changed so much that pieces can't be named by them."""


class Example(NamedTuple):
    """One scene seen by two cameras, fields in each view's order.

    x: (2, LEVELS, 14, h, w) network input. y: (2, rows, cols) joint labels, PIECES * height + piece.
    cells: (2, rows, cols) each field's number on the board. seen: (2, rows, cols) 1 where this camera sees the
    stack's top. named: (2,) 1 where the pieces' colours mean something, else 0. kit: (2, PIECES) 1 for each class
    that may stand on this table.
    """

    x: Tensor
    y: Tensor
    cells: Tensor
    seen: Tensor
    named: Tensor
    kit: Tensor


def shaken(rotation: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Return a rotation that is off by some hundredths of a degree."""
    return cv2.Rodrigues(rng.normal(size=3) * np.deg2rad(0.03))[0] @ rotation


def flipped(one: Sweep) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.intp]]:
    """Mirror left and right."""
    slope = one.slope[:, :, ::-1] * np.array([-1, 1], np.float32)[:, None, None]
    return one.stack[:, :, ::-1], slope, one.cells[:, ::-1]


def inputs(stack: NDArray[np.uint8], slope: NDArray[np.float32]) -> Tensor:
    """Return the network's input (levels, 14, h, w)."""
    return torch.from_numpy(normalised(np.ascontiguousarray(stack), np.ascontiguousarray(slope)))


def sides(files: list[Path]) -> list[int]:
    """Return how many fields each scene's board has on a side."""
    out = []
    for file in files:
        with np.load(file) as data:
            out.append(len(data["heights"]))
    return out


class Scenes(Dataset[Example]):
    """Rendered scenes as examples, worn anew each time in training."""

    def __init__(self, files: list[Path], train: bool) -> None:
        self.files, self.train = files, train

    def __len__(self) -> int:
        return len(self.files)

    def __getitem__(self, index: int) -> Example:
        cv2.setNumThreads(1)
        rng = np.random.default_rng(None if self.train else index)
        with np.load(self.files[index]) as data:
            scene = {k: data[k] for k in data.files}
        label = scene["heights"].astype(int) * PIECES + scene["pieces"]
        rows, cols = label.shape
        kit = torch.zeros(2, PIECES)
        kit[:, scene["kit"]] = 1
        error = np.exp(rng.normal(size=2) * 0.003)
        grid = Grid(rows, cols, (float(scene["pitch"]) * error[0],) * 2, float(scene["cube"][2]) * error[1])
        tint = np.exp(rng.normal() * 0.12 * np.array([-1, 0, 1])) * np.exp(rng.normal(size=3) * 0.03)
        mix = mixture(rng) if self.train and rng.random() < PAINTED else None
        parts = []
        for k in range(2):
            picture = cv2.imdecode(scene[f"jpg{k}"], cv2.IMREAD_COLOR)
            picture = worn(picture if mix is None else painted(picture, mix), rng, tint)
            matrix = scene[f"K{k}"].copy()
            if rng.random() < 0.4:
                factor = rng.uniform(0.6, 1.0)
                size = picture.shape[1] * factor, picture.shape[0] * factor
                picture = cv2.resize(picture, (round(size[0]), round(size[1])), interpolation=cv2.INTER_AREA)
                matrix[:2] *= factor
            rotation, translation = scene[f"R{k}"], scene[f"t{k}"]
            seen = seen_fields(scene, camera_centre(rotation, translation))
            rotation = shaken(rotation, rng)
            translation = translation + rng.normal(size=3) * [0.2, 0.2, 0.5]
            turns = quarter_turns(camera_centre(rotation, translation))
            one = sweep(picture, matrix, rotation, translation, grid, LEVELS, turns)
            stack, slope, order = flipped(one) if rng.random() < 0.5 else (one.stack, one.slope, one.cells)
            at = order[..., 0], order[..., 1]
            cells = torch.from_numpy(np.ascontiguousarray(at[0] * cols + at[1]))
            parts.append((inputs(stack, slope), torch.from_numpy(label[at]), cells, torch.from_numpy(seen[at])))
        x, y, cells, seen_by = (torch.stack(part) for part in zip(*parts, strict=True))
        return Example(x, y, cells, seen_by, torch.full((2,), float(mix is None)), kit)
