"""Say how a table is looked at."""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.daemon.framesource import FrameSource
from referee.daemon.nocameras import NoCameras
from referee.session.adapter import ObservationAdapter


@dataclass(frozen=True, slots=True)
class TableSight:
    """How a table is looked at.

    reader: reads the source's pictures of the game's kind, ``None`` where nothing is looked at. still_s: as in
    ``LookPatience``. adapter: of the game, where it is not the kind's own.
    """

    source: FrameSource = field(default_factory=NoCameras)
    reader: object = None
    still_s: float = 0.0
    adapter: ObservationAdapter | None = None
