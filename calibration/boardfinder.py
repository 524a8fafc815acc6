"""Finds cameras by a board without a printed frame, learnt from the picture in which it was touched."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boardfile import CornerTouch, load_touches, touches_path
from calibration.boardlook import BoardLook, Fit, Focal, learn, learnt_more
from calibration.boardsearch import NotFound, Unseen, find_board
from calibration.cornerguess import BoardSizes, guessed_corners
from calibration.errors import CalibrationError, PoseError
from calibration.exif import focal_length_px, picture_note
from calibration.lens import Lens, load_lens, plain_lens
from calibration.lenses import lens_path
from calibration.picturefile import PictureError, decode_picture
from calibration.pose import Pose
from calibration.table import TableSetup, place_in_table
from referee.values.words import Words, say

WELL_PLACED = 1 / 20
"""A pose by which a field may lie further off than this share of a field is none: 1 mm on a board of 22 mm tells as
much as a true pose, 2 mm cost stacks and flags."""
_USUAL_MM, _USUAL_SPREAD = tuple(26.0 * 1.1**step for step in (0, -1, 1, -2, 2, -3, 3, -4, 4, 5, 6, 7, 8)), 0.04
"""Focal lengths, give or take this share, of which those are tried by which four touched corners best make a
rectangle, where a picture does not tell. By three corners any would do, and the usual ones are taken."""
_TRIED = 5
_ROUNDED_MM = 0.5
_FINE_PX = 0.1
"""An edge that lies off less than this can't be told from one that fits."""
_SEEN_SPREAD = 0.02
"""How well a focal length is known that only the touched picture tells."""
_CALIBRATED_SPREAD = 0.002
_ROW = 2
"""Stones that a whole row of stacks is high at least, somewhere in most games: it hides what lies behind it."""
_PLACES = {"nw": (-1, 1), "ne": (1, 1), "se": (1, -1), "sw": (-1, -1)}


@dataclass(frozen=True, eq=False)
class _Known:
    """What the touched picture told. focal_px: for a picture whose longer side is ``longer_px``."""

    look: BoardLook
    focal_px: float
    spread: float
    longer_px: int
    placed: tuple[tuple[Lens, Pose], ...] = ()


@dataclass(frozen=True, eq=False)
class _Touched:
    picture: NDArray[np.uint8]
    fit: Fit
    known: _Known


class BoardPoseError(PoseError):
    """The board can't be found in a picture. why: the reason. turned: how it lies if only its sides look alike."""

    def __init__(self, message: str, words: Words, found: NotFound) -> None:
        super().__init__(message, 0, words)
        self.why: Unseen = found.why
        self.turned = tuple((one.lens, one.pose) for one in found.turned)


