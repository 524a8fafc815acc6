"""Trains the network of portraits on upright cut-outs and writes it for OpenCV. Needs torch; not in the product.

usage: python -m training.portraitnet TRAIN.npz HELD.npz OUT.pt [--minutes M] [--onnx FOLDER]
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from training.cutnet import cut_layers, write_onnx
from training.net import PIECES
from training.portraits import Portraits
from vision.heights.portrait import BRIGHTNESS
from vision.heights.upright import BELOW_PX, HEIGHT_PX, PX_PER_FIELD, WIDTH_PX

BATCH = 128
RATE = 2e-3
IN_SIGHT = 0.4
"""A piece is to be told from this share of it in sight on; what is hidden counts ``HIDDEN_WEIGHT``."""
HIDDEN_WEIGHT = 0.1
_NEVER = -1e4
_RISE_PX = HEIGHT_PX - BELOW_PX - 0.5 - torch.arange(HEIGHT_PX)


class PortraitNet(nn.Module):
    """(n, 5, HEIGHT_PX, WIDTH_PX) to (n, PIECES) log-likelihoods; six million multiplications a cut-out."""

    def __init__(self) -> None:
        super().__init__()
        steps = [(24, 2), (48, 1), (48, 2), (64, 1), (64, 2)]
        self.body = cut_layers(5, steps, (HEIGHT_PX // 8) * (WIDTH_PX // 8), PIECES)

    def forward(self, x: Tensor) -> Tensor:
        """Score."""
        return self.body(x)


def brightness(every: Portraits) -> NDArray[np.float32]:
    """Return how bright each cut-out's picture is, (n,), as ``vision.heights.portrait`` finds it."""
    out = np.ones(len(every.view), np.float32)
    grey = every.cuts.mean(axis=-1, dtype=np.float32).reshape(len(out), -1)
    order = np.argsort(every.view, kind="stable")
    for group in np.split(order, np.flatnonzero(np.diff(every.view[order])) + 1):
        out[group] = max(20.0, float(np.median(grey[group])))
    return out


def as_seen(every: Portraits, bright: NDArray[np.float32], at: NDArray[np.intp] | slice) -> tuple[Tensor, Tensor]:
    """Return colours (n, 3, h, w) of common brightness, and a piece's height in pixels and upright share, (n, 2)."""
    colours = torch.from_numpy(every.cuts[at]).permute(0, 3, 1, 2).float()
    tall = every.piece_fields[at] * every.upright[at] * PX_PER_FIELD
    geometry = torch.from_numpy(np.stack([tall, every.upright[at]], 1))
    return colours * (BRIGHTNESS / torch.from_numpy(bright[at]))[:, None, None, None], geometry


def inputs(colours: Tensor, geometry: Tensor) -> Tensor:
    """Return the network's input (n, 5, h, w), as ``vision.heights.portrait.portrait_inputs`` makes it."""
    n = len(colours)
    lines = (_RISE_PX[None] / geometry[:, :1].clamp(min=2)).clamp(-1, 4)[:, None, :, None] * 0.5
    share = geometry[:, 1][:, None, None, None]
    size = (n, 1, HEIGHT_PX, WIDTH_PX)
    return torch.cat([colours.clamp(0, 2.5) - BRIGHTNESS, lines.expand(size), share.expand(size)], 1)


