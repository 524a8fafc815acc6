"""Finds the temperatures by which log-likelihoods are divided, and how often a reader errs, on scenes kept apart.

usage: python -m training.temperature MODEL.pt SCENES_FOLDER [--first N] [--last N]
A network is surer of what it has not seen before than it should be (Guo et al., On Calibration of Modern Neural
Networks, ICML 2017). One temperature for heights, one for pieces, each the one under which the truth is likeliest.
Prints them, and what is told right, told wrong and left open at them; all fields, then those in sight.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from training.data import Example, Scenes
from training.net import PIECES, Scorer
from training.train import HELD_OUT, fused, on_board

TRIED = np.linspace(0.7, 3.0, 47)
TOLD, TOLD_PIECE = 0.9, 0.8


@dataclass(frozen=True, eq=False)
class Said:
    """Log-probabilities (fields, classes) and truth (fields,) of heights and of pieces, and which fields are seen."""

    heights: NDArray[np.float64]
    height: NDArray[np.int64]
    pieces: NDArray[np.float64]
    piece: NDArray[np.int64]
    seen: NDArray[np.bool_]


def said(model: Scorer, example: Example) -> Said:
    """What both cameras together say of one scene."""
    x, y, cells, seen, _, kit = example
    with torch.no_grad():
        logits = model(x).float()
    both = fused(logits.flatten(1, 2).flatten(2), cells)[0].unflatten(0, (-1, PIECES)).permute(2, 0, 1).double()
    joint = both.masked_fill(kit[0] == 0, -1e4)
    truth = on_board(y, cells)[0].numpy()
    in_sight = on_board(seen, cells).amax(0).numpy() > 0
    heights, pieces = (joint.logsumexp(axis).log_softmax(1).numpy() for axis in (2, 1))
    return Said(heights, truth // PIECES, pieces, truth % PIECES, in_sight)


def unlikeliness(scores: NDArray[np.float64], truth: NDArray[np.int64], temperature: float) -> float:
    """Mean minus log-probability of the truth at a temperature."""
    cooled = torch.from_numpy(scores / temperature).log_softmax(1).numpy()
    return float(-cooled[np.arange(len(truth)), truth].mean())


def best(scores: NDArray[np.float64], truth: NDArray[np.int64]) -> float:
    """The temperature under which the truth is likeliest."""
    return float(min(TRIED, key=lambda t: unlikeliness(scores, truth, t)))


def shares(scores: NDArray[np.float64], truth: NDArray[np.int64], temperature: float, told: float) -> str:
    """What is told right, told wrong and left open, in words."""
    chances = torch.from_numpy(scores / temperature).softmax(1).numpy()
    sure, right = chances.max(1) >= told, chances.argmax(1) == truth
    return f"right {(sure & right).mean():.4f}, wrong {(sure & ~right).mean():.5f}, open {(~sure).mean():.4f}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("scenes", type=Path)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--last", type=int, default=HELD_OUT)
    args = parser.parse_args()
    model = Scorer()
    model.load_state_dict(torch.load(args.model))
    model.eval()
    scenes = Scenes(sorted(args.scenes.glob("*.npz"))[args.first : args.last], False)
    parts = [said(model, scenes[k]) for k in range(len(scenes))]
    seen = np.concatenate([part.seen for part in parts])
    levels = min(part.heights.shape[1] for part in parts)
    heights = np.concatenate([part.heights[:, :levels] for part in parts]), np.concatenate([p.height for p in parts])
    pieces = np.concatenate([part.pieces for part in parts]), np.concatenate([part.piece for part in parts])
    for name, (scores, truth), told in (("heights", heights, TOLD), ("pieces", pieces, TOLD_PIECE)):
        at = best(scores[seen], truth[seen])
        print(f"{name}: temperature {at:.2f}; in sight {shares(scores[seen], truth[seen], at, told)}")
        print(f"  out of sight {shares(scores[~seen], truth[~seen], at, told)}")
    there = pieces[1] > 0
    found = pieces[0].argmax(1) == pieces[1]
    print(
        f"pieces found {found[there & seen].mean():.4f}, invented {(~found)[~there & seen].mean():.5f} of empty tops"
    )


if __name__ == "__main__":
    main()
