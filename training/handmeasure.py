"""Reads scenes pictured by a phone in a hand as the product reads a look without history: what so many pictures tell.

usage: python -m training.handmeasure SCENES_FOLDER ... [--sets wider+flags|wider+wider|wider] [--drawn|--single]
Scenes of ``training.render --phone 1 --views 5``, worn by grain, blur and compression. Prints for one to all pictures
the stacks in sight told right, told wrong and left open, and how far the truth lies away in nats. ``--sets``: the
weights that look, the second time at the mirror image. ``--drawn``: as the product reads, heights in doubt compared
with drawings besides. ``--single``: instead, what each picture tells by itself, by
the share of a top face that is in sight, by how far a stone more displaces it, and by the stack's height.
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.values.belief import BoardBelief, log_probabilities
from training.measure import Shown, shown
from training.visible import SEEN
from vision.geometry.visibility import tops_seen
from vision.heights.change import CameraLook
from vision.heights.decode import TOLD_ALONE, surely_empty
from vision.heights.drawn import with_drawn
from vision.heights.pieces import Pieces
from vision.heights.scorer import SweepVariant, as_far_as_seen, score_view, slopes
from vision.heights.temperature import ALONE

VIEWS = 5
EDGES = {
    "share in sight": (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.01),
    "displaced, fields": (0.0, 0.2, 0.35, 0.5, 0.7, 0.9, 1.1, 3.0),
    "stones": (0, 1, 2, 3, 4, 6, 11),
}
F64 = NDArray[np.float64]


def variants(sets: str) -> tuple[SweepVariant, ...]:
    """Return how pictures are shown to the sets of weights named, the second time as their mirror image."""
    return tuple(SweepVariant(mirrored=bool(k), weights=name) for k, name in enumerate(sets.split("+")))


def heights_said(look: CameraLook, table: TableSetup, pieces: Pieces, ways: tuple[SweepVariant, ...]) -> F64:
    """Return one picture's log-likelihoods of heights (rows, cols, levels), at the product's temperature."""
    scores = score_view(look.sweep, pieces, ways)
    divisor = ALONE["flags"].of_heights(slopes(look.centre_mm, table))[..., None]
    return np.asarray(log_probabilities(np.logaddexp.reduce(scores, axis=3)) / divisor, np.float64)


def weighed(at: Shown, said: list[F64], looks: list[CameraLook]) -> list[F64]:
    """Return the pictures' log-likelihoods as far as each sees what they are about."""
    standing = np.sum(said, axis=0).argmax(axis=2)
    flags = np.zeros((*standing.shape, len(at.kit.classes)))
    return [
        as_far_as_seen(look.centre_mm, at.table, standing, heights, flags, least=0.0)[0]
        for look, heights in zip(looks, said, strict=True)
    ]


def by_number(at: Shown, said: list[F64], looks: list[CameraLook], truth: NDArray[np.int8], drawn: bool) -> F64:
    """Return, for one to all pictures, (views, 4): stacks in sight, told right, told wrong, and the sum of nats.

    drawn: heights in doubt are drawn and compared with the pictures besides.
    """
    out = np.zeros((len(looks), 4))
    tops = [tops_seen(look.centre_mm, truth, at.table) for look in looks]
    for count in range(1, len(looks) + 1):
        parts = weighed(at, said[:count], looks[:count])
        nothing = np.zeros((*truth.shape, len(at.kit.classes)))
        belief = BoardBelief(np.sum(parts, axis=0), nothing, at.kit.letters)
        if drawn:
            belief = with_drawn(belief, at.views[:count], at.table, None, at.kit)
        logs = log_probabilities(belief.heights)
        seen = np.max(tops[:count], axis=0) >= SEEN
        each = {str(k): BoardBelief(part, nothing, at.kit.letters) for k, part in enumerate(parts)}
        best = logs.argmax(axis=2)
        told = seen & (np.exp(logs.max(axis=2)) >= TOLD_ALONE) & ((best > 0) | surely_empty(each))
        away = -np.take_along_axis(logs, truth[..., None].astype(np.intp), axis=2)[..., 0]
        out[count - 1] = seen.sum(), (told & (best == truth)).sum(), (told & (best != truth)).sum(), away[seen].sum()
    return out


def single(said: F64, look: CameraLook, table: TableSetup, truth: NDArray[np.int8]) -> F64:
    """Return what one picture tells, (6, fields): the keys of EDGES, then best guess right, told, nats."""
    logs = log_probabilities(said)
    away = -np.take_along_axis(logs, truth[..., None].astype(np.intp), axis=2)[..., 0]
    right, told = logs.argmax(axis=2) == truth, np.exp(logs.max(axis=2)) >= TOLD_ALONE
    keys = tops_seen(look.centre_mm, truth, table), slopes(look.centre_mm, table), truth
    return np.stack([np.ravel(part).astype(np.float64) for part in (*keys, right, told, away)])


def tell_single(cells: F64) -> None:
    """Print what pictures tell by themselves; but for the first key only of what is in plain sight."""
    for k, (name, edges) in enumerate(EDGES.items()):
        for low, high in pairwise(edges):
            here = (cells[k] >= low) & (cells[k] < high) & ((cells[0] >= EDGES["share in sight"][-2]) | (k == 0))
            if here.any():
                right, told, away = cells[3:, here]
                wrong = int(((told > 0) & (right == 0)).sum())
                print(
                    f"{name} {low} to {high}: {here.sum()} fields, best guess right {right.mean():.3f}, "
                    f"told {told.mean():.3f}, {wrong} of these wrong, {away.mean():.3f} nats"
                )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("scenes", type=Path, nargs="+")
    parser.add_argument("--sets", default="wider+flags")
    parser.add_argument("--single", action="store_true")
    parser.add_argument("--drawn", action="store_true")
    args = parser.parse_args()
    sums, cells = np.zeros((VIEWS, 4)), []
    ways = variants(args.sets)
    files = [path for folder in args.scenes for path in sorted(folder.glob("*.npz"))]
    for number, path in enumerate(files):
        at = shown(path, number, VIEWS, light=True)
        truth = at.heights.reshape(at.table.rows, at.table.columns).astype(np.int8)
        looks = list(at.looks.values())
        said = [heights_said(look, at.table, at.kit, ways) for look in looks]
        if args.single:
            cells += [single(heights, look, at.table, truth) for heights, look in zip(said, looks, strict=True)]
        else:
            sums += by_number(at, said, looks, truth, args.drawn)
    if args.single:
        tell_single(np.concatenate(cells, axis=1))
        return
    for count, (seen, right, wrong, away) in enumerate(sums, 1):
        print(f"{count} pictures: {right:.0f} of {seen:.0f} right ({right / seen:.2%}), {wrong:.0f} wrong, ", end="")
        print(f"{away / seen:.4f} nats a field")


if __name__ == "__main__":
    main()
