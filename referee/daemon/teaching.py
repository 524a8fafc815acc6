"""Give the kinds that need it a place where players show the cameras once what lies on a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from referee.kinds import has_platform, platform
from referee.match.events import AnyGame
from vision.posefinder import PoseFinder
from vision.sources.camera import Camera
from web.tableview import MatTeacher


def mat_teacher(
    game: AnyGame,
    reader: PoseFinder,
    cameras: Mapping[str, Camera],
    photographed: Callable[[], NDArray[np.uint8] | None],
) -> MatTeacher | None:
    """Return the desk of a game's kind, ``None`` where nothing must be shown.

    cameras: those with a lens; others may join them. photographed: the newest photograph, if there is one.
    """
    if not has_platform(game.kit.kind, "desk"):
        return None
    found: MatTeacher | None = platform(game.kit.kind, "desk").desk(game, reader, cameras, photographed)
    return found