class BoardFinder:
    """Finds the board of one table in pictures. It is learnt when a picture is first looked at."""

    def __init__(self, table: TableSetup, folder: Path, touches: Sequence[CornerTouch] | None = None) -> None:
        """Take a table and its folder. touches: where they are not those of the folder."""
        self._table, self._folder, self._touches = table, folder, touches
        self._known: _Known | None = None
        self._tried: dict[tuple[bytes, str], tuple[Fit, _Known] | None] = {}

    def guessed_corners(self, picture_bgr: NDArray[np.uint8], focal_px: float | None) -> NDArray[np.float64] | None:
        """Return where the board's corners lie in a picture of its set-up, (4, 2) px, as far as can be made out."""
        half_mm, rim_mm = _sizes(self._table, self._folder)
        return guessed_corners(picture_bgr, focal_px, BoardSizes(half_mm, rim_mm, self._table.cube_mm[2]))

    def require_touches(self) -> None:
        """Raise CalibrationError, saying what to do, where nobody showed where the board lies."""
        _sizes(self._table, self._folder)
        load_touches(self._folder)

    def lens(self, camera: str, size: tuple[int, int] | None = None) -> Lens:
        """Return a camera's lens for pictures of a size, of that of the touched one if none is given.

        Raises CalibrationError.
        """
        return self._lens(camera, size)[0]

    def placed(self, picture_bgr: NDArray[np.uint8], camera: str, name: str) -> tuple[Lens, Pose]:
        """Return lens and pose of a picture. name: its camera's or its own, for messages.

        Raises PoseError where it does not show the board well enough, CalibrationError where that is not known.
        """
        return self._found(picture_bgr, *self._lens(camera, (picture_bgr.shape[1], picture_bgr.shape[0])), name)

    def photographed(self, picture_bgr: NDArray[np.uint8], focal_px: float | None, name: str) -> tuple[Lens, Pose]:
        """Return lens and pose of a picture by any phone. focal_px: as its file tells it. Raises PoseError."""
        size = picture_bgr.shape[1], picture_bgr.shape[0]
        if focal_px is None:
            known = self._learnt()
            lens, focal = plain_lens(known.focal_px * max(size) / known.longer_px, size), Focal(1.0, _SEEN_SPREAD)
        else:
            lens = plain_lens(focal_px, size)
            focal = Focal(1.0, _ROUNDED_MM / np.sqrt(3) * focal_length_px(1.0, size) / focal_px)
        return self._found(picture_bgr, lens, focal, name)

    @property
    def learnt_from(self) -> tuple[tuple[Lens, Pose], ...]:
        """Return the lens of each touched picture, and where it was taken from."""
        return () if self._known is None else self._known.placed

    def learn_anew(self) -> None:
        """Learn the board from the touches as they are now. Raises CalibrationError; it is known as before then."""
        before, self._known = self._known, None
        try:
            self._learnt()
        except CalibrationError:
            self._known = before
            raise

    def touched(self, touch: CornerTouch) -> tuple[Lens, Pose]:
        """Return lens and pose of a touched picture by itself, which need not be one of the folder's.

        Raises CalibrationError where it does not show the board's edge.
        """
        found = self._learn(touch)
        if found is None:
            raise CalibrationError(
                f"{touch.picture}: the edge of the board is not seen where its corners were touched"
            )
        return found.fit.lens, found.fit.pose

    def require_learnt(self) -> None:
        """Learn what the board looks like. Raises CalibrationError where the touched pictures don't show it."""
        self._learnt()

    def _found(self, picture_bgr: NDArray[np.uint8], lens: Lens, focal: Focal, name: str) -> tuple[Lens, Pose]:
        limit_mm = WELL_PLACED * min(self._table.pitch_mm)
        found = find_board(picture_bgr, self._learnt().look, lens, focal, limit_mm)
        if isinstance(found, NotFound):
            raise BoardPoseError(f"the board can't be found in the picture of {name}", _words(name), found)
        return found.lens, found.pose

    def _lens(self, camera: str, size: tuple[int, int] | None) -> tuple[Lens, Focal]:
        path = lens_path(self._folder, camera)
        if path.exists():
            lens = load_lens(path)
            if size is None or size == lens.size:
                return lens, Focal(1.0, _CALIBRATED_SPREAD)
            if size == lens.size[::-1]:
                return upright(lens), Focal(1.0, _CALIBRATED_SPREAD)
        known = self._learnt()
        if size is None:
            size = known.longer_px, round(known.longer_px * 3 / 4)
        return plain_lens(known.focal_px * max(size) / known.longer_px, size), Focal(1.0, known.spread)

    def _learnt(self) -> _Known:
        if self._known is None:
            tries = [self._learn(touch) for touch in self._touches or load_touches(self._folder)]
            found = sorted((one for one in tries if one is not None), key=lambda one: one.fit.unsure_mm)
            if not found:
                raise CalibrationError(
                    f"{touches_path(self._folder)}: touches: the edge of the board is not seen where its corners "
                    "were touched: touch the outer corners of its upper side again, in a picture that shows all of it"
                )
            look = found[0].known.look
            for one in found[1:]:
                look = learnt_more(look, one.picture, one.fit.pose, one.fit.lens)
            self._known = replace(
                found[0].known, look=look, placed=tuple((one.fit.lens, one.fit.pose) for one in found)
            )
        return self._known

    def _learn(self, touch: CornerTouch) -> _Touched | None:
        """Return what one touched picture tells; ``None`` where touches can't be right. It is worked out once."""
        try:
            content = touch.picture.read_bytes() if touch.content is None else touch.content
            picture = decode_picture(content)
        except (OSError, PictureError) as error:
            where = f"{touches_path(self._folder)}: touches.picture"
            raise CalibrationError(f"{where}: {touch.picture} cannot be read as a picture: {error}") from None
        tried = hashlib.sha256(content).digest(), repr(sorted(touch.corners_px.items()))
        if tried not in self._tried:
            self._tried[tried] = self._learnt_by(picture, content, touch)
        found = self._tried[tried]
        return None if found is None else _Touched(picture, *found)

    def _learnt_by(self, picture: NDArray[np.uint8], content: bytes, touch: CornerTouch) -> tuple[Fit, _Known] | None:
        height, width = picture.shape[:2]
        told = picture_note(content).focal_35_mm
        half_mm, rim_mm = _sizes(self._table, self._folder)
        some_mm = _USUAL_MM if told is None else (told,)
        lenses = [plain_lens(focal_length_px(mm, (width, height)), (width, height)) for mm in some_mm]
        tried = sorted(((one, *_starts(touch, half_mm, one)) for one in lenses), key=lambda each: each[2])[:_TRIED]
        spread = _USUAL_SPREAD if told is None else _ROUNDED_MM / np.sqrt(3) / some_mm[0]
        each = [(start, lens) for lens, starts, _ in tried for start in starts]
        over_mm = _ROW * self._table.cube_mm[2]
        found = [learn(picture, start, lens, Focal(1.0, spread), half_mm, rim_mm, over_mm) for start, lens in each]
        fits = [one for one in found if one is not None]
        best = max(fits, key=lambda one: one[1].places / (one[1].off_px + _FINE_PX), default=None)
        if best is None or best[1].unsure_mm > WELL_PLACED * min(self._table.pitch_mm):
            return None
        look, fit = best
        focal_px = float((fit.lens if told is None else lenses[0]).matrix[0, 0])
        return fit, _Known(look, focal_px, _SEEN_SPREAD if told is None else spread, max(width, height))


