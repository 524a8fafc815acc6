"""Learn a board without a printed frame from photographs in which its corners are touched, until the first turn."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boardfile import Corner, CornerTouch, touches_path
from calibration.boardfinder import BoardFinder
from calibration.boardpictures import board_alone, jpeg_of
from calibration.errors import CalibrationError
from calibration.files import write_atomic
from calibration.lens import Lens
from calibration.pose import Pose
from calibration.writing import write_board_size
from referee.session.openlook import is_another_side
from referee.values.words import Words, say
from vision.geometry.view import PHOTOGRAPHS, View
from vision.nextview import side_of
from vision.posefinder import PoseFinder
from web.tableview import Outcome

MOST = 4
"""Pictures in which the board is learnt: each from another side."""
_NAMES: Sequence[Corner] = ("nw", "ne", "se", "sw")
_SIGNS = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]])
_INSET = 0.2
_QUALITY = 92
_LOG = logging.getLogger(__name__)
_MISSED = say("The board’s edge is not seen where the corners are: move them onto the corners, and try again.")
_BEGUN = say("The game has begun: the board stays as it was touched.")
_GONE = say("This picture is no longer waited for.")
_FULL = say("The board can’t be written into the table’s folder: the disk may be full.")

Picture = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class _Asked:
    """A photograph, as it is shown, whose corners are to be touched. corners: guesses, shares of width and height."""

    number: int
    picture: Picture
    focal_px: float | None
    corners: Mapping[str, tuple[float, float]]


class BoardSetup:
    """Learns one board. Every method may be called from many threads at once."""

    def __init__(
        self, reader: PoseFinder, open_: Callable[[], bool], kept: Callable[[Mapping[str, bytes]], None]
    ) -> None:
        """Take what reads a table. open_: whether no turn was begun yet. kept: told the files that tell of the board.

        Raises CalibrationError where corners were touched that don't show the board.
        """
        self._reader, self._folder, self._open, self._kept = reader, reader.folder, open_, kept
        self._mutex = threading.Lock()
        self._asked: _Asked | None = None
        self._touched: tuple[Picture, Lens, Pose] | None = None
        self._number = 0
        self._sides: tuple[tuple[float, float], ...] = ()
        self._known = touches_path(self._folder).exists()
        if self._known:
            self.board.require_learnt()
        self.again: Callable[[], None] = lambda: None
        """Called once more is known: photographs that waited for it are looked at anew."""

    @property
    def board(self) -> BoardFinder:
        """Return what finds the board, by the size that is known by now."""
        assert self._reader.board is not None
        return self._reader.board

    @property
    def known(self) -> bool:
        """Return whether the board can be found."""
        return self._known

    @property
    def open(self) -> bool:
        """Return whether it may still be learnt anew."""
        return self._open()

    def view(self, language: str) -> dict[str, object]:
        """Return how far it has come, as JSON-able values."""
        with self._mutex:
            asked = self._asked
        return {
            "known": self._known,
            "open": self.open,
            "picture": 0 if asked is None else asked.number,
            "size": [0, 0] if asked is None else list(asked.picture.shape[1::-1]),
            "corners": {} if asked is None else {name: list(at) for name, at in asked.corners.items()},
        }

    def picture(self, number: int) -> bytes | None:
        """Return the photograph whose corners are to be touched, as JPEG."""
        with self._mutex:
            asked = self._asked
        if asked is None or asked.number != number:
            return None
        return cv2.imencode(".jpg", asked.picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes()

    def ask(self, picture: Picture, focal_px: float | None, turned: Sequence[tuple[Lens, Pose]] = ()) -> None:
        """Ask for the corners in a photograph, as it is shown, unless they are asked for in another.

        turned: how the board may lie where only its sides look alike: a side that nobody saw yet is proposed first.
        """
        with self._mutex:
            if self._asked is not None:
                return
        guess = self._turned(turned) if turned else self.board.guessed_corners(picture, focal_px)
        size = np.array(picture.shape[1::-1], np.float64)
        middle = np.array([0.5, 0.5]) + (0.5 - _INSET) * _SIGNS * (1, -1)
        shares = middle if guess is None else np.clip(guess / size, 0.0, 1.0)
        corners = {str(name): (float(at[0]), float(at[1])) for name, at in zip(_NAMES, shares, strict=True)}
        with self._mutex:
            self._number += 1
            self._asked = _Asked(self._number, picture, focal_px, corners)

    def _turned(self, turned: Sequence[tuple[Lens, Pose]]) -> NDArray[np.float64]:
        """Return the corners as the board lies where it is seen from a side that is furthest from those before."""

        def apart_deg(one: tuple[Lens, Pose]) -> float:
            side = side_of(one[1].centre_mm)
            return min((abs((side[0] - other[0] + 180) % 360 - 180) for other in self._sides), default=0.0)

        corners = self._corners(*max(turned, key=apart_deg))
        return np.array([corners[name] for name in _NAMES])

    def leave(self, number: int) -> Outcome:
        """Ask for another picture instead of this one."""
        with self._mutex:
            if self._asked is not None and self._asked.number == number:
                self._asked = None
        self.again()
        return Outcome(True, None)

    def touch(self, number: int, corners: Mapping[str, Sequence[float]]) -> Outcome:
        """Take in where the corners were touched, as shares of the picture's width and height."""
        with self._mutex:
            asked = self._asked
        if asked is None or asked.number != number:
            return Outcome(False, _GONE, "gone")
        if not self.open:
            return Outcome(False, _BEGUN, "begun")
        size = np.array(asked.picture.shape[1::-1], np.float64)
        places = {name: np.array(corners[name], np.float64) * size for name in _NAMES}
        known, told_mm = say("The board is known now."), self._size_mm
        try:
            lens, pose = self._shown(asked.picture, asked.focal_px, places)
            if not self._known and self._resized(asked.picture, lens, pose):
                lens, pose = self._shown(asked.picture, asked.focal_px, places)
                known = say(
                    "The board is known now. By its fields it is {found} mm wide, not {told} mm.",
                    found=f"{self._size_mm[0]:g}",
                    told=f"{told_mm[0]:g}",
                )
            self._learn(asked.picture, asked.focal_px, self._corners(lens, pose))
        except CalibrationError as error:
            _LOG.info("the board can't be learnt: %s", error)
            return Outcome(False, _MISSED, "missed")
        except OSError as error:
            _LOG.error("the board can't be kept: %s", error)
            return Outcome(False, _FULL, "disk")
        with self._mutex:
            self._asked, self._touched = None, (asked.picture, lens, pose)
        self.again()
        return Outcome(True, known)

    def forget(self) -> Outcome:
        """Let the corners be touched anew."""
        if not self.open:
            return Outcome(False, _BEGUN, "begun")
        with self._mutex:
            touches_path(self._folder).unlink(missing_ok=True)
            self._known, self._asked, self._touched, self._sides = False, None, None, ()
        return Outcome(True, None)

    def touched(self, picture: Picture) -> tuple[Lens, Pose] | None:
        """Return lens and pose of the picture that was touched last, ``None`` of any other."""
        with self._mutex:
            known = self._touched
        return None if known is None or not np.array_equal(known[0], picture) else known[1:]

    def placed(self, picture: Picture, focal_px: float | None, lens: Lens, pose: Pose) -> None:
        """Learn more of the board from a photograph in which it was found, while no turn was begun."""
        side = side_of(pose.centre_mm)
        if side is None or not self.open or len(self._touches()) >= MOST:
            return
        if not all(is_another_side(side, other) for other in self._sides):
            return
        try:
            self._learn(picture, focal_px, self._corners(lens, pose))
        except (CalibrationError, OSError) as error:
            _LOG.info("nothing more is learnt of the board: %s", error)

    @property
    def _size_mm(self) -> tuple[float, float]:
        board = self._reader.table.board
        assert board is not None
        assert board.size_mm is not None
        return board.size_mm

    def _resized(self, picture: Picture, lens: Lens, pose: Pose) -> bool:
        """Correct the board's size where its set-up shows another than was told; whether it does. Raises OSError."""
        factor = self._reader.board_scale(View(PHOTOGRAPHS, picture, lens, pose))
        wide_mm, deep_mm = (float(round(side * factor)) for side in self._size_mm)
        if (wide_mm, deep_mm) == self._size_mm:
            return False
        table = write_board_size(self._folder, (wide_mm, deep_mm))
        self._reader.resize_board((wide_mm, deep_mm))
        self._kept({"table.json": table})
        return True

    def _shown(
        self, picture: Picture, focal_px: float | None, corners: Mapping[Corner, NDArray[np.float64]]
    ) -> tuple[Lens, Pose]:
        """Return lens and pose of a touched picture. Raises CalibrationError where it shows no edge at the corners.

        All of it is looked at: in one that is cut down to the board, the cut would be taken for the edge.
        """
        return self.board.touched(self._touch(self._folder, corners, jpeg_of(picture, focal_px)))

    def _learn(self, picture: Picture, focal_px: float | None, corners: Mapping[Corner, NDArray[np.float64]]) -> None:
        """Learn from one picture more, and keep it. corners: as they are seen.

        Raises CalibrationError, OSError; nothing is changed then.
        """
        with self._mutex:
            path, touches = touches_path(self._folder), self._touches()
            name = f"calibration/board-{len(touches) + 1}.jpg"
            alone = self._touch(self._folder / name, corners, b"")
            jpeg = jpeg_of(board_alone(picture, alone.corners_px), focal_px)
            self.board.touched(replace(alone, content=jpeg))
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(self._folder / name, jpeg)  # first: at no moment a picture is named that is not there
            content = (
                json.dumps({"touches": [*touches, {"picture": name, "corners": alone.corners_px}]}, indent=1) + "\n"
            )
            write_atomic(path, content.encode())
            self.board.learn_anew()
            self._known = True
            self._sides = tuple(
                side for _, pose in self.board.learnt_from if (side := side_of(pose.centre_mm)) is not None
            )
            files = [path, *(self._folder / touch["picture"] for touch in json.loads(content)["touches"])]
            self._kept({one.relative_to(self._folder).as_posix(): one.read_bytes() for one in files})

    @staticmethod
    def _touch(path: Path, corners: Mapping[Corner, NDArray[np.float64]], content: bytes) -> CornerTouch:
        at = {name: (round(float(x), 1), round(float(y), 1)) for name, (x, y) in corners.items()}
        return CornerTouch(path, at, content)

    def _touches(self) -> list[dict[str, str]]:
        """Return the touches there are, as the file has them."""
        path = touches_path(self._folder)
        found: list[dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))["touches"] if path.exists() else []
        return found if self._known else []

    def _corners(self, lens: Lens, pose: Pose) -> Mapping[Corner, NDArray[np.float64]]:
        at = pose.project(np.column_stack([_SIGNS * np.array(self._size_mm) / 2, np.zeros(4)]), lens)
        return dict(zip(_NAMES, at, strict=True))


def waiting_words(known: bool) -> Words:
    """Say what a photograph waits for whose corners are to be touched."""
    if known:
        return say("Which side is which can’t be told here: touch the board’s corners in this picture, too.")
    return say("Now touch the board’s corners in the picture.")
