"""Photographs of a board without a printed frame: each is placed by the board itself as soon as it has arrived."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.decoding import Decoded
from calibration.errors import PoseError
from calibration.lens import Lens, plain_lens
from calibration.pose import Pose
from referee.daemon.heldcameras import ADVICE
from referee.daemon.photographlenses import CommonLens, seen_through
from referee.values.words import Words
from vision.assessment.heldview import Fault, is_dark, why_unplaced
from vision.geometry.view import PHOTOGRAPHS
from vision.posefinder import PoseFinder


class BoardPhotographs:
    """Finds the board in photographs. One thread asks; what it finds the reader need not look for again."""

    def __init__(self, reader: PoseFinder, measured: Callable[[str, Lens], None]) -> None:
        """Take what a table's pictures are read with. measured: told the lens that all photographs are brought to.

        Raises CalibrationError where the touched pictures don't show the board.
        """
        assert reader.board is not None
        reader.board.require_learnt()
        self._reader, self._board = reader, reader.board
        self._common = CommonLens(reader, measured)

    def brought(self, photograph: Decoded) -> NDArray[np.uint8] | Words:
        """Return a photograph as the common lens would have taken it, or say what is wrong with it."""
        picture = photograph.picture
        if is_dark(picture):
            return ADVICE[Fault.DARK]
        upright = np.ascontiguousarray(np.rot90(picture, -photograph.quarters))
        try:
            lens, pose = self._board.photographed(upright, photograph.focal_px, PHOTOGRAPHS)
        except PoseError as error:
            return ADVICE[why_unplaced(picture, error)]
        lens, pose = (
            plain_lens(float(lens.matrix[0, 0]), (picture.shape[1], picture.shape[0])),
            _lying(pose, photograph.quarters),
        )
        common = self._common.for_(lens, sure=True)
        seen = seen_through(picture, lens, common)
        self._reader.learn_place(seen, common, pose)
        return seen


def _lying(pose: Pose, quarters: int) -> Pose:
    """Return the pose of a picture that was turned by so many quarters, counter-clockwise, after it was placed."""
    turn = np.linalg.matrix_power(np.array([[0.0, 1, 0], [-1, 0, 0], [0, 0, 1]]), quarters)
    return replace(pose, rotation=turn @ pose.rotation, translation_mm=turn @ pose.translation_mm)
