"""Measures how well heights can be told on every field: from geometry alone, before a stone has moved.

Two things make a height hard to tell. From steeply above, a top face hardly moves in the picture when a stone is
added; from a slant, towers hide what stands behind them. The first is counted in pixels a level, the second by
trying: boards such as play makes of this set-up are thrown at random, and it is counted how often no camera sees a
field.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.pose import Pose
from calibration.table import TableSetup
from vision.geometry.visibility import tops_seen

BOARDS = 24
"""Random boards the hidden share is counted on."""
SEEN = 0.5
"""A top face counts as seen when this share of it is in view: the reader then trusts a camera in full (scorer.py)."""
LEAST_PX = 2.5
"""Levels closer than the width of a sharp picture's edges (about 2.5 pixels) can't be told by where an edge lies."""
_CORNERS = np.array([(0.0, 0.0), (-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


@dataclass(frozen=True, eq=False)
class Eye:
    """A camera's lens and where it stands, without a picture."""

    lens: Lens
    pose: Pose


@dataclass(frozen=True, eq=False)
class Legibility:
    """Figures on how well a set of cameras sees every field.

    px_per_level: (cameras, rows, cols) how far a top face moves in the picture when a stone is added, nan outside the
    picture. hidden: (rows, cols) share of random boards in which no camera sees the field's top well enough.
    """

    px_per_level: NDArray[np.float64]
    hidden: NDArray[np.float64]

    @property
    def best_px(self) -> NDArray[np.float64]:
        """Return the best camera's pixels a level, (rows, cols); 0 where no camera has the field in its picture."""
        return np.asarray(np.nan_to_num(self.px_per_level, nan=0.0).max(axis=0), np.float64)

    @property
    def fields_hidden(self) -> float:
        """Return how many fields are hidden from all cameras in a usual position."""
        return float(self.hidden.sum())


def legibility(eyes: Sequence[Eye], table: TableSetup, setup: NDArray[np.integer]) -> Legibility:
    """Measure how well cameras see every field of a table in play that begins with ``setup`` (rows, cols) stones."""
    px = np.stack([px_per_level(eye, table, setup) for eye in eyes])
    seen = np.zeros((BOARDS, table.rows, table.columns), np.bool_)
    boards = played_boards(setup)
    for eye in eyes:
        seen = seen_on(eye, boards, seen, table, setup)
    return Legibility(px, np.asarray(1.0 - seen.mean(axis=0), np.float64))


def seen_on(
    eye: Eye, boards: NDArray[np.int8], seen: NDArray[np.bool_], table: TableSetup, setup: NDArray[np.integer]
) -> NDArray[np.bool_]:
    """Add to what is seen (n, rows, cols) of boards (n, rows, cols) what one more camera sees finely enough."""
    fine = np.nan_to_num(px_per_level(eye, table, setup), nan=0.0) >= LEAST_PX
    centre = eye.pose.centre_mm
    # Only fields that no camera sees yet are traced: they are few, and many places are tried.
    return np.stack(
        [
            known | (tops_seen(centre, board, table, wanted=fine & ~known) >= SEEN)
            for board, known in zip(boards, seen, strict=True)
        ]
    )


def best_seen_px(eyes: Sequence[Eye], board: NDArray[np.int8], table: TableSetup) -> NDArray[np.float64]:
    """Return the pixels a level (rows, cols) of the best camera that sees each stack's top; 0 where none does."""
    best = np.zeros(board.shape)
    for eye in eyes:
        px = np.nan_to_num(px_per_level(eye, table, board), nan=0.0)
        seen = tops_seen(eye.pose.centre_mm, board, table, wanted=px > best) >= SEEN
        best = np.where(seen, np.maximum(best, px), best)
    return best


def px_per_level(eye: Eye, table: TableSetup, heights: NDArray[np.integer]) -> NDArray[np.float64]:
    """Return how far a top face's middle and corners move when a stone is added, on average, (rows, cols) pixels.

    nan where the face, or the face one higher, is not wholly in the picture.
    """
    centres = table.centres_mm()
    size = np.array(table.cube_mm[:2])
    faces = np.empty((*centres.shape[:2], len(_CORNERS), 3))
    faces[..., :2] = centres[:, :, None] + _CORNERS * size
    faces[..., 2] = heights[..., None] * table.cube_mm[2]
    here = eye.pose.project(faces, eye.lens)
    above = eye.pose.project(faces + np.array([0.0, 0.0, table.cube_mm[2]]), eye.lens)
    limit = np.array(eye.lens.size) - 1.0
    with np.errstate(invalid="ignore"):
        inside = ((here >= 0) & (here <= limit) & (above >= 0) & (above <= limit)).all(axis=(2, 3))
    moved = np.linalg.norm(above - here, axis=-1).mean(axis=-1)
    return np.asarray(np.where(inside, moved, np.nan), np.float64)


def played_boards(setup: NDArray[np.integer], count: int = BOARDS) -> NDArray[np.int8]:
    """Return boards as play may leave them, (count, rows, cols): stones of the set-up taken anywhere and piled up.

    The same ones every time, so that two checks of a table can be compared. High stacks grow more likely than low
    ones, as towers do that somebody is building.
    """
    rng = np.random.default_rng(1990)
    boards = np.repeat(np.asarray(setup, np.int8)[None], count, axis=0)
    for number, board in enumerate(boards):
        flat = board.reshape(-1)
        # From an early position to a late one, in which most stones have moved.
        for _ in range(round(int(flat.sum()) * (0.1 + 0.5 * number / max(count - 1, 1)))):
            taken = rng.choice(np.flatnonzero(flat))
            flat[taken] -= 1
            flat[rng.choice(len(flat), p=(flat + 0.5) / (flat + 0.5).sum())] += 1
    return boards
