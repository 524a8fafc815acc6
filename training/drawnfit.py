"""Finds how far drawings of doubtful stacks are to be trusted, for vision/heights/drawn.py.

usage: python -m training.drawnfit SCENES_FOLDER ...
Scenes of ``training.render --phone 1 --views 5``, worn by grain, blur and compression, read without history by one to
all of their pictures. Prints how far the truth of the fields in doubt lies away in nats, for a range of weights (from
left to right) and limits, with every stack in its field's middle and with shifts.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from referee.values.belief import log_probabilities
from training.handmeasure import F64, VIEWS, heights_said, variants, weighed
from training.measure import Shown, shown
from training.visible import SEEN
from vision.geometry.visibility import tops_seen
from vision.heights.drawn import SHIFTS, drawings, height_nats

WEIGHTS = (0.0, 0.1, 0.2, 0.4, 0.6, 0.8, 1.2, 1.6)
LIMITS_NATS = (1.0, 2.0, 3.0, 6.0)


class Doubt(NamedTuple):
    """A field in doubt: what the networks say of it (levels,), its heights in question, their fits, and the truth."""

    logs: F64
    asked: list[int]
    compared: F64
    truth: int


def doubts(at: Shown) -> Iterator[Doubt]:
    """Yield the fields in sight about which one to all pictures of a scene leave doubt."""
    looks = list(at.looks.values())
    each = [heights_said(look, at.table, at.kit, variants("wider+flags")) for look in looks]
    truth = at.heights.reshape(at.table.rows, at.table.columns).astype(np.int8)
    tops = [tops_seen(look.centre_mm, truth, at.table) for look in looks]
    for count in range(1, VIEWS + 1):
        logs = log_probabilities(np.sum(weighed(at, each[:count], looks[:count]), axis=0))
        seen = np.max(tops[:count], axis=0) >= SEEN
        for place, (asked, compared) in drawings(logs, at.views[:count], at.table).items():
            if seen[place]:
                yield Doubt(logs[place], asked, compared, int(truth[place]))


def away(found: list[Doubt], trust: float, most: float, shifts: int) -> float:
    """Return how far the truth lies away, in nats a field in doubt."""
    nats = [
        log_probabilities(one.logs + height_nats(one.asked, one.compared[..., :shifts], len(one.logs), trust, most))
        for one in found
    ]
    return -float(np.mean([logs[one.truth] for logs, one in zip(nats, found, strict=True)]))


def main() -> None:
    """Draw, compare and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("scenes", type=Path, nargs="+")
    args = parser.parse_args()
    files = [path for folder in args.scenes for path in sorted(folder.glob("*.npz"))]
    found = [one for number, path in enumerate(files) for one in doubts(shown(path, number, VIEWS, light=True))]
    print(f"{len(found)} fields in doubt in {len(files)} scenes")
    for shifts in (1, len(SHIFTS)):
        for most in LIMITS_NATS:
            row = " ".join(f"{away(found, trust, most, shifts):.4f}" for trust in WEIGHTS)
            print(f"{shifts} shifts, at most {most} nats: {row}")


if __name__ == "__main__":
    main()
