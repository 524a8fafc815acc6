"""The errors of calibration, one tree.

CalibrationError (a ValueError)
    NoLensError: no camera of the table was ever calibrated.
    PoseError: the printed frame cannot be located in a picture.
        BoardPoseError (boardfinder.py): nor can a board without one.
"""

from __future__ import annotations

from referee.values.words import Words, verbatim


class CalibrationError(ValueError):
    """A table folder, lens or pose that cannot be used; the message names the file or key and says what to do."""


class NoLensError(CalibrationError):
    """No camera of the table was ever calibrated."""


class PoseError(CalibrationError):
    """The printed frame cannot be located in a picture.

    markers: how many of its markers were found. words: for the players, where there are any.
    """

    def __init__(self, message: str, markers: int = 0, words: Words | None = None) -> None:
        super().__init__(message)
        self.markers, self.words = markers, words or verbatim(message)
