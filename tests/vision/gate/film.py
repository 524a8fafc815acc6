"""Films of a table: hands come and go over a bundled picture of one, stones change their places, lamps and shadows.

The pictures are encoded and decoded as real videos are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import find_pose
from referee.demo.recording import BUNDLED
from vision.gate.gate import GateState, begin, watch
from vision.gate.region import Region, frame_region
from vision.geometry.view import View
from vision.reader import TableReader
from vision.sources.packet import Packet, shrink

Picture = NDArray[np.uint8]
Look = Callable[[Picture], Picture]
SIZE = (640, 480)
GREY = (120, 160)


@cache
def table() -> tuple[Picture, Region]:
    """Return the board of the bundled game at its beginning, 640 x 480, and where it lies."""
    reader = TableReader.open(BUNDLED)
    camera = reader.table.cameras[0]
    path = sorted((BUNDLED / "pictures").glob(f"*_{camera}.jpg"))[0]
    picture = np.asarray(cv2.imread(str(path)), np.uint8)
    view = View(camera, picture, reader.lens(camera), find_pose(picture, reader.lens(camera), reader.table))
    small = cv2.resize(picture, SIZE, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), frame_region(view, reader.table, GREY)


def middle() -> tuple[int, int]:
    """Return the middle of the board in the picture."""
    rows, cols = np.nonzero(table()[1].mask)
    return round(4 * cols.mean()), round(4 * rows.mean())


def place(across: float, down: float) -> tuple[int, int]:
    """Return a place in the picture, in fields from the middle of the board."""
    side = 4 * table()[1].field_px
    x, y = middle()
    return round(x + across * side), round(y + down * side)


@cache
def _skin() -> NDArray[np.float32]:
    rng = np.random.default_rng(5)
    grain = cv2.GaussianBlur(rng.normal(0, 1, (*SIZE[::-1], 1)).astype(np.float32), (0, 0), 3)
    return np.asarray(1 + 0.5 * grain[..., None], np.float32)


def hand(tip: tuple[int, int], side: str = "right", skin: tuple[int, int, int] = (120, 150, 205)) -> Look:
    """Return a look with a hand and its soft shadow, reaching in from a side of the picture to ``tip``."""
    ends = {"right": (SIZE[0] + 80, tip[1] - 60), "left": (-80, tip[1] + 60), "top": (tip[0] + 40, -80)}

    @cache
    def drawn() -> tuple[tuple[slice, slice], list[NDArray[np.float32]]]:
        """Draw where the hand is seen, and there: the shadow, the arm, its skin and the sleeve."""
        begin_at, end = np.array(tip, float), np.array(ends[side], float)
        along = (end - begin_at) / np.linalg.norm(end - begin_at)
        wrist, cuff = begin_at + 75 * along, begin_at + 120 * along
        arm, sleeve, shade = (np.zeros(SIZE[::-1], np.float32) for _ in range(3))
        normal = np.array([-along[1], along[0]])
        for finger in (-16, -5, 6, 17):
            _line(arm, begin_at + finger * normal * 0.7, begin_at + 45 * along + finger * normal, 11)
        _line(arm, begin_at + 42 * along, wrist, 44)
        _line(arm, wrist, cuff, 34)
        _line(sleeve, cuff, end, 52)
        _line(shade, begin_at + 14, end + 14, 50)
        light = 0.7 + 0.3 * _smooth(arm, 8)
        bare = np.asarray(light * _skin() * np.array(skin, np.float32), np.float32)
        parts = [1 - 0.4 * _smooth(shade, 9), _smooth(arm, 1), bare, _smooth(sleeve, 1)]
        rows, cols = np.nonzero(((parts[0] != 1) | (parts[1] != 0) | (parts[3] != 0))[..., 0])
        if not rows.size:
            return (slice(0), slice(0)), [part[:0, :0] for part in parts]
        where = slice(rows.min(), rows.max() + 1), slice(cols.min(), cols.max() + 1)
        return where, [part[where] for part in parts]

    def over(picture: Picture) -> Picture:
        where, (shade, arm, bare, sleeve) = drawn()
        seen = picture[where] * shade
        seen += arm * (bare - seen)
        seen += sleeve * (np.array((70, 45, 40), np.float32) - seen)
        picture = picture.copy()
        picture[where] = np.clip(seen, 0, 255)
        return picture

    return over


@cache
def _grain(number: int) -> NDArray[np.float32]:
    rng = np.random.default_rng(number)
    return np.asarray(cv2.resize(rng.normal(0, 1, (SIZE[1] // 2, SIZE[0] // 2, 3)).astype(np.float32), SIZE))


def _smooth(mask: NDArray[np.float32], sigma: int) -> NDArray[np.float32]:
    """Return a mask with soft edges, (h, w, 1)."""
    if sigma < 4:
        return np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma)[..., None], np.float32)
    small = cv2.GaussianBlur(mask[::4, ::4], (0, 0), sigma / 4)
    return np.asarray(cv2.resize(small, SIZE, interpolation=cv2.INTER_LINEAR)[..., None], np.float32)


def _line(mask: NDArray[np.float32], a: NDArray[np.float64], b: NDArray[np.float64], width: int) -> None:
    ends = [(round(float(x)), round(float(y))) for x, y in (a, b)]
    cv2.line(mask, ends[0], ends[1], 1.0, width, cv2.LINE_AA)


def stone(at: tuple[int, int], bgr: tuple[int, int, int] = (60, 95, 150)) -> Look:
    """Return a look with one more stone of a field's size."""

    def with_it(picture: Picture) -> Picture:
        drawn, half = picture.copy(), round(1.7 * table()[1].field_px)
        x, y = at
        cv2.rectangle(drawn, (x - half, y - half), (x + half, y + half), tuple(int(0.6 * c) for c in bgr), -1)
        cv2.rectangle(drawn, (x - half, y - half), (x + half, y + half // 2), bgr, -1)
        return np.asarray(cv2.GaussianBlur(drawn, (0, 0), 0.7), np.uint8)

    return with_it


def shadow(at: tuple[int, int], radius: int = 130) -> Look:
    """Return a look with the shadow of somebody who leans over."""

    def over(picture: Picture) -> Picture:
        mask = np.zeros(picture.shape[:2], np.float32)
        cv2.circle(mask, at, radius, 1.0, -1)
        return np.asarray(picture * (1 - 0.4 * cv2.GaussianBlur(mask, (0, 0), 25)[..., None]), np.uint8)

    return over


def lamp(picture: Picture) -> Picture:
    """Add a second lamp from the left."""
    return np.clip(picture * np.linspace(1.45, 0.85, SIZE[0])[None, :, None], 0, 255).astype(np.uint8)


def bumped(picture: Picture) -> Picture:
    """Turn the camera a little aside."""
    warp = np.array([[1, 0, 7], [0, 1, -5]], np.float32)
    return np.asarray(cv2.warpAffine(picture, warp, SIZE, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def turned(picture: Picture) -> Picture:
    """Turn the table a little."""
    warp = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), 2.0, 1.0)
    return np.asarray(cv2.warpAffine(picture, warp, SIZE, borderMode=cv2.BORDER_REPLICATE), np.uint8)


@dataclass
class Film:
    """Frames as they are shot. stay: looks that last. free: whether nothing is over the board, frame by frame."""

    fps: float = 15.0
    noise: float = 2.0
    stay: list[Look] = field(default_factory=list)
    frames: list[Picture] = field(default_factory=list)
    free: list[bool] = field(default_factory=list)
    boards: list[int] = field(default_factory=list)
    _bare: tuple[list[Look], Picture] = field(default_factory=lambda: ([], table()[0]))
    """What lasts, and the picture with it."""

    def shoot(self, *looks: Look, free: bool = True) -> None:
        if self._bare[0] != self.stay:
            picture = table()[0]
            for look in self.stay:
                picture = look(picture)
            self._bare = [*self.stay], picture
        bare = picture = self._bare[1]
        for look in looks:
            picture = look(picture)
        # A hand that is drawn may still be beside the board.
        free = free or not _over_board(picture, bare)
        noisy = picture + self.noise * _grain(len(self.frames) % 16)
        self.frames.append(np.clip(noisy, 0, 255).astype(np.uint8))
        self.free.append(free)
        self.boards.append(len([one for one in self.stay if one not in (lamp, bumped, turned)]))

    def wait(self, seconds: float, *looks: Look, free: bool = True) -> None:
        for _ in range(round(seconds * self.fps)):
            self.shoot(*looks, free=free)

    def reach(self, at: tuple[int, int], side: str = "right", then: Look | None = None, rest_s: float = 0.4) -> None:
        """Reach in with a hand, rest at a place without the least movement, change something, and go."""
        away = {"right": (SIZE[0] + 60, at[1]), "left": (-60, at[1]), "top": (at[0], -60)}[side]
        for share in self._shares(0.4):
            self.shoot(hand(_between(away, at, share), side), free=False)
        self.wait(rest_s, hand(at, side), free=False)
        if then is not None:
            self.stay.append(then)
        for share in self._shares(0.4):
            self.shoot(hand(_between(at, away, share), side), free=False)

    def _shares(self, seconds: float) -> Iterator[float]:
        return iter(np.linspace(0, 1, max(2, round(seconds * self.fps)))[:-1])

    def watched(self, folder: Path, codec: str = "MJPG") -> list[GateState]:
        """Return the gate's states, frame by frame, after the film was encoded and decoded."""
        path = str(folder / f"film{len(self.frames)}.avi")
        writer = cv2.VideoWriter(path, cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*codec), self.fps, SIZE)
        for frame in self.frames:
            writer.write(frame)
        writer.release()
        state, states = begin(table()[1]), []
        for number, grey in enumerate(_greys(path, len(self.frames))):
            state = watch(state, number, number / self.fps, grey)
            states.append(state)
        return states

    def newest(self) -> Picture:
        """Return the last frame as a gate is given it, not encoded."""
        return _small(self.frames[-1])


def _greys(path: str, frames: int) -> Iterator[Picture]:
    video = cv2.VideoCapture(path, cv2.CAP_FFMPEG)
    for _ in range(frames):
        ok, frame = video.read()
        assert ok
        yield _small(np.asarray(frame, np.uint8))


def _small(frame: Picture) -> Picture:
    shrunk = shrink(Packet(0.0, bgr=frame))
    assert shrunk is not None
    return shrunk.grey


def _over_board(picture: Picture, bare: Picture) -> bool:
    off = cv2.absdiff(picture, bare)
    return int((cv2.max(cv2.max(off[..., 0], off[..., 1]), off[..., 2])[_inside()] > 40).sum()) > 40


@cache
def _inside() -> NDArray[np.bool_]:
    """Return where the board lies."""
    return np.asarray(cv2.resize(table()[1].mask.astype(np.uint8), SIZE, interpolation=cv2.INTER_NEAREST) > 0)


def _between(a: tuple[int, int], b: tuple[int, int], share: float) -> tuple[int, int]:
    return round(a[0] + share * (b[0] - a[0])), round(a[1] + share * (b[1] - a[1]))
