"""Lenses of photographs: each phone's, at each zoom and size, from the frame in its own pictures.

All photographs are brought to one lens before they are read, the table's camera ``photographs``: a plain one without
distortion, of the first phone's focal length. So players may use any phone, and a recorded game needs one lens only.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.decoding import Decoded
from calibration.errors import CalibrationError
from calibration.framelens import USUAL_FOCAL, FrameSight, solve_frame_lens
from calibration.lens import Lens, load_lens, plain_lens, save_lens
from calibration.lenses import lens_path
from calibration.lenssearch import is_sure
from calibration.pose import MIN_MARKERS, find_markers
from calibration.table import TableSetup
from referee.values.words import Words, say
from vision.geometry.view import PHOTOGRAPHS
from vision.posefinder import PoseFinder

USABLE = 0.03
"""A focal length that is known to this share will do: what it is off, the pose makes good at the board."""
ENOUGH = 8
"""Pictures from which a lens is solved, at most."""
_NEW_LENS = say(
    "This phone is new here, and one picture more is needed: take the next from another side, at an angle."
)
_LOG = logging.getLogger(__name__)


class PhotographLenses:
    """The lenses of photographs of one table. One thread asks."""

    def __init__(self, reader: PoseFinder, measured: Callable[[str, Lens], None]) -> None:
        """Take what a table's pictures are read with. measured: told the lens that all photographs are brought to."""
        self._folder, self._reader = reader.folder, reader
        self._sights: dict[str, tuple[FrameSight, ...]] = {}
        self._lenses: dict[str, tuple[Lens, bool]] = {}
        """By words: the lens, and whether it can't be known better."""
        self._common = CommonLens(reader, measured)

    def brought(self, photograph: Decoded) -> NDArray[np.uint8] | Words:
        """Return a photograph as the common lens would have taken it; say so where its own can't be told yet."""
        words, table = photograph.lens, self._reader.table
        high_px, wide_px = photograph.picture.shape[:2]
        lens, sure = self._known(words)
        if not sure:
            sight = FrameSight(str(len(self._sights)), (wide_px, high_px), find_markers(photograph.picture, table))
            if len(sight.seen_px) >= MIN_MARKERS:
                self._sights[words] = (*self._sights.get(words, ()), sight)
                lens = self._solved(words, photograph.focal_px, table) or lens
                if lens is None:
                    return _NEW_LENS
        if lens is None:  # the frame is not in it: whatever lens it has, the reader says why
            lens = plain_lens(photograph.focal_px or USUAL_FOCAL * wide_px, (wide_px, high_px))
        return seen_through(photograph.picture, lens, self._common.for_(lens, words in self._lenses))

    def _known(self, words: str) -> tuple[Lens | None, bool]:
        if words not in self._lenses:
            with suppress(CalibrationError):
                self._lenses[words] = load_lens(_path(self._folder, words)), True
        return self._lenses.get(words, (None, False))

    def _solved(self, words: str, focal_px: float | None, table: TableSetup) -> Lens | None:
        """Return the lens from all pictures so far, ``None`` where they don't tell it."""
        try:
            found = solve_frame_lens(self._sights[words], table, focal_px)
        except CalibrationError as error:
            _LOG.info("the lens %s can't be told: %s", words, error)
            return None
        if found.deviations["focal"] > USABLE * float(found.lens.matrix[0, 0]):
            return None
        sure = is_sure(found) or len(self._sights[words]) >= ENOUGH
        self._lenses[words] = found.lens, sure
        if sure:
            _written(_path(self._folder, words), found.lens)
        return found.lens


class CommonLens:
    """The lens that all photographs of a table are brought to: a plain one, as long as that of the first."""

    def __init__(self, reader: PoseFinder, measured: Callable[[str, Lens], None]) -> None:
        """Take what a table's pictures are read with. measured: told the lens once it is kept."""
        self._reader, self._measured = reader, measured
        self._kept = known_lens(reader.folder)

    def for_(self, lens: Lens, sure: bool) -> Lens:
        """Return it for a photograph by a lens. sure: whether one as long as that may be kept, if none is."""
        if self._kept is not None:
            return self._kept
        common = plain_lens(float(lens.matrix[0, 0]), lens.size)
        self._reader.know(PHOTOGRAPHS, common)
        if sure:
            self._kept = common
            _written(lens_path(self._reader.folder, PHOTOGRAPHS), common)
            self._measured(PHOTOGRAPHS, common)
        return common


def known_lens(folder: Path) -> Lens | None:
    """Return the lens that photographs of a table are brought to, ``None`` before the first."""
    with suppress(CalibrationError):
        return load_lens(lens_path(folder, PHOTOGRAPHS))
    return None


def _path(folder: Path, words: str) -> Path:
    return lens_path(folder, f"{PHOTOGRAPHS}/{hashlib.sha256(words.encode()).hexdigest()[:16]}")


def _written(path: Path, lens: Lens) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save_lens(path, lens)
    except OSError as error:  # it is found anew next time
        _LOG.warning("%s can't be written: %s", path, error)


def seen_through(picture: NDArray[np.uint8], lens: Lens, common: Lens) -> NDArray[np.uint8]:
    """Return a picture by one lens as another without distortion would have taken it from the same place."""
    along, down = cv2.initUndistortRectifyMap(
        lens.matrix, lens.distortion, np.eye(3), common.matrix, common.size, cv2.CV_32FC1
    )
    return np.asarray(cv2.remap(picture, along, down, cv2.INTER_CUBIC), np.uint8)