def upright(lens: Lens) -> Lens:
    """Return the lens of pictures that stand, of a camera whose lens was solved by pictures that lie."""
    (width, height), matrix = lens.size, lens.matrix
    turned = np.array([[matrix[1, 1], 0, matrix[1, 2]], [0, matrix[0, 0], width - 1 - matrix[0, 2]], [0, 0, 1]])
    k1, k2, p1, p2, k3 = lens.distortion
    return Lens((height, width), turned, np.array([k1, k2, -p2, p1, k3]), lens.rms_px)


def _sizes(table: TableSetup, folder: Path) -> tuple[tuple[float, float], float]:
    """Return half the board's width and depth, and the least width of its rim, mm. Raises CalibrationError."""
    if table.board is None or table.board.size_mm is None:
        told = "the board is found by its edge: measure its outer width and depth in mm"
        raise CalibrationError(f"{place_in_table(folder, 'board')}.size: {told}")
    half_x, half_y = (side / 2 for side in table.board.size_mm)
    rim_mm = min(half_x - table.half_size_mm[0], half_y - table.half_size_mm[1])
    return (half_x, half_y), rim_mm


def _starts(touch: CornerTouch, half_mm: tuple[float, float], lens: Lens) -> tuple[list[Pose], float]:
    """Return the poses that touched corners allow, one by four, up to four by three, and how far off they lie, px."""
    names = list(touch.corners_px)
    points = np.array([[sx * half_mm[0], sy * half_mm[1], 0.0] for sx, sy in (_PLACES[name] for name in names)])
    seen = np.array([touch.corners_px[name] for name in names], np.float64)
    if len(names) == 4:
        _, turns, shifts, offs = cv2.solvePnPGeneric(points, seen, lens.matrix, None, flags=cv2.SOLVEPNP_IPPE)
        turns, shifts, off_px = turns[:1], shifts[:1], float(np.ravel(offs)[0])
    else:
        off_px = 0.0
        _, turns, shifts = cv2.solveP3P(points, seen, lens.matrix, None, flags=cv2.SOLVEPNP_P3P)
    poses = [
        Pose(np.asarray(cv2.Rodrigues(turn)[0], np.float64), np.asarray(shift, np.float64).reshape(3), 0, 0.0)
        for turn, shift in zip(turns, shifts, strict=True)
    ]
    return [pose for pose in poses if pose.centre_mm[2] > 0], off_px


def _words(name: str) -> Words:
    return say(
        "The board can’t be found in {camera}’s picture: show all of its edge, and hold the phone still.", camera=name
    )
