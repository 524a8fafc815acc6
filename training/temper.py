"""Finds the temperatures of the scorer: what to divide log-likelihoods by, so that the truth is likeliest.

usage: python -m training.temper SCENES_FOLDER ... [--first N] [--last N] [--compared] [--light] [--weights flags]
Scenes kept out of training go through sweep and scorer as in the product; two cameras are summed, as far as each one
sees. One temperature holds for fields seen from nearly above, one for those seen from the side. Prints the likeliest
pairs, what is told right and wrong with the first of them, and the likeliest for pieces. ``--compared``: as looks
that are compared with an earlier one are shown. ``--light``: worn by grain, blur and compression alone.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.measure import chosen, scenes_parser, shares, shown, unlikeliness
from training.net import PIECES
from vision.heights.decode import TOLD, TOLD_ALONE
from vision.heights.scorer import as_far_as_seen, camera_says, slopes
from vision.heights.temperature import ALONE, COMPARED, Temperature

TRIED = np.arange(0.7, 2.05, 0.1)
FULL_CERTAINTY = 0.999


class Told(NamedTuple):
    """Evidence of cameras (cameras, fields, classes) at the present temperatures, its slopes, and the truth."""

    heights: NDArray[np.float64]
    slopes: NDArray[np.float64]
    height: NDArray[np.int64]
    pieces: NDArray[np.float64]
    piece: NDArray[np.int64]


def told(path: Path, number: int, compared: bool, light: bool) -> Told:
    """Return what two cameras tell of the fields of one scene that are in sight."""
    at = shown(path, number, light=light)
    heights, flags, _ = zip(
        *(camera_says(look, at.table, at.kit, compared) for look in at.looks.values()), strict=True
    )
    standing = np.sum(heights, axis=0).argmax(axis=2)
    centres = [look.centre_mm for look in at.looks.values()]
    parts = [
        as_far_as_seen(centre, at.table, standing, h, f) for centre, h, f in zip(centres, heights, flags, strict=True)
    ]
    fields = at.seen.size
    pieces = np.full((len(parts), fields, PIECES), -100.0)
    pieces[..., : len(at.kit.classes)] = np.stack([flag.reshape(fields, -1) for _, flag in parts])
    return Told(
        np.stack([height.reshape(fields, -1) for height, _ in parts])[:, at.seen],
        np.stack([slopes(centre, at.table).ravel() for centre in centres])[:, at.seen],
        at.heights[at.seen],
        pieces[:, at.seen],
        at.pieces[at.seen],
    )


def main() -> None:
    """Measure and print."""
    parser = scenes_parser()
    parser.add_argument("--compared", action="store_true")
    args = parser.parse_args()
    files = chosen(args)
    now = (COMPARED if args.compared else ALONE)[args.weights]
    parts = [told(path, number, args.compared, args.light) for number, path in enumerate(files)]
    heights, slope, pieces = (
        np.concatenate([getattr(p, n) for p in parts], 1) for n in ("heights", "slopes", "pieces")
    )
    height, piece = (np.concatenate([getattr(p, n) for p in parts]) for n in ("height", "piece"))
    plain = heights * now.of_heights(slope)[..., None]

    def at(steep: float, oblique: float) -> NDArray[np.float64]:
        divisor = Temperature(steep, oblique, 1.0).of_heights(slope)
        return np.asarray((plain / divisor[..., None]).sum(axis=0), np.float64)

    pairs = sorted((unlikeliness(at(*pair), height, 1.0), *pair) for pair in itertools.product(TRIED, TRIED))
    print(f"{len(files)} scenes, {len(height)} fields in sight")
    for away, steep, oblique in pairs[:3]:
        print(f"heights: {away:.4f} nats a field at {steep:.1f} from above, {oblique:.1f} from the side")
    least = TOLD_ALONE if args.weights == "flags" else TOLD
    for words, said in (("now", heights.sum(axis=0)), ("at the likeliest", at(*pairs[0][1:]))):
        away = unlikeliness(said, height, 1.0)
        print(f"{words}: {away:.4f} nats; {shares(said, height, least)}; surer than {FULL_CERTAINTY}: ", end="")
        print(shares(said, height, FULL_CERTAINTY))
    likeliest = min(TRIED, key=lambda t: unlikeliness(pieces.sum(axis=0) * now.pieces, piece, t))
    print(f"pieces: likeliest at {likeliest:.1f}, now {now.pieces}")


if __name__ == "__main__":
    main()