def worn(colours: Tensor, geometry: Tensor) -> tuple[Tensor, Tensor]:
    """Return the cut-outs as other cameras show them: light, tint, blur, noise, small errors of size and place."""
    n = len(colours)
    if torch.rand(()) < 0.5:
        colours = colours.flip(3)
    warm = torch.tensor([-1.0, 0.0, 1.0]).view(1, 3, 1, 1)
    tint = torch.exp(torch.randn(n, 3, 1, 1) * 0.06 + torch.randn(n, 1, 1, 1) * 0.12 * warm)
    colours = colours.clamp(1e-3) * torch.exp(torch.randn(n, 1, 1, 1) * 0.3) * tint
    colours = colours.pow(torch.exp(torch.randn(n, 1, 1, 1) * 0.1))
    colours = torch.where(torch.rand(n, 1, 1, 1) < 0.15, colours.clamp(max=1.1), colours)  # over-exposed
    how = float(torch.rand(()))
    if how < 0.3:
        coarse = F.interpolate(colours, scale_factor=float(0.55 + 0.4 * torch.rand(())), mode="area")
        colours = F.interpolate(coarse, size=(HEIGHT_PX, WIDTH_PX), mode="bilinear")
    elif how < 0.6:
        soft = F.avg_pool2d(F.pad(colours, (1, 1, 1, 1), mode="replicate"), 3, 1)
        colours = 0.6 * soft + 0.4 * colours
    colours = colours + torch.randn_like(colours) * (torch.rand(n, 1, 1, 1) ** 3 * 0.12)
    down, right = (int(v) for v in torch.randint(-1, 2, (2,)))
    size = torch.exp(torch.randn(n, 1) * 0.03) * torch.tensor([[1.0, 0.0]]) + torch.tensor([[0.0, 1.0]])
    return torch.roll(colours, (down, right), (2, 3)), geometry * size


def held_out(model: nn.Module, every: Portraits) -> str:
    """Return how well the pieces in sight are told, by one picture each, in words."""
    model.eval()
    bright = brightness(every)
    with torch.no_grad():
        steps = [slice(k, k + 1024) for k in range(0, len(every.piece), 1024)]
        scores = torch.cat([model(inputs(*as_seen(every, bright, at))) for at in steps])
    model.train()
    scores = scores.masked_fill(~torch.from_numpy(every.kit), _NEVER)
    truth, seen = torch.from_numpy(every.piece).long(), torch.from_numpy(every.seen) >= 0.5
    right = scores.argmax(1) == truth
    each = [round(float(right[seen & (truth == k)].float().mean()), 3) for k in range(PIECES)]
    loss = F.cross_entropy(scores[seen], truth[seen])
    return f"loss {loss:.4f}, pieces right {right[seen & (truth > 0)].float().mean():.4f}, of each class {each}"


def train(every: Portraits, held: Portraits, out: Path, minutes: float) -> nn.Module:
    """Train for the given time; what is written are the weights' running averages."""
    model = PortraitNet()
    optimiser = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=2e-2)
    average = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.995), use_buffers=True)
    bright, kit = brightness(every), torch.from_numpy(every.kit)
    truth = torch.from_numpy(every.piece).long()
    weight = HIDDEN_WEIGHT + (1 - HIDDEN_WEIGHT) * (torch.from_numpy(every.seen) >= IN_SIGHT).float()
    rng, start, step = np.random.default_rng(1), time.time(), 0
    while (time.time() - start) / 60 < minutes:
        order, total = rng.permutation(len(truth)), 0.0
        for k in range(0, len(order) - BATCH, BATCH):
            progress = min(1.0, (time.time() - start) / (60 * minutes))
            for group in optimiser.param_groups:
                group["lr"] = RATE * min(1.0, (step + 1) / 100) * (0.5 + 0.5 * math.cos(math.pi * progress)) + 1e-6
            at = order[k : k + BATCH]
            scores = model(inputs(*worn(*as_seen(every, bright, at)))).masked_fill(~kit[at], _NEVER)
            loss = (F.cross_entropy(scores, truth[at], reduction="none") * weight[at]).sum() / weight[at].sum()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimiser.step()
            average.update_parameters(model)
            total += float(loss.detach())
            step += 1
            if progress >= 1.0:
                break
        print(f"{(time.time() - start) / 60:.1f} min, step {step}: loss {total * BATCH / len(order):.4f}")
        print(f"  held out: {held_out(average, held)}", flush=True)
        torch.save(average.module.state_dict(), out)
    return average.module


def main() -> None:
    """Train and export."""
    parser = argparse.ArgumentParser()
    parser.add_argument("train", type=Path)
    parser.add_argument("held", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--onnx", type=Path)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    every, held = (Portraits(**{k: data[k] for k in data}) for data in (np.load(args.train), np.load(args.held)))
    model = train(every, held, args.out, args.minutes)
    if args.onnx:
        axes = {name: {0: "cuts"} for name in ("in", "out")}
        write_onnx(model, torch.zeros(2, 5, HEIGHT_PX, WIDTH_PX), args.onnx / "portraits.onnx", axes)


if __name__ == "__main__":
    main()
