"""Say how a table is looked at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from referee.daemon.framesource import FrameSource
from referee.daemon.nocameras import NoCameras
from referee.match.state import TableState
from referee.session.adapter import ObservationAdapter


@dataclass(frozen=True, slots=True)
class TableSight:
    """How a table is looked at.

    reader: reads the source's pictures of the game's kind, ``None`` where nothing is looked at. still_s: as in
    ``LookPatience``. adapting: makes the adapter of a game, where it is not the kind's own.
    """

    source: FrameSource = field(default_factory=NoCameras)
    reader: object = None
    still_s: float = 0.0
    adapting: Callable[[TableState], ObservationAdapter] | None = None
