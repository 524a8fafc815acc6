"""The pictures behind a ruling with the grid and what was read drawn on them, as the journal has it.

The board's place is found in the pictures anew; heights, pieces and how sure they were are those of the ruling.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Self

import cv2
import numpy as np

from calibration.errors import CalibrationError
from calibration.picturefile import PictureError, decode_picture
from referee.games.contract import Position
from referee.match.events import AnyGame, ReadingMade
from referee.values.belief import BoardBelief, posterior
from referee.values.board import Board
from referee.values.tower import TowerTold
from vision.explain import Picture, overlay
from vision.geometry.view import View
from vision.reader import TableReader
from vision.reading import CameraView, Reading
from vision.tower.explain import overlay as tower_overlay
from vision.tower.reader import TowerReader

_QUALITY = 84
"""Of the drawn pictures' JPEG; the pictures themselves are shown as they are."""


class Overlays:
    """Draws on the pictures of one table's game."""

    def __init__(self, game: AnyGame, reader: TableReader | TowerReader) -> None:
        self._game, self._reader = game, reader

    @classmethod
    def at(cls, game: AnyGame, table: Path | None) -> Self | None:
        """For a table folder; ``None`` where it is not known, or none of its cameras was calibrated."""
        if table is None or game.kit.kind == "ledger":
            return None
        try:
            tower = game.kit.kind == "tower"
            return cls(game, TowerReader.open(table) if tower else TableReader.open(table, kit=game.kit))
        except CalibrationError:
            return None

    def drawn(
        self, before: Position, reading: ReadingMade, pictures: Mapping[str, bytes]
    ) -> tuple[dict[str, bytes], str]:
        """Camera to a JPEG, and why there is none where there is none at all.

        before: the position the turn began from. pictures: camera to content. A camera whose picture can't be used,
        or does not show the frame, is left out.
        """
        draw = self._drawer(before, reading) if reading.belief else None
        if draw is None:
            return {}, ""
        try:
            return self._all({name: decode_picture(content) for name, content in pictures.items()}, draw), ""
        except (CalibrationError, PictureError, ValueError) as error:
            return {}, str(error)

    def _drawer(self, before: Position, reading: ReadingMade) -> Callable[[View], Picture] | None:
        """What draws a reading on a view; ``None`` for what can't be drawn."""
        like, table = before.observed, self._reader.table
        if isinstance(like, Board):
            belief = posterior(reading.unpacked_belief(like.letters), self._game.sighting(before))
            read = _as_read(reading, belief)
            return lambda view: overlay(view, table, read, belief)
        if self._game.kit.kind == "tower":
            told = TowerTold.parse(reading.belief)
            return lambda view: tower_overlay(view, table, told)
        return None

    def _all(self, pictures: Mapping[str, Picture], draw: Callable[[View], Picture]) -> dict[str, bytes]:
        found = {}
        for view in self._reader.views(pictures)[0]:
            drawn = draw(view)
            done, data = cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
            if done:
                found[view.camera] = data.tobytes()
        return found


def _as_read(made: ReadingMade, belief: BoardBelief) -> Reading:
    """The reading of a journal as the eyes gave it."""
    cameras = {note.name: CameraView(note.markers, note.reprojection_px, note.problem) for note in made.cameras}
    confidence = np.array(made.confidence, np.float64)[::-1] if made.confidence else np.zeros((0, 0))
    stones = dict(made.stones)
    return Reading(belief, made.text, confidence, stones, made.clear, made.blocked, cameras, made.duration_ms)
