"""Trains the scorer on rendered scenes. Needs torch; not part of the product.

usage: python -m training.train SCENES_FOLDER OUT.pt [--minutes M] [--init FILE.pt]
Stops after M minutes; the learning rate falls to zero by then. What is written are the weights' running averages.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch.utils.data import DataLoader

from training.data import Example, Scenes, sides
from training.net import PIECES, Scorer

HELD_OUT = 60
"""The first scenes of a folder are never trained on."""
SHOWN = 30
"""Scenes of these that are looked at while training; all of them afterwards, for the temperatures."""
SHOWN_EVERY_S = 480.0
_NEVER = -1e4
HIDDEN_WEIGHT = 0.15
"""Weight of a stack that can't be seen: enough to learn to leave it open, too little to be learned by heart."""


def fused(logits: Tensor, cells: Tensor) -> Tensor:
    """Sum each board's two views, in the order of the board's fields: (boards, classes, 100)."""
    views, classes = logits.shape[:2]
    flat = logits.reshape(views, classes, -1)
    order = cells.reshape(views, 1, -1).expand(-1, classes, -1)
    placed = torch.zeros_like(flat).scatter(2, order, flat)
    return placed.view(views // 2, 2, classes, -1).sum(1)


def unlikelihood(logits: Tensor, target: Tensor, named: Tensor, kit: Tensor) -> Tensor:
    """Return minus the log-likelihood (n, fields) of joint labels; where colours aren't named, any piece is as good.

    logits: (n, classes, fields), height major, piece minor. target: (n, fields). named: (n,). kit: (n, PIECES): only
    these classes are weighed against each other, as they are at a table whose pieces are known.
    """
    absent = (kit == 0).repeat(1, logits.shape[1] // PIECES)[..., None]
    logp = logits.masked_fill(absent, _NEVER).log_softmax(1)
    exact = -logp.gather(1, target[:, None])[:, 0]
    by_height = logp.unflatten(1, (-1, PIECES))
    some = by_height[:, :, 1:].logsumexp(2)
    height, piece = target // PIECES, target % PIECES
    at = height[:, None]
    blind = -torch.where(piece > 0, some.gather(1, at)[:, 0], by_height[:, :, 0].gather(1, at)[:, 0])
    return torch.where(named[:, None] > 0, exact, blind)


def on_board(values: Tensor, cells: Tensor) -> Tensor:
    """Map (views, r, c) in view order to (views, fields) in board order."""
    flat = values.flatten(1)
    return torch.zeros(flat.shape, dtype=values.dtype).scatter(1, cells.flatten(1), flat)


def heights_of(logits: Tensor, kit: Tensor) -> Tensor:
    """Return the likeliest height (n, fields) of joint scores (n, classes, fields)."""
    absent = (kit == 0).repeat(1, logits.shape[1] // PIECES)[..., None]
    return logits.masked_fill(absent, _NEVER).unflatten(1, (-1, PIECES)).logsumexp(2).argmax(1)


def loss_of(model: nn.Module, batch: Example) -> Tensor:
    """Return (4,): loss, wrong heights among the seen fields, the same by one camera, wrong heights of all fields.

    The wrong heights are shares.
    """
    x, y, cells, seen, named, kit = (part.flatten(0, 1) for part in batch)
    levels = min(x.shape[1], max(4, int(y.max()) // PIECES + 1 + int(torch.randint(1, 4, ()))))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = model(x[:, :levels])
    flat = logits.float().flatten(1, 2).flatten(2)
    both = fused(flat, cells)
    target = on_board(y, cells)[::2]
    seen_by_any = on_board(seen, cells).unflatten(0, (-1, 2)).amax(1)
    single = unlikelihood(flat, y.flatten(1), named, kit)
    together = unlikelihood(both, target, named[::2], kit[::2])
    weight, weight_any = (HIDDEN_WEIGHT + (1 - HIDDEN_WEIGHT) * part for part in (seen.flatten(1), seen_by_any))
    loss = (together * weight_any).sum() / weight_any.sum() + 0.5 * (single * weight).sum() / weight.sum()
    wrong = (heights_of(both, kit[::2]) != target // PIECES).float()
    alone = (heights_of(flat, kit) != y.flatten(1) // PIECES).float()
    by_one = seen.flatten(1)
    shares = [(wrong * seen_by_any).sum() / seen_by_any.sum(), (alone * by_one).sum() / by_one.sum(), wrong.mean()]
    return torch.stack([loss, *(share.detach() for share in shares)])


def told(means: Tensor) -> str:
    """Mean loss and error shares in words."""
    return "loss {:.4f}, seen heights wrong {:.4f}, by one camera {:.4f}, all {:.4f}".format(*means.tolist())


def shuffled(sides_of: list[int], size: int) -> list[list[int]]:
    """Return the numbers of all scenes in random batches of boards of one size each; what is left over stays out."""
    order = torch.randperm(len(sides_of)).tolist()
    out = []
    for side in sorted(set(sides_of)):
        own = [k for k in order if sides_of[k] == side]
        out += [own[k : k + size] for k in range(0, len(own) - size + 1, size)]
    return [out[k] for k in torch.randperm(len(out)).tolist()]


def batches(folder: Path, size: int) -> Iterator[Example | None]:
    """Yield batches without end, new scenes included; ``None`` after each pass through all of them."""
    while True:
        files = sorted(folder.glob("*.npz"))[HELD_OUT:]
        order = shuffled(sides(files), size)
        yield from DataLoader(Scenes(files, True), batch_sampler=order, num_workers=2, prefetch_factor=3)
        yield None


def held_out(model: nn.Module, folder: Path) -> Tensor:
    """Mean figures on the scenes kept apart."""
    scenes = Scenes(sorted(folder.glob("*.npz"))[:SHOWN], False)
    model.eval()
    with torch.no_grad():
        figures = [loss_of(model, Example(*(part[None] for part in scenes[k]))) for k in range(len(scenes))]
    model.train()
    return torch.stack(figures).mean(0)


def train(model: nn.Module, folder: Path, out: Path, minutes: float, size: int, rate: float) -> None:
    """Train for the given time and write the averaged weights after every time through the scenes."""
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=2e-2)
    average = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.997), use_buffers=True)
    start, seen, sums, steps = time.time(), 0, torch.zeros(4), 0
    shown = start
    for batch in batches(folder, size):
        progress = (time.time() - start) / (minutes * 60)
        if batch is None and progress < 1 and time.time() - shown < SHOWN_EVERY_S:
            continue
        if batch is None or progress >= 1:
            shown = time.time()
            print(f"{progress * minutes:.1f} min, step {seen}: {told(sums / max(1, steps))}")
            print(f"  held out: {told(held_out(average, folder))}", flush=True)
            torch.save(average.module.state_dict(), out)
            sums, steps = torch.zeros(4), 0
            if progress >= 1:
                return
            continue
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, (seen + 1) / 50) * (0.5 + 0.5 * math.cos(math.pi * progress)) + 1e-6
        figures = loss_of(model, batch)
        optimiser.zero_grad()
        figures[0].backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        average.update_parameters(model)
        sums, seen, steps = sums + figures.detach(), seen + 1, steps + 1
        if steps % 100 == 0:
            print(f"  step {seen}: {told(sums / steps)}", flush=True)


def main() -> None:
    """Read the arguments and train."""
    parser = argparse.ArgumentParser()
    parser.add_argument("scenes", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--init", type=Path)
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--rate", type=float, default=1e-3)
    args = parser.parse_args()
    torch.set_num_threads(1)  # more of them wait for each other on a busy machine and are slower than one
    torch.manual_seed(1)
    model = Scorer().to(memory_format=torch.channels_last)
    if args.init:
        model.load_state_dict(torch.load(args.init))
    train(model, args.scenes, args.out, args.minutes, args.batch, args.rate)


if __name__ == "__main__":
    main()
