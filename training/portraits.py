"""Cuts pieces on the stacks of rendered scenes out upright: the network of portraits is trained on them.

usage: python -m training.portraits OUT.npz SCENES_FOLDER ... [--held] [--empty SHARE]
``--held``: only the scenes kept out of training, the first of every folder; otherwise all but those. ``--empty``: the
share of the stacks with nothing on them that is kept.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from training.measure import table_of
from training.net import PIECES
from training.train import HELD_OUT
from vision.geometry.visibility import tops_seen
from vision.heights.sweep import camera_centre
from vision.heights.upright import cut_upright

OFF_FIELDS, OFF_MM = 0.02, 0.3
"""Errors of a cut-out's place: across, in fields, and in height (standard deviations)."""


class Portraits(NamedTuple):
    """Cut-outs of many views.

    cuts: (n, h, w, 3) uint8 BGR. piece: (n,) class. seen: (n,) share of the piece in sight. kit: (n, PIECES) which
    classes may stand there. upright: (n,) cosine of the elevation it is seen at. piece_fields: (n,) a piece's height
    in fields. view: (n,) cut-outs of one picture have one number.
    """

    cuts: NDArray[np.uint8]
    piece: NDArray[np.uint8]
    seen: NDArray[np.float32]
    kit: NDArray[np.bool_]
    upright: NDArray[np.float32]
    piece_fields: NDArray[np.float32]
    view: NDArray[np.int32]


def portraits_of(scene: Mapping[str, NDArray], number: int, empty: float, rng: np.random.Generator) -> Portraits:
    """Return the cut-outs of one scene's two pictures; ``number`` is that of its first view."""
    table = table_of(dict(scene))
    kit = np.zeros(PIECES, np.bool_)
    kit[scene["kit"]] = True
    pitch = table.pitch_mm[0]
    heights = scene["heights"]
    tops = np.concatenate([table.centres_mm(), heights[..., None] * table.cube_mm[2]], axis=2).reshape(-1, 3)
    piece = scene["pieces"].reshape(-1)
    parts = []
    for k in range(2):
        picture = np.asarray(cv2.imdecode(scene[f"jpg{k}"], cv2.IMREAD_COLOR), np.uint8)
        rotation, translation = scene[f"R{k}"], scene[f"t{k}"]
        centre = camera_centre(rotation, translation)
        kept = np.flatnonzero((piece > 0) | (rng.random(len(piece)) < empty))
        seen = tops_seen(centre, heights.astype(np.int8), table, above_mm=0.6 * table.flag.height_mm)
        at = tops[kept] + rng.normal(size=(len(kept), 3)) * [OFF_FIELDS * pitch, OFF_FIELDS * pitch, OFF_MM]
        sight = at - centre
        parts.append(
            Portraits(
                cut_upright(picture, scene[f"K{k}"], rotation, translation, at, pitch),
                piece[kept].astype(np.uint8),
                seen.reshape(-1)[kept].astype(np.float32),
                np.repeat(kit[None], len(kept), axis=0),
                (np.hypot(sight[:, 0], sight[:, 1]) / np.linalg.norm(sight, axis=1)).astype(np.float32),
                np.full(len(kept), table.flag.height_mm / pitch, np.float32),
                np.full(len(kept), number + k, np.int32),
            )
        )
    return joined(parts)


def joined(parts: list[Portraits]) -> Portraits:
    """Join all cut-outs."""
    return Portraits(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def chosen(folders: list[Path], held: bool) -> Iterator[Path]:
    """Yield the scenes of the folders that are kept out of training, or all others; linked ones once."""
    apart = {path.resolve() for folder in folders for path in sorted(folder.glob("*.npz"))[:HELD_OUT]}
    every = {path.resolve() for folder in folders for path in folder.glob("*.npz")}
    return iter(sorted(apart if held else every - apart))


def main() -> None:
    """Cut and write."""
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("scenes", type=Path, nargs="+")
    parser.add_argument("--held", action="store_true")
    parser.add_argument("--empty", type=float, default=0.4)
    args = parser.parse_args()
    rng = np.random.default_rng(0)
    parts = []
    for number, path in enumerate(chosen(args.scenes, args.held)):
        with np.load(path) as data:
            scene = {k: data[k] for k in data.files}
        parts.append(portraits_of(scene, 2 * number, args.empty, rng))
    every = joined(parts)
    np.savez(args.out, **every._asdict())
    print(f"{len(every.piece)} cut-outs of {len(parts)} scenes; of each class {np.bincount(every.piece).tolist()}")


if __name__ == "__main__":
    main()
