"""One camera's look at the table: picture, lens and pose, ready for everything that reads it.

A camera that is held in a hand gives several pictures a look, each from another place. They are told apart by number,
``phone#1``, ``phone#2``; a camera that stands still gives one, by its own name.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.pose import Pose

_Found = TypeVar("_Found")
PHOTOGRAPHS = "photographs"
"""Camera of all pictures that are photographed one by one, by whatever phone, and brought to one lens."""
_NUMBER = "#"
"""Stands in no camera's name in table.json."""


def roaming_name(camera: str, number: int) -> str:
    """Return the name of a picture by a camera that moves, by its number in the look, from 1."""
    return f"{camera}{_NUMBER}{number}"


def camera_of(name: str) -> str:
    """Return the camera that took a picture."""
    return name.partition(_NUMBER)[0]


def number_of(name: str) -> int:
    """Return a picture's number among those of its camera in a look, 0 where that took but one."""
    return int(name.partition(_NUMBER)[2] or 0)


def roams(name: str) -> bool:
    """Return whether a picture's camera moves between its pictures."""
    return _NUMBER in name


@dataclass(frozen=True, eq=False)
class View:
    """A picture whose camera knows where it stands.

    camera: the picture's name, its camera's in table.json but for a number where that one moves. picture_bgr:
    (height, width, 3) uint8. lens: solved at this picture size. pose: from table to camera, found in this picture.
    """

    camera: str
    picture_bgr: NDArray[np.uint8]
    lens: Lens
    pose: Pose
    _known: dict[Hashable, tuple[Hashable, object]] = field(default_factory=dict, repr=False)

    def once(self, what: Hashable, key: Hashable, find: Callable[[], _Found]) -> _Found:
        """Return what ``find`` finds in the picture; with the key of the time before it is not looked for again.

        Of a look from the hand every picture is read with each that follows, and nearly all of it stays as it was.
        key: all that ``find`` depends on besides this view.
        """
        known = self._known.get(what)
        if known is None or known[0] != key:
            known = self._known[what] = key, find()
        return cast(_Found, known[1])

    def project(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Project table points (..., 3) mm to pixels (..., 2); nan where a point lies behind the camera."""
        return self.pose.project(points_mm, self.lens)
