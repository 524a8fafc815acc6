"""Films made of still pictures, one a move, as of a tournament's overhead camera: nobody is seen to move a piece."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.gate.gate import GateState, begin, watch
from vision.gate.region import Region, polygon_region

SHAPE = 120, 160
SIDE_PX, FIELDS, LEFT, TOP = 6, 15, 35, 15
Place = tuple[int, int]
"""A field's row and column, from 0."""


def board_region() -> Region:
    """Return the region of a board of 15 x 15 fields seen from above."""
    left, top, side = LEFT / SHAPE[1], TOP / SHAPE[0], SIDE_PX * FIELDS
    right, bottom = left + side / SHAPE[1], top + side / SHAPE[0]
    outline = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    return polygon_region(outline, SHAPE, FIELDS)


def picture(pieces: Iterable[Place], arm: Place | None = None) -> NDArray[np.uint8]:
    """Draw the board with pieces on some fields; arm: a field an arm reaches to from the picture's right side."""
    table = np.random.default_rng(7).normal(95, 6, SHAPE)
    board = table.copy()
    for row in range(FIELDS):
        for col in range(FIELDS):
            y, x = TOP + SIDE_PX * row, LEFT + SIDE_PX * col
            board[y : y + SIDE_PX, x : x + SIDE_PX] = 120 + 25 * ((row * col + row) % 3 == 0)
            board[y, x : x + SIDE_PX] = board[y : y + SIDE_PX, x] = 80
    for row, col in pieces:
        y, x = TOP + SIDE_PX * row, LEFT + SIDE_PX * col
        board[y : y + SIDE_PX, x : x + SIDE_PX] = 215
        board[y + 1 + row % 2 : y + 4, x + 2 + col % 2] = 60
    if arm is not None:
        y, x = TOP + SIDE_PX * arm[0], LEFT + SIDE_PX * arm[1]
        board[y - 6 : y + 7, x:] = 165 + 14 * np.sin(np.arange(SHAPE[1] - x) / 3)
    return np.asarray(np.clip(cv2.GaussianBlur(board, (0, 0), 0.6), 0, 255), np.uint8)


def watched(
    pictures: Sequence[NDArray[np.uint8]], each_s: float, fps: float = 15.0, begun: GateState | None = None
) -> list[GateState]:
    """Return the gate's states, frame by frame, with every picture shown for some seconds, with noise."""
    rng = np.random.default_rng(3)
    state, states = begun or begin(board_region()), []
    for number in range(round(len(pictures) * each_s * fps)):
        shown = pictures[int(number / fps / each_s)]
        noisy = np.clip(shown + rng.normal(0, 1.5, SHAPE), 0, 255).astype(np.uint8)
        state = watch(state, number, number / fps, noisy)
        states.append(state)
    return states
