"""Training examples: rendered scenes, worn by every camera fault that can be put on afterwards."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import Dataset

from vision.scorer import normalised
from vision.sweep import Grid, Sweep, camera_centre, quarter_turns, sweep

LEVELS = 10


def worn(picture: NDArray[np.uint8], rng: np.random.Generator, tint: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Expose, tint, blur, add noise and compress a picture as cheap cameras do."""
    gain = np.exp(rng.normal() * 0.25) * (rng.uniform(1.4, 2.6) if rng.random() < 0.1 else 1.0)
    colour = tint * np.exp(rng.normal(size=3) * 0.04) * gain
    curve = 2.2 * np.exp(rng.normal() * 0.08)
    steps = (np.arange(256) / 255.0)[:, None]
    table = 255 * np.clip(steps**2.2 * colour, 0, 1) ** (1 / curve)
    out = np.stack([table[:, k][picture[..., k]] for k in range(3)], -1).astype(np.float32)
    if rng.random() < 0.7:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.3, 1.1))
    out += rng.normal(size=out.shape).astype(np.float32) * rng.uniform(0, 6)
    result = np.clip(out, 0, 255).astype(np.uint8)
    if rng.random() < 0.3:
        _, code = cv2.imencode(".jpg", result, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(55, 92))])
        result = cv2.imdecode(code, cv2.IMREAD_COLOR)
    return result


def shaken(rotation: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """A rotation that is off by about a twentieth of a degree."""
    return cv2.Rodrigues(rng.normal(size=3) * np.deg2rad(0.05))[0] @ rotation


def flipped(one: Sweep) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.intp]]:
    """Mirror left and right."""
    slope = one.slope[:, :, ::-1] * np.array([-1, 1], np.float32)[:, None, None]
    return one.stack[:, :, ::-1], slope, one.cells[:, ::-1]


def inputs(stack: NDArray[np.uint8], slope: NDArray[np.float32]) -> Tensor:
    """(levels, 5, h, w) network input."""
    return torch.from_numpy(normalised(stack, slope))


class Scenes(Dataset[tuple[Tensor, Tensor, Tensor]]):
    """Items: inputs (2, LEVELS, 5, h, w), joint labels and cells, both (2, rows, cols) in each view's order."""

    def __init__(self, files: list[Path], train: bool) -> None:
        self.files, self.train = files, train

    def __len__(self) -> int:
        return len(self.files)

    def __getitem__(self, index: int) -> tuple[Tensor, Tensor, Tensor]:
        rng = np.random.default_rng(None if self.train else index)
        with np.load(self.files[index]) as data:
            scene = {k: data[k] for k in data.files}
        label = scene["heights"].astype(int) * 5 + scene["flags"]
        error = np.exp(rng.normal(size=2) * 0.004)
        grid = Grid(10, 10, (float(scene["pitch"]) * error[0],) * 2, float(scene["cube"][2]) * error[1])
        tint = np.exp(rng.normal() * 0.12 * np.array([-1, 0, 1])) * np.exp(rng.normal(size=3) * 0.03)
        xs, ys, cells = [], [], []
        for k in range(2):
            picture = worn(cv2.imdecode(scene[f"jpg{k}"], cv2.IMREAD_COLOR), rng, tint)
            matrix = scene[f"K{k}"].copy()
            if rng.random() < 0.4:
                factor = rng.uniform(0.6, 1.0)
                size = picture.shape[1] * factor, picture.shape[0] * factor
                picture = cv2.resize(picture, (round(size[0]), round(size[1])), interpolation=cv2.INTER_AREA)
                matrix[:2] *= factor
            rotation = shaken(scene[f"R{k}"], rng)
            translation = scene[f"t{k}"] + rng.normal(size=3) * [0.3, 0.3, 0.8]
            turns = quarter_turns(camera_centre(rotation, translation))
            one = sweep(picture, matrix, rotation, translation, grid, LEVELS, turns)
            stack, slope, order = flipped(one) if rng.random() < 0.5 else (one.stack, one.slope, one.cells)
            xs.append(inputs(np.ascontiguousarray(stack), np.ascontiguousarray(slope)))
            ys.append(torch.from_numpy(label[order[..., 0], order[..., 1]]))
            cells.append(torch.from_numpy(np.ascontiguousarray(order[..., 0] * 10 + order[..., 1])))
        return torch.stack(xs), torch.stack(ys), torch.stack(cells)
