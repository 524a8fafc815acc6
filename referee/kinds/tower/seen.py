"""What a look shows of a tower, and who reads it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from referee.kinds.tower.observation import TowerEvidence
from referee.session.capture import Pictures
from vision.reading import CameraView
from vision.tower.grid import cell_number
from vision.tower.reader import TowerLook
from vision.tower.reading import TowerReading
from vision.tower.text import told_of

_NOTHING = TowerEvidence("", "", frozenset())


class TowerEyes(Protocol):
    """Reads a tower from pictures between which it was turned."""

    def read(self, views: Sequence[Pictures], previous: str | None = None) -> TowerLook:
        """Read a tower from the pictures of all views. previous: text of the tower that stood before."""

    def without_each(self, views: Sequence[Pictures], previous: str | None) -> Iterator[TowerReading]:
        """Yield what is read with each view left out in turn."""


@dataclass(frozen=True, slots=True, eq=False)
class TowerSeen:
    """The tower as a look and those before it showed it."""

    look: TowerLook
    told: TowerEvidence
    clear: bool
    lost: bool
    cameras: Mapping[str, CameraView]


def views_of(look: TowerLook, pictures: Sequence[int]) -> set[int]:
    """Return the numbers of the views to which pictures belong.

    Pictures are numbered over all cameras that see the board.
    """
    owners = [
        number
        for number, cameras in enumerate(look.cameras)
        for view in cameras.values()
        if view.reprojection_px is not None
    ]
    return {owners[picture] for picture in pictures}


def seen_in(look: TowerLook, known: Mapping[str, str], count: int) -> TowerSeen:
    """Return what a look tells; it is clear where nothing lies over the board in its newest view and none refutes it.

    known: signs of cells that somebody at the table says. count: so many of the newest views are of this look.
    """
    reading, newest = look.reading, len(look.cameras) - 1
    lost = reading is None or not look.facing
    spoilt = () if reading is None else (*reading.covered, *reading.spoilt)
    clear = not lost and newest not in views_of(look, spoilt)
    told = _NOTHING if reading is None else told_of(reading.belief, reading.sides, cells_of(known))
    cameras = {name: view for views in look.cameras[-count:] for name, view in views.items()}
    return TowerSeen(look, told, clear, lost, cameras)


def cells_of(known: Mapping[str, str]) -> dict[int, str]:
    """Return the signs that somebody says by the cells' numbers."""
    return {cell_number(name): sign for name, sign in known.items()}
