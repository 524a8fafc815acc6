"""Films a recorded game, one video a camera: each board stands still for a while, an arm comes, the next stands.

The pictures are the recording's own; the arm is painted, the noise is made, so films say how fast the referee is, not
how well it sees.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

FPS = 15
NOISE = 2.0
ARM_BGR = (110, 140, 190)


@dataclass(frozen=True, slots=True)
class Film:
    """Videos by camera. free: for each board but the first, the frame (from 1) in which the arm is gone again."""

    videos: Mapping[str, Path]
    free: tuple[int, ...]
    frames: int


def shoot(boards: Sequence[Mapping[str, NDArray[np.uint8]]], folder: Path, hold_s: float, arm_s: float = 1.2) -> Film:
    """Write the videos of boards (camera to picture, BGR) as Motion JPEG; each stands ``hold_s`` seconds."""
    folder.mkdir(parents=True, exist_ok=True)
    hold, sweep = round(hold_s * FPS), round(arm_s * FPS)
    videos: dict[str, Path] = {}
    for camera in boards[0]:
        path = folder / f"{camera}.avi"
        height, width = boards[0][camera].shape[:2]
        writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, (width, height))
        noise = _noise((height, width))
        count = 0
        for number, board in enumerate(boards):
            for step in range(sweep if number else 0):
                shown = boards[number - 1] if step < sweep / 2 else board
                writer.write(_noisy(_with_arm(shown[camera], step / (sweep - 1)), noise, count))
                count += 1
            for _ in range(hold):
                writer.write(_noisy(board[camera], noise, count))
                count += 1
        writer.release()
        videos[camera] = path
    free = tuple(1 + number * hold + number * sweep for number in range(1, len(boards)))
    return Film(videos, free, len(boards) * hold + (len(boards) - 1) * sweep)


def _with_arm(picture: NDArray[np.uint8], share: float) -> NDArray[np.uint8]:
    """Draw an arm from the lower edge to the middle and back, at a share of its way."""
    height, width = picture.shape[:2]
    reach = 1 - abs(2 * share - 1)
    tip = (round(width * (0.45 + 0.1 * share)), round(height * (1.05 - 0.6 * reach)))
    shown = picture.copy()
    cv2.line(shown, (round(width * 0.55), round(height * 1.2)), tip, ARM_BGR, round(width * 0.09), cv2.LINE_AA)
    return np.asarray(shown, np.uint8)


def _noise(shape: tuple[int, int]) -> list[NDArray[np.int16]]:
    chance = np.random.default_rng(1)
    return [np.round(chance.normal(0, NOISE, (*shape, 1))).astype(np.int16) for _ in range(5)]


def _noisy(picture: NDArray[np.uint8], noise: list[NDArray[np.int16]], number: int) -> NDArray[np.uint8]:
    noisy = picture.astype(np.int16) + noise[number % len(noise)]
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)
