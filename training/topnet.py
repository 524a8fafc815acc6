"""Trains the network of dice's top faces on cuts and writes it for OpenCV. Needs torch; not in the product.

usage: python -m training.topnet HELD.npz OUT.pt CUTS.npz ... [--minutes M] [--init FILE] [--onnx FOLDER]
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
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch.utils.data import DataLoader, IterableDataset

from training.cutnet import cut_layers, restore, write_onnx
from training.dicenet import FACES
from training.topcuts import NOT_TOLD, WIDE_PX, Cuts
from training.wear import noise
from vision.ledger.topface import CUT_CHANNELS, CUT_PX, FACE_PX, cut_inputs

BATCH = 128
RATE = 2e-3
DICE_SHARE = 0.6
"""Share of a batch that shows dice."""
SIZES = (0.75, 1.3)
"""How large a die of unknown size may be taken for, of its own size."""


class TopNet(nn.Module):
    """(n, CUT_CHANNELS, CUT_PX, CUT_PX) to (n, FACES) scores; eighteen million multiplications a cut."""

    def __init__(self) -> None:
        super().__init__()
        steps = [(32, 2), (48, 1), (64, 2), (96, 1), (128, 2)]
        self.body = cut_layers(CUT_CHANNELS, steps, (CUT_PX // 8) ** 2, FACES)

    def forward(self, cuts: Tensor) -> Tensor:
        """Score."""
        out: Tensor = self.body(cuts)
        return out


def turned(
    cut: NDArray[np.uint8], slope: NDArray[np.float32], rng: np.random.Generator, any_size: float = 0.0
) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Return a wide cut as it is used: turned at random, a little moved and stretched, perhaps mirrored.

    any_size: share of the cuts whose die is taken for up to 30 % larger or smaller than it is.
    """
    angle, size = rng.uniform(-np.pi, np.pi), np.exp(rng.normal() * 0.04)
    if rng.random() < any_size:
        size = np.exp(rng.uniform(*np.log(SIZES)))
    cos, sin = np.cos(angle), np.sin(angle)
    axes = np.array([[cos, -sin], [sin, cos]])
    if rng.random() < 0.5:
        axes[:, 0] *= -1
    shift = np.clip(rng.normal(size=2) * 0.05, -0.15, 0.15) * FACE_PX
    placed = np.zeros((2, 3))
    placed[:, :2] = axes * size
    placed[:, 2] = (WIDE_PX - 1) / 2 + shift - placed[:, :2] @ np.full(2, (CUT_PX - 1) / 2)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    out = cv2.warpAffine(cut, placed, (CUT_PX, CUT_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return out.astype(np.float32), axes.T @ slope


def spoiled(cut: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Return the cut in other colours, under other light, by another camera."""
    out = cut
    if rng.random() < 0.2:  # a gleam
        y, x = np.indices((CUT_PX, CUT_PX)) - rng.uniform(0, CUT_PX, size=2)[:, None, None]
        wide = rng.uniform(2, 12)
        gleam = np.exp(-(x**2 + y**2) / (2 * wide**2)) * rng.uniform(40, 250)
        out = np.minimum(out + gleam[..., None].astype(np.float32), 255)
    if rng.random() < 0.25:  # a shadow's edge, soft or sharp
        angle, at = rng.uniform(-np.pi, np.pi), rng.normal() * 8
        y, x = np.indices((CUT_PX, CUT_PX)) - (CUT_PX - 1) / 2
        side = (x * np.cos(angle) + y * np.sin(angle) - at) / rng.uniform(0.5, 20)
        out = out * (1 - rng.uniform(0.2, 0.8) / (1 + np.exp(-side)))[..., None].astype(np.float32)
    if rng.random() < 0.5:
        q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        out = out @ (q * rng.uniform(0.3, 1.0, size=3)).astype(np.float32)
    elif rng.random() < 0.5:
        out = 255 - out
    if rng.random() < 0.3:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.4, 1.7))
    if rng.random() < 0.5:
        out = out + noise(out.shape, 12 * rng.random() ** 3, rng)
    return np.asarray(out, np.float32)


class Stream(IterableDataset[tuple[Tensor, Tensor]]):
    """Batches without end."""

    def __init__(self, every: Cuts, any_size: float) -> None:
        self.every, self.any_size = every, any_size

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        cv2.setNumThreads(1)
        rng = np.random.default_rng()
        dice, rest = np.flatnonzero(self.every.faces != 0), np.flatnonzero(self.every.faces == 0)
        while True:
            number = int(BATCH * DICE_SHARE)
            at = np.concatenate([rng.choice(dice, number), rng.choice(rest, BATCH - number)])
            shown = [turned(self.every.cuts[k], self.every.slopes[k], rng, self.any_size) for k in at]
            cuts = np.stack([spoiled(cut, rng) for cut, _ in shown])
            given = cut_inputs(cuts, np.stack([slope for _, slope in shown]))
            yield torch.from_numpy(given), torch.from_numpy(self.every.faces[at])


def loss_of(scores: Tensor, truth: Tensor) -> Tensor:
    """Return the mean loss (nats) of scores (n, FACES); a die that shows no number should be any as likely."""
    chances = F.log_softmax(scores, 1)
    told = chances.gather(1, truth.clamp(min=0)[:, None])[:, 0]
    return -torch.where(truth == NOT_TOLD, chances[:, 1:].mean(1), told).mean()


def held_out(model: nn.Module, held: Cuts) -> str:
    """Return how well one cut each is told, in words."""
    edge = (WIDE_PX - CUT_PX) // 2
    cuts = held.cuts[:, edge:-edge, edge:-edge].astype(np.float32)
    model.eval()
    scores = []
    with torch.no_grad():
        for k in range(0, len(cuts), 256):
            given = cut_inputs(cuts[k : k + 256], held.slopes[k : k + 256].astype(np.float64))
            scores.append(model(torch.from_numpy(given)))
    model.train()
    every, truth = torch.cat(scores), torch.from_numpy(held.faces)
    dice, best = truth > 0, every.argmax(1)
    right = (best == truth)[dice].float().mean()
    other = ((best != truth) & (best > 0))[dice].float().mean()
    alarms = (best > 0)[truth == 0].float().mean()
    return f"loss {loss_of(every, truth):.4f}, right {right:.4f}, other face {other:.4f}, false {alarms:.4f}"


def train(
    every: Cuts, held: Cuts, out: Path, minutes: float, init: Path | None, rate: float, any_size: float
) -> nn.Module:
    """Train for the given time; what is written are the weights' running averages.

    any_size: share of the cuts whose die is taken for up to 30 % larger or smaller than it is.
    """
    model = TopNet().to(memory_format=torch.channels_last)
    if init and init.suffix == ".onnx":  # what is shipped
        edge = (WIDE_PX - CUT_PX) // 2
        some = cut_inputs(held.cuts[:512, edge:-edge, edge:-edge].astype(np.float32), held.slopes[:512].astype(float))
        restore(model.body, init, torch.from_numpy(some))
        print(f"begun with: {held_out(model, held)}", flush=True)
    elif init:
        model.load_state_dict(torch.load(init))
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=2e-2)
    average = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.995), use_buffers=True)
    shorter = torch.ops.mkldnn._is_mkldnn_bf16_supported()  # elsewhere such numbers take seven times longer
    start = shown = time.time()
    total, step = 0.0, 0
    batches = iter(DataLoader(Stream(every, any_size), batch_size=None, num_workers=1, prefetch_factor=4))
    while (progress := (time.time() - start) / (60 * minutes)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / 100) * (0.5 + 0.5 * math.cos(math.pi * progress)) + 1e-6
        given, truth = next(batches)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=shorter):
            scores = model(given.to(memory_format=torch.channels_last))
        loss = loss_of(scores.float(), truth)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        average.update_parameters(model)
        total, step = total + float(loss.detach()), step + 1
        if time.time() - shown > 120:
            shown = time.time()
            print(f"{progress * minutes:.1f} min, step {step}: {held_out(average, held)}", flush=True)
            torch.save(average.module.state_dict(), out)
    print(f"mean loss {total / max(step, 1):.4f}; held out: {held_out(average, held)}", flush=True)
    torch.save(average.module.state_dict(), out)
    return average.module


def together(paths: list[Path]) -> Cuts:
    """Join the cuts of several files."""
    files = [np.load(path) for path in paths]
    return Cuts(*(np.concatenate([file[key] for file in files]) for key in ("cuts", "slopes", "faces")))


def main() -> None:
    """Train and export."""
    parser = argparse.ArgumentParser()
    parser.add_argument("held", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("cuts", type=Path, nargs="+")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--init", type=Path)
    parser.add_argument("--onnx", type=Path)
    parser.add_argument(
        "--any-size", type=float, default=0.0, help="share of cuts with a die up to 30 %% off its size"
    )
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    cuts, held = together(args.cuts), together([args.held])
    model = train(cuts, held, args.out, args.minutes, args.init, args.rate, args.any_size)
    if args.onnx:
        axes = {name: {0: "cuts"} for name in ("in", "out")}
        write_onnx(model, torch.zeros(2, CUT_CHANNELS, CUT_PX, CUT_PX), args.onnx / "tops.onnx", axes)


if __name__ == "__main__":
    main()
