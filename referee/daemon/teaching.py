"""Give the kinds that need it a place where players show the cameras once what lies on a table."""

from __future__ import annotations

from collections.abc import Mapping

from referee.kinds import has_platform, platform
from referee.match.events import AnyGame
from vision.posefinder import PoseFinder
from vision.sources.camera import Camera
from web.tableview import MatTeacher


def mat_teacher(game: AnyGame, reader: PoseFinder, cameras: Mapping[str, Camera]) -> MatTeacher | None:
    """Return the desk of a game's kind, ``None`` where nothing must be shown. cameras: those with a lens."""
    if not cameras or not has_platform(game.kit.kind, "desk"):
        return None
    found: MatTeacher | None = platform(game.kit.kind, "desk").desk(game, reader, cameras)
    return found
