"""Photographs of a board without a printed frame: each is placed by the board itself as soon as it has arrived."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.boardfinder import BoardPoseError
from calibration.decoding import Decoded
from calibration.errors import PoseError
from calibration.lens import Lens, plain_lens
from calibration.pose import Pose
from referee.daemon.boardsetup import BoardSetup, waiting_words
from referee.daemon.heldcameras import ADVICE
from referee.daemon.photographinbox import Waits
from referee.daemon.photographlenses import CommonLens, seen_through
from referee.values.words import Words
from vision.assessment.heldview import Fault, is_dark, why_unplaced
from vision.geometry.view import PHOTOGRAPHS
from vision.posefinder import PoseFinder


class BoardPhotographs:
    """Finds the board in photographs. One thread asks; what it finds the reader need not look for again."""

    def __init__(self, reader: PoseFinder, setup: BoardSetup, measured: Callable[[str, Lens], None]) -> None:
        """Take what a table's pictures are read with. measured: told the lens that all photographs are brought to."""
        self._reader, self._setup = reader, setup
        self._common = CommonLens(reader, measured)

    def brought(self, photograph: Decoded) -> NDArray[np.uint8] | Words | Waits:
        """Return a photograph as the common lens would have taken it, or say what is wrong with it, or wanted."""
        picture, focal_px, quarters = photograph.picture, photograph.focal_px, photograph.quarters
        if is_dark(picture):
            return ADVICE[Fault.DARK]
        upright = np.ascontiguousarray(np.rot90(picture, -quarters))
        if not self._setup.known:
            self._setup.ask(upright, focal_px)
            return Waits(waiting_words(known=False))
        touched = self._setup.touched(upright)
        try:
            lens, pose = touched or self._setup.board.photographed(upright, focal_px, PHOTOGRAPHS)
        except PoseError as error:
            fault = why_unplaced(picture, error)
            if fault is not Fault.EDGE or not self._setup.open:
                return ADVICE[fault]
            self._setup.ask(upright, focal_px, error.turned if isinstance(error, BoardPoseError) else ())
            return Waits(waiting_words(known=True))
        if touched is None:
            self._setup.placed(upright, focal_px, lens, pose)
        pose = _lying(pose, quarters)
        lens = plain_lens(float(lens.matrix[0, 0]), (picture.shape[1], picture.shape[0]))
        common = self._common.for_(lens, sure=True)
        seen = seen_through(picture, lens, common)
        self._reader.learn_place(seen, common, pose)
        return seen


def _lying(pose: Pose, quarters: int) -> Pose:
    """Return the pose of a picture that was turned by so many quarters, counter-clockwise, after it was placed."""
    turn = np.linalg.matrix_power(np.array([[0.0, 1, 0], [-1, 0, 0], [0, 0, 1]]), quarters)
    return replace(pose, rotation=turn @ pose.rotation, translation_mm=turn @ pose.translation_mm)
