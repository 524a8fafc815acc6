"""Weighs the dice's two networks, on renders kept out of their training and of the measurement.

usage: python -m training.rollweigh SCENES_FOLDER ...
Prints the temperature of the faces, the weights of both networks' log-odds that a die lies somewhere, and how many
pairs would be told, right and wrong, from which probability on.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.rollmeasure import eye_of, whole, worn_picture
from vision.ledger.dice import MOST_NATS, DieSeen, thrown
from vision.ledger.topface import MOST_PLACES, top_scores

TRIED = np.exp(np.linspace(np.log(0.4), np.log(3), 60))
TOLD = (0.8, 0.85, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995)
RIDGE = 0.02


@dataclass(frozen=True, eq=False)
class Places:
    """The places of one scene that may be dice.

    at: (n, 2) mm. odds: (n, 2) both networks' log-odds that one is. scores: (n, 6) of the faces. truth: (n,) the
    face, 0 where none lies, -1 where that is not asked. want: the faces thrown.
    """

    at: NDArray[np.float64]
    odds: NDArray[np.float64]
    scores: NDArray[np.float64]
    truth: NDArray[np.int64]
    want: list[int]


def places_of(scene: dict[str, NDArray], picture: NDArray[np.uint8]) -> Places:
    """Return what both networks tell of one camera's picture of a scene."""
    size, dice = float(scene["size"]), scene["dice"]
    eye = eye_of(scene, picture)
    found = eye.dice[:MOST_PLACES]
    scores = top_scores(eye.cutter, [die.at_mm for die in found])
    at = np.array([die.at_mm for die in found]).reshape(-1, 2)
    first = np.clip([die.there for die in found], 1e-9, 1 - 1e-9)
    best = scores[:, 1:].max(axis=1, initial=-1e9)
    some = np.log(np.exp(scores[:, 1:] - best[:, None]).sum(axis=1)) + best - scores[:, 0]
    away = np.linalg.norm(at[:, None] - dice[None, :, :2], axis=-1) / size
    near = away.argmin(axis=1)
    truth = np.where(away.min(axis=1) < 0.4, dice[near, 3].astype(np.int64), 0)
    truth[(away.min(axis=1) >= 0.4) & (away.min(axis=1) < 0.5)] = -1
    odds = np.clip(np.column_stack([np.log(first / (1 - first)), some]), -MOST_NATS, MOST_NATS)
    return Places(at, odds, scores[:, 1:], truth, sorted(int(face) for face in dice[:, 3]))


def weights_of(every: list[Places]) -> NDArray[np.float64]:
    """Return the weights of both log-odds and what is added, (3,): a logistic regression."""
    odds, truth = np.concatenate([one.odds for one in every]), np.concatenate([one.truth for one in every])
    terms = np.column_stack([odds, np.ones(len(odds))])[truth >= 0]
    die = (truth[truth >= 0] > 0).astype(float)
    weights = np.zeros(3)
    for _ in range(100):
        chance = 1 / (1 + np.exp(-terms @ weights))
        slope = terms.T @ (chance - die) + RIDGE * weights
        bend = (terms * (chance * (1 - chance))[:, None]).T @ terms + RIDGE * np.eye(3)
        weights = weights - np.linalg.solve(bend, slope)
    return np.asarray(weights, np.float64)


def temperature_of(every: list[Places]) -> float:
    """Return the temperature under which the faces' truth is likeliest."""
    scores, truth = np.concatenate([one.scores for one in every]), np.concatenate([one.truth for one in every])
    scores, faces = scores[truth > 0], truth[truth > 0] - 1
    costs = []
    for t in TRIED:
        scaled = (scores - scores.max(axis=1, keepdims=True)) / t
        costs.append((np.log(np.exp(scaled).sum(axis=1)) - scaled[np.arange(len(faces)), faces]).mean())
    print(f"faces likeliest right: {(scores.argmax(axis=1) == faces).mean():.4f} of {len(faces)}")
    return float(TRIED[int(np.argmin(costs))])


def as_dice(one: Places, weights: NDArray[np.float64], temperature: float) -> list[DieSeen]:
    """Return the places as dice, under these weights."""
    there = 1 / (1 + np.exp(-(one.odds @ weights[:2] + weights[2])))
    faces = np.exp((one.scores - one.scores.max(axis=1, keepdims=True)) / temperature)
    faces /= faces.sum(axis=1, keepdims=True)
    return [
        DieSeen((float(x), float(y)), float(p), tuple(float(f) for f in row))
        for (x, y), p, row in zip(one.at, there, faces, strict=True)
    ]


def main() -> None:
    """Weigh and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("scenes", type=Path, nargs="+")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    every = []
    for folder in args.scenes:
        for number, path in enumerate(sorted(folder.glob("*.npz"))):  # each camera's picture counts by itself
            with np.load(path) as data:
                scene = {k: data[k] for k in data.files}
            if whole(scene):
                every += [places_of(scene, worn_picture(scene, number, plain)) for plain in (True, False)]
    weights, temperature = weights_of(every), temperature_of(every)
    print(f"weights {weights.round(3).tolist()}, temperature {temperature:.3f}")
    throws = [(*thrown(as_dice(one, weights, temperature)), one.want) for one in every if len(one.want) == 2]
    for least in TOLD:
        told = [sorted(faces) == want for faces, sure, want in throws if sure >= least]
        print(f"from {least}: right {sum(told)}, wrong {len(told) - sum(told)}, open {len(throws) - len(told)}")


if __name__ == "__main__":
    main()
