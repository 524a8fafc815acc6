"""Follow where hands have been since the board was last agreed on, through the turn loop's cameras.

A look begins a trail of its own, because hands may come back before the ruling on it is settled; once its board is
agreed on, that trail is the one the next turn is judged by.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.values.fieldmask import mask_text
from vision.gate.gate import GateState
from vision.gate.hands import Hands, Standpoint, begun, followed, spaces_of


class HandsWatch:
    """Follows hands through all cameras. One thread calls."""

    def __init__(self, table: TableSetup | None) -> None:
        self._table = table
        self._agreed: Hands | None = None
        self._looked: Hands | None = None

    def looked(self, vantages: Mapping[str, Standpoint], levels: NDArray[np.int8], at_s: float) -> None:
        """Begin a trail at a look that shows the board free.

        levels: how many stand in each place (rows, columns). at_s: of the newest frames.
        """
        spaces = {} if self._table is None else spaces_of(vantages, self._table, levels)
        self._looked = begun(spaces, at_s) if spaces else None

    def agreed(self) -> None:
        """Judge the next turn by the last look's trail, whose board is known now."""
        self._agreed = self._looked

    def forget(self) -> None:
        """Forget both trails: the board is another one."""
        self._agreed = self._looked = None

    def followed(self, camera: str, gate: GateState, at_s: float) -> None:
        """Follow one more frame of a camera, which its gate has seen already."""
        same = self._agreed is self._looked
        if self._looked is not None:
            self._looked = followed(self._looked, camera, gate, at_s)
        if same:
            self._agreed = self._looked
        elif self._agreed is not None:
            self._agreed = followed(self._agreed, camera, gate, at_s)

    @property
    def alone(self) -> str:
        """Return which fields no hand came near since the board was agreed on, as a reading's event keeps them.

        Empty where that is not known.
        """
        mask = None if self._agreed is None else self._agreed.alone
        return "" if mask is None else mask_text(mask)
