"""Trains the scorer on rendered scenes. Needs torch; not part of the product.

usage: python -m training.train SCENES_FOLDER OUT.pt [--minutes M] [--init FILE.pt]
Stops after M minutes; the learning rate falls to zero by then.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader

from training.data import Scenes
from training.net import Scorer


def joint(logits: Tensor) -> Tensor:
    """(views, levels, 5, r, c) to (views, levels * 5, r, c): level major, flag minor."""
    return logits.flatten(1, 2)


def fused(logits: Tensor, cells: Tensor) -> Tensor:
    """Sum each board's two views, in the order of the board's fields: (boards, classes, 100)."""
    views, classes = logits.shape[:2]
    flat = logits.reshape(views, classes, -1)
    order = cells.reshape(views, 1, -1).expand(-1, classes, -1)
    placed = torch.zeros_like(flat).scatter(2, order, flat)
    return placed.view(views // 2, 2, classes, -1).sum(1)


def loss_of(model: nn.Module, batch: tuple[Tensor, Tensor, Tensor]) -> tuple[Tensor, Tensor, Tensor]:
    """Loss, fused error share, single error share of a batch."""
    x, y, cells = (part.flatten(0, 1) for part in batch)
    levels = min(x.shape[1], max(4, int(y.max()) // 5 + 1 + int(torch.randint(1, 4, ()))))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = model(x[:, :levels])
    flat = joint(logits.float())
    both = fused(flat, cells)
    target = torch.zeros(len(y), 100, dtype=y.dtype).scatter(1, cells.flatten(1), y.flatten(1))[::2]
    single = nn.functional.cross_entropy(flat, y)
    together = nn.functional.cross_entropy(both, target)
    wrong = (both.argmax(1) != target).float().mean()
    wrong_single = (flat.argmax(1) != y).float().mean()
    return together + 0.5 * single, wrong, wrong_single


def told(means: Tensor) -> str:
    """Mean loss and error shares in words."""
    return "loss {:.4f}, fields wrong {:.4f}, by one camera {:.4f}".format(*means.tolist())


def main() -> None:
    """Train for the given time."""
    parser = argparse.ArgumentParser()
    parser.add_argument("scenes", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--init", type=Path)
    parser.add_argument("--batch", type=int, default=3)
    parser.add_argument("--rate", type=float, default=2e-3)
    args = parser.parse_args()
    torch.set_num_threads(2)
    torch.manual_seed(1)
    model = Scorer().to(memory_format=torch.channels_last)
    if args.init:
        model.load_state_dict(torch.load(args.init))
    optimiser = torch.optim.AdamW(model.parameters(), lr=args.rate, weight_decay=1e-2)
    start, seen, epoch = time.time(), 0, 0
    while time.time() - start < args.minutes * 60:
        files = sorted(args.scenes.glob("*.npz"))[20:]
        loader = DataLoader(
            Scenes(files, True), args.batch, shuffle=True, num_workers=1, drop_last=True, prefetch_factor=4
        )
        sums = torch.zeros(3)
        steps = 0
        for batch in loader:
            progress = (time.time() - start) / (args.minutes * 60)
            if progress >= 1:
                break
            warm = min(1.0, (seen + 1) / 50)
            for group in optimiser.param_groups:
                group["lr"] = args.rate * warm * (0.5 + 0.5 * math.cos(math.pi * progress)) + 1e-6
            loss, wrong, single = loss_of(model, batch)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimiser.step()
            seen += 1
            steps += 1
            sums += torch.stack([loss.detach(), wrong, single])
            if steps % 50 == 0:
                print(f"  step {seen}: {told(sums / steps)}", flush=True)
        epoch += 1
        model.eval()
        val = [
            loss_of(model, tuple(t[None] for t in item))
            for item in map(Scenes(sorted(args.scenes.glob("*.npz"))[:20], False).__getitem__, range(20))
        ]
        model.train()
        means = torch.tensor([[v.item() for v in row] for row in val]).mean(0)
        minutes = (time.time() - start) / 60
        print(f"epoch {epoch}, {len(files)} scenes, {minutes:.1f} min: {told(sums / max(1, steps))}")
        print(f"  held out: {told(means)}", flush=True)
        torch.save(model.state_dict(), args.out)


if __name__ == "__main__":
    main()
