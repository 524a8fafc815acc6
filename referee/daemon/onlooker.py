"""What the turn loop asks of a kind of game: how a look becomes a reading, and a reading a ruling.

The loop knows phases, events and times; what can be seen of a grid, a tower or a ledger only its onlooker knows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from referee.daemon.framesource import Pictures
from referee.match.events import Event, ReadingMade, SetupChecked, TurnRuled
from referee.match.live import Live
from referee.match.state import TableState
from referee.storage.evidence import EvidenceStore
from vision.reading import CameraView


class LookSeen(Protocol):
    """What eyes made of one look, as far as the loop minds; the rest is between a kind's eyes and its onlooker."""

    @property
    def clear(self) -> bool:
        """Whether nothing foreign stands in the way."""

    @property
    def lost(self) -> bool:
        """Whether nothing could be read."""

    @property
    def cameras(self) -> Mapping[str, CameraView]:
        """How each camera saw the table."""


class Onlooker(Protocol):
    """One game under way as a kind of game sees it. All it remembers can be made again, or is in the journal.

    ``seen`` is what its own ``read`` answered. state: the game as it stands.
    """

    @property
    def needs_pictures(self) -> bool:
        """Whether a look waits for pictures; where nothing need be seen it is taken at once."""

    @property
    def gathers(self) -> bool:
        """Whether more pictures of the same table can settle what is unsure."""

    @property
    def differs(self) -> bool:
        """Whether what was seen last surely differs from the position."""

    def read(self, state: TableState, pictures: Pictures) -> LookSeen:
        """Read one look. Raises CalibrationError where a camera does not fit its lens."""

    def reading(self, seen: Any, kept: Mapping[str, str], alone: NDArray[np.bool_] | None = None) -> ReadingMade:
        """The event that keeps what a look gave.

        kept: camera to the name of its evidence. alone: (rows, columns), the fields of a grid no hand came near.
        """

    def blind(self, state: TableState, cameras: Sequence[str], problem: str) -> ReadingMade:
        """The event of a look for which no camera gave a picture that can be read."""

    def setup(self, state: TableState, seen: Any) -> SetupChecked:
        """Compare the set-up with the game's."""

    def setup_seen(self, state: TableState, seen: Any) -> bool:
        """Take in a look at the set-up nobody asked for; whether everything is seen and right."""

    def turn_seen(self, state: TableState, seen: Any) -> bool:
        """Take in a look nobody asked for; whether the table is back as it was before the turn."""

    def tells_more(self, state: TableState, seen: Any) -> bool:
        """Whether a look at a table that left a ruling unsure adds to what was seen of it."""

    def moved_on(self, state: TableState, event: Event) -> None:
        """An event was written. state: after it."""

    def can_rule(self, reading: ReadingMade) -> bool:
        """Whether all a ruling rests on is in a reading's event."""

    def ruled(self, state: TableState, reading: ReadingMade) -> TurnRuled:
        """The word on a reading, from what the journal holds and nothing else."""

    def remember(self, state: TableState, evidence: EvidenceStore | None) -> None:
        """After a restart: look again at pictures that were kept."""

    def live(self, state: TableState) -> Live:
        """What is known beside the record."""
