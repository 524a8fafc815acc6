"""The errors of calibration, one tree.

CalibrationError (a ValueError)
    PoseError: the printed frame cannot be located in a picture.
"""

from __future__ import annotations


class CalibrationError(ValueError):
    """A table folder, lens or pose that cannot be used; the message names the file or key and says what to do."""


class PoseError(CalibrationError):
    """The printed frame cannot be located in a picture; ``markers`` is how many of its markers were found."""

    def __init__(self, message: str, markers: int = 0) -> None:
        super().__init__(message)
        self.markers = markers
